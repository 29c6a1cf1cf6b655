"""A bit that changes in a stored value is noticed where the value is read."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from arena.store.digests import PARTS
from arena.store.run_file import Store

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
    assert arena("show", path).code == 0
    change(path, flip.replace("rowid_of_first", FIRST))
    refused(arena("show", path), path, f", {FLIPS[flip]}")


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
    assert arena("show", path).code == 0
    change(path, "UPDATE audit SET legal = legal - 1 WHERE (game, ply) IN (SELECT game, ply FROM audit LIMIT 1)")
    refused(arena("show", path), path, ", audit ")
