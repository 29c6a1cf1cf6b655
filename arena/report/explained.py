"""Explanations as text, as marks on the board, and as plain data for a checker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agents.board import Board, Rules, column_text, moves_text
from agents.score import VALUES
from arena.measure.explain import MOST_NODES, CellMark, Explanation, Forced, Move, ReplyRule, Strategy

SIDES = "XO"


def cell_name(cell: int, rules: Rules) -> str:
    """Return a cell's name: "d2" is column 4, row 2 from below."""
    column, row = divmod(cell.bit_length() - 1, rules.rows + 1)
    return f"{chr(ord('a') + column)}{row + 1}"


def document(strategy: Strategy | None, rules: Rules) -> Any:  # noqa: ANN401  plain data
    """Return a strategy as plain data; docs/solver.md has the format."""
    if strategy is None:
        return None
    if isinstance(strategy, Forced):
        return {"forced": [each + 1 for each in strategy.moves], "wins": [each + 1 for each in strategy.wins]}
    if isinstance(strategy, ReplyRule):
        return {"marks": [_mark(mark, rules) for mark in strategy.marks]}
    branches = [
        {"replies": [each + 1 for each in branch.replies], "then": document(branch.then, rules)}
        for branch in strategy.branches
    ]
    return {"play": strategy.column + 1, "branches": branches}


def _mark(mark: CellMark, rules: Rules) -> dict[str, Any]:
    if not mark.follow:
        said: dict[str, Any] = {"cell": cell_name(mark.cells, rules)}
    else:
        said = {"on_top": "last" if mark.cells == rules.cells else _column(mark.cells, rules)}
    terms = {"challenger": mark.opp, "holder": mark.own, "empty": mark.empty}
    return said | {name: cell_name(cell, rules) for name, cell in terms.items() if cell}


def _column(cells: int, rules: Rules) -> int:
    return (cells.bit_length() - 1) // (rules.rows + 1) + 1


def heading(found: Explanation) -> str:
    """Return the effect of a move: "ply 12, column 3: a win becomes a loss; kept by 2, 5"."""
    kept = found.keepers.replace(" ", ", ")
    change = f"a {VALUES[found.before]} becomes a {VALUES[found.after]}"
    return f"ply {found.ply}, column {found.column}: {change}; kept by {kept}"


def reason(found: Explanation, board: Board) -> list[str]:
    """Return the explanation and its picture, line by line; `board` is the position after the move."""
    marks: dict[tuple[int, int], str] = {}
    if isinstance(found.strategy, Forced):
        marks = _steps(found.strategy, board)
    elif found.kind == "rule" and found.strategy is not None:
        marks = next((_numbers(rule, board.rules) for rule in _rules(found.strategy)), {})
    return [*sentences(found, board), *(drawn(board, marks).splitlines() if marks else ())]


def sentences(found: Explanation, board: Board) -> list[str]:
    """Return the explanation, line by line, without a picture."""
    holder, other, does = SIDES[board.mover], SIDES[1 - board.mover], "wins" if found.after < 0 else "holds the draw"
    if found.strategy is None:
        end = f"; {other} can hold out for {found.plies} plies" if found.plies is not None else ""
        more = "more than " if found.positions >= MOST_NODES else ""
        return [f"{holder} {does}, by search only: {more}{found.positions:,} positions{end}"]
    if isinstance(found.strategy, Forced):
        return [f"{holder} forces it: {forced(found.strategy)}"]
    said = [f"{holder} plays {text}." for text in _lines(found.strategy, board.rules, holder, other)]
    if len(said) > 1:
        said = [f"{number:>2}) {text}" for number, text in enumerate(said, start=1)]
    if any(_rules(found.strategy)):
        said.append(
            f"{holder} wins if it can, or else blocks, or else makes two threats at once, or else plays the first "
            f"possible cell of the list; it never plays right below a cell that wins for {other}."
        )
    return [*said, f"{holder} {does} against every reply; {found.positions:,} positions checked."]


def forced(line: Forced) -> str:
    """Return a forced line as text: "2 5! 3, and 4 or 6 wins"; ! marks an answer that is forced."""
    moves = " ".join(f"{column_text(each)}{'!' * (place % 2)}" for place, each in enumerate(line.moves))
    wins = " or ".join(map(column_text, line.wins))
    return f"{moves}, and {wins} wins" if moves else f"{wins} wins at once"


