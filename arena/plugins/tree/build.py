"""Trace an agent's search tree, and assert that it agrees with the kernel's answer."""

from __future__ import annotations

from pathlib import Path

from agents.agent import Analysis, Limits, new_game, prepare
from agents.board import Board
from agents.errors import InputError
from agents.players.itu_2012 import Itu2012
from agents.players.oneil import Oneil
from agents.players.searcher import Searcher
from agents.search import compiled
from agents.search.control import HISTORY, KILLERS, LMR, PRUNE, PVS, TERMINAL_SCORES, deadline
from agents.search.transpositions import empty_table
from agents.specs.outline import inspect_source
from agents.specs.plugins import is_file
from agents.specs.registry import Spec, parse
from arena.games.entrants import ProcessSpec
from arena.plugins.tree import traces
from arena.plugins.tree.node import Bounds, Node, Tree


def tree(spec: str | Spec, board: Board, depth: int | None = None, bounds: Bounds | None = None) -> Tree:
    """Return the tree that an agent's search visits on a position, of its last iteration where it deepens.

    depth: plies at most. bounds: on its size and time, by default those of Bounds. Raises InputError for an agent that
    does not search so, and for a tree that is too large.
    """
    parsed = parse(spec) if isinstance(spec, str) else spec
    agent = None if parsed.has_process or isinstance(parsed, ProcessSpec) else parsed.build()
    if not isinstance(agent, Searcher) or isinstance(agent, (Oneil, Itu2012)):
        raise InputError(f"agent {parsed.text!r} has no tree to show: {_way(parsed)}")
    return traced(parsed.text, agent, board, depth, bounds or Bounds())


def _way(spec: Spec) -> str:
    """Return which search to ask in place of an agent that has no tree; that of a file takes the file's heuristic."""
    if not is_file(spec.kind):
        return "only minimax and alpha-beta have one, such as alphabeta:order=centre"
    path = spec.kind.rpartition(":")[0] or spec.kind
    heuristic = next(iter(inspect_source(Path(path)).heuristics), "FUNCTION")
    return f"use alphabeta:heuristic={path}:{heuristic}, which visits the same nodes as an alpha-beta in the same order"


def counterpart(spec: str | Spec, board: Board, depth: int, bounds: Bounds | None = None) -> Tree | None:
    """Return the same search with pruning instead of without, or the other way round; None where that is too large.

    spec: of an agent that has a tree. depth: of the tree that it is compared with. bounds: as in `tree`. It has the
    same order and heuristic, no table and no deepening.
    """
    agent = (parse(spec) if isinstance(spec, str) else spec).build()
    assert isinstance(agent, Searcher)
    pruning = not agent.flags & PRUNE
    other = Searcher(
        depth=depth, heuristic=agent.heuristic, order=agent.order, compiled=agent.compiled,
        pruning=pruning, terminal_scores=agent.flags & TERMINAL_SCORES != 0, points=agent.points,
    )  # fmt: skip
    try:
        return traced("alpha-beta" if pruning else "minimax", other, board, depth, bounds or Bounds())
    except InputError:
        return None


def traced(name: str, agent: Searcher, board: Board, depth: int | None, bounds: Bounds) -> Tree:
    """Return an agent's tree. The kernel searches first, which gives the depth and the nodes. Raises InputError.

    name: the agent's, in the tree and in errors. depth: plies at most; with None the agent decides.
    """
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome} at move {board.ply})")
    if agent.flags & (KILLERS | HISTORY | PVS | LMR):
        raise InputError(f"agent {name!r}: no tree is drawn of killers, history, pvs or lmr; leave them out")
    prepare(agent, board.rules, name)
    new_game(agent, 0)
    bounds.agent = agent
    with deadline(bounds.seconds, agent.stop):
        analysis = agent.choose(board, Limits(depth))
    if not analysis.iterations:
        raise InputError(f"agent {name!r} finishes no depth here, or none that could be drawn; give a smaller --depth")
    last = _last(analysis)
    if (visited := analysis.nodes if agent.megabytes else last) > bounds.nodes:
        raise InputError(f"{visited:,} nodes are too many to draw, {bounds.nodes:,} the most; give a smaller --depth")
    nodes, root = _trace(agent, board, analysis, bounds)
    assert nodes == last
    assert root.best is not None
    assert root.value is not None
    assert (root.value, root.best.column) == (analysis.score, analysis.column)
    return Tree(name, board, analysis.depth, nodes, root.value, analysis.column, root)


def _last(analysis: Analysis) -> int:
    """Return the nodes of the last iteration alone."""
    before = analysis.iterations[-2].nodes if len(analysis.iterations) > 1 else 0
    return analysis.iterations[-1].nodes - before


def _trace(agent: Searcher, board: Board, analysis: Analysis, bounds: Bounds) -> tuple[int, Node]:
    """Return the nodes that the last iteration visits, and its root; the iterations before it fill the table."""
    order = compiled.ordering(agent.order, board.rules, compiled=agent.compiled)
    evaluate = compiled.heuristic(agent.heuristic, board.rules, compiled=agent.compiled).evaluate
    table = empty_table(agent.megabytes)
    pruning, terminal_scores = agent.flags & PRUNE != 0, agent.flags & TERMINAL_SCORES != 0
    search = traces.SearchSettings(evaluate, order, pruning, terminal_scores, agent.points, table)
    iterations = analysis.iterations if agent.megabytes else analysis.iterations[-1:]
    hash_move = -1 if len(iterations) == len(analysis.iterations) else analysis.iterations[-2].column
    for iteration in iterations:
        trace = traces.NegamaxTrace(bounds, search, iteration.depth)
        root = trace.search(board, hash_move)
        hash_move = iteration.column
    return trace.nodes, root
