"""The plain search, which answers as the kernels do."""

import pytest
from grid import open_boards
from hypothesis import given
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.players.searcher import Searcher
from agents.search.control import ABORTED, PRUNE, TERMINAL_SCORES
from agents.search.plain import PlainSearch
from agents.specs.registry import parse

RULES = [Rules(), Rules(5, 4, 3), Rules(4, 4, 3, most_fours=True)]


def answer(searcher, board, limits):
    searcher.new_game(0)
    found = searcher.choose(board, limits)
    return found.column, found.score, found.depth, found.nodes, found.pv


@given(
    open_boards(RULES),
    st.integers(1, 4),
    st.sampled_from([None, None, 1, 30]),
    st.sampled_from(["left-to-right", "centre", "open-windows"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([{}, {"terminal_scores": False}, {"points": 7}]),
)
def test_move_value_line_and_nodes_are_those_of_the_kernel(board, depth, nodes, order, pruning, deepening, more):
    """Without the jit the kernel is Python, too, but another program."""
    order = "centre" if board.rules.most_fours else order  # a sort is compiled for each board
    settings = {"order": order, "pruning": pruning, "deepening": deepening, **more}
    kernel, plain = (Searcher(compiled=compiled, **settings) for compiled in (True, False))
    assert answer(plain, board, Limits(depth, nodes)) == answer(kernel, board, Limits(depth, nodes))
    assert isinstance(plain.search, PlainSearch)


@pytest.mark.parametrize("option", ["table", "killers", "history", "pvs", "lmr"])
def test_options_of_the_kernel_are_refused(option):
    with pytest.raises(InputError, match=r"^compiled=no takes no table, killers, history, pvs or lmr$"):
        Searcher(compiled=False, **{option: True})


@pytest.mark.parametrize(("kind", "flags"), [("minimax", TERMINAL_SCORES), ("alphabeta", PRUNE | TERMINAL_SCORES)])
def test_an_agent_of_plain_python_hands_all_of_its_settings_to_it(kind, flags):
    agent = parse(f"{kind}:compiled=no,depth=2,heuristic=windows(1,2,3,4),order=centre").build()
    agent.new_game(0)
    agent.stop()  # nothing is there yet
    found = agent.choose(Board.from_moves("12"), Limits())
    assert isinstance(agent.search, PlainSearch)
    assert (agent.search.flags, agent.search.order, agent.search.score) == (flags, (3, 2, 4, 1, 5, 0, 6), None)
    assert (agent.search.evaluate(0b11, 0), found.depth, found.iterations[0].depth) == (7, 2, 2)


def test_it_stops_when_it_is_told_to_and_when_the_nodes_are_used_up():
    search = PlainSearch(Rules(), lambda own, opp: search.stop() or 0, range(7), None, PRUNE | TERMINAL_SCORES)
    assert search.run(0, 0, 3) == (0, ABORTED)
    assert search.nodes == 4
    search.begin(2)
    assert search.run(0, 0, 3) == (0, ABORTED)
    assert search.nodes == 2
    search.begin(100)
    assert search.run(0, 0, 1)[1] == ABORTED


def test_what_a_heuristic_raises_is_raised():
    def ends(own, opp):
        raise StopIteration

    with pytest.raises(StopIteration):
        PlainSearch(Rules(), ends, range(7), None, PRUNE).run(0, 0, 1)


def test_it_begins_with_the_hash_move_and_of_equal_moves_takes_the_first():
    tried = []
    search = PlainSearch(Rules(), lambda own, opp: tried.append(opp) or 0, range(7), None, PRUNE | TERMINAL_SCORES)
    assert search.run(0, 0, 1, 5) == (0, 0)
    assert tried == [Board().play(column).opp for column in (5, 0, 1, 2, 3, 4, 6)]
    assert search.pv == (0,)
