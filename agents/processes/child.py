"""The process of an agent in Python: it loads the agent and answers the referee's questions until its input ends.

`agents.processes.python` is the other end. An agent that closes or overwrites a descriptor harms only itself.
"""

from __future__ import annotations

import itertools
import json
import operator
import os
import sys
from contextlib import suppress
from typing import Any

from agents.agent import MOST_EXTRA, MOST_ITERATIONS, MOST_MOVES, Analysis, Limits, new_game, prepare
from agents.board import Board, Rules
from agents.failure import EXCEPTION, MEMORY, described, safe_repr
from agents.specs.build import build

LONGEST_TEXT = 200
LONGEST_NUMBER = 1024
"""The letters of a text, and the bits of a number, that are sent unchanged."""


def main() -> None:
    """Answer questions; the last two words of the command are the descriptors to read from and to write to."""
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
        except OSError:  # the agent has closed the descriptor
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
        sys.argv = question["words"][:1]
        self.agent = build(question["words"], question["options"])
        prepare(self.agent, self.rules, ":".join(question["words"]))
        about = getattr(self.agent, "about", "")
        return {"about": about[:LONGEST_TEXT]} if isinstance(about, str) else {}

    def new_game(self, question: dict[str, Any]) -> dict[str, Any]:
        """Announce a game to the agent."""
        new_game(self.agent, question["seed"])
        return {}

    def choose(self, question: dict[str, Any]) -> dict[str, Any]:
        """Ask the agent for a move."""
        moves = tuple(question["moves"])
        board = Board(self.rules, question["own"], question["opp"], len(moves), None, moves)
        return plain(self.agent.choose(board, Limits(*question["limits"])))


def plain(answer: Any) -> dict[str, Any]:  # noqa: ANN401  an agent may return anything
    """Return an answer as JSON for the referee to judge; lists end one item past the referee's limit."""
    if not isinstance(answer, Analysis):
        return {"column": _value(answer)}
    words = "depth", "nodes", "seconds", "score", "column"
    extra = {}
    if answer.extra is not None:
        try:
            text = json.dumps(dict(answer.extra), allow_nan=False)
            extra = {"extra": json.loads(text) if len(text) <= MOST_EXTRA else f"{len(text):,} characters of JSON"}
        except Exception:  # noqa: BLE001  reading the values may raise anything
            extra = {"extra": safe_repr(answer.extra)}
    return extra | {
        "column": _value(answer.column),
        "score": _value(answer.score),
        "depth": _value(answer.depth),
        "nodes": _value(answer.nodes),
        "pv": [_value(column) for column in itertools.islice(answer.pv, MOST_MOVES + 1)],
        "iterations": [
            [_value(getattr(iteration, word)) for word in words]
            for iteration in itertools.islice(answer.iterations, MOST_ITERATIONS + 1)
        ],
    }


def _value(value: Any) -> Any:  # noqa: ANN401  likewise
    """Return a value for JSON: a number, a text, or `{"shown": text}` for any other object."""
    if value is None or (type(value) is int and value.bit_length() <= LONGEST_NUMBER):  # the usual case
        return value
    if isinstance(value, bool | float | str):
        return value[:LONGEST_TEXT] if isinstance(value, str) else value
    with suppress(Exception):  # the object's methods may raise anything
        most = 1 << LONGEST_NUMBER
        return max(-most, min(operator.index(value), most))  # the referee refuses this number as well
    with suppress(Exception):
        return float(value)
    return {"shown": safe_repr(value)}


def _failed(kind: str, error: BaseException) -> dict[str, Any]:
    detail, trace = described(error)
    return {"kind": kind, "detail": detail, "traceback": trace}
