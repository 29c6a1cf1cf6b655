"""Whatever is written to a run's file is there for who opens the file anew, as after a kill: no commit is missing."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from agents.specs.registry import parse
from arena.records import FaultRecord, Job
from arena.statistics.sprt import Evidence
from arena.store import extend, findings
from arena.store.digests import changed
from arena.store.machine import Load, add_loads, begin_session, watched
from arena.store.run_file import NewAgent, Store

from .created import created, record

AGAIN = NewAgent("minimax", parse("minimax"), digest="d3")
FAILED = replace(record(Job(1, 0, 1)), fault=FaultRecord(4, "4443", "a line", "printed", '{"a": 1}'))


def times(store):
    with watched(store, "times"):
        findings.set_times(store, [("44", agent, 0, 5 * agent - 5, 0.5) for agent in (1, 2)])


WRITES = {
    "games": lambda store: store.add(record(Job(0, 1, 1)), FAILED),
    "evidence": lambda store: store.add_evidence([(1, Evidence(0.5, -2.9, 2.9, "continue"))]),
    "planned": lambda store: store.set_planned(9),
    "the table of audits": findings.begin_audit,
    "audit": lambda store: findings.add_audit(store, [(game, 0, 1, 0, 7, 2, "1 2") for game in (1, 2)]),
    "times": times,
    "choices": lambda store: findings.set_choices(store, [(game, 0, 1, 4, 0) for game in (1, 2)]),
    "a session": lambda store: begin_session(store, "again"),
    "loads": lambda store: add_loads(store, [("b", "games", Load(0.5, 2))]),
    "deleted": lambda store: extend.delete_games(store, [Job(0, 1, 0)]),
    "growth": lambda store: extend.grow(
        store, {"agents": [], "seed": 3}, 12, "more", [AGAIN], [("33", None)], {0: ("object:a:B", "{}", "d1")}, [1]
    ),
}  # fmt: skip
"""Each writes what the one before may need."""


def dumped(path):
    """Return all that another connection sees in a file."""
    with closing(sqlite3.connect(path)) as other:
        return "\n".join(other.iterdump())


def test_every_write_is_seen_by_another_connection(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=2) as store:
        seen = [dumped(path)]
        for what, write in WRITES.items():
            write(store)
            assert not store.connection.in_transaction, what
            assert [*changed(store.connection, None, ())] == [], f"rows of {what} without their digests"
            seen.append(dumped(path))
            assert seen[-1] != seen[-2], what
    assert dumped(path) == seen[-1]
    with Store.read(path) as store:
        assert store.plan() == {"agents": [], "seed": 3}


@pytest.mark.parametrize("write", ["games", "evidence", "audit", "growth", "deleted"])
def test_a_write_that_fails_leaves_everything_as_it_was(write, tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    with created(path, games=2) as store:
        findings.begin_audit(store)
        before = dumped(path)
        real = store.connection
        executed = []

        class Failing:
            """A connection that fails after its last statement, before it commits."""

            def __getattr__(self, name):
                return getattr(real, name)

            def __enter__(self):
                return real.__enter__() and self

            def __exit__(self, *error):
                if error[0] is None:
                    executed.append(1)
                    real.__exit__(sqlite3.OperationalError, sqlite3.OperationalError("disk full"), None)
                    raise sqlite3.OperationalError("disk full")
                return real.__exit__(*error)

        store.connection = Failing()
        with pytest.raises(Exception, match="disk full"):
            WRITES[write](store)
        store.connection = real
        assert executed == [1]
        assert dumped(path) == before
