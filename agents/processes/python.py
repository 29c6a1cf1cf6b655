"""Agents in Python: JSON lines on separate pipes; each answer repeats the id of its question.

    {"id": 1, "do": "start", "rules": [7, 6, 4, false], "words": ["bot.py", "Bot"], "options": {}}     {"id": 1}
    {"id": 2, "do": "new_game", "seed": 7}                                                      {"id": 2}
    {"id": 3, "do": "choose", "own": 0, "opp": 0, "moves": [], "limits": [null, null, 1.0]}     {"id": 3, "column": 3}

`agents.processes.child` is the other end. A fault reads `{"id": 3, "kind": "exception", "detail": …, "traceback": …}`.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import astuple
from pathlib import Path
from typing import Any

from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Rules
from agents.failure import EXCEPTION, MEMORY, Failure, escaped, misread
from agents.process_agent import Source
from agents.processes.protocol import Protocol
from agents.specs.sources import PYTHON

ROOT = str(Path(__file__).parents[2])
_KIND = re.compile(rf"{EXCEPTION}|{MEMORY}|left \(exit code -?\d{{1,20}}\)")
"""The failures that a child may report; the referee detects the others."""
_BEGIN = "import sys; sys.path.append(sys.argv[1]); from agents.processes.child import main; main()"


class ReturnedRepr(str):
    """The repr of an object that an agent returned in place of a number."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Python(Protocol):
    """The referee's side of the protocol."""

    own_pipe = True

    _number = 0

    @staticmethod
    def command(source: Source) -> list[str]:
        """Return the command; unbuffered output is not lost when the process is killed."""
        interpreter = str(dict(source.options).get(PYTHON, sys.executable))
        return [interpreter, *["-B", "-P", "-u", "-X", "utf8", "-c"], _BEGIN, ROOT]

    def start(self, rules: Rules, deadline: float) -> None:
        """Import, make and prepare the agent."""
        words, options = list(self._source.words), {k: v for k, v in self._source.options if k != PYTHON}
        answer = self._ask(deadline, do="start", rules=astuple(rules), words=words, options=options)
        self.about = escaped(str(answer.get("about", "")))

    def new_game(self, seed: int, deadline: float) -> None:
        """Announce a game."""
        self._ask(deadline, do="new_game", seed=seed)

    def choose(self, board: Board, limits: Limits, deadline: float) -> Analysis:
        """Return the agent's answer; the referee judges whether it is a move."""
        bounds = [limits.depth, limits.nodes, limits.seconds]
        if limits.remaining is not None:
            bounds += [limits.remaining, limits.opponent_remaining, limits.increment]
        answer = self._ask(deadline, do="choose", own=board.own, opp=board.opp, moves=board.moves, limits=bounds)
        try:
            if len(answer) == 2:
                return Analysis(_value(answer["column"]))
            column, score, depth, nodes = (_value(answer[name]) for name in ("column", "score", "depth", "nodes"))
            iterations = (Iteration(*map(_value, words)) for words in answer["iterations"])
            pv = tuple(map(_value, answer["pv"]))
            return Analysis(column, score, depth, nodes, pv, tuple(iterations), answer.get("extra"))
        except (KeyError, TypeError):
            raise misread(json.dumps(answer)) from None

    def _ask(self, deadline: float, **question: Any) -> dict[str, Any]:  # noqa: ANN401  plain values
        self._number += 1
        line = self._process.ask(json.dumps({"id": self._number} | question), deadline)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        answer = self._mask.value(answer)
        if not isinstance(answer, dict) or answer.get("id") != self._number:
            raise misread(line)
        if "kind" not in answer:
            return answer
        kind, detail, trace = (str(answer.get(name, "")) for name in ("kind", "detail", "traceback"))
        if not _KIND.fullmatch(kind):  # an agent that forges a message must not choose how its game ends
            raise misread(line)
        raise Failure(kind, detail, traceback=trace)


def _value(value: Any) -> Any:  # noqa: ANN401  what JSON has
    """Return a value as `agents.processes.child` sent it."""
    return ReturnedRepr(value["shown"]) if isinstance(value, dict) else value
