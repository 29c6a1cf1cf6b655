import itertools
from contextlib import nullcontext

import pytest
from samples import ODD

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.score import WIN_BOUND
from agents.specs.kinds import KINDS
from agents.specs.registry import expand, parse
from arena.depth import cost as measure
from arena.depth.cost import Cost, depth_table
from arena.games import searches
from arena.table.cells import without_depth

EMPTY = [Board()]
DEPTHS = range(1, 7 if JIT else 4)
MINIMAX = [8, 57, 400, 2801, 19608, 137257]


def table(*specs, depths=DEPTHS, boards=EMPTY, budget=60.0):
    made = [each for text in specs for each in expand(text)]
    measure.refuse_unsearchable(made, boards)
    return depth_table(made, depths, boards, budget)


class Sleeper:
    """Takes as long as its clock says, three times as long with each ply, and tells its depth as nodes."""

    def __init__(self, monkeypatch, reports=True):
        self.now, self.reports = 0.0, reports
        self.searched = []
        for module in (measure, searches):
            monkeypatch.setattr(module, "decide", self.decide)
        monkeypatch.setattr(measure, "_up_to", lambda depth, spec: self)

    def decide(self, agent, board, conditions, clock):
        depth = conditions.limits.depth
        self.searched.append(depth)
        seconds = 0.001 * 3.0**depth
        self.now += seconds
        return measure.MoveRecord(0, 3, seconds, 0, depth, depth * self.reports)


def test_minimax_visits_every_position():
    rows = table("minimax:heuristic=zero")
    assert [row.nodes for row in rows] == MINIMAX[: len(DEPTHS)]
    assert [row.minimax_share for row in rows] == [1.0] * len(DEPTHS)
    assert [row.depth for row in rows] == list(DEPTHS)
    assert {row.agent for row in rows} == {"minimax:heuristic=zero"}


def test_a_row_for_each_agent_position_and_depth():
    boards = [Board(), Board.from_moves("44")]
    rows = table("minimax:heuristic=zero", "alphabeta:order=centre", depths=[3, 1], boards=boards)
    assert [(row.agent, row.position, row.depth) for row in rows] == [
        (agent, position, depth)
        for agent in ("minimax:heuristic=zero", "alphabeta:order=centre")
        for position in ("", "44")
        for depth in (1, 3)
    ]
    assert all(row.seconds.value > 0 for row in rows)
    assert all(row.minimax_share <= 1.0 for row in rows)


def test_an_agents_own_depth_is_left_aside_and_counts_once():
    rows = table("minimax:depth=4..6,heuristic=zero", "minimax:heuristic=zero", depths=[2])
    assert [(row.agent, row.nodes) for row in rows] == [("minimax:heuristic=zero", 57)]


def test_an_agent_of_ones_own_is_told_the_depth():
    rows = table(f"{ODD}:Deepening", depths=[2, 5])
    assert [(row.agent, row.depth, row.nodes) for row in rows] == [
        (f"{ODD}:Deepening", 2, 7),
        (f"{ODD}:Deepening", 5, 63),
    ]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "depth" in KINDS[kind].parameters])
def test_every_kind_with_a_depth_searches_as_deep_as_it_is_told(kind):
    nodes = [row.nodes for row in table(kind, depths=range(1, 8 if JIT else 3))]
    assert all(deeper > 1.5 * less for less, deeper in itertools.pairwise(nodes))


def test_a_proven_win_may_end_the_search_before_its_depth():
    boards = [Board.from_moves("444")]
    rows = table("alphabeta:order=centre,deepening=on", depths=[6 if JIT else 4], boards=[Board.from_moves("414141")])
    assert rows[0].score > WIN_BOUND
    assert table("minimax:heuristic=zero", depths=[1], boards=boards)[0].nodes == 8


def test_the_end_of_the_board_may_end_the_search_before_its_depth():
    almost_full = Board.from_moves("54712566226127126621574377157631535333444")
    assert table("alphabeta:deepening=on", depths=[3], boards=[almost_full])[0].nodes is not None


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (f"{ODD}:Shallow", ":Shallow' searched to depth 1 when asked for 2"),
        ("random", "agent 'random' has no depth to vary"),
        ("alphabeta:nodes=100", "takes no limit of nodes"),
        ("alphabeta:nodes=100,seconds=1", "takes no limit of nodes and seconds"),
        (f"{ODD}:Raises", ":Raises' on the empty board: ValueError: no idea"),
        (f"{ODD}:Nine", ":Nine' on the empty board: answered 9"),
        (f"{ODD}:CannotPrepare", ":CannotPrepare' cannot prepare for a 7x6x4 board: ValueError: not on this board"),
        (f"{ODD}:CannotBeMade", "cannot be made: ValueError: not today"),
    ],
)
def test_what_has_no_depth_or_fails_is_told(spec, message):
    with pytest.raises(InputError, match=message):
        table(spec)


