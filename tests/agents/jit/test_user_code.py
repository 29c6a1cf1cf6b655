"""Functions of users' files, compiled: what they return, what they call, and what is said where that fails."""

import textwrap
from pathlib import Path

import pytest

from agents.errors import InputError
from agents.jit import compiler, user_code
from agents.jit.compiler import word
from agents.specs.plugins import find

EVALUATE = word(word, word)


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A function that writes a file of functions, and returns one of them by name."""
    monkeypatch.setattr(user_code, "CACHE_DIRECTORY", tmp_path / "compiled")
    (tmp_path / "mine").mkdir()

    def written(text, name="f", file="mine.py", **others):
        for other, source in others.items():
            (tmp_path / "mine" / f"{other}.py").write_text(textwrap.dedent(source))
        (tmp_path / "mine" / file).write_text(textwrap.dedent(text))
        return find("heuristic", f"{tmp_path}/mine/{file}:{name}", {})

    return written


def compiled(function, signature=EVALUATE):
    return user_code.compiled("heuristic", "mine.py:f", function, signature)


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("own - 2 * opp", [-3, 5, 0]),
        ("own > opp", [0, 1, 1]),
        ("not own", [0, 0, 1]),
        ("True", [1, 1, 1]),
        ("1 << 62", [1 << 62] * 3),
        ("(own & 5).bit_count() - (own - 9).bit_count()", [0, 1, -2]),
    ],
)
def test_a_whole_number_or_a_truth_value_is_a_word(mine, body, values):
    evaluate = compiled(mine(f"def f(own, opp):\n    return {body}\n"))
    found = [evaluate(own, opp) for own, opp in ((1, 2), (5, 0), (0, -0 if "2" in body else -1))]
    assert found == values
    assert {type(each) for each in found} == {int}


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("own / 2", "a fraction: write // in place of /, or int()"),
        ("1.0", "a fraction: write // in place of /, or int()"),
        ("None", "nothing: is a return missing?"),
        ("'four'", "a text"),
        ("'one' if own else 'four'", "a text"),
        ("(own, opp)", "something else"),
    ],
)
def test_whatever_else_is_returned_is_named(mine, body, what):
    with pytest.raises(InputError) as raised:
        compiled(mine(f"def f(own, opp):\n    return {body}\n"))
    assert str(raised.value) == (
        f"heuristic 'mine.py:f' must return a whole number, as int() makes one; it returns {what}"
    )


def test_what_it_calls_is_compiled_too_wherever_that_stands(mine, tmp_path):
    text = """
    from helper import thrice
    BASE = 100
    def less(number):
        return twice(number) - 1
    def twice(number):
        return number + number
    def f(own, opp):
        return less(own) + thrice(opp) + BASE
    """
    helper = "def thrice(number):\n    return 3 * once(number)\ndef once(number):\n    return number\n"
    function = mine(text, helper=helper)
    evaluate = compiled(function)
    assert [evaluate(own, opp) for own, opp in ((1, 0), (0, 1), (5, 7))] == [101, 102, 130]
    folders = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*.nbi")}
    assert folders >= {user_code.kept(function).name}
    assert all(name.startswith("compiled-user-") for name in folders)  # none beside our own kernels


def refused(function):
    with pytest.raises(InputError) as raised:
        compiled(function)
    assert "\n" not in str(raised.value)
    return str(raised.value).removeprefix("heuristic 'mine.py:f' cannot be compiled: ")


def test_functions_that_call_each_other_are_told_in_one_line(mine):
    text = "def f(own, opp):\n    return g(own, opp)\ndef g(own, opp):\n    return f(opp, own)\n"
    assert refused(mine(text)).startswith("mine.py line 2: Untyped global name 'g': Cannot determine Numba type of ")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return W[0] + D[1]", "line 5: Untyped global name 'D': Cannot determine Numba type of <class 'dict'>"),
        ("return own[0]", "line 5: No implementation of function Function(<built-in function getitem>) found for sig"),
        ("return json.loads('1')", "line 5: Unknown attribute 'loads' of type Module(<module 'json' from "),
        ("import math; return 1", "line 5: Use of unsupported opcode (IMPORT_NAME) found. Raised from "),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_numbas_words_with_the_line_and_plain_python_is_offered(mine, body, said):
    message = refused(mine(f"import json\nW = [1, 2]\nD = {{1: 2}}\ndef f(own, opp):\n    {body}\n"))
    assert message.startswith(f"mine.py {said}")
    assert message.endswith("; compiled=no runs it as plain Python")


def test_a_name_that_is_missing_would_not_run_as_plain_python_either(mine):
    assert refused(mine("def f(own, opp):\n    return popcnt(own)\n")) == (
        "mine.py: NameError: name 'popcnt' is not defined"
    )


def test_a_mistake_in_a_file_beside_is_placed_there_and_one_without_a_line_in_the_file(mine):
    helper = "def weighed(x):\n    return x + open('x')\n"
    function = mine("from helper import weighed\ndef f(own, opp):\n    return weighed(own)\n", helper=helper)
    assert refused(function).startswith("helper.py line 2: Untyped global name 'open': ")
    function = mine("def f(own, opp):\n    return own\n", file="fine.py")
    for text, line in (("fine.py:f", ""), ("sub/fine.py:make(1)", ""), ("sub/fine.py:f", " line 2")):
        error = ValueError("Cannot do it.\n" + 'File "/x/other.py", line 9: File "/x/fine.py", line 2' * bool(line))
        assert str(user_code._explained("ordering", text, function, error)) == (
            f"ordering {text!r} cannot be compiled: {text.rpartition(':')[0]}{line}: Cannot do it; "
            "compiled=no runs it as plain Python"
        )
    assert str(user_code._explained("ordering", "fine.py:f", function, ValueError())).startswith(
        "ordering 'fine.py:f' cannot be compiled: fine.py: ValueError; "
    )


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("No way.\nAnd more.", "No way"),
        ("Failed in nopython mode pipeline (step: x)\n\n  No way:\n  because so\nand more", "No way: because so"),
        ("No way:", "No way:"),
        ("x" * 199 + ".yz", "x" * 199),
        ("x" * 200 + "yz", "x" * 200),
        ("Failed in nopython mode", "ValueError"),
    ],
)
def test_of_numbas_explanation_a_line_is_quoted_or_two_after_a_colon(mine, said, quoted):
    function = mine("def f(own, opp):\n    return own\n")
    assert str(user_code._explained("ordering", "mine.py:f", function, ValueError(said))) == (
        f"ordering 'mine.py:f' cannot be compiled: mine.py: {quoted}; compiled=no runs it as plain Python"
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a/mine.py:f", "b/c/mine.py:f", True),
        ("a/mine.py:f(1)", "mine.py:f(1)", True),
        ("a/mine.py:f(1)", "a/mine.py:f(2)", False),
        ("a/mine.py:f(1)", "a/mine.py:f(w=1)", False),
        ("a/mine.py:f", "a/mine.py:g", False),
        ("a/mine.py:f", "a/mine.py:f()", False),
        ("a/mine.py:f", "a/yours.py:f", False),
        ("a.b:f", "b:f", False),
    ],
)
def test_a_name_in_the_cache_is_of_file_function_and_weights_wherever_the_file_lies(one, other, same):
    folder = Path("kernels-user-1")
    assert (user_code.name_of(one, folder) == user_code.name_of(other, folder)) == same
    assert len(user_code.name_of(one, folder)) == 16
    assert user_code.name_of(one, folder) == user_code.name_of(one, "elsewhere" / folder)
    assert user_code.name_of(one, folder) != user_code.name_of(one, Path("kernels-user-2"))


def test_what_is_no_function_or_stays_python_is_returned_as_it_is(mine, monkeypatch):
    function = mine("def f(own, opp):\n    return own / 2\n")
    monkeypatch.setattr(user_code, "JIT", False)
    assert compiled(function) is function
    monkeypatch.undo()
    ready = compiler.jit(EVALUATE)(lambda own, opp: own - opp)
    assert compiled(ready) is ready


def test_code_is_kept_apart_by_file_by_its_neighbours_and_by_every_constant(mine, tmp_path):
    text = (
        "import helper\nA = {a}\ndef g(own):\n    return own * A\ndef f(own, opp):\n    return [g(own) for _ in 'a']\n"
    )
    first = mine(text.format(a=1), helper="X = 1\n")
    folders = [user_code.kept(first)]
    assert folders == [user_code.kept(mine(text.format(a=1)))]
    assert folders[0].parent == tmp_path
    assert folders[0].name.startswith("compiled-user-")
    folders.append(user_code.kept(mine(text.format(a=2))))
    folders.append(user_code.kept(mine(text.format(a=2), file="copy.py")))
    folders.append(user_code.kept(mine(text.format(a=2), file="copy.py", helper="X = 2\n")))
    folders.append(user_code.kept(mine(text.format(a=2), file="copy.py", beside="# nothing\n")))
    (tmp_path / "mine" / "notes.txt").write_text("no code")
    assert user_code.kept(mine(text.format(a=2), file="copy.py")) == folders[-1]
    made = mine(text.format(a=2), file="copy.py")
    for value in (3, 3.0, "3", [3], (3,), {3: 3}, b"3", [lambda: 3]):
        made.__globals__["g"].__globals__["A"] = value  # as a file of weights may
        folders.append(user_code.kept(made))
    assert len({*folders}) == len(folders)
