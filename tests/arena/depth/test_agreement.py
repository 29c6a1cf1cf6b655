"""`arena verify MINIMAX ALPHABETA`: a search that prunes is held against the one that it should equal."""

import json
from pathlib import Path

import pytest
from own_search import SEARCH

from agents.board import STANDARD, Board, Outcome, Rules
from arena.games.endings import endings, exact

RIGHT = SEARCH.format(author="Sue", weight=3, cuts="alpha >= beta")
SIGN = """
    def value(self, board, left, alpha, beta):
        found = super().value(board, left, alpha, beta)
        return found if left else -found
"""
FILES = {
    "mine": RIGHT,
    "wrong": RIGHT.replace("nodes=self.nodes", "nodes=self.nodes, pv=(chosen,)") + SIGN,
    "fixed": RIGHT.replace("self.depth = depth", "self.depth = 2"),
    "silent": RIGHT.replace("self.depth = depth", "self.depth = 2").replace("depth=self.depth, ", ""),
    "small": RIGHT.replace("1_000_000", "1_000"),
    "mirrored": RIGHT.replace("in board.legal_moves():", "in board.legal_moves()[::-1]:"),
    "bare": "class AlphaBeta:\n    def choose(self, board, limits):\n        return board.legal_moves()[0]\n",
    "raises": "class AlphaBeta:\n    def choose(self, board, limits):\n        raise ValueError('lost')\n",
}
QUICK = ("--positions", 6, "--depth", 2, "--quiet", "--in-process")


@pytest.fixture
def verify(arena, tmp_path, monkeypatch):
    """Call the command in a folder with these files."""
    for name, text in FILES.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    return lambda *words: arena("verify", *words)


def test_an_alphabeta_that_is_right_has_minimaxs_values_and_moves_at_every_depth_with_fewer_nodes(verify):
    done = verify("mine.py:Minimax", "mine.py:AlphaBeta", "--positions", 3, "--depth", 3, "--quiet", "--json")
    document = json.loads(done.out)
    assert (done.code, done.err, document["agree"], document["differences"]) == (0, "", True, [])
    rows = document["depths"]
    assert [(row["depth"], row["positions"], row["values"], row["moves"]) for row in rows] == [
        (depth, 3, 3, 3) for depth in (1, 2, 3)
    ]
    assert rows[0]["share"] == 1.0
    assert all(row["nodes"] < row["reference_nodes"] for row in rows[1:])
    assert all(row["share"] == row["nodes"] / row["reference_nodes"] for row in rows)


def test_the_table_ends_with_a_sentence(verify):
    done = verify("mine.py:Minimax", "mine.py:AlphaBeta:depth=7", *QUICK)
    assert done.code == 0
    assert done.out.startswith("mine.py:AlphaBeta against mine.py:Minimax\ndepth  positions  same value  same move")
    said = "same value and same move in all 12 searches: mine.py:AlphaBeta decides as mine.py:Minimax; it visits "
    assert said in done.out


def test_a_wrong_sign_is_told_with_the_first_position_both_values_and_both_lines(verify):
    done = verify("mine.py:Minimax", "wrong.py:AlphaBeta", *QUICK)
    assert done.code == 1
    first, *drawing, last = done.err.splitlines()[:9]
    assert first == (
        "first difference: on the empty board at depth 1 wrong.py:AlphaBeta plays 1 with value 0 (line 1),"
        " mine.py:Minimax 4 with value 3"
    )
    assert "\n".join(drawing) == str(Board())
    assert last.startswith("wrong at the end of the game: after ")
    assert last.endswith(" at depth 1 wrong.py:AlphaBeta has value -999999, but the side to move wins")
    document = json.loads(verify("wrong.py:AlphaBeta", "wrong.py:Minimax", *QUICK, "--json").out)
    [first] = document["differences"]
    assert (first["reference_line"], first["line"], first["reference_value"], first["value"]) == ("1", "4", 0, 3)


def test_another_move_of_the_same_value_is_told_as_such(verify):
    done = verify("mine.py:Minimax", "mirrored.py:AlphaBeta", *QUICK)
    assert done.code == 1
    assert "same value in all 12 searches, another move in 4: >= where > is meant, or another order" in done.out
    assert "; the same value: >= where > is meant, or another order of columns?\n" in done.err


def test_a_win_that_is_worth_something_else_is_told_what_it_is_worth_here(verify):
    done = verify("mine.py:Minimax", "small.py:Minimax", *QUICK[2:], "--positions", 20)
    assert done.code == 1
    assert "; a win in n plies is worth 1000000 - n, a loss n - 1000000\n" in done.err


