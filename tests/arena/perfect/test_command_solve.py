import itertools
import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from arena.cli.output import Output
from arena.perfect import exercises
from arena.perfect import solve as solving
from arena.perfect import solved as solved_module
from arena.perfect.command_solve import command
from arena.perfect.solved import Solved

LATE = "162763511717327445577335341162225"  # the second player, who moves next, loses with the last but one disc


def solve(*words, stdin=None):
    return CliRunner().invoke(command, [*words], input=stdin)


def test_a_line_has_moves_score_nodes_and_microseconds():
    result = solve(LATE)
    moves, score, nodes, microseconds = result.stdout.split()
    assert (moves, score) == (LATE, "-1")
    assert int(nodes) > 0
    assert int(microseconds) > 0


def test_lines_of_stdin_are_solved_in_order():
    result = solve("-", stdin=f"\ufeff{LATE[:-1]} 5\n\n{LATE}\n\n")
    assert [line.rsplit(" ", 2)[0] for line in result.stdout.splitlines()] == [f"{LATE[:-1]} 5", f"{LATE} -1"]


def test_the_columns_of_a_position_are_worth_at_most_its_score():
    (row,) = json.loads(solve("--moves", "--json", LATE).stdout)
    assert row["outcome"] == "loss"
    assert max(score for score in row["columns"] if score is not None) == row["score"]
    assert [score is None for score in row["columns"]] == [LATE.count(str(column)) == 6 for column in range(1, 8)]
    (plain,) = json.loads(solve("--json", LATE).stdout)
    assert list(row) == [*plain, "columns"] == ["position", "score", "outcome", "nodes", "seconds", "columns"]


def test_what_cannot_be_solved_is_named():
    assert "already over" in str(solve("4142434").exception)
    assert "line 2: move 1: column 9 does not exist" in solve("-", stdin=f"{LATE}\n9\n").stderr
    over = CliRunner().invoke(command, ["-", "--json"], input=f"4142434\n{LATE}\n", standalone_mode=False)
    assert (over.return_value, [row["position"] for row in json.loads(over.stdout)]) == (2, [LATE])
    assert over.stderr.startswith("arena: line 1: ")


def test_each_board_has_the_worth_of_its_columns_below_it_and_stands_above_its_line():
    shown = solve("--show-board", "--moves", LATE).stdout.splitlines()
    assert [line.split() for line in shown if line.startswith(("column", "worth"))] == [
        ["column", *"1234567"], ["worth", "-", "-4", "-4", "-1", "-4", "-4", "-"],
    ]  # fmt: skip
    assert (shown[0].split(), shown[-1].split()[:2]) == ([*"O.....X"], [LATE, "-1"])
    assert shown[-1].endswith(" - -4 -4 -1 -4 -4 -")
    bare = solve("--show-board", LATE).stdout
    assert ("worth" in bare, bare.splitlines()[-1].startswith(f"{LATE} -1 ")) == (False, True)
    assert [row["position"] for row in json.loads(solve("--show-board", "--json", LATE).stdout)] == [LATE]


@pytest.mark.parametrize(("words", "hidden"), [([LATE], True), ([LATE] * 2, False), (["-"], False), (["-q"], True)])
def test_a_bar_is_shown_where_there_may_be_several_positions(monkeypatch, words, hidden):
    asked, bar = [], Output.bar
    monkeypatch.setattr(Output, "bar", lambda *given, **how: asked.append((given[1:], how)) or bar(*given, **how))
    monkeypatch.setattr(solving, "solve", lambda *_, **__: None)
    solve(*words)
    assert asked == [(("position",), {"leave": True, "hidden": hidden})]


def test_a_line_that_cannot_be_read_makes_the_code_and_the_others_are_solved(arena):
    done = arena("solve", "-", stdin=f"{LATE}\n9\n{LATE}\n")
    assert (done.code, [line.split()[1] for line in done.out.splitlines()]) == (2, ["-1", "-1"])
    assert arena("solve", "-", stdin=f"{LATE}\n").code == 0


def test_a_book_is_not_needed():
    with_book, without = (json.loads(solve("--json", *flag, LATE).stdout) for flag in ([], ["--no-book"]))
    assert with_book[0]["score"] == without[0]["score"]


@pytest.mark.parametrize("threads", ["1", "3"])
def test_positions_in_threads_are_told_in_their_order_up_to_the_first_mistake(threads):
    late = [LATE[:ply] for ply in range(len(LATE), 20, -1)]
    told = solve("--threads", threads, "--no-book", *late, "4142434", LATE)
    assert [line.split()[0] for line in told.stdout.splitlines()] == late
    assert "position '4142434': the game is already over" in str(told.exception)
    document = solve("--threads", threads, "--no-book", "--json", *late, "4142434", LATE).stdout
    assert [row["position"] for row in json.loads(document)] == late
    assert [row["position"] for row in json.loads(solve("--json", LATE, "4142434").stdout)] == [LATE]
    assert solve("--json", "4142434", LATE).stdout == ""
    alone = [solve(moves).stdout.split()[1] for moves in late]
    assert [line.split()[1] for line in told.stdout.splitlines()] == alone


