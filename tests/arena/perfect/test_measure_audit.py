import functools
import threading

import pytest
from audited import SMALL, audit_all, audit_rows, stored_small
from changed import connect
from hand_made import frames

from agents.board import Board
from agents.errors import InputError
from agents.solver.solver import Solver
from arena.perfect.judge import _listed, judge, missing
from arena.store.run_file import Store
from arena.tournament.games import replay


def value(board):
    """Return what a position is worth to the side to move: 1, 0 or -1."""
    return (score(board) > 0) - (score(board) < 0)


@functools.cache
def score(board):
    """Return the solver's score by plain recursion: the discs that the winner has left, plus one."""
    if board.outcome is not None:
        size = board.rules.columns * board.rules.rows
        return 0 if board.outcome.winner is None else -((size + 2 - board.ply) // 2)
    return max(-score(board.play(column)) for column in board.legal_moves())


def test_a_move_is_judged_by_the_sign_of_its_column():
    assert judge((1, None, -1, 1, 0, 1, -1), 5) == (1, 1, 6, 3)
    assert judge((1, None, -1, 1, 0, 1, -1), 4) == (1, 0, 6, 3)
    assert judge((None, -1, -1), 2) == (-1, -1, 2, 2)
    assert judge((0, -1, 0), 1) == (0, -1, 3, 2)


def test_every_stored_row_is_what_plain_recursion_says(audited):
    with Store.read(audited) as store:
        games = dict(store.select("SELECT id, moves FROM game")[1])
    found = audit_rows(audited)
    assert len(found) == len(frames(audited).moves)
    for game, ply, before, after, legal, keeping, keepers in found:
        board = Board.from_moves(games[game][:ply], SMALL)
        played_board = board.play(int(games[game][ply]) - 1)
        children = [board.play(column) for column in board.legal_moves()]
        assert (before, after) == (value(board), -value(played_board))
        assert (legal, keeping) == (len(children), sum(-value(child) == before for child in children))
        assert keepers == " ".join(str(child.moves[-1] + 1) for child in children if -value(child) == before)


def test_each_position_is_solved_once_also_for_its_mirror_image(tmp_path):
    path = stored_small(tmp_path / "run.sqlite", ["1122", "4433", "1144"], fault=True)
    with Store.read(path) as store:
        openings = missing(store)
    assert [[(position.ply, len(position.moves)) for position in each] for each in openings] == [
        [(3, 2), (2, 3)],
        [(3, 1)],
    ]
    first, mirrored, other = sorted(openings[0][1].moves)
    assert first[2] == mirrored[2] != other[2]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("moves = '1199'", "move 3: column 9 does not exist"),
        ("result = '1-0'", "its result is 1-0, but after its moves it is 0-1"),
        ("termination = 'line completed'", "its result is 0-1, but after its moves it is not over"),
    ],
)
def test_a_game_that_its_moves_cannot_produce_is_refused_by_its_number(tmp_path, change, reason):
    path = stored_small(tmp_path / "run.sqlite", ["1122", "4433"], fault=True)
    with Store.resume(path) as store, store.connection:
        store.connection.execute(f"UPDATE game SET {change} WHERE id = 2")
    with Store.read(path) as store, pytest.raises(InputError, match=f"game 2: {reason}"):
        missing(store)


def test_the_moves_of_the_opening_are_not_audited(unaudited):
    with Store.read(unaudited) as store:
        openings = missing(store)
        assert len(openings) == 12
        assert min(position.ply for positions in openings for position in positions) == 4
    for positions in openings:
        assert [position.ply for position in positions] == sorted((each.ply for each in positions), reverse=True)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_audit_goes_on_where_it_stopped(unaudited, audited, threads):
    with Store.read(unaudited) as store:
        total = sum(map(len, missing(store)))
    done, running = [], set(threading.enumerate())

    def interrupt():
        done.append(None)
        if len(done) == 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit_all(unaudited, threads=threads, progress=interrupt)
    assert set(threading.enumerate()) <= running
    with Store.read(unaudited) as store:
        assert sum(map(len, missing(store))) == total - 40
    audit_all(unaudited)
    assert audit_rows(unaudited) == audit_rows(audited)


def test_an_audit_that_an_earlier_version_began_is_finished_with_what_it_did_not_say(audited):
    whole = audit_rows(audited)
    connection = connect(audited)
    with connection:
        connection.execute("ALTER TABLE audit DROP COLUMN keepers")
        connection.execute("DELETE FROM audit WHERE game > 3")
    connection.close()
    with Store.read(audited) as store:
        assert all(step.keepers is None for step in replay(store, 1).steps)
    audit_all(audited)
    finished = audit_rows(audited)
    assert [row[:-1] for row in finished] == [row[:-1] for row in whole]
    assert [row for row in finished if row[0] > 3] == [row for row in whole if row[0] > 3]


def test_what_goes_wrong_in_a_thread_is_raised_and_what_was_found_is_kept(unaudited, monkeypatch):
    answer, asked = Solver.column_scores, []

    def fails_in_time(solver, own, opp, *, weak):
        asked.append(own)
        return answer(solver, own, opp, weak=weak) if len(asked) < 40 else 1 // 0

    monkeypatch.setattr(Solver, "column_scores", fails_in_time)
    with pytest.raises(ZeroDivisionError):
        audit_all(unaudited, threads=2)
    assert audit_rows(unaudited)


def test_best_columns_are_listed_from_1_and_turned_back_from_a_mirror_image():
    assert _listed((4, 0), 7, mirrored=False) == "1 5"
    assert _listed((4, 0), 7, mirrored=True) == "3 7"
