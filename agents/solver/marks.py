"""Strategies that a person can follow, given as an ordered list of marked cells, and their check against every reply.

The *holder* is the side that must keep a win or a draw, the *challenger* the other. After each disc of the challenger
the holder

    1. completes a line, or else stops one,
    2. else makes a double threat: two playable wins, or two wins on top of each other, with one move,
    3. else plays the first of its *marks* that is playable, or else the leftmost column.

In 2 and 3 it avoids cells right below a win of the challenger, unless no other move is left. A mark is a row of words:

    CELLS       the cell to play, or several cells with FOLLOW
    FOLLOW      1: only on top of the challenger's last disc
    OPP, OWN    cells that must be taken by the challenger or by the holder
    EMPTY       cells that must be empty

The functions take some of these parameters:

    own, opp, last  the discs of the holder and of the challenger, and the challenger's last disc
    mark, example   the array that has one from the index `start` on
    bottom, cells   the lowest cell of each column, and all cells
    rows, connect   the rows of the board, and the length of a line

`follow` tries all replies, so a strategy that it accepts is proven. `learn` finds an order of marks that agrees with
perfect play in some positions: a decision list, which may begin with any mark that is right wherever it applies
(Rivest, "Learning Decision Lists", 1987). A caller alternates between both: each failing line of play gives the next
position to learn from.

Sources: Victor Allis, "A Knowledge-based Approach of Connect-Four", 1988, for following up; the marks are those of a
steady-state diagram (2swap, "I Solved Connect 4", 2025), with an order.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import types

from agents.bits.bitboard import has_line, line_completers
from agents.jit.compiler import jit, popcount, word, words
from agents.rules import all_cells, bottom_row

CELLS, FOLLOW, OPP, OWN, EMPTY = range(5)
MARK = 5
"""The words of a mark."""
HOLDER, CHALLENGER, REPLIES, LAST, ANSWER = range(5)
FRAME = 5
"""The words of a frame of `follow`: holder's discs, challenger's discs, replies left, the reply, the answer to it."""
SAFE, GOOD, THEIRS, OURS, REPLY = range(5)
EXAMPLE = 5
"""The words of an example: the cells to choose from, those of them that keep the value, the challenger's discs, the
holder's discs, and the challenger's last disc."""
MOST_FAILING = 4
MOST_MARKS = 120
SEEN = 1 << 17
MOST_POSITIONS = SEEN // 2
FAILED, TOO_LONG = -1, -2
MULTIPLIER = 0x1E3779B97F4A7C15
POSITIVE = (1 << 63) - 1


@jit(inline=True)
def doubles(own: int, opp: int, move: int, bottom: int, cells: int, rows: int, connect: int) -> bool:
    """Return whether `move` makes two playable wins, or one right below another win. For parameters see the module."""
    taken = own | opp | move
    wins = line_completers(own | move, rows, connect) & cells & ~taken
    now = wins & (taken + bottom)
    return (now & (now - 1)) != 0 or (now << 1 & wins) != 0


@jit(inline=True)
def may_play(mark: Any, start: int, own: int, opp: int, last: int) -> Any:  # noqa: ANN401  an array
    """Return the cells that a mark plays in a position, playable or not. For parameters see the module."""
    where = mark[start + CELLS]
    if mark[start + FOLLOW]:
        where &= last << 1
    fits = (mark[start + OPP] & ~opp) | (mark[start + OWN] & ~own) | (mark[start + EMPTY] & (own | opp))
    return 0 if fits else where


@functools.cache
def build_follow(columns: int, rows: int, connect: int) -> Callable[..., int]:  # noqa: C901, PLR0915  a kernel is one loop
    """Return `follow(marks, count, own, opp, replies, must_win, stack, seen, failing)` for one board.

    If `count` marks keep the holder's result against all replies, it returns the number of positions with the
    challenger to move. Otherwise it returns the negative number of failing lines of play that it found, up to
    MOST_FAILING from different parts of the tree, or 0 if it found none among MOST_POSITIONS positions.

    own, opp: the discs of the holder and of the challenger, which is to move and plays one of `replies` first.
    must_win: 0 if a draw is enough. stack: FRAME words for each disc. seen: SEEN words. failing: MOST_FAILING rows for
    the lines: the number of frames, and a copy of the stack. All three are modified in place.
    """
    bottom = bottom_row(columns, rows)
    cells = all_cells(columns, rows)

    @jit(word(words, word, word, word, word, word, words, words, types.int64[:, ::1]))
    def follow(marks, count, own, opp, replies, must_win, stack, seen, failing):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202, C901, PLR0912, PLR0915  numba has the types
        seen[:] = 0
        positions, lines, frame = 1, 0, 0
        stack[HOLDER], stack[CHALLENGER], stack[REPLIES] = own, opp, replies
        while frame >= 0:
            # Take the next reply, or go back.
            left = int(stack[frame + REPLIES])
            if left == 0:
                frame -= FRAME
                if frame >= 0:
                    stack[frame + CHALLENGER] ^= stack[frame + LAST]
                continue
            last = left & -left
            stack[frame + REPLIES] = left ^ last
            own, opp = int(stack[frame + HOLDER]), int(stack[frame + CHALLENGER] | last)
            stack[frame + CHALLENGER], stack[frame + LAST], stack[frame + ANSWER] = opp, last, 0
            taken = own | opp
            lost = has_line(opp, rows, connect) or (taken == cells and must_win != 0)
            # Answer it.
            move, won = 0, taken == cells
            if not won and not lost:
                playable = taken + bottom & cells
                wins = line_completers(own, rows, connect) & playable
                theirs = line_completers(opp, rows, connect) & cells & ~taken
                blocks = theirs & playable
                safe = playable & ~(theirs >> 1)
                won = wins != 0
                if blocks:
                    move = blocks & -blocks
                elif not won:
                    rest = safe
                    while rest and not won:
                        won = doubles(own, opp, rest & -rest, bottom, cells, rows, connect)
                        rest &= rest - 1
                    safe = safe or playable
                    move = safe & -safe
                    for start in range(0, count * MARK, MARK):
                        found = may_play(marks, start, own, opp, last) & safe
                        if found:
                            move = int(found & -found)
                            break
            # Go on with the position after the answer, unless it was seen before.
            if not won and not lost:
                own |= move
                stack[frame + ANSWER] = move
                taken = own | opp
                won = taken == cells
                lost = won and must_win != 0
                place = (own + taken + bottom) * MULTIPLIER >> 32 & SEEN - 1
                while not won and seen[place]:
                    won = seen[place] == own + taken + bottom
                    place = place + 1 & SEEN - 1
                if not won:
                    seen[place] = own + taken + bottom
                    positions += 1
                    if positions > MOST_POSITIONS:
                        return -lines
                    frame += FRAME
                    stack[frame + HOLDER], stack[frame + CHALLENGER] = own, opp
                    stack[frame + REPLIES] = taken + bottom & cells
            if lost:
                failing[lines, 0] = frame // FRAME + 1
                failing[lines, 1 : frame + FRAME + 1] = stack[: frame + FRAME]
                lines += 1
                if lines == MOST_FAILING:
                    break
                # Look for other failing lines elsewhere.
                stack[frame + REPLIES] = 0
            if won or lost:
                stack[frame + CHALLENGER] ^= last
        return -lines if lines else positions

    return cast("Callable[..., int]", follow)


@jit(inline=True)
def bits_of(example: Any, start: int, owner: int, cells: Any) -> Any:  # noqa: ANN401  an array
    """Return the cells that a condition `owner`, OPP, OWN or EMPTY, may name. For parameters see the module."""
    theirs, ours = example[start + THEIRS], example[start + OURS]
    return theirs if owner == OPP else ours if owner == OWN else cells & ~(theirs | ours)


@jit(word(words, word, words, word, word, word, word, types.float64))
def learn(examples, count, marks, columns, height, conditions, seed, noise) -> int:  # type: ignore[no-untyped-def] # noqa: ANN001, C901, PLR0912, PLR0915  a kernel is one loop
    """Write marks that choose a good cell in each of `count` examples, and return their number.

    If no plain mark is right, a mark gets a condition, at most `conditions` times. Returns FAILED if no mark is right,
    and TOO_LONG if it needs more marks or conditions. Among right marks the one that applies most often comes first;
    the numbers are multiplied by random factors from 1 to 1 + `noise`, which depend on `seed`.

    examples, marks: EXAMPLE and MARK words each; `marks` is modified in place. height: the bits of each of `columns`.
    """
    column_cells = np.int64((1 << height - 1) - 1)
    cells = np.int64(0)
    for column in range(columns):
        cells |= column_cells << column * height
    alive = np.ones(count, np.bool_)
    often = np.zeros(columns * height, np.int64)
    trial = np.zeros(MARK, np.int64)
    left, made, chance = count, 0, seed * 2 + 1
    while left:
        best = 0.0
        if made >= MOST_MARKS - 1:
            return TOO_LONG
        here = made * MARK
        # Following up everywhere first; then each cell, and following up in each column.
        for number in range(columns * height + columns + 1):
            trial[:] = 0
            trial[FOLLOW] = 1 if number == 0 or number > columns * height else 0
            if number == 0:
                trial[CELLS] = cells
            elif trial[FOLLOW]:
                trial[CELLS] = column_cells << (number - columns * height - 1) * height
            else:
                trial[CELLS] = np.int64(1) << number - 1
            right = 0
            for each in range(count):
                at = each * EXAMPLE
                if alive[each]:
                    found = may_play(trial, 0, examples[at + OURS], examples[at + THEIRS], examples[at + REPLY])
                    found &= examples[at + SAFE]
                    if found:
                        if found & examples[at + GOOD] == 0:
                            right = 0
                            break
                        right += 1
            if right:
                chance = chance * 6364136223846793005 + 1442695040888963407 & POSITIVE
                worth = right * (1.0 + noise * (chance >> 40 & 1023) / 1024.0) * (1.5 if trial[FOLLOW] else 1.0)
                if worth > best:
                    best = worth
                    marks[here : here + MARK] = trial
                if number == 0:
                    break
        # Else try a cell with a condition that excludes all examples where the cell is wrong.
        if best == 0.0:
            if conditions == 0:
                return TOO_LONG
            conditions -= 1
            for number in range(columns * height):
                cell = np.int64(1) << number
                for owner in (OPP, OWN, EMPTY):
                    wrong = np.int64(0)
                    for each in range(count):
                        at = each * EXAMPLE
                        if alive[each] and cell & examples[at + SAFE] & ~examples[at + GOOD]:
                            wrong |= bits_of(examples, at, owner, cells)
                    often[:] = 0
                    for each in range(count):
                        at = each * EXAMPLE
                        if alive[each] and cell & examples[at + GOOD]:
                            rest = bits_of(examples, at, owner, cells) & ~wrong
                            while rest:
                                often[popcount((rest & -rest) - 1)] += 1
                                rest &= rest - 1
                    for other in range(columns * height):
                        if often[other]:
                            chance = chance * 6364136223846793005 + 1442695040888963407 & POSITIVE
                            worth = often[other] * (1.0 + noise * (chance >> 40 & 1023) / 1024.0)
                            worth *= 0.8 if owner == EMPTY else 1.0
                            if worth > best:
                                best = worth
                                marks[here : here + MARK] = 0
                                marks[here + CELLS] = cell
                                marks[here + owner] = np.int64(1) << other
        if best == 0.0:
            return FAILED
        made += 1
        for each in range(count):
            at = each * EXAMPLE
            if alive[each]:
                found = may_play(marks, here, examples[at + OURS], examples[at + THEIRS], examples[at + REPLY])
                if found & examples[at + SAFE]:
                    alive[each] = False
                    left -= 1
    # The last mark is to follow up anywhere.
    marks[made * MARK : (made + 1) * MARK] = 0
    marks[made * MARK + CELLS], marks[made * MARK + FOLLOW] = cells, 1
    return made + 1
