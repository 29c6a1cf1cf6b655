"""A run's games, moves and searches out of its file: all of them, or of a large run what its tables need."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd

from agents.errors import InputError
from arena.statistics.played import Played
from arena.statistics.tally import Tally
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
_PACKED: Final = (
    "SELECT ((opening * :agents + first - 1) * :agents + second - 1) * 3"
    " + CASE result WHEN '1-0' THEN 2 WHEN '0-1' THEN 0 ELSE 1 END, moves FROM game"
)
_POINTS: Final = "CASE result WHEN '1-0' THEN 1.0 WHEN '0-1' THEN 0.0 ELSE 0.5 END"
FAULTS: Final = ["first", "second", "points", "termination", "detail"]
_TIMES: Final = ["position", "agent", "turn", "nodes", "seconds"]
_AUDIT: Final = [
    "game", "opening", "ply", "agent", "value", "after", "legal", "keeping", "score", "after_score", "best",
]  # fmt: skip
_DAMAGED: Final = """
    SELECT id, CASE WHEN ifnull(result, '') NOT IN ('1-0', '0-1', '1/2-1/2') THEN 'no such result' ELSE
        'its agents, its opening or its moves cannot be read' END
    FROM game WHERE ifnull(result, '') NOT IN ('1-0', '0-1', '1/2-1/2') OR typeof(moves) <> 'text'
        OR first NOT IN (SELECT id FROM agent) OR second NOT IN (SELECT id FROM agent)
        OR opening NOT IN (SELECT id FROM opening) LIMIT 1"""
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


def refuse_damaged(store: Store) -> None:
    """Raise InputError that names the first game whose result, agents, opening or moves no run can have."""
    store.rules()
    wrong = store.select(_DAMAGED)[1]
    if wrong:
        raise InputError(f"{store.path}, game {wrong[0][0]}: it is damaged: {wrong[0][1]}")


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


def audited(store: Store) -> pd.DataFrame:
    """Return every audited move."""
    if not store.is_audited():
        return pd.DataFrame(columns=_AUDIT)
    return table(
        store,
        "SELECT game, opening, ply, agent.name AS agent, value, after, legal, keeping, score, after_score, best"
        " FROM audit JOIN game ON game.id = game"
        " JOIN agent ON agent.id = CASE ply % 2 WHEN 0 THEN first ELSE second END ORDER BY game, ply",
    )


def timed(store: Store) -> pd.DataFrame:
    """Return every search by turns."""
    if not store.has("timing"):
        return pd.DataFrame(columns=_TIMES)
    return table(
        store,
        "SELECT position, agent.name AS agent, turn, nodes, seconds FROM timing"
        " JOIN agent ON agent.id = agent ORDER BY position, turn, agent.id",
    )


def games(store: Store, where: str = "") -> pd.DataFrame:
    """Return a row for each game."""
    found = table(
        store,
        "SELECT game.id AS game, key, one.name AS first, two.name AS second, opening, moves, result, termination,"  # noqa: S608
        " detail, started, seconds FROM game JOIN agent AS one ON one.id = first"
        f" JOIN agent AS two ON two.id = second {where} ORDER BY opening, game.first, game.second",
    )
    return found.assign(points=found["result"].map(POINTS).astype(float))


def summed(store: Store) -> Played:
    """Return the sums of all games, read piece by piece."""
    boards, agents = (
        sorted(store.select(query)[1], key=lambda row: str(row[1]))
        for query in ("SELECT id, id FROM opening", "SELECT id, name FROM agent")
    )
    tally = Tally(len(agents), len(boards), store.value("SELECT count(*) FROM game"), once=True)
    board, place = (np.zeros(max((row[0] for row in rows), default=0) + 1, np.int32) for rows in (boards, agents))
    for places, rows in ((board, boards), (place, agents)):
        places[[number for number, _ in rows]] = np.arange(len(rows))
    cursor = store.connection.execute(_PACKED, {"agents": len(agents)})
    while rows := cursor.fetchmany(_CHUNK):
        numbers, texts = zip(*rows, strict=True)
        packed = np.array(numbers)
        pair = packed // 3
        first, second = place[pair // len(agents) % len(agents) + 1], place[pair % len(agents) + 1]
        moves = np.fromiter(map(hash, texts), np.int64, count=len(texts))
        tally.add(first, second, board[pair // len(agents) ** 2], packed % 3, moves)
    return Played.summed([name for _, name in agents], [number for number, _ in boards], tally)


def faults(store: Store) -> pd.DataFrame:
    """Return the games that a fault ended, those that did so in the same way in one row: FAULTS, and games."""
    return table(
        store,
        f"SELECT one.name AS first, two.name AS second, {_POINTS} AS points, termination, detail, count(*) AS games"  # noqa: S608
        " FROM game JOIN agent AS one ON one.id = first JOIN agent AS two ON two.id = second"
        " WHERE termination NOT IN ('line completed', 'board full') GROUP BY 1, 2, 3, 4, 5"
        " ORDER BY min((opening * (SELECT count(*) FROM agent) + game.first) * (SELECT count(*) FROM agent)"
        " + game.second)",
    )
