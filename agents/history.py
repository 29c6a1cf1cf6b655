"""A game that leads to a drawn position, or the reason why there is none, within a bound.

No disc hangs, the players alternate, and only the last move makes a four. Without that move the position has no four,
and no earlier one has; so a game is a merge of the columns, read from the bottom, in which the players alternate. A
walk of few steps finds almost every game. Where it does not, the set of all reachable heights of the columns decides:
on 7x6 there are at most 7**7, one bit each in a Python integer, and a move shifts the set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agents.errors import InputError
from agents.rules import Rules

STEPS = 4_000
"""The most steps of the walks, about a microsecond each."""
MOST_STATES = 1 << 20
"""The largest set of heights to compute, about 20 ms. A board of 7x6 has 823,543."""

Columns = tuple[tuple[int, ...], ...]
"""The players of each column's discs from the bottom, 0 the first player, 1 the second."""


def moves_to(grid: Sequence[Sequence[int]], rules: Rules) -> list[int]:
    """Return the 0-based columns of a game that leads to a grid: rows from the top, 0 empty, 1 and 2 the players.

    It answers within 50 ms. Raises InputError, with the reason, if no game leads there. On boards larger than 7x6 the
    bound may end before either shows, which is rare; then the message asks for the moves.
    """
    if len(grid) != rules.rows or any(len(row) != rules.columns for row in grid):
        raise InputError(f"a board of {rules.columns}x{rules.rows} has {rules.rows} rows of {rules.columns} cells")
    if any(cell not in {0, 1, 2} for row in grid for cell in row):
        raise InputError("a cell is 0 (empty), 1 (the first player) or 2 (the second)")
    columns = _columns(grid)
    ends, steps, decided = list(_before_the_last(columns, rules)), STEPS, True
    for column, shape in ends:
        game, steps = _walk(shape, steps)
        if game is not None:
            return game if column is None else [*game, column]
        decided = decided and steps > 0
    if not decided:
        states = 1
        for discs in columns:
            states *= len(discs) + 1
        if states > MOST_STATES:
            raise InputError(f"no game to this position shows within {STEPS:,} steps: it takes its moves")
        for column, shape in ends:
            game = _merged(shape)
            if game is not None:
                return game if column is None else [*game, column]
    raise InputError("no game leads to this position: in no order of its discs do the players take turns")


def _columns(grid: Sequence[Sequence[int]]) -> Columns:
    """Return the columns of a grid. Raises InputError for a disc that hangs, and for players that do not alternate."""
    columns = []
    for number, cells in enumerate(zip(*reversed(grid), strict=True), start=1):
        height = sum(map(bool, cells))
        if not all(cells[:height]):
            raise InputError(f"no game leads to this position: a disc hangs in the air in column {number}")
        columns.append(tuple(int(cell) - 1 for cell in cells[:height]))
    second = sum(map(sum, columns))
    first = sum(map(len, columns)) - second
    if first - second not in {0, 1}:
        counts = f"the first player has {first} disc{'' if first == 1 else 's'}, the second {second}"
        raise InputError(f"no game leads to this position: {counts}")
    return tuple(columns)


def _before_the_last(columns: Columns, rules: Rules) -> Iterator[tuple[int | None, Columns]]:
    """Yield the positions before a move that may have ended the game, with its column; or the position itself.

    Raises InputError if the fours are not those of one last move.
    """
    height = rules.rows + 1
    words = [0, 0]
    for place, discs in enumerate(columns):
        for row, player in enumerate(discs):
            words[player] |= 1 << place * height + row
    fours = [bool(not rules.most_fours and rules.line(word)) for word in words]
    if not any(fours):
        yield None, columns
        return
    if all(fours):
        raise InputError("no game leads to this position: both players have a four")
    last = 1 - (sum(map(len, columns)) & 1)
    if fours[1 - last]:
        raise InputError("no game leads to this position: the side to move has a four, after which the other moved")
    before = [
        (place, (*columns[:place], discs[:-1], *columns[place + 1 :]))
        for place, discs in enumerate(columns)
        if discs and discs[-1] == last and not rules.line(words[last] ^ 1 << place * height + len(discs) - 1)
    ]
    if not before:
        raise InputError("no game leads to this position: no last move makes all its fours")
    yield from before


def _walk(columns: Columns, steps: int) -> tuple[list[int] | None, int]:
    """Return a game that fills the columns, or None, and the steps left: 0 if they ended the walk.

    It takes a disc first where most remain, since tall columns are what a game gets stuck on.
    """
    discs, sizes = sum(map(len, columns)), list(map(len, columns))
    heights, game, failed = [0] * len(columns), list[int](), set[tuple[int, ...]]()

    def choices() -> Iterator[int]:
        mover = len(game) & 1
        able = [i for i, size in enumerate(sizes) if heights[i] < size and columns[i][heights[i]] == mover]
        return iter(sorted(able, key=lambda i: heights[i] - sizes[i]))

    waiting = [choices()]
    while len(game) < discs:
        column = next(waiting[-1], None)
        if column is None:
            failed.add(tuple(heights))
            waiting.pop()
            if not waiting:
                return None, steps
            heights[game.pop()] -= 1
            continue
        heights[column] += 1
        if tuple(heights) in failed:
            heights[column] -= 1
            continue
        steps -= 1
        if steps <= 0:
            return None, 0
        game.append(column)
        waiting.append(choices())
    return game, steps


def _merged(columns: Columns) -> list[int] | None:
    """Return a game that fills the columns, or None if there is none, from the sets of heights after each move."""
    strides, states = [], 1
    for discs in columns:
        strides.append(states)
        states *= len(discs) + 1
    takes = [[_taking(discs, stride, states, mover) for mover in (0, 1)]
             for discs, stride in zip(columns, strides, strict=True)]  # fmt: skip
    levels = [1]  # the bit of a state is the sum of its heights times their strides
    for ply in range(sum(map(len, columns))):
        level = 0
        for stride, take in zip(strides, takes, strict=True):
            level |= (levels[-1] & take[ply & 1]) << stride
        levels.append(level)
    if not levels[-1]:
        return None
    state, game = states - 1, list[int]()
    for ply in reversed(range(len(levels) - 1)):
        for column, stride in enumerate(strides):
            before = state - stride
            if before >= 0 and (levels[ply] & takes[column][ply & 1]) >> before & 1:
                game.append(column)
                state = before
                break
    return game[::-1]


def _taking(discs: tuple[int, ...], stride: int, states: int, mover: int) -> int:
    """Return the set of states in which the next disc of a column is the mover's."""
    block, period = 0, stride * (len(discs) + 1)
    for height, player in enumerate(discs):
        if player == mover:
            block |= ((1 << stride) - 1) << height * stride
    while period < states:
        block, period = block | block << period, 2 * period
    return block & (1 << states) - 1
