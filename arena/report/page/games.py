"""The games of a run as data for a page: compact, and within a bound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from arena.analysis.played import Game, games, names
from arena.report import html
from arena.report.labels import Labels
from arena.store.store import Store

BOUND = 16_000_000
"""Bytes that the games of a page may take; a browser reads so much at once."""
_PIECE = 1_000
"""Games whose decisions are read at once."""


def document(store: Store, bound: int = BOUND) -> tuple[dict[str, Any], int]:
    """Return what a page needs to list and to replay games, and how many games there are.

    agents (their labels) and openings are lists; a game has g (number), a and b (places of its players), o (place of
    the opening), m (moves), r (result), t (termination), d (detail) and, by decision, s (scores), n (nodes), u
    (microseconds), p (depths), v and w (value before and after, None where it is not audited); k has, by the place
    of a blunder among the decisions, the columns that kept the value. Where they would take more than `bound` bytes,
    those with faults and the worst blunders come first, then some from all over the run.
    """
    found = list(games(store))
    agents = names(store)
    openings = store.openings()
    places = {name: place for place, name in enumerate(agents)}
    starts = {moves: place for place, moves in enumerate(openings)}
    labels = Labels.among(agents)
    kept: dict[int, dict[str, Any]] = {}
    for game, decided in _decided(store, sorted(found, key=lambda g: (not g.is_fault, -g.thrown, _spread(g.game)))):
        row = {
            "g": game.game,
            "a": places[game.first],
            "b": places[game.second],
            "o": starts[game.opening],
            "m": game.moves,
            "r": game.result,
            "t": game.termination,
            **({"d": game.detail} if game.detail else {}),
            **decided,
        }
        bound -= len(html.as_json(row)) + 1
        if bound < 0:
            break
        kept[game.game] = row
    chosen = [kept[game.game] for game in found if game.game in kept]
    said = [labels.of(name) for name in agents]
    return {"rules": asdict(store.rules()), "agents": said, "openings": openings, "games": chosen}, len(found)


def _decided(store: Store, games: Sequence[Game]) -> Iterator[tuple[Game, dict[str, Any]]]:
    """Yield games with their decisions, which are read piece by piece, so that nothing is held of what has no room."""
    for start in range(0, len(games), _PIECE):
        piece = games[start : start + _PIECE]
        decisions = _decisions(store, ", ".join(str(game.game) for game in piece))
        for game in piece:
            yield game, decisions[game.game]


def _spread(number: int) -> int:
    """Return a place in an order that takes numbers from all over a run, the same each time."""
    return number * 2_654_435_761 % 2**32


def _decisions(store: Store, games: str) -> dict[int, dict[str, Any]]:
    """Return the decisions of these games, a list for each kind of number; keepers of the value by place."""
    audit = {}
    if store.is_audited():
        names, rows = store.select(f"SELECT * FROM audit WHERE game IN ({games})")  # noqa: S608
        audit = {(row[0], row[1]): dict(zip(names, row, strict=True)) for row in rows}
    found: dict[int, dict[str, Any]] = defaultdict(lambda: {key: [] for key in KEYS})
    query = f"SELECT game, ply, score, nodes, seconds, depth FROM move WHERE game IN ({games}) ORDER BY game, ply"  # noqa: S608
    for game, ply, score, nodes, seconds, depth in store.select(query)[1]:
        told = audit.get((game, ply), {})
        value, after = told.get("value"), told.get("after")
        if value is not None and after < value and told.get("keepers"):
            found[game].setdefault("k", {})[len(found[game]["s"])] = told["keepers"]
        row = (score, nodes, round(seconds * 1e6), depth, value, after)
        for key, number in zip(KEYS, row, strict=True):
            found[game][key].append(number)
    for decisions in found.values():
        if all(value is None for value in decisions["v"]):
            del decisions["v"], decisions["w"]
    return found


KEYS = ("s", "n", "u", "p", "v", "w")
