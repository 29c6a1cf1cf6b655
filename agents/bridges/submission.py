"""One of our agents as a function for Kaggle's ConnectX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.agent import Limits, new_game, prepare
from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.build import build
from agents.specs.registry import parse


class ForKaggle:
    """One of our agents as a function of Kaggle's observation and configuration, for a file of `arena submission`."""

    def __init__(self, text: str, seed: int, share: float) -> None:
        self.text, self.seed, self.share = text, seed, share
        source = parse(text).source()
        self.agent = build(source.words, dict(source.options))

    def __call__(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        """Return the column to play, within a share of Kaggle's time for a move."""
        columns, rows, connect = (configuration[name] for name in ("columns", "rows", "inarow"))
        cells, rules = list(observation["board"]), Rules(columns, rows, connect)
        wanted = f"a board of ConnectX is {columns * rows} numbers, 0, 1 and 2, the top row first"
        if len(cells) != columns * rows:
            raise InputError(f"{wanted}; this one has {len(cells)}")
        if not all(cell in {0, 1, 2} for cell in cells):
            raise InputError(f"{wanted}; this one holds others")
        board = Board.from_grid([cells[start : start + columns] for start in range(0, len(cells), columns)], rules)
        if board.outcome is not None:
            raise InputError(f"the game is over after {board.ply} discs: there is no move")
        if observation.get("mark", board.mover + 1) != board.mover + 1:
            raise InputError(f"player {board.mover + 1} is to move on this board, not player {observation['mark']}")
        if board.ply < 2:
            prepare(self.agent, rules, self.text)
            new_game(self.agent, self.seed)
        answer = self.agent.choose(board, Limits(seconds=self.share * configuration["actTimeout"]))
        return int(getattr(answer, "column", answer))
