"""The packed state of Smart Connect4: a 7x6 position in one unsigned 64-bit number.

Bit 63 is 1. Below it each column has nine bits, left column first: three bits that hold its number of discs plus one,
then six for its cells, the bottom one first: 1 is the agent's disc, 0 the opponent's or an empty cell. Who the agent
is, and so who moves, is not in it.

Source: Kotp, Mohammed, Farid, "Smart Connect4", 2022, where bit 63 is cleared to mark a pruned branch.
"""

from __future__ import annotations

from agents.board import STANDARD, Board, Outcome
from agents.errors import InputError

COLUMN_BITS = 9
PLAYERS = (0, 1)


def encode(board: Board, player: int) -> int:
    """Return the state of a 7x6 position in which the agent is `player`, 0 the first or 1 the second.

    Raises InputError for other boards and players.
    """
    _check(player)
    if board.rules.size != STANDARD.size:
        raise InputError(f"the packed state holds {STANDARD} boards only, not {board.rules}")
    discs = board.own if board.mover == player else board.opp
    state = 1
    for column in range(STANDARD.columns):
        shift = column * (STANDARD.rows + 1)
        taken = (board.own | board.opp) >> shift & (1 << STANDARD.rows) - 1
        state = state << 3 | taken.bit_count() + 1
        for row in range(STANDARD.rows):
            state = state << 1 | discs >> shift + row & 1
    return state


def decode(state: int, player: int) -> Board:
    """Return the position of a state in which the agent is `player`; how it came about, its `moves`, is not known.

    Raises InputError where the number is no state, or not one of a game in which `player` is the agent.
    """
    _check(player)
    if state >> 63 != 1:
        raise InputError(f"{state} is not a packed state: bit 63 must be the highest one set")
    discs = [0, 0]
    for column in range(STANDARD.columns):
        bits = state >> (STANDARD.columns - 1 - column) * COLUMN_BITS
        height = (bits >> STANDARD.rows & 7) - 1
        cells = [bits >> STANDARD.rows - 1 - row & 1 for row in range(STANDARD.rows)]
        if height < 0:
            raise InputError(f"{state} is not a packed state: column {column + 1} has no height")
        if any(cells[height:]):
            raise InputError(f"{state} is not a packed state: column {column + 1} has discs above its top")
        for row in range(height):
            owner = player if cells[row] else 1 - player
            discs[owner] |= 1 << column * (STANDARD.rows + 1) + row
    counts = [player_discs.bit_count() for player_discs in discs]
    if counts[0] - counts[1] not in {0, 1}:
        raise InputError(
            f"{state} is no position of a game: the first player has {counts[0]} discs, the second {counts[1]}"
        )
    ply = sum(counts)
    return Board(STANDARD, discs[ply & 1], discs[1 - (ply & 1)], ply, _outcome(discs, ply))


def _check(player: int) -> None:
    if player not in PLAYERS:
        raise InputError(f"player {player} does not exist: 0 is the first, 1 the second")


def _outcome(discs: list[int], ply: int) -> Outcome | None:
    """Return who has a four; where play went on after one and both have, the side that moved last."""
    last = 1 - (ply & 1)
    for player in (last, 1 - last):
        if STANDARD.line(discs[player]):
            return Outcome(player)
    return Outcome.DRAW if discs[0] | discs[1] == STANDARD.cells else None
