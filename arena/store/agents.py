"""An agent as a run keeps it: all that tables ask of it, so that none of them needs its spec or its files again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from agents.registry import KINDS, Spec
from arena.store.schema import MIGRATIONS, VERSION
from arena.store.sources import digest


@dataclass(frozen=True, slots=True)
class Kept:
    """An agent of a new run, as it is to be kept."""

    name: str
    spec: Spec
    stranger: bool = False
    """Whether its nodes and scores are its own claims."""
    author: str | None = None
    """Where the agent itself does not say."""


def add_agents(connection: sqlite3.Connection, agents: Iterable[Kept]) -> None:
    """Store the agents of a new run. Raises InputError where a file of theirs cannot be read."""
    connection.executemany(
        "INSERT INTO agent (name, spec, kind, parameters, deterministic, stranger, author, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                each.name,
                each.spec.text,
                each.spec.kind,
                json.dumps(each.spec.resolved(), default=str),
                each.spec.deterministic,
                each.stranger,
                each.author or _author(each.spec),
                digest(each.spec),
            )
            for each in agents
        ],
    )


def migrate(connection: sqlite3.Connection, to: int = VERSION) -> None:
    """Bring a file of an earlier version to this one, or to one between, in one transaction.

    What the files of a first version's agents were is not known any more.
    """
    connection.execute("PRAGMA foreign_keys = OFF")  # tables that others refer to are replaced
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        [(version,)] = connection.execute("PRAGMA user_version").fetchall()
        for number in range(version, to):
            for statement in MIGRATIONS[number].split(";"):
                connection.execute(statement)
        if version == 1:
            _describe(connection)
    connection.execute("PRAGMA foreign_keys = ON")


def _describe(connection: sqlite3.Connection) -> None:
    """Fill what the first version did not say of agents."""
    stored = connection.execute("SELECT id, spec, kind, parameters FROM agent").fetchall()
    connection.executemany(
        "UPDATE agent SET deterministic = ?, stranger = ?, author = ? WHERE id = ?",
        [
            (spec.deterministic, spec.kind not in KINDS, _author(spec), number)
            for number, spec in ((number, stored_spec(*columns)) for number, *columns in stored)
        ],
    )


def _author(spec: Spec) -> str | None:
    known = KINDS.get(spec.kind)
    return known.source or None if known else None


def stored_spec(text: str, kind: str, parameters: str) -> Spec:
    """Return the agent as it was stored: with the parameters it had then, whatever the defaults are today."""
    return Spec(text, kind, {key.replace("-", "_"): value for key, value in json.loads(parameters).items()})
