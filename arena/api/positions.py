"""Questions about positions: their truth, what heuristics and orderings say, what an agent plays, how many follow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from arena.api import jobs
from arena.api.settings import board_of, boards_of, checked, named, spec, whole

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from arena.measure.position import Decision
    from arena.measure.tree.node import Bounds, Tree


@checked
def solve(
    positions: Board | str | Sequence[Board | str] = "",
    *,
    weak: bool = False,
    columns: bool = False,
    book: bool = True,
    mebibytes: int = 64,
    threads: int | None = None,
    rules: Rules | str = "7x6x4",
) -> pd.DataFrame:
    """Return the truth about positions, a row for each; `arena solve` from Python. Raises InputError.

    positions: the text of moves, such as "4453", a Board, or a list of them; the empty board by default. weak: only
    win, draw or loss. columns: also what a move in each column is worth. book: whether the opening book may be asked.
    mebibytes: size of the solver's table. threads: share it, by default one for each processor; those without a
    position help others; with one, nodes are the same in every run. The columns of the table are the fields of
    `arena.measure.solve.Solved`.
    """
    from arena.measure.solve import Solved
    from arena.rows import frame

    whole("mebibytes", mebibytes, 1, 65_536)
    if threads is not None:
        whole("threads", threads, 1, 1024)
    boards = boards_of(positions, rules)
    found: dict[Rules, list[Solved]] = {board.rules: [] for board in boards}

    def tell(board: Board, row: Solved) -> None:
        found[board.rules].append(row)

    for each in found:
        ours = [board for board in boards if board.rules == each]
        workers = jobs.workers_of(threads)
        jobs.solve(ours, each, tell, weak=weak, columns=columns, book=book, mebibytes=mebibytes, workers=workers)
    in_order = {each: iter(rows) for each, rows in found.items()}
    rows = [next(in_order[board.rules]) for board in boards]
    table = frame(rows, Solved)
    return table if columns else table.drop(columns="columns")


@checked
def evaluate(
    positions: Board | str | Sequence[Board | str] = "",
    heuristics: Sequence[str] = (),
    *,
    compiled: bool = True,
    rules: Rules | str = "7x6x4",
) -> pd.DataFrame:
    """Return what heuristics value positions at, a row for each of both; `arena eval` from Python. Raises InputError.

    positions: the text of moves, a Board, or a list of them. heuristics: names or file.py:function, by default all that
    are built in. compiled: False runs them as plain Python. The columns of the table are the fields of
    `arena.measure.position.Value`.
    """
    from arena.measure.position import Value
    from arena.rows import frame

    names = named("heuristics", heuristics, "smart-aware")
    return frame(jobs.evaluate(boards_of(positions, rules), names, compiled=compiled), Value)


@checked
def order(
    positions: Board | str | Sequence[Board | str] = "", orderings: Sequence[str] = (), *, rules: Rules | str = "7x6x4"
) -> pd.DataFrame:
    """Return how orderings sort the moves of positions, a row for each of both; `arena order` from Python.

    positions: the text of moves, a Board, or a list of them. orderings: names or file.py:function, by default all that
    are built in. The columns of the table are the fields of `arena.measure.position.Tried`. Raises InputError.
    """
    from arena.measure.position import Tried
    from arena.rows import frame

    return frame(jobs.order(boards_of(positions, rules), named("orderings", orderings, "centre")), Tried)


@checked
def move(agent: object, position: Board | str = "", *, rules: Rules | str = "7x6x4") -> Decision:
    """Return what an agent plays in a position, and what it knows of it; `arena move` from Python. Raises InputError.

    agent: a spec, `folder/:name`, `roster.toml:name`, a class, a function or an object. The fields are those of
    `arena.measure.position.Decision`: agent, position, move (from 1), score, depth, nodes, seconds and pv.
    """
    from arena.measure.position import decision
    from arena.play.entries import holds_entries
    from arena.play.isolation import agent_of

    board = board_of(position, rules)
    if isinstance(agent, str) and holds_entries(agent):
        return decision(*agent_of(agent), board)
    made = spec(agent)
    return decision(made.text, made.build_isolated(), board)


@checked
def perft(
    depth: int, position: Board | str = "", *, divide: bool = False, rules: Rules | str = "7x6x4"
) -> dict[str, int] | pd.DataFrame:
    """Count the game tree to a depth in plies; `arena perft` from Python. Raises InputError.

    Returns `sequences`, those of exactly so many moves, and `nodes`, of the whole tree with its root. divide: a
    DataFrame instead, a row for each first move; its columns are the fields of `arena.measure.position.Divided`.
    """
    board = board_of(position, rules)
    whole("depth", depth, 1 if divide else 0, 64)
    found = jobs.perft(board, depth, divide=divide)
    if not divide:
        return {"sequences": found.sequences, "nodes": found.nodes}
    from arena.measure.position import Divided
    from arena.rows import frame

    return frame(found.moves, Divided)


def tree(
    agent: str, board: Board, depth: int | None = None, *, html: Path | None = None, dot: Path | None = None
) -> Tree:
    """Return the tree that an agent's search visits on a position; `arena tree` from Python.

    agent: the spec of a search: minimax, alpha-beta or a published program. depth: plies at most, by default the
    agent's own. html: write a page to walk through there. dot: write a graph for Graphviz there. Raises InputError.
    """
    from arena.measure.tree.build import tree
    from arena.report.tree import dot_lines
    from arena.store.writing import replacing

    found = tree(agent, board, depth)
    if html is not None:
        with replacing(html) as beside:
            beside.write_text(_tree_page(agent, found), encoding="utf-8")
    if dot is not None:
        with replacing(dot) as beside:
            beside.write_text("\n".join(dot_lines(found)) + "\n", encoding="utf-8")
    return found


def tree_limits(nodes: int, seconds: float) -> Bounds:
    """Return limits for one `tree_page`: nodes to draw, seconds to search. Their `stop` ends it from another thread."""
    from arena.measure.tree.node import Bounds

    return Bounds(nodes, seconds)


def tree_page(agent: str, board: Board, depth: int, limits: Bounds, *, whole: bool = True) -> str:
    """Return the page of a search tree beside the same search with, or without, pruning. Raises InputError.

    whole: as one document that needs nothing else, not as a page of `arena serve`.
    """
    from arena.measure.tree.build import tree

    return _tree_page(agent, tree(agent, board, depth, limits), limits, whole=whole)


def _tree_page(agent: str, found: Tree, limits: Bounds | None = None, *, whole: bool = True) -> str:
    from arena.measure.tree.build import counterpart
    from arena.report.tree import page

    return page(found, counterpart(agent, found.board, found.depth, limits), whole=whole)
