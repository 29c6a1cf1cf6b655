"""The games of a run as data for a page: compact, and within a bound."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from arena.analysis.played import Game, games, names
from arena.report import html
from arena.report.labels import Labels
from arena.store.store import Store

BOUND = 16_000_000
"""Bytes that the games of a page may take; a browser reads so much at once."""


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
    decisions = _decisions(store)
    places = {name: place for place, name in enumerate(agents)}
    starts = {moves: place for place, moves in enumerate(openings)}
    labels = Labels.among(agents)
    rows = []
    for game in found:
        row = {
            "g": game.game,
            "a": places[game.first],
            "b": places[game.second],
            "o": starts[game.opening],
            "m": game.moves,
            "r": game.result,
            "t": game.termination,
            **({"d": game.detail} if game.detail else {}),
            **decisions[game.game],
        }
        rows.append((game, row))
    chosen = [row for _, row in _within(rows, bound)]
    said = [labels.of(name) for name in agents]
    return {"rules": asdict(store.rules()), "agents": said, "openings": openings, "games": chosen}, len(found)


def _within(rows: list[tuple[Game, dict[str, Any]]], bound: int) -> list[tuple[Game, dict[str, Any]]]:
    """Return the rows that fit, in the order of their numbers."""
    sizes = {game.game: len(html.as_json(row)) + 1 for game, row in rows}
    if sum(sizes.values()) <= bound:
        return rows
    first = sorted(rows, key=lambda row: (not row[0].is_fault, -row[0].thrown, _spread(row[0].game)))
    kept: set[int] = set()
    for game, _ in first:
        bound -= sizes[game.game]
        if bound < 0:
            break
        kept.add(game.game)
    return [row for row in rows if row[0].game in kept]


def _spread(number: int) -> int:
    """Return a place in an order that takes numbers from all over a run, the same each time."""
    return number * 2_654_435_761 % 2**32


def _decisions(store: Store) -> dict[int, dict[str, Any]]:
    """Return the decisions of every game, a list for each kind of number; keepers of the value by place."""
    audit = {}
    if store.is_audited():
        names, rows = store.select("SELECT * FROM audit")
        audit = {(row[0], row[1]): dict(zip(names, row, strict=True)) for row in rows}
    found: dict[int, dict[str, Any]] = defaultdict(lambda: {key: [] for key in KEYS})
    query = "SELECT game, ply, score, nodes, seconds, depth FROM move ORDER BY game, ply"
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
