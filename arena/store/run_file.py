"""The record of a run: one SQLite file, which is complete up to the last finished game even if the run is killed.

It stores everything that tables show of an agent, so that they never read specs or files again. Readers check stored
games: the moves must be legal and lead to the result.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Outcome, Rules
from agents.errors import InputError
from agents.specs.kinds import KINDS
from agents.specs.registry import Spec
from arena.records import GameRecord, Job
from arena.store.connection import Database, Lock, as_input_error, claim, claim_new, must_exist
from arena.store.digests import PARTS, seal
from arena.store.machine import machine, now, versions
from arena.store.schema import (
    APPLICATION_ID,
    DIGEST,
    EXTRA,
    RESULTS,
    ROUND_ADDITION,
    SCHEMA,
    SESSIONS,
    UNSEALED,
    VERSION,
    plan_of,
)
from arena.store.sources import digest

if TYPE_CHECKING:
    from arena.statistics.sprt import Evidence


_GAME = (
    "INSERT INTO game (id, first, second, opening, moves, result, termination, detail, moment, nanoseconds, round)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_MOVE = "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?, ?)"
_ITERATION = "INSERT OR REPLACE INTO iteration VALUES (?, ?, ?, ?, ?, ?, ?)"


def insert(connection: sqlite3.Connection, records: Iterable[GameRecord], numbers: Iterable[int]) -> None:
    """Insert finished games with these numbers, within the caller's transaction."""
    for game, record in zip(numbers, records, strict=True):
        job = record.job
        connection.execute(
            _GAME,
            (
                game, job.first + 1, job.second + 1, job.opening + 1, record.moves, RESULTS[record.outcome],
                str(record.termination), record.detail, round(record.started * 1000), _nanoseconds(record.seconds),
                job.round,
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
            (
                game,
                decision.ply,
                iteration.column + 1,
                iteration.depth,
                iteration.nodes,
                _nanoseconds(iteration.seconds),
                iteration.score,
            )
            for decision in record.decisions
            for iteration in decision.iterations
        ]
        if depths:
            connection.executemany(_ITERATION, depths)
        extras = [(game, decision.ply, decision.extra) for decision in record.decisions if decision.extra]
        if (fault := record.fault) is not None:
            report = fault.ply, fault.position, fault.traceback, fault.output
            connection.execute("INSERT INTO fault VALUES (?, ?, ?, ?, ?)", (game, *report))
            extras += [(game, fault.ply, fault.extra)] if fault.extra else []
        if extras:
            connection.execute(EXTRA)
            connection.executemany("INSERT INTO extra VALUES (?, ?, ?)", extras)


def _nanoseconds(seconds: float) -> int:
    return round(seconds * 1e9)


@dataclass(frozen=True, slots=True)
class NewAgent:
    """An agent to store."""

    name: str
    spec: Spec
    stranger: bool = False
    """Whether it is a process agent, so that its nodes and scores are unchecked claims."""
    author: str | None = None
    """None to take the author from the agent's kind."""
    digest: str | None = None
    """The digest of an object's source; None to compute it from the agent's files."""


def add_agents(connection: sqlite3.Connection, agents: Iterable[NewAgent]) -> None:
    """Store agents. Raises InputError if one of their files cannot be read."""
    connection.executemany(
        "INSERT INTO agent (name, spec, kind, parameters, deterministic, stranger, author, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                agent.name,
                agent.spec.text,
                agent.spec.kind,
                json.dumps(agent.spec.resolved(), default=str),
                agent.spec.deterministic,
                agent.stranger,
                agent.author or _author(agent.spec),
                agent.digest or digest(agent.spec),
            )
            for agent in agents
        ],
    )


def _author(spec: Spec) -> str | None:
    kind = KINDS.get(spec.kind)
    return kind.source or None if kind else None


def stored_spec(text: str, kind: str, parameters: str) -> Spec:
    """Return the stored spec of an agent, with its parameters at that time even if defaults have changed since.

    Left out are those parameters that only version 0.2.0 gave to language models, where they change no move.
    """
    values = {key.replace("-", "_"): value for key, value in json.loads(parameters).items()}
    if kind == "llm":
        unused = {"parallel", "price"} | ({"disguise"} if not values.get("disguise") else set())
        values = {key: value for key, value in values.items() if key not in unused}
    return Spec(text, kind, values)


