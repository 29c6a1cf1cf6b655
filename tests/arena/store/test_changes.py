"""What a change of a stored run changes, and what it leaves alone, in its file and beside it."""

import os
import shutil

import pytest
from changed import update

from agents.errors import InputError
from agents.specs.registry import parse
from arena.records import Job
from arena.statistics.sprt import Evidence
from arena.store import findings, machine, queries
from arena.store.connection import Lock, must_exist
from arena.store.extend import delete_games, grow
from arena.store.queries import matching
from arena.store.run_file import NewAgent, Store
from arena.store.sources import digest
from arena.store.writing import replacing

from .created import DECISIONS, created, record, rows

DECIDED = Evidence(1.0, -2.9, 2.9, "continue")


def replay(store, *places):
    """Delete the games of the agents at these places."""
    grow(store, {}, 4, "", [], [], {}, places)


@pytest.fixture
def run(tmp_path):
    """A run of two games with all that may be found out about them."""
    with created(tmp_path / "run.sqlite", games=2) as store:
        store.add_evidence([(1, DECIDED)])
        findings.begin_audit(store)
        findings.add_audit(store, [(game, 0, 1, 1, 7, 1, "4") for game in (1, 2)])
    return tmp_path / "run.sqlite"


def counts(path):
    return {table: rows(path, f"SELECT count(*) FROM {table}")[0][0] for table in ("game", "audit", "sprt")}


def test_what_was_found_out_about_games_goes_with_them(run):
    assert counts(run) == {"game": 2, "audit": 2, "sprt": 1}
    with Store.resume(run) as store:
        delete_games(store, [Job(1, 0, 0)])
    assert counts(run) == {"game": 1, "audit": 1, "sprt": 1}
    assert rows(run, "SELECT game FROM audit") == [(1,)]
    with Store.resume(run) as store:
        replay(store, 0)
    assert counts(run) == {"game": 0, "audit": 0, "sprt": 0}


def test_a_run_with_a_table_of_earlier_versions_that_refers_to_moves_is_changed_all_the_same(run):
    with Store.resume(run) as store:
        update(store, "CREATE TABLE inside (game INTEGER, ply INTEGER, FOREIGN KEY (game, ply) REFERENCES move) STRICT")
        update(store, "INSERT INTO inside VALUES (2, 0)")
        delete_games(store, [Job(1, 0, 0)])
        assert store.rows("SELECT * FROM inside") == []
    assert counts(run) == {"game": 1, "audit": 1, "sprt": 1}


def test_numbers_of_deleted_games_are_given_to_others(run):
    with Store.resume(run) as store:
        delete_games(store, [Job(1, 0, 0)])
        jobs = [Job(1, 0, 0), Job(0, 1, 1), Job(1, 0, 1)]
        store.reserve(jobs)
        store.add(record(jobs[1]))
        store.add(record(jobs[0]))
        assert store.last() == 3
    assert rows(run, "SELECT id, first, opening FROM game ORDER BY id") == [(1, 1, 1), (2, 2, 1), (3, 1, 2)]


def test_numbers_that_are_free_between_others_are_given_first(run):
    with Store.resume(run) as store:
        store.add(record(Job(0, 1, 1)))
        delete_games(store, [Job(0, 1, 0)])
        jobs = [Job(0, 1, 0), Job(1, 0, 1)]
        store.reserve(jobs[:1])
        store.reserve(jobs[1:])
        store.add(record(jobs[1]), record(jobs[0]))
    assert rows(run, "SELECT id, first, opening FROM game ORDER BY id") == [(1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 2, 2)]


def test_evidence_is_stored_once_for_each_number_of_pairs(run):
    with Store.resume(run) as store:
        store.add_evidence([(1, DECIDED), (2, Evidence(3.0, -2.9, 2.9, "H1"))])
        store.add_evidence([(1, DECIDED), (2, DECIDED)])
        store.add_evidence([])
        assert store.is_decided()
    assert rows(run, "SELECT pairs, llr, decision FROM sprt") == [(1, 1.0, "continue"), (2, 3.0, "H1")]


