"""The record of a run: one SQLite file, complete up to the last finished game whenever it is killed."""

from __future__ import annotations

import itertools
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Outcome, Rules
from agents.errors import InputError
from agents.registry import Spec
from arena.store.agents import Kept, add_agents, migrate, stored_spec
from arena.store.games import insert
from arena.store.lock import Lock
from arena.store.machine import machine, versions
from arena.store.records import GameRecord, Job
from arena.store.schema import APPLICATION_ID, READABLE, RESULTS, SCHEMA, SESSIONS, VERSION, plan_of
from arena.store.sqlite import Database, claim, claim_new, must_exist, plainly

if TYPE_CHECKING:
    from arena.statistics.sequential import Evidence  # which imports numpy


class Store(Database):
    """One run's file. Make one with `create`, or open one with `resume` to add games or `read` to look."""

    def __init__(self, path: Path, lock: Lock | None = None) -> None:
        super().__init__(path, lock)
        self._reserved: dict[str, int] = {}
        """The numbers of games that are not stored yet, by key."""
        self._free: Iterator[int] | None = None

    @classmethod
    def create(
        cls, path: Path | None, plan: Mapping[str, Any], seed: int, planned: int, agents: Sequence[Kept],
        openings: Sequence[tuple[str, int | None]], command: str = "",
    ) -> Store:  # fmt: skip
        """Begin a run's file, in `results/` where no path is given, named after the time.

        `openings` are moves and, where known, value; `command` is what was typed. Raises InputError and leaves no file.
        """
        lock = claim_new() if path is None else claim(path)
        store = cls(lock.path, lock)
        try:
            store.use_log()
            store._begin(plan, seed, planned, agents, openings, command)
        except BaseException:
            store.discard()
            raise
        return store

    def _begin(
        self, plan: Mapping[str, Any], seed: int, planned: int, agents: Sequence[Kept],
        openings: Sequence[tuple[str, int | None]], command: str,
    ) -> None:  # fmt: skip
        """Store everything but games, in one transaction."""
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        with plainly(self.path), self.connection:
            self.connection.executescript(f"BEGIN; {marks} {SCHEMA}")
            self.connection.execute(
                "INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
                (
                    _iso(time.time()), json.dumps(plan), seed, planned, json.dumps(versions()), json.dumps(machine()),
                    command,
                ),
            )  # fmt: skip
            add_agents(self.connection, agents)
            self.connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)
            for statement in SESSIONS:
                self.connection.execute(statement)

    @classmethod
    def resume(cls, path: Path) -> Store:
        """Open a run's file to add games. Raises InputError if it is none, or another run is writing it."""
        must_exist(path)
        store = cls(path, Lock(path))
        try:
            version = store._format()  # before anything is written to what may be no run
            store.use_log()
            with plainly(path):
                if version < VERSION:
                    migrate(store.connection)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open a run's file to look at it, also while it is being written. Raises InputError if it is none.

        A file of version 1 is left as it is: what is looked at is a copy in memory. One of version 2 is read as it is.
        """
        must_exist(path)
        store = cls(path)
        try:
            store.recover()
            if store._format() < READABLE:
                store._leave_for_a_copy()
        except BaseException:
            store.close()
            raise
        return store

    def _format(self) -> int:
        """Return the version of the file's format. Raises InputError where it cannot be read here."""
        if self.value("PRAGMA application_id") != APPLICATION_ID:
            empty = not self.value("SELECT count(*) FROM sqlite_schema")
            nothing = f": nothing was stored in it; --out {self.path} begins a run there" if empty else ""
            raise InputError(f"{self.path} is not the record of a run{nothing}")
        found = int(self.value("PRAGMA user_version"))
        if not 1 <= found <= VERSION:
            raise InputError(
                f"{self.path} was written by another version (format {found}, this one reads 1 to {VERSION})"
            )
        return found

    def _leave_for_a_copy(self) -> None:
        copy = sqlite3.connect(":memory:")
        with plainly(self.path):
            self.connection.backup(copy)
            self.connection.close()
            self.connection = copy
            migrate(copy, READABLE)

    def add(self, *games: tuple[Job, GameRecord]) -> None:
        """Store finished games with all their searches, in one transaction."""
        if games:
            with plainly(self.path), self.connection:
                further = itertools.count(self.last() + 1)
                numbers = [self._reserved.get(job.key) or next(further) for job, _ in games]
                insert(self.connection, games, numbers)

    def reserve(self, jobs: Iterable[Job]) -> None:
        """Give games that are not stored the lowest free numbers in their order, whichever of them is stored first.

        A plan's games so have the same numbers however many processes play them, and wherever it was interrupted.
        """
        if self._free is None:
            tables = ["game", *(["superseded"] if self.has("superseded") else [])]
            taken = {number for table in tables for (number,) in self.select(f"SELECT id FROM {table}")[1]}  # noqa: S608
            self._free = (number for number in itertools.count(1) if number not in taken)
        for job in jobs:
            self._reserved[job.key] = next(self._free)

    def last(self) -> int:
        """Return the highest number of a game, 0 where none is stored."""
        tables = ["game", *(["superseded"] if self.has("superseded") else [])]
        return max(int(self.value(f"SELECT coalesce(max(id), 0) FROM {table}")) for table in tables)  # noqa: S608

    def add_evidence(self, found: Sequence[tuple[int, Evidence]]) -> None:
        """Store what the sequential test says after so many pairs, where that is not stored yet."""
        known = int(self.value("SELECT coalesce(max(pairs), 0) FROM sprt")) if found else 0
        rows = [(pairs, each.llr, each.lower, each.upper, each.decision) for pairs, each in found if pairs > known]
        if rows:
            with plainly(self.path), self.connection:
                self.connection.executemany("INSERT INTO sprt VALUES (?, ?, ?, ?, ?)", rows)

    def outcomes(self) -> dict[str, Outcome]:
        """Return how each stored game ended, by key."""
        outcomes = {result: outcome for outcome, result in RESULTS.items()}
        return {key: outcomes[result] for key, result in self.select("SELECT key, result FROM game")[1]}

    def plan(self) -> dict[str, Any]:
        """Return what the run was asked for."""
        text = self.value("SELECT plan FROM run")
        try:
            return plan_of(text)
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
        return int(self.value("SELECT planned FROM run"))

    def agents(self) -> list[tuple[Spec, bool]]:
        """Return the agents in their order, with their parameters when the run began, and whether each is a stranger.

        Those of a stranger all stand in its text, where they keep the types that they lose here.
        """
        rows = self.select("SELECT spec, kind, parameters, stranger FROM agent ORDER BY id")[1]
        return [(stored_spec(*row), bool(stranger)) for *row, stranger in rows]

    def openings(self) -> list[str]:
        """Return the moves of the openings, in their order."""
        return [moves for (moves,) in self.select("SELECT moves FROM opening ORDER BY id")[1]]

    def played(self) -> set[str]:
        """Return the keys of the games that are stored."""
        return {key for (key,) in self.select("SELECT key FROM game")[1]}

    def is_audited(self) -> bool:
        """Return whether anything is stored of an audit."""
        return self.has("audit")


def _iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds")
