"""An agent's search tree, traced and held against what its kernel answered."""

from __future__ import annotations

from agents.agent import Analysis, Limits, new_game, prepare
from agents.board import Board
from agents.errors import InputError
from agents.players.itu_2012 import Itu2012
from agents.players.oneil import Oneil
from agents.players.searcher import Searcher
from agents.search import compiled
from agents.search.task import deadline
from agents.search.transpositions import empty_table
from agents.specs.registry import parse
from arena.measure.tree import traces
from arena.measure.tree.node import Bounds, Node, Tree


def tree(spec: str, board: Board, depth: int | None = None, bounds: Bounds | None = None) -> Tree:
    """Return the tree that an agent's search visits on a position, of its last iteration where it deepens.

    depth: plies at most. Raises InputError for an agent that does not search so, and for a tree that is too large.
    """
    agent = parse(spec).build()
    if not isinstance(agent, Searcher):
        raise InputError(f"agent {spec!r} has no tree to show: it is not minimax, alpha-beta or a published program")
    return traced(spec, agent, board, depth, bounds or Bounds())


def counterpart(spec: str, board: Board, depth: int, bounds: Bounds | None = None) -> Tree | None:
    """Return the same search with pruning instead of without, or the other way round; None where there is none.

    depth: of the tree beside which it is shown. It has the same order and heuristic, no table and no deepening.
    """
    agent = parse(spec).build()
    if not isinstance(agent, Searcher) or isinstance(agent, (Oneil, Itu2012)) or depth < 1:
        return None
    pruning = not agent.pruning
    other = Searcher(
        depth=depth, heuristic=agent.heuristic, order=agent.order, compiled=agent.compiled,
        pruning=pruning, normal_win=agent.normal_win, points=agent.points,
    )  # fmt: skip
    try:
        return traced("alpha-beta" if pruning else "minimax", other, board, depth, bounds or Bounds())
    except InputError:
        return None


def traced(name: str, agent: Searcher, board: Board, depth: int | None, bounds: Bounds) -> Tree:
    """Return an agent's tree. The kernel searches first, and says how far and how much. Raises InputError."""
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    if agent.options:
        raise InputError(f"agent {name!r}: no tree is drawn of killers, history or pvs; leave them out, values stay")
    prepare(agent, board.rules, name)
    new_game(agent, 0)
    bounds.agent = agent
    with deadline(bounds.seconds, agent.stop):
        found = agent.choose(board, Limits(depth))
    trace = _oneil if isinstance(agent, Oneil) else _itu if isinstance(agent, Itu2012) else _negamax
    if isinstance(agent, Oneil):
        visited = found.nodes
    elif not found.iterations:
        raise InputError(f"agent {name!r} finishes no depth here, or none that could be drawn; give a smaller --depth")
    else:
        visited = found.nodes if agent.megabytes else _last(found)
    if visited > bounds.nodes:
        raise InputError(f"{visited:,} nodes are too many to draw, {bounds.nodes:,} the most; give a smaller --depth")
    nodes, root = trace(agent, board, found, bounds)
    assert nodes == (found.nodes if isinstance(agent, Oneil) else _last(found))
    assert root.best is None or (root.value, root.best.column) == (found.score, found.column)
    return Tree(name, "" if isinstance(agent, Oneil) else agent.heuristic, board, found.depth, nodes, found.score,
                found.column, root, isinstance(agent, Itu2012))  # fmt: skip


def _last(found: Analysis) -> int:
    """Return the nodes of the last iteration alone."""
    before = found.iterations[-2].nodes if len(found.iterations) > 1 else 0
    return found.iterations[-1].nodes - before


def _negamax(agent: Searcher, board: Board, found: Analysis, bounds: Bounds) -> tuple[int, Node]:
    """Return how many nodes the last iteration visits, and its root; those before it fill the table."""
    search = traces.Search(
        compiled.heuristic(agent.heuristic, board.rules, compiled=agent.compiled).evaluate,
        compiled.ordering(agent.order, board.rules, compiled=agent.compiled),
        agent.pruning,
        agent.normal_win,
        agent.points,
        empty_table(agent.megabytes),
    )
    iterations = found.iterations if agent.megabytes else found.iterations[-1:]
    hint = -1 if len(iterations) == len(found.iterations) else found.iterations[-2].column
    for iteration in iterations:
        trace = traces.NegamaxTrace(search, iteration.depth)
        trace.bounds = bounds
        root = trace.search(board, hint)
        hint = iteration.column
    return trace.nodes, root


def _itu(agent: Searcher, board: Board, found: Analysis, bounds: Bounds) -> tuple[int, Node]:
    evaluate = compiled.heuristic(agent.heuristic, board.rules, compiled=agent.compiled).evaluate
    trace = traces.ItuTrace(evaluate, compiled.ordering(agent.order, board.rules).columns, found.depth)
    trace.bounds = bounds
    root = trace.search(board)
    return trace.nodes, root


def _oneil(agent: Searcher, board: Board, found: Analysis, bounds: Bounds) -> tuple[int, Node]:
    trace = traces.OneilTrace(compiled.ordering(agent.order, board.rules), board, found.nodes)
    trace.bounds = bounds
    root = trace.search(board)
    return trace.nodes, root
