"""Who meets whom: a pairing format turns names and openings into the list of all games, in the order to play them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from agents.errors import InputError
from agents.plugins import find, one_line
from arena.store.records import Job

Pairing = tuple[int, int]
"""Two places in the list of agents."""


def jobs(pairings: Iterable[Pairing], openings: int) -> list[Job]:
    """Return every game: each pairing plays each opening twice, colours swapped; an agent meets itself once.

    All pairings play an opening before the next begins, so that an interrupted run is balanced.
    """
    pairings = list(pairings)
    return [
        Job(first, second, opening)
        for opening in range(openings)
        for one, other in pairings
        for first, second in ([(one, other), (other, one)] if one != other else [(one, one)])
    ]


def round_robin(agents: int, *, include_self: bool = False) -> list[Pairing]:
    """Return every pair of agents, with each agent against itself if asked."""
    choose = itertools.combinations_with_replacement if include_self else itertools.combinations
    return list(choose(range(agents), 2))


def gauntlet(agents: int, *, include_self: bool = False) -> list[Pairing]:
    """Return the first agent against every other."""
    return [(0, other) for other in range(0 if include_self else 1, agents)]


def named(pairs: Sequence[tuple[str, str]], names: Sequence[str]) -> list[Pairing]:
    """Return the pairings that are named one by one, each once. Raises InputError for a name that does not play."""
    places = {name: place for place, name in enumerate(names)}
    for name in itertools.chain.from_iterable(pairs):
        if name not in places:
            raise InputError(f"pair names {name!r}, which is not among the agents: {', '.join(names)}")
    pairings: dict[frozenset[str], Pairing] = {}
    for one, other in pairs:
        pairings.setdefault(frozenset((one, other)), (places[one], places[other]))
    return list(pairings.values())


def of_format(name: str, agents: int, *, include_self: bool) -> list[Pairing]:
    """Return who meets whom in a format whose games are known beforehand. Raises InputError.

    Such a format is a function of the number of agents, and of `include_self`, that returns pairs of their places from
    0. Those of FORMATS that are classes are courses, `arena.play.course`.
    """
    try:
        pairings = [(int(one), int(other)) for one, other in found(name)(agents, include_self=include_self)]
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"format {name!r} fails: {one_line(error)}") from error
    if any(not 0 <= place < agents for pairing in pairings for place in pairing):
        raise InputError(f"format {name!r} pairs agents that there are not: {pairings}")
    if len({frozenset(pairing) for pairing in pairings}) < len(pairings):
        raise InputError(f"format {name!r} lets two agents meet twice: {pairings}")
    return pairings


def found(name: str) -> Any:  # noqa: ANN401  a function or a class
    """Return a format of FORMATS, of an installed package or in a file. Raises InputError."""
    return find("format", name, FORMATS)


FORMATS: dict[str, str] = {
    "round-robin": "arena.play.schedule:round_robin",
    "gauntlet": "arena.play.schedule:gauntlet",
    "swiss": "arena.play.swiss:Swiss",
    "knockout": "arena.play.knockout:Knockout",
    "ladder": "arena.play.ladder:Ladder",
}
"""`module:name` of every format: a function where all games are known beforehand, else a class, a `Course`."""
