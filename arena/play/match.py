"""The referee: two agents play one game from an opening, and everything that happened becomes a GameRecord."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents.agent import Agent, Limits, new_game
from agents.board import Board, Outcome
from agents.plugins import aside
from agents.remote.failure import Failure, described, legible
from agents.remote.stranger import Stranger
from arena.play.answer import Fault, read
from arena.store.records import FaultRecord, GameRecord, MoveRecord, Termination

Clock = Callable[[], float]
"""Seconds since some moment; it never runs backwards."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What every move of a run is played under."""

    limits: Limits = Limits()  # noqa: RUF009  immutable
    margin: float = 0.1
    """Seconds past the limit before the referee calls time."""


CONDITIONS = Conditions()
"""No limits but the agents' own."""


def play_game(
    key: str,
    players: tuple[Agent, Agent],
    opening: Board,
    seeds: tuple[int, int],
    conditions: Conditions = CONDITIONS,
    *,
    clock: Clock = time.perf_counter,
    turn: Callable[[Board], None] = lambda board: None,  # noqa: ARG005  nobody listens
) -> GameRecord:
    """Play one game: `players` are first and second player, `seeds` theirs; `turn` is told before which move they are.

    The two must not be the same object. No fault of an agent leaves this function.
    """
    started, began = time.time(), clock()
    board = opening
    decisions: list[MoveRecord] = []
    waiting = {0, 1}
    try:
        with aside():
            while board.outcome is None:
                turn(board)
                player = players[board.mover]
                if board.mover in waiting:
                    waiting.remove(board.mover)
                    _guarded(new_game, player, seeds[board.mover])
                decision, board = _decided(player, board, conditions, clock)
                decisions.append(decision)
    except Fault as fault:
        output = fault.output or _output(player)
        return GameRecord(
            key, board.text, Outcome(1 - board.mover), fault.termination, fault.detail, started, clock() - began,
            tuple(decisions), FaultRecord(board.ply, board.text, fault.traceback, output),
        )  # fmt: skip
    by_line = board.outcome is not Outcome.DRAW and board.rules.decisive
    termination = Termination.LINE if by_line else Termination.FULL
    return GameRecord(key, board.text, board.outcome, termination, "", started, clock() - began, tuple(decisions))


def decide(
    agent: Agent, board: Board, conditions: Conditions = CONDITIONS, clock: Clock = time.perf_counter
) -> MoveRecord:
    """Ask an agent for a move on a copy of the board, take its time, and check the answer. Raises the Fault."""
    with aside():
        try:
            return _decided(agent, board, conditions, clock)[0]
        except Fault as fault:
            fault.output = fault.output or _output(agent)
            raise


def _decided(agent: Agent, board: Board, conditions: Conditions, clock: Clock) -> tuple[MoveRecord, Board]:
    """Return the decision and the board after it. Raises the Fault."""
    began = clock()
    shown = Board(board.rules, board.own, board.opp, board.ply, None, board.moves)
    answer = _guarded(lambda: agent.choose(shown, conditions.limits))
    decision, after = read(answer, board, lambda: clock() - began)
    limit = conditions.limits.seconds
    if limit is not None and decision.seconds > limit + conditions.margin:
        raise Fault(Termination.TIME, f"took {decision.seconds:.3f} s for a move, allowed are {limit:g} s")
    return decision, after


def _output(agent: Agent) -> str:
    return legible(agent.output) if isinstance(agent, Stranger) else ""


def _guarded(call: Callable[..., Any], *given: object) -> Any:  # noqa: ANN401  whatever the agent returns
    try:
        return call(*given)
    except KeyboardInterrupt:
        raise
    except Failure as failure:
        kind, detail = failure.kind, failure.detail
        raise Fault(kind, detail, traceback=failure.traceback, output=failure.output) from failure
    except BaseException as error:
        detail, traceback = described(error)
        raise Fault(Termination.EXCEPTION, detail, traceback=traceback) from error
