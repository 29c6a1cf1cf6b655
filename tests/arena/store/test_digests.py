"""A bit that changes in a stored value is noticed where the value is read."""

import shutil
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace

import pytest

from arena.records import FaultRecord, Job
from arena.statistics.sprt import Evidence
from arena.store import findings
from arena.store.digests import PARTS, changed, seal
from arena.store.machine import Load, add_loads
from arena.store.run_file import Store
from arena.store.validation import tables_of_runs

from .created import DECISIONS, created, record

OLD = "tests/data/runs/field.sqlite"
FLIPS = {  # of one bit each, in numbers and in text
    "UPDATE move SET nodes = nodes | 4096 WHERE (game, ply) = (3, 6)": "game 3",
    "UPDATE move SET nanoseconds = nanoseconds | (1 << 40) WHERE (game, ply) = (3, 6)": "game 3",
    "UPDATE move SET score = coalesce(score, 0) + 1 WHERE (game, ply) = (4, 7)": "game 4",
    "UPDATE iteration SET nodes = nodes + 64 WHERE rowid_of_first": "game",
    "UPDATE iteration SET depth = depth + 16 WHERE rowid_of_first": "game",
    "UPDATE game SET detail = 'x' WHERE id = 5": "game 5",
    "UPDATE game SET nanoseconds = nanoseconds + 1024 WHERE id = 5": "game 5",
    "UPDATE game SET round = round + 2 WHERE id = 6": "game 6",
    "DELETE FROM iteration WHERE rowid_of_first": "game",
    "UPDATE digest SET digest = digest + 1 WHERE (part, key) = ('game', 7)": "game 7",
    "DELETE FROM digest WHERE (part, key) = ('game', 8)": "game 8",
    "UPDATE agent SET name = 'greedx' WHERE id = 1": "agent 1",
    "UPDATE opening SET value = 9 WHERE id = 2": "opening 2",
    "UPDATE run SET seed = seed + 8": "run 1",
    "UPDATE session SET begun = '2027'": "session 1",
    "UPDATE load SET others = others + 1": "its load",
}
FIRST = "(game, ply, depth) IN (SELECT game, ply, depth FROM iteration LIMIT 1)"
DEFINITIONS = {
    "sql = replace(sql, 'nanoseconds / 1e9', 'nanoseconds / 1e8') WHERE name = 'move'": "its table move is defined",
    "sql = replace(sql, 'nodes, seconds', 'nodes, sekonds') WHERE name = 'search'": "its table search is defined",
    "sql = replace(sql, 'column FROM move', 'depth FROM move') WHERE name = 'search'": "its table search is defined",
    "name = 'digesu' WHERE name = 'digest'": "is damaged: malformed database schema (digesu)",
    "name = 'loae' WHERE name = 'load'": "is damaged: malformed database schema (loae)",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Play 18 games, and return their file."""
    from arena import run

    path = tmp_path_factory.mktemp("played") / "run.sqlite"
    run(["greedy", "random", "alphabeta:depth=2"], rounds=3, out=path, seed=4, progress=False)
    return path


@pytest.fixture
def path(played, tmp_path):
    return shutil.copy(played, tmp_path / "run.sqlite")


def change(path, statement):
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA writable_schema = 1")
        assert file.execute(statement).rowcount == 1


def refused(done, path, text):
    assert (done.code, done.err.count("\n")) == (2, 1), done
    assert done.err.startswith(f"arena: {path}"), done.err
    assert text in done.err


@pytest.mark.parametrize("flip", FLIPS)
def test_a_changed_value_is_refused_with_its_place(arena, path, flip):
    assert arena("games", path).code == 0
    change(path, flip.replace("rowid_of_first", FIRST))
    refused(arena("show", path), path, f", {FLIPS[flip]}")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the file of a run with rows in all tables."""
    path = tmp_path_factory.mktemp("whole") / "run.sqlite"
    said = (DECISIONS[0]._replace(extra='{"a": 1}'), DECISIONS[1])
    failed = replace(record(Job(1, 0, 1), decisions=said), fault=FaultRecord(2, "44", "a line", "printed"))
    with created(path, games=2) as store:
        store.add(failed)
        store.add_evidence([(1, Evidence(0.5, -2.9, 2.9, "continue"))])
        findings.begin_audit(store)
        findings.add_audit(store, [(game, 0, 1, 0, 7, 2, "1 2") for game in (1, 3)])
        findings.set_times(store, [("44", 1, 0, 5, 0.5)])
        findings.set_choices(store, [(1, 0, 1, 4, 0)])
        add_loads(store, [("b", "games", Load(0.5, 2))])
    return path


def test_every_table_of_a_run_is_in_one_part():
    tables = [table for names in PARTS.values() for table in names]
    assert sorted(tables) == sorted(tables_of_runs() - {"digest", "search"})  # a view of the others


@pytest.mark.parametrize("part", PARTS)
def test_each_column_of_each_table_is_in_the_digest_of_its_row(whole, part):
    with closing(sqlite3.connect(whole, isolation_level=None)) as file:
        file.execute("PRAGMA ignore_check_constraints = 1")
        assert [*changed(file, None, ())] == []
        for table in PARTS[part]:
            columns = file.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
            key = columns[0][0]
            [(last,)] = file.execute(f"SELECT max({key}) FROM {table}")
            for name, kind in columns:
                other = f"coalesce(\"{name}\", '') || 'x'" if kind == "TEXT" else f'coalesce("{name}", 0) + 8'
                file.execute("BEGIN")
                file.execute(f'UPDATE {table} SET "{name}" = {other} WHERE {key} = ?', (last,))
                assert (part, last) in [*changed(file, None, ())], (table, name)
                assert {where for where, _ in changed(file, None, ())} == {part}
                file.execute("ROLLBACK")
            file.execute("BEGIN")
            file.execute(f"DELETE FROM {table} WHERE {key} = ?", (last,))
            assert [*changed(file, None, ())] == [(part, last)], table
            file.execute("ROLLBACK")


def test_a_digest_is_the_same_in_every_version():
    """Whoever changes how digests are computed makes every stored run a damaged one."""
    with closing(sqlite3.connect(":memory:")) as file:
        file.execute("CREATE TABLE digest (part, key, digest, PRIMARY KEY (part, key))")
        file.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, detail)")
        file.execute("CREATE TABLE move (game, ply, depth, PRIMARY KEY (game, ply, depth))")
        file.execute("CREATE TABLE load (begun, others)")
        file.executemany("INSERT INTO game VALUES (?, ?)", [(2, "Zoë"), (1, None)])
        file.executemany("INSERT INTO move VALUES (?, ?, ?)", [(1, 3, 0.5), (1, 2, 7), (2, 1, None)])
        file.executemany("INSERT INTO load VALUES (?, ?)", [("b", 2), ("a", 3), ("b", 1)])
        for part in ("game", "load", "audit"):
            seal(file, part)
        first, second = "[(1, None)][(1, 2, 7), (1, 3, 0.5)]", "[(2, 'Zo\\xeb')][(2, 1, None)]"
        loads = {("load", "a"): "[('a', 3)]", ("load", "b"): "[('b', 2)][('b', 1)]"}
        texts = {("game", 1): first, ("game", 2): second} | loads
        stored = file.execute("SELECT part, key, digest FROM digest ORDER BY part, key").fetchall()
    assert stored == [(*key, zlib.crc32(text.encode())) for key, text in texts.items()]


