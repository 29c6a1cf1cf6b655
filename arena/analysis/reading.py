"""A run's games, moves and searches out of its file: all of them, or of a large run what its tables need."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

import numpy as np
import pandas as pd

from arena.store.store import Store

LARGE: Final = 20_000
"""Games. Of a run that has more the moves and searches of about so many are read."""
POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
MOVES: Final = "column, depth, nodes, made.seconds AS seconds, score"
_SEARCHES: Final = "depth, nodes, made.seconds AS seconds, score, column"
_LEAN: Final = "SELECT id, first, second, opening, moves, result, termination, detail FROM game"
_INSIDE: Final = [
    "depth", "inner", "leaves", "table_cutoffs", "cutoffs", "probes", "hits", "minimal_nodes", "nodes",
]  # fmt: skip
_CHUNK: Final = 50_000
_ALONE: Final = "NOT EXISTS (SELECT * FROM iteration AS one WHERE (one.game, one.ply) = (made.game, made.ply))"


def table(store: Store, query: str) -> pd.DataFrame:
    """Return what a query finds."""
    names, rows = store.select(query)
    return pd.DataFrame.from_records(rows, columns=names, coerce_float=True)


def is_large(store: Store) -> bool:
    """Return whether it takes long to read all of a run; what is audited, or played in stages, is read whole."""
    listed = store.plan().get("format") in ("round-robin", "gauntlet", None)
    return listed and not store.is_audited() and bool(store.value("SELECT count(*) FROM game") > LARGE)


def sampled(store: Store) -> str:
    """Return a condition that about LARGE games meet, drawn by their numbers as if by chance."""
    share = LARGE / store.value("SELECT count(*) FROM game")
    return f"game.id * 2654435761 % 4294967296 < {int(share * 2**32)}"


def decisions(made: str, columns: str, where: str = "") -> str:
    """Return a query for moves, searches or iterations, with who made them."""
    return (
        f"SELECT game.id AS game, ply, agent.name AS agent, {columns} FROM game"  # noqa: S608
        f" CROSS JOIN {made} AS made ON made.game = game.id"
        f" JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END {where}"
    )


def searches(store: Store, where: str = "") -> str:
    """Return a query for every completed depth."""
    order = "ORDER BY 1, 2, 4"
    if not store.has("iteration"):  # a file of the second format
        return f"{decisions('search', _SEARCHES, where)} {order}"
    alone = f"{where} AND {_ALONE}" if where else f"WHERE {_ALONE}"
    return f"{decisions('iteration', _SEARCHES, where)} UNION ALL {decisions('move', _SEARCHES, alone)} {order}"


def insides(store: Store, where: str = "") -> pd.DataFrame:
    """Return every completed depth that was looked into; `cutoffs` are tuples, and `minimal_nodes` may be None."""
    if not store.has("inside"):
        return pd.DataFrame(columns=["game", "ply", "agent", *_INSIDE])
    counts = f"{', '.join(_INSIDE[:-1])}, inner + leaves + table_cutoffs AS nodes"
    found = table(store, f"{decisions('inside', counts, where)} ORDER BY 1, 2, 4")
    cutoffs = [tuple(map(int, turns.split())) for turns in found["cutoffs"]]
    minimal = found["minimal_nodes"].astype(object).where(found["minimal_nodes"].notna(), None)
    return found.assign(cutoffs=pd.Series(cutoffs, dtype=object), minimal_nodes=minimal)


def games(store: Store) -> pd.DataFrame:
    """Return a row for each game."""
    found = table(
        store,
        "SELECT game.id AS game, key, one.name AS first, two.name AS second, opening, moves, result, termination,"
        " detail, started, seconds FROM game JOIN agent AS one ON one.id = first"
        " JOIN agent AS two ON two.id = second ORDER BY opening, game.first, game.second",
    )
    return found.assign(points=found["result"].map(POINTS).astype(float))


def lean(store: Store) -> pd.DataFrame:
    """Return the same without keys and times, read piece by piece, with every word that returns kept once."""
    names = np.array([name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]], dtype=object)
    cursor = store.connection.execute(_LEAN)
    pieces = []
    while rows := cursor.fetchmany(_CHUNK):
        number, first, second, opening, moves, result, termination, detail = zip(*rows, strict=True)
        pieces.append(
            pd.DataFrame(
                {
                    "game": np.array(number),
                    "one": np.array(first) - 1,
                    "two": np.array(second) - 1,
                    "opening": np.array(opening),
                    "moves": _words(moves),
                    "result": _words(map(sys.intern, result)),
                    "points": np.array([POINTS[each] for each in result]),
                    "termination": _words(map(sys.intern, termination)),
                    "detail": _words(map(sys.intern, detail)),
                }
            )
        )
    found = pd.concat(pieces, ignore_index=True)
    found = found.take(np.lexsort((found["two"], found["one"], found["opening"]))).reset_index(drop=True)
    sides = {side: pd.Series(names[found.pop(place)], dtype=object) for place, side in _SIDES.items()}
    return found.assign(**sides)


_SIDES: Final = {"one": "first", "two": "second"}


def _words(values: Iterable[str]) -> pd.Series[str]:
    """Return words as they are, without a copy of each."""
    return pd.Series(list(values), dtype=object)
