import json

import pytest
from click.testing import CliRunner

from arena.cli.commands.solve import command

LATE = "162763511717327445577335341162225"  # the second player, who moves next, loses with the last but one disc


def solve(*words, stdin=None):
    return CliRunner().invoke(command, ["--table", "1", *words], input=stdin)


def test_a_line_has_moves_score_nodes_and_microseconds():
    result = solve(LATE)
    moves, score, nodes, microseconds = result.stdout.split()
    assert (moves, score) == (LATE, "-1")
    assert int(nodes) > 0
    assert int(microseconds) > 0


def test_weak_answers_are_win_draw_or_loss():
    assert solve("--weak", LATE).stdout.split()[1] == "-1"
    assert solve("--weak", "").stdout.split()[0] == "1"  # the empty board has no moves to print


def test_lines_of_stdin_are_solved_in_order():
    result = solve("-", "--weak", stdin="\ufeff44 1\n\n4444\n\n")
    assert [line.rsplit(" ", 2)[0] for line in result.stdout.splitlines()] == ["44 1", "4444 1"]


def test_the_columns_of_a_position_are_worth_at_most_its_score():
    (row,) = json.loads(solve("--moves", "--json", LATE).stdout)
    assert row["outcome"] == "loss"
    assert max(score for score in row["columns"] if score is not None) == row["score"]
    assert [score is None for score in row["columns"]] == [LATE.count(str(column)) == 6 for column in range(1, 8)]


def test_what_cannot_be_solved_is_named():
    assert "already over" in str(solve("4142434").exception)
    assert "line 2: move 1: column 9 does not exist" in solve("-", stdin=f"{LATE}\n9\n").stderr


def test_a_book_is_not_needed():
    with_book, without = (json.loads(solve("--weak", "--json", *flag, LATE).stdout) for flag in ([], ["--no-book"]))
    assert with_book[0]["score"] == without[0]["score"]


@pytest.mark.parametrize("threads", ["1", "3"])
def test_positions_in_threads_are_told_in_their_order_up_to_the_first_mistake(threads):
    late = [LATE[:ply] for ply in range(len(LATE), 20, -1)]
    told = solve("--threads", threads, "--no-book", *late, "4142434", LATE)
    assert [line.split()[0] for line in told.stdout.splitlines()] == late
    assert "position '4142434': the game is already over" in str(told.exception)
    alone = [solve(moves).stdout.split()[1] for moves in late]
    assert [line.split()[1] for line in told.stdout.splitlines()] == alone
