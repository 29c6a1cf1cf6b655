"""Depth-limited negamax on an explicit stack: plain minimax, alpha-beta, and alpha-beta with a transposition table.

The search *enters* a node. It evaluates the children of a frontier node, which are leaves, at once, without frames for
them. At any other node it *tries* the moves in order, and enters a child that must be searched. When no move is left,
or after a cut-off, it *leaves* the node: the parent takes the value and tries its own next move.

    enter ──┬── frontier ──> evaluate the leaves ──┐
      ^     └── else ──────> try the next move ──┬─┴─ the node has its value ──> leave ──┐
      │                        ^                 │                                       │
      └──────── a child ───────│─────────────────┘                                       │
                               └──────────────────────── the parent ─────────────────────┘

One kernel per board size takes any heuristic and any ordering as compiled functions. The explicit stack is a quarter
faster than recursion: it needs no calls, and no frames for leaves.

The search is fail-soft. The first best move in the order wins a tie. Pruning, the table, a hash move and
`agents.search.enhancements` never change value or move: a table entry counts only at exactly the required depth and
outside the window, and an equal move that is earlier in the order replaces a hash move.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from agents.bits.bitboard import landing_cells, line_completers, position_key
from agents.jit import compiler
from agents.jit.compiler import (
    CHILDREN_SIGNATURE,
    SORT_SIGNATURE,
    children_at,
    jit,
    popcount,
    sort_at,
    specialize,
    word,
    word_pair,
    words,
)
from agents.jit.memory import lanes_of, load, save, words_of
from agents.jit.simd import LANES, count_nonzero, highest, load_lanes, where
from agents.rules import all_cells, bottom_row
from agents.score import WIN
from agents.search.compiled import COLUMN, FULL, NO_KEY
from agents.search.counting import COUNTING, INNER, LEAVES, count, count_cut, count_leaves, count_probe
from agents.search.enhancements import ENHANCEMENTS, learn, reorder, scout, search_again
from agents.search.frame import (
    BEST,
    COMPLETERS,
    HASH_MOVE,
    MOVES,
    OWN,
    RANK,
    TRY,
    begin,
    cut_off,
    discs,
    extend,
    store_node,
    update_best,
    window,
    write_node,
)
from agents.search.task import (
    ABORTED,
    BATCH,
    BUDGET,
    INFINITY,
    NODES,
    NORMAL_WIN,
    OPEN,
    PRUNE,
    SORT,
    STOP,
    STOPPED,
    Shape,
    Task,
)
from agents.search.transpositions import fetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.board import Rules


@jit(inline=True)
def search_frontier(  # noqa: C901, PLR0912  a kernel
    evaluate_children: Callable[..., int],
    sort_moves: Callable[..., None],
    frame: int,
    row: int,
    p: int,
    nodes: int,
    shape: Shape,
    task: Task,
) -> tuple[int, int]:
    """Return the value of a frontier node, or STOPPED, and the nodes visited so far.

    Write the value into the node's frame and, if it may be needed, the best move into row `p` of the principal
    variation. The order matters only for that move, and for the number of nodes before a cut-off.

    evaluate_children, sort_moves: see `agents.search.compiled`.
    frame, row, p: the node's places, see `agents.search.frame`.
    nodes: the nodes visited before.
    shape, task: the board and the search, see `agents.search.task`.
    """
    stack = task.stack
    own, opp = discs(stack, frame)
    alpha, beta = window(stack, frame)
    win = WIN - task.depth if task.flags & NORMAL_WIN else 0
    if load(task.control, STOP) != 0:
        return STOPPED, nodes
    # Evaluate all leaves at once; without BATCH the best value is still unknown.
    before, best, best_column = nodes, INFINITY, -1
    if task.flags & BATCH:
        best = evaluate_children(own, opp, win, 0, shape.lanes, stack)
    playable = landing_cells(own | opp, shape.bottom) & shape.cells
    # The order does not matter if no leaf raises alpha, or if the value does not improve the parent's best.
    if best <= alpha or (best < beta and p > 0 and -best < load(stack, frame - MOVES - shape.columns + BEST)):
        nodes += popcount(playable)
    else:
        if task.flags & SORT:
            sort_moves(own, opp, shape.lanes, stack, 0 if task.flags & BATCH else row)
        if task.flags & SORT and task.flags & BATCH:
            # Find the first move that reaches the value or cuts off, and count the moves up to it, without sorting.
            key = first_that_reaches(min(best, beta), stack, shape.lanes)
            nodes += tried(key, stack, shape.lanes) if best >= beta else popcount(playable)
            best_column = key & COLUMN
            best = load(stack, best_column)
        else:
            # Go through the moves in their order, up to a cut-off.
            best = -INFINITY
            for place in range(shape.columns):
                column = load(stack, row + place)
                if not task.flags & BATCH:
                    evaluate_children(own, opp, win, column, column + 1, stack)
                value = load(stack, column)
                if value == FULL:
                    continue
                nodes += 1
                best_column = column if value > best else best_column
                best = max(best, value)
                if best >= beta:
                    break
        cut_off(task.pv, task.depth + 1, p + 1)
        extend(task.pv, task.depth + 1, p, best_column)
    if nodes > task.budget:
        return STOPPED, task.budget
    if COUNTING:
        count_leaves(task.control, nodes - before, best >= beta)
    save(stack, frame + BEST, best)
    return best, nodes


@jit(inline=True)
def first_that_reaches(bar: int, stack: int, lanes: int) -> int:
    """Return the highest key, see `agents.search.compiled.sort_moves`, of a column with a value of `bar` or more."""
    key = NO_KEY
    for start in range(0, lanes, LANES):
        reached = load_lanes(stack, start) >= bar
        key = max(key, highest(where(reached, load_lanes(stack, lanes + start), NO_KEY)))
    return key


@jit(inline=True)
def tried(key: int, stack: int, lanes: int) -> int:
    """Return the number of playable columns with this key or a higher one."""
    found = 0
    for start in range(0, lanes, LANES):
        found += count_nonzero((load_lanes(stack, lanes + start) >= key) & (load_lanes(stack, start) > FULL))
    return found


# A variant of a search is another compilation of the same source, in which COUNTING or ENHANCEMENTS is true. If such a
# constant is false, numba drops the code that depends on it.

VARIANTS = ("try_moves", "search_frontier")
"""The inlined kernels that use these constants."""


def variant(kernel: Any, signature: object = None, **constants: bool) -> Callable[..., Any]:  # noqa: ANN401  a function of numba's
    """Return a kernel, and the kernels that it calls, compiled with these constants; inlined without a signature."""
    function = getattr(kernel, "py_func", kernel)
    given: dict[str, Any] = {name: True for name, on in constants.items() if on}
    if not given:
        return jit(signature)(function)  # type: ignore[no-any-return]
    name = "-".join(given).lower()
    given |= {
        part: variant(function.__globals__[part], **given) for part in VARIANTS if part in function.__code__.co_names
    }
    return specialize(function, name, signature, inline=signature is None, **given)  # type: ignore[no-any-return]


SIGNATURE = word_pair(word, word, word, word, word, word, words, word, words, words, words)


def bind(
    rules: Rules, evaluate_children: Callable[..., int], sort_moves: Callable[..., None], **constants: bool
) -> Callable[..., tuple[int, int]]:
    """Return `search(own, opp, depth, flags, order, hash_move, table, control, pv)` with this heuristic and ordering.

    evaluate_children, sort_moves: see `agents.search.compiled`; if one is plain Python, so is the search.
    constants: see `build`. The search takes

    * own, opp: a position that is not over;
    * depth: plies, at least 1;
    * flags: see `agents.search.task`; only SORT uses `sort_moves`;
    * order: the columns in the order to try them, which also breaks ties;
    * hash_move: a column to try first, or -1;
    * table: see `agents.search.transpositions`; length 0 for none;
    * control: see `agents.search.task`; the search adds its nodes and, with `counting`, its counts;
    * pv: at least (depth + 1)**2 int64, modified in place; it begins with the principal variation, ended by -1.

    It returns (score for the side to move, column); the column is ABORTED after a stop or at the end of the budget.
    """
    kernel = build(rules.columns, rules.rows, rules.connect, **constants)
    return compiler.bind(kernel, (evaluate_children, CHILDREN_SIGNATURE), (sort_moves, SORT_SIGNATURE))


@functools.cache
def build(  # noqa: C901, PLR0915  see try_moves
    columns: int, rows: int, connect: int, *, counting: bool = False, enhancements: bool = False
) -> Callable[..., Any]:
    """Return the kernel for this board size: `search` of `bind`, with both functions' addresses as first arguments.

    columns, rows: the size of the board.
    connect: the length of a line that ends the game; 0 for none, see `agents.search.most_fours`.
    counting, enhancements: see `agents.search.counting` and `agents.search.enhancements`.
    """
    bottom, cells = bottom_row(columns, rows), all_cells(columns, rows)
    lanes = lanes_of(columns)
    root = 3 * lanes
    size = MOVES + columns

    def search(evaluate_children, sort_moves, own, opp, depth, flags, order, hash_move, table, control, pv):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, C901, PLR0912  numba has the types
        assert depth > 0
        assert own & opp == 0
        assert own | opp != cells
        assert len(order) == columns
        assert len(pv) >= (depth + 1) ** 2
        evaluate_children, sort_moves = children_at(evaluate_children), sort_at(sort_moves)
        # Lay out the stack, and write the root's frame.
        shape = Shape(columns, rows, connect, bottom, cells, lanes)
        room = np.empty(root + size * depth, np.int64)
        stack, width = words_of(room), depth + 1
        at, stored = words_of(table), depth if len(table) > 0 else 0
        task = Task(depth, flags, control[BUDGET], words_of(control), stack, words_of(pv), at, len(table), stored)
        for place in range(columns):
            save(stack, root + MOVES + place, order[place])
        write_node(stack, root, own, opp, -INFINITY, INFINITY, hash_move)
        nodes = control[NODES] + 1
        if nodes > task.budget:
            return 0, ABORTED
        p, frame, row = 0, root, root + MOVES
        while True:
            # Enter a node: evaluate a frontier node; sort the moves of any other one, and try the first of them.
            if COUNTING:
                count(task.control, INNER, 1)
            if ENHANCEMENTS or flags & SORT:
                row = frame + MOVES if flags & SORT else root + MOVES
            if p + 1 == depth:
                value, nodes = search_frontier(evaluate_children, sort_moves, frame, row, p, nodes, shape, task)
            else:
                begin(stack, frame, line_completers(load(stack, frame + OWN), rows, connect) & cells, shape)
                if flags & SORT:
                    own, opp = discs(stack, frame)
                    sort_moves(own, opp, lanes, stack, row)
                if ENHANCEMENTS and p > 0:
                    row = reorder(frame, row, p, shape, task)
                value, nodes = try_moves(evaluate_children, frame, row, p, nodes, shape, task)
            # Leave nodes with a value, and try the parent's next move, until there is a child to enter.
            while value != OPEN:
                control[NODES] = nodes
                if value == STOPPED:
                    return 0, ABORTED
                if p == 0:
                    return room[root + BEST], pv[0]
                store_node(frame, row, p, shape, task)
                p -= 1
                frame -= size
                row = frame + MOVES if ENHANCEMENTS or flags & SORT else root + MOVES
                if ENHANCEMENTS:
                    value, nodes = search_again(frame, value, nodes, shape, task)
                    if value >= OPEN:
                        continue
                update_best(stack, frame, row, task.pv, width, p, -value)
                value, nodes = try_moves(evaluate_children, frame, row, p, nodes, shape, task)
            p += 1
            frame += size

    return variant(search, SIGNATURE, COUNTING=counting, ENHANCEMENTS=enhancements)


@jit(inline=True)
def try_moves(  # noqa: C901  tests of COUNTING and ENHANCEMENTS are no branches at run time
    evaluate_children: Callable[..., int], frame: int, row: int, p: int, nodes: int, shape: Shape, task: Task
) -> tuple[int, int]:
    """Try a node's next moves; return a value and the nodes visited so far.

    The value is OPEN if a child must be entered, the node's value if no move is left or one cuts off, else STOPPED.
    For the parameters see `search_frontier`.
    """
    columns, rows, stack = shape.columns, shape.rows, task.stack
    own, opp = discs(stack, frame)
    alpha, beta = window(stack, frame)
    hash_move, at = load(stack, frame + HASH_MOVE), load(stack, frame + TRY)
    mask = own | opp
    playable = landing_cells(mask, shape.bottom) & shape.cells
    while at < columns - 1 and load(stack, frame + BEST) < beta:
        at += 1
        # Skip a full column, and the hash move when it comes up again.
        column = hash_move if at < 0 else load(stack, row + at)
        disc = playable & ((1 << rows) - 1) << column * (rows + 1)
        if disc == 0 or (column == hash_move and at >= 0):
            continue
        if nodes >= task.budget or load(task.control, STOP) != 0:
            return STOPPED, nodes
        nodes += 1
        save(stack, frame + TRY, at)
        # A move that ends the game is a leaf.
        over = disc & load(stack, frame + COMPLETERS) != 0
        if over or mask | disc == shape.cells:
            if COUNTING:
                count(task.control, LEAVES, 1)
            value = WIN - p - 1 if over else 0
            if not task.flags & NORMAL_WIN:
                evaluate_children(own, opp, 0, column, column + 1, stack)
                value = load(stack, column)
        else:
            # The hash move was searched out of turn: find an equal move that is earlier in the order; it wins the tie.
            slack = 1 if p == 0 and at < load(stack, frame + RANK) else 0
            low = max(alpha, load(stack, frame + BEST) - slack) if task.flags & PRUNE else -INFINITY
            # Look the child up in the table; enter it unless the table settles it.
            settled, value, reply = False, 0, -1
            if p + 2 < task.table_depth:
                key = position_key(opp, mask | disc, shape.bottom)
                settled, value, reply = fetch(task.table, task.table_words, key, task.depth - p - 1, p + 1, -beta, -low)
                if COUNTING:
                    count_probe(task.control, settled, reply)
            if not settled:
                high = scout(frame, p, low, beta, task) if ENHANCEMENTS else beta
                write_node(stack, frame + MOVES + columns, opp, own | disc, -high, -low, reply)
                return OPEN, nodes
            value = -value
        cut_off(task.pv, task.depth + 1, p + 1)
        update_best(stack, frame, row, task.pv, task.depth + 1, p, value)
    if ENHANCEMENTS and load(stack, frame + BEST) >= beta:
        learn(frame, row, p, hash_move if at < 0 else load(stack, row + at), playable, shape, task)
    if COUNTING:
        count_cut(task.control, stack, frame, row, playable, beta, shape)
    return load(stack, frame + BEST), nodes
