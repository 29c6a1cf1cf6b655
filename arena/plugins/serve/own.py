"""The agents that pages may use: built-in ones within limits, and the user's own, each in a separate process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.errors import InputError, unknown
from agents.specs.components import HEURISTICS, ORDERINGS
from agents.specs.kinds import KINDS, LEVELS
from agents.specs.notation import call
from agents.specs.registry import Spec, expand
from arena.games.seats import names, player

if TYPE_CHECKING:
    from arena.games.person import Seat

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
LONGEST = 300
"""Characters in a spec."""


def allowed(text: str) -> Spec:
    """Return the one built-in agent that a spec names. Raises InputError for others, and for too large parameters."""
    name = text.strip().partition(":")[0]
    if name not in ASKED and name not in LEVELS:
        raise unknown("built-in agent", name[:40], [*ASKED, *LEVELS])
    if ".py" in text or "/" in text or len(text) > LONGEST:
        raise InputError("only built-in agents, heuristics and orderings can be used here")
    specs = expand(text)
    for spec in specs:
        _refuse(spec)
    if len(specs) != 1:
        raise InputError(f"{text!r} stands for {len(specs)} agents, but one is needed")
    return specs[0]


def _refuse(spec: Spec) -> None:
    for key, value in spec.resolved().items():
        if key in TABLES and isinstance(value, str):
            _built_in(key, value)
        if key in HIDDEN and value is not True:
            raise InputError(f"{key} cannot be set here")
        if isinstance(value, (int, float)) and not isinstance(value, bool) and not value <= LARGEST[key]:
            raise InputError(f"{key} is at most {LARGEST[key]:,} here")


def _built_in(key: str, value: str) -> None:
    name = call(value).name
    if name not in TABLES[key] and not (key == "heuristic" and f"smart-{name}" in TABLES[key]):
        raise InputError(f"{key} {name[:40]!r} is not built in")


# The user's own agents.

SEATS = 4
"""Agents that keep their processes."""


class Own:
    """The user's own agents, which a server offers beside the built-in ones."""

    def __init__(self, agents: Sequence[str] = (), *, sandbox: bool = False) -> None:
        """Offer the agents that specs, folders and rosters stand for. Raises InputError."""
        self.agents = names(agents)
        self.sandbox = sandbox
        self.seats: dict[str, Seat] = {}
        self.turn = asyncio.Lock()

    def seat(self, agent: str) -> Seat:
        """Return an own agent in its process, which continues between moves."""
        seat = self.seats.pop(agent, None)
        seat = seat or player(agent, {"everyone": True, "sandbox": self.sandbox})
        self.seats[agent] = seat
        while len(self.seats) > SEATS:
            self.seats.pop(next(iter(self.seats))).stop()
        return seat