RANDOM = ["solve", "--random", 30, "--plies", "4..10", "--board", "4x4", "--threads", 1]


def test_a_grade_reads_the_random_positions_that_the_command_prints(arena, tmp_path):
    as_json, as_text = arena(*RANDOM, "--json").out, arena(*RANDOM).out
    lines = [
        [row["position"], *("-" if score is None else str(score) for score in (row["score"], *row["columns"]))]
        for row in json.loads(as_json)
    ]
    assert [line.split(" ") for line in as_text.splitlines()] == lines
    assert len(lines) == 30
    assert any("-" in line for line in lines)
    (tmp_path / "a.json").write_text(as_json)
    (tmp_path / "a.txt").write_text(as_text)
    (tmp_path / "b.txt").write_text("".join(f"{position} {score}\n" for position, score, *_ in lines))
    words = ["grade", "alphabeta", "--depth", 2, "--board", "4x4", "--json", "--positions"]
    times = dict.fromkeys(("seconds", "seconds_low", "seconds_high", "meta"))
    expected = [row | times for row in json.loads(arena(*words, 30, "--plies", "4..10").out)]
    for name in ("a.json", "a.txt", "b.txt"):
        assert [row | times for row in json.loads(arena(*words, tmp_path / name).out)] == expected


def test_the_bar_of_random_positions_is_on_stderr_alone(arena):
    loud, quiet = arena(*RANDOM), arena(*RANDOM, "--quiet")
    assert loud.out == quiet.out
    assert quiet.err == ""


def test_an_interruption_is_told_beside_the_positions(arena, monkeypatch):
    whole = solving.solve_random(2, plies=range(4, 8), rules="4x4", threads=1)
    monkeypatch.setattr(solving, "solve_random", lambda *_, **__: replace(whole, interrupted=True))
    done = arena(*RANDOM)
    assert (done.code, done.out.count("\n")) == (130, 2)
    assert done.err.splitlines()[-1] == "interrupted after 2 of 30 positions"
    many = replace(whole, rows=whole.rows * 600, interrupted=True)
    monkeypatch.setattr(solving, "solve_random", lambda *_, **__: many)
    assert arena("solve", "--random", 9999).err.splitlines()[-1] == "interrupted after 1,200 of 9,999 positions"


@pytest.mark.parametrize("most", [0, 1, 7])
def test_random_positions_that_are_solved_before_an_interruption_are_kept_in_the_order_of_their_drawing(
    monkeypatch, most
):
    words = {"plies": range(4, 11), "rules": "4x4", "threads": 1}
    whole, solve_all = solving.solve_random(20, **words).rows, solved_module.solve_all

    def interrupted(*rest, **settings):
        answers = solve_all(*rest, **settings)
        yield from itertools.islice(answers, most)
        answers.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(exercises, "solve_all", interrupted)
    part = solving.solve_random(20, **words)
    assert (part.interrupted, len(part.rows)) == (True, most)
    assert part.rows == [row for row in whole if row in part.rows]
    others = [len(row.position) for row in whole if row not in part.rows]
    assert min((len(row.position) for row in part.rows), default=16) >= max(others), "the late ones are solved first"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--random", 3, "44"], "--random draws its positions: leave MOVES out"),
        (["--random", 3, "--show-board"], "--show-board does not go with --random"),
        (["--random", 3, "--no-book"], "--no-book does not go with --random"),
        (["--plies", "3"], "--plies draws positions with --random N, which is missing"),
        (["44", "--seed", "1"], "--seed draws positions with --random N, which is missing"),
        (["--random", 0], "--random"),
        (["--random", 9, "--board", "4x4", "--plies", "50"], "have 0 to 15 plies"),
        (["--random", 999, "--board", "4x4", "--plies", "1"], "only 2 different positions were found, not 999"),
    ],
)
def test_what_does_not_go_with_random_positions_is_refused_in_a_line(arena, words, message):
    result = arena("solve", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["label", "--count", "5"],
            "no such command: label; arena label is gone: arena solve --random N",
        ),
        (["solve", "--weak"], "--weak"),
        (["solve", "--table-size", "5"], "--table-size"),
    ],
)
def test_what_is_gone_names_the_near_way(arena, words, message):
    result = arena(*words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_an_interruption_is_told_on_stderr_beside_the_rows_that_are_done(arena, monkeypatch):
    row = Solved(LATE, -1, "loss", 90, 0.000_012_6, (None, -1, 0))

    def interrupted(boards, *, found, **_):
        for board in boards:
            found(board, row)
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "solve", interrupted)
    for words, many in ((["44"], "1 position"), (["44", "4"], "2 positions")):
        done = arena("solve", *words)
        assert (done.code, done.out.splitlines()) == (130, [f"{LATE} -1 90 13 - -1 0"] * len(words))
        assert done.err.splitlines()[-1] == f"interrupted after {many}"
        done = arena("solve", *words, "--json")
        assert (done.code, [each["nodes"] for each in json.loads(done.out)]) == (130, [90] * len(words))
