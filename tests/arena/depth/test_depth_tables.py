"""Depth tables of agents of one's own, by a clock that ticks as often as it is asked."""

import functools
import itertools
from types import SimpleNamespace

import pytest

from agents.agent import Analysis, Iteration
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.players.searcher import Searcher
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import parse
from arena.depth import cost as depths
from arena.depth.cost import call_seconds, depth_table, once, timed
from arena.games.entrants import entrants
from arena.games.searches import takes_depth
from arena.records import Interval

SMALL = Rules(5, 4)
FILE = """
from agents import Analysis
from agents.agent import Iteration


class Obeys:
    def choose(self, board, limits):
        depth = limits.depth or 7
        return Analysis(depth % 3, 10 * depth, depth, 3**depth)


class Made:
    def __init__(self, depth=2, extra=0):
        self.depth, self.extra = depth, extra

    def choose(self, board, limits):
        return Analysis(1, 5, self.depth, 4**self.depth + self.extra + board.ply)


class Trusted:
    def __init__(self, depth):
        self.depth = depth

    def choose(self, board, limits):
        return Analysis(2, 1)


class Fixed:
    def choose(self, board, limits):
        return Analysis(2, 9, nodes=70 + board.ply)


class Silent:
    def choose(self, board, limits):
        return Analysis(board.legal_moves()[-1])


class Told:
    def choose(self, board, limits):
        steps = tuple(Iteration(depth, 2**depth, 0.0, depth, 0) for depth in range(1, limits.depth + 1))
        return Analysis(0, limits.depth, iterations=steps)


class Chance:
    def choose(self, board, limits):
        return Analysis(limits.depth)


class Shallow:
    def choose(self, board, limits):
        return Analysis(0, 1, min(limits.depth, 2), 5)


class Proven:
    def choose(self, board, limits):
        return Analysis(0, 999_990, 1, 5 + limits.depth)


class Raises:
    def choose(self, board, limits):
        return 1 // 0 if limits.depth > 1 else Analysis(0, 0, 1, 2)


class Deaf:
    def __init__(self, depth=2):
        self.nodes = 30

    def choose(self, board, limits):
        return Analysis(1, 5, 0, self.nodes)


class Passing:
    def __init__(self, **settings): ...
    def choose(self, board, limits): ...


def choose(board, limits):
    return 0
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(FILE)
    return f"{tmp_path / 'mine.py'}:"


@pytest.fixture
def clock(monkeypatch):
    """A clock whose ticks last from 1 to 7 ms, in an order of their own."""
    ticks = itertools.accumulate(itertools.cycle((0.001, 0.003, 0.002, 0.007, 0.001, 0.002, 0.005)))
    found = functools.partial(next, ticks)
    monkeypatch.setattr(once, "__defaults__", (None, found))
    monkeypatch.setattr(depths, "time", SimpleNamespace(perf_counter=found))
    return found


BOARDS = [Board(SMALL), Board.from_moves("33", SMALL), Board.from_moves("12121", SMALL)]


TABLES = {
    "Obeys": [(1, 3, 2, 10), (3, 27, 1, 30)], "Made": [(1, 4, 2, 5), (3, 64, 2, 5)],
    "Made:extra=1": [(1, 5, 2, 5), (3, 65, 2, 5)], "Made:depth=3": [(1, 4, 2, 5), (3, 64, 2, 5)],
    "Deaf": [(None, 30, 2, 5)], "Deaf:depth=3": [(None, 30, 2, 5)], "Trusted:depth=2": [(1, 0, 3, 1), (3, 0, 3, 1)],
    "Fixed": [(None, 70, 3, 9)], "Silent": [(None, 0, 5, None)], "Told": [(1, 0, 1, 1), (3, 0, 1, 3)],
    "Chance": [(None, 0, 2, None)], "Proven": [(1, 6, 1, 999_990), (3, 8, 1, 999_990)], "choose": [(None, 0, 1, None)],
}  # fmt: skip
"""The rows of each agent on the empty board, asked to depths 1 and 3: depth, nodes, move and score."""


def table_of(mine, name, asked=(1, 3), boards=BOARDS[:2]):
    """Return the rows of an agent, what was said of it, and how often progress was told."""
    said, steps = [], []
    rows = depth_table([parse(f"{mine}{name}")], list(asked), boards, 60.0, lambda: steps.append(1), warn=said.append)
    return rows, said, len(steps)


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("name", TABLES)
def test_an_agent_of_ones_own_has_a_row_for_each_depth_that_it_searches_to(mine, name):
    rows, said, steps = table_of(mine, name)
    assert [(row.depth, row.nodes, row.move, row.score) for row in rows if row.position == ""] == TABLES[name]
    assert [row.position for row in rows] == [place for place in ("", "33") for _ in TABLES[name]]
    assert steps == 4 or TABLES[name][0][0] is None
    for row in rows:
        assert [row.seconds.value, row.seconds.low, row.seconds.high] == pytest.approx([0.002, 0.001, 0.005])
        assert (row.branching is None) == (row.depth is None or not row.nodes)
        assert row.nodes_per_second == (pytest.approx(row.nodes / 0.002) if row.nodes else None)
        minimax = {1: 6, 3: 156 if row.position == "" else 155}.get(row.depth)
        assert row.minimax_share == (pytest.approx(row.nodes / minimax) if minimax and row.nodes else None)
    words = "one row, without a depth" if TABLES[name][0][0] is None else "no states of" if not rows[0].nodes else ""
    assert all(words in line for line in said)
    assert bool(said) == bool(words)


@pytest.mark.usefixtures("clock")
def test_depths_are_asked_once_each_and_in_their_order(mine):
    rows, _, steps = table_of(mine, "Obeys", [3, 2, 2, 1])
    assert ([(row.position, row.depth) for row in rows], steps) == (
        [(place, depth) for place in ("", "33") for depth in (1, 2, 3)], 6
    )  # fmt: skip


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("name", "asked", "words"),
    [("Shallow", (1, 3), "searched to depth 2 when asked for 3"), ("Raises", (1, 3), "ZeroDivisionError")],
)
def test_an_agent_that_searches_less_or_fails_is_refused(mine, name, asked, words):
    with pytest.raises(InputError, match=words):
        table_of(mine, name, asked)
    assert [row.nodes for row in table_of(mine, "Shallow", (2,))[0]] == [5, 5]


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(("name", "fresh"), [("Obeys", [1]), ("Made", [1, 2, 3])])
def test_an_agent_is_fresh_at_its_first_depth_or_at_all_that_it_is_made_with(mine, monkeypatch, name, fresh):
    warm, asked = depths._warm, []

    def noted(agent, board, name, depth, *, fresh):
        asked.append((depth, fresh))
        return warm(agent, board, name, depth, fresh=fresh)

    monkeypatch.setattr(depths, "_warm", noted)
    table_of(mine, name)
    assert asked == [(depth, depth in fresh) for depth in (1, 2, 3)] * 2


def branching(nodes, depth):
    """Return the b of 1 + b + b² + … up to the depth that gives so many nodes."""
    low, high = 0.0, 99.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(middle**ply for ply in range(depth + 1)) < nodes else (low, middle)
    return low


@pytest.mark.usefixtures("clock")
def test_a_table_of_several_agents_has_means_over_positions_and_shares_of_minimax(mine):
    steps, said = [], []
    specs = [parse(each) for each in ("alphabeta:order=centre,depth=4", f"{mine}Fixed", "minimax",
                                      "alphabeta:order=centre", f"{mine}Obeys")]  # fmt: skip
    rows = depth_table(specs, [1, 2, 3], BOARDS, 60.0, lambda: steps.append(1), warn=said.append)
    minimax = {(row.position, row.depth): row.nodes for row in rows if row.agent == "minimax"}
    assert (len(minimax), minimax["", 2], minimax["", 3]) == (9, 31, 156)
    for row in rows:
        if row.depth is not None and row.nodes:
            assert row.minimax_share == pytest.approx(row.nodes / minimax[row.position, row.depth])
            assert row.branching == pytest.approx(branching(row.nodes, row.depth))
    means = {(row.agent, row.depth): row for row in depths.means(rows)}
    for (agent, depth), mean in means.items():
        nodes = [row.nodes for row in rows if (row.agent, row.depth) == (agent, depth)]
        assert mean.nodes == pytest.approx(sum(nodes) / len(nodes))
    assert ("minimax", 3) in means
    assert len({(row.agent, row.position, row.depth) for row in rows}) == 3 * 9 + 3


class Apart(SubprocessAgent):
    """A process agent without a process, which fails when it is asked for a depth."""

    _process, output = None, ""

    def __init__(self, fails):
        self.fails, self.asked, self.closed = fails, [], 0

    def prepare(self, rules):
        self.asked.append(str(rules))

    def new_game(self, seed):
        self.asked.append(seed)

    def choose(self, board, limits):
        self.asked.append((board.text, limits.depth, limits.nodes))
        if limits.depth == self.fails:
            raise Failure("crashed (SIGSEGV)", "exit code 3")
        return Analysis(0, 3, limits.depth, 5 * limits.depth)

    def close(self):
        self.closed += 1


@pytest.mark.usefixtures("clock")
def test_an_agent_that_fails_ends_its_own_rows(mine, monkeypatch):
    made = {"one": Apart(3), "two": Apart(0), "three": Apart(1)}
    monkeypatch.setattr(depths, "_up_to", lambda depth, spec: made.get(spec.text) or spec.build())
    specs = [*(parse("greedy").__class__(name, f"{mine}Obeys", {}) for name in made), parse("alphabeta")]
    faults = []
    rows = depth_table(specs, [1, 3], BOARDS[:2], 60.0, faults=faults)
    found = [(row.agent, row.position, row.depth, row.nodes) for row in rows if row.agent != "alphabeta"]
    both = [("two", place, depth, 5 * depth) for place in ("", "33") for depth in (1, 3)]
    assert found == [("one", "", 1, 5), *both]
    assert [row.depth for row in rows if row.agent == "alphabeta"] == [1, 3, 1, 3]
    assert [str(each) for each in faults] == [
        f"agent '{name}' on the empty board: exit code 3" for name in ("one", "three")
    ]
    assert [agent.closed for agent in made.values()] == [1, 1, 1]
    with pytest.raises(InputError, match="agent 'three' on the empty board: exit code 3"):
        depth_table(specs[2:], [1, 3], BOARDS[:2], 60.0)
    said, specs = [], [specs[2], *map(parse, (f"{mine}Fixed", f"{mine}Silent"))]
    rows = depth_table(specs, [1, 3], BOARDS[:2], 60.0, faults=faults, warn=said.append)
    assert [(row.agent.rpartition(":")[2], row.position, row.depth, row.nodes) for row in rows] == [
        ("Fixed", "", None, 70), ("Fixed", "33", None, 72), ("Silent", "", None, 0), ("Silent", "33", None, 0)
    ]  # fmt: skip
    assert [line.partition(": ")[0].rpartition(":")[2] for line in said] == [
        f"{name} has one row, without a depth" for name in ("Fixed", "Silent")
    ]
    assert [str(each) for each in faults[2:]] == ["agent 'three' on the empty board: exit code 3"]


@pytest.mark.usefixtures("clock")
def test_only_who_could_count_is_told_that_it_has_no_states(mine, monkeypatch):
    made, said = Apart(0), []
    made.choose = lambda board, limits: Analysis(0, 3, limits.depth)
    monkeypatch.setattr(depths, "_up_to", lambda depth, spec: made)
    specs = [parse(text) for text in ("cmd:ls", f"{mine}Obeys", "alphabeta", f"{mine}Told")]
    rows = depth_table(specs, [1, 2], BOARDS[:1], 60.0, warn=said.append)
    assert [row.nodes for row in rows] == [0] * 8
    [line] = said
    assert line == f"no states of {mine}Obeys, {mine}Told: let choose return Analysis(column, score, nodes=…)"
    for text in ("nodes=5", "seconds=5", "nodes=5,seconds=5"):
        depths.refuse_unsearchable([parse("minimax"), parse(f"{mine}Passing:{text}")], BOARDS)


def test_a_program_that_answers_alike_at_every_depth_gets_no_advice_for_python():
    asked = [("", depth, (5, 3, 0)) for depth in (1, 2)]
    said = "nodes, score and depth of its answers are the same at every depth"
    assert depths._unheeded(parse("cmd:ls"), asked) == said
    assert depths._unheeded(parse("cmd:ls"), asked[:1]) == ""
    assert depths._unheeded(parse("cmd:ls"), [*asked, *(("33", depth, (0, 3, 0)) for depth in (1, 2))]) == said
    assert depths._unheeded(parse("cmd:ls"), [*asked, ("33", 2, (9, 3, 0))]) == said
    for other in ((6, 3, 0), (5, 4, 0), (5, 3, 1)):
        assert depths._unheeded(parse("cmd:ls"), [*asked, ("33", 1, (5, 3, 0)), ("33", 2, other)]) == ""
    alike = depths._unheeded(parse("cmd:ls"), [("", depth, (0, 3, 0)) for depth in (1, 2)])
    assert alike == "its answers have no nodes, and are alike at every depth"
    assert depths._unheeded(parse("cmd:ls"), [("", 1, (5, 3, 0)), ("33", 1, (5, 3, 0))]) == "", "one depth"


def test_the_next_depth_is_bound_by_nodes_only_where_all_depths_have_reported_them():
    for seconds, nodes, counts, forbids in (
        (9.0, None, [50], False), (4.1, None, [1], True), (0.0, 350, [50], False), (9.0, 349, [50], True),
        (4.1, 10**6, [0, 5], True), (9.0, 1, [9, 0], False), (4.1, 10**6, [0, 0], True), (9.0, 1, [], False),
    ):  # fmt: skip
        assert depths._Bound(seconds, nodes, [0.0, 0.6], counts).forbids() == forbids, (seconds, nodes, counts)
    assert not depths._Bound(0.0, None).forbids(), "before the first depth"


def test_who_is_made_with_a_depth(mine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = ("Made", "Made:depth=3", "Trusted:depth=1", "Obeys", "choose")
    assert [takes_depth(parse(f"{mine}{name}")) for name in names] == [True, True, True, False, False]
    assert not any(takes_depth(parse(text)) for text in ("alphabeta", "alphabeta:depth=3"))
    (tmp_path / "passing.py").write_text(
        "class Bot:\n    def __init__(self, **settings): ...\n    def choose(self, board, limits): ...\n"
    )
    passing = [f"{tmp_path / 'passing.py'}:Bot{settings}" for settings in ("", ":depth=3", ":width=3")]
    assert [takes_depth(parse(text)) for text in passing] == [False, True, False]
    specs = [parse(f"{mine}{name}") for name in names] + [parse("alphabeta:depth=2"), parse("minimax")]
    assert depths.left_aside(specs, [2, 4]) == f"{mine}Made:depth=3 and 2 more"
    assert depths.left_aside(specs, [1, 3]) == "alphabeta:depth=2"
    assert depths.left_aside(specs, [1, 4]) == f"{mine}Made:depth=3 and 1 more"
    assert depths.left_aside(specs[-1:], [1]) == ""
    roster = tmp_path / "elsewhere"
    roster.mkdir()
    (roster / "mine.py").write_text(
        "class Bot:\n    def __init__(self, depth=1): ...\n    def choose(self, b, l): ...\n"
    )
    [inside] = entrants([str(roster)])
    assert takes_depth(inside)
    (roster / "mine.py").unlink()
    assert not takes_depth(inside)


def test_an_agent_of_ours_gets_the_depth_and_no_limit(mine):
    for text in ("alphabeta:order=centre", "alphabeta:order=centre,depth=2", "minimax"):
        agent = depths._up_to(5, parse(text))
        assert isinstance(agent, Searcher)
        assert agent.limits.depth == 5
    for text, limit in (("alphabeta:nodes=5", "nodes"), ("alphabeta:seconds=5", "seconds"),
                        ("alphabeta:depth=3,nodes=7,seconds=1", "nodes and seconds")):  # fmt: skip
        with pytest.raises(InputError, match=rf"agent '{text}': a depth table takes no limit of {limit}$"):
            depths.refuse_unsearchable([parse("minimax"), parse(text)], [])
    for text in ("random", "greedy", "perfect", "mcts"):
        with pytest.raises(InputError, match=rf"agent '{text}' has no depth to vary"):
            depths.refuse_unsearchable([parse("minimax"), parse(text)], [])
    assert type(depths._up_to(5, parse(f"{mine}Obeys"))).__name__ == "Obeys"


class Answers:
    """Answers with what it is told, one after the other, and keeps the limits that it was asked with."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def new_game(self, seed):
        self.asked.append(seed)

    def choose(self, board, limits):
        self.asked.append((limits.depth, limits.nodes))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def test_the_time_of_a_call_is_the_median_of_those_that_search_nothing(clock, monkeypatch):
    ends = Answers(Analysis(0, nodes=1))
    assert call_seconds(ends, Board()) == pytest.approx(0.002)
    assert ends.asked == [0, (1, 1)] * 26
    assert call_seconds(Answers(Analysis(0, nodes=1), Analysis(0, depth=1, nodes=1)), Board()) is None
    assert call_seconds(Answers(Analysis(0)), Board()) is None
    slower = functools.partial(next, itertools.accumulate(itertools.count(0.001, 0.001)))
    monkeypatch.setattr(depths, "time", SimpleNamespace(perf_counter=slower))  # each call takes 2 ms more than the last
    assert call_seconds(ends, Board()) == pytest.approx(0.028)
    assert call_seconds(Answers(Analysis(9, nodes=1)), Board()) is None


