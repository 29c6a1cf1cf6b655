"""The referee: two agents play one game from an opening, and everything that happened becomes a GameRecord."""

from __future__ import annotations

import functools
import math
import operator
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents.agent import Agent, Analysis, Iteration, Limits, new_game
from agents.board import Board, IllegalMove, Outcome
from agents.plugins import aside, one_line
from arena.store.records import GameRecord, MoveRecord, Termination

Clock = Callable[[], float]
"""Seconds since some moment; it never runs backwards."""


class Fault(Exception):  # noqa: N818  it is not an error of ours
    """What an agent did that ends its game."""

    def __init__(self, termination: Termination, detail: str) -> None:
        super().__init__(detail)
        self.termination = termination
        self.detail = " ".join(detail.split()).encode(errors="backslashreplace").decode()


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
    turn: Callable[[int], None] = lambda mover: None,  # noqa: ARG005  nobody listens
) -> GameRecord:
    """Play one game: `players` are first and second player, `seeds` theirs; `turn` is told who is about to think.

    The two must not be the same object. No fault of an agent leaves this function.
    """
    started, began = time.time(), clock()
    board = opening
    decisions: list[MoveRecord] = []
    thinking = 0
    try:
        for thinking in (0, 1):
            turn(thinking)
            with aside():
                _guarded(functools.partial(new_game, players[thinking], seeds[thinking]))
        while board.outcome is None:
            thinking = board.mover
            turn(thinking)
            decision = decide(players[thinking], board, conditions, clock)
            decisions.append(decision)
            board = board.play(decision.column)
    except Fault as fault:
        return GameRecord(
            key, board.text, Outcome(1 - thinking), fault.termination, fault.detail, started, clock() - began,
            tuple(decisions),
        )  # fmt: skip
    assert board.outcome is not None
    termination = Termination.FULL if board.outcome is Outcome.DRAW else Termination.LINE
    return GameRecord(key, board.text, board.outcome, termination, "", started, clock() - began, tuple(decisions))


def decide(
    agent: Agent, board: Board, conditions: Conditions = CONDITIONS, clock: Clock = time.perf_counter
) -> MoveRecord:
    """Ask an agent for a move, take its time and check the answer. Raises the Fault that it commits."""
    with aside():
        began = clock()
        answer = _guarded(lambda: agent.choose(board, conditions.limits))
        seconds = clock() - began
    limit = conditions.limits.seconds
    if limit is not None and seconds > limit + conditions.margin:
        raise Fault(Termination.TIME, f"took {seconds:.3f} s for a move, allowed are {limit:g} s")
    return _checked(answer, board, seconds)


def _checked(answer: Any, board: Board, seconds: float) -> MoveRecord:  # noqa: ANN401  an agent may return anything
    """Return an agent's answer as a record of plain values; raise the Fault that it is."""
    analysis = answer if isinstance(answer, Analysis) else Analysis(answer)
    try:
        column = _whole(analysis.column)
    except Exception:  # noqa: BLE001  whatever the object does when it is asked for a number
        raise Fault(Termination.ILLEGAL, f"answered {_shown(answer)}, which is no column") from None
    try:
        board.play(column)
    except IllegalMove as error:
        raise Fault(Termination.ILLEGAL, f"answered {column} (columns count from 0): {error}") from None
    try:
        score = None if analysis.score is None else _whole(analysis.score)
        depth, nodes = _whole(analysis.depth), _whole(analysis.nodes)
        pv, iterations = tuple(map(_whole, analysis.pv)), tuple(map(_iteration, analysis.iterations))
    except Exception as error:
        raise Fault(Termination.EXCEPTION, f"its analysis cannot be read: {one_line(error)}") from error
    return MoveRecord(board.ply, column, seconds, score, depth, nodes, pv, iterations)


def _whole(value: Any) -> int:  # noqa: ANN401  likewise
    """Return a whole number, numpy's too, as an int of 64 bits at most. Raises TypeError, OverflowError."""
    if isinstance(value, bool):
        raise TypeError("True and False are no numbers here")
    number = operator.index(value)
    if number.bit_length() > 63:
        raise OverflowError("a number takes more than 64 bits")
    return number


def _iteration(value: Any) -> Iteration:  # noqa: ANN401  likewise
    seconds = float(value.seconds)
    if not math.isfinite(seconds):
        raise ValueError("the seconds of an iteration are not finite")
    return Iteration(_whole(value.depth), _whole(value.nodes), seconds, _whole(value.score), _whole(value.column))


def _shown(value: Any) -> str:  # noqa: ANN401  likewise
    try:
        return f"{value!r:.200}"
    except Exception:  # noqa: BLE001  a repr that raises
        return f"an object of type {type(value).__name__}"


def _guarded(call: Callable[[], Any]) -> Any:  # noqa: ANN401  whatever the agent returns
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Fault(Termination.EXCEPTION, one_line(error)) from error
