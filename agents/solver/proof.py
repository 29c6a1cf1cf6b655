"""Proofs of a position's value, which anybody can check without a search.

A proof shows that one side, the *prover*, gets a win or at least a draw against every reply of the other, the *loser*.
The proof of a win or a loss has one part. The proof of a draw has two: first the side to move, then the other side
proves at least a draw. The bytes of a part are the prover's moves, as columns from 0. Their order is depth first: all
replies of the loser are played, from the first column to the last, each one to its end before the next. A position
with the prover to move takes no byte if

* a move completes a line: the prover plays it, which ends the game;
* the board or its mirror image occurred earlier in this part: it is proven there;
* the loser threatens to complete a line, or only one column is left: there is no choice.

The proof fails if the loser completes a line, or if the board fills up in the proof of a win. "Earlier" needs no
further rule, because a game never returns to a position.

A file is compressed with gzip. It begins with a line, `connect4-arena proof BOARD OUTCOME MOVES`, with the outcome for
the side to move after MOVES, which may be empty; the bytes follow.
"""

from __future__ import annotations

import functools
import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from agents.bits.bitboard import has_line, landing_cells, line_completers, mirrored, position_key
from agents.board import Board, Rules, moves_text
from agents.errors import InputError
from agents.jit.compiler import jit, word, words
from agents.orderings.static import centre
from agents.rules import all_cells, bottom_row
from agents.score import VALUES, sign

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.solver.solver import Solver

    Words = NDArray[np.int64]
    Bytes = NDArray[np.uint8]

SIGNATURE = "connect4-arena proof"

DONE, MORE, FULL, LINE, DRAWN, ILLEGAL = range(6)
"""The ends of a replay: everything is proven; the next move is missing; the set is full; or the proof fails."""
FAULTS = {
    MORE: "the proof ends before a move",
    LINE: "the loser completes a line",
    DRAWN: "the board is full, and nobody has won",
    ILLEGAL: "the move of the proof is not legal",
}
DEPTH, OWN, OPP, PENDING, CURSOR, LENGTH, COUNT, DRAWS = range(8)
"""The words of a replay's state: the number of frames less one; the prover's discs; the loser's discs; whether the
prover is to move; the moves read; all moves; the positions in the set; whether a draw is enough."""
FRAME = 3
"""The words of a frame, a position with the loser to move: the prover's discs, the loser's discs, the replies left."""


@jit(inline=True)
def place_of(proven: Words, key: int) -> int:
    """Return the place of a key in a hash set, or the empty place where it belongs; 0 marks empty places."""
    mask = len(proven) - 1
    place = ((key & (1 << 31) - 1) * 0x5BD1E995 ^ (key >> 31) * 0x1B873593) >> 20 & mask
    while proven[place] != 0 and proven[place] != key:
        place = place + 1 & mask
    return place


@jit(types.void(words, words))
def refill(proven: Words, old: Words) -> None:
    """Add the keys of an old set to a larger one."""
    for key in old:
        if key != 0:
            proven[place_of(proven, key)] = key


@jit(inline=True)
def key_of(own: int, opp: int, bottom: int, columns: int, rows: int) -> int:
    """Return a number for a position with the prover to move, and for its mirror image.

    own, opp: the discs of the prover and of the loser. bottom, columns, rows: the board's lowest cells, and its size.
    """
    key = position_key(own, own | opp, bottom)
    return min(key, mirrored(key, columns, rows))


@jit(inline=True)
def next_reply(stack: Words, state: Words) -> bool:
    """Play the next reply of the loser, and return whether there was one."""
    while state[DEPTH] >= 0 and stack[FRAME * state[DEPTH] + 2] == 0:
        state[DEPTH] -= 1
    if state[DEPTH] < 0:
        return False
    frame = FRAME * state[DEPTH]
    replies = stack[frame + 2]
    stack[frame + 2] = replies & replies - 1
    state[OWN], state[OPP] = stack[frame], stack[frame + 1] | replies & -replies
    return True


@jit(inline=True)
def chosen(state: Words, moves: Bytes, playable: int, columns: int, rows: int) -> int:
    """Return the cell of the proof's next move, or 0 if the move is illegal.

    state: the replay's words; its CURSOR is moved on. moves: the proof's. playable: the cells where a disc can land.
    columns, rows: the size of the board.
    """
    column = int(np.int64(moves[state[CURSOR]]))
    state[CURSOR] += 1
    return playable & ((1 << rows) - 1) << column * (rows + 1) if column < columns else 0


