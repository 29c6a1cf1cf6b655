"""The process of a tournament that a page started, so that the server can answer meanwhile.

The first line of stdin is the tournament, as JSON. When stdin ends, as it does with the server, the process stops as
after Ctrl-C. It writes JSON lines to stdout: the file once the run has begun, or the error; and at the end a message.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError
from arena.api import tournaments

if TYPE_CHECKING:
    from arena.play.run import Run


def main() -> None:
    """Play the tournament on stdin."""
    answers = os.dup(1)
    os.dup2(2, 1)  # so that agents cannot print into the answers
    with open(0, "rb", buffering=0, closefd=False) as asked:
        words = json.loads(asked.readline())
    threading.Thread(target=_watch, daemon=True).start()

    def say(**line: str) -> None:
        with suppress(OSError):  # the server has ended
            os.write(answers, f"{json.dumps(line)}\n".encode())

    try:
        run = begun(words)
        say(file=str(run.store.path))
        tournaments.play(run, None, times=words.get("times", "games"), warn=lambda line: say(said=line))
        say(said="")
    except InputError as error:
        say(error=str(error))
    except KeyboardInterrupt:
        say(said="stopped; what was played is kept")


def begun(words: dict[str, Any]) -> Run:
    """Begin or resume the run that the words describe. Raises InputError."""
    sandbox = bool(words["sandbox"])
    if "resume" in words:
        return tournaments.resumed(words["resume"], walled=sandbox, warn=lambda _: None)
    out = None if words["folder"] is None else Path(words["folder"]) / words["name"]
    if "heuristics" in words:
        settings = {key: words[key] for key in ("depth", "rounds")}
        isolation = {"everyone": True, "sandbox": True} if sandbox else None
        return tournaments.begin_comparison(
            words["heuristics"], **settings, out=out, isolation=isolation, workers=None, command=words["command"]
        )
    isolation = {"sandbox": sandbox, "everyone": sandbox and words["own"]}
    return tournaments.begin(
        words["agents"], {"rounds": words["rounds"]}, out=out, isolation=isolation, workers=None,
        command=words["command"], warn=lambda _: None,
    )  # fmt: skip


def _watch() -> None:
    """Wait for the end of stdin, then stop this process."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
