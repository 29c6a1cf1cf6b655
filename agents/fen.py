"""Positions and moves as UCI engines write them: FENs of the variant `cfour`, and drops such as `P@d1`.

Source: `variants.ini` of Fairy-Stockfish.
"""

from __future__ import annotations

import re

from agents.board import Board
from agents.errors import InputError


def drops(board: Board) -> list[str]:
    """Return the moves of a board in UCI's notation."""
    heights = [0] * board.rules.columns
    texts = []
    for move in board.moves:
        heights[move] += 1
        texts.append(f"P@{chr(ord('a') + move)}{heights[move]}")
    return texts


def from_fen(fen: str) -> Board:
    """Return the position that a FEN of `cfour` describes, with moves that lead to it. Raises InputError.

    `7/7/7/7/3p3/P2P3[PPPpp] b - - 0 2` lists the ranks from the top, with P for the first player's discs, the discs in
    hand and the side to move. The hand is optional; it holds each player's 21 discs less those on the board.
    """
    fields = re.fullmatch(r"([^\s\[]+)(?:\[([Pp-]*)\])?\s+([wb])(?:\s.*)?", fen.strip())
    written = fields[1].split("/") if fields else []
    ranks = [re.sub(r"\d", lambda digit: "." * int(digit[0]), rank) for rank in written]
    if fields is None or [len(rank) for rank in ranks] != [7] * 6 or set("".join(ranks)) - set("Pp."):
        raise InputError("a FEN is six ranks of seven cells, such as 7/7/7/7/3p3/P2P3 w - - 0 1")
    discs = {disc: "".join(ranks).count(disc) for disc in "Pp"}
    if discs["P"] - discs["p"] != (fields[3] == "b"):
        raise InputError(f"the FEN has {discs['P']} discs of the first player and {discs['p']} of the second")
    if fields[2] is not None and any(fields[2].count(disc) != 21 - discs[disc] for disc in "Pp"):
        raise InputError("the hand of the FEN does not hold the discs that the board leaves")
    return Board.from_grid([[".Pp".index(cell) for cell in rank] for rank in ranks])
