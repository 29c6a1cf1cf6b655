"""The process of a remote agent in Python: it loads the agent and answers the referee's questions until its input ends.

`agents.remote.python` is the other end. The agent may close or overwrite any descriptor, and then harms itself alone.
"""

from __future__ import annotations

import itertools
import json
import math
import operator
import os
import sys
from typing import Any

from agents.agent import MOST_ITERATIONS, MOST_MOVES, Analysis, Iteration, Limits, new_game, prepare
from agents.board import Board, Rules
from agents.remote.failure import EXCEPTION, ILLEGAL, MEMORY, described, shown
from agents.remote.load import load
from agents.rules import WORD_BITS
from agents.score import coerce_score


class Refused(Exception):  # noqa: N818  as Failure
    """An answer that is no column."""


def main() -> None:
    """Answer questions; the last two words of the command are the descriptors of the pipe."""
    questions, answers = map(int, sys.argv[-2:])
    os.set_inheritable(questions, False)
    os.set_inheritable(answers, False)
    child = Child()
    for question in _lines(questions):
        line = json.dumps({"id": question["id"]} | child.answer(question)).encode() + b"\n"
        try:
            while line:
                line = line[os.write(answers, line) :]
        except OSError:
            break
    os._exit(0)  # the agent's threads must not keep the process alive


def _lines(descriptor: int) -> Any:  # noqa: ANN401  questions
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


class Child:
    """The agent, with a method for each question."""

    agent: Any = None
    rules: Rules

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the agent's answer, or how it failed."""
        try:
            return dict(getattr(self, question["do"])(question))
        except Refused as error:
            return {"kind": ILLEGAL, "detail": str(error)}
        except MemoryError as error:
            return _failed(MEMORY, error)
        except SystemExit as error:
            code = 0 if error.code is None else error.code if isinstance(error.code, int) else 1
            return _failed(f"left (exit code {code})", error)
        except BaseException as error:  # noqa: BLE001  the referee reports it
            return _failed(EXCEPTION, error)

    def start(self, question: dict[str, Any]) -> dict[str, Any]:
        """Load the agent and prepare it for the board."""
        self.rules = Rules(*question["rules"])
        self.agent = _agent(question["words"], question["options"])
        prepare(self.agent, self.rules, ":".join(question["words"]))
        return {}

    def new_game(self, question: dict[str, Any]) -> dict[str, Any]:
        """Announce a game to the agent."""
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
    """Return an answer as values that JSON has, within bounds; the referee judges them."""
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
        text = f"a number of {number.bit_length()} bits"
    except Exception:  # noqa: BLE001  whatever the object does when it is asked for a number
        text = shown(value)
    raise Refused(f"answered {text}, which is no column")


def _number(value: Any) -> int:  # noqa: ANN401  likewise
    """Return a whole number; one of more than 64 bits becomes another that the referee does not believe."""
    return max(-(1 << WORD_BITS), min(operator.index(value), 1 << WORD_BITS))


def _score(value: Any) -> int | str | None:  # noqa: ANN401  likewise
    """Return a score that is a whole number, or the text of another, which the referee remarks on."""
    number = coerce_score(value)
    return shown(value) if number is None and value is not None else number


def _iteration(value: Iteration) -> tuple[int, int, float, int | None, int]:
    seconds = float(value.seconds)
    if not math.isfinite(seconds):
        raise ValueError("the seconds of an iteration are not finite")
    depth, nodes = _number(value.depth), _number(value.nodes)
    return depth, nodes, seconds, coerce_score(value.score), operator.index(value.column)


def _failed(kind: str, error: BaseException) -> dict[str, Any]:
    detail, trace = described(error)
    return {"kind": kind, "detail": detail, "traceback": trace}
