"""An agent as a run keeps it: all that tables ask of it, so that none of them needs its spec or its files again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from agents.registry import KINDS, Spec
from arena.store.schema import MIGRATION
from arena.store.sources import digest


def add_agents(connection: sqlite3.Connection, agents: Iterable[tuple[str, Spec]]) -> None:
    """Store the agents of a new run. Raises InputError where a file of theirs cannot be read."""
    connection.executemany(
        "INSERT INTO agent (name, spec, kind, parameters, deterministic, stranger, author, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (name, spec.text, spec.kind, json.dumps(spec.resolved(), default=str), *_nature(spec), digest(spec))
            for name, spec in agents
        ],
    )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file of version 1 to this one, in one transaction; what its agents' files were is not known any more."""
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        for statement in MIGRATION.split(";"):
            connection.execute(statement)
        stored = connection.execute("SELECT id, spec, kind, parameters FROM agent").fetchall()
        connection.executemany(
            "UPDATE agent SET deterministic = ?, stranger = ?, author = ? WHERE id = ?",
            [(*_nature(stored_spec(*columns)), number) for number, *columns in stored],
        )


def _nature(spec: Spec) -> tuple[bool, bool, str | None]:
    """Return whether an agent is deterministic, whether it is a stranger, and its author."""
    known = KINDS.get(spec.kind)
    return spec.deterministic, known is None, known.source or None if known else None


def stored_spec(text: str, kind: str, parameters: str) -> Spec:
    """Return the agent as it was stored: with the parameters it had then, whatever the defaults are today."""
    return Spec(text, kind, {key.replace("-", "_"): value for key, value in json.loads(parameters).items()})
