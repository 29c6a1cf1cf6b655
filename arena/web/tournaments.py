"""Tournaments that a page starts, each in a separate process, and the files that users type or drop into a page."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from agents.errors import InputError
from agents.specs.notation import every, values
from agents.specs.parts import HEURISTICS, complete
from agents.specs.registry import LEVELS
from arena.api import own
from arena.web.game import asked_of
from arena.web.guard import page
from arena.web.own import Own
from arena.web.runs import Runs

LARGEST_FILE = own.LARGEST * 2
"""Bytes of a request that contains a file; as JSON it is larger than the file."""
LONGEST = 300
"""Characters in an agent's spec."""
MOST = 50
"""Agents in a tournament, and heuristics in a comparison."""
MOST_ROUNDS = 1000
DEEPEST = 12
PATIENCE = 10.0
"""Seconds for a tournament to stop before the server kills it."""


class TournamentProcess:
    """A tournament in a separate process."""

    def __init__(self, words: dict[str, Any]) -> None:
        """Start it, and wait until its file exists. Raises InputError if it cannot begin."""
        command = [sys.executable, "-P", "-m", "arena.web.job"]  # -P: import no module from the current folder
        self.process = subprocess.Popen(  # noqa: S603  a command of ours
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdin is not None
        self.process.stdin.write(f"{json.dumps(words)}\n")
        self.process.stdin.flush()
        self.said = ""
        self.file: Path | None = None
        self._take()
        if self.file is None:
            self._read()
            raise InputError(self.said or "the tournament ended before its first game")
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether it still plays."""
        return self.process.poll() is None

    def stop(self) -> None:
        """Stop it as Ctrl-C does, and kill it if it does not end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _take(self) -> bool:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = json.loads(line) if line else {}
        self.file = Path(found["file"]) if "file" in found else self.file
        self.said = found.get("error", found.get("said", self.said))
        return bool(line)

    def _read(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self.process.stdin, self.process.stdout:
            while self._take():
                pass
            self.process.wait()


class Tournaments:
    """The page that starts tournaments, and its requests; one tournament is played at a time."""

    def __init__(self, runs: Runs, own: Own) -> None:
        self.runs = runs
        self.own = own
        self.job: TournamentProcess | None = None
        self.turn = asyncio.Lock()

    def status(self, path: Path) -> dict[str, Any]:
        """Return whether this server plays the run in that file, and the last message about it."""
        job = self.job
        if job is None or job.file is None or job.file.resolve() != path.resolve():
            return {"ours": False, "said": ""}
        return {"ours": job.running, "said": job.said}

    async def page(self, request: Request) -> HTMLResponse:  # noqa: ARG002  every page takes one
        """Return the page."""
        found = await asyncio.to_thread(self.own.defined)
        return page(
            "new.html", "A new tournament", modules=("new.js",), levels=LEVELS, own=found,
            heuristics=complete(HEURISTICS), folder=str(self.own.folder.resolve()), sandbox=self.own.sandbox,
        )  # fmt: skip

    async def file(self, request: Request) -> JSONResponse:
        """Store a file that a user typed or dropped, check it, and return its agents and heuristics."""
        asked = await asked_of(request, LARGEST_FILE)
        name, text, replace = str(asked.get("name", "")), str(asked.get("text", "")), asked.get("replace") is True
        try:
            path = await asyncio.to_thread(own.store, self.own.folder, name, text, replace=replace)
        except own.ExistsError as error:
            return JSONResponse({"exists": f"{error}; it stays unless you replace it"})
        self.own.stored.add(path)
        self.own.forget()
        checked = await asyncio.to_thread(own.check, path, sandbox=self.own.sandbox)
        found = own.defined(path)
        rows = [{key: getattr(row, key) for key in ("agent", "ok", "problems", "positions")} for row in checked]
        return JSONResponse({"file": str(path), "checked": rows} | asdict(found))

    async def begin(self, request: Request) -> JSONResponse:
        """Begin a tournament, or a comparison of heuristics, and return the address of its page."""
        asked = await asked_of(request)
        rounds = asked.get("rounds")
        if not (isinstance(rounds, int) and 1 <= rounds <= MOST_ROUNDS):
            raise InputError(f"rounds is a whole number from 1 to {MOST_ROUNDS:,}")
        if self.runs.only is not None:
            raise InputError("this server shows one run; arena serve FOLDER can start others")
        words = self._compared(asked) if "heuristics" in asked else self._met(asked)
        name = time.strftime("run-%Y%m%d-%H%M%S.sqlite")
        folder = None if self.runs.place is None else str(self.runs.folder)
        command = shlex.join([*words.pop("typed"), "--rounds", str(rounds)])
        return await self._start(words | {"rounds": rounds, "name": name, "folder": folder, "command": command})

    async def resume(self, request: Request) -> JSONResponse:
        """Continue a stored run."""
        asked = await asked_of(request)
        run = await asyncio.to_thread(self.runs.named, str(asked.get("run", "")))
        return await self._start({"resume": run.file})

    async def stop(self, request: Request) -> JSONResponse:
        """Stop the tournament that this server plays."""
        await asked_of(request)
        async with self.turn:
            if self.job is not None and self.job.running:
                await asyncio.to_thread(self.job.stop)
        return JSONResponse({})

    async def _start(self, words: dict[str, Any]) -> JSONResponse:
        async with self.turn:
            if self.job is not None and self.job.running:
                raise InputError("a tournament is being played here; stop it first, or wait")
            self.job = await asyncio.to_thread(TournamentProcess, words | {"sandbox": self.own.sandbox})
        assert self.job.file is not None
        return JSONResponse({"run": f"/run/{self.runs.name(self.job.file)}"})

    def _met(self, asked: dict[str, Any]) -> dict[str, Any]:
        agents = self.own.expanded(_texts(asked, "agents"))
        if not 2 <= len(agents) <= MOST:
            raise InputError(f"a tournament has 2 to {MOST} agents here, not {len(agents)}")
        return {"agents": agents, "own": any(".py" in each for each in agents), "typed": ["arena", "run", *agents]}

    def _compared(self, asked: dict[str, Any]) -> dict[str, Any]:
        heuristics, depth = every(_texts(asked, "heuristics")), str(asked.get("depth", "4..6"))[:20]
        known = {*self.own.defined().heuristics, *complete(HEURISTICS)}
        for each in heuristics:
            if each not in known:
                raise InputError(f"{each[:60]!r} is not a heuristic of this page")
        depths = values(depth)
        if not all(each.isdecimal() and 1 <= int(each) <= DEEPEST for each in depths):
            raise InputError(f"depth is a range within 1 to {DEEPEST}, such as 4..6, not {depth!r}")
        typed = ["arena", "compare", *heuristics, "--depth", depth.replace("|", ",")]
        return {"heuristics": heuristics, "depth": list(map(int, depths)), "times": "alone", "typed": typed}


def _texts(asked: dict[str, Any], key: str) -> list[str]:
    found = asked.get(key)
    if not (isinstance(found, list) and all(isinstance(each, str) and len(each) <= LONGEST for each in found)):
        raise InputError(f"{key} must be a list of texts")
    if len(found) > MOST:
        raise InputError(f"{key} are at most {MOST} here, not {len(found)}")
    return found
