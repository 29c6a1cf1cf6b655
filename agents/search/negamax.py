"""Depth-limited negamax: plain minimax, and alpha-beta with a transposition table and further options.

The search is fail-soft, and options are flags at run time, see `agents.search.control`. The first best move in the
order wins a tie. Every option but late move reductions changes only the cost, never value or move: a table entry counts
only at exactly the required depth and outside the window; the root's moves keep their order, and an equal move that is
earlier in it replaces a hash move. The principal variation may be another one of the same value.

**Killers.** A killer is a cell where a disc caused a cut-off at the same ply. The last two killers are tried first.
**History.** Each cell has a score for each side: the sum of depth² [plies left] over the cut-offs that its disc caused,
less that over the cut-offs before which it was tried in vain. Moves are tried from the highest score down. The scores
last from one depth of a move to the next.
**Principal variation search.** After a node's first move a null window only tests whether a move is better; a better
move is searched again, and that counts as another node. The table is asked with the null window, too.
**Late move reductions.** After three moves of a node the others are searched two plies less deep: one ply would leave
the last move to the other side, which changes the heuristic's value more than a late move does. A move that is better
all the same is searched again to the full depth. Value and move may change.

Measured on 7x6 with powers-of-ten, see `results/notes/enhancements.md`: with the order from the left and a table,
history leaves 0.11 of the nodes and 0.16 of the time at depth 14. But killers and history make open-windows 1.4 to 3
times slower there. With a table, principal variation search pays with every ordering from depth 12 on, though little
with open-windows.

Sources: Akl, Newborn, "The Principal Continuation and the Killer Heuristic", 1977; Schaeffer, "The History Heuristic",
1983; Marsland, Campbell, "Parallel Search of Strongly Ordered Game Trees", 1982; Heinz, "How DarkThought Plays Chess",
1997 (reductions).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

from agents.bits.bitboard import landing_cells, line_completers, position_key
from agents.jit.compiler import CHILDREN_SIGNATURE, SORT_SIGNATURE, children_at, jit, sort_at, specialize, word
from agents.jit.vectors import lanes_of, load, part, popcount, save, where
from agents.rules import Rules, all_cells, bottom_row
from agents.score import WIN
from agents.search.compiled import COLUMN, NO_KEY, NO_MOVE
from agents.search.control import (
    COUNT,
    EVALUATE,
    FLAGS,
    HASH_MOVE,
    HISTORY,
    HISTORY_SCORES,
    INFINITY,
    KILLER_CELLS,
    KILLERS,
    LMR,
    MOVES,
    PRUNE,
    PV,
    PV_WORDS,
    PVS,
    SCRATCH,
    SORT,
    SORT_MOVES,
    STOPPED,
    TABLE,
    TABLE_WORDS,
    TERMINAL_SCORES,
    BoardConstants,
)
from agents.search.counting import CUTOFFS, HITS, INNER, LEAVES, PROBES, TABLE_CUTOFFS, count
from agents.search.kernel import Search, clear_pv, update_pv, visit
from agents.search.transpositions import fetch, store

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering

FIRST, SECOND = 1 << 60, 1 << 59
"""The scores of the last killer and of the one before it, above every history score."""
COLUMNS, ROWS, CONNECT, BOTTOM, CELLS, WIDTH = 7, 6, 4, 0, 0, 8
"""The board of a compiled `negamax`, see `build`."""


def negamax(m: int, own: int, opp: int, p: int, depth: int, alpha: int, beta: int) -> int:  # noqa: C901, PLR0912, PLR0915  a kernel
    """Return the value of a node for its mover, or STOPPED.

    m: the address of the search's memory, see `agents.search.control`.
    own, opp: the discs of the mover and of the other, in a game that is not over.
    p: the plies from the root.
    depth: the plies to search, at least 1.
    alpha, beta: the window; a value outside it is a bound.
    """
    board = BoardConstants(COLUMNS, ROWS, CONNECT, BOTTOM, CELLS, WIDTH)
    if depth == 1:  # at the root: other frontier nodes are searched where they are tried, which saves their calls
        return frontier(m, own, opp, p, alpha, beta, board)
    if not visit(m, 1):
        return STOPPED
    flags, mask, key = load(m, FLAGS), own | opp, 0
    playable = landing_cells(mask, BOTTOM) & CELLS
    # Look the node up, unless it is searched again: then its best move is known. The root is not in the table.
    table, size = part(m, TABLE), load(m, TABLE_WORDS) if p > 0 else 0
    hash_move = load(m, HASH_MOVE + p)
    if size > 0:
        key = position_key(own, mask, BOTTOM)
        if hash_move < 0:
            settled, value, hash_move = fetch(table, size, key, depth, p, alpha, beta)
            if flags & COUNT:
                count(m, PROBES, 1)
                count(m, HITS, hash_move >= 0)
                count(m, TABLE_CUTOFFS, settled)
            if settled:
                save(m, HASH_MOVE + p, hash_move)
                return value
    if flags & COUNT:
        count(m, INNER, 1)
    # Sort the moves; the root's are sorted by the ordering alone, which decides ties there.
    moves = MOVES
    if flags & SORT:
        moves += p * COLUMNS
        sort_at(load(m, SORT_MOVES))(own, opp, WIDTH, part(m, SCRATCH), moves - SCRATCH)
    if flags & (KILLERS | HISTORY) and p > 0:
        moves = reorder(m, moves, p, playable, board)
    completers = line_completers(own, ROWS, CONNECT) & CELLS
    best, best_place, tries = -INFINITY, COLUMNS, 0
    for place in range(0 if hash_move < 0 else -1, COLUMNS):
        # Skip a full column, and the hash move when it comes up again.
        column = hash_move if place < 0 else load(m, moves + place)
        disc = playable & ((1 << ROWS) - 1) << column * (ROWS + 1)
        if disc == 0 or (place >= 0 and column == hash_move):
            continue
        clear_pv(m, p + 1)
        if disc & completers or mask | disc == CELLS:
            # A move that ends the game is a leaf.
            if not visit(m, 1):
                return STOPPED
            if flags & COUNT:
                count(m, LEAVES, 1)
            value = WIN - p - 1 if disc & completers else 0
            if not flags & TERMINAL_SCORES:
                children_at(load(m, EVALUATE))(own, opp, 0, column, column + 1, part(m, SCRATCH))
                value = load(m, SCRATCH + column)
        else:
            # The hash move was searched out of turn: find an equal move that is earlier in the order; it wins the tie.
            slack = p == 0 and place < best_place
            low = max(alpha, best - slack) if flags & PRUNE else -INFINITY
            if depth == 2:
                value = -frontier(m, opp, own | disc, p + 1, -beta, -low, board)
            else:
                high = min(beta, low + 1) if flags & PVS and tries > 0 else beta
                reduced = flags & LMR != 0 and depth > 4 and tries > 2
                save(m, HASH_MOVE + p + 1, -1)
                value = -negamax(m, opp, own | disc, p + 1, depth - 1 - 2 * reduced, -high, -low)
                if reduced and value > low:
                    value = -negamax(m, opp, own | disc, p + 1, depth - 1, -high, -low)
                if high <= value < beta:
                    value = -negamax(m, opp, own | disc, p + 1, depth - 1, -beta, 1 - value)
            if value == -STOPPED:
                return STOPPED
        tries += 1
        rank = place
        if place < 0:
            rank = 0
            while load(m, moves + rank) != hash_move:
                rank += 1
        if value > best or (value == best and p == 0 and rank < best_place):
            best, best_place = value, rank
            if value > alpha:
                update_pv(m, p, column)
            if value >= beta:
                if flags & COUNT:
                    count(m, CUTOFFS + tries - 1, 1)
                if flags & (KILLERS | HISTORY):
                    learn(m, moves, p, depth, place, column, playable, board)
                break
    best_move = load(m, moves + best_place)
    save(m, HASH_MOVE + p, best_move)
    if size > 0:
        store(table, size, key, depth, p, best, alpha, beta, best_move)
    return best


@jit(inline=True)
def frontier(m: int, own: int, opp: int, p: int, alpha: int, beta: int, board: BoardConstants) -> int:  # noqa: C901  a kernel
    """Return the value of a node whose children are leaves, or STOPPED; see `negamax` for the parameters.

    All leaves are valued at once. Their order matters only for the best move, and for the nodes before a cut-off.
    """
    if not visit(m, 1):
        return STOPPED
    flags, scratch = load(m, FLAGS), part(m, SCRATCH)
    if flags & COUNT:
        count(m, INNER, 1)
    playable = landing_cells(own | opp, board.bottom) & board.cells
    win = WIN - p - 1 if flags & TERMINAL_SCORES else 0
    best: int = children_at(load(m, EVALUATE))(own, opp, win, 0, board.lanes, scratch)
    leaves, column = popcount(playable), -1
    if best > alpha and flags & SORT:
        # Find the first move that reaches the value or cuts off, and count the moves up to it, without sorting.
        sort_at(load(m, SORT_MOVES))(own, opp, board.lanes, scratch, 0)
        key = first_that_reaches(min(best, beta), scratch, board.lanes)
        if best >= beta:
            leaves = tried(key, scratch, board.lanes)
        column = key & COLUMN
        best = load(scratch, column)
    elif best > alpha:
        # The same in a fixed order.
        cut, bar, place, before = best >= beta, min(best, beta), 0, 0
        best = load(scratch, load(m, MOVES))
        while best < bar:
            before += best > NO_MOVE
            place += 1
            best = load(scratch, load(m, MOVES + place))
        if cut:
            leaves = before + 1
        column = load(m, MOVES + place)
    if not visit(m, leaves):
        return STOPPED
    if flags & COUNT:
        count(m, LEAVES, leaves)
        count(m, CUTOFFS + leaves - 1, best >= beta)
    if column >= 0:
        save(m, PV + p * PV_WORDS, column)
        save(m, PV + p * PV_WORDS + 1, -1)
    return best


@jit(inline=True)
def first_that_reaches(bar: int, scratch: int, lanes: int) -> int:
    """Return the highest key, see `agents.search.compiled.sort_moves`, of a column with a value of `bar` or more."""
    key = NO_KEY
    for column in range(lanes):
        key = max(key, where(load(scratch, column) >= bar, load(scratch, lanes + column), NO_KEY))
    return key


@jit(inline=True)
def tried(key: int, scratch: int, lanes: int) -> int:
    """Return the number of playable columns with this key or a higher one."""
    columns = 0
    for column in range(lanes):
        columns += (load(scratch, lanes + column) >= key) & (load(scratch, column) > NO_MOVE)
    return columns


@jit(inline=True)
def cell_of(column: int, playable: int, board: BoardConstants) -> int:
    """Return the number of the cell where a column's next disc lands, -1 for a full column."""
    disc = playable & ((1 << board.rows) - 1) << column * (board.rows + 1)
    return popcount(disc - 1) if disc != 0 else -1


