"""Language models in a run: their replies, the tokens that these took, and random moves that stood in for them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from arena.table.cells import agent_label, count, percent
from arena.table.labels import Labels
from arena.table.parts import Part, Table
from arena.table.rows import cell, columns, known, plain, table_row
from arena.tournament.frames import Frames


@table_row
class Model:
    """The replies of a language model in all its games."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    moves: int = cell("[moves] Those that it had to make.", "moves", count)
    retries: int = cell("[replies] Those after the first one to a move.", "retries", count)
    legal_replies: float = cell("[share] Of its replies, those that were a legal move.", "legal %", percent)
    faults: int = cell("[games] Lost by a fault, such as replies that were no legal move.", "faults", count)
    drawn_moves: int = cell("[moves] Random ones in place of its replies.", "random", count)
    errors: int = cell("[requests] Those that failed and were made again.", "errors", count)
    tokens_in: int | None = cell(
        "[tokens] Of prompts; None where the server never said, as the next three.", "in", count, least=1
    )
    tokens_out: int | None = cell("[tokens] Of replies.", "out", count, least=1)
    tokens_reasoning: int | None = cell(
        "[tokens] Of replies, those that reasoned unseen.", "reasoning", count, known, least=2
    )
    tokens_per_game: float | None = cell("[tokens] Of prompts and replies, a game.", "a game", count, least=1)


MODELS = columns(Model)


def models(frames: Frames) -> list[Model]:
    """Return a row for each language model that has moved, in the order of the agents."""
    sides, asked = frames.sides(), frames.table("replies")
    rows = []
    for agent in map(str, frames.agents["name"]):
        replies = asked[asked["agent"] == agent]
        if replies.empty:
            continue
        games = sides[sides["agent"] == agent]
        tokens = {name: _total(replies[name]) for name in ("tokens_in", "tokens_out", "tokens_reasoning")}
        used = [number for number in (tokens["tokens_in"], tokens["tokens_out"]) if number is not None]
        rows.append(
            Model(
                agent,
                moves=len(replies),
                retries=int(replies["tries"].sum()) - len(replies),
                legal_replies=float((replies["status"] == "ok").sum() / replies["tries"].sum()),
                faults=int(games["games"][games["fault"]].sum()),
                drawn_moves=int(replies["drawn"].sum()),
                errors=int(replies["errors"].sum()),
                **tokens,
                tokens_per_game=sum(used) / int(games["games"].sum()) if used else None,
            )
        )
    return rows


def _total(numbers: pd.Series) -> int | None:
    """Return the sum of the numbers that are known, or None if none is."""
    reported = numbers.dropna()
    return int(reported.sum()) if len(reported) else None


def of_run(frames: Frames, _: str = "") -> list[Part]:
    """Return the table of the replies, and a line for each model that the table shortens or whose moves were drawn."""
    rows, labels = models(frames), Labels.among(frames.agents["name"])
    title = "Language models: their replies in all games"
    return [Table("models", title, Model, rows, MODELS, labels), *language_lines(frames)]


def document(frames: Frames) -> dict[str, Any]:
    """Return the same as plain data."""
    return {"models": plain(models(frames))}


def language_lines(frames: Frames) -> list[str]:
    """Return a line for each model that a table names otherwise, and for each with random moves in place of replies."""
    labels = Labels.among(frames.agents["name"])
    lines = [
        f"{labels.of(name)} is {name}"
        for name in frames.agents.loc[frames.agents["kind"] == "llm", "name"]
        if labels.of(name) != name
    ]
    lines += [
        f"{row.drawn_moves:,} of the {row.moves:,} moves of {labels.of(row.agent)} are random, in place of its replies"
        for row in models(frames)
        if row.drawn_moves
    ]
    return lines
