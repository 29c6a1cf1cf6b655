"""A stranger's process: it loads one agent, and answers the referee's questions until its input ends.

`agents.remote.python` is the other end. The agent may close, move or write to any descriptor but these two; what it
breaks is its own.
"""

from __future__ import annotations

import itertools
import json
import math
import operator
import os
import sys
from typing import Any

from agents.agent import Analysis, Iteration, Limits, new_game, prepare
from agents.board import Board, Rules
from agents.remote.failure import EXCEPTION, ILLEGAL, MEMORY, described
from agents.remote.load import load
from agents.rules import WORD_BITS
from agents.score import coerce_score

MOST_MOVES = 64
MOST_ITERATIONS = 256


class Refused(Exception):  # noqa: N818  as Failure
    """An answer that is none."""


def main() -> None:
    """Answer questions; the last two words of the command are the descriptors of the pipe."""
    asked, answer = map(int, sys.argv[-2:])
    os.set_inheritable(asked, False)
    os.set_inheritable(answer, False)
    servant = Servant()
    for question in _lines(asked):
        line = json.dumps({"id": question["id"]} | servant.answer(question)).encode() + b"\n"
        try:
            while line:
                line = line[os.write(answer, line) :]
        except OSError:
            break
    os._exit(0)  # threads that it left do not keep it


def _lines(descriptor: int) -> Any:  # noqa: ANN401  questions, read in one call each as a rule
    buffer = b""
    while True:
        try:
            data = os.read(descriptor, 1 << 16)
        except OSError:  # the agent has closed it
            return
        if not data:
            return
        buffer += data
        while (end := buffer.find(b"\n")) >= 0:
            yield json.loads(buffer[:end])
            buffer = buffer[end + 1 :]


class Servant:
    """The agent and what it is asked."""

    agent: Any = None
    rules: Rules

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return what the agent says, or how it failed."""
        try:
            return dict(getattr(self, question["do"])(question))
        except Refused as error:
            return {"kind": ILLEGAL, "detail": str(error)}
        except MemoryError as error:
            return _failed(MEMORY, error)
        except SystemExit as error:
            code = 0 if error.code is None else error.code if isinstance(error.code, int) else 1
            return _failed(f"left (exit code {code})", error)
        except BaseException as error:  # noqa: BLE001  the referee shall know
            return _failed(EXCEPTION, error)

    def start(self, question: dict[str, Any]) -> dict[str, Any]:
        """Load the agent and let it prepare for the board."""
        self.rules = Rules(*question["rules"])
        self.agent = _agent(question["words"], question["options"])
        prepare(self.agent, self.rules, ":".join(question["words"]))
        return {}

    def new_game(self, question: dict[str, Any]) -> dict[str, Any]:
        """Tell the agent that a game begins."""
        new_game(self.agent, question["seed"])
        return {}

    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        """Ask the agent for a move."""
        moves = tuple(question["moves"])
        board = Board(self.rules, question["own"], question["opp"], len(moves), None, moves)
        return plain(self.agent.choose(board, Limits(*question["limits"])))


def _agent(words: list[str], options: dict[str, Any]) -> Any:  # noqa: ANN401  an agent
    if len(words) > 1:
        return load(words, options)
    from agents.specs.registry import parse

    return parse(words[0]).build()


def plain(answer: Any) -> dict[str, Any]:  # noqa: ANN401  an agent may return anything
    """Return an answer as plain values: a column as it is, for the referee to judge, and the rest of an Analysis."""
    if type(answer) is int:
        return {"column": answer}
    if not isinstance(answer, Analysis):
        return {"column": _column(answer)}
    pv = tuple(itertools.islice(answer.pv, MOST_MOVES + 1))
    iterations = tuple(itertools.islice(answer.iterations, MOST_ITERATIONS + 1))
    return {
        "column": _column(answer.column),
        "score": _score(answer.score),
        "depth": _number(answer.depth),
        "nodes": _number(answer.nodes),
        "pv": [operator.index(column) for column in pv],
        "iterations": [_iteration(each) for each in iterations],
    }


def _column(value: Any) -> Any:  # noqa: ANN401  likewise
    if value is None or isinstance(value, bool | float | str):
        return value[:200] if isinstance(value, str) else value
    try:
        number = operator.index(value)
        if number.bit_length() < WORD_BITS:
            return number
        shown = f"a number of {number.bit_length()} bits"
    except Exception:  # noqa: BLE001  whatever the object does when it is asked for a number
        shown = _shown(value)
    raise Refused(f"answered {shown}, which is no column")


def _number(value: Any) -> int:  # noqa: ANN401  likewise
    """Return a whole number, one that is too long to be written as one that the referee does not believe either."""
    return max(-(1 << WORD_BITS), min(operator.index(value), 1 << WORD_BITS))


def _score(value: Any) -> int | str | None:  # noqa: ANN401  likewise
    """Return a score that is a whole number, or how another one is written, for the referee to remark on."""
    return value if value is None else _shown(value) if coerce_score(value) is None else coerce_score(value)


def _shown(value: Any) -> str:  # noqa: ANN401  likewise
    try:
        return f"{value!r:.200}"
    except Exception:  # noqa: BLE001  a repr that raises
        return f"an object of type {type(value).__name__}"


def _iteration(value: Iteration) -> tuple[int, int, float, int | None, int]:
    seconds = float(value.seconds)
    if not math.isfinite(seconds):
        raise ValueError("the seconds of an iteration are not finite")
    depth, nodes = _number(value.depth), _number(value.nodes)
    return depth, nodes, seconds, coerce_score(value.score), operator.index(value.column)


def _failed(kind: str, error: BaseException) -> dict[str, Any]:
    detail, trace = described(error)
    return {"kind": kind, "detail": detail, "traceback": trace}
