"""What a spec searches: whether it takes a depth, how far a search came, and drawn positions to search."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.kinds import KINDS
from agents.specs.outline import outline
from agents.specs.plugins import is_file
from agents.specs.registry import Spec
from arena.records import MoveRecord

if TYPE_CHECKING:
    from arena.records import MoveRecord


def takes_depth(spec: Spec) -> bool:
    """Return whether an agent of a file gets its depth when it is made, by a parameter `depth`."""
    if spec.kind in KINDS or not is_file(spec.kind):
        return False
    path, _, name = spec.kind.rpartition(":")
    try:
        maker = outline(Path(path)).makers.get(name)
    except InputError:  # beside a roster elsewhere
        maker = None
    return "depth" in spec.parameters or (maker is not None and "depth" in maker.names)


def searched(found: MoveRecord) -> int:
    """Return the plies that an answer says were searched, by its depth or else its iterations; 0 where none does."""
    return found.depth or max((each.depth for each in found.iterations), default=0)


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
