"""The server's side of connections: how many there may be, and how long each may keep it waiting."""

from __future__ import annotations

import asyncio

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

AT_ONCE = 200
"""Connections; a browser opens some six."""
LAGGARD = 10.0
"""Seconds that a connection may take to send a whole question, or sleep."""


class Connection(H11Protocol):
    """A connection that is closed when its other end keeps the server waiting, a byte now and then notwithstanding."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch it."""
        super().connection_made(transport)
        self.loop.call_later(LAGGARD, self.look, None)

    def look(self, before: RequestResponseCycle | None) -> None:
        """Close it if what it is sending is the same as at the last look, else look again."""
        if self.transport.is_closing():
            return
        if self.conn.their_state is not h11.DONE and self.cycle is before:
            self.transport.close()
        else:
            self.loop.call_later(LAGGARD, self.look, self.cycle)


def server(application: ASGIApp) -> uvicorn.Server:
    """Return what serves an application."""
    return uvicorn.Server(
        uvicorn.Config(
            application, http=Connection, ws="none", lifespan="off", log_level="error", limit_concurrency=AT_ONCE,
            timeout_graceful_shutdown=1, server_header=False,
        )
    )  # fmt: skip
