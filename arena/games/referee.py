"""The referee: it plays one game of two agents from an opening, and returns everything that happens as a GameRecord.

Only this file checks agents' claims: it drops claims beyond the bounds, with a remark in the record.
"""

from __future__ import annotations

import itertools
import json
import math
import operator
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from agents.agent import MOST_EXTRA, MOST_ITERATIONS, MOST_MOVES, Agent, Analysis, Iteration, Limits, new_game
from agents.board import Board, IllegalMove, Outcome, Rules
from agents.errors import Unavailable
from agents.failure import Failure, described, escaped, safe_repr
from agents.process_agent import ProcessAgent
from agents.score import WIN, coerce_score
from agents.specs.plugins import format_error, output_to_stderr
from arena.games.time_control import TimeControl
from arena.records import FaultRecord, GameRecord, Job, MoveRecord, Termination, is_termination

T = TypeVar("T")
MOST_SPEED = 10**12
"""The most nodes a second that are believed."""
CLOCK_SLACK = 0.1
"""Seconds by which an agent's clock may differ from the referee's."""
_LARGEST = (1 << 63) - 1


class Fault(Exception):  # noqa: N818  it is not an error of this program
    """Raised if an agent does something that ends its game."""

    def __init__(
        self, termination: str, detail: str, *, traceback: str = "", output: str = "", extra: str = ""
    ) -> None:
        super().__init__(detail or termination)
        self.termination = termination
        self.detail = " ".join(escaped(detail).split())
        self.traceback = escaped(traceback)
        self.output = escaped(output)
        self.extra = extra


def record_answer(answer: Any, board: Board, taken: Callable[[], float]) -> tuple[MoveRecord, Board]:  # noqa: ANN401  an agent may return anything
    """Return an agent's answer as a record of plain values, and the board after the move. Raises Fault.

    `taken` returns the seconds since the agent was asked; it is called after everything is read.
    """
    analysis = answer if isinstance(answer, Analysis) else Analysis(answer)
    try:
        column = _whole(analysis.column)
    except Exception:  # noqa: BLE001  the object's methods may raise anything
        why = "is a return missing?" if analysis.column is None else "columns are whole numbers from 0"
        raise Fault(Termination.ILLEGAL, f"answered {safe_repr(analysis.column)}, which is no column: {why}") from None
    try:
        after = board.play(column)
    except IllegalMove as error:
        raise Fault(Termination.ILLEGAL, f"answered {column} (columns count from 0): {error}") from None
    rules = board.rules
    try:
        depth, nodes = _count(analysis.depth), _count(analysis.nodes)
        pv = _bounded(analysis.pv, MOST_MOVES, "moves in its line", lambda move: _column(move, rules))
        iterations = _bounded(
            analysis.iterations, MOST_ITERATIONS, "iterations", lambda iteration: _iteration(iteration, rules)
        )  # fmt: skip
    except Exception as error:
        raise Fault(Termination.EXCEPTION, f"its analysis cannot be read: {format_error(error)}") from error
    score, remark = coerce_score(analysis.score), ""
    if analysis.score is not None and score is None:
        remark = (
            f"its score {escaped(safe_repr(analysis.score))[:200]} is no number of at most 64 bits, and is not kept"
        )
    extra = ""
    if analysis.extra is not None:
        extra, wrong = as_json(analysis.extra)
        remark = "; ".join(filter(None, (remark, wrong)))
    record = MoveRecord(board.ply, column, taken(), score, depth, nodes, pv, iterations, remark, extra)
    return _believed(record, rules), after


def as_json(extra: object) -> tuple[str, str]:
    """Return an agent's `extra` as JSON, or an empty text and the reason why it cannot be kept."""
    try:
        text = json.dumps(dict(extra), allow_nan=False) if isinstance(extra, Mapping) else ""
    except Exception as error:  # noqa: BLE001  reading the values may raise anything
        return "", f"its extra is no JSON, and is not kept: {escaped(format_error(error))[:200]}"
    if not text:
        return "", f"its extra is no mapping of at most {MOST_EXTRA:,} characters, and is not kept"
    if len(text) > MOST_EXTRA:
        return "", f"its extra has {len(text):,} characters of JSON, more than {MOST_EXTRA:,}, and is not kept"
    return text, ""


