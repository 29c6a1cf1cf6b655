"""What a heuristic that cannot be compiled does, in its author's words."""

import importlib.util
import linecache
import textwrap

import pytest

from agents import heuristics
from agents.jit.mistakes import WORDS, mistake

HEAD = "from agents.heuristics import popcount\nW = [3, 4]\nT = {1: 2}\n"
GRID = (
    "own and opp are whole numbers with a bit for each cell, not a grid: "
    "see 'The board as two words' in docs/heuristics.md"
)


@pytest.fixture
def explained(tmp_path):
    def explain(text, place=0):
        path = tmp_path / f"mine{len(list(tmp_path.iterdir()))}.py"
        path.write_text(HEAD + textwrap.dedent(text))
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        file, *found = mistake(module.evaluate, place)
        assert file == path or "lists_of_mine" in text
        return tuple(found)

    return explain


@pytest.mark.parametrize(
    ("body", "said", "runs"),
    [
        ("return own[3][2]", GRID, False),
        ("return len(own)", GRID, False),
        ("return own.count(1)", "own.count(1) → popcount(own), of agents.heuristics", True),
        ("return sum(cell for cell in opp)", GRID, False),
        ("return popcount(own) * W[0]", "write W = (3, 4) as a tuple", True),
        ("return T[1]", "T is a dict, which the compiler does not know: write tuples, or if", True),
        ("return bin(own & 7).count('1')", "bin(own & 7).count('1') → popcount(own & 7), of agents.heuristics", True),
        (
            "return format(own, 'b').count('1')",
            "format(own, 'b').count('1') → popcount(own), of agents.heuristics",
            True,
        ),
        ("return popcuont(own)", "popcuont is not defined: did you mean popcount?", False),
        ("return threats(own, opp)", "threats is not defined: from agents.heuristics import threats", False),
        ("return playble(own, opp)", "playble is not defined: did you mean playable?", False),
        ("return evaluat(own, opp)", "evaluat is not defined: did you mean evaluate?", False),
    ],
)
def test_each_mistake_has_its_sentence(explained, body, said, runs):
    assert explained(f"def evaluate(own, opp):\n    {body}\n") == (5, said, runs)


def test_functions_that_it_calls_are_looked_at_too_and_may_take_lists(explained):
    found = explained(
        "def helped(x):\n    return x[0] + W[0]\n\ndef evaluate(own, opp):\n    return helped((own, opp))\n"
    )
    assert found == (5, "write W = (3, 4) as a tuple", True)


def test_what_a_factory_closes_over_is_looked_at_too(explained):
    text = "def make(w):\n    def evaluate(own, opp):\n        return w[0]\n    return evaluate\n"
    text += "evaluate = make([[1], 2])\n"
    assert explained(text) == (6, "write w = ((1,), 2) as a tuple", True)


def test_an_import_within_a_function_belongs_to_the_top(explained):
    found = explained("def evaluate(own, opp):\n    import math\n    return 1\n")
    assert found == (5, "move `import math` to the top of the file", True)


def test_of_anything_else_the_line_is_quoted_and_what_the_compiler_knows(explained):
    line, said, runs = explained("def evaluate(own, opp):\n    return {own: 1}[own]\n", 5)
    assert (line, runs) == (5, True)
    assert said.startswith("the compiler cannot do `return {own: 1}[own]`: it knows whole numbers, ")