def test_how_deep_an_answer_says_it_searched(clock):
    board, left = Board(), Board.from_moves("5471256622612712662157437715763153533344")
    steps = (Iteration(1, 1, 0.0, 1, 0), Iteration(3, 9, 0.0, 1, 0))
    for answer, depth, fits in (
        (Analysis(0, 5, 3, 9), 3, True), (Analysis(0, 5, 2, 9), 3, False), (Analysis(0, 5, 4, 9), 3, True),
        (Analysis(0, 5), 3, True), (Analysis(0, 999_990, 2, 9), 3, True), (Analysis(0, -999_990, 2, 9), 3, True),
        (Analysis(0, None, 2, 9), 3, False), (Analysis(0, 5, 0, 9, (), steps), 3, True),
        (Analysis(0, 5, 0, 9, (), steps), 4, False), (Analysis(0, 5, 0, 9, (), steps), None, True),
    ):  # fmt: skip
        if fits:
            assert once(Answers(answer), board, "mine", depth).column == 0
        else:
            with pytest.raises(InputError, match=rf"^agent 'mine' searched to depth \d when asked for {depth}$"):
                once(Answers(answer), board, "mine", depth)
    assert once(Answers(Analysis(3, 5, 2, 9)), left, "mine", 5).depth == 2  # two cells are left
    asked = Answers(Analysis(0, 5, 3))
    once(asked, board, "mine", 3)
    once(asked, board, "mine")
    assert asked.asked == [0, (3, None), 0, (None, None)]


def test_repeated_answers_have_a_median(clock):
    found, seconds = timed(Answers(*(Analysis(0, each) for each in range(60))), Board(), "mine")
    assert found.score > 5
    assert seconds == Interval(pytest.approx(0.002), pytest.approx(0.001), pytest.approx(0.005))