def test_too_shallow_a_search_is_told_on_a_later_board_too():
    with pytest.raises(InputError, match=r":Shallow' searched to depth 1 when asked for 2"):
        table(f"{ODD}:Shallow", depths=[2], boards=[Board.from_moves("4453")])
    left = Board.from_moves("5471256622612712662157437715763153533344")
    for played, depth in ((left, 3), (left.play(3), 2)):
        with pytest.raises(InputError, match=r"depth 1 when asked for") if played is left else nullcontext():
            table(f"{ODD}:Shallow", depths=[depth], boards=[played])


def test_a_game_that_is_over_has_no_depth():
    with pytest.raises(InputError, match=r"position 1212121: the game is already over \(first player won\)"):
        table("minimax", boards=[Board(), Board.from_moves("1212121")])


def test_what_is_too_dear_is_skipped_and_not_dropped(monkeypatch):
    Sleeper(monkeypatch)
    rows = table("minimax", depths=range(1, 9), boards=[Board(), Board.from_moves("44")], budget=1.0)
    assert [row.nodes for row in rows] == [1, 2, 3, 4, 5, 6, None, None] * 2
    assert (rows[6], rows[14]) == (Cost("minimax", "", 7), Cost("minimax", "44", 7))


def test_a_first_row_that_is_too_dear_is_skipped_as_well(monkeypatch):
    sleeper = Sleeper(monkeypatch)
    assert [row.nodes for row in table("minimax", depths=[7, 20], budget=1.0)] == [None, None]
    assert max(sleeper.searched) == 6
    assert [row.nodes for row in table("minimax", depths=[5, 20], budget=1.0)] == [5, None]


def test_without_a_budget_only_the_first_depth_is_measured(monkeypatch):
    Sleeper(monkeypatch)
    steps = []
    rows = depth_table([parse("minimax")], [1, 2, 3], EMPTY, 0.0, lambda: steps.append(1))
    assert ([row.nodes for row in rows], len(steps)) == ([1, None, None], 3)


@pytest.mark.parametrize(
    ("bound", "reports", "nodes"),
    [
        (6, True, [1, None, None, None]), (7, True, [1, 2, None, None]), (13, True, [1, 2, None, None]),
        (14, True, [1, 2, 3, 4]), (14, False, [0, None, None, None]),
    ],
)  # fmt: skip
def test_a_bound_of_nodes_stands_in_place_of_the_budget_for_those_that_report_them(monkeypatch, bound, reports, nodes):
    sleeper, told = Sleeper(monkeypatch, reports), []
    rows = depth_table([parse("minimax")], [1, 2, 3, 4], EMPTY, 0.0, nodes=bound,
                       answered=lambda depth, record: told.append((depth, record.nodes)))  # fmt: skip
    assert [row.nodes for row in rows] == nodes
    assert told == [(depth, count) for depth, count in enumerate(nodes, 1) if count is not None]
    assert {*sleeper.searched} == {depth for depth, _ in told}
    for last in (3, 4):
        [row] = depth_table([parse("minimax")], [last], EMPTY, 0.0, nodes=bound)
        assert row.nodes == nodes[last - 1], "those in between count as well"


def test_only_searches_that_have_a_row_count_as_answered_with_a_value_or_without(monkeypatch):
    sleeper, told = Sleeper(monkeypatch), []
    monkeypatch.setattr(searches, "decide", lambda *asked: sleeper.decide(*asked)._replace(score=None))
    boards = [Board(), Board.from_moves("44")]
    rows = depth_table([parse("minimax")], [4, 2], boards, 1.0,
                       answered=lambda depth, record: told.append((depth, record.score)))  # fmt: skip
    assert told == [(2, None), (4, None)] * 2
    assert [(row.position, row.depth, row.move, row.score) for row in rows] == [
        (place, depth, 4, None) for place in ("", "44") for depth in (2, 4)
    ]
    assert {*sleeper.searched} == {1, 2, 3, 4}


def test_the_time_of_a_call_is_only_taken_where_a_search_is_short(monkeypatch):
    Sleeper(monkeypatch)
    monkeypatch.setattr(measure, "call_seconds", lambda *_: 1.0)
    assert [row.call_seconds for row in table("minimax", depths=[1, 2])] == [None, None]
    monkeypatch.setattr(measure, "CALLED", 0.009)
    assert [row.call_seconds for row in table("minimax", depths=[1, 2])] == [1.0, None]


def test_minimax_is_not_counted_where_that_takes_too_long():
    assert measure._minimax(Board(Rules(16, 3)), 10) is None
    assert measure._minimax(Board(STANDARD), 4) == 2801


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("minimax", "minimax"),
        ("minimax:depth=3", "minimax"),
        ("alphabeta:depth=3,order=centre", "alphabeta:order=centre"),
        ("alphabeta:order=centre,depth=3,heuristic=zero", "alphabeta:order=centre,heuristic=zero"),
        (f"{ODD}:Column:column=3", f"{ODD}:Column:column=3"),
    ],
)
def test_the_name_in_a_depth_table_has_no_depth(spec, name):
    assert without_depth(parse(spec).text) == name
