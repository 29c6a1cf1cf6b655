"""The stored runs of a folder: the start page, and the pages of a run, of its report and of its games."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse

from agents.errors import InputError
from arena.page import page as report
from arena.page.page import as_json, blocks, render_template
from arena.plugins.serve.guard import HEADERS, POLICY, page
from arena.table.labels import Labels
from arena.tournament import runs

if TYPE_CHECKING:
    from arena.store.folder import StoredRun
    from arena.tournament.games import Replay, Step

# A cache of texts made from the files of runs. A text is made again when its file changes, one text at a time.
#
# The tables of many thousands of games take seconds. So a request waits only as long as its patience, and while a run
# is played its text is made again only so often that this takes a small part of the time.

KEPT = 8
"""The number of texts in a cache."""
REST = 4
"""Seconds to reuse a text, per second that it took to make, even if its file changes."""

Stamp = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A text made from a file."""

    text: str
    stamp: Stamp
    """The time of the file's last change when the text was made."""
    written: float
    """By the monotonic clock."""
    took: float
    """Seconds."""


class Texts:
    """A cache of one kind of text."""

    def __init__(self, make: Callable[[Path], str]) -> None:
        self.make = make
        self.kept: dict[Path, Text] = {}
        self.making: dict[Path, asyncio.Task[None]] = {}
        self.turn = asyncio.Lock()

    async def of(self, path: Path, patience: float | None = None) -> str | None:
        """Return the text of a file, or after `patience` seconds an older one or None. Raises InputError."""
        if not self.is_fresh(path) and not self._rests(path):
            if path not in self.making:
                self.making[path] = asyncio.create_task(self._make(path))
            task = self.making[path]
            if task in (await asyncio.wait({task}, timeout=patience))[0]:
                task.result()
        return self.kept[path].text if path in self.kept else None

    def is_fresh(self, path: Path) -> bool:
        """Return whether the cached text is up to date."""
        return path in self.kept and self.kept[path].stamp == _stamp(path)

    def _rests(self, path: Path) -> bool:
        kept = self.kept.get(path)
        return kept is not None and time.monotonic() - kept.written < REST * kept.took

    async def _make(self, path: Path) -> None:
        try:
            async with self.turn:
                stamp, began = _stamp(path), time.monotonic()
                text = await asyncio.to_thread(self.make, path)
                self.kept.pop(path, None)
                self.kept[path] = Text(text, stamp, time.monotonic(), time.monotonic() - began)
                while len(self.kept) > KEPT:
                    del self.kept[next(iter(self.kept))]
        finally:
            task = self.making.pop(path)
            task.add_done_callback(
                lambda task: task.cancelled() or task.exception()
            )  # no request may be waiting for it


def _stamp(path: Path) -> Stamp:
    """Return the times of the last changes to a run's file."""
    return tuple(file.stat().st_mtime_ns for file in (path, Path(f"{path}-wal")) if file.exists())


# The page of a run: counts, last games and games in progress come at once, tables as soon as they are made.

LAST = 15
"""Games on the page of a run."""
PAUSE = 1.0
"""Seconds between two updates of a run that is being played."""


def state(path: Path) -> dict[str, Any]:
    """Return the counts of a run, its last games and those in progress; fast for any number of games.

    `playing` is None if no game is in progress. Raises InputError.
    """
    document = runs.state(path, LAST)
    labels = Labels.among(document.pop("agents"))
    for name in ("games", "playing"):
        document[name] = document[name] and [_labelled(game, labels) for game in document[name]]
    return document


def _labelled(game: dict[str, Any], labels: Labels) -> dict[str, Any]:
    return game | {side: labels.of(game[side]) for side in ("first", "second")}


def tables(path: Path) -> str:
    """Return a run's tables as HTML. Raises InputError."""
    frames = runs.frames(path)
    shown = blocks(runs.tables(frames)) if frames.results.agents else ["No game is finished yet."]
    return render_template("tables.html", whole=False, blocks=shown)


async def events(path: Path, texts: Texts, gone: Callable[[], Awaitable[bool]]) -> AsyncIterator[str]:
    """Yield a server-sent event for each change and comments in between, until the run ends or the reader leaves.

    texts: the tables of runs; an event contains them if they have changed. gone: returns whether the reader has left.
    """
    sent: tuple[dict[str, Any], str | None] = {}, None
    yield "retry: 2000\n\n"
    while not await gone():
        try:
            document = await asyncio.to_thread(state, path)
            text = await texts.of(path, PAUSE)
            ended = document["done"] and texts.is_fresh(path)
        except InputError:  # the file is gone, or incomplete at this moment
            yield ": unreadable\n\n"
        else:
            sent, before = (document, text or sent[1]), sent
            if sent == before:
                yield ": waiting\n\n"
            else:
                new = {"tables": sent[1]} if sent[1] != before[1] else {}
                yield f"data: {json.dumps(document | new)}\n\n"
            if ended:
                yield "event: end\ndata: all\n\n"
                return
        await asyncio.sleep(PAUSE)