@functools.cache
def build(rules: Rules) -> Callable[..., int]:  # noqa: C901  a kernel is one loop
    """Return `replay(proven, stack, state, moves)` for a board, which runs until one of the ends above.

    `proven` is the set of keys, at most half full.
    """
    columns, rows, connect = rules.size
    bottom, cells = bottom_row(columns, rows), all_cells(columns, rows)

    @jit(word(words, words, words, types.uint8[::1]))
    def replay(proven: Words, stack: Words, state: Words, moves: Bytes) -> int:
        while state[PENDING] or next_reply(stack, state):
            state[PENDING] = 1
            own, opp = state[OWN], state[OPP]
            if has_line(opp, rows, connect):
                return LINE
            playable = landing_cells(own | opp, bottom) & cells
            if playable == 0 and not state[DRAWS]:
                return DRAWN
            # Find the prover's move, unless it wins at once or the position is proven: a forced move or the next byte.
            key = key_of(own, opp, bottom, columns, rows)
            place = place_of(proven, key)
            if playable and not line_completers(own, rows, connect) & playable and proven[place] != key:
                if 2 * state[COUNT] >= len(proven):
                    return FULL
                threats = line_completers(opp, rows, connect) & playable
                move = threats & -threats if threats else playable
                if move & move - 1:
                    if state[CURSOR] == state[LENGTH]:
                        return MORE
                    move = chosen(state, moves, playable, columns, rows)
                    if move == 0:
                        return ILLEGAL
                # Play the move, and push all replies.
                proven[place] = key
                state[COUNT] += 1
                state[DEPTH] += 1
                frame = FRAME * state[DEPTH]
                replies = landing_cells(own | opp | move, bottom) & cells
                if replies == 0 and not state[DRAWS]:
                    return DRAWN
                stack[frame], stack[frame + 1], stack[frame + 2] = own | move, opp, replies
            state[PENDING] = 0
        return DONE

    return replay


@functools.cache
def build_count(rules: Rules) -> Callable[..., int]:
    """Return `unproven(proven, own, opp)` for a board.

    It returns the number of replies of the loser, which has the discs `opp`, that still need a proof, or -1 if a reply
    completes a line.
    """
    columns, rows, connect = rules.size
    bottom, cells = bottom_row(columns, rows), all_cells(columns, rows)

    @jit(word(words, word, word))
    def unproven(proven: Words, own: int, opp: int) -> int:
        playable = landing_cells(own | opp, bottom) & cells
        if line_completers(opp, rows, connect) & playable:
            return -1
        count = 0
        while playable:
            reply = opp | playable & -playable
            playable &= playable - 1
            after = landing_cells(own | reply, bottom) & cells
            if after and not line_completers(own, rows, connect) & after:
                key = key_of(own, reply, bottom, columns, rows)
                count += proven[place_of(proven, key)] != key
        return count

    return unproven


class PartReplay:
    """One part of a proof, replayed move by move."""

    def __init__(self, board: Board, prover: int, *, draws: bool, moves: Bytes) -> None:
        """Begin a part. The prover, 0 for the side to move, 1 for the other, claims a win or, with `draws`, a draw.

        moves: the bytes of the proof from this part on.
        """
        rules = board.rules
        self.board = board
        self.moves = moves
        self._replay, self._unproven = build(rules), build_count(rules)
        self._proven = np.zeros(1 << 10, np.int64)
        discs = (board.own, board.opp)[:: 1 - 2 * prover]
        self._stack = np.zeros(FRAME * (rules.columns * rules.rows + 2), np.int64)
        self._stack[:FRAME] = *discs, landing_cells(board.own | board.opp, rules.bottom) & rules.cells
        self.state = np.array([prover - 1, *discs, not prover, 0, len(moves), 0, draws], np.int64)

    def run(self) -> int:
        """Continue the replay and return its end; never FULL."""
        while (end := self._replay(self._proven, self._stack, self.state, self.moves)) == FULL:
            old, self._proven = self._proven, np.zeros(2 * len(self._proven), np.int64)
            refill(self._proven, old)
        return end

    def unproven(self, own: int, opp: int) -> int:
        """Return the number of replies that still need a proof, or -1 if a reply completes a line."""
        return int(self._unproven(self._proven, own, opp))

    @property
    def line(self) -> str:
        """The moves from the empty board to the current position."""
        rules, frames = self.board.rules, self._stack.reshape(-1, FRAME)[: self.state[DEPTH] + 1, :2].tolist()
        taken, columns = self.board.own | self.board.opp, list(self.board.moves)
        for discs in [disc for own, opp in [*frames, self.state[[OWN, OPP]].tolist()] for disc in (opp, own)]:
            new = discs & ~taken
            taken |= new
            columns += [place for place, cells in enumerate(rules.columns_of_cells) if cells & new]
        return moves_text(columns, rules)