class Store(Database):
    """One run's file. Make it with `create`; open it with `resume` to add games, or with `read` to read it."""

    def __init__(self, path: Path, lock: Lock | None = None) -> None:
        super().__init__(path, lock)
        self._reserved: dict[Job, int] = {}
        """The numbers reserved for games that are not stored yet."""
        self._free: Iterator[int] | None = None

    @classmethod
    def create(
        cls, path: Path | None, plan: Mapping[str, Any], seed: int, planned: int, agents: Sequence[NewAgent],
        openings: Sequence[tuple[str, int | None]], command: str = "",
    ) -> Store:  # fmt: skip
        """Make a run's file. Raises InputError and leaves no file behind.

        path: None for a file in `results/` with a name from the time. plan, seed, planned: the plan, its seed, and its
        number of games. agents: in the order of the plan. openings: moves and, if known, value. command: the command
        line.
        """
        lock = claim_new() if path is None else claim(path)
        store = cls(lock.path, lock)
        try:
            store.use_log()
            with as_input_error(store.path), store.connection as connection:
                marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
                connection.executescript(f"BEGIN; {marks} {SCHEMA}")
                made_with = json.dumps(versions()), json.dumps(machine())
                connection.execute(
                    "INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, ?, ?)",
                    (now(), json.dumps(plan), seed, planned, *made_with, command),
                )
                add_agents(connection, agents)
                connection.executemany("INSERT INTO opening (moves, value) VALUES (?, ?)", openings)
                for statement in SESSIONS:
                    connection.execute(statement)
                for part in PARTS:
                    seal(connection, part)
        except BaseException:
            store.discard()
            raise
        return store

    @classmethod
    def resume(cls, path: Path) -> Store:
        """Open a run's file to add games. Raises InputError if it is no run, or another run is writing it."""
        must_exist(path)
        store = cls(path, Lock(path))
        try:
            store._refuse_unreadable()  # before writing: the file may be no run
            store.use_log()
            store._update()
        except BaseException:
            store.close()
            raise
        return store

    def _update(self) -> None:
        """Add the column `round`, sessions and digests to a file of an earlier version."""
        if self.value("PRAGMA user_version") == VERSION:
            return
        with self.transaction() as connection:
            if not self.has_column("game", "round"):
                connection.execute(ROUND_ADDITION)
            for statement in (*SESSIONS, DIGEST):
                connection.execute(statement)
            for part in PARTS:
                seal(connection, part)
            connection.execute(f"PRAGMA user_version = {VERSION}")

    @classmethod
    def read(cls, path: Path) -> Store:
        """Open a run's file to read it, also while it is being written. Raises InputError if it is no run."""
        must_exist(path)
        store = cls(path)
        try:
            store.recover()
            store._refuse_unreadable()
            store._hide_dropped()
        except BaseException:
            store.close()
            raise
        return store

    def _hide_dropped(self) -> None:
        """Hide the games of agents that version 0.2.0 `dropped` from the plan; the file keeps them."""
        dropped = "SELECT value FROM run, json_each(CASE WHEN json_valid(plan) THEN plan END, '$.dropped')"
        if self.rows(dropped):
            theirs = f"(SELECT id FROM agent WHERE name IN ({dropped}))"
            view = f"SELECT * FROM main.game WHERE first NOT IN {theirs} AND second NOT IN {theirs}"
            self.connection.execute(f"CREATE TEMP VIEW game AS {view}")

    def _refuse_unreadable(self) -> None:
        """Raise InputError if the file is no run, is cut off, or has the format of another version."""
        if self.value("PRAGMA application_id") != APPLICATION_ID:
            empty = not self.value("SELECT count(*) FROM sqlite_schema")
            nothing = f": nothing was stored in it; --out {self.path} begins a run there" if empty else ""
            raise InputError(f"{self.path} is not the record of a run{nothing}")
        if self.path.stat().st_size % int(self.value("PRAGMA page_size")):  # SQLite would fill its last page with zeros
            raise InputError(f"{self.path} is damaged: its end is cut off")
        number = int(self.value("PRAGMA user_version"))
        if 1 <= number < UNSEALED:
            raise InputError(
                f"{self.path} is a run of format {number}, which an early version wrote: version 0.2.0 reads it, and "
                "arena run --resume there brings it up to date"
            )
        if number not in {UNSEALED, VERSION}:
            raise InputError(f"{self.path} was written by another version (format {number}, this one reads {VERSION})")

    def add(self, *records: GameRecord) -> None:
        """Store finished games with their moves and searches, in one transaction."""
        if records:
            with as_input_error(self.path), self.connection:
                further = itertools.count(self.last() + 1)
                numbers = [self._reserved.get(record.job) or next(further) for record in records]
                insert(self.connection, records, numbers)
                seal(self.connection, "game", numbers)

    def reserve(self, jobs: Iterable[Job]) -> None:
        """Reserve the lowest free numbers for games that are not stored yet, in the order of the jobs.

        So a plan's games have the same numbers for any number of processes and any interruption.
        """
        if self._free is None:
            taken = {number for (number,) in self.rows("SELECT id FROM game")}
            self._free = (number for number in itertools.count(1) if number not in taken)
        for job in jobs:
            self._reserved[job] = next(self._free)

    def last(self) -> int:
        """Return the highest number of a game, 0 without games."""
        return int(self.value("SELECT coalesce(max(id), 0) FROM game"))

    def add_evidence(self, evidence: Sequence[tuple[int, Evidence]]) -> None:
        """Store the evidence of the sequential test by number of pairs, unless it is stored already."""
        stored = int(self.value("SELECT coalesce(max(pairs), 0) FROM sprt")) if evidence else 0
        rows = [
            (pairs, state.llr, state.lower, state.upper, state.decision) for pairs, state in evidence if pairs > stored
        ]
        if rows:
            with as_input_error(self.path), self.connection:
                self.connection.executemany("INSERT INTO sprt VALUES (?, ?, ?, ?, ?)", rows)
                seal(self.connection, "sprt", [pairs for pairs, *_ in rows])

    def outcomes(self) -> dict[Job, Outcome]:
        """Return the outcome of each stored game."""
        outcomes = {result: outcome for outcome, result in RESULTS.items()}
        rows = self.rows("SELECT first - 1, second - 1, opening - 1, result FROM game")
        return {Job(first, second, opening): outcomes[result] for first, second, opening, result in rows}

    def plan(self) -> dict[str, Any]:
        """Return the plan of the run."""
        text = self.value("SELECT plan FROM run")
        try:
            return plan_of(text)
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.path}: its plan cannot be read: {error}") from error

    def rules(self) -> Rules:
        """Return the rules of the run. Raises InputError."""
        plan = self.plan()
        try:
            return Rules(**plan["rules"])
        except (KeyError, TypeError):
            raise InputError(f"{self.path}: its plan does not say on what board it was played") from None
        except InputError as error:
            raise InputError(f"{self.path}: its plan cannot be read: {error}") from None

    def planned(self) -> int:
        """Return the number of games of the plan, without those that are hidden."""
        hidden = "(SELECT count(*) FROM main.game) - (SELECT count(*) FROM game)"
        return int(self.value(f"SELECT planned - ({hidden}) FROM run"))

    def agents(self) -> list[tuple[Spec, bool]]:
        """Return the agents in order, with their parameters from the start of the run, and if they are process agents.

        For the parameters of a process agent read its text: JSON does not keep all their types.
        """
        rows = self.rows("SELECT spec, kind, parameters, stranger FROM agent ORDER BY id")
        return [(stored_spec(*row), bool(stranger)) for *row, stranger in rows]

    def names(self) -> list[str]:
        """Return the names of the agents in order."""
        return [name for (name,) in self.rows("SELECT name FROM agent ORDER BY id")]

    def name_of(self, text: str) -> str:
        """Return the name of the agent that a text refers to.

        That is its name, its spec, the first word of an engine's name, or else what only one agent's name or spec
        begins with, after folders and from any `:` on: `bot.py` or `Minimax` for `hw/bot.py:Minimax:depth=2`. A text
        that refers to no agent or to several is returned unchanged.
        """
        agents = [(name, spec, name.lower().split(" ")[0]) for name, spec in self.rows("SELECT name, spec FROM agent")]
        for place, word in ((0, text), (1, text), (2, text.lower())):
            names = [agent[0] for agent in agents if agent[place] == word and (place < 2 or " " in agent[0])]
            if len(names) == 1:
                return str(names[0])
        fitting = [str(name) for name, spec, _ in agents if text and any(fits(label, text) for label in (name, spec))]
        return fitting[0] if len(fitting) == 1 else text

    def count_games(self) -> int:
        """Return the number of stored games."""
        return int(self.value("SELECT count(*) FROM game"))

    def set_planned(self, games: int) -> None:
        """Store the number of games of the plan, in place of an estimate."""
        if games != self.planned():
            with self.transaction() as connection:
                connection.execute("UPDATE run SET planned = ?", (games,))
                seal(connection, "run")

    def is_decided(self) -> bool:
        """Return whether a sequential test has ended the run."""
        return bool(self.value("SELECT count(*) FROM sprt WHERE decision != 'continue'"))

    def openings(self) -> list[str]:
        """Return the moves of the openings in order."""
        return [moves for (moves,) in self.rows("SELECT moves FROM opening ORDER BY id")]

    def played(self) -> set[Job]:
        """Return the jobs of the stored games."""
        return {Job(*row) for row in self.rows("SELECT first - 1, second - 1, opening - 1 FROM game")}

    def is_audited(self) -> bool:
        """Return whether the run has an audit."""
        return self.has("audit")


def fits(name: str, text: str) -> bool:
    """Return whether an agent's name, or what follows one of its folders or colons, begins with the text."""
    return any(name.startswith(text, place) for place in (0, *(n + 1 for n, sign in enumerate(name) if sign in "/:")))
