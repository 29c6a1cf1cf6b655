"""The faults of a run: one row an agent, and reports that group equal faults for the agent's author."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from agents.board import STANDARD
from agents.specs.plugins import is_file
from arena.games.entries import address
from arena.records import Termination
from arena.store import queries
from arena.store.run_file import Store
from arena.table.cells import agent_label
from arena.table.rows import cell, table_row
from arena.tournament.frames import Frames


@table_row
class LostGames:
    """Games that one agent lost in the same way."""

    agent: str = cell("Its name in the run.", "agent", agent_label)
    termination: str = cell("How the games ended.", "termination")
    detail: str = cell("What the referee said.", "what the referee said")
    games: int = cell("[games]", "games")


@dataclass(frozen=True, slots=True)
class Faulty:
    """An agent that lost games by its own fault."""

    agent: str
    """Its name in the run."""
    games: int
    """[games] All of its games."""
    faults: int
    """[games] Those that it lost by a fault."""
    first: str
    """How the first of these ended, and what the referee said."""


def faulty(frames: Frames) -> list[Faulty]:
    """Return a row for each agent that lost games by its own fault, in the order of the agents."""
    sides, losses = frames.sides(), faults(frames)
    rows = []
    for agent in map(str, frames.agents["name"]):
        reasons = [loss for loss in losses if loss.agent == agent]
        if reasons:
            games = int(sides["games"][sides["agent"] == agent].sum())
            reason = f"{reasons[0].termination}: {reasons[0].detail}".removesuffix(": ")
            rows.append(Faulty(agent, games, sum(reason.games for reason in reasons), reason))
    return rows


def faults(frames: Frames) -> list[LostGames]:
    """Return a row for each agent and kind of fault, in the order of the games."""
    lost = frames.faults
    losers = lost["first"].where(lost["points"] == 0.0, lost["second"])
    details = lost["detail"].str.replace(_REPLY, "", regex=True)
    alike = lost.groupby([losers, lost["termination"], details], sort=False)
    return [
        LostGames(str(agent), str(end), _common(rows["detail"].unique()), int(rows["games"].sum()))
        for (agent, end, _), rows in alike
    ]


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_REPLY = re.compile(r"^replied (['\"]).*\1 at try \d+: ")
"""What a language model replied, before what is wrong with it."""


def _common(details: Sequence[str]) -> str:
    """Return the detail of faults that are alike, without the replies where these differ."""
    return details[0] if len(details) == 1 else _REPLY.sub("", details[0])


@dataclass(frozen=True, slots=True)
class FaultReport:
    """Games that one agent lost in the same way, and the first of them."""

    agent: str
    """Its name in the run."""
    termination: str
    """How the games ended."""
    detail: str
    """What the referee said: of times the range, of different replies of a model what is wrong with them."""
    games: int
    """[games]"""
    game: int
    """The first game's number."""
    position: str
    """The moves to the board that it was shown."""
    traceback: str
    output: str
    """The end of what it wrote to stdout and stderr."""
    command: str
    """What asks the agent again for that move."""


def fault_reports(store: Store) -> list[FaultReport]:
    """Return a row for each agent and kind of fault, in the order of the agents."""
    groups: dict[tuple[str, str, str], list[tuple[int, str, str, str, str, str]]] = {}
    for game, agent, spec, termination, detail, position, traceback, output in queries.fault_reports(store):
        alike = "" if termination == Termination.TIME else _REPLY.sub("", detail)
        groups.setdefault((agent, termination, alike), []).append((game, spec, detail, position, traceback, output))
    rules = store.rules()
    board = "" if rules == STANDARD else f" --board {rules}"
    asked = _asked(store)
    reports = []
    for (agent, termination, _), rows in groups.items():
        game, spec, detail, position, traceback, output = rows[0]
        command = f"{asked.get(agent, f'arena move {shlex.quote(spec)}')}{' ' if position else ''}{position}{board}"
        details = [*dict.fromkeys(row[2] for row in rows)]
        text = _range(details) if termination == Termination.TIME else _common(details)
        reports.append(FaultReport(agent, termination, text, len(rows), game, position, traceback, output, command))
    return reports


def _asked(store: Store) -> dict[str, str]:
    """Return the commands that ask agents of rosters for a move, by name; their specs do not contain their folder."""
    entries = (store.plan().get("isolation") or {}).get("entries") or []
    commands = {}
    for name, entry in zip(store.names(), entries, strict=False):
        if entry and entry.get("roster"):
            commands[name] = f"arena move {shlex.quote(address(entry['roster'], entry['name']))}"
        elif entry and not is_file(entry["spec"]):  # of earlier versions
            commands[name] = f"cd {shlex.quote(entry['folder'])} && arena move {shlex.quote(entry['spec'])}"
    return commands


def _range(details: list[str]) -> str:
    """Return the first detail, with the range of its first number where that differs."""
    numbers = [float(match[0]) for match in map(_NUMBER.search, details) if match]
    if not numbers or min(numbers) == max(numbers):
        return details[0]
    return _NUMBER.sub(f"{min(numbers):g} to {max(numbers):g}", details[0], count=1)
