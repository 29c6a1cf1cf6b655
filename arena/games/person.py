"""An agent outside of a tournament, for games against people: its moves, its views of columns, and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from agents.agent import Agent, Iteration, Limits, new_game, prepare
from agents.board import Board
from agents.errors import InputError
from agents.failure import escaped
from agents.players.searcher import Searcher
from agents.process_agent import ProcessAgent
from agents.score import of_outcome, one_ply_earlier
from agents.specs.plugins import format_error
from agents.specs.registry import Spec
from arena.games.entrants import entrant
from arena.games.interrupt import stop, stoppable
from arena.games.referee import CONDITIONS, Conditions, Fault, decide
from arena.records import MoveRecord

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Seat:
    """An agent and its name."""

    name: str
    agent: Agent
    spec: Spec

    @classmethod
    def of(cls, agent: str | Spec, isolation: Mapping[str, Any] = {}) -> Seat:
        """Return a seat for an agent: a Spec, or the text of a spec or of an entry of a folder or roster.

        isolation: see `arena.games.entrants.entrants`; without effect for a Spec. Raises InputError.
        """
        spec = entrant(agent, isolation) if isinstance(agent, str) else agent
        return cls(spec.text, spec.build(), spec)

    def ready(self, board: Board, seed: int) -> None:
        """Compile for this board and begin a game. Raises InputError."""
        try:
            prepare(self.agent, board.rules, self.name)
            new_game(self.agent, seed)
        except InputError:
            raise
        except Exception as error:
            raise InputError(f"agent {self.name!r}: {format_error(error)}") from error

    def decide(self, board: Board, limits: Limits | None = None) -> MoveRecord:
        """Return the agent's move; Ctrl-C stops the search. Raises InputError for a fault.

        limits: passed to the agent, but not enforced by a clock.
        """
        conditions = CONDITIONS if limits is None else Conditions(limits, margin=float("inf"))
        return self._answer(lambda agent: decide(agent, board, conditions))

    def views(self, board: Board) -> dict[int, int | None]:
        """Return the agent's score for each column, see `views`; Ctrl-C stops the search. Raises InputError."""
        return self._answer(lambda agent: views(agent, board))

    def output(self) -> str:
        """Return a process agent's output since the last call, at most the last 4 KB."""
        return escaped(self.agent.taken_output()) if isinstance(self.agent, ProcessAgent) else ""

    def stop(self) -> bool:
        """Stop the agent's search in another thread, and return whether it can be stopped."""
        return stop(self.agent)

    def on_depth(self, completed: Callable[[Iteration, Sequence[int]], None]) -> None:
        """Call `completed` with each depth that a built-in search completes, and its principal variation."""
        for player in (self.agent, getattr(self.agent, "searcher", None)):
            if isinstance(player, Searcher):
                player.completed = completed

    def _answer(self, question: Callable[[Agent], T]) -> T:
        try:
            with stoppable([self.agent]):
                return question(self.agent)
        except Fault as fault:
            raise InputError(f"agent {self.name!r}: {fault.termination}: {fault.detail}") from fault


def views(agent: Agent, board: Board) -> dict[int, int | None]:
    """Return the agent's score for each legal 0-based column, for the side to move; None if it reports none.

    The agent is asked for a move in the position after each column; proven scores count one ply more. Raises Fault.
    """
    scores: dict[int, int | None] = {}
    for column in board.legal_moves():
        after = board.play(column)
        if after.outcome is not None:
            scores[column] = -of_outcome(after, plies=1)
        else:
            score = decide(agent, after).score
            scores[column] = None if score is None else -one_ply_earlier(score)
    return scores
