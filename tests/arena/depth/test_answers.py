"""What searches beside each other are asked, with agents that answer as they are told."""

import json
from contextlib import contextmanager, nullcontext
from dataclasses import replace

import pytest
from recorded import holds, plain, tried

from agents.agent import Analysis, Iteration
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import Spec, parse
from arena.depth import agreement
from arena.depth.agreement import answers, at_depth
from arena.games.check import Checked
from arena.position import position

SMALL = Rules(5, 4)
BOARDS = [Board.from_moves(moves, SMALL) for moves in ("", "3", "33", "12", "4", "45")]


class Scripted:
    """Answers with what a function of board and depth says, and keeps what it was asked."""

    def __init__(self, says):
        self.says, self.asked = says, []

    def prepare(self, rules):
        self.asked.append(f"prepare {rules}")

    def new_game(self, seed):
        self.asked.append(seed)

    def choose(self, board, limits):
        self.asked.append((board.text, limits.depth))
        return self.says(board, limits.depth)


class Apart(Scripted, SubprocessAgent):
    """The same as a process agent without a process."""

    _process, output, closed = None, "", 0

    def close(self):
        self.closed += 1


def right(board, depth):
    return Analysis(0, 10 * depth + board.ply, depth, 7 * depth)


def after(board, asked, *, fails=None, **changes):
    if fails == asked:
        raise Failure("crashed (SIGSEGV)", "exit code 3")
    return replace(right(board, asked), **changes)


SEARCHES = {
    "right": right,
    "another move": lambda board, depth: after(board, depth, column=1),
    "another value": lambda board, depth: after(board, depth, score=depth),
    "no value": lambda board, depth: after(board, depth, score=None),
    "no number": lambda board, depth: after(board, depth, score="much"),
    "too shallow": lambda board, depth: after(board, depth, depth=1),
    "too deep": lambda board, depth: after(board, depth, depth=depth + 1),
    "proven": lambda board, depth: after(board, depth, depth=1, score=999_990),
    "no depth": lambda board, depth: after(board, depth, depth=0),
    "iterations": lambda board, depth: after(board, depth, depth=0, iterations=(Iteration(depth, 1, 0.0, 1, 0),)),
    "wrong iterations": lambda board, depth: after(board, depth, depth=0, iterations=(Iteration(5, 1, 0.0, 1, 0),)),
    "the same": lambda board, depth: Analysis(0, board.ply, 0, 9),
    "the same without nodes": lambda board, depth: Analysis(depth, board.ply),
    "the same values": lambda board, depth: Analysis(0, board.ply, 0, depth),
    "fails": lambda board, depth: after(board, depth, fails=2),
}


def test_both_searches_are_asked_at_each_depth(monkeypatch, request):
    found = {}
    for name, says in SEARCHES.items():
        for boards in (BOARDS, BOARDS[:4]):
            made = {"one": Apart(right), "other": Apart(says)}

            @contextmanager
            def at_depth(spec, depth, rules, made=made):
                made[spec.text].asked.append((spec.text, depth, str(rules)))
                yield made[spec.text]

            monkeypatch.setattr(agreement, "at_depth", at_depth)
            specs = [replace(parse("greedy"), text=text) for text in made]
            told, steps = [], []

            def each(boards=boards, specs=specs, told=told, steps=steps):
                for one in answers(*specs, boards, (1, 2, 3), lambda: steps.append(1)):
                    told.append((one.board.text, one.depth, one.same_value, one.same_move, one.same))
                return "all"

            said = tried(each)
            found[f"{name} on {len(boards)}"] = [said, len(steps), len(told), sorted({each[1:] for each in told})]
            if name == "right":
                found[f"asked on {len(boards)}"] = made["other"].asked
    holds("agreement-asked", plain(found), request)


@pytest.mark.parametrize("depths", [(1, 2), (2, 5), (1, 4, 9)])
def test_the_depths_at_which_a_search_answers_alike_are_named(monkeypatch, depths):
    made = {"one": Apart(right), "other": Apart(SEARCHES["the same"])}
    monkeypatch.setattr(agreement, "at_depth", lambda spec, depth, rules: nullcontext(made[spec.text]))
    one, other = (replace(parse("greedy"), text=text) for text in made)
    said = f"other ignores the depth: it answers alike at depths {depths[0]} and {depths[1]}; {agreement.OBEY}"
    for pair in ((one, other), (other, one)):
        with pytest.raises(InputError) as raised:
            list(answers(*pair, BOARDS, depths))
        assert str(raised.value) == said


def test_an_agent_that_cannot_prepare_is_ended(tmp_path):
    made = Apart(right)
    made.prepare = lambda rules: 1 // 0
    spec = type("Built", (Spec,), {"build": lambda self: made})("free", f"{tmp_path / 'mine.py'}:Free", {})
    with pytest.raises(InputError, match="agent 'free' cannot prepare for a 5x4x4 board"), at_depth(spec, 2, SMALL):
        pass
    assert made.closed == 1


def test_an_agent_gets_its_depth_where_it_takes_it(tmp_path):
    (tmp_path / "mine.py").write_text(
        "class Made:\n    def __init__(self, depth=1):\n        self.depth = depth\n"
        "    def choose(self, board, limits): ...\n\n\nclass Free:\n    def choose(self, board, limits): ...\n"
    )
    for text, depth in ((f"{tmp_path / 'mine.py'}:Made", 4), (f"{tmp_path / 'mine.py'}:Made:depth=2", 4)):
        with at_depth(parse(text), 4, SMALL) as agent:
            assert agent.depth == depth
    with at_depth(parse(f"{tmp_path / 'mine.py'}:Free"), 4, SMALL) as agent:
        assert not hasattr(agent, "depth")
    with at_depth(parse("alphabeta:depth=9,order=centre"), 3, SMALL) as agent:
        assert (agent.limits.depth, agent.order) == (3, "centre")
    with at_depth(parse("greedy"), 3, SMALL) as agent:
        assert type(agent).__name__ == "Greedy"
    made = Apart(right)
    spec = type("Built", (Spec,), {"build": lambda self: made})("free", f"{tmp_path / 'mine.py'}:Free", {})
    with at_depth(spec, 2, SMALL):
        assert made.closed == 0
    assert (made.closed, made.asked) == (1, ["prepare 5x4x4"])


def test_heuristics_and_orderings_of_positions(tmp_path, request):
    found = {}
    for moves, rules in (("", STANDARD), ("4453", STANDARD), ("444444", STANDARD), ("12", SMALL), ("121", SMALL)):
        board = Board.from_moves(moves, rules)
        found[f"values after {moves} on {rules}"] = position.values(board, compiled=False)
        if rules == STANDARD:
            found[f"orders after {moves}"] = tried(position.orders, board)
        found[f"below {moves} on {rules}"] = list(position.divided(board, 2))
    (tmp_path / "mine.py").write_text("def score(own, opp, column):\n    return column // 2\n\n\n"
                                      "def fails(own, opp, column):\n    return 1 // (column - 2)\n\n\n"
                                      "def text(own, opp):\n    return 'much'\n")  # fmt: skip
    found["ties"] = position._called("ordering 'a'", Board(), lambda: 3.9)
    found["no number"] = tried(position._called, "heuristic 'a'", Board.from_moves("44"), lambda: "much")
    checked = Checked("a")
    checked.add("remark")
    found["a remark"] = checked.ok, checked.problems, checked.output
    holds("positions-valued", json.loads(json.dumps(plain(found)).replace(str(tmp_path), "")), request)
