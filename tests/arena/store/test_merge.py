"""All that is stored of the games of several runs, each of which knows its agents by other numbers."""

import shutil
import sqlite3
from contextlib import closing

import pytest
from hand_made import AGENTS, DRAW, FIRST, SECOND, audit_of, decision, stored
from recorded import holds
from transcript import stored as lines

from agents.errors import InputError
from arena.records import FaultRecord, GameRecord, Job, Termination
from arena.store import findings, merge
from arena.store.extend import supersede
from arena.store.machine import made
from arena.store.run_file import Store

OPENINGS = (("44", 0), ("12", None))
LINE, ILLEGAL, FULL = Termination.LINE, Termination.ILLEGAL, Termination.FULL
ONE = [
    (0, 1, 0, "441", FIRST, LINE, (decision(2, 2, 57, 0.01, (1, 8, 0.001), (2, 57, 0.009)), decision(3, 2, 21, 0.002))),
    (1, 0, 0, "442", DRAW, FULL, (decision(2, 2, 31, 0.004, column=1),)),
    (0, 2, 0, "443", FIRST, ILLEGAL, (decision(2, 2, 57, 0.03),)),
    (2, 0, 1, "1234", SECOND, LINE, (decision(2, 0, 1, 0.001, column=2),)),
]
OTHER = [
    (1, 2, 0, "441", FIRST, LINE, (decision(2, 2, 57, 0.02), decision(3, 2, 22, 0.5))),  # the first has it
    (2, 1, 0, "443", DRAW, FULL, (decision(2, 2, 30, 0.004),)),  # which went otherwise in the first
    (0, 1, 1, "1277", SECOND, LINE, (decision(2, 1, 7, 0.5, column=6), decision(3, 1, 8, 0.25, (1, 8, 0.25)))),
    (1, 0, 1, "125", FIRST, LINE, (decision(2, 1, 6, 0.125, (1, 6, 0.1), column=4),)),
    (2, 0, 1, "121", SECOND, LINE, (decision(2, 0, 9, 0.25),)),
    (0, 2, 1, "126", FIRST, LINE, (decision(2, 0, 9, 0.25, column=5),)),
    (2, 1, 1, "123", FIRST, LINE, (decision(2, 3, 9, 0.25, column=2),)),
]  # fmt: skip
TIMES = " UNION ALL ".join(
    f"SELECT * FROM (SELECT {times} FROM {table} ORDER BY 1, 2, 3)"
    for table, times in (
        ("game", "id, moment, nanoseconds"), ("superseded", "id, moment, nanoseconds"),
        ("move", "game, ply, nanoseconds"), ("superseded_move", "game, ply, nanoseconds"),
        ("iteration", "game, depth, nanoseconds"), ("superseded_iteration", "game, depth, nanoseconds"),
    )
)  # fmt: skip
TWINS = ("random", AGENTS[0], AGENTS[1])
"""The agents of the other run, in another order."""


