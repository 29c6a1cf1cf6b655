import functools

import pytest
from grid import open_boards
from hypothesis import given

from agents.agent import Limits
from agents.board import Board
from agents.jit.compiler import JIT
from agents.names import HEURISTICS, ORDERINGS, complete
from agents.registry import parse

DEPTH = 4 if JIT else 2
SEARCHES = ("minimax:", "alphabeta:", "alphabeta:table=on,table-size=1,", "alphabeta:deepening=on,table=on,")


@functools.cache
def agent(spec):
    return parse(spec).build()


def choice(search, order, heuristic, board):
    found = agent(f"{search}depth={DEPTH},heuristic={heuristic},order={order}").choose(board, Limits())
    return found.column, found.score


@pytest.mark.parametrize("order", ORDERINGS)
@pytest.mark.parametrize("heuristic", ["zero", "smart-simple"])
@given(board=open_boards(sizes=(Board().rules,), longest=20))
def test_all_searches_choose_alike_where_they_try_moves_in_the_same_order(order, heuristic, board):
    assert len({choice(search, order, heuristic, board) for search in SEARCHES}) == 1


def test_minimax_breaks_its_ties_by_the_order():
    chosen = {order: choice("minimax:", order, "zero", Board())[0] for order in ("left-to-right", "centre")}
    assert chosen == {"left-to-right": 0, "centre": 3}


def test_an_order_costs_minimax_no_node_and_saves_none():
    agents = [agent(f"minimax:depth=3,order={order}") for order in ORDERINGS]
    assert {each.choose(Board(), Limits()).nodes for each in agents} == {400}


@pytest.mark.parametrize(("name", "other"), [("powers-of-ten", "windows(1,10,100,1000)"),
                                             ("smart-aware", "aware(40,17,15,4,2,13)")])  # fmt: skip
def test_a_name_and_its_weights_are_the_same_search(name, other):
    boards = [Board.from_moves(moves) for moves in ("", "44", "4453", "12345")]
    found = [
        [agent(f"alphabeta:depth={DEPTH},heuristic={each}").choose(board, Limits()) for board in boards]
        for each in (name, other)
    ]
    assert [(one.column, one.score, one.nodes, one.pv) for one in found[0]] == [
        (one.column, one.score, one.nodes, one.pv) for one in found[1]
    ]


@pytest.mark.parametrize("kind", ["minimax", "alphabeta"])
def test_the_heuristic_is_powers_of_ten_unless_another_is_named(kind):
    spec = parse(kind)
    assert spec.resolved()["heuristic"] == spec.build().heuristic == "powers-of-ten"
    assert "powers-of-ten" in complete(HEURISTICS)


def test_a_new_game_begins_with_an_empty_table():
    searcher = parse(f"alphabeta:depth={DEPTH + 2},table=on,table-size=1").build()
    first, second = (searcher.choose(Board(), Limits()) for _ in range(2))
    assert second.nodes < first.nodes
    searcher.new_game(0)
    assert searcher.choose(Board(), Limits()).nodes == first.nodes