def test_blunders_of_an_agent_are_its_own(run):
    """Agent 1 begins the first game, and agent 2 the second; the first player erred in both, the other in neither."""
    with Store.resume(run) as store:
        findings.add_audit(store, [(game, 1, -1, -1, 7, 7, "1") for game in (1, 2)])
        update(store, "UPDATE audit SET after = -1 WHERE ply = 0")

        def games(agent):
            text, values = matching(agent=agent, blunders=True)
            return [game for (game,) in store.rows(f"SELECT id FROM game WHERE {text} ORDER BY id", *values)]

        assert [games(None), games(0), games(1)] == [[1, 2], [1], [2]]


def test_a_lock_that_was_removed_while_it_was_waited_for_is_no_lock(tmp_path, monkeypatch):
    path, steps = tmp_path / "run.sqlite", []
    is_mine = Lock._is_mine

    def removed_once(lock, descriptor):
        if not steps:
            lock.file.unlink()  # as its holder does when it has ended in between
        steps.append(is_mine(lock, descriptor))
        return steps[-1]

    monkeypatch.setattr(Lock, "_is_mine", removed_once)
    with Lock(path) as lock:
        assert steps == [False, True]
        assert lock.file.stat().st_size, "the holder has signed what others find"
        with pytest.raises(InputError, match="is being written by another run"):
            Lock(path)
    assert not lock.file.exists()


def test_a_missing_file_is_told_with_the_names_of_runs_alone(run):
    (run.parent / "rum.sqlite").write_text("no run\n")
    shutil.copy(run, run.parent / "ruin.sqlite")
    with pytest.raises(InputError) as raised:
        must_exist(run.parent / "rum.sqlit")
    assert "ruin.sqlite" in str(raised.value) or "run.sqlite" in str(raised.value)
    assert "rum.sqlite" not in str(raised.value).removeprefix(f"there is no file {run.parent / 'rum.sqlit'}")


def test_what_python_compiles_of_an_agents_data_is_not_its_data(tmp_path):
    (tmp_path / "bot.py").write_text("PLACE = 'weights'\nclass Bot:\n    def choose(self, board):\n        return 3\n")
    inside = tmp_path / "weights" / "__pycache__" / "made.pyc"
    inside.parent.mkdir(parents=True)
    (inside.parents[1] / "table.txt").write_text("1 2 3")
    before = digest(parse(f"{tmp_path}/bot.py:Bot"))
    inside.write_bytes(b"compiled")
    assert digest(parse(f"{tmp_path}/bot.py:Bot")) == before
    (inside.parents[1] / "more.txt").write_text("4")
    assert digest(parse(f"{tmp_path}/bot.py:Bot")) != before


def test_a_page_whose_folder_cannot_be_written_is_written_itself(tmp_path, monkeypatch):
    page = tmp_path / "page.html"
    page.write_text("old")
    monkeypatch.setattr(os, "access", lambda place, mode: place != tmp_path or mode != os.W_OK)
    with replacing(page) as beside:
        assert beside == page
        beside.write_text("new")
    assert [*tmp_path.iterdir()] == [page]


def test_what_has_changed_since_is_held_against_the_last_session(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "machine", lambda: {"processor": here, "cores": 4})
    monkeypatch.setattr(machine, "versions", lambda: {"connect4-arena": version, "numba": "1"})
    here, version = "old", "1.0"
    path = tmp_path / "run.sqlite"
    with created(path) as store:
        machine.begin_session(store, "zero")
        assert machine.changes(store) == {}
        here = "new"
        assert machine.changes(store) == {"processor": ("old", "new")}
        machine.begin_session(store, "one")
        version = "2.0"
        machine.begin_session(store, "two")
        assert machine.changes(store) == {}
        here, version = "old", "1.0"
        assert machine.changes(store) == {"connect4-arena": ("2.0", "1.0"), "processor": ("new", "old")}
        commands = [each["command"] for each in machine.made(store)["sessions"]]
        assert commands[-2:] == ["one", "two"]


