"""What would be compiled of a heuristic or an ordering, under which name, and in which folder; nothing is compiled."""

import pytest
from numba import types
from numba.core.errors import NumbaError

from agents.board import STANDARD, Rules
from agents.jit.compiler import CACHE_DIRECTORY, CHILDREN_SIGNATURE, EVALUATE_SIGNATURE, SCORE_SIGNATURE, SORT_SIGNATURE
from agents.jit.vectors import LANES, lanes_of
from agents.score import WIN, WIN_BOUND
from agents.search import compiled, kernel, most_fours, negamax, published
from agents.search.control import EVALUATE, FLAGS, PRUNE, SORT_MOVES, TERMINAL_SCORES

FILE = """
def evaluate(own, opp):
    return own & 7
def half(own, opp):
    return own / 2
def weighing(rules, w4, w3=17):
    def weighed(own, opp):
        return w4 * (own & 7) - w3
    return weighed
def order(own, opp, column):
    return column
def leaning(rules, right):
    def score(own, opp, column):
        return right * column
    return score
"""
BOARDS = STANDARD, Rules(7, 6, 5), Rules(8, 6), Rules(most_fours=True)
WIDE = Rules(14, 3, 3)


class Asked(list):
    """What was to be compiled; functions of `refused` names cannot be compiled for vectors."""

    refused = False


@pytest.fixture
def asked(monkeypatch):
    rows = Asked()

    def specialize(template, name, signature, *, inline=False, directory=CACHE_DIRECTORY, **constants):
        rows.append((template.__name__, name, signature, inline, directory, constants))
        if rows.refused and constants.get("STEP") == LANES:
            raise NumbaError("a branch")
        return lambda *_: name

    def jit(signature=None, *, inline=False, directory=CACHE_DIRECTORY):
        return lambda function: rows.append(("jit", signature, inline, directory)) or function

    def users(kind, text, function, signature):
        rows.append((kind, text, signature))
        return function

    for name, stand_in in (("JIT", True), ("specialize", specialize), ("jit", jit)):
        monkeypatch.setattr(compiled, name, stand_in)
    monkeypatch.setattr(compiled.user_code, "compiled", users)
    for name in ("heuristic", "ordering"):
        monkeypatch.setattr(compiled, f"_shared_{name}", getattr(compiled, f"_{name}"))
    return rows


@pytest.fixture
def files(tmp_path):
    """A user's file of the same content in two folders, and of one more function in a third."""
    found = []
    for folder, more in (("one", ""), ("two", ""), ("three", "def f(own, opp):\n    return 1\n")):
        (tmp_path / folder).mkdir()
        found.append(tmp_path / folder / "mine.py")
        found[-1].write_text(FILE + more)
    return found


def test_compiled_leaves_are_kept_by_heuristic_weights_and_board(asked, files, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled.user_code, "CACHE_DIRECTORY", tmp_path / "kernels")
    places = {}
    for rules in BOARDS:
        for text in ("zero", "powers-of-ten", "windows(1,2,3,4)", "windows(1,2,3,5)", f"{files[0]}:evaluate",
                     f"{files[0]}:weighing(40)", f"{files[0]}:weighing(41)"):  # fmt: skip
            if text.startswith("windows") and rules.connect != 4:
                continue
            asked.clear()
            part = compiled.heuristic(text, rules)
            before = len(asked)
            part.evaluate_children  # noqa: B018  compiled when it is first asked for
            part.evaluate_children  # noqa: B018
            [(template, name, signature, inline, folder, constants)] = asked[before:]
            assert (template, signature, inline) == ("evaluate_children", CHILDREN_SIGNATURE, False)
            assert constants["evaluate"] is part.evaluate
            assert name.endswith(f"-{rules}-lanes")
            assert places.setdefault(name, (text, rules)) == (text, rules)
            assert (folder == CACHE_DIRECTORY) == (":" not in text)
            if ":" in text:  # clamped by a copy of its own
                kind, copy = asked[0], asked[1]
                assert kind == ("heuristic", text, EVALUATE_SIGNATURE)
                assert copy[:5] == ("clamped", compiled.user_code.name_of(text, folder), None, True, folder)
                assert folder.parent == tmp_path
            else:
                assert asked[0] == ("jit", None, True, CACHE_DIRECTORY)
                clamped = [row[:5] for row in asked[1:before]]  # only what has no mark of its largest value
                expected = ("clamped", f"{text}-{rules}", None, True, CACHE_DIRECTORY)
                assert clamped == ([expected] if text == "zero" else [])
    assert len(places) == 7 * len(BOARDS) - 2


