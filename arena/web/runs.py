"""The stored runs of a folder: the start page, a run's page, which lives while the run is played, and its games."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse

from agents.errors import InputError
from arena.analysis.counts import counts
from arena.analysis.frames import Frames
from arena.analysis.replay import Replay, replay
from arena.report.column import write
from arena.report.html import as_json, render
from arena.report.run import parts
from arena.store.folder import StoredRun, stored
from arena.store.store import Store
from arena.web.guard import HEADERS, POLICY

LAST = 20
"""Games that a run's page lists."""
PAUSE = 1.0
"""Seconds between two looks at a run that is being played."""


class Runs:
    """Pages of the runs in a folder, or of one file."""

    def __init__(self, place: Path) -> None:
        self.folder = place if place.is_dir() else place.parent
        self.only = None if place.is_dir() else place

    def stored(self) -> list[StoredRun]:
        """Return the runs that are shown, newest first."""
        runs = stored(self.folder)[0] if self.folder.is_dir() else []
        return [run for run in runs if self.only is None or Path(run.file) == self.only]

    def name(self, run: StoredRun) -> str:
        """Return a run's name in addresses: its file, seen from the folder."""
        return Path(run.file).relative_to(self.folder).as_posix()

    def find(self, request: Request) -> StoredRun:
        """Return the run that an address names; only what is listed is ever opened. Raises HTTPException."""
        name = request.path_params["name"]
        for run in self.stored():
            if self.name(run) == name:
                return run
        raise HTTPException(404, f"there is no run {name!r}")

    async def start(self, request: Request) -> HTMLResponse:  # noqa: ARG002  every page takes one
        """Return the list of runs."""
        runs = await asyncio.to_thread(self.stored)
        rows = [{"name": self.name(run), **dataclasses.asdict(run)} for run in runs]
        return HTMLResponse(
            render("start.html", whole=False, title="Connect4 Arena", runs=rows, folder=str(self.folder))
        )

    async def run(self, request: Request) -> HTMLResponse:
        """Return a run's page."""
        run = await asyncio.to_thread(self.find, request)
        state = await asyncio.to_thread(_state, run)
        return HTMLResponse(
            render("run.html", whole=False, modules=("board.js", "run.js"), title=Path(run.file).name, run=run,
                   name=self.name(run), tables=Markup(state["tables"]), data=as_json(state))  # noqa: S704  escaped there
        )  # fmt: skip

    async def report(self, request: Request) -> HTMLResponse:
        """Return the report of a run; its figures carry their styles with them, so that the policy lets those pass."""
        from arena.report.page.build import page

        run = await asyncio.to_thread(self.find, request)
        text = await asyncio.to_thread(page, [Path(run.file)], Path(run.file).name, whole=False)
        return HTMLResponse(text, headers={POLICY: HEADERS[POLICY].replace("style-src", "style-src 'unsafe-inline'")})

    async def events(self, request: Request) -> StreamingResponse:
        """Return the run's state whenever games were added, as server-sent events."""
        run = await asyncio.to_thread(self.find, request)
        return StreamingResponse(_events(request, run), media_type="text/event-stream")

    async def game(self, request: Request) -> HTMLResponse:
        """Return the page of one stored game."""
        run = await asyncio.to_thread(self.find, request)
        found = await asyncio.to_thread(_replay, run, request.path_params["number"])
        title = f"Game {found.game.game} of {Path(run.file).name}"
        return HTMLResponse(
            render("game.html", whole=False, modules=("board.js", "game.js"), title=title, game=found.game,
                   steps=found.steps, name=self.name(run), data=as_json(_document(found)))
        )  # fmt: skip


def _replay(run: StoredRun, number: int) -> Replay:
    with Store.read(Path(run.file)) as store:
        return replay(store, number)


def _state(run: StoredRun) -> dict[str, Any]:
    """Return what a run's page shows, read at one moment."""
    frames = Frames.read(Path(run.file))
    with Store.read(Path(run.file)) as store:
        rules = store.rules()
    games = counts(frames)
    last = frames.games.nlargest(LAST, "game")
    return {
        "played": games.played,
        "planned": games.planned,
        "rules": {"columns": rules.columns, "rows": rules.rows, "connect": rules.connect},
        "tables": _tables(frames) if games.played else "<p>No game is finished yet.</p>",
        "games": [
            {key: row[key] for key in ("game", "first", "second", "moves", "result", "termination")}
            for row in last.to_dict(orient="records")
        ],
    }


def _tables(frames: Frames) -> str:
    """Return the run's tables as HTML; alignment by class, since no style stands inline."""
    text = write(parts(frames), "html")
    return text.replace(' style="text-align: right;"', ' class="number"')


async def _events(request: Request, run: StoredRun) -> AsyncIterator[str]:
    """Yield an event for each change, a comment now and then in between, and end with the run."""
    played = -1
    yield "retry: 2000\n\n"
    while not await request.is_disconnected():
        try:
            state = await asyncio.to_thread(_state, run)
        except InputError:  # it is gone, or not whole at this moment
            state = None
        if state is not None and state["played"] != played:
            played = state["played"]
            yield f"data: {json.dumps(state)}\n\n"
            if played >= state["planned"]:
                return
        else:
            yield ": waiting\n\n"
        await asyncio.sleep(PAUSE)


def _document(found: Replay) -> dict[str, Any]:
    """Return what the page of a game draws."""
    rules = found.rules
    return {
        "rules": {"columns": rules.columns, "rows": rules.rows, "connect": rules.connect},
        "moves": [step.column - 1 for step in found.steps],
        "scores": [step.score for step in found.steps],
        "blunders": [step.ply for step in found.steps if step.is_blunder],
        "opening": found.opening,
    }
