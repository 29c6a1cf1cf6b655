"""The record of a run: one SQLite file, complete up to the last finished game whenever it is killed."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from agents.board import Outcome, Rules
from agents.errors import InputError
from agents.registry import Spec
from arena.store import sqlite as database
from arena.store.machine import machine, versions
from arena.store.records import GameRecord, Job, MoveRecord
from arena.store.schema import APPLICATION_ID, RESULTS, SCHEMA, VERSION

if TYPE_CHECKING:
    from arena.statistics.sequential import Evidence  # which imports numpy


class Store:
    """One run's file. Make one with `create`, or open one with `resume` to add games or `read` to look."""

    def __init__(self, path: Path, *, write: bool) -> None:
        self.path = path
        self._lock: int | None = None
        with database.plainly(path):
            self._lock = database.lock(path) if write else None
            try:
                self.connection = database.connect(path, write=write)
            except BaseException:
                self._unlock()
                raise

    @classmethod
    def create(
        cls, path: Path, plan: Mapping[str, Any], seed: int, planned: int, agents: Sequence[tuple[str, Spec]],
        openings: Sequence[tuple[str, int | None]],
    ) -> Store:  # fmt: skip
        """Begin a run's file. `openings` are moves and, where known, value. Raises InputError and leaves no file."""
        database.claim(path)
        try:
            store = cls(path, write=True)
            try:
                store._begin(plan, seed, planned, agents, openings)
            except BaseException:
                store.close()
                raise
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return store

    def _begin(
        self, plan: Mapping[str, Any], seed: int, planned: int, agents: Sequence[tuple[str, Spec]],
        openings: Sequence[tuple[str, int | None]],
    ) -> None:  # fmt: skip
        """Store everything but games, in one transaction."""
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        with database.plainly(self.path), self.connection:
            self.connection.executescript(f"BEGIN; {marks} {SCHEMA}")
            self.connection.execute(
                "INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, ?)",
                (_text(time.time()), json.dumps(plan), seed, planned, json.dumps(versions()), json.dumps(machine())),
            )
            self.connection.executemany(
                "INSERT INTO agent (name, spec, kind, parameters) VALUES (?, ?, ?, ?)",
                [(name, spec.text, spec.kind, json.dumps(spec.resolved(), default=str)) for name, spec in agents],
            )
            self.connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)

    @classmethod
    def resume(cls, path: Path) -> Store:
        """Open a run's file to add games. Raises InputError if it is none, or another run is writing it."""
        cls.read(path).close()  # before anything is written to what may be no run
        return cls(path, write=True)

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open a run's file to look at it, also while it is being written. Raises InputError if it is none."""
        database.must_exist(path)
        store = cls(path, write=False)
        try:
            store._recognise()
        except BaseException:
            store.close()
            raise
        return store

    def _recognise(self) -> None:
        if self._one("PRAGMA application_id") != APPLICATION_ID:
            raise InputError(f"{self.path} is not the record of a run")
        found = self._one("PRAGMA user_version")
        if found != VERSION:
            raise InputError(f"{self.path} was written by another version (format {found}, this one reads {VERSION})")

    def add(self, job: Job, record: GameRecord) -> None:
        """Store a finished game with all its searches, in one transaction."""
        places = (job.first + 1, job.second + 1, job.opening + 1)
        end = (record.termination.value, record.detail, _text(record.started))
        with database.plainly(self.path), self.connection:
            game = self.connection.execute(
                "INSERT INTO game (key, first, second, opening, moves, result, termination, detail, started, seconds)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (record.key, *places, record.moves, RESULTS[record.outcome], *end, record.seconds),
            ).lastrowid
            self.connection.executemany(
                "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game, d.ply, d.column + 1, d.depth, d.nodes, d.seconds, d.score) for d in record.decisions],
            )
            self.connection.executemany(
                "INSERT OR REPLACE INTO search VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(game, d.ply, *search) for d in record.decisions for search in _searches(d)],
            )

    def select(self, query: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the names and the rows of what a query finds. Raises InputError where the file is damaged."""
        with database.plainly(self.path):
            cursor = self.connection.execute(query)
            return [column[0] for column in cursor.description], cursor.fetchall()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Let all queries in the block see the same moment of a run that is being written."""
        with database.plainly(self.path), self.connection:
            self.connection.execute("BEGIN")
            yield

    def add_evidence(self, pairs: int, evidence: Evidence | None) -> None:
        """Store what the sequential test says after so many pairs."""
        if evidence is not None:
            row = (pairs, evidence.llr, evidence.lower, evidence.upper, evidence.decision)
            with database.plainly(self.path), self.connection:
                self.connection.execute("INSERT OR REPLACE INTO sprt VALUES (?, ?, ?, ?, ?)", row)

    def outcomes(self) -> dict[str, Outcome]:
        """Return how each stored game ended, by key."""
        outcomes = {result: outcome for outcome, result in RESULTS.items()}
        return {key: outcomes[result] for key, result in self.select("SELECT key, result FROM game")[1]}

    def plan(self) -> dict[str, Any]:
        """Return what the run was asked for."""
        try:
            return dict(json.loads(self._one("SELECT plan FROM run")))
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.path}: its plan cannot be read: {error}") from error

    def rules(self) -> Rules:
        """Return the board that the run is played on. Raises InputError."""
        try:
            return Rules(**self.plan()["rules"])
        except (KeyError, TypeError):
            raise InputError(f"{self.path}: its plan does not say on what board it was played") from None

    def planned(self) -> int:
        """Return the number of games that the plan holds."""
        return int(self._one("SELECT planned FROM run"))

    def openings(self) -> list[str]:
        """Return the moves of the openings, in their order."""
        return [moves for (moves,) in self.select("SELECT moves FROM opening ORDER BY id")[1]]

    def played(self) -> set[str]:
        """Return the keys of the games that are stored."""
        return {key for (key,) in self.select("SELECT key FROM game")[1]}

    def is_audited(self) -> bool:
        """Return whether anything is stored of an audit."""
        return bool(self.select("SELECT 1 FROM sqlite_schema WHERE name = 'audit'")[1])

    def _one(self, query: str) -> Any:  # noqa: ANN401  a value of SQL
        rows = self.select(query)[1]
        if not rows:
            raise InputError(f"{self.path} is damaged: nothing found by {query}")
        return rows[0][0]

    def close(self) -> None:
        """Fold the log into the file, so that the run is this one file, and let others write."""
        if self._lock is not None:
            with suppress(sqlite3.Error):
                self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def discard(self) -> None:
        """Close and remove the file."""
        self.close()
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _searches(decision: MoveRecord) -> list[tuple[int, int, float, int | None, int]]:
    """Return depth, nodes, seconds, score and column of every completed depth; the move's own where none is told."""
    if not decision.iterations:
        return [(decision.depth, decision.nodes, decision.seconds, decision.score, decision.column + 1)]
    return [(each.depth, each.nodes, each.seconds, each.score, each.column + 1) for each in decision.iterations]


def _text(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