def _lines(strategy: Strategy, rules: Rules, holder: str, other: str, so_far: str = "") -> Iterator[str]:
    """Yield a line for each end of a strategy."""
    if isinstance(strategy, Forced):
        yield f"{so_far}{forced(strategy)}"
    elif isinstance(strategy, ReplyRule):
        marks = ", ".join(_words(mark, rules, holder, other) for mark in strategy.marks)
        yield f"{so_far}then it prefers {marks}"
    elif not strategy.branches:
        yield f"{so_far}{column_text(strategy.column)}"
    else:
        here = f"{so_far}{column_text(strategy.column)}; "
        every = len(strategy.branches) == 1 and isinstance(strategy.branches[0].then, ReplyRule)
        for branch in strategy.branches:
            replies = " or ".join(map(column_text, branch.replies))
            yield from _lines(branch.then, rules, holder, other, here if every else f"{here}after {replies}: ")


def _words(mark: CellMark, rules: Rules, holder: str, other: str) -> str:
    said = cell_name(mark.cells, rules) if not mark.follow else f"on top of {other}'s last disc"
    if mark.follow and mark.cells != rules.cells:
        said += f" if that is in column {_column(mark.cells, rules)}"
    for cell, words in ((mark.opp, f"once {other} has"), (mark.own, f"once {holder} has"), (mark.empty, "before")):
        said += f" {words} {cell_name(cell, rules)}" if cell else ""
    return said


def _rules(strategy: Strategy) -> Iterator[ReplyRule]:
    if isinstance(strategy, ReplyRule):
        yield strategy
    elif isinstance(strategy, Move):
        for branch in strategy.branches:
            yield from _rules(branch.then)


def _numbers(rule: ReplyRule, rules: Rules) -> dict[tuple[int, int], str]:
    """Return the place in the list for each marked cell, (column, row)."""
    return {
        divmod(mark.cells.bit_length() - 1, rules.rows + 1): str(place)
        for place, mark in enumerate(rule.marks, start=1)
        if not mark.follow and not mark.is_conditional
    }


def _steps(line: Forced, board: Board) -> dict[tuple[int, int], str]:
    """Return the number of its move for each cell of a forced line, and * for cells that win."""
    marks = {}
    for place, column in enumerate(line.moves, start=1):
        marks[column, _height(board, column)] = str(place)
        board = board.play(column)
    return marks | {(column, _height(board, column)): "*" for column in line.wins}


def _height(board: Board, column: int) -> int:
    return next(row for row in range(board.rules.rows) if board.disc(column, row) is None)


def drawn(board: Board, marks: Mapping[tuple[int, int], str]) -> str:
    """Return the board as text with marks in empty cells, given by (column, row) from 0."""
    rows = [line.ljust(3 * board.rules.columns) for line in str(board).splitlines()]
    for (column, row), mark in marks.items():
        at, line = 3 * column, board.rules.rows - 1 - row
        rows[line] = f"{rows[line][:at]}{mark:^3}{rows[line][at + 3 :]}"
    return "\n".join(line.rstrip() for line in rows)


def story(board: Board, found: Sequence[Explanation], value: int, fault: str = "") -> list[str]:
    """Return the story of a game in at most three sentences.

    found: the moves that changed the outcome, in order. value: the game's to the first player after its opening: 1, 0
    or -1. fault: the fault of the side to move, if any.
    """
    start = {1: "X was winning", 0: "The game was level", -1: "O was winning"}[value]
    end = [f"{SIDES[board.mover]} then lost by a fault: {fault}."] if fault else []
    if not found:
        return [f"{start} from the first move to the last: no move changed the outcome.", *end]
    first, last = found[0], found[-1]
    said = [f"{start} until ply {first.ply}."]
    after = Board.from_moves(moves_text(board.moves[: last.ply + 1], board.rules), board.rules)
    holder = SIDES[after.mover]
    said.append(f"Column {last.column} at ply {last.ply} {_let(last, after, holder)}.")
    if end:
        said += end
    elif len(found) > 1:
        said.append(f"It was the last of {len(found)} moves that changed the outcome.")
    elif last.after < 0 and after.outcome is None:
        said.append("From there every move lost.")
    return said


def _let(found: Explanation, board: Board, holder: str) -> str:
    if found.after == 0:
        return f"let {holder} escape with a draw"
    if isinstance(found.strategy, Forced):
        wins = " or ".join(map(column_text, found.strategy.wins))
        return (
            f"let {holder} {f'force {forced(found.strategy)}' if found.strategy.moves else f'win at once with {wins}'}"
        )
    threats = _threats(board)
    if threats and found.strategy is not None:
        column, row = threats[0]
        odd = "even" if row % 2 else "odd"
        return f"let {holder} keep the {odd} threat at {chr(ord('a') + column)}{row + 1}"
    return f"gave {holder} a win"


def _threats(board: Board) -> list[tuple[int, int]]:
    """Return cells (column, row) that complete a line of the side to move and cannot be played yet, lowest first."""
    height = board.rules.rows + 1
    cells = (
        (column, row) for row in range(height - 1) for column in board.legal_moves() if row > _height(board, column)
    )
    return [(column, row) for column, row in cells if board.rules.line(board.own | 1 << column * height + row)]