PATIENCE = 0.5
"""Seconds that a page waits for a text; after that the server sends it without, and it asks again."""


class Runs:
    """Pages of the runs in a folder, or of one file; by default those in the current folder and in `results`."""

    def __init__(self, place: Path | None = None, own: Sequence[str] = ()) -> None:
        self.place = place
        self.own = own
        """The user's own agents, to play against."""
        self.folder = Path() if place is None else place if place.is_dir() else place.parent
        self.only = None if place is None or place.is_dir() else place
        self.tables, self.reports = Texts(tables), Texts(_report)

    def stored(self) -> list[StoredRun]:
        """Return the runs to show, newest first."""
        stored = runs.stored(None if self.place is None else self.folder)[0]
        return [run for run in stored if self.only is None or Path(run.file) == self.only]

    def name(self, run: StoredRun) -> str:
        """Return a run's name in addresses: the path of its file within the folder."""
        return Path(run.file).relative_to(self.folder).as_posix()

    def find(self, request: Request) -> StoredRun:
        """Return the run that an address names, among the runs to show only. Raises HTTPException."""
        name = request.path_params["name"]
        for run in self.stored():
            if self.name(run) == name:
                return run
        raise HTTPException(404, f"there is no run {name!r}")

    async def start(self, request: Request) -> HTMLResponse:  # noqa: ARG002  every page takes one
        """Return the list of runs."""
        stored = await asyncio.to_thread(self.stored)
        rows = [{"name": self.name(run), "labels": Labels.among(run.agents), **asdict(run)} for run in stored]
        folder = str(self.folder.resolve())
        return page("start.html", "Connect4 Arena", runs=rows, folder=folder, own=self.own)

    async def run(self, request: Request) -> HTMLResponse:
        """Return the page of a run."""
        run = await asyncio.to_thread(self.find, request)
        data = await asyncio.to_thread(state, Path(run.file))
        text = await self.tables.of(Path(run.file), PATIENCE)
        return page(
            "run.html", Path(run.file).name, modules=("board.js", "tables.js", "run.js"), run=run,
            name=self.name(run), state=data, tables=text, data=as_json(data),
        )  # fmt: skip

    async def report(self, request: Request) -> HTMLResponse:
        """Return the report of a run; the policy allows inline styles here, for its figures."""
        run = await asyncio.to_thread(self.find, request)
        text = await self.reports.of(Path(run.file), PATIENCE)
        if text is None:
            waiting = page("wait.html", Path(run.file).name, name=self.name(run))
            waiting.headers["Refresh"] = "2"
            return waiting
        return HTMLResponse(text, headers={POLICY: HEADERS[POLICY].replace("style-src", "style-src 'unsafe-inline'")})

    async def events(self, request: Request) -> StreamingResponse:
        """Return the state of a run after each change, as server-sent events."""
        run = await asyncio.to_thread(self.find, request)
        stream = events(Path(run.file), self.tables, request.is_disconnected)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def game(self, request: Request) -> HTMLResponse:
        """Return the page of one stored game."""
        run = await asyncio.to_thread(self.find, request)
        replay = await asyncio.to_thread(runs.replay, Path(run.file), request.path_params["number"])
        labels = Labels.among(run.agents)
        title = f"Game {replay.game.game} of {Path(run.file).name}"
        return page(
            "game.html", title, modules=("board.js", "question.js", "game.js"), game=replay.game, steps=replay.steps,
            label=labels.of, name=self.name(run), data=as_json(_document(replay, labels.of)),
        )  # fmt: skip


def _report(path: Path) -> str:
    return report.page(path, path.name, whole=False)


def _document(replay: Replay, label: Callable[[str], str]) -> dict[str, Any]:
    """Return the data of a game's page. `said` has a line for each ply, and the last one for the end."""
    game = replay.game
    ended = f"{game.result}, {game.termination}."
    return {
        "rules": asdict(replay.rules),
        "game": game.game,
        "first": label(game.first),
        "second": label(game.second),
        "moves": [step.column - 1 for step in replay.steps],
        "scores": [step.score for step in replay.steps],
        "depths": [step.depth for step in replay.steps],
        "blunders": [step.ply for step in replay.steps if step.is_blunder],
        "opening": replay.opening,
        "said": [*(_said(step, label) for step in replay.steps), "\n".join([ended, *replay.said])],
    }


def _said(step: Step, label: Callable[[str], str]) -> str:
    """Return the agent and its move and, for a blunder, its cost and the moves that keep the value."""
    line = f"{label(step.agent) if step.agent else 'opening:'} plays column {step.column}."
    line = f"{line} Blunder: {step.lost}." if step.is_blunder else line
    return "\n".join([line, *step.said])