def _believed(record: MoveRecord, rules: Rules) -> MoveRecord:
    """Return a move's record without impossible claims, with a remark on each dropped one.

    Impossible are a depth beyond the board, nodes or times beyond the referee's clock, and a score beyond a win.
    """
    longest = record.seconds + CLOCK_SLACK
    cells = rules.columns * rules.rows
    bounds = {"depth": (0, cells), "nodes": (0, int(MOST_SPEED * longest)), "score": (-WIN, WIN)}

    def beyond(claim: MoveRecord | Iteration) -> list[str]:
        values = ((name, getattr(claim, name)) for name in bounds)
        return [name for name, value in values if value is not None and not bounds[name][0] <= value <= bounds[name][1]]

    wrong = beyond(record)
    iterations = tuple(
        [iteration for iteration in record.iterations if iteration.seconds <= longest and not beyond(iteration)]
    )
    remarks = [record.remark] if record.remark else []
    for name in wrong:
        low, high = bounds[name]
        remarks.append(f"its {name} {safe_repr(getattr(record, name))} is not from {low} to {high}, and is not kept")
    if len(iterations) < len(record.iterations):
        remarks.append(f"of its iterations {len(record.iterations) - len(iterations)} cannot be, and are not kept")
    if len(remarks) == bool(record.remark):
        return record
    nothing: dict[str, Any] = {name: None if name == "score" else 0 for name in wrong}
    return record._replace(iterations=iterations, remark="; ".join(remarks), **nothing)


def _bounded(values: Iterable[Any], most: int, what: str, read_one: Callable[[Any], T]) -> tuple[T, ...]:
    """Read each value. Raises OverflowError if there are too many or infinitely many."""
    if isinstance(values, tuple) and not values:  # the usual case
        return ()
    items = [read_one(value) for value in itertools.islice(values, most + 1)]
    if len(items) > most:
        raise OverflowError(f"more than {most} {what}")
    return tuple(items)


def _whole(value: Any) -> int:  # noqa: ANN401  likewise
    """Return a whole number, also one of numpy, as an int of at most 64 bits. Raises TypeError, OverflowError."""
    if type(value) is int and -_LARGEST <= value <= _LARGEST:  # the usual case
        return value
    if isinstance(value, bool):
        raise TypeError("True and False are no numbers here")
    number = operator.index(value)
    if number.bit_length() > 63:
        raise OverflowError("a number takes more than 64 bits")
    return number


def _count(value: Any) -> int:  # noqa: ANN401  likewise
    if isinstance(value, bool):
        raise TypeError("True and False are no numbers here")
    if (number := operator.index(value)) < 0:
        raise ValueError(f"{safe_repr(number)} is negative")
    return number


def _column(value: Any, rules: Rules) -> int:  # noqa: ANN401  likewise
    number = _whole(value)
    if not 0 <= number < rules.columns:
        raise ValueError(f"{number} is no column of its line")
    return number


def _iteration(value: Any, rules: Rules) -> Iteration:  # noqa: ANN401  likewise
    seconds = float(value.seconds)
    if not (math.isfinite(seconds) and seconds >= 0.0):
        raise ValueError("the seconds of an iteration are negative or not finite")
    column = _column(value.column, rules)
    return Iteration(_count(value.depth), _count(value.nodes), seconds, coerce_score(value.score), column)


Clock = Callable[[], float]
"""Seconds since some moment; it never runs backwards."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The limits of every move of a run."""

    limits: Limits = Limits()  # noqa: RUF009  immutable
    margin: float = 0.1
    """Seconds past the limit before the referee calls time."""
    clock: TimeControl | None = None
    """The clock for the whole game."""

    @property
    def longest(self) -> float | None:
        """The most seconds that a move may take; None without a limit."""
        clock = self.clock
        return self.limits.seconds if clock is None else clock.seconds + MOST_MOVES * clock.increment


CONDITIONS = Conditions()
"""No limits but the agents' own."""


