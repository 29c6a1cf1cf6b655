"""A run's games, moves and searches out of its file: all of them, or of a large run what its tables need."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from arena.store.sqlite import plainly
from arena.store.store import Store

LARGE: Final = 20_000
"""Games. Of a run that has more, moves and searches are read of about SAMPLE of them."""
SAMPLE: Final = 10_000
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
_CHUNK: Final = 10_000
_ALONE: Final = "NOT EXISTS (SELECT * FROM iteration AS one WHERE (one.game, one.ply) = (made.game, made.ply))"


def table(store: Store, query: str) -> pd.DataFrame:
    """Return what a query finds."""
    with plainly(store.path):
        cursor = store.connection.execute(query)
        names = [column[0] for column in cursor.description]
        columns: list[list[Any]] = [[] for _ in names]
        same: dict[Any, Any] = {}
        while rows := cursor.fetchmany(_CHUNK):
            for column, values in zip(columns, zip(*rows, strict=True), strict=True):
                words = isinstance(values[0], str)
                column.extend([same.setdefault(value, value) for value in values] if words else values)
    return pd.DataFrame({name: _series(columns.pop(0)) for name in names})


def _series(values: list[Any]) -> pd.Series:
    """Return a column; numpy takes a list of nothing but numbers several times as fast as pandas does."""
    if values and isinstance(values[0], int | float):
        numbers = np.asarray(values)
        if numbers.dtype in (np.int64, np.float64):
            return pd.Series(numbers)
    return pd.Series(values)


def is_large(store: Store) -> bool:
    """Return whether it takes long to read all of a run; what is audited, or played in stages, is read whole."""
    listed = store.plan().get("format") in ("round-robin", "gauntlet", None)
    return listed and not store.is_audited() and bool(store.value("SELECT count(*) FROM game") > LARGE)


def sampled(store: Store) -> str:
    """Return a condition that about SAMPLE games meet, drawn by their numbers as if by chance."""
    share = SAMPLE / store.value("SELECT count(*) FROM game")
    return f"game.id * 2654435761 % 4294967296 < {int(share * 2**32)}"


def decisions(made: str, columns: str, where: str = "") -> str:
    """Return a query for moves, searches or iterations, with who made them."""
    return (
        f"SELECT game.id AS game, ply, agent.name AS agent, {columns} FROM game"  # noqa: S608
        f" CROSS JOIN {made} AS made ON made.game = game.id"
        f" JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END {where}"
    )


def searches(store: Store, where: str = "") -> str:
    """Return a query for every completed depth and, without a condition, for moves that tell of none."""
    order, where = "ORDER BY 1, 2, 4", where and f"{where} AND depth > 0"
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

    Moves that are alike have the same number. Words are categories, a byte or two each. Faults are read apart, since
    there are few.
    """
    names = [name for (name,) in store.select("SELECT name FROM agent ORDER BY id")[1]]
    games = store.value("SELECT count(*) FROM game")
    numbers, packed, moves = (np.empty(games, dtype=np.int64) for _ in range(3))
    cursor, end = store.connection.execute(_LEAN, {"agents": len(names)}), 0
    while rows := cursor.fetchmany(_CHUNK):
        piece = slice(end, end := end + len(rows))
        numbers[piece], packed[piece], texts = zip(*rows, strict=True)
        moves[piece] = np.fromiter(map(hash, texts), np.int64, count=len(rows))
    order = np.argsort(packed)
    for column in (numbers, packed, moves):
        column[:] = column[order]
    found = {"game": numbers, "moves": moves, "points": packed % 3 / 2.0}
    packed //= 3
    sides = {
        side: pd.Categorical.from_codes(packed // step % len(names), names)
        for side, step in (("second", 1), ("first", len(names)))
    }
    packed //= len(names) ** 2
    return pd.DataFrame(found | {"opening": packed.astype(np.int32)} | sides | _ends(store, found["game"]), copy=False)


def _ends(store: Store, games: npt.NDArray[np.int64]) -> dict[str, pd.Categorical]:
    """Return how each game ended; all without a fault are said to have completed a line."""
    faults = table(store, f"SELECT id, termination, detail FROM game WHERE {_FAULT}").set_index("id")  # noqa: S608
    places = np.flatnonzero(np.isin(games, faults.index))
    found = {}
    for name, usual in (("termination", "line completed"), ("detail", "")):
        words = faults.loc[games[places], name].to_numpy(dtype=object)
        kinds = list(dict.fromkeys([usual, *words]))
        codes = np.zeros(len(games), dtype=np.int32 if len(kinds) > 100 else np.int8)
        codes[places] = [kinds.index(word) for word in words]
        found[name] = pd.Categorical.from_codes(codes, kinds)
    return found
