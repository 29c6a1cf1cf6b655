"""The benchmark: one row for an agent on a frozen set of openings, positions, budgets and opponents.

A set is a folder of `arena/data`, and nothing in it ever changes: `openings.txt`, `positions.jsonl` as `arena label`
writes it, and `set.toml` with the budgets and the anchors, agents that define the scale. Within each budget
the agent meets every anchor on every opening with both colours, and moves in every position. The anchors play as their
specs say, so that they are the same whatever the agent may spend.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Agent, Limits, tighter
from agents.board import Board
from agents.errors import InputError, no_file, unknown
from agents.specs.plugins import one_line
from arena.cells import STAR, agent_label, count, elo_interval, gap, percent, rating, shares
from arena.measure.exercises import STAGES, Exercise, questions, solve, which
from arena.measure.grading import NO_REPLY, chosen
from arena.play.entries import Entry, numbered
from arena.play.isolation import Isolation
from arena.play.openings import from_file
from arena.play.plan import Plan
from arena.play.referee import Conditions, Fault, begin, decide
from arena.records import Interval, Termination
from arena.rows import Column, cell, known, plain, restored, table_row
from arena.statistics.anchored import anchored_rating
from arena.statistics.intervals import proportion
from arena.statistics.means import mean_interval
from arena.store.writing import replacing

if TYPE_CHECKING:
    import pandas as pd

LATEST = "connect4-arena-1"
OWN = "own"
"""The budget of an agent that plays as its spec says."""
ENOUGH = 10.0
"""[seconds] What a search to the set's depth may take."""


def _of_budget(name: str, meaning: str) -> Any:  # noqa: ANN401  as arena.rows.cell
    """Return the field of a rating within one budget."""
    own = f"elo_{name}"
    return cell(f"[Elo] Within {meaning} a move; None for an agent that plays within its own budget.",
                name, gap, known, of=f"{own} {own}_low {own}_high", least=1, default=None)  # fmt: skip


@table_row
class Benchmarked:
    """What an agent reached on a set. Ratings are on the scale of the set's anchors, of which `random` has 0."""

    agent: str = cell("Its spec.", "agent", agent_label)
    version: str = cell("The set.")
    budget: str = cell("That of `elo` and `kept`: the set's headline, or `own` where the spec decides.", "budget")
    elo: Interval = cell(
        "[Elo] By the games within this budget.", "Elo", rating, of="elo marked", note=STAR,
        ends=Column("95 %", "elo low high", elo_interval), low_high="low high", by="None where it is open",
    )  # fmt: skip
    marked: bool = cell("Whether all points were won or all lost, so that an end of its interval is open.")
    kept: Interval = cell(
        "[share] Moves that kept the win or the draw, in positions where a legal move loses it.",
        "kept", percent, ends=Column("95 %", "", shares),
    )  # fmt: skip
    kept_beginning: Interval = cell(
        "[share] In those with less than a third of the cells taken.", "beginning", percent, least=2
    )
    kept_middle: Interval = cell("[share] In those between.", "middle", percent, least=2)
    kept_end: Interval = cell("[share] In those with more than two thirds of the cells taken.", "end", percent, least=2)
    nodes: Interval | None = cell(
        "[nodes] Mean of a search of 8 plies from the openings, without those where it ends earlier, at a proven win; "
        "None for an agent that reports none or searches less.",
        "nodes to depth 8", count,
    )  # fmt: skip
    games: int = cell("[games] Of all budgets.", "games", count, least=3)
    faults: int = cell("[games] Lost by an illegal move, an exception or the clock.", "faults", count, least=3)
    elo_1k: Interval | None = _of_budget("1k", "1,000 nodes")
    elo_10k: Interval | None = _of_budget("10k", "10,000 nodes")
    elo_100k: Interval | None = _of_budget("100k", "100,000 nodes")
    elo_time: Interval | None = _of_budget("time", "20 ms")


