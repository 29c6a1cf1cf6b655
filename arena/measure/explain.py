"""Why a move lost: a strategy of the other side that is short enough to follow, and checked against every reply.

The *holder* is the side to move after the blunder, which now has a win or a draw to hold; the *challenger* made it. The
strategy is, in this order, what the time is enough for:

* a forced line: threats of the holder, each of which has one answer, up to a threat that has none;
* a rule: marks in the empty cells, see `agents.solver.marks`, after at most one move that is not marked;
* a proof: moves of the holder, and for each reply one of the three.

Perfect play only leads the way. What is returned holds by itself: `follow` has walked through all replies.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.bits.bitboard import line_completers
from agents.board import Board, Rules, column_text
from agents.score import in_plies, of_outcome, plies_to_end, sign
from agents.solver import marks as kernels
from agents.solver.book import shipped_book
from agents.solver.solver import Solver, Stopped
from arena.measure.audit import decisions
from arena.rows import cell, table_row

SECONDS = 5.0
"""For one explanation."""
MOST_LINES = 10
DEEPEST = 3
"""Moves of the holder before the last rule, not counting those that leave one reply."""
ROUNDS = 400
TRIES = 4
NOISE = 0.5
MOST_EXAMPLES = 2000
LONGEST_THREATS = 14
MOST_THREATS = 20_000
"""Positions that the search for a forced line visits."""
MOST_NODES = 20_000_000
"""Positions that are searched for the longest resistance."""


@dataclass(frozen=True, slots=True)
class CellMark:
    """A cell to play, or cells on top of the challenger's last disc, and what must be so before. Cells are bits."""

    cells: int
    follow: bool = False
    opp: int = 0
    """A cell that the challenger has."""
    own: int = 0
    """A cell that the holder has."""
    empty: int = 0
    """A cell that is empty."""

    @property
    def is_conditional(self) -> bool:
        """Whether it applies only on a condition."""
        return bool(self.opp | self.own | self.empty)


@dataclass(frozen=True, slots=True)
class Forced:
    """Threats of the holder, which moves first, with their only answers; then one of `wins` completes a line."""

    moves: tuple[int, ...]
    """0-based columns, by turns; the last one is the holder's, or the answer that stops one of two threats."""
    wins: tuple[int, ...]
    """0-based columns."""


