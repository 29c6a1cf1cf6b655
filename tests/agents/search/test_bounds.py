"""No heuristic's value is taken for a proven win: of ours, of users, with whatever weights, on whatever board."""

import random

import numpy as np
import pytest
from as_python import as_python
from samples import DATA

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.players.searcher import Searcher
from agents.score import WIN_BOUND, of_outcome, proven
from agents.search import compiled as parts
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.registry import parse

from .slow_search import SlowSearch

BOARDS = [
    "7x6",
    "4x4",
    "4x2",
    "1x5x5",
    "8x7x4",
    "9x6x5",
    "9x6x6",
    "7x6x7",
    "9x6x7",
    "7x7x7:most-fours",
    "15x3x7",
    "6x5x3",
]
LONG = [Rules.parse(text) for text in ("7x6x7", "7x6x7:most-fours", "9x6x6")]
WEIGHTS = {"windows": None, "aware": 6, "zugzwang": 9}
"""The heuristics that take weights, and how many."""
COMPILED = ["alphabeta", "alphabeta:table=on,pvs=on", "minimax", "mollerhoj"]
"""Agents whose search, and whose bound of values, is compiled for each board."""
JITTED = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def discs(rules, chance):
    """Return two sets of cells that do not overlap: any, dense for one side, or all of one side."""
    own = chance.choice([rules.cells, rules.cells & chance.getrandbits(64), rules.cells & ~(1 << chance.randrange(64))])
    own &= rules.cells
    opp = rules.cells & ~own & chance.choice([0, -1, chance.getrandbits(64)])
    return chance.choice([(own, opp), (opp, own)])


def usable(rules, chance):
    """Yield heuristics that this board allows, by name; those with weights with some of many sizes."""
    yield from complete(HEURISTICS)
    for name, number in WEIGHTS.items():
        for size in (10, 10**3, 10**5, 10**6):
            weights = [chance.randint(-size, size) for _ in range(number or rules.connect)]
            yield f"{name}({','.join(map(str, weights))})"


@pytest.mark.parametrize("board", BOARDS)
def test_a_heuristic_keeps_within_the_bound_that_it_notes(board):
    rules, chance = Rules.parse(board), random.Random(1)
    for text in usable(rules, chance):
        try:
            function = parts.resolve("heuristic", text, HEURISTICS, rules, ("own", "opp"))
        except InputError:
            continue
        most, function = vars(getattr(function, "py_func", function)).get("most", 0), as_python(function)
        assert most or text == "zero"
        for _ in range(40):
            assert abs(function(*discs(rules, chance))) <= most, text


@pytest.fixture
def nothing_compiled_in_python(monkeypatch):
    """Let what is left as Python call nothing compiled: what counts lines of seven takes 3 s."""
    plain = parts.plain_heuristic
    monkeypatch.setattr(parts, "plain_heuristic", lambda *words: as_python(plain(*words)))


@pytest.mark.parametrize("rules", LONG[:2], ids=str)
@pytest.mark.parametrize(
    ("name", "compiled"), [("powers-of-ten", True), ("powers-of-ten", False), ("line-runs", False), ("parity", False)]
)
@pytest.mark.usefixtures("nothing_compiled_in_python")
def test_a_value_that_outgrows_a_win_is_clamped(rules, name, compiled):
    evaluate = as_python(parts.heuristic(name, rules, compiled=compiled).evaluate)
    chance = random.Random(2)
    assert evaluate(rules.cells, 0) == WIN_BOUND - 1
    assert evaluate(0, rules.cells) == 1 - WIN_BOUND
    assert all(abs(evaluate(*discs(rules, chance))) < WIN_BOUND for _ in range(50))


