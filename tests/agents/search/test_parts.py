import os
import re
import shutil

import pytest
from searched import choose_by

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN_BOUND
from agents.search import compiled as parts


@pytest.mark.parametrize("compiled", [True, False])
def test_a_heuristic_is_a_plain_function_in_a_file(mine, compiled):
    evaluate = parts.heuristic(f"{mine}:evaluate", STANDARD, compiled=compiled).evaluate
    board = Board.from_moves("44441")
    assert evaluate(board.own, board.opp) == 0
    assert evaluate(1 << 21, 1) == 1
    assert evaluate(1, 7 << 21) == -3
    found = choose_by(mine, "evaluate", compiled=compiled)
    assert (found.score, found.column, found.pv) == (0, 3, (3, 3))


@pytest.mark.parametrize("compiled", [True, False])
def test_a_heuristic_can_be_made_for_the_size_of_the_board(mine, compiled):
    evaluate = parts.heuristic(f"{mine}:by_size()", Rules(5, 4), compiled=compiled).evaluate
    assert evaluate(1 << 10, 1) == 1
    assert evaluate(1 << 21, 1) == 0


def test_what_is_compiled_for_one_board_is_not_taken_for_another(mine):
    for columns in (7, 5, 6):
        evaluate = parts.heuristic(f"{mine}:width()", Rules(columns, 4)).evaluate
        assert evaluate(0, 0) == columns


def test_a_file_that_is_edited_is_read_again(copied):
    assert parts.heuristic(f"{copied}:huge", STANDARD).evaluate(0, 1) == 1 - WIN_BOUND
    times = copied.stat()
    copied.write_text(copied.read_text().replace("else -(10**12)", "else +(10**12)"))
    os.utime(copied, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert parts.heuristic(f"{copied}:huge", STANDARD).evaluate(0, 1) == WIN_BOUND - 1


def test_compiled_code_is_kept_for_the_constants_that_it_was_compiled_with(copied, tmp_path):
    for folder, weight in (("a", 1), ("b", 2), ("c", 1)):  # as in one folder, one process after the other
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "weights.txt").write_text(f"{weight}")
        file = shutil.copy(copied, tmp_path / folder / "mine.py")
        assert parts.heuristic(f"{file}:weighted", STANDARD).evaluate(1, 0) == weight


@pytest.mark.parametrize("compiled", [True, False])
def test_a_heuristic_is_kept_from_looking_like_a_proven_win(mine, compiled):
    evaluate = parts.heuristic(f"{mine}:huge", STANDARD, compiled=compiled).evaluate
    assert evaluate(1, 0) == WIN_BOUND - 1
    assert evaluate(0, 1) == 1 - WIN_BOUND


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_cannot_be_compiled_gets_one_line_and_the_way_out(mine):
    with pytest.raises(InputError) as error:
        choose_by(mine, "uncompilable")
    message = str(error.value)
    line = mine.read_text().splitlines().index('    return json.loads("1")') + 1
    assert message.startswith(f"heuristic '{mine}:uncompilable' cannot be compiled: {mine} line {line}: ")
    assert message.endswith("; compiled=no runs it as plain Python")
    assert "\n" not in message
    assert len(message) < 500


def test_what_cannot_be_compiled_runs_as_plain_python(mine):
    assert choose_by(mine, "uncompilable", compiled=False).nodes > 8


@pytest.mark.parametrize("compiled", [True, False])
def test_an_error_in_a_heuristic_ends_the_search(mine, compiled):
    with pytest.raises(ZeroDivisionError):
        choose_by(mine, "impatient", compiled=compiled)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", ["three", "odd_size()"])
def test_a_heuristic_with_the_wrong_parameters_is_refused(mine, name, compiled):
    with pytest.raises(InputError, match=rf"{re.escape(name)}' must be a function of own, opp$"):
        choose_by(mine, name, compiled=compiled)
    with pytest.raises(InputError, match=r"evaluate' must be a function of own, opp, column$"):
        choose_by(mine, "evaluate", order=f"{mine}:evaluate", compiled=compiled)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(("name", "what"), [("half", "a fraction: .*"), ("nothing_at_all", "nothing: .*")])
def test_a_compiled_heuristic_that_returns_no_whole_number_is_refused(mine, name, what):
    with pytest.raises(InputError, match=rf"{name}' must return a whole number, .* it returns {what}$"):
        choose_by(mine, name)


@pytest.mark.parametrize("name", ["half", "nothing_at_all"])
def test_a_plain_heuristic_that_returns_no_whole_number_ends_the_search(mine, name):
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        choose_by(mine, name, compiled=False)


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_numba_does_not_even_parse_is_told_in_one_line(mine):
    with pytest.raises(
        InputError, match=r"cannot be compiled: .*: Use of unsupported opcode .* runs it as plain Python$"
    ):
        choose_by(mine, "classy")


def test_a_missing_function_is_named(mine):
    with pytest.raises(InputError, match=r"has no function or class 'nothing'$"):
        choose_by(mine, "nothing")


@pytest.mark.parametrize("compiled", [True, False])
def test_an_ordering_is_a_plain_function_in_a_file(mine, compiled):
    found = choose_by(mine, "evaluate", depth=1, compiled=compiled, order=f"{mine}:rightmost")
    assert found.column == 3
    agent = Searcher(heuristic="zero", depth=1, compiled=compiled, order=f"{mine}:rightmost")
    assert agent.choose(Board(), Limits()).column == 6


def test_a_score_breaks_its_ties_centre_first():
    assert parts.ordering("open-windows", STANDARD).columns == (3, 2, 4, 1, 5, 0, 6)


