"""Why a move lost value: the moves that kept it, and the line by which the other side profits.

The *holder* is the side to move after the blunder, which now has a win or a draw to hold; the *challenger* made the
blunder. The holder's line is a forced line where there is one: threats of the holder, each of which has one answer, up
to a threat that has none. Else it is the beginning of perfect play on both sides, which only a search shows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from agents.bits.bitboard import line_completers
from agents.board import Board, Rules, column_text
from agents.score import from_solver_score, of_outcome, plies_to_end, sign
from agents.solver.book import shipped_book
from agents.solver.solver import Solver, Stopped
from arena.perfect.judge import decisions
from arena.table.rows import cell, table_row

LONGEST_THREATS = 14
MOST_THREATS = 20_000
"""Positions that the search for a forced line visits."""
MOST_NODES = 20_000_000
"""Positions that the search for exact scores visits."""
NEXT_MOVES = 3
"""Moves of perfect play to show."""


@dataclass(frozen=True, slots=True)
class Forced:
    """Threats of the holder, which moves first, with their only answers; then one of `wins` completes a line."""

    moves: tuple[int, ...]
    """0-based columns, by turns; the last one is the holder's, or the answer that stops one of two threats."""
    wins: tuple[int, ...]
    """0-based columns."""
    positions: int
    """Positions that the search visited."""


@table_row
class Explanation:
    """A move that changed what its position was worth, and how the other side profits."""

    ply: int = cell("[plies] Discs on the board before the move.")
    column: int = cell("[column] The one that was played, from 1.")
    before: int = cell("What the position was worth to its mover: 1 a win, 0 a draw.")
    after: int = cell("What the move left: 0 a draw, -1 a loss.")
    keepers: str = cell("The columns that kept the value, from 1 and parted by blanks.")
    kind: str = cell("What shows it: forced line or search.")
    moves: str = cell("A forced line, or the next moves of perfect play: columns from 1, parted by blanks.")
    wins: str = cell("The columns of which one completes a line after a forced line; else empty.")
    positions: int = cell("[positions] That the search of the line visited.")
    plies: int | None = cell("[plies] After the move to the end, by perfect play; None for a draw or a longer search.")
    depth: int | None = cell("[plies] The least depth at which a search sees what was lost; None where it is unknown.")


@dataclass
class Explainer:
    """Explains moves on one board. Raises InputError where most fours win."""

    rules: Rules
    mebibytes: int = 64
    _values: dict[tuple[int, int], int] = field(default_factory=dict)
    _left: int = 0

    def __post_init__(self) -> None:
        """Compile."""
        self.solver = Solver(self.rules, self.mebibytes, shipped_book(self.rules))

    def value(self, board: Board) -> int:
        """Return 1, 0 or -1: what a position is worth to the side to move, also at the end of the game."""
        if board.outcome is not None:
            return sign(of_outcome(board, 0))
        key = board.own, board.opp
        if key not in self._values:
            self._values[key] = self.solver.outcome(*key)
        return self._values[key]

    def blunders(self, board: Board, plies: Container[int]) -> Iterator[Explanation]:
        """Yield the moves of a game that lost value, of those at these plies, each with its explanation."""
        for before, column in decisions(board):
            if before.ply in plies:
                value, after = self.value(before), -self.value(before.play(column))
                if after < value:
                    yield self._explained(before, column, value, after)

    def _explained(self, before: Board, column: int, value: int, after: int) -> Explanation:
        worth = self.solver.column_scores(before.own, before.opp, weak=True)
        kept = _listed(other for other, score in enumerate(worth) if score == value)
        board = before.play(column)
        self.solver.forget()  # so that the positions below do not depend on earlier moves
        if after and (line := self.forced(board.own, board.opp)):
            kind, moves, wins, positions = "forced line", _listed(line.moves), _listed(line.wins), line.positions
            plies = self._distance(board)
        else:
            kind, wins = "search", ""
            moves, positions, plies = self._best_play(board)
        depth = self._distance(before) if after == 0 else None if plies is None else plies + 1
        return Explanation(before.ply, column + 1, value, after, kept, kind, moves, wins, positions, plies, depth)

    def _distance(self, board: Board) -> int | None:
        """Return the plies to the win or loss by perfect play; None where that takes more than MOST_NODES positions."""
        self.solver.allow(MOST_NODES)
        try:
            return plies_to_end(from_solver_score(self.solver.score_of(board), board))
        except Stopped:
            return None
        finally:
            self.solver.resume()

    def _best_play(self, board: Board) -> tuple[str, int, int | None]:
        """Return the next moves of perfect play, the positions that a search of them visits, and the plies to the end.

        Where exact scores take more than MOST_NODES positions, the moves only keep the value, and the plies are None,
        as they are for a draw.
        """
        first, begun, middle = board, self.solver.nodes, self.rules.columns - 1
        moves: list[int] = []
        plies, weak = None, False
        self.solver.allow(MOST_NODES)
        while board.outcome is None and len(moves) < NEXT_MOVES:
            try:
                scores = self.solver.column_scores(board.own, board.opp, weak=weak)
            except Stopped:
                weak = True
                self.solver.resume()
                continue
            best = max(score for score in scores if score is not None)
            if board is first and best and not weak:
                plies = plies_to_end(from_solver_score(best, board))
            moves.append(min((c for c, s in enumerate(scores) if s == best), key=lambda c: abs(2 * c - middle)))
            board = board.play(moves[-1])
        self.solver.resume()
        return _listed(moves), self.solver.nodes - begun, plies

    # The search for a forced line. `own` and `opp` are the discs of the holder and of the challenger.

    def forced(self, own: int, opp: int, most: int = MOST_THREATS) -> Forced | None:
        """Return a shortest sequence of threats by which the side to move wins; None if `most` positions hold none."""
        self._left = most
        for threats in range(1, LONGEST_THREATS):
            if line := self._threats(own, opp, threats):
                return Forced(*line, most - self._left)
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
            now = self._wins(own | move) & self._playable(own | opp | move)
            if now and now & (now - 1):
                return self._columns(move), self._columns(now)
            if now and (rest := self._threats(own | move, opp | now, most - 1)):
                return (*self._columns(move), *self._columns(now), *rest[0]), rest[1]
        return None

    def _playable(self, taken: int) -> int:
        return taken + self.rules.bottom & self.rules.cells

    def _wins(self, discs: int) -> int:
        """Return the cells that complete a line of `discs`, taken ones included."""
        return int(line_completers(discs, self.rules.rows, self.rules.connect)) & self.rules.cells

    def _columns(self, cells: int) -> tuple[int, ...]:
        return tuple((cell.bit_length() - 1) // (self.rules.rows + 1) for cell in _cells(cells))


def _cells(bits: int) -> Iterator[int]:
    while bits:
        yield bits & -bits
        bits &= bits - 1


def _listed(columns: Iterable[int]) -> str:
    return " ".join(map(column_text, columns))
