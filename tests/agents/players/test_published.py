"""The published programs as agents: their moves, values and counts, wherever the rules agree with theirs."""

import pytest
from samples import over, published

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.players import itu_2012
from agents.players.itu_2012 import Itu2012
from agents.players.mollerhoj import Mollerhoj
from agents.players.oneil import Oneil
from agents.players.searcher import UNLIMITED
from agents.players.smart_connect4 import SmartConnect4
from agents.score import WIN, WIN_BOUND
from agents.search.control import PRUNE, TERMINAL_SCORES

from .slow_itu import SlowItu

MOLLERHOJ = [row for row in published("mollerhoj") if JIT or int(row["depth"]) < 3]
SMART = [row for row in published("smart_connect4") if JIT or int(row["depth"]) < 4]
ITU = [row for row in published("itu_2012") if JIT or int(row["cutoff"]) < 3]
ONEIL = [row for row in published("oneil") if JIT or len(row["moves"]) > 33]

FOUR_WITHIN_REACH = {
    "1226": 5,
    "424717651361271": 1,
    "4644775567647152671643": 3,
    "566117132": 4,
    "64132353373111711326762474564755": 1,
}
"""Rows of Smart-Connect4 left out under the standard rules, by position and from which depth on: it plays on."""
OVERLOOKED_FOUR = {
    ("1657155255622172311635361663273", "2"),
    ("1657155255622172311635361663273", "3"),
    ("1657155255622172311635361663273", "4"),
    ("4644775567647152671643", "4"),
}
"""Rows of the ITU program left out, by position and cut-off: a four on a diagonal through column 7 counts, and it
overlooks those."""
DRAW_MISTAKEN = {
    "34524117722547552373433256775416116631626",
    "413266117373214344176575512724367632645",
    "4132661173732143441765755127243676326452",
    "41326611737321434417657551272436763264525",
    "545232344424176123666155774317363772",
    "54523234442417612366615577431736377221516",
}
"""Rows of O'Neil's program left out: a full board decides, and its test for a draw is never true."""


def name(row):
    return "-".join(row[key] for key in ("moves", "heuristic", "pruning", "depth", "cutoff") if key in row)


def move_value_nodes(agent, moves, rules=STANDARD):
    found = agent.choose(Board.from_moves(moves, rules), Limits())
    assert found.pv[0] == found.column
    return found.column + 1, found.score, found.nodes


def published_answer(row):
    return int(row["column"]), int(row["value"]), int(row["nodes"])


def four_within(board, depth):
    if board.outcome is not None:
        return board.outcome.winner is not None
    return depth > 0 and any(four_within(board.play(column), depth - 1) for column in board.legal_moves())


@over("row", MOLLERHOJ, name)
def test_mollerhoj_equals_the_published_program_everywhere(row):
    agent = Mollerhoj(depth=int(row["depth"]), pruning=row["pruning"] == "on")
    assert move_value_nodes(agent, row["moves"]) == published_answer(row)


@over("row", SMART, name)
def test_smart_connect4_equals_the_published_program_where_most_fours_win(row):
    agent = SmartConnect4(depth=int(row["depth"]), heuristic=row["heuristic"], pruning=row["pruning"] == "on")
    assert move_value_nodes(agent, row["moves"], Rules(most_fours=True)) == published_answer(row)
    if int(row["depth"]) < FOUR_WITHIN_REACH.get(row["moves"], 6):
        assert move_value_nodes(agent, row["moves"]) == published_answer(row)


@pytest.mark.parametrize(("heuristic", "points"), [("simple", 4), ("aware", 40)])
def test_smart_connect4_values_a_full_board_by_what_its_heuristic_gives_for_a_four(heuristic, points):
    agent = SmartConnect4(heuristic=heuristic)
    assert (agent.heuristic, agent.order, agent.points) == (f"smart-{heuristic}", "centre", points)
    default = SmartConnect4()
    assert (default.heuristic, default.limits, default.flags) == ("smart-aware", Limits(5), PRUNE | TERMINAL_SCORES)
    assert SmartConnect4(pruning=False).flags == TERMINAL_SCORES