@pytest.mark.parametrize(
    "rules", [LONG[0], *(pytest.param(rules, marks=pytest.mark.compiles) for rules in LONG[1:])], ids=str
)
@pytest.mark.parametrize(
    "spec",
    ["alphabeta:compiled=no", *(pytest.param(spec, marks=pytest.mark.compiles) for spec in COMPILED)],
)
@pytest.mark.usefixtures("nothing_compiled_in_python")
def test_a_search_proves_a_win_only_where_the_rules_hold_one(rules, spec):
    depth, chance = (3 if JIT else 2), random.Random(3)
    agent = parse(f"{spec}{',' if ':' in spec else ':'}depth={depth}").build()
    boards = [Board.from_moves("112131415162", rules)] if rules.connect == 7 else []
    while len(boards) < 25:
        board = Board(rules)
        for column in [column for column in range(rules.columns) for _ in range(rules.rows)]:
            if board.outcome is None and chance.random() < 0.9 and column in board.legal_moves():
                board = board.play(column)
        boards += [board] if board.outcome is None else []
    for board in boards:
        score = agent.choose(board, Limits()).score
        if spec == "mollerhoj" and not rules.most_fours:
            assert not proven(score)
        elif proven(score):
            slow = SlowSearch(
                lambda own, opp: 0, lambda board: board.legal_moves(), pruning=False,
                worth=lambda board, distance, left: of_outcome(board, distance),
            )  # fmt: skip
            assert slow.search(board, depth)[0] == score, board.text


EXTREME = DATA / "extreme_parts.py"
PLAIN = {"huge": False, "least": True, "wraps": False, "unsigned": True, "truth": False}
"""Its heuristics and orderings, named after the numbers that they return. Without --all they run as plain Python where
this is True, and compiled otherwise."""
RETURNED = [
    pytest.param(name, compiled, marks=[pytest.mark.compiles] * (compiled == plain))
    for name, plain in PLAIN.items()
    for compiled in (True, False)
]


@pytest.mark.parametrize(("name", "compiled"), RETURNED)
def test_no_extreme_number_of_a_users_heuristic_is_a_proof(name, compiled):
    agent = Searcher(heuristic=f"{EXTREME}:{name}", depth=3, compiled=compiled, table=compiled, pvs=compiled)
    with np.errstate(over="ignore"):
        for moves in ("", "4", "4453", "1212"):
            board = Board.from_moves(moves)
            found = agent.choose(board, Limits())
            assert not proven(found.score) or moves == "1212", moves
            assert found.column in board.legal_moves()


@pytest.mark.parametrize(("name", "compiled"), RETURNED)
def test_an_extreme_number_of_an_ordering_changes_no_value(name, compiled):
    plain = Searcher(heuristic="powers-of-ten", depth=4, order="centre")
    agent = Searcher(
        heuristic="powers-of-ten", depth=4, order=f"{EXTREME}:order_{name}", compiled=compiled, table=compiled
    )
    with np.errstate(over="ignore"):
        for moves in ("", "4453", "121277"):
            board = Board.from_moves(moves)
            assert agent.choose(board, Limits()).score == plain.choose(board, Limits()).score


@pytest.mark.parametrize("wrong", ["float('nan')", "0.5", "1e300", "None", "'7'"])
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("part", ["heuristic", "order"])
def test_what_is_no_whole_number_is_refused_wherever_it_comes_from(tmp_path, wrong, compiled, part):
    path = tmp_path / "wrong.py"
    path.write_text(f"def f(own, opp{', column' * (part == 'order')}):\n    return {wrong}\n")
    agent = Searcher(**{"heuristic": "zero", part: f"{path}:f"}, depth=2, compiled=compiled)
    with pytest.raises((InputError, TypeError)):
        agent.choose(Board(), Limits())


@JITTED
@pytest.mark.parametrize("order", ORDERINGS)
def test_the_orderings_of_the_table_fit_beside_their_columns(order):
    from agents.search.compiled import FARTHEST

    rules, chance = Rules(), random.Random(4)
    found = parts.ordering(order, rules).score
    for _ in range(200 if found else 0):
        own, opp = discs(rules, chance)
        assert all(abs(found(own, opp, column)) < FARTHEST for column in range(rules.columns))
