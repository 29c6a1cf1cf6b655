"""Who meets whom: a pairing format turns names and openings into the list of all games, in the order to play them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence

from agents.errors import InputError
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


FORMATS: dict[str, Callable[..., list[Pairing]]] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
}
