"""The server: its routes, and how it reports errors."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from agents.errors import InputError
from arena.page.page import with_files
from arena.plugins import offers
from arena.plugins.serve.game import Play
from arena.plugins.serve.guard import Guard, page
from arena.plugins.serve.own import Own
from arena.plugins.serve.runs import Runs


def application(
    place: Path | None, hosts: Callable[[str], bool], *, agents: Sequence[str] = (), sandbox: bool = False
) -> Starlette:
    """Return the web application for a folder of runs, or for one run's file. Raises InputError.

    place: the folder or file; by default the current folder and `results`.
    hosts: returns whether it answers to a value of Host.
    agents, sandbox: the user's own agents, as in `Own`.
    """
    own = Own(agents, sandbox=sandbox)
    runs, play = Runs(place, own.agents), Play(own)
    server = Starlette(
        routes=[
            Route("/", runs.start),
            Route("/run/{name:path}/game/{number}", runs.game),
            Route("/run/{name:path}/report", runs.report),
            Route("/run/{name:path}/events", runs.events),
            Route("/run/{name:path}", runs.run),
            Route("/play", play.page),
            *(Route(offer.row[0], offer.load()) for offer in offers("ROUTES")),
            Route("/api/move", play.move, methods=["POST"]),
            Route("/api/truth", play.truth, methods=["POST"]),
            Route("/api/explain", play.explain, methods=["POST"]),
            Mount("/static", StaticFiles(packages=[(folder, "static") for folder in with_files("static")])),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={InputError: _bad_input, HTTPException: _refused},
    )
    server.state.play = play
    return server


async def _bad_input(request: Request, error: Exception) -> Response:
    return _error_page(request, 400, str(error))


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error_page(request, error.status_code, error.detail)


def _error_page(request: Request, code: int, message: str) -> Response:
    """Return an error as JSON for a script, else as a page."""
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, status_code=code)
    return page("error.html", "Sorry", code=code, message=message)


# Connections: how many at once, and how long each may let the server wait.

AT_ONCE = 200
"""Connections at once; a browser opens about six."""
LAGGARD = 10.0
"""Seconds that a connection may take to send a request, or be idle."""


class Connection(H11Protocol):
    """A connection that closes if the client is idle or too slow, even if it sends a byte now and then."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the checks."""
        super().connection_made(transport)
        self.loop.call_later(LAGGARD, self.look, None)

    def look(self, before: RequestResponseCycle | None) -> None:
        """Close the connection if it has finished no request since the last check, else check again later."""
        if self.transport.is_closing():
            return
        if self.conn.their_state in {h11.IDLE, h11.SEND_BODY} and self.cycle is before:
            self.transport.close()
        else:
            self.loop.call_later(LAGGARD, self.look, self.cycle)


def server(application: ASGIApp) -> uvicorn.Server:
    """Return a uvicorn server for an application."""
    return uvicorn.Server(
        uvicorn.Config(
            application, http=Connection, ws="none", lifespan="off", log_level="error", limit_concurrency=AT_ONCE,
            timeout_graceful_shutdown=1, server_header=False,
        )
    )  # fmt: skip
