"""Heuristics are tried before they play, in a process of their own, which a loop without an end cannot keep."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import astuple

from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import described, ended
from agents.specs.components import HEURISTICS
from agents.specs.registry import parse
from arena.games.plan import Plan
from arena.table.cells import after

TRIED = 40
"""Positions, with the first moves and nearly full boards among them."""
SECONDS = 5
"""That a heuristic has for a position."""
LOADING = 120
"""Seconds to import and to compile it."""
ALARM = hasattr(signal, "SIGALRM")
"""Whether this system can end a loop; Windows cannot."""


def refuse_failing(plan: Plan) -> None:
    """Raise InputError for a heuristic of a comparison that fails on a position, or gives no value in time.

    No game is spent on it then. A heuristic of our own is not tried.
    """
    assert plan.comparison is not None
    [names, *_] = plan.comparison["levels"].values()
    heuristics = {
        text: bool(parse(agent).parameters.get("compiled", True))
        for agent, text in names.items()
        if text.partition("(")[0] not in HEURISTICS
    }
    if not heuristics:
        return
    command = [sys.executable, "-P", "-m", "arena.comparison.trial"]  # no module of the current folder is ours
    asked = json.dumps({"heuristics": heuristics, "rules": astuple(plan.rules), "limits": (LOADING, SECONDS)})
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)  # noqa: S603  a command of ours
    last = json.loads((done.stdout.splitlines() or ["{}"])[-1])
    if "error" in last:
        raise InputError(last["error"])
    if done.returncode:
        where = f"heuristic {last.get('heuristic', next(iter(heuristics)))!r}"
        if not ALARM or done.returncode != -signal.SIGALRM:
            raise InputError(f"{where}: the process that tries it ended: {ended(done.returncode)}")
        if "position" not in last:
            raise InputError(f"{where} is not loaded within {LOADING} s: does its file run a loop without an end?")
        place = after(last["position"])
        raise InputError(f"{where} gives no value within {SECONDS} s {place}: has it a loop without an end?")


def main() -> None:
    """Try the heuristics that stdin names; say on stdout where it stands, for a parent that finds this killed."""
    asked, answers = json.load(sys.stdin), os.dup(1)
    os.dup2(2, 1)  # what heuristics print is no answer
    if ALARM:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends compiled loops, too

    def say(seconds: int, **line: str) -> None:
        os.write(answers, f"{json.dumps(line)}\n".encode())
        if ALARM:
            signal.alarm(seconds)

    try:
        loading, seconds = asked["limits"]
        _try(asked["heuristics"], Rules(*asked["rules"]), loading, seconds, say)
    except InputError as error:
        say(0, error=str(error))


def _try(heuristics: Mapping[str, bool], rules: Rules, loading: int, seconds: int, say: Callable[..., None]) -> None:
    """Ask each heuristic, compiled or not, for its value on every position. Raises InputError."""
    from agents.search.compiled import heuristic
    from arena.games.searches import sample

    for text, compiled in heuristics.items():
        say(loading, heuristic=text)
        evaluate = heuristic(text, rules, compiled=compiled).evaluate
        for board in sample(TRIED, 1, rules):
            say(seconds, heuristic=text, position=board.text)
            try:
                with redirect_stdout(io.StringIO()) as printed:
                    evaluate(board.own, board.opp)
            except Exception as error:
                where = f"heuristic {text!r} fails {after(board.text)}"
                raise InputError(f"{where}: {_failure(text, board, error)}") from error
            if printed.getvalue():
                raise InputError(f"heuristic {text!r} prints each time that it is called: remove its print")
    say(0)


def _failure(text: str, board: Board, error: Exception) -> str:
    """Return in a line why a heuristic fails on a position, as plain Python has it, which knows the line."""
    from agents.search.compiled import plain_heuristic

    function = plain_heuristic(text, board.rules)
    try:
        value = function(board.own, board.opp)
    except Exception as plain:  # noqa: BLE001  whatever it raises
        return described(plain)[0]
    if isinstance(value, int):
        return described(error)[0]
    return f"it must return a whole number, as int() makes one, and returns {value!r:.60}"


if __name__ == "__main__":
    main()
