"""What an agent says of a move beyond its analysis: stored as JSON with the move, shown, copied, deleted."""

import json
import math

import pytest
from changed import update

from agents.agent import MOST_EXTRA, Analysis
from agents.board import Board, Outcome
from agents.failure import Failure
from arena.games.referee import as_json, play_game
from arena.records import Job
from arena.store.extend import delete_games
from arena.store.queries import decisions
from arena.store.run_file import Store
from arena.tournament.games import Step, replay

from .created import DECISIONS, FIRST_JOB, PLAN, created, record, rows


class Talker:
    """Plays the first column, and says the ply and whatever else it was made with."""

    def __init__(self, **extra):
        self.extra = extra

    def choose(self, board, limits):
        return Analysis(board.legal_moves()[0], extra={"ply": board.ply, **self.extra})


class Quitter:
    def choose(self, board, limits):
        raise Failure("empty reply", "at once", extra={"reply": "I give up"})


def test_what_is_said_of_each_move_is_stored_and_shown_with_it(tmp_path):
    path = tmp_path / "run.sqlite"
    played = play_game(FIRST_JOB, (Talker(text="ü\ud800\x1b[1m"), Talker()), Board.from_moves("44"), (1, 2))
    with created(path) as store:
        store.add(played)
        rules = {"columns": 7, "rows": 6, "connect": 4}
        update(store, "UPDATE run SET plan = ?", json.dumps({**PLAN, "rules": rules}))
    assert rows(path, "SELECT count(*) FROM extra") == rows(path, "SELECT count(*) FROM move")
    with Store.read(path) as store:
        steps = replay(store, 1).steps
    assert [json.loads(step.extra)["ply"] for step in steps[2:]] == list(range(2, len(steps)))
    assert steps[2].said == ["ply 2, text ü\\ud800\\x1b[1m"]
    assert steps[0].said == []


def test_of_a_move_that_was_not_made_the_words_are_stored_too(tmp_path):
    path = tmp_path / "run.sqlite"
    played = play_game(FIRST_JOB, (Quitter(), Talker()), Board.from_moves("44"), (1, 2))
    assert (played.outcome, played.termination) == (Outcome.SECOND_WINS, "empty reply")
    with created(path) as store:
        store.add(played)
    assert rows(path, "SELECT game, ply, extra FROM extra") == [(1, 2, '{"reply": "I give up"}')]


def test_a_file_has_the_table_from_the_first_such_move_on(tmp_path):
    path = tmp_path / "run.sqlite"
    with created(path, games=1) as store:
        assert not store.has("extra")
        assert [row[:2] for row in decisions(store, 1)] == [(0, 4), (1, 3)]


def test_it_goes_with_a_deleted_game(tmp_path):
    with created(tmp_path / "run.sqlite", games=2) as store:
        played = play_game(Job(0, 1, 1), (Talker(), Talker()), Board.from_moves("12"), (1, 2))
        store.add(played)
        delete_games(store, [Job(0, 1, 1)])
        assert store.rows("SELECT * FROM extra") == []


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ([1], "no mapping"),
        ({"x": math.nan}, "no JSON"),
        ({"x": object()}, "no JSON"),
        ({"x": "y" * 70_000}, "70,009 characters"),
    ],
)
def test_what_is_no_small_json_object_is_dropped_and_said(extra, said):
    text, remark = as_json(extra)
    assert text == ""
    assert said in remark


def test_the_longest_text_that_is_kept_is_stored_and_one_letter_more_is_dropped(tmp_path):
    text, remark = as_json({"x": "y" * (MOST_EXTRA - len('{"x": ""}'))})
    assert (len(text), remark) == (MOST_EXTRA, "")
    assert as_json({"x": "y" * (MOST_EXTRA - 8)})[0] == ""
    with created(tmp_path / "run.sqlite") as store:
        store.add(record(decisions=(DECISIONS[0]._replace(extra=text), DECISIONS[1])))
        assert store.rows("SELECT extra FROM extra") == [(text,)]


def test_a_long_text_has_a_line_of_its_own_and_an_end():
    step = Step(0, 1, "x", extra=json.dumps({"a": 1, "text": "word " * 100, "b": [1, 2]}))
    first, second = step.said
    assert first == "a 1, b [1, 2]"
    assert len(second) < 320