def test_numbas_colours_do_not_hide_the_line(copied):
    from agents.jit.user_code import _explained
    from agents.specs.plugins import find

    coloured = '\x1b[1mCannot do it\x1b[0m\n\x1b[1mFile "mine.py", line \x1b[34m7:\x1b[0m'
    message = str(
        _explained("heuristic", f"{copied}:evaluate", find("heuristic", f"{copied}:evaluate", {}), ValueError(coloured))
    )
    assert message.startswith(f"heuristic '{copied}:evaluate' cannot be compiled: {copied} line 7: ")


@pytest.mark.parametrize("name", [".#mine.py", "dangling.py", "folder.py", "latin.py", "#mine.py#", ".mine.py.swp"])
def test_what_an_editor_or_a_user_leaves_beside_a_heuristic_does_not_stop_it(copied, name):
    beside = copied.with_name(name)
    if name in {".#mine.py", "dangling.py"}:
        beside.symlink_to("me@here.1234:1700000000")
    elif name == "folder.py":
        beside.mkdir()
    else:
        beside.write_bytes(b"caf\xe9 = '")
    assert parts.heuristic(f"{copied}:evaluate", STANDARD).evaluate(1 << 21, 1) == 1


def test_a_heuristic_as_its_author_wrote_it_is_neither_clamped_nor_converted(mine):
    huge = parts.plain_heuristic(f"{mine}:huge", STANDARD)
    assert (huge(1, 0), huge(0, 1)) == (10**12, -(10**12))
    assert parts.plain_heuristic(f"{mine}:half", STANDARD)(1, 0) == 0.5
    assert parts.plain_heuristic(f"{mine}:weighing(40)", STANDARD)(1, 2) == 23
    assert parts.plain_heuristic("windows(1,2,3,4)", STANDARD)(0b1111, 0) > 0


def test_parts_of_the_table_are_made_once_for_a_board_and_those_of_users_each_time(mine):
    other = Rules(5, 4)
    for make, name, own in ((parts.heuristic, "zero", "evaluate"), (parts.ordering, "centre", "rightmost")):
        assert make(name, STANDARD) is make(name, STANDARD)
        assert make(name, STANDARD) is not make(name, other)
        assert make(name, STANDARD, compiled=False) is not make(name, STANDARD)
        assert make(f"{mine}:{own}", STANDARD) is not make(f"{mine}:{own}", STANDARD)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_mark_of_bounds_counts_for_the_parts_of_the_table_alone(tmp_path, compiled):
    path = tmp_path / "marked.py"
    path.write_text("def evaluate(own, opp):\n    return 10**9\nvars(evaluate)['most'] = 5\n")
    assert parts.heuristic(f"{path}:evaluate", STANDARD, compiled=compiled).evaluate(1, 0) == WIN_BOUND - 1


@pytest.mark.parametrize(
    ("value", "clamped"),
    [(WIN_BOUND, WIN_BOUND - 1), (WIN_BOUND - 1, WIN_BOUND - 1), (-WIN_BOUND, 1 - WIN_BOUND),
     (1 - WIN_BOUND, 1 - WIN_BOUND), (0, 0), (WIN_BOUND + 1, WIN_BOUND - 1)],
)  # fmt: skip
def test_values_end_one_below_a_proven_win(tmp_path, value, clamped):
    path = tmp_path / "fixed.py"
    path.write_text(f"def evaluate(own, opp):\n    return {value}\n")
    assert parts.heuristic(f"{path}:evaluate", STANDARD, compiled=False).evaluate(1, 0) == clamped


def test_a_score_of_a_users_ordering_is_a_whole_number(tmp_path):
    path = tmp_path / "order.py"
    path.write_text("def half(own, opp, column):\n    return column / 2\ndef made(rules):\n    return (0, 1)\n")
    score = parts.ordering(f"{path}:half", STANDARD, compiled=False).score
    with pytest.raises(TypeError):
        score(0, 0, 1)
    with pytest.raises(InputError, match=r"made\(\)' must be a function of own, opp, column$"):
        parts.ordering(f"{path}:made()", STANDARD)  # two columns of seven
    assert parts.ordering(f"{path}:made()", Rules(2, 4)).columns == (0, 1)


@pytest.mark.parametrize(
    "columns", ["(0, 0, 1)", "(1, 2, 3)", "(0, 1, 2, 2)", "(0, 2)", "()", "[0, 1, 2]", "(0, 2, -2)"]
)
def test_a_fixed_order_names_each_column_of_the_board_once(tmp_path, columns):
    path = tmp_path / "order.py"
    path.write_text(f"def made(rules):\n    return {columns}\ndef fine(rules):\n    return 2, 0, 1\n")
    with pytest.raises(InputError) as raised:
        parts.ordering(f"{path}:made()", Rules(3, 4))
    assert str(raised.value) == f"ordering '{path}:made()' must be a function of own, opp, column"
    assert parts.ordering(f"{path}:fine()", Rules(3, 4)).columns == (2, 0, 1)
    with pytest.raises(InputError, match=r"fine\(\)' must be a function of own, opp$"):
        parts.heuristic(f"{path}:fine()", Rules(3, 4))


@pytest.mark.parametrize("name", ["max", "dict", "abs", "iter"])
def test_a_function_of_pythons_is_a_part_only_with_the_parameters_of_one(tmp_path, name):
    path = tmp_path / "built.py"
    path.write_text(f"f = {name}\n")
    for make, takes in ((parts.heuristic, "own, opp"), (parts.ordering, "own, opp, column")):
        with pytest.raises(InputError, match=rf"built.py:f' must be a function of {takes}$"):
            make(f"{path}:f", STANDARD)
        with pytest.raises(InputError, match=r"built.py:f\(1\)' is no factory: its first parameter must be rules$"):
            make(f"{path}:f(1)", STANDARD)
