"""Finished games into a run's file: the game, its moves, and the depths that each of their searches completed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import astuple

from arena.store.records import GameRecord, Job
from arena.store.schema import RESULTS

_GAME = (
    "INSERT INTO game (id, first, second, opening, moves, result, termination, detail, moment, nanoseconds)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_MOVE = "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?)"
_ITERATION = "INSERT OR REPLACE INTO iteration VALUES (?, ?, ?, ?, ?, ?, ?)"


def insert(connection: sqlite3.Connection, games: Iterable[tuple[Job, GameRecord]], numbers: Iterable[int]) -> None:
    """Insert finished games under these numbers; the caller has begun a transaction."""
    for game, (job, record) in zip(numbers, games, strict=True):
        connection.execute(
            _GAME,
            (
                game, job.first + 1, job.second + 1, job.opening + 1, record.moves, RESULTS[record.outcome],
                str(record.termination), record.detail, round(record.started * 1000), _nanoseconds(record.seconds),
            ),
        )  # fmt: skip
        connection.executemany(
            _MOVE,
            [
                (game, ply, column + 1, depth, nodes, _nanoseconds(seconds), score)
                for ply, column, seconds, score, depth, nodes, *_ in record.decisions
            ],
        )
        depths = [
            (game, decision.ply, each.column + 1, each.depth, each.nodes, _nanoseconds(each.seconds), each.score)
            for decision in record.decisions
            for each in decision.iterations
        ]
        if depths:
            connection.executemany(_ITERATION, depths)
        if record.fault is not None:
            connection.execute("INSERT INTO fault VALUES (?, ?, ?, ?, ?)", (game, *astuple(record.fault)))


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e9)
