import pytest
from samples import DATA

from agents.agent import Limits, prepare
from agents.board import STANDARD, Rules
from agents.errors import InputError
from agents.score import WIN_BOUND
from agents.specs.registry import parse
from arena.perfect.exercises import sample
from arena.plugins.tune.weighted import Family, Weighted, counts

SMALL = Rules(5, 4)


@pytest.fixture(scope="module")
def boards():
    return sample(8, 1, range(4, 16), SMALL)


@pytest.mark.parametrize(
    "text", ["windows(1,10,100,1000)", pytest.param("aware(40,17,15,4,2,13)", marks=pytest.mark.compiles)]
)
def test_weights_in_memory_search_like_weights_that_are_compiled(text, boards):
    family = Family.read(text)
    weighted = Weighted(family, SMALL)
    agent = parse(f"alphabeta:depth=2,heuristic={text}").build()
    agent.prepared = weighted.prepared
    for weights in (family.start, tuple(7 - 3 * place for place in range(len(family.start)))):
        weighted.set(weights)
        other = parse(f"alphabeta:depth=2,heuristic={family.text(weights)},compiled=no").build()
        prepare(other, SMALL, text)
        for board in boards:
            ours, theirs = agent.choose(board, Limits()), other.choose(board, Limits())
            assert (ours.column, ours.score, ours.nodes) == (theirs.column, theirs.score, theirs.nodes)


def test_counts_times_weights_are_the_value(boards):
    family = Family.read("aware(40,17,15,4,2,13)")
    evaluate = family.heuristic((3, -1, 4, 1, -5, 9), SMALL)
    for board, row in zip(boards, counts(family, boards), strict=True):
        assert evaluate(board.own, board.opp) == sum(w * c for w, c in zip((3, -1, 4, 1, -5, 9), row, strict=True))


def test_a_value_that_is_no_such_sum_is_told_apart(boards, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from agents.heuristics import popcount\n"
        "def squared(rules, a, b):\n    def evaluate(own, opp):\n        return a * a * popcount(own) - b\n"
        "    return evaluate\n"
        "def shy(rules, a, b):\n    if a < 1:\n        raise ValueError(a)\n"
        "    def evaluate(own, opp):\n        return a * popcount(own) + b\n    return evaluate\n"
        "def capped(rules, a, b):\n    def evaluate(own, opp):\n        return min(a, 200) * popcount(own) + b * opp\n"
        "    return evaluate\n"
        "def plain(rules, a, b=2):\n    def evaluate(own, opp):\n"
        "        return a * popcount(own) - b * popcount(opp)\n    return evaluate\n"
    )
    assert counts(Family.read(f"{path}:squared(3,b=2)"), boards) is None
    assert counts(Family.read(f"{path}:squared(1,b=2)"), boards) is None  # with other weights than these it differs
    assert counts(Family.read(f"{path}:shy(3,2)"), boards) is None
    assert counts(Family.read(f"{path}:capped(300,2)"), boards) is None
    assert counts(Family.read(f"{path}:capped(100,2)"), boards) == [
        [board.own.bit_count(), board.opp] for board in boards
    ]
    family = Family.read(f"{path}:plain(3,b=2)")
    assert counts(family, boards) == [[board.own.bit_count(), -board.opp.bit_count()] for board in boards]
    assert family.text((-4, 5)) == f"{path}:plain(-4,b=5)"


def test_what_has_no_weights_says_how_they_are_written():
    with pytest.raises(InputError, match="its weights are one,two,three,four"):
        Family.read("windows")
    with pytest.raises(InputError, match=r"'zero' has no weights to tune.*such as windows"):
        Family.read("zero")
    with pytest.raises(InputError, match="there must be 4 weights"):
        Family.read("windows(1,2)").heuristic((1, 2), STANDARD)


def test_weights_that_are_tried_make_no_proof_of_a_users_heuristic():
    weighted = Weighted(Family.read(f"{DATA / 'extreme_parts.py'}:weighing(3)"), STANDARD)
    for weight, value in ((10**6, WIN_BOUND - 1), (-(10**12), 1 - WIN_BOUND), (7, 7)):
        weighted.set((weight,))
        assert weighted.prepared.evaluate(2, 1) == value
        assert weighted.prepared.evaluate(1, 2) == 0