def play_game(
    job: Job,
    players: tuple[Agent, Agent],
    opening: Board,
    seeds: tuple[int, int],
    conditions: Conditions = CONDITIONS,
    *,
    clock: Clock = time.perf_counter,
    turn: Callable[[Board], None] = lambda board: None,  # noqa: ARG005  nobody listens
) -> GameRecord:
    """Play one game. An agent's fault ends the game; it is never raised.

    players, seeds: the first and the second player, which must be two objects, and their seeds.
    opening, conditions, clock: the first position, the limits of moves, and the referee's clock.
    turn: called with the board before each move.
    """
    started, began = time.time(), clock()
    board = opening
    decisions: list[MoveRecord] = []
    waiting = {0, 1}
    control = conditions.clock
    left = None if control is None else (control.seconds, control.seconds)
    try:
        with output_to_stderr():
            while board.outcome is None:
                turn(board)
                player = players[board.mover]
                if board.mover in waiting:
                    waiting.remove(board.mover)
                    _guarded(new_game, player, seeds[board.mover])
                mover = board.mover
                decision, board = _decided(player, board, conditions, clock, left)
                decisions.append(decision)
                if control is not None and left is not None:
                    left = control.after(left, mover, decision.seconds)
    except Unavailable as error:
        error.place = (job.first, job.second)[board.mover]
        raise
    except Fault as fault:
        output = fault.output or _output(player)
        _stop_pondering(players)
        return GameRecord(
            job, board.text, Outcome(1 - board.mover), fault.termination, fault.detail, started, clock() - began,
            tuple(decisions), FaultRecord(board.ply, board.text, fault.traceback, output, fault.extra),
        )  # fmt: skip
    _stop_pondering(players)
    by_line = board.outcome is not Outcome.DRAW and board.rules.decisive
    termination = Termination.LINE if by_line else Termination.FULL
    return GameRecord(job, board.text, board.outcome, termination, "", started, clock() - began, tuple(decisions))


def decide(
    agent: Agent, board: Board, conditions: Conditions = CONDITIONS, clock: Clock = time.perf_counter
) -> MoveRecord:
    """Ask an agent for a move on a copy of the board, measure the time, and check the answer. Raises Fault."""
    with output_to_stderr():
        try:
            return _decided(agent, board, conditions, clock)[0]
        except Fault as fault:
            fault.output = fault.output or _output(agent)
            raise


def begin(agent: Agent, seed: int) -> None:
    """Announce a game to an agent, with the seed of its chance. Raises Fault."""
    with output_to_stderr():
        try:
            _guarded(new_game, agent, seed)
        except Fault as fault:
            fault.output = fault.output or _output(agent)
            raise


def _decided(
    agent: Agent, board: Board, conditions: Conditions, clock: Clock, left: tuple[float, float] | None = None
) -> tuple[MoveRecord, Board]:
    """Return the move's record and the board after it; `left` is the time on both clocks. Raises Fault."""
    limits, limit, allowed = conditions.limits, conditions.limits.seconds, "allowed are"
    if (control := conditions.clock) is not None:
        limits = control.limits(limits, board, left or (control.seconds, control.seconds))
        limit, allowed = limits.remaining, "its clock had"
    began = clock()
    copy = Board(board.rules, board.own, board.opp, board.ply, None, board.moves)
    answer = _guarded(lambda: agent.choose(copy, limits))
    try:
        decision, after = record_answer(answer, board, lambda: clock() - began)
    finally:
        if isinstance(agent, ProcessAgent):
            agent.pause()  # after its time was measured
    if limit is not None and decision.seconds > limit + conditions.margin:
        raise Fault(Termination.TIME, f"took {decision.seconds:.3f} s for a move, {allowed} {limit:g} s")
    return decision, after


def _stop_pondering(players: Iterable[Agent]) -> None:
    """End the agents' pondering after a game."""
    for player in players:
        if isinstance(player, ProcessAgent):
            player.stop_pondering()


def _output(agent: Agent) -> str:
    return escaped(agent.output) if isinstance(agent, ProcessAgent) else ""


def _guarded(call: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401  whatever the agent returns
    try:
        return call(*arguments)
    except (KeyboardInterrupt, Unavailable):
        raise
    except Failure as failure:
        kind = failure.kind if is_termination(failure.kind) else Termination.EXCEPTION
        detail = failure.detail if kind == failure.kind else str(failure)
        extra = as_json(failure.extra)[0] if failure.extra else ""
        raise Fault(kind, detail, traceback=failure.traceback, output=failure.output, extra=extra) from failure
    except BaseException as error:
        detail, traceback = described(error)
        raise Fault(Termination.EXCEPTION, detail, traceback=traceback) from error
