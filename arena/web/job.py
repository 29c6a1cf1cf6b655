"""The process that plays a tournament which a page began, so that the server answers meanwhile.

The first line of stdin is what to play, as JSON. The end of stdin, and so the end of the server, stops it as Ctrl-C
does. On stdout come a line with the file once the run has begun, or with the error, and one at the end.
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
    """Play what stdin asks for."""
    answers = os.dup(1)
    os.dup2(2, 1)  # what agents print is no answer
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
    """Begin or resume the run that was asked for. Raises InputError."""
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
    """Wait for the end of stdin, and then stop."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGINT)


if __name__ == "__main__":
    main()
