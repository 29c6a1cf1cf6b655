"""Each option of alpha-beta, alone and with others: value, move and nodes of every depth."""

import pytest

from agents.agent import Limits
from agents.bits.bitboard import position_key
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT
from agents.search import compiled
from agents.search.control import HISTORY, KILLERS, LMR, PRUNE, PVS, TERMINAL_SCORES, UNLIMITED
from agents.search.negamax import NegamaxSearch
from agents.search.transpositions import slot, table_words
from agents.specs.registry import parse

from .slow_search import OptionSearch

QUIET, SHARP = Board.from_moves("4435"), Board.from_moves("44435355462")
SMALL = Board.from_moves("12", Rules(5, 4, 3))


@pytest.mark.parametrize("megabytes", [0, 1])
@pytest.mark.parametrize("order", ["left-to-right", "centre"])
@pytest.mark.parametrize("flags", [0, KILLERS, HISTORY, PVS, LMR, KILLERS | HISTORY, PVS | LMR, 120])
def test_options_search_the_nodes_that_the_textbook_says(flags, order, megabytes):
    for board in (QUIET, SHARP, SMALL):
        rules, size = board.rules, table_words(megabytes)
        heuristic, ordering = compiled.heuristic("powers-of-ten", rules), compiled.ordering(order, rules)

        def place(board, size=size, bottom=rules.bottom):
            return int(slot(size, position_key(board.own, board.own | board.opp, bottom)))

        def legal(board, columns=ordering.columns):
            return [column for column in columns if column in board.legal_moves()]

        slow = OptionSearch(heuristic.evaluate, legal, flags, place if megabytes else None)
        fast = NegamaxSearch(rules, heuristic, ordering, flags | PRUNE | TERMINAL_SCORES, megabytes)
        fast.begin(UNLIMITED)
        found, column = [], -1
        depth = (5 if board.rules == STANDARD else 6) if JIT else 4
        for plies in range(1, depth + 1):
            value, column = fast.run(board.own, board.opp, plies, column)
            found.append((value, column, fast.nodes))
        assert found == slow.deepened(board, depth)
        again = fast.run(board.own, board.opp, depth)  # with all that was learned, but the root is not in the table
        assert (*again, fast.nodes) == (*slow.search(board, depth), slow.nodes)


NODES = {
    "": ((90, 4, 261694), (104, 2, 200076)),
    "order=centre": ((90, 4, 698826), (104, 2, 98609)),
    "order=column-score": ((90, 4, 43471), (104, 2, 18483)),
    "order=open-windows": ((90, 4, 21202), (104, 2, 20416)),
    "table=on,table-size=1": ((90, 4, 110525), (104, 2, 88888)),
    "deepening=on": ((90, 4, 348460), (104, 2, 221124)),
    "table=on,table-size=1,deepening=on": ((90, 4, 52155), (104, 2, 51072)),
    "killers=on": ((90, 4, 144334), (104, 2, 71821)),
    "history=on": ((90, 4, 84738), (104, 2, 69917)),
    "killers=on,history=on": ((90, 4, 85298), (104, 2, 56287)),
    "pvs=on": ((90, 4, 300843), (104, 2, 134889)),
    "lmr=on": ((90, 4, 97690), (104, 2, 53433)),
    "pvs=on,lmr=on": ((90, 4, 107367), (104, 2, 75922)),
    "table=on,table-size=1,deepening=on,killers=on,history=on,pvs=on": ((90, 4, 38452), (104, 2, 24249)),
    "order=centre,table=on,table-size=1,deepening=on,pvs=on,lmr=on": ((90, 4, 26308), (104, 2, 13927)),
    "order=open-windows,table=on,table-size=1,deepening=on,pvs=on": ((90, 4, 22512), (104, 2, 14252)),
    "order=column-score,deepening=on,history=on,lmr=on": ((69, 4, 38275), (104, 2, 20774)),
}
"""Score, column and nodes of QUIET and of SHARP by the options of a search of nine plies, as it computed them; to five
plies the test above holds them against the textbook."""


@pytest.mark.skipif(not JIT, reason="a million nodes")
@pytest.mark.parametrize("options", NODES)
def test_nine_plies_take_so_many_nodes(options):
    agent = parse(f"alphabeta:depth=9,{options}".rstrip(",")).build()
    for board, expected in zip((QUIET, SHARP), NODES[options], strict=True):
        agent.new_game(0)
        found = agent.choose(board, Limits())
        assert (found.score, found.column + 1, found.nodes) == expected
