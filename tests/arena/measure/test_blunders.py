"""The worst blunders of an agent, explained."""

import pytest

from agents.board import Board
from agents.jit.compiler import JIT
from arena.measure.blunders import forced, worst
from arena.store.run_file import Store


@pytest.mark.parametrize(("moves", "plies"), [("112233", 1), ("4453", 0), ("4433", 3), ("1122", 0)])
def test_a_forced_win_is_a_shortest_line_to_its_end(moves, plies):
    board = Board.from_moves(moves)
    line = forced(board)
    assert len(line) == plies
    for column in line:
        board = board.play(column)
    assert (board.outcome is not None) == bool(plies)


@pytest.mark.skipif(not JIT, reason="searches to nine plies take minutes as plain Python")
def test_the_worst_blunders_lose_most_and_name_what_kept_the_value(audited, unaudited):
    with Store.read(unaudited) as store:
        assert worst(store, store.names()[0]) == []
    with Store.read(audited) as store:
        found = {name: worst(store, name) for name in store.names()}
    rows = [row for name in found for row in found[name]]
    assert rows
    assert all(len(each) <= 3 and len({row.position for row in each}) == len(each) for each in found.values())
    ranks = ["win → loss", "win → draw", "draw → loss"]
    for each in found.values():
        lost = [row.lost != ranks[0] for row in each]
        assert lost == sorted(lost)
    assert all(row.lost in ranks and " kept the " in row.why and row.opponent in found for row in rows)
    assert all(str(row.column) not in row.why.partition(" kept")[0].split(" or ") for row in rows)
