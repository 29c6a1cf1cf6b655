"""The worst blunders of an agent in an audited run, with why they lost."""

from __future__ import annotations

from agents.board import Board, moves_text
from agents.score import VALUES
from arena.analysis.games import Filter, Game, filtered
from arena.measure.explain import Explainer, blunders
from arena.report.explained import sentences
from arena.rows import cell, table_row
from arena.store.run_file import Store

EXPLAINING = 1.0
"""Seconds to look for the reason of a blunder."""


@table_row
class Blundered:
    """A move that lost value, and why."""

    game: int = cell("Its number within the run.", "game")
    ply: int = cell("[plies] Discs on the board before the move.", "ply")
    lost: str = cell("What became of what.", "lost")
    why: str = cell("The columns that kept the value, and what the other side does.", "because")
    opponent: str = cell("The other's name.", "against")


def worst(store: Store, agent: str, wanted: int = 3) -> list[Blundered]:
    """Return so many blunders of an agent: those that lost most, and of these the latest; none of a run unaudited."""
    if not store.is_audited():
        return []
    found = [
        (game, blunder)
        for game in filtered(store, Filter(agent=agent, blunders=True))
        for blunder in game.blunders or ()
        if blunder.agent == agent and game.first != game.second
    ]
    found.sort(key=lambda each: (each[1].after - each[1].value, -each[1].ply))
    explainer = Explainer(store.rules(), seconds=EXPLAINING)
    rows: dict[tuple[int, ...], Blundered] = {}
    for game, blunder in found:
        board = Board.from_moves(game.moves, explainer.rules)
        if board.moves[: blunder.ply] not in rows:
            rows[board.moves[: blunder.ply]] = _row(game, board, blunder.ply, explainer)
        if len(rows) == wanted:
            break
    return [*rows.values()]


def _row(game: Game, board: Board, ply: int, explainer: Explainer) -> Blundered:
    [found] = blunders(board, explainer, range(ply, ply + 1))
    after = Board.from_moves(moves_text(board.moves[: ply + 1], board.rules), board.rules)
    kept = f"{found.keepers.replace(' ', ' or ')} kept the {VALUES[found.before]}"
    why = ". ".join([f"{found.column} was played, {kept}", *(each.rstrip(".") for each in sentences(found, after))])
    lost, other = f"{VALUES[found.before]} → {VALUES[found.after]}", (game.first, game.second)[1 - ply % 2]
    return Blundered(game.game, ply, lost, f"{why}.", other)