def test_games_that_are_sealed_or_compared_are_those_that_are_named(whole):
    with closing(sqlite3.connect(whole, isolation_level=None)) as file:
        file.execute("BEGIN")
        for table, column in (("game", "detail"), ("audit", "legal")):
            file.execute(f"UPDATE {table} SET {column} = 9")
        games, audited = [("game", number) for number in (1, 2, 3)], [("audit", number) for number in (1, 3)]
        assert [*changed(file, None, ())] == [*games, *audited]
        assert [*changed(file, "SELECT ?", (2,))] == [("game", 2)]
        assert [*changed(file, "SELECT ? UNION ALL SELECT 2", (3,))] == [("game", 2), ("game", 3), ("audit", 3)]
        seal(file, "game", [])
        assert [*changed(file, None, ())] == [*games, *audited]
        seal(file, "game", {3, 1})
        assert [*changed(file, None, ())] == [games[1], *audited]
        seal(file, "audit")
        assert [*changed(file, None, ())] == [games[1]]
        file.execute("ROLLBACK")


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_a_table_or_view_of_another_definition_is_damage(arena, path, definition):
    change(path, f"UPDATE sqlite_schema SET {definition}")
    refused(arena("show", path), path, DEFINITIONS[definition])


def test_a_file_of_version_0_2_0_opens_and_gets_digests_when_it_is_resumed(arena, tmp_path):
    path = shutil.copy(OLD, tmp_path / "old.sqlite")
    assert arena("show", path).code == 0
    with Store.resume(path) as store:
        assert store.value("PRAGMA user_version") == 4
        parts = {part for (part,) in store.rows("SELECT DISTINCT part FROM digest")}
        assert {"run", "agent", "opening", "game", "audit"} <= parts <= {*PARTS}
    assert arena("games", path).code == 0
    change(path, "UPDATE audit SET legal = legal - 1 WHERE (game, ply) IN (SELECT game, ply FROM audit LIMIT 1)")
    refused(arena("show", path), path, ", audit ")
