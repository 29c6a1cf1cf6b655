"""Whether a search that prunes finds what plain minimax finds: both are asked at each depth on the same positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.board import Board, column_text, moves_text
from agents.errors import InputError
from agents.score import WIN, proven, sign
from agents.specs.registry import Spec
from arena.games.searches import OBEY, answer_at, at_depth, takes_depth
from arena.records import MoveRecord
from arena.table.cells import after, count, percent
from arena.table.rows import cell, table_row

TELLING = 5
"""Positions on which two depths cannot have the same values and nodes by chance."""


@table_row
class AtDepth:
    """What two searches have in common at one depth."""

    reference: str = cell("The search that is taken to be right.")
    search: str = cell("The search that is compared with it.")
    depth: int = cell("[plies]", "depth")
    positions: int = cell("[positions]", "positions", least=1)
    values: int = cell("[positions] On which both have the same value.", "same value")
    moves: int = cell("[positions] On which both choose the same move.", "same move")
    reference_nodes: int = cell(
        "[nodes] Of the reference on all positions, 0 if it reports none.", "reference's nodes",
        lambda nodes: count(nodes) if nodes else "-",
    )  # fmt: skip
    nodes: int = cell(
        "[nodes] Of the other search, likewise.", "its nodes", lambda nodes: count(nodes) if nodes else "-"
    )
    share: float | None = cell("[share] Its nodes over the reference's; None where one reports none.", "share", percent)


@dataclass(frozen=True, slots=True)
class Answers:
    """What two searches answered on one position at one depth."""

    board: Board
    depth: int
    one: MoveRecord
    other: MoveRecord

    @property
    def same_value(self) -> bool:
        """Whether both have the same value."""
        return self.one.score == self.other.score

    @property
    def same_move(self) -> bool:
        """Whether both choose the same move."""
        return self.one.column == self.other.column

    @property
    def same(self) -> bool:
        """Whether both have the same value and move."""
        return self.same_value and self.same_move


@dataclass(frozen=True, slots=True)
class DifferentAnswer:
    """A position that two searches answer otherwise at one depth."""

    reference: str
    search: str
    position: str
    depth: int
    reference_value: int | None
    value: int | None
    reference_move: str
    move: str
    reference_line: str
    """The principal variation as the text of its moves, empty where the search reports none."""
    line: str
    drawing: str

    def __str__(self) -> str:
        where = f"{after(self.position)} at depth {self.depth}"
        answer = f"plays {self.move} with value {self.value}{_line(self.line)}"
        other = f"{self.reference} {self.reference_move} with value {self.reference_value}{_line(self.reference_line)}"
        return f"{where} {self.search} {answer}, {other}{self._hint()}\n{self.drawing}"

    def _hint(self) -> str:
        """Return what may have made the difference."""
        value, right = self.value or 0, self.reference_value or 0
        if value == right:
            return "; the same value: >= where > is meant, or another order of columns?"
        if proven(right) and not proven(value) and sign(value) == sign(right):
            return f"; a win in n plies is worth {WIN} - n, a loss n - {WIN}"
        return ""


def _line(moves: str) -> str:
    return f" (line {moves})" if moves else ""


def answers(
    reference: Spec,
    search: Spec,
    boards: Sequence[Board],
    depths: Iterable[int],
    progress: Callable[[], object] = lambda: None,
) -> Iterator[Answers]:
    """Ask both searches on every position at every depth, shallow first, and yield what they answer.

    reference: the search that is taken to be right. boards: of one size. depths: plies, ascending. progress: called
    after each position. Raises InputError for a search that fails, reports no value, or ignores the depth.
    """
    before: list[Answers] = []
    for depth in depths:
        pairs: list[Answers] = []
        with at_depth(reference, depth, boards[0].rules) as one, at_depth(search, depth, boards[0].rules) as other:
            for board in boards:
                pair = answer_at(one, board, reference.text, depth), answer_at(other, board, search.text, depth)
                pairs.append(Answers(board, depth, *pair))
                yield pairs[-1]
                progress()
        for place, spec in enumerate((reference, search)):
            reports = _told(pairs, place)
            telling = len(boards) >= TELLING and (any(nodes for _, nodes in reports) or not takes_depth(spec))
            if telling and reports == _told(before, place):
                two = f"depths {before[0].depth} and {depth}"
                raise InputError(f"{spec.text} ignores the depth: it answers alike at {two}; {OBEY}")
        before = pairs


def _told(pairs: Sequence[Answers], place: int) -> list[tuple[int | None, int]]:
    """Return values and nodes of the reference, 0, or the other search, 1; its moves may be chance."""
    return [(answer.score, answer.nodes) for answer in ((both.one, both.other)[place] for both in pairs)]


def by_depth(pairs: Sequence[Answers], reference: str, search: str) -> list[AtDepth]:
    """Return a row for each depth at which the two searches were asked."""
    rows = []
    for depth in dict.fromkeys(pair.depth for pair in pairs):
        level = [pair for pair in pairs if pair.depth == depth]
        one, other = sum(pair.one.nodes for pair in level), sum(pair.other.nodes for pair in level)
        values, moves = sum(pair.same_value for pair in level), sum(pair.same_move for pair in level)
        share = other / one if one and other else None
        rows.append(AtDepth(reference, search, depth, len(level), values, moves, one, other, share))
    return rows


def first_difference(pairs: Sequence[Answers], reference: str, search: str) -> DifferentAnswer | None:
    """Return where two searches first have another value or, where none has, another move; None where all agree."""
    wrong = [pair for pair in pairs if not pair.same_value] or [pair for pair in pairs if not pair.same_move]
    for pair in wrong[:1]:
        one, other, rules = pair.one, pair.other, pair.board.rules
        return DifferentAnswer(
            reference, search, pair.board.text, pair.depth, one.score, other.score,
            column_text(one.column), column_text(other.column),
            moves_text(one.pv, rules), moves_text(other.pv, rules), str(pair.board),
        )  # fmt: skip
    return None
