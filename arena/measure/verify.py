"""Verify that pruning is free: every exact search must find what plain minimax finds.

On the same position at the same depth with the same heuristic, all of them must have the same value; those that try the
moves in the same order must choose the same one, since the first best move wins a tie; and the position at the end of
each principal variation must have the value that was claimed. Tables are small and never cleared, so that entries are
replaced and searches meet entries of earlier positions.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents.board import Board, IllegalMove, Rules, column_text, moves_text
from agents.errors import InputError
from agents.score import of_outcome
from agents.specs.parts import HEURISTICS, ORDERINGS, complete
from arena.play.entrants import entrant
from arena.play.person import Seat
from arena.rows import cell, table_row

if TYPE_CHECKING:
    from agents.jit.compiler import Evaluate
    from arena.records import MoveRecord


TABLE = "table=on,table-size=1"
VARIANTS = {"alone": "", "table": TABLE, "deepening": "deepening=on", "table, deepening": f"{TABLE},deepening=on",
            "options": f"{TABLE},deepening=on,killers=on,history=on,pvs=on"}  # fmt: skip
"""Settings of the searches that must agree, by their names in the table."""
PLAIN_VARIANTS = {"alone": "compiled=no", "table, deepening": f"{TABLE},deepening=on,compiled=no"}
"""The same in plain Python."""


@dataclass(frozen=True, slots=True)
class ExactSearch:
    """One exact way to search."""

    kind: str
    order: str
    """In which it tries moves."""
    variant: str
    settings: str
    """Of the spec, but for depth, heuristic and order."""

    @property
    def name(self) -> str:
        """The algorithm and, where it matters, its ordering."""
        return "alphabeta:order=" + self.order if self.kind == "alphabeta" else self.kind

    def spec(self, heuristic: str, depth: int) -> str:
        """Return the whole spec."""
        order = f"order={self.order}" if self.kind == "alphabeta" else ""
        settings = f"depth={depth}", f"heuristic={heuristic}", order, self.settings
        return f"{self.kind}:{','.join(filter(None, settings))}"


MINIMAX = ExactSearch("minimax", "left-to-right", "alone", "")


def searches(orderings: Iterable[str] = ORDERINGS) -> list[ExactSearch]:
    """Return minimax, and alpha-beta in every ordering: alone, with a table, with deepening, with both."""
    return [MINIMAX, *_alphabeta(orderings, VARIANTS)]


def plain_searches(orderings: Iterable[str] = ORDERINGS) -> list[ExactSearch]:
    """Return compiled minimax, and the searches that run as plain Python."""
    compiled = replace(MINIMAX, variant="compiled")
    return [compiled, replace(MINIMAX, settings="compiled=no"), *_alphabeta(orderings, PLAIN_VARIANTS)]


def _alphabeta(orderings: Iterable[str], variants: Mapping[str, str]) -> Iterator[ExactSearch]:
    for order in orderings:
        for name, settings in variants.items():
            yield ExactSearch("alphabeta", order, name, settings)


@table_row
class SearchEffort:
    """The nodes of one search with one heuristic on all positions."""

    agent: str = cell("Its spec.")
    search: str = cell("The algorithm and its ordering.")
    variant: str = cell("What else it used: a table, deepening.")
    heuristic: str = cell("Its name.")
    depth: int = cell("[plies]")
    positions: int = cell("[positions]")
    nodes: int = cell("[nodes] On all of them.")
    minimax: int = cell("[nodes] Those of plain minimax on the same positions.")


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


@dataclass(frozen=True, slots=True)
class Verification:
    """The nodes visited, and where searches disagreed."""

    efforts: list[SearchEffort]
    disagreements: list[Disagreement]


def usable_heuristics(rules: Rules) -> list[str]:
    """Return the built-in heuristics that have a meaning on this board."""
    from agents.search.compiled import heuristic

    names = []
    for name in complete(HEURISTICS):
        with contextlib.suppress(InputError):
            heuristic(name, rules)
            names.append(name)
    return names


def sample(count: int, seed: int, rules: Rules) -> list[Board]:
    """Return the empty board and `count` - 1 more positions, of any ply, from random play. Raises InputError.

    The same seed gives the same positions, and a greater count begins with those of a smaller one.
    """
    chance = random.Random(seed)  # noqa: S311  a sample, not a secret
    found = {Board(rules).key: Board(rules)}
    for _ in range(1000 * count):
        if len(found) >= count:
            break
        board = Board(rules)
        plies = chance.randrange(rules.columns * rules.rows)
        while board.ply < plies and board.outcome is None:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            found.setdefault(board.key, board)
    if len(found) < count:
        raise InputError(f"random play finds {len(found)} positions on a {rules} board, not {count}")
    return list(found.values())


def verify(
    boards: Sequence[Board],
    depth: int,
    heuristics: Sequence[str],
    searches: Sequence[ExactSearch],
    progress: Callable[[], object] = lambda: None,
) -> Verification:
    """Run every search with every heuristic on every position, all of one size, and compare it with the first search.

    depth: plies of every search. heuristics: names or files. searches: the first is the reference. progress: called
    after each position. Raises InputError for a heuristic or an ordering that cannot be used.
    """
    from agents.search import compiled

    efforts: list[SearchEffort] = []
    disagreements: list[Disagreement] = []
    for heuristic in heuristics:
        evaluate = compiled.heuristic(heuristic, boards[0].rules).evaluate
        seats = [Seat.of(search.spec(heuristic, depth)) for search in searches]
        for seat in seats:
            seat.ready(boards[0], seed=0)
        nodes = [0] * len(seats)
        for board in boards:
            answers = [seat.decide(board) for seat in seats]
            nodes = [before + answer.nodes for before, answer in zip(nodes, answers, strict=True)]
            disagreements += _disagreements(board, seats, searches, answers, evaluate)
            progress()
        efforts += [
            SearchEffort(seat.name, search.name, search.variant, heuristic, depth, len(boards), visited, nodes[0])
            for seat, search, visited in zip(seats, searches, nodes, strict=True)
        ]
    return Verification(efforts, disagreements)


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


@table_row
class Saving:
    """The nodes of one search with all heuristics on all positions."""

    how: str = cell("`Compiled` or `Plain Python`.")
    search: str = cell("The algorithm and its ordering.", "search")
    variant: str = cell("What else it used: a table, deepening.")
    depth: int = cell("[plies]")
    nodes: int = cell("[nodes]")
    minimax: int = cell("[nodes] Those of plain minimax.")
    share: float = cell("[share] Nodes over plain minimax's.")


def savings(how: str, efforts: Sequence[SearchEffort]) -> list[Saving]:
    """Return a row for each search, over all heuristics."""
    sums: dict[tuple[str, str, int], tuple[int, int]] = {}
    for each in efforts:
        key = each.search, each.variant, each.depth
        nodes, minimax = sums.get(key, (0, 0))
        sums[key] = nodes + each.nodes, minimax + each.minimax
    return [Saving(how, *key, nodes, minimax, nodes / minimax) for key, (nodes, minimax) in sums.items()]


PLAIN_POSITIONS, PLAIN_DEPTH = 3, 3
"""Searches in plain Python get only so much of the sample, so that they end soon."""


# `arena verify --against`: the scores of another solver beside ours.

FEWEST_DISCS = 16
"""Fewest discs of a position: with fewer a solver without a book may take minutes. On small boards half the cells."""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The scores that two solvers give one position, for the side to move."""

    position: str
    ours: int
    theirs: int