@dataclass(frozen=True, slots=True)
class ReplyRule:
    """Marks that the holder follows from here on."""

    marks: tuple[CellMark, ...]
    positions: int
    """In which the challenger is to move, all those that can come up."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move of the holder, and what follows each reply; after one that is not named the holder wins at once."""

    column: int
    branches: tuple[Branch, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """Replies, 0-based columns, and what the holder does after each of them."""

    replies: tuple[int, ...]
    then: Strategy


Strategy = Forced | ReplyRule | Move


def lines(strategy: Strategy) -> int:
    """Return the lines of a strategy: one for each end of it, and one for each mark with a condition."""
    if isinstance(strategy, Move):
        return sum(lines(branch.then) for branch in strategy.branches)
    return 1 + (sum(mark.is_conditional for mark in strategy.marks) if isinstance(strategy, ReplyRule) else 0)


def positions(strategy: Strategy) -> int:
    """Return how many positions the check of a strategy visits, those of forced lines left out."""
    if isinstance(strategy, Move):
        return sum(positions(branch.then) for branch in strategy.branches)
    return strategy.positions if isinstance(strategy, ReplyRule) else 0


def kind(strategy: Strategy) -> str:
    """Return "forced line", "rule" or "proof"."""
    if isinstance(strategy, Forced):
        return "forced line"
    plain = isinstance(strategy, ReplyRule) or (
        len(strategy.branches) == 1 and isinstance(strategy.branches[0].then, ReplyRule)
    )
    return "rule" if plain and lines(strategy) == 1 else "proof"


@dataclass
class Explainer:
    """Finds strategies on one board. Raises InputError where most fours win."""

    rules: Rules
    mebibytes: int = 64
    seconds: float = SECONDS
    most_lines: int = MOST_LINES
    clock: Callable[[], float] = time.monotonic
    """Returns the seconds that count."""
    _deadline: float = 0.0
    _values: dict[tuple[int, int], int] = field(default_factory=dict)
    _found: dict[tuple[int, int, int], tuple[int, ReplyRule | None]] = field(default_factory=dict)
    _left: int = 0

    def __post_init__(self) -> None:
        """Compile."""
        rules = self.rules
        self.solver = Solver(rules, self.mebibytes, shipped_book(rules))
        self._follow = kernels.build_follow(*rules.size)
        self._stack = np.zeros(kernels.FRAME * (rules.columns * rules.rows + 1), np.int64)
        self._failing = np.zeros((kernels.MOST_FAILING, 1 + len(self._stack)), np.int64)
        self._seen = np.zeros(kernels.SEEN, np.int64)
        self._examples = np.zeros(kernels.EXAMPLE * MOST_EXAMPLES, np.int64)
        self._marks = np.zeros(kernels.MARK * kernels.MOST_MARKS, np.int64)

    def strategy(self, board: Board, *, win: bool) -> Strategy | None:
        """Return how the side to move wins, or holds the draw; None where nothing short is found in time.

        The game is not over, and the side to move can do so by perfect play.
        """
        self._deadline = self.clock() + self.seconds
        self._found.clear()
        best = self._answer(board.own, board.opp, DEEPEST, self.most_lines, win=win)
        # Fewer lines lead the search elsewhere: it may find a shorter strategy, or one where it found none.
        for most in range(1, lines(best) if best else self.most_lines):
            if self.clock() > self._deadline:
                break
            if shorter := self._answer(board.own, board.opp, DEEPEST, most, win=win):
                return shorter
        return best

    def resistance(self, board: Board) -> tuple[int, int | None]:
        """Return the positions that a search of the exact score visits, MOST_NODES at most, and the plies to the end.

        It begins with an empty table. The plies are None for a draw, and where the search takes more and the opening
        book does not know the position.
        """
        self.solver.forget()
        before, size = self.solver.nodes, self.rules.columns * self.rules.rows
        self.solver.allow(MOST_NODES)
        try:
            score: int | None = self.solver.search(board.own, board.opp, -size, size)
        except Stopped:
            score = None if self.solver.book is None else self.solver.book.lookup(board.own, board.opp)
        finally:
            self.solver.resume()
        return self.solver.nodes - before, plies_to_end(in_plies(score, board)) if score else None

    def value(self, board: Board) -> int:
        """Return 1, 0 or -1: what a position is worth to the side to move, also at the end of the game."""
        return sign(of_outcome(board, 0)) if board.outcome is not None else self._value(board.own, board.opp)

    # How a strategy is found. `own` and `opp` are the discs of the holder and of the challenger.

    def _answer(self, own: int, opp: int, depth: int, budget: int, *, win: bool) -> Strategy | None:
        """Return a strategy of at most `budget` lines for the holder, the side to move."""
        if win and (line := self.forced(own, opp)):
            return line
        good = self._good(own, opp, win=win)
        if blocks := good & self._wins(opp):
            good = blocks
        best: Strategy | None = None
        for deep in range(max(1, depth)):
            for move in self._centre_first(good):
                branches = self._replies(own | move, opp, deep, budget, win=win)
                if branches is not None:
                    best = Move(self._column(move), branches)
                    budget = lines(best) - 1
                    if budget == 0:
                        return best
                if self.clock() > self._deadline:
                    return best
            if best is not None:
                break
        return best

    def _replies(self, own: int, opp: int, depth: int, budget: int, *, win: bool) -> tuple[Branch, ...] | None:
        """Return what to do after each reply of the challenger, the side to move, in at most `budget` lines."""
        playable = self._playable(own | opp)
        wins = self._wins(own)
        replies = sum(each for each in _cells(playable) if not (playable ^ each | each << 1) & wins)
        if replies == 0 and playable:
            return ()
        if playable == 0:
            return None if win else ()
        if rule := self._rule(own, opp, replies, budget - 1, win=win):
            return (Branch(self._columns(replies), rule),)
        if replies & (replies - 1) == 0:
            then = self._answer(own, opp | replies, depth, budget, win=win)
            return None if then is None else (Branch(self._columns(replies), then),)
        if depth == 0 or budget < 2:
            return None
        shared = self._shared(own, opp, replies, budget, win=win)
        branches = [Branch(self._columns(cells), rule) for cells, rule in shared]
        budget -= sum(lines(rule) for _, rule in shared)
        hard = list(_cells(replies & ~sum(cells for cells, _ in shared)))
        for number, reply in enumerate(hard, start=1):
            then = self._answer(own, opp | reply, depth, budget - (len(hard) - number), win=win)
            if then is None:
                return None
            branches.append(Branch(self._columns(reply), then))
            budget -= lines(then)
        return tuple(branches) if budget >= 0 else None

    def _shared(self, own: int, opp: int, replies: int, budget: int, *, win: bool) -> list[tuple[int, ReplyRule]]:
        """Return rules for the replies that have one, each for as many of them as can share it."""
        shared: list[tuple[int, ReplyRule]] = []
        for reply in _cells(replies):
            rule = self._rule(own, opp, reply, budget - 2, win=win)
            for place, (cells, known) in enumerate(shared if rule else ()):
                most = lines(known) + lines(rule) - 1 if rule else 0
                if both := self._rule(own, opp, cells | reply, most, tries=1, win=win):
                    shared[place] = cells | reply, both
                    break
            else:
                shared += [(reply, rule)] if rule else []
        return shared

    def _rule(self, own: int, opp: int, replies: int, most: int, *, win: bool, tries: int = TRIES) -> ReplyRule | None:
        """Return marks that hold after these replies, at most `most` of them with a condition; or None."""
        if most < 0:
            return None
        key = own, opp, replies
        failed, known = self._found.get(key, (-1, None))
        if known is not None and lines(known) - 1 <= most:
            return known
        if most <= failed:
            return None
        for attempt in range(tries):
            rule = self._learned(own, opp, replies, most, attempt, win=win)
            if rule is not None:
                self._found[key] = failed, rule
                return rule
            if self.clock() > self._deadline:
                return None
        self._found[key] = most, known
        return None

    def _learned(self, own: int, opp: int, replies: int, most: int, seed: int, *, win: bool) -> ReplyRule | None:
        """Return marks that agree with perfect play wherever they were seen to fail, until they fail nowhere."""
        count, height = 0, self.rules.rows + 1
        for _ in range(ROUNDS):
            noise = NOISE if seed else 0.0
            made = kernels.learn(self._examples, count, self._marks, self.rules.columns, height, most, seed, noise)
            if made < 0:
                return None
            work = self._stack, self._seen, self._failing
            visited = int(self._follow(self._marks, made, own, opp, replies, int(win), *work))
            if visited > 0:
                rows = self._marks[: made * kernels.MARK].reshape(-1, kernels.MARK).tolist()
                marks = tuple(CellMark(cells, bool(follow), *terms) for cells, follow, *terms in rows)
                return ReplyRule(marks, visited)
            mistakes = {self._mistake(line, win=win) for line in self._failing[:-visited]}
            if not mistakes or count + len(mistakes) > MOST_EXAMPLES or self.clock() > self._deadline:
                return None
            for example in sorted(mistakes):
                self._examples[count * kernels.EXAMPLE : (count + 1) * kernels.EXAMPLE] = example
                count += 1
        return None

    def _mistake(self, line: Any, *, win: bool) -> tuple[int, ...]:  # noqa: ANN401  an array
        """Return the last position of a line that fails in which the holder still held its result, as an example."""
        frames = line[1 : 1 + line[0] * kernels.FRAME].reshape(-1, kernels.FRAME).tolist()
        for own, opp, _, last, answer in reversed(frames):
            if answer and self._value(own, opp) >= int(win):
                theirs = self._wins(opp) & ~(own | opp)
                playable = self._playable(own | opp)
                safe = playable & ~(theirs >> 1) or playable
                good = self._good(own, opp, win=win)
                assert not answer & good, "perfect play contradicts itself"
                return safe, good & safe, opp, own, last
        raise AssertionError("a position was lost before its first reply")

    def forced(self, own: int, opp: int, most: int = MOST_THREATS) -> Forced | None:
        """Return a shortest sequence of threats by which the side to move wins; None if `most` positions hold none."""
        self._left = most
        for threats in range(1, LONGEST_THREATS):
            if found := self._threats(own, opp, threats):
                return Forced(*found)
            if self._left <= 0:
                break
        return None

    def _threats(self, own: int, opp: int, most: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        self._left -= 1
        playable = self._playable(own | opp)
        if wins := self._wins(own) & playable:
            return (), self._columns(wins)
        theirs = self._wins(opp)
        blocks = theirs & playable
        if most <= 1 or self._left <= 0 or blocks & (blocks - 1):
            return None
        for move in _cells((blocks or playable) & ~(theirs >> 1)):
            wins = self._wins(own | move)
            now = wins & self._playable(own | opp | move)
            if now and now & (now - 1):
                return (self._column(move),), self._columns(now)
            if now and (rest := self._threats(own | move, opp | now, most - 1)):
                return (self._column(move), self._column(now), *rest[0]), rest[1]
        return None

    # The board.

    def _playable(self, taken: int) -> int:
        return taken + self.rules.bottom & self.rules.cells

    def _wins(self, discs: int) -> int:
        """Return the cells that complete a line of `discs`, taken ones included."""
        return int(line_completers(discs, self.rules.rows, self.rules.connect)) & self.rules.cells

    def _column(self, cell: int) -> int:
        return (cell.bit_length() - 1) // (self.rules.rows + 1)

    def _columns(self, cells: int) -> tuple[int, ...]:
        return tuple(self._column(cell) for cell in _cells(cells))

    def _centre_first(self, cells: int) -> list[int]:
        return sorted(_cells(cells), key=lambda cell: abs(2 * self._column(cell) - self.rules.columns + 1))

    def _value(self, own: int, opp: int) -> int:
        """Return 1, 0 or -1 for the side to move; the game is not over."""
        if (own, opp) not in self._values:
            self._values[own, opp] = self.solver.outcome(own, opp)
        return self._values[own, opp]

    def _good(self, own: int, opp: int, *, win: bool) -> int:
        """Return the cells with which the side to move keeps a win, or at least a draw."""
        good = 0
        for move in _cells(self._playable(own | opp)):
            after = own | move
            full = after | opp == self.rules.cells
            value = 1 if self.rules.line(after) else 0 if full else -self._value(opp, after)
            good |= move if value >= int(win) else 0
        return good


def _cells(bits: int) -> Iterator[int]:
    while bits:
        yield bits & -bits
        bits &= bits - 1


# The moves of a game that changed its value.


@table_row
class Explanation:
    """A move that changed what its position was worth, and why."""

    ply: int = cell("[plies] Discs on the board before the move.")
    column: int = cell("[column] The one that was played, from 1.")
    before: int = cell("What the position was worth to its mover: 1 a win, 0 a draw.")
    after: int = cell("What the move left: 0 a draw, -1 a loss.")
    keepers: str = cell("The columns that kept the value, from 1 and parted by blanks.")
    kind: str = cell("What shows it: forced line, rule, proof, or search where nothing short was found.")
    strategy: Strategy | None = cell("What the other side does; None where only a search shows it.")
    positions: int = cell("[positions] In which the check, or the search, has a side to move.")
    plies: int | None = cell("[plies] The longest resistance, where only a search shows it.")


def blunders(board: Board, explainer: Explainer, plies: range) -> Iterator[Explanation]:
    """Yield the moves of a game that lost value, of those at these plies, each with its explanation."""
    for before, column in decisions(board):
        if before.ply in plies:
            value, after = explainer.value(before), -explainer.value(before.play(column))
            if after < value:
                yield _explained(before, column, value, after, explainer)


def _explained(before: Board, column: int, value: int, after: int, explainer: Explainer) -> Explanation:
    worth = explainer.solver.column_scores(before.own, before.opp, weak=True)
    kept = " ".join(column_text(each) for each, score in enumerate(worth) if score == value)
    board = before.play(column)
    found = explainer.strategy(board, win=after < 0)
    about = (kind(found), found, positions(found), None) if found else ("search", None, *explainer.resistance(board))
    return Explanation(before.ply, column + 1, value, after, kept, *about)