def test_what_is_read_of_games_is_by_their_numbers_and_of_no_others(run):
    with Store.resume(run) as store:
        assert (store.planned(), type(store.planned())) == (4, int)
        assert queries.opening_numbers(store) == [1, 2]
        assert queries.agent_numbers(store) == {"random": 1, "greedy": 2}
        for games, found in (([2], [2]), ({1, 2}, [1, 2]), (iter([1]), [1]), ([], []), ([3], [])):
            wanted = [*games]
            selection = queries.Selection(store, queries.numbered(iter(wanted)))
            assert [[row[0] for row in rows] for rows in selection.rows(1)] == [[number] for number in found]
            assert [row[0] for rows in selection.rows(9) for row in rows] == found
            assert sorted(queries.audit_of(store, iter(wanted))) == [(number, 0) for number in found]
            assert {row[0] for row in queries.moves_of(store, iter(wanted))} == {*found}
            assert queries.extras(store, iter(wanted)) == {}
        games = [*next(queries.Selection(store, queries.numbered([1, 2])).rows(9))]
        assert games == [
            (1, "random", "greedy", "44", "4443", "1-0", "line completed", ""),
            (2, "greedy", "random", "44", "4443", "1-0", "line completed", ""),
        ]
        decisions = (DECISIONS[0]._replace(extra='{"a": 1}'), DECISIONS[1]._replace(extra='{"b": 2}'))
        store.add(record(Job(0, 1, 1), decisions=decisions))
        assert queries.extras(store, [1, 3]) == {(3, 0): '{"a": 1}', (3, 1): '{"b": 2}'}
        assert queries.extras(store, [1, 2]) == {}
        audited = queries.audit_of(store, [2])[2, 0]
        assert [audited[name] for name in ("game", "ply", "value", "after", "legal", "keeping")] == [2, 0, 1, 1, 7, 1]


def test_a_run_grows_by_all_that_is_asked_for_in_its_own_place(run):
    added = [NewAgent("mine", parse("minimax:depth=1"), author="Ada", digest="d3")]
    asked = {"agents": ["random", "greedy", "mine"]}
    with Store.resume(run) as store:
        update(store, "UPDATE run SET command = ''")
        code = {0: ("object:a:B", '{"x": 1}', None), 1: ("greedy", "{}", "d2")}
        grow(store, asked, 12, "first", added, [("33", 1), ("7", None)], code, [])
        assert store.plan() == asked
        assert store.rows("SELECT planned, command FROM run") == [(12, "first")]
        assert store.rows("SELECT id, name, kind, author, digest FROM agent ORDER BY id") == [
            (1, "random", "object:a:B", None, None), (2, "greedy", "greedy", None, "d2"),
            (3, "mine", "minimax", "Ada", "d3"),
        ]  # fmt: skip
        assert store.rows("SELECT parameters FROM agent WHERE id < 3") == [('{"x": 1}',), ("{}",)]
        assert store.rows("SELECT id, moves, value FROM opening ORDER BY id") == [
            (1, "44", 0), (2, "12", None), (3, "33", 1), (4, "7", None),
        ]  # fmt: skip
        assert counts(run) == {"game": 2, "audit": 2, "sprt": 1}
        for command, whole in (("", "first"), ("second", "first && second")):
            grow(store, asked, 12, command, [], [], {}, [])
            assert store.rows("SELECT command FROM run") == [(whole,)]


def test_games_of_an_agent_that_plays_again_leave_with_its_times_and_those_of_others_stay(run):
    with Store.resume(run) as store:
        store.add(record(Job(1, 1, 1)))
        findings.set_times(store, [("44", agent, 0, 9, 0.5) for agent in (1, 2)])
        replay(store, 0)
        assert store.rows("SELECT id FROM game") == [(3,)]
        assert store.rows("SELECT agent FROM timing") == [(2,)]
        left = {table: store.rows(f"SELECT DISTINCT game FROM {table}") for table in ("move", "iteration")}
        assert left == {"move": [(3,)], "iteration": [(3,)]}
        delete_games(store, [Job(1, 1, 1)])
        assert store.rows("SELECT count(*) FROM move") == [(0,)]