@pytest.mark.parametrize(
    ("search", "said"),
    [
        ("fixed.py:AlphaBeta", "ignores the depth: it searched to depth 2 when asked for 1"),
        ("silent.py:AlphaBeta", "ignores the depth: it answers alike at depths 1 and 2"),
        ("bare.py", "reports no value: return Analysis"),
        ("raises.py", "lost"),
    ],
)
def test_a_search_that_cannot_be_compared_is_named_and_why(verify, search, said):
    done = verify("mine.py:Minimax", search, *QUICK)
    assert (done.code, done.out) == (2, "")
    assert search in done.err
    assert said in done.err
    assert done.err.count("\n") == 1


def test_the_minimax_is_held_against_ours_with_the_same_heuristic(verify):
    words = ("mine.py:Minimax", "mine.py:AlphaBeta", *QUICK, "--json")
    right = verify(*words, "--heuristic", "mine.py:evaluate")
    rows = json.loads(right.out)["depths"]
    assert (right.code, len(rows)) == (0, 4)
    ours = [row for row in rows if row["reference"] == "minimax:heuristic=mine.py:evaluate"]
    assert [(row["search"], row["nodes"]) for row in ours] == [
        ("mine.py:Minimax", row["reference_nodes"]) for row in ours
    ]
    other = verify(*words, "--heuristic", "powers-of-ten")
    assert other.code == 1
    assert [each["reference"] for each in json.loads(other.out)["differences"]] == ["minimax:heuristic=powers-of-ten"]


def test_a_heuristic_beside_agents_runs_in_a_process_of_its_own(verify, tmp_path):
    (tmp_path / "ends.py").write_text("import os\n\n\ndef evaluate(own, opp):\n    os._exit(3)\n")
    done = verify(
        "mine.py:Minimax", "mine.py:AlphaBeta", "--depth", 1, "--positions", 1, "--heuristic", "ends.py:evaluate"
    )
    assert done.code == 2
    assert "exit code 3" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["mine.py:Minimax"], "verify takes two searches, minimax and the one that prunes, not 1"),
        (["minimax", "alphabeta", "--ordering", "centre"], "--ordering cannot be combined with agents"),
    ],
)
def test_what_does_not_go_together_is_one_line(verify, words, said):
    done = verify(*words)
    assert (done.code, done.out, done.err) == (2, "", f"arena: {said}\n")


def test_a_search_that_takes_a_draw_for_a_loss_is_shown_the_full_board_though_both_searches_agree(verify, tmp_path):
    drawn = "0 if board.outcome.winner is None else"
    assert drawn in RIGHT
    (tmp_path / "drawn.py").write_text(RIGHT.replace(drawn, ""))
    done = verify("drawn.py:Minimax", "drawn.py:AlphaBeta", "--positions", 6, "--depth", 1, "--quiet", "--in-process")
    assert done.code == 1
    assert "same value and same move in all 6 searches" in done.out
    lines = [line for line in done.err.splitlines() if line.startswith("wrong at the end of the game: after ")]
    assert [line.split(" at depth 1 ")[1] for line in lines] == [
        f"drawn.py:{name} has value -999999, but the board fills up: a draw, worth 0".replace("-999999", value)
        for name, value in (("Minimax", "999999"), ("AlphaBeta", "999999"))
    ]
    document = json.loads(verify("drawn.py:Minimax", "drawn.py:AlphaBeta", *QUICK, "--json").out)
    assert (document["agree"], document["differences"], len(document["endings"])) == (False, [], 2)


def test_check_shows_it_too(arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    drawn = "0 if board.outcome.winner is None else"
    for name, text in (("drawn", RIGHT.replace(drawn, "")), ("right", RIGHT)):
        Path(f"{name}.py").write_text(text)
        done = arena("check", f"{name}.py:AlphaBeta", "--positions", 8, "--quiet")
        said = "at depth 1 it has value 999999, but the board fills up: a draw, worth 0\n "
        assert (done.code, said in done.err) == ((1, True) if name == "drawn" else (0, False))


@pytest.mark.parametrize("rules", [STANDARD, Rules(4, 4, 4), Rules(5, 4, 3)])
def test_positions_before_the_end_are_won_drawn_and_lost_as_a_slow_search_says(rules):
    boards = endings(rules, 1)
    assert {rules.columns * rules.rows - board.ply for board in boards} <= {1, 2, 3}
    assert boards

    def results(board):
        if board.outcome is not None:
            yield board.outcome.winner
        else:
            for column in board.legal_moves():
                yield from set(results(board.play(column)))

    for board in boards:
        others = set(results(board))
        assert exact(board) != 1 or board.mover in others
        assert exact(board) != 0 or None in others
        assert exact(board) != -1 or 1 - board.mover in others


def test_an_outcome_is_not_compared_with_a_number():
    outcome = Board.from_moves("1212121").outcome
    assert outcome == Outcome.FIRST_WINS
    assert outcome != Outcome.DRAW
    assert outcome is not None
    assert {outcome: 1}[Outcome.FIRST_WINS] == 1
    with pytest.raises(TypeError, match="compare its winner, 0, 1 or None for a draw"):
        assert outcome == 0
    with pytest.raises(TypeError, match="compare its winner"):
        assert outcome != 1