@pytest.mark.parametrize(
    "edited", ["x = '\0'\n", "def evaluate(:\n", "", "\n\n\ndef evaluate(own, opp):\n    return W\n"]
)
def test_a_file_that_was_edited_meanwhile_explains_nothing_but_stops_nothing(tmp_path, edited):
    path = tmp_path / "mine.py"
    path.write_text("W = [1]\ndef evaluate(own, opp):\n    return W\n")
    spec = importlib.util.spec_from_file_location("mine", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert mistake(module.evaluate)[:3] == (path, 3, "write W = (1,) as a tuple")
    path.write_text(edited)
    linecache.checkcache()
    found = mistake(module.evaluate)
    assert found[:2] == (path, 0)
    assert found[2].startswith("the compiler cannot do all that it does: it knows whole numbers, ")
    assert found[3]


def test_the_words_are_those_of_the_package():
    assert set(heuristics.__all__) == set(WORDS)


def test_a_mistake_in_a_function_of_a_file_beside_is_found_there(explained, tmp_path, monkeypatch):
    (tmp_path / "lists_of_mine.py").write_text("W = [1]\ndef weighed(x):\n    return x * W[0]\n")
    monkeypatch.syspath_prepend(tmp_path)
    text = "from lists_of_mine import weighed\ndef evaluate(own, opp):\n    return weighed(own)\n"
    assert explained(text, 6) == (3, "write W = (1,) as a tuple", True)


def test_functions_of_other_folders_are_their_authors_matter(explained, tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "lists_of_others.py").write_text("W = [1]\ndef weighed(x):\n    return x * W[0]\n")
    monkeypatch.syspath_prepend(tmp_path / "lib")
    text = "from lists_of_others import weighed\ndef evaluate(own, opp):\n    return weighed(own)\n"
    line, said, runs = explained(text, 6)
    assert (line, runs) == (6, True)
    assert said.startswith("the compiler cannot do `return weighed(own)`: it knows whole numbers, ")


@pytest.mark.parametrize(
    ("text", "line", "said", "runs"),
    [
        ("def evaluate(own, opp):\n    return sum(W)\n", 5, "write W = (3, 4) as a tuple", True),
        ("def evaluate(own, opp):\n    W = (1, 2)\n    return W[0]\n", 0, None, True),  # a name of its own
        ("def evaluate(own, opp):\n    return [x for x in (1, 2)]\n", 0, None, True),
        ("def evaluate(own, opp):\n    for cell in opp:\n        return 1\n", 5, GRID, False),
        ("def evaluate(own, opp):\n    return own.shape\n", 5, GRID, False),
        ("def evaluate(own, opp):\n    return sorted(own)\n", 5, GRID, False),
        ("def evaluate(own, opp):\n    return max(own, opp)\n", 0, None, True),  # of two numbers
        ("def evaluate(own, opp):\n    return 'x'.count('x')\n", 5, "'x'.count('x') → popcount('x'), of", True),
        ("def evaluate(own, opp):\n    return 1 if own in {1} else zzzz\n", 5, "zzzz is not defined", False),
        ("def evaluate(mine, other):\n    return mine[0]\n", 5, GRID.replace("own and opp", "mine and other"), False),
        ("def evaluate(own, opp):\n    def inner():\n        return own\n    return inner()\n", 0, None, True),
        (
            "@staticmethod\ndef other(a):\n    return 1\ndef evaluate(own, opp):\n    return T\n",
            8,
            "T is a dict,",
            True,
        ),
        (
            "def same(f):\n    return f\n@same\n@same\ndef evaluate(own, opp):\n    return T\n",
            9,
            "T is a dict,",
            True,
        ),
        (
            "def evaluate(own):\n    return 1\nother = evaluate\ndef evaluate(own, opp):\n    return W\n",
            8,
            "write W = (3, 4)",
            True,
        ),
        ("S = {1}\ndef evaluate(own, opp):\n    return own in S\n", 6, "S is a set, which the compiler", True),
        ("W = [1, [2, 3], 'x']\ndef evaluate(own, opp):\n    return W\n", 6, "write W = (1, (2, 3), 'x') as a", True),
        ("W = list(range(99))\ndef evaluate(own, opp):\n    return W\n", 6, "write W = (0, 1, 2, 3, 4, 5, ", True),
    ],
)
def test_what_is_a_mistake_and_what_is_none(explained, text, line, said, runs):
    found = explained(text)
    assert (found[0], found[2]) == (line, runs)
    assert found[1].startswith(said or "the compiler cannot do all that it does: it knows whole numbers, ")
    assert len(found[1]) < 200


def test_a_mistake_in_a_function_that_is_called_by_one_that_is_called_is_found_and_calls_in_circles_end(explained):
    text = "def a(x):\n    return b(x)\ndef b(x):\n    return a(x) if x else c(x)\ndef c(x):\n    return T[x]\n"
    assert explained(f"{text}def evaluate(own, opp):\n    return a(own)\n") == (
        9,
        "T is a dict, which the compiler does not know: write tuples, or if",
        True,
    )
