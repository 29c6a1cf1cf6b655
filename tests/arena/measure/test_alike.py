"""Look-alikes: the same code but for names and blanks, and the same answers."""

import pytest
from hand_ins import COPY, QUICK, SEARCH, quick

from agents.board import STANDARD
from agents.jit.compiler import JIT
from arena.measure import alike
from arena.measure.alike import FEWEST, fingerprint
from arena.measure.check import POSITIONS

CODE = """import random as chance

def pick(columns):
    '''Any.'''
    best = chance.choice(columns)
    return best
"""


def prints(tmp_path, *texts):
    """Return the fingerprints of files with these texts."""
    found = []
    for number, text in enumerate(texts):
        (tmp_path / f"file{number}.py").write_text(text)
        found.append(fingerprint(tmp_path / f"file{number}.py"))
    return found


@pytest.mark.parametrize(
    "other",
    [
        CODE.replace("best", "mine").replace("columns", "legal"),
        CODE.replace("pick", "take").replace("'''Any.'''", "# any of them"),
        CODE.replace("import random as chance", "import random").replace("chance", "random"),
        CODE.replace("\n\n", "\n\n\n").replace("(columns)", "( columns )"),
    ],
)
def test_names_comments_docstrings_and_blanks_make_no_difference(tmp_path, other):
    one, two = prints(tmp_path, CODE, other)
    assert one == two


@pytest.mark.parametrize(
    "other",
    [
        CODE.replace("choice", "sample"),
        CODE.replace("random as", "secrets as"),
        CODE.replace("return best", "return columns"),
        CODE.replace("best = ", "best = 3 + "),
    ],
)
def test_another_function_module_number_or_use_of_a_name_does(tmp_path, other):
    one, two = prints(tmp_path, CODE, other)
    assert one != two


def test_the_names_and_the_order_of_the_files_that_belong_together_make_no_difference(tmp_path):
    names, found = [f"part{number}" for number in range(6)], set()
    for folder in ("one", "other", "third"):
        (tmp_path / folder).mkdir()
        for number, name in enumerate(names):
            (tmp_path / folder / f"{name}.py").write_text(f"x = {number}\n")
        main = tmp_path / folder / f"{folder}.py"
        main.write_text("".join(f"import {name}\n" for name in names))
        found.add(fingerprint(main))
    assert len(found) == 1
    (tmp_path / "third" / "part3.py").write_text("x = 7\n")
    assert fingerprint(main) not in found


def test_methods_and_attributes_of_ones_own_may_have_other_names(tmp_path):
    one, two, three = prints(
        tmp_path, QUICK.format(author="A", **quick(1)), COPY.format(**quick(1)), COPY.format(**quick(2))
    )
    assert one == two
    assert one != three


def test_a_module_that_a_file_imports_counts_and_what_cannot_be_parsed_is_taken_as_it_is(tmp_path):
    (tmp_path / "rule.py").write_text("WEIGHT = 3\n")
    [one] = prints(tmp_path, "import rule\nprint(rule.WEIGHT)\n")
    (tmp_path / "rule.py").write_text("WEIGHT = 4\n")
    [two] = prints(tmp_path, "import rule\nprint(rule.WEIGHT)\n")
    assert one != two
    one, two, three = prints(tmp_path, "def (", "def  (", SEARCH.format(author="", weight=1, cuts="True"))
    assert len({one, two, three}) == 3


def test_two_that_answer_alike_look_alike_unless_a_built_in_agent_does_too(monkeypatch):
    monkeypatch.setattr(alike, "_built_in", lambda: iter(["random", "greedy"]))
    greedy = [*alike._asked("greedy", STANDARD, 40)]
    other = [(column + 1) % 7 for column in greedy]
    answers = {"a": greedy, "b": greedy, "c": other, "d": other, "e": [None] * 20 + other[20:]}
    found = alike.alike({name: name for name in answers}, answers, STANDARD)
    assert found == {"a": {}, "b": {}, "c": {"d": "answers"}, "d": {"c": "answers"}, "e": {}}
    assert alike.twin(greedy, STANDARD) == "greedy"


@pytest.mark.parametrize("place", [0, FEWEST - 1, FEWEST, FEWEST + 1, 100, POSITIONS - 1])
def test_two_that_leave_a_built_in_agent_in_any_one_position_look_alike(monkeypatch, place):
    monkeypatch.setattr(alike, "_built_in", lambda: iter(["random", "greedy"]))
    greedy = [*alike._asked("greedy", STANDARD, POSITIONS)]
    other = [(column + 1) % 7 if number == place else column for number, column in enumerate(greedy)]
    silent = [None if number == place else column for number, column in enumerate(greedy)]
    assert [alike.twin(each, STANDARD) for each in (greedy, other, silent)] == ["greedy", None, "greedy"]
    answers = {"a": other, "b": silent, "c": other, "d": silent}
    found = alike.alike({name: name for name in answers}, answers, STANDARD)
    assert {name: found[name].get(other) for name, other in zip("acbd", "cadb", strict=True)} == {
        "a": "answers", "c": "answers", "b": None, "d": None,
    }  # fmt: skip


@pytest.mark.skipif(not JIT, reason="a search of each kind takes minutes as plain Python")
def test_the_twin_of_a_search_is_found():
    text = "alphabeta:depth=2,order=left-to-right,heuristic=powers-of-ten"
    assert alike.twin([*alike._asked(text, STANDARD, 40)], STANDARD) == text
