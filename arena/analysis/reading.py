"""A run's games, moves and searches out of its file: all of them, or of a large run what its tables need."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from arena.store.store import Store

LARGE: Final = 20_000
"""Games. Of a run that has more the moves and searches of about so many are read."""
POINTS: Final = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
MOVES: Final = "column, depth, nodes, made.seconds AS seconds, score"
_SEARCHES: Final = "depth, nodes, made.seconds AS seconds, score, column"
_INSIDE: Final = [
    "depth", "inner", "leaves", "table_cutoffs", "cutoffs", "probes", "hits", "minimal_nodes", "nodes",
]  # fmt: skip
_LEAN: Final = (
    "SELECT id, ((opening * :agents + first - 1) * :agents + second - 1) * 3"
    " + CASE result WHEN '1-0' THEN 2 WHEN '0-1' THEN 0 ELSE 1 END, moves FROM game"
)
_FAULT: Final = "termination NOT IN ('line completed', 'board full')"
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
    """Return the same with a number for the moves, without keys, results and times, read piece by piece.

    Moves that are alike have the same number. Faults are read apart, since there are few.
    """
    names = np.array([name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]], dtype=object)
    cursor = store.connection.execute(_LEAN, {"agents": len(names)})
    pieces = []
    while rows := cursor.fetchmany(_CHUNK):
        numbers, codes, texts = zip(*rows, strict=True)
        pieces.append((np.array(numbers), np.array(codes), np.fromiter(map(hash, texts), np.int64, count=len(rows))))
    number, packed, moves = map(np.concatenate, zip(*pieces, strict=True))
    order = np.argsort(packed)
    pair, halves = np.divmod(packed[order], 3)
    (opening, first), second = np.divmod(pair // len(names), len(names)), pair % len(names)
    found = {"game": number[order], "opening": opening, "moves": moves[order], "points": halves / 2.0}
    sides = {"first": pd.Series(names[first], dtype=object), "second": pd.Series(names[second], dtype=object)}
    return pd.DataFrame(found).assign(**sides, **_ends(store, found["game"]))


def _ends(store: Store, games: npt.NDArray[np.int64]) -> dict[str, pd.Series[str]]:
    """Return how each game ended; all without a fault are said to have completed a line."""
    ends = {
        "termination": np.full(len(games), "line completed", dtype=object),
        "detail": np.full(len(games), "", object),
    }
    faults = table(store, f"SELECT id, termination, detail FROM game WHERE {_FAULT}").set_index("id")  # noqa: S608
    places = np.flatnonzero(np.isin(games, faults.index))
    for name, values in ends.items():
        values[places] = faults.loc[games[places], name].to_numpy()
    return {name: pd.Series(values, dtype=object) for name, values in ends.items()}
