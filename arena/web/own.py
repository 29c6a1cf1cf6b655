"""The agents that pages may use: built-in ones within limits, and the user's own, each in a separate process."""

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

# Built-in agents.

LARGEST = {
    "depth": 30, "cutoff": 30, "nodes": 10**8, "playouts": 10**6, "seconds": 5, "threads": 2, "table-size": 64,
    "c": 100, "simulations": 10**5, "batch": 1024,
}  # fmt: skip
"""The largest value of each numeric parameter, in its own unit. A clock ends the search in any case."""
TABLES = {"heuristic": HEURISTICS, "order": ORDERINGS}
ASKED = {name: kind for name, kind in KINDS.items() if name != "llm"}
"""Kinds of agents that pages may use: all but language models, with which a visitor could spend money."""
HIDDEN = {"compiled"}
"""Parameters that no form offers."""


def several(text: str, heuristics: Collection[str] = ()) -> list[Spec]:
    """Return the built-in agents that a spec names. Raises InputError for others, and for too large parameters.

    heuristics: the user's own heuristics, which the agents may use.
    """
    name = text.strip().partition(":")[0]
    if name not in ASKED and name not in LEVELS:
        raise unknown("built-in agent", name[:40], [*ASKED, *LEVELS])
    rest = functools.reduce(lambda rest, each: rest.replace(each, ""), heuristics, text)
    if ".py" in rest or "/" in rest or len(text) > 300:
        raise InputError("only built-in agents, heuristics and orderings can be used here")
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
        raise InputError(f"{text!r} stands for {len(found)} agents, but one is needed")
    return found[0]


def _built_in(key: str, value: str) -> None:
    name = call(value).name
    if name not in TABLES[key] and not (key == "heuristic" and f"smart-{name}" in TABLES[key]):
        raise InputError(f"{key} {name[:40]!r} is not built in")


# The user's own agents.

SEATS = 4
"""Agents that keep their processes."""


class Own:
    """The user's own agents and heuristics, which a server offers beside the built-in ones."""

    def __init__(self, folder: Path, named: Sequence[str] = (), *, files: bool = False, sandbox: bool = False) -> None:
        """Offer these agents and, with `files`, those in the Python files of the folder. Raises InputError."""
        self.folder = folder
        self.named = own.names(named)
        self.files = files
        self.sandbox = sandbox
        self.stored: set[Path] = set()
        self.seats: dict[str, Seat] = {}
        self.turn = asyncio.Lock()

    def defined(self) -> own.Defined:
        """Return the agents and heuristics."""
        paths = self.stored | (set(self.folder.glob("*.py")) if self.files else set())
        found = []
        for path in sorted(paths):
            with contextlib.suppress(InputError):
                found.append(own.defined(path))
        agents = [*self.named, *(each for one in found for each in one.agents)]
        return own.Defined(tuple(dict.fromkeys(agents)), tuple(each for one in found for each in one.heuristics))

    def players(self) -> list[str]:
        """Return the specs that can play: own agents, and a search with each own heuristic."""
        found = self.defined()
        return [*found.agents, *(f"{own.SEARCH}{each}" for each in found.heuristics)]

    def seat(self, agent: str) -> Seat:
        """Return an own agent in its process, which continues between moves."""
        found = self.seats.pop(agent, None)
        found = found or player(agent, {"everyone": True, "sandbox": self.sandbox})
        self.seats[agent] = found
        while len(self.seats) > SEATS:
            self.seats.pop(next(iter(self.seats))).stop()
        return found

    def forget(self) -> None:
        """End the processes of all own agents, because their files may have changed."""
        while self.seats:
            self.seats.popitem()[1].stop()

    def expanded(self, agents: Sequence[str]) -> list[str]:
        """Return own agents unchanged, and the built-in agents that each other spec names. Raises InputError."""
        found = self.defined()
        names: list[str] = []
        for text in agents:
            names += [text] if text in found.agents else [each.text for each in several(text, found.heuristics)]
        return names
