"""Verify that pruning is free: every exact search must find what plain minimax finds.

On the same position at the same depth with the same heuristic, all of them must have the same value; those that try the
moves in the same order must choose the same one, since the first best move wins a tie; and the position at the end of
each principal variation must have the value that was claimed. Tables are small and never cleared, so that entries are
replaced and searches meet entries of earlier positions.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agents.board import Board, IllegalMove, Rules, column_text, moves_text
from agents.errors import InputError
from agents.score import of_outcome
from agents.specs.components import HEURISTICS, ORDERINGS, complete
from arena.games.person import Seat

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from arena.records import MoveRecord

TABLE = "table=on,table-size=1"
VARIANTS = ("", TABLE, "deepening=on", f"{TABLE},deepening=on",
            f"{TABLE},deepening=on,killers=on,history=on,pvs=on")  # fmt: skip
"""Settings of the searches that must agree."""
PLAIN_VARIANTS = ("compiled=no", "deepening=on,compiled=no")
"""The same in plain Python."""


@dataclass(frozen=True, slots=True)
class ExactSearch:
    """One exact way to search."""

    kind: str
    order: str
    """In which it tries moves."""
    settings: str
    """Of the spec, but for depth, heuristic and order."""

    def spec(self, heuristic: str, depth: int) -> str:
        """Return the whole spec."""
        order = f"order={self.order}" if self.kind == "alphabeta" else ""
        settings = f"depth={depth}", f"heuristic={heuristic}", order, self.settings
        return f"{self.kind}:{','.join(filter(None, settings))}"


MINIMAX = ExactSearch("minimax", "left-to-right", "")


def searches(orderings: Iterable[str] = ORDERINGS) -> list[ExactSearch]:
    """Return minimax, and alpha-beta in every ordering: alone, with a table, with deepening, with both."""
    return [MINIMAX, *_alphabeta(orderings, VARIANTS)]


def plain_searches(orderings: Iterable[str] = ORDERINGS) -> list[ExactSearch]:
    """Return compiled minimax, and the searches that run as plain Python."""
    return [MINIMAX, replace(MINIMAX, settings="compiled=no"), *_alphabeta(orderings, PLAIN_VARIANTS)]


def _alphabeta(orderings: Iterable[str], variants: Iterable[str]) -> Iterator[ExactSearch]:
    for order, settings in itertools.product(orderings, variants):
        yield ExactSearch("alphabeta", order, settings)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two answers that should have been the same."""

    position: str
    what: str
    """`value`, `move` or `line`."""
    one: str
    """The agent's spec."""
    one_value: str
    other: str
    """The other agent's spec; of a line, what stands at its end."""
    other_value: str

    def __str__(self) -> str:
        where = self.position or "the empty board"
        return f"{where}: {self.what} {self.one_value} of {self.one}, {self.other_value} of {self.other}"


def usable_heuristics(rules: Rules) -> list[str]:
    """Return the built-in heuristics that have a meaning on this board."""
    from agents.search.compiled import heuristic

    names = []
    for name in complete(HEURISTICS):
        with contextlib.suppress(InputError):
            heuristic(name, rules)
            names.append(name)
    return names


def verify(
    boards: Sequence[Board],
    depth: int,
    heuristics: Sequence[str],
    searches: Sequence[ExactSearch],
    progress: Callable[[], object] = lambda: None,
) -> list[Disagreement]:
    """Run every search with every heuristic on every position, all of one size, and return where any two disagree.

    depth: plies of every search. heuristics: names or files. searches: the first is the reference. progress: called
    after each position. Raises InputError for a heuristic or an ordering that cannot be used.
    """
    from agents.search import compiled

    disagreements: list[Disagreement] = []
    for heuristic in heuristics:
        evaluate = compiled.heuristic(heuristic, boards[0].rules).evaluate
        seats = [Seat.of(search.spec(heuristic, depth)) for search in searches]
        for seat in seats:
            seat.ready(boards[0], seed=0)
        for board in boards:
            answers = [seat.decide(board) for seat in seats]
            disagreements += _disagreements(board, seats, searches, answers, evaluate)
            progress()
    return disagreements


def _disagreements(
    board: Board, seats: Sequence[Seat], searches: Sequence[ExactSearch], answers: Sequence[MoveRecord],
    evaluate: Evaluate,
) -> Iterator[Disagreement]:  # fmt: skip
    """Compare what the searches answered on one position."""
    leaders: dict[str, tuple[str, MoveRecord]] = {}
    first, measure = seats[0].name, answers[0]
    for seat, search, answer in zip(seats, searches, answers, strict=True):
        if answer.score != measure.score:
            yield Disagreement(board.text, "value", first, str(measure.score), seat.name, str(answer.score))
        leader, led = leaders.setdefault(search.order, (seat.name, answer))
        if answer.column != led.column:
            moves = column_text(led.column), column_text(answer.column)
            yield Disagreement(board.text, "move", leader, moves[0], seat.name, moves[1])
        end = value_at_the_end(board, answer.pv, evaluate)
        if end != answer.score or answer.pv[0] != answer.column:
            line = f"the end of its line {moves_text(answer.pv, board.rules) or '-'}"
            yield Disagreement(board.text, "line", seat.name, str(answer.score), line, str(end))


def value_at_the_end(board: Board, line: Sequence[int], evaluate: Evaluate) -> int | None:
    """Return the value, for the side to move on `board`, of the position after the moves; None if they are illegal."""
    after = board
    try:
        for column in line:
            after = after.play(column)
    except IllegalMove:
        return None
    value = int(evaluate(after.own, after.opp)) if after.outcome is None else of_outcome(after, len(line))
    return -value if len(line) % 2 else value


PLAIN_POSITIONS, PLAIN_DEPTH = 3, 3
"""Searches in plain Python get only so much of the sample, so that they end soon."""