@dataclass(frozen=True, slots=True)
class Submitted:
    """A row as it is stored: beside the row what it takes to play it again, and digests that a repetition must have."""

    row: Benchmarked
    digests: Mapping[str, str]
    """SHA-256 of the games within each budget, of the answers in positions, and of the agent's files, if it has any."""
    meta: Mapping[str, Any]
    """The versions and the machine, as `arena.store.machine.meta` has them."""

    def write(self, path: Path) -> None:
        """Write the row as JSON. Raises InputError."""
        document = {**plain([self.row])[0], "digests": dict(self.digests), "meta": dict(self.meta)}
        with replacing(path) as beside:
            beside.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path: Path) -> Submitted:
        """Return the row of a file. Raises InputError where it is none."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            digests, meta = dict(found.pop("digests")), dict(found.pop("meta"))
            return cls(restored(Benchmarked, found), digests, meta)
        except OSError:
            raise no_file(path) from None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{path} is no row of arena benchmark: {one_line(error)}") from error


@dataclass(frozen=True)
class BenchmarkSet:
    """A frozen set."""

    name: str
    folder: Path
    seed: int
    depth: int
    """[plies] To which nodes are counted."""
    headline: str
    budgets: Mapping[str, Limits]
    anchors: Mapping[str, float]
    """[Elo] The fixed ratings of the opponents, by their specs."""

    @classmethod
    def of_name(cls, name: str = LATEST) -> BenchmarkSet:
        """Return the set of that name. Raises InputError where there is none."""
        data = Path(__file__).parents[1] / "data"
        known = sorted(each.name for each in data.iterdir() if (each / "set.toml").is_file())
        if name not in known:
            raise unknown("benchmark", name, known)
        found = tomllib.loads((data / name / "set.toml").read_text(encoding="utf-8"))
        budgets = {key: Limits(**limits) for key, limits in found.pop("budgets").items()}
        return cls(name, data / name, budgets=budgets, **found)

    @cached_property
    def openings(self) -> list[Board]:
        """The positions that games start from."""
        return from_file(self.folder / "openings.txt")

    @cached_property
    def exercises(self) -> list[Exercise]:
        """The graded positions; in each a legal move loses a win or a draw."""
        boards, known = questions(self.folder / "positions.jsonl", 0)
        return solve(boards, known=known)

    def plan(self, name: str, lives: Isolation) -> Plan:
        """Return the games of an agent within a budget; `lives` has one entry, that of the agent."""
        entries = (*lives.entries, *(None for _ in self.anchors))
        return Plan(
            (name, *self.anchors), str(self.folder / "openings.txt"), len(self.openings), self.seed, "gauntlet",
            isolation=replace(lives, entries=entries),
        )  # fmt: skip

    def rating(self, games: pd.DataFrame, name: str) -> Interval:
        """Return the rating of an agent by its games, rows of `arena.analysis.frames.Frames.games`."""
        first = games["first"] == name
        points = games["points"].where(first, 1.0 - games["points"])
        anchors = dict(zip(numbered((name, *self.anchors))[1:], self.anchors.values(), strict=True))
        opponents = games["second"].where(first, games["first"]).map(anchors)
        return anchored_rating(points.tolist(), opponents.tolist(), games["opening"].tolist())


def within(entry: Entry, budget: Limits) -> Entry:
    """Return an agent that may spend no more on a move than a budget has."""
    return replace(entry, nodes=tighter(entry.nodes, budget.nodes), seconds=tighter(entry.seconds, budget.seconds))


def answers(
    agent: Agent, exercises: Sequence[Exercise], seed: int, progress: Callable[[], object] = lambda: None
) -> list[int]:
    """Return the agent's column in each position, from a cleared memory.

    NO_REPLY, which keeps nothing, where it fails, or where a random move stood in for a language model's reply. seed:
    of the first exercise, one more for each that follows. progress: called after each.
    """
    found = []
    for number, exercise in enumerate(exercises):
        try:
            begin(agent, seed + number)
            move = decide(agent, exercise.board, Conditions(Limits()))
            found.append(move.column if chosen(agent, move) else NO_REPLY)
        except Fault:
            found.append(NO_REPLY)
        progress()
    return found


def nodes_to_depth(agent: Agent, boards: Sequence[Board], depth: int, seed: int) -> Interval | None:
    """Return the mean nodes of a search to a depth; None where an agent reports none as deep on half of the boards.

    A board on which it ends earlier, as at a proven win, is left out. seed: the agent's, the same on every board.
    """
    found: list[float] = []
    for place, board in enumerate(boards):
        try:
            begin(agent, seed)
            move = decide(agent, board, Conditions(Limits(depth=depth, seconds=ENOUGH)))
        except Fault:
            return None
        if move.depth == depth and move.nodes:
            found.append(float(move.nodes))
        elif 2 * (place + 1 - len(found)) > len(boards):
            return None
    return mean_interval(found)


def shares_kept(exercises: Sequence[Exercise], columns: Sequence[int]) -> dict[str, Any]:
    """Return the fields of a row for the share of answers that kept the value, in all exercises and by stage."""
    kept = [column in each.good for each, column in zip(exercises, columns, strict=True)]
    stages = [which(each.board, each.score)[0] for each in exercises]
    parts = {f"kept_{stage}": [one for one, at in zip(kept, stages, strict=True) if at == stage] for stage in STAGES}
    return {name: proportion(part, [1] * len(part)) for name, part in {"kept": kept, **parts}.items()}


def digest_of(lines: Iterable[str]) -> str:
    """Return the SHA-256 of lines, in their order."""
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def digest_of_games(games: pd.DataFrame, name: str) -> str:
    """Return the digest of the moves of all games, whatever order they were played in and the agent is called."""
    rows = zip(games["first"], games["second"], games["moves"], games["result"], strict=True)
    return digest_of(sorted(" ".join("agent" if each == name else each for each in row) for row in rows))


def faults(games: pd.DataFrame, name: str) -> int:
    """Return how many games the agent lost by breaking the rules."""
    lost = games["points"].where(games["first"] == name, 1.0 - games["points"]) == 0.0
    return int((lost & ~games["termination"].isin([Termination.LINE, Termination.FULL])).sum())


def differences(one: Submitted, other: Submitted, *, sample: bool = False) -> list[str]:
    """Return a line for each thing but times that two rows of an agent on a set do not have in common.

    sample: the other was played within the first budget alone, and only its digests are compared.
    """
    found = [
        f"{what}: {'none' if ours is None else ours[:12]}, was {'none' if theirs is None else theirs[:12]} (SHA-256)"
        for what in sorted({*other.digests, *([] if sample else one.digests)} - {TIMED})
        if (ours := other.digests.get(what)) != (theirs := one.digests.get(what))
    ]
    if sample:
        return found
    rows = [{key: value for key, value in plain([each.row])[0].items() if TIMED not in key} for each in (one, other)]
    skipped = {"agent", "games", "faults"} if TIMED in one.digests else {"agent"}
    return found + [
        f"{key}: {rows[1][key]}, was {value}"
        for key, value in rows[0].items()
        if key not in skipped and rows[1][key] != value
    ]


TIMED = "time"
"""The budget with games that depend on the machine."""
