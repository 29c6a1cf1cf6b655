"""Questions about positions: the values of heuristics, the order of moves, an agent's move, and trees of moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from arena.games.settings import Apart, boards_of, named, position_of, spec, whole
from arena.table.measured import Measured

if TYPE_CHECKING:
    from arena.position.position import Decision, Divided, Tried, Value


def evaluate(
    positions: Board | str | Sequence[Board | str] = "",
    heuristics: Sequence[str] = (),
    *,
    compiled: bool = True,
    rules: Rules | str = "7x6x4",
) -> Measured[Value]:
    """Return the value of each position by each heuristic, one a row; `arena eval` from Python. Raises InputError.

    positions: the text of moves, a Board, or a list of them. heuristics: names or file.py:function, by default all
    built-in ones. compiled: False runs them as plain Python. rules: of positions given as text. The columns of the
    table are the fields of `arena.position.position.Value`.
    """
    from arena.position.position import Value, values

    names = named("heuristics", heuristics, "smart-aware")
    rows = [row for board in boards_of(positions, rules) for row in values(board, names, compiled=compiled)]
    return Measured(rows, Value)


def order(
    positions: Board | str | Sequence[Board | str] = "", orderings: Sequence[str] = (), *, rules: Rules | str = "7x6x4"
) -> Measured[Tried]:
    """Return the moves of each position sorted by each ordering, one order a row; `arena order` from Python.

    positions: the text of moves, a Board, or a list of them. orderings: names or file.py:function, by default all
    built-in ones. The columns of the table are the fields of `arena.position.position.Tried`. Raises InputError.
    """
    from arena.position.position import Tried, orders

    names = named("orderings", orderings, "centre")
    return Measured([row for board in boards_of(positions, rules) for row in orders(board, names)], Tried)


def move(
    agent: object,
    position: Board | str = "",
    *,
    rules: Rules | str = "7x6x4",
    isolation: Apart | None = None,
) -> Decision:
    """Return an agent's move in a position, and its search results; `arena move` from Python. Raises InputError.

    agent: a spec, `folder/:name`, `roster.toml:name`, a class, a function or an object. rules: of a position given as
    text. isolation: settings for process agents, see `run`. The result is an `arena.position.position.Decision`, with
    the fields agent, position, move (from 1), score, depth, nodes, seconds, pv, output and extra.
    """
    from arena.position.position import decision

    return decision(spec(agent, isolation), position_of(position, rules))


@dataclass(frozen=True, slots=True)
class Perft:
    """The counts of a game tree."""

    sequences: int
    """Sequences of exactly `depth` moves."""
    nodes: int
    """Nodes of the whole tree, the root included."""
    moves: Measured[Divided]
    """With `divide`, the counts of each first move."""


def perft(depth: int, position: Board | str = "", *, divide: bool = False, rules: Rules | str = "7x6x4") -> Perft:
    """Count the game tree below a position to a depth in plies, with `divide` separately for each first move.

    rules: of a position given as text. Raises InputError.
    """
    from agents.search.perft import perft as count
    from arena.position.position import Divided, divided

    board = position_of(position, rules)
    whole("depth", depth, 0, 64)
    moves = Measured(list(divided(board, depth)) if divide and depth else [], Divided)
    if moves.rows:
        return Perft(sum(row.sequences for row in moves.rows), 1 + sum(row.nodes for row in moves.rows), moves)
    return Perft(*count(board, depth), moves)