def test_smart_connect4_is_left_out_only_where_a_four_is_within_reach():
    for moves in {row["moves"] for row in SMART}:
        board = Board.from_moves(moves)
        least = FOUR_WITHIN_REACH.get(moves, 6)
        assert not four_within(board, least - 1)
        assert least == 6 or four_within(board, least)


@over("row", [row for row in ITU if (row["moves"], row["cutoff"]) not in OVERLOOKED_FOUR], name)
def test_itu_2012_equals_the_published_program_where_it_overlooks_no_four(row):
    value, leaf = int(row["value"]), int(row["leaf"])
    score = {WIN: WIN - leaf, -WIN: leaf - WIN}.get(value, value)
    assert move_value_nodes(Itu2012(cutoff=int(row["cutoff"])), row["moves"])[:2] == (int(row["column"]), score)


@over("row", [row for row in ITU if int(row["cutoff"]) < 4], name)
def test_a_slow_itu_search_that_overlooks_fours_equals_every_published_row(row):
    board = Board.from_moves(row["moves"])
    search = SlowItu(int(row["cutoff"]), overlooking=True)
    found = search.choose(board.own, board.opp)
    assert (*found, search.evals) == tuple(int(row[key]) for key in ("column", "value", "leaf", "evals"))


@over("row", [row for row in ITU if int(row["cutoff"]) < 4], name)
def test_itu_2012_equals_a_slow_search_that_sees_every_four(row):
    board = Board.from_moves(row["moves"])
    search = SlowItu(int(row["cutoff"]), overlooking=False)
    column, value, leaf = search.choose(board.own, board.opp)
    score = {WIN: WIN - leaf, -WIN: leaf - WIN}.get(value, value)
    assert move_value_nodes(Itu2012(cutoff=search.cutoff), row["moves"]) == (column, score, 1 + search.nodes)


@pytest.mark.parametrize(
    ("empty", "cutoff"), [(42, 6), (38, 6), (37, 7), (32, 7), (31, 8), (28, 8), (27, 9), (10, 20), (1, 191)]
)
def test_the_cut_off_grows_as_cells_fill(empty, cutoff):
    assert itu_2012.cutoff(empty) == cutoff


@pytest.mark.skipif(not JIT, reason="a hundred thousand nodes")
def test_itu_2012_searches_one_ply_more_than_its_cut_off():
    assert Itu2012().choose(Board(), Limits()).depth == 7
    assert Itu2012(cutoff=3).choose(Board(), Limits()).depth == 4
    assert Itu2012(heuristic="powers-of-ten").choose(Board(Rules(5, 4, 3)), Limits()).depth == 12


@over("row", [row for row in ONEIL if row["moves"] not in DRAW_MISTAKEN], name)
def test_oneil_equals_the_published_program_where_no_draw_decides(row):
    board = Board.from_moves(row["moves"])
    found = Oneil(nodes=UNLIMITED).choose(board, Limits())
    columns = dict(pair.split(":") for pair in row["column_scores"].split())
    move_number = board.ply + WIN - abs(found.score)
    value = 0 if found.score == 0 else (42 - move_number) * (1 if found.score > 0 else -1) * (-1) ** board.mover
    assert (str(found.column + 1), str(value)) == (row["column"], columns[row["column"]])


def test_oneil_takes_a_draw_for_a_draw():
    for moves in DRAW_MISTAKEN:
        found = Oneil().choose(Board.from_moves(moves), Limits())
        assert found.score == 0 or abs(found.score) > WIN_BOUND
    assert Oneil().choose(Board.from_moves(min(DRAW_MISTAKEN, key=len)), Limits()).score == 0


def test_itu_2012_searches_no_deeper_than_a_limit():
    agent = Itu2012(cutoff=5)
    assert [agent.choose(Board.from_moves("44"), Limits(depth=depth)).depth for depth in (1, 2, None)] == [1, 2, 6]


@pytest.mark.parametrize("empty", [1, 2, 4])
def test_itu_2012_searches_no_deeper_than_there_are_empty_cells(empty):
    full = "54712566226127126621574377157631535333444"
    board = Board.from_moves(full[: 42 - empty])
    assert Itu2012().choose(board, Limits()).depth == empty
