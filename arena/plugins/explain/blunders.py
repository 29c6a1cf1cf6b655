"""The worst blunders of an agent in an audited run, with explanations."""

from __future__ import annotations

from agents.board import Board, Rules, moves_text
from agents.score import VALUES
from arena.plugins.explain.explain import Explainer
from arena.plugins.explain.story import reason
from arena.store.run_file import Store
from arena.table.parts import Table
from arena.table.rows import cell, columns, table_row
from arena.tournament.games import Blunder, Filter, Game, filtered

CANDIDATES = 30
"""Blunders to examine, at most."""
LOOKS = 1000
"""Positions that the search for a forced line visits, to choose among the blunders."""
NO_LINE = 99


@table_row
class Blundered:
    """A move that lost value, and why."""

    game: int = cell("Its number within the run.", "game")
    ply: int = cell("[plies] Discs on the board before the move.", "ply")
    lost: str = cell("The value before and after the move.", "lost")
    why: str = cell("The columns that kept the value, and how the other side punishes the move.", "because")
    opponent: str = cell("The name of the opponent.", "against")


def worst(store: Store, agent: str, wanted: int = 3) -> list[Blundered]:
    """Return the worst blunders of an agent, those punished soonest first; none if the run is not audited."""
    if not store.is_audited():
        return []
    explainer = Explainer(store.rules())
    blunders = [
        (game, blunder)
        for game in filtered(store, Filter(agent=agent, blunders=True))
        for blunder in game.blunders or ()
        if blunder.agent == agent and game.first != game.second
    ]
    blunders.sort(key=lambda pair: (pair[1].after - pair[1].value, -pair[1].ply))
    different: dict[str, tuple[Game, Blunder, int]] = {}
    for game, blunder in blunders:
        before = _before(game, blunder.ply, explainer.rules)
        if len(different) < CANDIDATES and before.text not in different:
            after = before.play(blunder.column - 1)
            line = explainer.forced(after.own, after.opp, LOOKS) if blunder.after < 0 else None
            different[before.text] = game, blunder, len(line.moves) if line else NO_LINE
    chosen = sorted(different.values(), key=lambda entry: (entry[1].after - entry[1].value, entry[2]))[:wanted]
    return [_row(game, blunder, explainer) for game, blunder, _ in chosen]


def _before(game: Game, ply: int, rules: Rules) -> Board:
    return Board.from_moves(moves_text(Board.from_moves(game.moves, rules).moves[:ply], rules), rules)


def _row(game: Game, blunder: Blunder, explainer: Explainer) -> Blundered:
    ply = blunder.ply
    [row] = explainer.blunders(Board.from_moves(game.moves, explainer.rules), [ply])
    after = _before(game, ply + 1, explainer.rules)
    kept = f"{row.keepers.replace(' ', ' or ')} kept the {VALUES[row.before]}"
    lost, other = f"{VALUES[row.before]} → {VALUES[row.after]}", (game.first, game.second)[1 - ply % 2]
    return Blundered(game.game, ply, lost, f"{row.column} was played, {kept}. {reason(row, after)}", other)


def table(store: Store, agent: str) -> Table:
    """Return the worst blunders of an agent as a table; without rows if it made none, or the run is not audited."""
    rows = worst(store, agent)
    return Table("blunders", "", Blundered, rows, columns(Blundered, "game", "lost", "why", "ply", "opponent"))
