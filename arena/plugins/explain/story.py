"""Explanations in words: the same lines in the terminal, on pages and in replays."""

from __future__ import annotations

from collections.abc import Sequence

from agents.board import Board, moves_text
from agents.score import VALUES, in_words
from arena.plugins.explain.explain import MOST_NODES, NEXT_MOVES, Explanation

SIDES = "XO"
Belief = tuple[int | None, int | None]
"""The score and the depth that an agent reported of its move."""


def lines(row: Explanation, board: Board, belief: Belief = (None, None), whose: str = "") -> list[str]:
    """Return an explanation with a picture of its line. `board` is the position after the move.

    belief: the search of the agent that made the move. whose: the words before "search"; else the side's name.
    """
    mover = SIDES[1 - board.mover]
    kept = _any(row.keepers)
    change = f"a {VALUES[row.before]} becomes a {VALUES[row.after]}; column {kept} kept the {VALUES[row.before]}"
    seen = _belief(row, belief, whose or f"{mover}'s")
    return [f"ply {row.ply}, {mover} in column {row.column}: {change}", *seen, reason(row, board), *_drawn(row, board)]


def reason(row: Explanation, board: Board) -> str:
    """Return how the other side profits, in a sentence. `board` is the position after the move."""
    holder, other = SIDES[board.mover], SIDES[1 - board.mover]
    columns = row.moves.split()
    if row.wins and not columns:
        return f"{holder} wins at once by playing column {_any(row.wins)}."
    answers = f"{other} must answer" if row.wins else f"{other} best answers"
    steps = [f"{answers if place % 2 else f'{holder} plays'} {column}" for place, column in enumerate(columns)]
    line = ", ".join(steps[:NEXT_MOVES])
    if row.wins and len(steps) <= NEXT_MOVES:
        return f"{line}; then column {_any(row.wins)} wins."
    does = "holds the draw" if row.after == 0 else "wins" if row.plies is None else f"wins in {row.plies} plies"
    more = "more than " if row.positions >= MOST_NODES else ""
    searched = f"{more}{row.positions:,} positions searched" if row.positions else "from the opening book"
    start = "" if row.wins else "By search: "
    for column in columns[:NEXT_MOVES]:
        board = board.play(int(column) - 1)
    on = ", and so on" if board.outcome is None else ""
    return f"{start}{line}{on}: {holder} {does} whatever {other} does ({searched})."


def _any(columns: str) -> str:
    """Return columns as words: "2, 3 or 6"."""
    *first, last = columns.split()
    return f"{', '.join(first)} or {last}" if first else last


def _belief(row: Explanation, belief: Belief, whose: str) -> list[str]:
    """Return what the agent's search saw, beside the truth; nothing for an agent that reports no score."""
    score, depth = belief
    if score is None:
        return []
    saw = f"{whose} search saw {in_words(score).replace('-', '−')}{f' at depth {depth}' if depth else ''}"
    what = VALUES[row.before if row.after == 0 else -1]
    return [f"{saw}; the {what} shows from depth {row.depth}" if row.depth else saw]


def _drawn(row: Explanation, board: Board) -> list[str]:
    """Return the board with the numbers of a forced line in its cells, and * where a disc then wins; else nothing."""
    if not row.wins:
        return []
    marks = {}
    last = board
    for place, column in enumerate(map(int, row.moves.split()), start=1):
        marks[column - 1, _height(last, column - 1)] = str(place)
        last = last.play(column - 1)
    marks |= {(column, _height(last, column)): "*" for column in (int(word) - 1 for word in row.wins.split())}
    rows = [line.ljust(3 * board.rules.columns) for line in str(board).splitlines()]
    for (column, height), mark in marks.items():
        at, line = 3 * column, board.rules.rows - 1 - height
        rows[line] = f"{rows[line][:at]}{mark:^3}{rows[line][at + 3 :]}"
    return [line.rstrip() for line in rows]


def _height(board: Board, column: int) -> int:
    return next(row for row in range(board.rules.rows) if board.disc(column, row) is None)


def story(board: Board, rows: Sequence[Explanation], value: int, fault: str = "") -> list[str]:
    """Return the story of a game in at most three sentences.

    rows: the moves that changed the outcome, in order. value: the game's to the first player after its opening: 1, 0
    or -1. fault: the fault of the side to move, if any.
    """
    start = {1: "X was winning", 0: "The game was level", -1: "O was winning"}[value]
    end = [f"{SIDES[board.mover]} then lost by a fault: {fault}."] if fault else []
    if not rows:
        return [f"{start} from the first move to the last: no move changed the outcome.", *end]
    first, last = rows[0], rows[-1]
    after = Board.from_moves(moves_text(board.moves[: last.ply + 1], board.rules), board.rules)
    sentences = [f"{start} until ply {first.ply}.", f"Column {last.column} at ply {last.ply} {_let(last, after)}."]
    if end:
        return sentences + end
    if len(rows) > 1:
        return [*sentences, f"It was the last of {len(rows)} moves that changed the outcome."]
    return [*sentences, "From there every move lost."] if last.after < 0 and after.outcome is None else sentences


def _let(row: Explanation, board: Board) -> str:
    holder = SIDES[board.mover]
    if row.after == 0:
        return f"let {holder} escape with a draw"
    if row.wins and not row.moves:
        return f"let {holder} win at once by playing column {_any(row.wins)}"
    end = "" if row.plies is None else f" in {row.plies} plies"
    return f"let {holder} force a win{end}" if row.wins else f"gave {holder} a win{end}"
