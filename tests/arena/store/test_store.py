import time

import pytest

from agents.agent import Iteration
from agents.board import Outcome
from agents.errors import InputError
from agents.specs.registry import parse
from arena.records import Job, MoveRecord
from arena.store.run_file import NewAgent, Store

from .created import DECISIONS, PLAN, created, record, rows


def test_a_finished_run_is_one_file_that_any_browser_reads(tmp_path):
    path = tmp_path / "new" / "run.sqlite"
    created(path, games=1).close()
    assert [each.name for each in path.parent.iterdir()] == ["run.sqlite"]
    assert rows(path, "SELECT name, kind FROM agent ORDER BY id") == [("random", "random"), ("greedy", "greedy")]
    assert rows(path, "SELECT moves, value FROM opening ORDER BY id") == [("44", 0), ("12", None)]
    game = "key, first, second, opening, moves, result, termination, detail, started, seconds"
    assert rows(path, f"SELECT {game} FROM game") == [
        ("0-1-0", 1, 2, 1, "4443", "1-0", "line completed", "", "2025-06-15T15:06:40.125+00:00", 0.75)
    ]
    assert rows(path, "SELECT ply, column, depth, nodes, seconds, score FROM move") == [
        (0, 4, 2, 50, 0.5, 7),
        (1, 3, 0, 1, 0.25, None),
    ]


def test_the_author_of_an_agent_is_its_own_or_that_of_the_program_it_is_made_after(tmp_path):
    agents = [NewAgent("a", parse("mollerhoj")), NewAgent("b", parse("mollerhoj"), author="Ada")]
    Store.create(tmp_path / "run.sqlite", PLAN, 3, 4, [*agents, NewAgent("c", parse("random"))], []).close()
    authors = [('Møllerhøj, "Connect 4 AI in Ruby", 2013',), ("Ada",), (None,)]
    assert rows(tmp_path / "run.sqlite", "SELECT author FROM agent ORDER BY id") == authors


def test_a_search_is_stored_for_each_completed_depth_and_one_where_none_is_told(tmp_path):
    created(tmp_path / "run.sqlite", games=1).close()
    assert rows(tmp_path / "run.sqlite", "SELECT ply, depth, nodes, seconds, score, column FROM search") == [
        (0, 1, 8, 0.1, 5, 5),
        (0, 2, 50, 0.4, 7, 4),
        (1, 0, 1, 0.25, None, 3),
    ]


def test_a_depth_that_an_agent_tells_twice_is_stored_once(tmp_path):
    twice = (Iteration(1, 8, 0.1, 5, 4), Iteration(1, 9, 0.2, 6, 3))
    with created(tmp_path / "run.sqlite") as store:
        store.add(record(decisions=(MoveRecord(0, 3, 0.5, 7, 1, 9, (), twice),)))
    assert rows(tmp_path / "run.sqlite", "SELECT depth, nodes FROM search") == [(1, 9)]


@pytest.mark.parametrize(
    ("outcome", "result"),
    [(Outcome.FIRST_WINS, "1-0"), (Outcome.SECOND_WINS, "0-1"), (Outcome.DRAW, "1/2-1/2")],
)
def test_results_are_written_as_everywhere(tmp_path, outcome, result):
    with created(tmp_path / "run.sqlite") as store:
        store.add(record(outcome=outcome))
    assert rows(tmp_path / "run.sqlite", "SELECT result FROM game") == [(result,)]


def test_columns_keep_the_types_of_their_numbers_and_hold_equal_texts_once(tmp_path):
    with created(tmp_path / "run.sqlite") as store:
        found = store.columns("SELECT 1 AS whole, 1.0 AS part, 'a' || ?1 AS text UNION ALL SELECT 1, 1.0, 'a' || ?1", 1)
    assert list(found) == ["whole", "part", "text"]
    assert [[type(each) for each in column] for column in found.values()] == [[int] * 2, [float] * 2, [str] * 2]
    assert found["text"][0] is found["text"][1]


def test_what_was_asked_for_comes_back(tmp_path):
    created(tmp_path / "run.sqlite", games=3).close()
    with Store.read(tmp_path / "run.sqlite") as store:
        assert store.plan() == PLAN
        assert store.planned() == 4
        assert store.openings() == ["44", "12"]
        assert store.played() == {Job(0, 1, 0), Job(1, 0, 0), Job(0, 1, 1)}


def test_a_game_is_stored_whole_or_not_at_all(tmp_path):
    broken = record(Job(1, 0, 0), decisions=(*DECISIONS, MoveRecord(2, 3, 0.5, nodes=None)))
    with created(tmp_path / "run.sqlite", games=1) as store:
        with pytest.raises(InputError, match="NOT NULL"):
            store.add(broken)
        assert store.played() == {Job(0, 1, 0)}
        store.add(record(Job(1, 0, 0)))
    assert rows(tmp_path / "run.sqlite", "SELECT count(*) FROM move") == [(4,)]


def test_a_game_is_never_stored_twice(tmp_path):
    with created(tmp_path / "run.sqlite", games=1) as store, pytest.raises(InputError, match="UNIQUE"):
        store.add(record())


def test_a_file_that_is_being_written_is_refused_to_others(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path), pytest.raises(InputError, match="being written by another run"):
        Store.resume(path)
    Store.resume(path).close()


@pytest.mark.parametrize("name", ["50%25 of all", "which?mode=ro", "run#1", "läuft & läuft"])
def test_a_run_may_have_any_name_that_a_file_may_have(name, tmp_path):
    path = tmp_path / name / f"{name}.sqlite"
    created(path, games=1).close()
    with Store.read(path) as reader:
        assert reader.played() == {Job(0, 1, 0)}
    with Store.resume(path) as store:
        store.add(record(Job(1, 0, 0)))
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_is_being_written_can_be_read(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=2), Store.read(path) as reader:
        assert reader.played() == {Job(0, 1, 0), Job(1, 0, 0)}


def test_a_snapshot_shows_one_moment(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=1) as store, Store.read(path) as reader:
        with reader.snapshot():
            assert len(reader.played()) == 1
            store.add(record(Job(1, 0, 0)))
            assert len(reader.played()) == 1
        assert len(reader.played()) == 2


def test_a_reader_does_not_stop_the_writer(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path) as store, Store.read(path) as reader, reader.snapshot():
        reader.played()
        began = time.monotonic()
        store.add(record())
        assert time.monotonic() - began < 5


def test_a_store_can_be_discarded(tmp_path):
    created(tmp_path / "run.sqlite", games=1).discard()
    assert list(tmp_path.iterdir()) == []


def test_the_round_of_a_game_is_stored(tmp_path):
    with created(tmp_path / "run.sqlite") as store:
        store.add(record(Job(0, 1, 0, 1)), record(Job(1, 0, 0, 3)))
    assert rows(tmp_path / "run.sqlite", "SELECT first, second, opening, round FROM game ORDER BY id") == [
        (1, 2, 1, 1),
        (2, 1, 1, 3),
    ]