@jit(inline=True)
def reorder(m: int, moves: int, p: int, playable: int, board: BoardConstants) -> int:
    """Sort a node's moves, killers first, then by history, from `moves` into the row of its ply; return its place.

    A stable insertion sort. moves: their place. playable: the cells of the moves. For `m` and `p` see `negamax`.
    """
    flags, row, scores = load(m, FLAGS), MOVES + p * board.columns, part(m, SCRATCH)
    last, before = load(m, KILLER_CELLS + 2 * p), load(m, KILLER_CELLS + 2 * p + 1)
    for place in range(board.columns):
        # Score each move, and insert it behind those with at least its score.
        column = load(m, moves + place)
        cell = cell_of(column, playable, board)
        score, at = 0, place
        if cell >= 0 and flags & HISTORY:
            score = load(m, HISTORY_SCORES + 64 * (p & 1) + cell)
        if cell >= 0 and flags & KILLERS:
            score = FIRST if cell + 1 == last else SECOND if cell + 1 == before else score
        while at > 0 and load(scores, at - 1) < score:
            save(scores, at, load(scores, at - 1))
            save(m, row + at, load(m, row + at - 1))
            at -= 1
        save(scores, at, score)
        save(m, row + at, column)
    return row


@jit(inline=True)
def learn(m: int, moves: int, p: int, depth: int, place: int, cut: int, playable: int, board: BoardConstants) -> None:
    """Credit the column `cut` with a cut-off, and debit the moves before its `place`; see `reorder`, `negamax`."""
    flags, cell = load(m, FLAGS), cell_of(cut, playable, board)
    # Shift the last killer to the second place, and store the new one.
    if flags & KILLERS and load(m, KILLER_CELLS + 2 * p) != cell + 1:
        save(m, KILLER_CELLS + 2 * p + 1, load(m, KILLER_CELLS + 2 * p))
        save(m, KILLER_CELLS + 2 * p, cell + 1)
    if flags & HISTORY:
        scores, credit = HISTORY_SCORES + 64 * (p & 1), depth * depth
        count(m, scores + cell, credit)
        for before in range(place):
            other = cell_of(load(m, moves + before), playable, board)
            if other >= 0 and other != cell:
                count(m, scores + other, -credit)


