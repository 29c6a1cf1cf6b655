"""Explains why moves lost value: the job behind `arena explain`, and behind the pages and replays that explain."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Board, Rules, moves_text
from agents.errors import InputError, unknown
from arena.games.progress import bar
from arena.games.settings import board_of
from arena.table.measured import Measured, Progress

if TYPE_CHECKING:
    from arena.plugins.explain.explain import Explanation
    from arena.plugins.explain.story import Belief
    from arena.tournament.games import Replay


@dataclass(frozen=True, slots=True)
class Explained(Measured["Explanation"]):
    """The moves of a game that changed its value, each with the reason."""

    board: Board = field(default_factory=Board)
    """The last position of the game."""
    story: tuple[str, ...] = ()
    """The whole game in at most three sentences."""
    names: tuple[str, ...] = ()
    """The agents of a stored game, X and O."""
    beliefs: Mapping[int, Belief] = field(default_factory=dict)
    """By ply, what the agent reported of its move."""
    whose: str = ""
    """The words before "search" for these beliefs; empty for the side's name."""

    def lines(self, row: Explanation) -> list[str]:
        """Return one of the moves in words."""
        from arena.plugins.explain.story import lines

        after = Board.from_moves(moves_text(self.board.moves[: row.ply + 1], self.board.rules), self.board.rules)
        return lines(row, after, self.beliefs.get(row.ply, (None, None)), self.whose)

    def document(self) -> list[dict[str, Any]]:
        """Return the rows as plain data, each with its text."""
        return [asdict(row) | {"lines": self.lines(row)} for row in self.rows]


def explain(
    moves: Board | str,
    *,
    ply: int | None = None,
    beliefs: Mapping[int, Belief] | None = None,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Explained:
    """Return why moves of a game lost value; `arena explain` from Python. Raises InputError.

    moves: the game, as text or a Board. rules: of a game given as text. ply: only the move at this ply. beliefs: by
    ply, the score and the depth that an agent reported. The rows are `arena.plugins.explain.explain.Explanation`.
    """
    board = board_of(moves, rules)
    return _explained(board, _plies(board, ply), beliefs=beliefs or {}, progress=progress)


def explain_game(
    run: Path, game: int | str, *, ply: int | None = None, agent: str | None = None, progress: Progress = False
) -> Explained:
    """Return the explanations of a stored game, by its number or its key. Raises InputError.

    ply: only the move at this ply. agent: only moves of this agent, by its name, its file or the beginning of either.
    """
    from arena.store.run_file import Store, fits
    from arena.tournament.games import replay

    with Store.read(run) as store:
        replayed = replay(store, game)
        name = None if agent is None else store.name_of(agent)
    names = replayed.game.first, replayed.game.second
    if name is not None and name not in names:
        fitting = {other for other in names if fits(other, name)}
        if len(fitting) != 1:
            raise unknown("agent of this game", name, names)
        [name] = fitting
    return of_replay(replayed, _plies(replayed.boards[-1], ply), name, progress)


def of_game(replay: Replay, plies: Container[int]) -> dict[int, list[str]]:
    """Return the lines that say why the moves of a stored game at these plies lost value, by ply."""
    explained = of_replay(replay, plies)
    return {row.ply: explained.lines(row) for row in explained.rows}


def of_last(board: Board, belief: Belief = (None, None)) -> list[str]:
    """Return the lines that say why the last move of a game lost value. belief: the score and depth reported of it."""
    explained = explain(board, ply=board.ply - 1, beliefs={board.ply - 1: belief})
    return [line for row in explained.rows for line in explained.lines(row)]


def of_replay(replay: Replay, plies: Container[int], agent: str | None = None, progress: Progress = False) -> Explained:
    """Return the explanations of the moves of a stored game at these plies, or only of those by one of its agents."""
    board = replay.boards[-1]
    explained = _explained(
        board, plies, opening=replay.opening, fault="" if board.outcome else replay.game.termination,
        names=(replay.game.first, replay.game.second), whose="" if agent is None else "your",
        beliefs={step.ply: (step.score, step.depth) for step in replay.steps}, progress=progress,
    )  # fmt: skip
    return replace(explained, rows=[row for row in explained.rows if agent in {None, replay.steps[row.ply].agent}])


def _plies(board: Board, ply: int | None) -> range:
    if ply is None:
        return range(board.ply)
    if not 0 <= ply < board.ply:
        raise InputError(f"there is no move at ply {ply}: the game has {board.ply} moves, the first at ply 0")
    return range(ply, ply + 1)


def _explained(
    board: Board,
    plies: Container[int],
    *,
    opening: int = 0,
    fault: str = "",
    progress: Progress = False,
    **about: Any,  # noqa: ANN401  fields of the answer
) -> Explained:
    """Return the explanations of the moves at these plies after the opening, whose moves no player chose."""
    from arena.plugins.explain.explain import Explainer, Explanation
    from arena.plugins.explain.story import story

    board.rules.refuse_most_fours("the solver")
    explainer = Explainer(board.rules)
    rows = []
    with bar(progress, "move", board.ply) as shown:
        for row in explainer.blunders(board, [ply for ply in range(opening, board.ply) if ply in plies]):
            rows.append(row)
            shown.update(row.ply + 1 - shown.n)
    first = Board.from_moves(moves_text(board.moves[:opening], board.rules), board.rules)
    value = explainer.value(first) * (-1 if first.mover else 1)
    return Explained(rows, Explanation, board=board, story=tuple(story(board, rows, value, fault)), **about)
