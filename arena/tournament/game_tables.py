"""Tables of stored runs and stored games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from arena.store.folder import StoredRun
from arena.table.cells import agent_label
from arena.table.labels import Labels, cut, items, part
from arena.table.parts import LONGEST, Part, Table, full, left_out
from arena.table.rows import Column, columns, from_frame, known, names
from arena.table.styles import csv_lines, find
from arena.tournament.frames import Frames
from arena.tournament.games import Blunder, Filtered, Game
from arena.tournament.stored import STORED

MOST = 20
"""Games in the list of games thrown away, at most."""


def _played(run: StoredRun) -> str:
    return f"{run.played:,}" if run.complete else f"{run.played:,} of {run.planned:,}"


def _briefly(agents: Sequence[str]) -> str:
    """Return the kinds of agents, and the number of each."""
    kinds = Counter(part(agent)[0] for agent in agents)
    return ", ".join(kind if times == 1 else f"{times} {kind}" for kind, times in kinds.items())


def _first(blunders: Sequence[Blunder]) -> str:
    """Write the first blunder of an audited game."""
    return blunders[0].text if blunders else "none"


RUNS = [
    Column("file", "file"),
    Column("when (UTC)", "created", lambda created: created[:16].replace("T", " ")),
    Column("games", _played),
    Column("agents", "agents", _briefly, cuts=items),
    Column("command", "command", when=known, least=1, cuts=cut),
]
GAMES = [
    Column("game", "game"),
    Column("first", "first", agent_label),
    Column("second", "second", agent_label),
    Column("moves", "moves", least=3),
    Column("result", "result"),
    Column("end", "termination", least=2),
    Column("plies", "plies", least=1),
    Column("first blunder", "blunders", _first, when=known, missing="not audited"),
    Column("detail", "detail", when=any, cuts=cut),
]


def runs(rows: Sequence[StoredRun]) -> list[Part]:
    """Return the stored runs of a folder as a table."""
    return [Table("runs", "", StoredRun, rows, RUNS)]


def games(filtered: Filtered, agents: Sequence[str], style: str) -> list[Part]:
    """Return games as a table, and the settings left out of the agents' names; all games only if the style has all."""
    rows = list(filtered if find(style).data else filtered.first(LONGEST))
    labels = Labels.among(agents)
    return [Table("games", "", Game, rows, GAMES, labels), left_out(filtered.count()), labels.note]


def as_csv(filtered: Filtered) -> Iterator[str]:
    """Yield the lines of games as CSV, as many at a time as are read."""
    yield csv_lines([names(Game)])
    for piece in filtered.pieces():
        yield csv_lines(zip(*(map(full, values) for values in piece.values()), strict=True))


def stored(frames: Frames, name: str) -> Table:
    """Return a table of stored rows: agents, openings, games, moves, searches or replies."""
    row = STORED[name]
    rows = frames.table(name) if name == "replies" else getattr(frames, name)
    shown = columns(row) or [Column(field, field) for field in names(row)]
    return Table(name, "", row, from_frame(row, rows), shown, Labels.among(frames.agents["name"]))


def worst_first(rows: Sequence[Game]) -> list[Game]:
    """Return games sorted by the value lost, most first."""
    return sorted(rows, key=lambda game: (-game.thrown, game.game))


def thrown(rows: Sequence[Game], agents: Sequence[str], file: Path) -> list[Part]:
    """Return the games that lost the most value, the worst first, each with the command that shows where."""
    worst = worst_first(rows)
    labels = Labels.among(agents)
    replay = f"arena replay {quote(str(file))}"
    shown = [
        Column("game", "game"),
        *(replace(column, least=1) for column in GAMES[1:3]),
        Column("result", "result", least=3),
        Column("blunders", lambda game: len(game.blunders)),
        Column("first", "blunders", _first, least=2),
        Column("replay", lambda game: f"{replay} {game.game} --ply {game.blunders[0].ply}"),
    ]
    title = "Games thrown away: those in which both sides' blunders cost most"
    more = f"and {len(worst) - MOST:,} more: arena games {quote(str(file))} --blunders" if len(worst) > MOST else ""
    return [Table("thrown", title, Game, worst[:MOST], shown, labels), labels.note, more]