@pytest.mark.parametrize("rules", [Rules(7, 6, 7), Rules(9, 6, 6)], ids=str)
def test_a_heuristic_of_ours_that_may_outgrow_a_win_is_clamped_under_a_name_with_its_board(asked, rules):
    part = compiled.heuristic("powers-of-ten", rules)
    kernel, (template, name, signature, inline, folder, constants) = asked
    assert kernel == ("jit", None, True, CACHE_DIRECTORY)
    assert (template, name, signature, inline) == ("clamped", f"powers-of-ten-{rules}", None, True)
    assert folder == CACHE_DIRECTORY
    assert [*constants] == ["unbounded"]
    assert part.evaluate(0, 0) == f"powers-of-ten-{rules}"


def test_compiled_orders_are_kept_by_ordering_weights_and_board(asked, files, monkeypatch, tmp_path):
    monkeypatch.setattr(compiled.user_code, "CACHE_DIRECTORY", tmp_path / "kernels")
    places = {}
    for rules in BOARDS:
        for text in ("open-windows", "column-score", f"{files[0]}:order", f"{files[0]}:leaning(1)",
                     f"{files[0]}:leaning(-1)"):  # fmt: skip
            asked.clear()
            part = compiled.ordering(text, rules)
            [first] = asked
            own = ":" not in text
            assert first == (("jit", None, True, CACHE_DIRECTORY) if own else ("ordering", text, SCORE_SIGNATURE))
            part.sort_moves  # noqa: B018  compiled when it is first asked for
            [(template, name, signature, inline, folder, constants)] = asked[1:]
            assert (template, signature, inline) == ("sort_moves", SORT_SIGNATURE, False)
            assert constants["score"] is part.score
            assert places.setdefault(name, (text, rules)) == (text, rules)
            assert (folder == CACHE_DIRECTORY) == own
    assert len(places) == 5 * len(BOARDS)


def test_the_same_file_at_another_place_has_the_same_name_and_folder_and_another_file_others(asked, files):
    kept = []
    for file in files:
        asked.clear()
        compiled.heuristic(f"{file}:weighing(40)", STANDARD).evaluate_children  # noqa: B018
        compiled.ordering(f"{file}:order", STANDARD).sort_moves  # noqa: B018
        kept.append([row[1:5:3] for row in asked if len(row) == 6])
    assert kept[0] == kept[1]
    assert not {part for row in kept[2] for part in row} & {part for row in kept[0] for part in row}


def test_what_branches_is_compiled_for_words_and_tried_for_vectors_once_for_each_board(asked, tmp_path):
    asked.refused = True
    tried = []
    for name, rules in (("a", STANDARD), ("a", STANDARD), ("a", WIDE), ("b", STANDARD), ("a", WIDE), ("b", STANDARD)):
        asked.clear()
        compiled.compile_children(len, name, rules, tmp_path)
        tried.append([row[1] for row in asked])
        constants = asked[-1][5]
        assert {key: constants[key] for key in ("COLUMNS", "ROWS", "CONNECT", "BOTTOM", "CELLS", "WIDTH")} == {
            "COLUMNS": rules.columns, "ROWS": rules.rows, "CONNECT": rules.connect, "BOTTOM": rules.bottom,
            "CELLS": rules.cells, "WIDTH": 8 if rules is STANDARD else 16,
        }  # fmt: skip
        assert "STEP" not in constants
        assert constants["evaluate"] is len
        assert asked[-1][4] == tmp_path
    both, words = ([f"{name}-lanes", name] for name in ("a-7x6x4",)), ["a-7x6x4"]
    assert tried == [*both, words, ["a-14x3x3-lanes", "a-14x3x3"], ["b-7x6x4-lanes", "b-7x6x4"], ["a-14x3x3"],
                     ["b-7x6x4"]]  # fmt: skip
    assert len([*tmp_path.glob("*.branches")]) == 3
    asked.clear()
    compiled.compile_order(len, "a", STANDARD, tmp_path)  # another kernel by the same function
    assert [row[:2] for row in asked] == [("sort_moves", "a-7x6x4-lanes"), ("sort_moves", "a-7x6x4")]
    asked.clear()
    compiled.compile_children(len, "a", STANDARD, None)  # what cannot be noted is tried again
    compiled.compile_children(len, "a", STANDARD, None)
    assert len(asked) == 4


