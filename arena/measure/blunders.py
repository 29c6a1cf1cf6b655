"""The worst blunders of an agent in an audited run, each explained as far as a short search can."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from agents.agent import Agent, Limits, prepare
from agents.board import Board, Rules, moves_text, split_moves
from agents.score import VALUES, plies_to_end, proven
from agents.specs.registry import parse
from arena.analysis.games import Blunder, Filter, Game, filtered
from arena.cells import place
from arena.rows import cell, table_row
from arena.store import queries
from arena.store.run_file import Store

SEARCH = "alphabeta:depth=9,heuristic=zero,order=centre,deepening=on,table=on"
"""What looks for forced lines: it ends at the first depth that proves a win."""
CANDIDATES = 30
"""Blunders that are examined."""
_NO_LINE = 99


@table_row
class Explained:
    """A move that lost value, and why."""

    game: int = cell("Its number within the run.", "game")
    ply: int = cell("[plies] Discs on the board before the move.", "ply")
    column: int = cell("[column] The one it chose, from 1.", "played")
    lost: str = cell("What became of what.", "lost")
    why: str = cell("The columns that kept the value and, where one is short, the forced line.", "because")
    opponent: str = cell("The other's name.", "against")
    position: str = cell("Moves to the board that it was shown.", "position", place)
    plies: int = cell("[plies] To the end of the forced line; 99 without one.", default=_NO_LINE)

    @property
    def has_line(self) -> bool:
        """Whether a short line of play shows it."""
        return self.plies != _NO_LINE


def worst(store: Store, agent: str, wanted: int = 3) -> list[Explained]:
    """Return so many blunders of an agent: those that lost most, and of these the soonest punished; none unaudited."""
    if not store.is_audited():
        return []
    found = [
        (game, blunder)
        for game in filtered(store, Filter(agent=agent, blunders=True))
        for blunder in game.blunders or ()
        if blunder.agent == agent and game.first != game.second
    ]
    found.sort(key=lambda each: (each[1].after - each[1].value, -each[1].ply))
    kept = queries.audit_of(store, {game.game for game, _ in found[:CANDIDATES]})
    rules = store.rules()
    rows = [
        _explained(game, blunder, str(kept[game.game, blunder.ply].get("keepers") or ""), rules)
        for game, blunder in found[:CANDIDATES]
    ]
    rows.sort(key=lambda row: (row.lost != f"{VALUES[1]} → {VALUES[-1]}", row.plies))
    return _different(rows)[:wanted]


def _different(rows: Sequence[Explained]) -> list[Explained]:
    """Return the rows of different positions."""
    return list({row.position: row for row in reversed(rows)}.values())[::-1]


def _explained(game: Game, blunder: Blunder, keepers: str, rules: Rules) -> Explained:
    before = [int(word) - 1 for word in split_moves(game.moves, rules)[: blunder.ply]]
    board = Board.from_moves(moves_text(before, rules), rules)
    said = [f"{' or '.join(keepers.split())} kept the {VALUES[blunder.value]}"] if keepers else []
    if missed := forced(board):
        said.append(f"it could win in {_plies(len(missed))}: {_line(missed)}")
    punished = forced(board.play(blunder.column - 1)) if blunder.after < 0 else ()
    if punished:
        said.append(f"after {blunder.column} the other wins in {_plies(len(punished))}: {_line(punished)}")
    elif not missed:
        said.append("no forced line of nine plies shows it; replay the game to see how it went")
    return Explained(
        game.game, blunder.ply, blunder.column, f"{VALUES[blunder.value]} → {VALUES[blunder.after]}", "; ".join(said),
        game.second if blunder.ply % 2 == 0 else game.first, board.text, len(punished or missed) or _NO_LINE,
    )  # fmt: skip


def _plies(number: int) -> str:
    return f"{number} pl{'y' if number == 1 else 'ies'}"


def _line(columns: Sequence[int]) -> str:
    return " ".join(str(column + 1) for column in columns)


@functools.cache
def _searcher(rules: Rules) -> Agent:
    agent = parse(SEARCH).build()
    prepare(agent, rules, SEARCH)
    return agent


def forced(board: Board) -> Sequence[int]:
    """Return the columns, from 0, of a shortest win of the side to move within nine plies; none where there is none."""
    if board.outcome is not None:
        return ()
    found = _searcher(board.rules).choose(board, Limits())
    assert not isinstance(found, int)
    score = found.score or 0
    return found.pv[: plies_to_end(score)] if score > 0 and proven(score) else ()
