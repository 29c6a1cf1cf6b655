"""Which agents a page may ask: built-in ones within bounds, and a person's own, each in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import InputError, unknown
from agents.specs.notation import call
from agents.specs.parts import HEURISTICS, ORDERINGS
from agents.specs.registry import KINDS, LEVELS, Spec, expand
from arena.api import own
from arena.api.games import player

if TYPE_CHECKING:
    from arena.play.person import Seat

# Built-in agents that may be asked over HTTP.

LARGEST = {
    "depth": 30, "cutoff": 30, "nodes": 10**8, "playouts": 10**6, "seconds": 5, "threads": 2, "table-size": 64,
    "c": 100, "simulations": 10**5, "batch": 1024,
}  # fmt: skip
"""Of every number that can be set, in its own unit; whatever it is, a clock ends the search."""
TABLES = {"heuristic": HEURISTICS, "order": ORDERINGS}
ASKED = {name: kind for name, kind in KINDS.items() if name != "llm"}
"""Kinds of agents that may be asked: a language model would let a visitor spend somebody's money."""
HIDDEN = {"compiled"}
"""Parameters of agents that no form offers."""


def several(text: str, heuristics: Collection[str] = ()) -> list[Spec]:
    """Return the built-in agents that a spec names. Raises InputError for any other, and for what costs too much.

    heuristics: a person's own, which they may use.
    """
    name = text.strip().partition(":")[0]
    if name not in ASKED and name not in LEVELS:
        raise unknown("built-in agent", name[:40], [*ASKED, *LEVELS])
    rest = functools.reduce(lambda rest, each: rest.replace(each, ""), heuristics, text)
    if ".py" in rest or "/" in rest or len(text) > 300:
        raise InputError("only built-in agents, heuristics and orderings can be asked here")
    found = expand(text)
    for spec in found:
        _refuse(spec, heuristics)
    return found


def _refuse(spec: Spec, heuristics: Collection[str]) -> None:
    for key, value in spec.resolved().items():
        if key in TABLES and isinstance(value, str) and not (key == "heuristic" and value in heuristics):
            _built_in(key, value)
        if key in HIDDEN and value is not True:
            raise InputError(f"{key} cannot be set here")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not value <= LARGEST[key]:
            raise InputError(f"{key} is at most {LARGEST[key]:,} here")


def allowed(text: str) -> Spec:
    """Return the one built-in agent that a spec names. Raises InputError."""
    found = several(text)
    if len(found) != 1:
        raise InputError(f"{text!r} stands for {len(found)} agents, one is asked")
    return found[0]


def _built_in(key: str, value: str) -> None:
    name = call(value).name
    if name not in TABLES[key] and not (key == "heuristic" and f"smart-{name}" in TABLES[key]):
        raise InputError(f"{key} {name[:40]!r} is not built in")


# A person's own.

SEATS = 4
"""Agents whose processes are kept."""


class Own:
    """The agents and heuristics that a server offers beside the built-in ones."""

    def __init__(self, folder: Path, named: Sequence[str] = (), *, files: bool = False, sandbox: bool = False) -> None:
        """Take agents by their specs, and with `files` those of the Python files of the folder. Raises InputError."""
        self.folder = folder
        self.named = own.names(named)
        self.files = files
        self.sandbox = sandbox
        self.stored: set[Path] = set()
        self.seats: dict[str, Seat] = {}
        self.turn = asyncio.Lock()

    def defined(self) -> own.Defined:
        """Return what is offered."""
        paths = self.stored | (set(self.folder.glob("*.py")) if self.files else set())
        found = []
        for path in sorted(paths):
            with contextlib.suppress(InputError):
                found.append(own.defined(path))
        agents = [*self.named, *(each for one in found for each in one.agents)]
        return own.Defined(tuple(dict.fromkeys(agents)), tuple(each for one in found for each in one.heuristics))

    def players(self) -> list[str]:
        """Return the specs that play against a person: own agents, and a search with each own heuristic."""
        found = self.defined()
        return [*found.agents, *(f"{own.SEARCH}{each}" for each in found.heuristics)]

    def seat(self, agent: str) -> Seat:
        """Return an own agent at a board; its process is kept between moves."""
        found = self.seats.pop(agent, None)
        found = found or player(agent, {"everyone": True, "sandbox": self.sandbox})
        self.seats[agent] = found
        while len(self.seats) > SEATS:
            self.seats.pop(next(iter(self.seats))).stop()
        return found

    def forget(self) -> None:
        """End the processes of all agents, whose files may have changed."""
        while self.seats:
            self.seats.popitem()[1].stop()

    def expanded(self, agents: Sequence[str]) -> list[str]:
        """Return own agents as they are, and the built-in ones that specs stand for. Raises InputError."""
        found = self.defined()
        names: list[str] = []
        for text in agents:
            names += [text] if text in found.agents else [each.text for each in several(text, found.heuristics)]
        return names