def test_plain_python_is_not_compiled_and_is_clamped_without_a_name(asked, files):
    for text, value in (("zero", 0), (f"{files[0]}:weighing(0,w3=-5)", 5)):
        part = compiled.heuristic(text, STANDARD, compiled=False)
        assert part.evaluate(0b1111, 0) == value
    with pytest.raises(TypeError):
        compiled.heuristic(f"{files[0]}:half", STANDARD, compiled=False).evaluate(4, 0)
    for text in ("open-windows", f"{files[0]}:order"):
        part = compiled.ordering(text, STANDARD, compiled=False)
        assert text == "open-windows" or part.score(0, 0, 3) == 3
    assert not asked


@pytest.mark.parametrize("rules", [Rules(9, 6, 5), Rules(5, 4, 3), Rules(8, 5, most_fours=True)], ids=str)
def test_each_search_is_compiled_for_its_board_and_finds_its_parts_in_its_memory(monkeypatch, asked, rules):
    for module in (negamax, published):
        monkeypatch.setattr(module, "specialize", compiled.specialize)
    monkeypatch.setattr(kernel, "address", lambda function, signature: PLACES[function, signature])
    for build in (negamax.build, published.build):
        build.cache_clear()
    heuristic = compiled.CompiledHeuristic(len, lambda: abs)
    ordering = compiled.CompiledOrdering((1, 0), None, lambda: ord)
    columns, rows, connect = rules.size
    constants = {
        "COLUMNS": columns, "ROWS": rows, "BOTTOM": rules.bottom, "CELLS": rules.cells, "WIDTH": lanes_of(columns),
    }  # fmt: skip
    searches = {
        "negamax": lambda: negamax.NegamaxSearch(rules, heuristic, ordering, PRUNE),
        "itu": lambda: published.ItuSearch(rules, heuristic), "oneil": lambda: published.OneilSearch(rules, ordering),
    }  # fmt: skip
    places = {"negamax": {EVALUATE: 1, SORT_MOVES: 2}, "itu": {EVALUATE: 3}, "oneil": {SORT_MOVES: 2}}
    for name, make in searches.items():
        length = rules.decisive if name == "negamax" else connect
        asked.clear()
        search = make()
        [(template, size, signature, inline, folder, named)] = asked
        assert (template, size, inline, folder) == (name, f"{columns}x{rows}x{length}", False, CACHE_DIRECTORY)
        assert signature.args == (types.int64,) * 7
        assert named == {**constants, "CONNECT": length}
        words = {place: int(search.memory[place]) for place in (EVALUATE, SORT_MOVES)}
        assert {place: word for place, word in words.items() if word} == places[name]
        assert search.memory[FLAGS] == (PRUNE if name == "negamax" else 0)
    for build in (negamax.build, published.build):
        build.cache_clear()


PLACES = {(abs, CHILDREN_SIGNATURE): 1, (ord, SORT_SIGNATURE): 2, (len, EVALUATE_SIGNATURE): 3}


@pytest.mark.parametrize("points", [0, 7])
def test_where_most_fours_win_leaves_are_valued_by_the_heuristic_or_counted(monkeypatch, points):
    rules, made = Rules(5, 4, 3, most_fours=True), []
    leaves, count = (lambda *_, number=number: number for number in range(2))

    def run(search, own, opp, depth, hash_move):
        made.append((search.memory[EVALUATE], depth, search.memory[FLAGS], hash_move))
        return WIN_BOUND * (1 - 2 * (depth % 2)), 3

    monkeypatch.setattr(negamax, "build", lambda *size: made.append(size))
    monkeypatch.setattr(most_fours, "last_cell", lambda *given: made.append(given) or count)
    monkeypatch.setattr(kernel.Search, "run", run)
    for module in (kernel, most_fours):
        monkeypatch.setattr(module, "address", lambda function, _: {leaves: 7, count: 8}.get(function, 0))
    heuristic = compiled.CompiledHeuristic(None, lambda: leaves)
    ordering = compiled.CompiledOrdering(tuple(range(5)), None, lambda: abs)
    own, opp = rules.cells >> 15, 0  # the columns on the left are full: what is left depends on the discs alone
    left = (rules.cells & ~own).bit_count()
    for flags in (TERMINAL_SCORES | PRUNE, PRUNE):
        made.clear()
        search = most_fours.MostFoursSearch(rules, heuristic, ordering, flags, points=points)
        assert made == [(5, 4, 0), (5, 4, 3, points)]
        for depth in (left - 1, left, left + 1):
            value, column = search.run(own, opp, depth, 2)
            assert column == 3
            assert value == (WIN - left) * (1 - 2 * (depth % 2))
            ends = flags & TERMINAL_SCORES and (depth > left if points else depth >= left)
            assert made.pop() == (8 if ends else 7, depth, PRUNE, 2)
