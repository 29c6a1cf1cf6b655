"""The server: which address leads where, and how errors are told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from agents.errors import InputError
from arena.report.html import render
from arena.web.game import Play
from arena.web.guard import Guard
from arena.web.runs import Runs

STATIC = Path(__file__).parent / "static"


def application(place: Path, hosts: Callable[[str], bool]) -> Starlette:
    """Return the server of a folder of runs, or of one run's file, that answers to these values of Host."""
    runs, play = Runs(place), Play()
    return Starlette(
        routes=[
            Route("/", runs.start),
            Route("/run/{name:path}/game/{number:int}", runs.game),
            Route("/run/{name:path}/report", runs.report),
            Route("/run/{name:path}/events", runs.events),
            Route("/run/{name:path}", runs.run),
            Route("/play", play.page),
            Route("/tree", play.tree),
            Route("/api/move", play.move, methods=["POST"]),
            Route("/api/truth", play.truth, methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={InputError: _bad_input, HTTPException: _refused},
    )


async def _bad_input(request: Request, error: Exception) -> Response:
    return _told(request, 400, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _told(request, error.status_code, error.detail)


def _told(request: Request, code: int, message: str) -> Response:
    """Return an error for a person, or for a page that asked."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, status_code=code)
    return HTMLResponse(render("error.html", whole=False, title="Sorry", message=message), status_code=code)
