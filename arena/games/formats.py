"""Tournament formats, which turn agents and openings into batches of games, in the order to play them.

A format with a fixed schedule is a function that returns pairings. A format with games that depend on results is a
class, a `Format`; `arena.games.formats_by_results` has the built-in ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agents.board import Outcome
from agents.errors import InputError
from agents.specs.plugins import find, format_error
from arena.records import Job

Pairing = tuple[int, int]
"""Two places in the list of agents."""


def jobs(pairings: Iterable[Pairing], openings: int, number: int = 1) -> list[Job]:
    """Return every game of the round with that number.

    Each pairing plays each opening twice, colours swapped; an agent plays against itself once.

    All pairings play an opening before the next one begins, so that an interrupted run is balanced.
    """
    pairings = list(pairings)
    return [
        Job(first, second, opening, number)
        for opening in range(openings)
        for one, other in pairings
        for first, second in ([(one, other), (other, one)] if one != other else [(one, one)])
    ]


def round_robin(agents: int, *, include_self: bool = False) -> list[Pairing]:
    """Return every pair of agents; with `include_self` also each agent against itself."""
    choose = itertools.combinations_with_replacement if include_self else itertools.combinations
    return list(choose(range(agents), 2))


def gauntlet(agents: int, *, include_self: bool = False) -> list[Pairing]:
    """Return the first agent against every other; with `include_self` also against itself."""
    return [(0, other) for other in range(0 if include_self else 1, agents)]


def named(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> list[Pairing]:
    """Return pairings given by name, without repetitions. Raises InputError for an unknown name."""
    places = {name: place for place, name in enumerate(names)}
    for name in itertools.chain.from_iterable(pairs):
        if name not in places:
            raise InputError(f"pair names {name!r}, which is not among the agents: {', '.join(names)}")
    pairings: dict[frozenset[str], Pairing] = {}
    for one, other in pairs:
        pairings.setdefault(frozenset((one, other)), (places[one], places[other]))
    return list(pairings.values())


def pairings_of(name: str, agents: int, *, include_self: bool) -> list[Pairing]:
    """Return the pairings of a format with a fixed schedule. Raises InputError.

    Such a format is a function of the number of agents and of `include_self`; it returns pairs of places from 0.
    """
    try:
        pairings = [(int(one), int(other)) for one, other in find_format(name)(agents, include_self=include_self)]
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"format {name!r} fails: {format_error(error)}") from error
    if any(not 0 <= place < agents for pairing in pairings for place in pairing):
        raise InputError(f"format {name!r} pairs agents that there are not: {pairings}")
    if len({frozenset(pairing) for pairing in pairings}) < len(pairings):
        raise InputError(f"format {name!r} lets two agents meet twice: {pairings}")
    return pairings


def find_format(name: str) -> Any:  # noqa: ANN401  a function or a class
    """Return a format from FORMATS, an installed package or a file. Raises InputError."""
    return find("format", name, FORMATS)


Results = Mapping[Job, Outcome]
"""The outcomes of games."""
Batches = Generator[list[Job], Results, list[int]]
"""Yields batches of games, to be played in any order; receives results by `send` before it yields the next batch.

The results contain every game of the batches so far. It returns the agents, best first, or an empty list if ratings
decide.
"""


class Format(Protocol):
    """A way to play a tournament. The same agents, openings, seed and results give the same games."""

    @property
    def most(self) -> int:
        """The number of games, at most."""

    def batches(self) -> Batches:
        """Yield batches of games for the results so far."""


@dataclass(frozen=True, slots=True)
class FixedFormat:
    """A tournament with a fixed schedule."""

    pairings: Sequence[Pairing]
    rounds: int

    @property
    def most(self) -> int:
        """The number of games."""
        return self.rounds * sum(1 + (one != other) for one, other in self.pairings)

    def batches(self) -> Batches:
        """Yield all games as one batch."""
        yield jobs(self.pairings, self.rounds)
        return []


def replay(how: Format, results: Results) -> tuple[list[list[Job]], list[int]]:
    """Return the batches up to the first one with a game without a result, and the agents, best first.

    The second list is empty before the end of the tournament, and if ratings decide.
    """
    batches, begun = how.batches(), []
    try:
        batch = next(batches)
        while True:
            begun.append(batch)
            if any(job not in results for job in batch):
                return begun, []
            batch = batches.send(results)
    except StopIteration as end:
        return begun, end.value


def of_name(name: str, agents: int, rounds: int, seed: int, *, include_self: bool = False) -> Format:
    """Return the format of that name; `swiss:7` has seven rounds. Raises InputError.

    agents: their number. rounds: openings per pairing. seed: the seed of the format's random choices. include_self:
    whether agents also play against themselves, in formats with a fixed schedule.
    """
    kind, colon, number = name.rpartition(":")
    if not (colon and number.isascii() and number.isdigit()):
        kind, number = name, ""
    maker = find_format(kind)
    if not isinstance(maker, type):
        return FixedFormat(pairings_of(name, agents, include_self=include_self), rounds)
    if include_self:
        raise InputError(f"format {name!r} lets nobody meet itself; --include-self is for a round robin or a gauntlet")
    if agents < 2:
        raise InputError(f"format {name!r} needs two agents")
    if number and not hasattr(maker, "number"):
        raise InputError(f"format {name!r}: {kind} takes no number of rounds")
    try:
        how: Format = maker(agents, rounds, seed, *([int(number)] if number else []))
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"format {name!r} fails: {format_error(error)}") from error
    return how


FORMATS: dict[str, str] = {
    "round-robin": "arena.games.formats:round_robin",
    "gauntlet": "arena.games.formats:gauntlet",
    "swiss": "arena.games.formats_by_results:Swiss",
    "knockout": "arena.games.formats_by_results:Knockout",
}
"""`module:name` of every format: a function for a fixed schedule, or else a class, a `Format`."""