SIGNATURE = word(word, word, word, word, word, word, word)


@functools.cache
def build(columns: int, rows: int, connect: int) -> Callable[..., int]:
    """Return `negamax` compiled for a board of this size.

    connect: the length of a line that ends the game; 0 for none, see `agents.search.most_fours`.
    """
    return specialize(
        negamax, f"{columns}x{rows}x{connect}", SIGNATURE, COLUMNS=columns, ROWS=rows, CONNECT=connect,
        BOTTOM=bottom_row(columns, rows), CELLS=all_cells(columns, rows), WIDTH=lanes_of(columns),
    )  # fmt: skip


class NegamaxSearch(Search):
    """The search with one heuristic and one ordering."""

    def __init__(
        self, rules: Rules, heuristic: CompiledHeuristic, ordering: CompiledOrdering, flags: int, megabytes: int = 0
    ) -> None:
        """Compile it; SORT follows from the ordering. For the other parameters see `Search`."""
        functions = {
            EVALUATE: (heuristic.evaluate_children, CHILDREN_SIGNATURE),
            SORT_MOVES: (ordering.sort_moves, SORT_SIGNATURE),
        }
        kernel = build(rules.columns, rules.rows, rules.decisive)
        super().__init__(kernel, ordering.columns, functions, flags | (SORT if ordering.score else 0), megabytes)