@dataclass(frozen=True, slots=True)
class Proof:
    """A position, its proven outcome, and the prover's moves."""

    board: Board
    outcome: int
    """1 for a win of the side to move, 0 for a draw, -1 for a loss."""
    moves: bytes

    def parts(self) -> Iterator[tuple[int, bool]]:
        """Yield, for each part, the prover (0 for the side to move) and whether a draw is enough."""
        yield from ((0, True), (1, True)) if self.outcome == 0 else ((int(self.outcome < 0), False),)

    def write(self, path: Path) -> int:
        """Write the file and return its size in bytes."""
        header = f"{SIGNATURE} {self.board.rules} {VALUES[self.outcome]} {self.board.text}\n"
        return path.write_bytes(gzip.compress(header.encode() + self.moves, mtime=0))

    @classmethod
    def read(cls, path: Path) -> Proof:
        """Read a file. Raises InputError if it is not a proof or is damaged."""
        try:
            header, _, moves = gzip.decompress(path.read_bytes()).partition(b"\n")
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{path} is not a proof: {getattr(error, 'strerror', None) or error}") from None
        words = header[: len(SIGNATURE) + 400].decode("ascii", "replace").removeprefix(SIGNATURE + " ").split(" ")
        outcomes = {name: value for value, name in VALUES.items()}
        if not header.startswith(SIGNATURE.encode()) or len(words) != 3 or words[1] not in outcomes:
            raise InputError(f"{path} is not a proof: its first line is not {SIGNATURE} BOARD OUTCOME MOVES")
        try:
            return cls(playing(Board.from_moves(words[2], Rules.parse(words[0]))), outcomes[words[1]], moves)
        except InputError as error:
            raise InputError(f"{path} is damaged: {error}") from None


def playing(board: Board) -> Board:
    """Return the board. Raises InputError if the game is over or most fours win."""
    board.rules.refuse_most_fours("a proof")
    if board.outcome is not None:
        raise InputError(f"position {board.text!r}: the game is already over ({board.outcome})")
    return board


def check(proof: Proof) -> tuple[int, str]:
    """Return the number of the prover's positions in a proof, and its fault, empty for a valid proof."""
    moves, positions = np.frombuffer(bytearray(proof.moves), np.uint8), 0
    for prover, draws in proof.parts():
        replay = PartReplay(proof.board, prover, draws=draws, moves=moves)
        end = replay.run()
        positions += int(replay.state[COUNT])
        if end != DONE:
            return positions, f"{FAULTS[end]} after {replay.line or 'no move'}"
        moves = moves[replay.state[CURSOR] :]
    return positions, f"moves are left over: {len(moves)}" if len(moves) else ""


def prove(solver: Solver, board: Board, moved: Callable[[], object] = lambda: None) -> Proof:
    """Return a proof of a position's value; call `moved` for each of its moves. Raises InputError, Stopped.

    The prover plays the move of the best score, which ends games soonest; among equals the one with the fewest replies
    that need a proof (the others lose at once or lead to proven positions), then the one nearest the centre.
    """
    proof = Proof(playing(board), sign(solver.outcome_of(board)), b"")
    found = bytearray()
    for prover, draws in proof.parts():
        replay = PartReplay(board, prover, draws=draws, moves=np.zeros(0, np.uint8))
        while replay.run() == MORE:
            length = int(replay.state[LENGTH])
            if length == len(replay.moves):
                replay.moves = np.concatenate([replay.moves, np.zeros(length + 1, np.uint8)])
            replay.moves[length] = _best(solver, replay)
            replay.state[LENGTH] += 1
            moved()
        found += replay.moves[: replay.state[LENGTH]].tobytes()
    return Proof(board, proof.outcome, bytes(found))


def _best(solver: Solver, replay: PartReplay) -> int:
    """Return the proof's move in the current position of a replay."""
    rules, (own, opp) = solver.rules, replay.state[[OWN, OPP]].tolist()
    least, size = 1 - int(replay.state[DRAWS]), rules.columns * rules.rows
    playable = landing_cells(own | opp, rules.bottom) & rules.cells
    ranked: list[tuple[int, int, int, int]] = []
    for column in centre(rules):
        disc = playable & rules.columns_of_cells[column]
        left = replay.unproven(own | disc, opp) if disc else -1
        if left >= 0 and (score := -solver.within(opp, own | disc, -size, 1 - least)) >= least:
            ranked.append((score, -left, -len(ranked), column))
    return max(ranked)[3]
