"""Searches from positions that hypothesis draws: the kernel itself, and searchers that are made ready once."""

import functools

from grid import SIZES, open_boards
from hypothesis import strategies as st

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.jit.compiler import JIT, SCORE_SIGNATURE, jit
from agents.players.searcher import Searcher
from agents.search import compiled as batch
from agents.search import compiled as prepared
from agents.search.control import PRUNE, TERMINAL_SCORES
from agents.search.negamax import NegamaxSearch

COMPILED = [STANDARD, Rules(8, 7), Rules(5, 4, 3)]
"""Each is compiled once, which takes seconds."""
BOARDS = COMPILED if JIT else SIZES
DEEPEST = 4 if JIT else 3
HEURISTIC = "powers-of-ten"
UNLIMITED = 1 << 62


def middle_first(columns):
    """Return the columns from the middle outwards."""
    return sorted(range(columns), key=lambda column: abs(column - (columns - 1) / 2))


STATIC = {"left-to-right": range, "centre": middle_first}


@functools.cache
def heuristic_on(rules):
    """Return the heuristic, compiled once for a board."""
    return prepared.heuristic(HEURISTIC, rules)


@functools.cache
def searcher_on(rules, **parameters):
    """Return a searcher, made ready once for a board."""
    searcher = Searcher(heuristic=HEURISTIC, **parameters)
    searcher.prepare(rules)
    return searcher


def choose(board, limits=Limits(), **parameters):  # noqa: B008  it is immutable
    """Let a searcher, made ready once for all tests, choose as if a new game began."""
    searcher = searcher_on(board.rules, **parameters)
    searcher.new_game(0)
    return searcher.choose(board, limits)


@jit(SCORE_SIGNATURE, inline=True)
def crowd(own, opp, column):
    """Score a column by discs in its lowest bits: cheap, different in each position, with many ties."""
    return ((own | opp) >> column & 1) * 2 - (own >> 2 * column & 1)


@functools.cache
def order_on(rules):
    """Return the ordering by `crowd`, compiled once for a board."""
    return batch.compile_order(crowd, "crowd", rules)


def run(board, depth, order="left-to-right", flags=PRUNE, hash_move=-1, megabytes=0, budget=UNLIMITED, score=None):
    """Run the search itself; return (value, column, nodes, principal variation)."""
    make_order = (lambda: order_on(board.rules)) if score else (lambda: prepared.no_order)
    ordering = prepared.CompiledOrdering(tuple(STATIC[order](board.rules.columns)), score, make_order)
    search = NegamaxSearch(board.rules, heuristic_on(board.rules), ordering, flags | TERMINAL_SCORES, megabytes)
    search.begin(budget)
    return *search.run(board.own, board.opp, depth, hash_move), search.nodes, search.pv


boards = open_boards(BOARDS)
depths = st.integers(1, DEEPEST)
orders = st.sampled_from(sorted(STATIC))


def choose_by(file, name, position="", compiled=True, depth=2, **parameters):
    """Let a searcher choose by a heuristic of a file."""
    agent = Searcher(heuristic=f"{file}:{name}", depth=depth, compiled=compiled, **parameters)
    return agent.choose(Board.from_moves(position), Limits())