def crowded_sample(count: int, seed: int, rules: Rules) -> list[Board]:
    """Return `count` positions from random play with enough discs for any solver. Raises InputError."""
    fewest = min(FEWEST_DISCS, rules.columns * rules.rows // 2)
    drawn = 4 * count
    while True:
        found = [board for board in sample(drawn, seed, rules) if board.ply >= fewest]
        if len(found) >= count:
            return found[:count]
        drawn *= 2


def cross_check(
    text: str,
    boards: Sequence[Board],
    isolation: Mapping[str, Any] = {},
    progress: Callable[[], object] = lambda: None,
) -> list[CrossCheck]:
    """Score each position by another solver and by ours. Raises InputError.

    text: `pons:COMMAND`, the other one. isolation: as `entrants` takes it. progress: called after each position.
    """
    from agents.remote.agent import RemoteAgent
    from agents.remote.failure import Failure
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver

    if not text.startswith("pons:"):
        raise InputError(f"the other solver must be pons:COMMAND, not {text!r}")
    rules = boards[0].rules
    solver = Solver(rules, book=shipped_book(rules))
    other = entrant(text, isolation).build()
    assert isinstance(other, RemoteAgent)
    found = []
    try:
        other.prepare(rules)
        for board in boards:
            theirs = other.score(board, time.perf_counter() + other.process_limits.patience)
            found.append(CrossCheck(board.text, solver.score_of(board), theirs))
            progress()
    except Failure as failure:
        raise InputError(f"{text!r}: {failure}") from failure
    finally:
        other.close()
    return found
