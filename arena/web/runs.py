"""The stored runs of a folder: the start page, a run's page, which lives while the run is played, and its games."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse

from arena.analysis.replay import Replay, replay
from arena.report.html import as_json, render
from arena.report.labels import Labels
from arena.store.folder import StoredRun, stored
from arena.store.store import Store
from arena.web.guard import HEADERS, POLICY
from arena.web.live import events, state, tables
from arena.web.texts import Texts

PATIENCE = 0.5
"""Seconds that a page waits for what is made of a run's file; then it comes without, and looks again."""


class Runs:
    """Pages of the runs in a folder, or of one file."""

    def __init__(self, place: Path) -> None:
        self.folder = place if place.is_dir() else place.parent
        self.only = None if place.is_dir() else place
        self.tables, self.reports = Texts(tables), Texts(_report)

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
        rows = [{"name": self.name(run), "labels": Labels.among(run.agents), **dataclasses.asdict(run)} for run in runs]
        return HTMLResponse(render("start.html", whole=False, title="Stored runs", runs=rows, folder=str(self.folder)))

    async def run(self, request: Request) -> HTMLResponse:
        """Return a run's page."""
        run = await asyncio.to_thread(self.find, request)
        data = await asyncio.to_thread(state, Path(run.file))
        made = await self.tables.of(Path(run.file), PATIENCE)
        return HTMLResponse(
            render("run.html", whole=False, modules=("board.js", "tables.js", "run.js"), title=Path(run.file).name,
                   run=run, name=self.name(run), state=data, tables=made, data=as_json(data))
        )  # fmt: skip

    async def report(self, request: Request) -> HTMLResponse:
        """Return the report of a run; its figures carry their styles with them, so that the policy lets those pass."""
        run = await asyncio.to_thread(self.find, request)
        text = await self.reports.of(Path(run.file), PATIENCE)
        if text is None:
            page = render("wait.html", whole=False, title=Path(run.file).name, name=self.name(run))
            return HTMLResponse(page, headers={"Refresh": "2"})
        return HTMLResponse(text, headers={POLICY: HEADERS[POLICY].replace("style-src", "style-src 'unsafe-inline'")})

    async def events(self, request: Request) -> StreamingResponse:
        """Return the run's state whenever games were added, as server-sent events."""
        run = await asyncio.to_thread(self.find, request)
        stream = events(Path(run.file), self.tables, request.is_disconnected)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def game(self, request: Request) -> HTMLResponse:
        """Return the page of one stored game."""
        run = await asyncio.to_thread(self.find, request)
        found = await asyncio.to_thread(_replay, run, request.path_params["number"])
        labels = Labels.among(run.agents)
        title = f"Game {found.game.game} of {Path(run.file).name}"
        return HTMLResponse(
            render("game.html", whole=False, modules=("board.js", "game.js"), title=title, game=found.game,
                   steps=found.steps, label=labels.of, name=self.name(run), data=as_json(_document(found)))
        )  # fmt: skip


def _report(path: Path) -> str:
    from arena.report.page.build import page

    return page([path], path.name, whole=False)


def _replay(run: StoredRun, number: int) -> Replay:
    with Store.read(Path(run.file)) as store:
        return replay(store, number)


def _document(found: Replay) -> dict[str, Any]:
    """Return what the page of a game draws."""
    return {
        "rules": dataclasses.asdict(found.rules),
        "moves": [step.column - 1 for step in found.steps],
        "scores": [step.score for step in found.steps],
        "blunders": [step.ply for step in found.steps if step.is_blunder],
        "opening": found.opening,
    }