def faulty(job):
    report = FaultRecord(3, "441", "Traceback", "printed", '{"reply": "no"}')
    return GameRecord(job, "121", FIRST, Termination.EXCEPTION, "ValueError", 5.0, 0.5, (), report)


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Two runs that share two games, of which one went otherwise, and have further findings; nobody changes them."""
    one, other = (tmp_path_factory.mktemp("parts") / f"{name}.sqlite" for name in ("one", "other"))
    stored(one, AGENTS, ONE, openings=OPENINGS)
    stored(other, TWINS, OTHER, openings=OPENINGS)
    audit_of(one, [(1, 2, 1, 1, 7, 2), (1, 3, 0, -1, 7, 3, -5, -7, 2, "1 2"), (2, 2, 0, 0, 7, 3), (4, 2, 1, 0, 7, 1)])
    audit_of(other, [(1, 2, 1, 1, 7, 2, 9, 9, 1, "4 5"), (2, 2, 1, 0, 7, 1), (3, 2, -1, -1, 7, 7), (4, 2, 0, 1, 7, 1)])
    for path, away, fault in ((one, [Job(2, 0, 1)], Job(1, 2, 1)), (other, [Job(2, 0, 1), Job(1, 0, 1)], Job(0, 1, 0))):
        with Store.resume(path) as store:
            store.add(faulty(fault))
            findings.begin_profile(store)
            findings.add_profile(store, [(1, 2, depth, 9, 4, depth, "1 2 3 4 5 6 7", 5, 1, None) for depth in (1, 2)])
            supersede(store, away)
    return one, other


def begun(path, *parts):
    """Return the open store of a run with the agents of the parts, by name, and without games."""
    store = Store.create(path, {"agents": []}, 1, 0, [], OPENINGS, "merged")
    known = {}
    for part in parts:
        with Store.read(part) as each:
            known = merge.agents(each) | known
    merge.set_origin(store, list(known.values()), {"connect4-arena": "1"}, {"cores": 2})
    return store


@pytest.mark.parametrize("piece", [1, 5_000])
def test_all_that_is_stored_of_the_games_of_two_runs_stays(parts, tmp_path, request, monkeypatch, piece):
    """However many games are copied at a time; a run is also merged after itself, which changes nothing."""
    monkeypatch.setattr(merge, "_PIECE", piece)
    found, told = {}, []
    for name, order in (("one first", parts), ("other first", parts[::-1])):
        out = tmp_path / f"{name}.sqlite"
        with begun(out, *order) as store:
            found[f"{name}: doubled"] = [merge.add(store, part, told.append) for part in order]
            before = [*lines(out)]
            found[f"{name}: again"] = [merge.add(store, part, lambda _: None) for part in order]
            assert [*lines(out)] == before
            assert store.rows("PRAGMA foreign_key_check") == []
            assert store.rows("SELECT id FROM game INTERSECT SELECT id FROM superseded") == []
            assert not store.connection.in_transaction
            assert [name for _, name, _ in store.rows("PRAGMA database_list")] == ["main", "temp"]
            found[f"{name}: times"] = store.rows(TIMES)
        found[name] = before
    assert sum(told) == 2 * (3 + 1 + 5 + 1)
    found = {key: [[*each] if isinstance(each, tuple) else each for each in value] for key, value in found.items()}
    holds("store-merged", found, request)


def test_a_run_of_one_game_is_copied_whatever_its_number_is(tmp_path):
    low = 5_001
    part = stored(tmp_path / "50%25 of #1?.sqlite", AGENTS, ONE[:1], openings=OPENINGS)  # what a URI reads otherwise
    with closing(sqlite3.connect(part)) as file, file:
        file.execute("DELETE FROM iteration")
        file.execute("DELETE FROM move")
        file.execute("UPDATE game SET id = ?", (low,))
    told = []
    with begun(tmp_path / "out.sqlite", part) as store:
        assert merge.add(store, part, told.append) == (0, 0)
        assert store.rows("SELECT id, first, second, opening, moves FROM game") == [(1, 1, 2, 1, "441")]
    assert told == [1]


def test_an_audit_of_an_earlier_version_is_copied_without_the_columns_that_keep_the_value(tmp_path):
    part = stored(tmp_path / "part.sqlite", AGENTS, ONE[:2], openings=OPENINGS)
    audit_of(part, [(1, 2, 1, 0, 7, 2, 5, -1, 1, "1 2")])
    with closing(sqlite3.connect(part)) as file:
        file.execute("ALTER TABLE audit DROP COLUMN keepers")
    with begun(tmp_path / "out.sqlite", part) as store:
        merge.add(store, part, lambda _: None)
        assert store.rows("SELECT * FROM audit") == [(1, 2, 1, 0, 7, 2, 5, -1, 1, None)]


def test_a_part_that_is_damaged_is_named_and_leaves_the_new_file_to_others(parts, tmp_path):
    one, other = parts[0], shutil.copy(parts[1], tmp_path / "other.sqlite")
    with closing(sqlite3.connect(other)) as file:
        file.execute("ALTER TABLE move RENAME COLUMN nodes TO knots")
    with begun(tmp_path / "out.sqlite", one) as store:
        with pytest.raises(InputError, match=r"other\.sqlite: no such column"):
            merge.add(store, other, lambda _: None)
        assert not store.connection.in_transaction
        assert [name for _, name, _ in store.rows("PRAGMA database_list")][:1] == ["main"]
        assert merge.add(store, one, lambda _: None) == (0, 0)


def session(begun, command=None):
    return {"begun": begun, "command": command, "versions": {"numba": begun}, "machine": {"cores": 1}}


def load(begun, what="games"):
    return {"begun": begun, "what": what, "other_seconds_per_second": 0.5, "cores": 4}


def test_sessions_and_loads_of_games_come_in_the_order_of_time_and_of_all_parts_or_none(tmp_path):
    whole = [
        {"sessions": [session("b", "arena run"), session("d")], "loads": [load("b"), load("c", "times")]},
        {"sessions": [session("a", "arena run --resume")], "loads": [load("a")]},
    ]
    with begun(tmp_path / "whole.sqlite") as store:
        merge.set_sessions(store, whole)
        found = made(store)
    assert found["sessions"] == [session("a", "arena run --resume"), session("b", "arena run"), session("d")]
    assert found["loads"] == [load("a"), load("b")]
    for number, parts in enumerate(([whole[0], {"sessions": [], "loads": []}], [{"sessions": [], "loads": []}])):
        with begun(tmp_path / f"{number}.sqlite") as store:
            merge.set_sessions(store, parts)
            assert made(store)["sessions"] == []
            assert not store.has("session")


def test_the_new_file_says_what_the_parts_say_of_agents_openings_and_their_making(parts, tmp_path):
    one, _ = parts
    with Store.read(one) as store:
        agents, openings = merge.agents(store), merge.openings(store)
    assert list(agents) == list(AGENTS)
    assert [list(each) for each in agents.values()] == [list(merge._AGENT)] * 3
    assert openings == list(OPENINGS)
    kinds = {name: (each["kind"], each["deterministic"], each["stranger"]) for name, each in agents.items()}
    assert kinds == dict(zip(AGENTS, [("minimax", 1, 0), ("alphabeta", 1, 0), ("random", 0, 0)], strict=True))
    with begun(tmp_path / "out.sqlite", one) as store:
        assert (merge.agents(store), merge.openings(store)) == (agents, openings)
        assert [made(store)[name] for name in ("versions", "machine")] == [{"connect4-arena": "1"}, {"cores": 2}]


def test_a_run_of_this_format_is_read_where_it_is_and_an_earlier_one_from_a_copy(parts, tmp_path):
    one, other = parts[0], shutil.copy(parts[1], tmp_path / "other.sqlite")
    with merge.up_to_date(one) as file:
        assert file == one
    with closing(sqlite3.connect(other)) as connection:
        for table in ("game", "superseded"):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN round")
    before = other.read_bytes()
    with merge.up_to_date(other) as file:
        assert file != other
        with Store.read(file) as store:
            assert store.has_column("game", "round")
            assert store.count_games() == 6
    assert not file.exists()
    assert other.read_bytes() == before
