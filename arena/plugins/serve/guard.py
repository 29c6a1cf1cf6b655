"""The security of the server: the check of each request, the headers of each response, and the pages.

A page of another site can make a browser send requests to this server. The header Host then names that site if its name
points here (DNS rebinding), and so does Origin if it posts. The server refuses both, and embedding.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.page.page import render_template

EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104  compared with, not bound to
POLICY = "Content-Security-Policy"
HEADERS = {
    POLICY: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Passes requests from this server's own pages, and those without an origin."""

    def __init__(self, app: ASGIApp, hosts: Callable[[str], bool]) -> None:
        """Guard an application; `hosts` returns whether a value of Host is this server's."""
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it to the application."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        fault = self.fault(scope["method"], Headers(scope=scope))
        answer = self.app if fault is None else refusal(fault, scope["method"])
        await answer(scope, receive, guarded)

    def fault(self, method: str, headers: Headers) -> str | None:
        """Return the reason to refuse a request, or None."""
        host = headers.get("host", "")
        if not self.hosts(host):
            return "this server answers only to its own address"
        if method in {"GET", "HEAD"}:
            from_elsewhere = headers.get("sec-fetch-site") in {"cross-site", "same-site"}
            followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
            return "other sites may only link to this one" if from_elsewhere and not followed else None
        if headers.get("origin") != f"http://{host}":
            return "only pages of this server may send this request"
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return "a request must be JSON"
        return None


def page(
    template: str, title: str, *, code: int = 200, modules: tuple[str, ...] = (), **values: object
) -> HTMLResponse:
    """Return a page of this server. code: the HTTP status. modules, values: as `render_template` takes them."""
    text = render_template(template, whole=False, modules=modules, title=title, **values)
    return HTMLResponse(text, status_code=code)


def refusal(fault: str, method: str) -> Response:
    """Return the response to a refused request."""
    if method in {"GET", "HEAD"}:
        return PlainTextResponse(fault, status_code=403)
    return JSONResponse({"error": fault}, status_code=403)


def hosts(host: str, port: int) -> Callable[[str], bool]:
    """Return a function that says whether a value of Host is this server's: a loopback name, or the host.

    A server bound to every address accepts any numeric address; a name could be another site's.
    """
    names = {"127.0.0.1", "localhost", "[::1]", f"[{host}]" if ":" in host else host}
    addresses = {f"{name}:{port}" for name in names} | (names if port == 80 else set())

    def is_own(value: str) -> bool:
        return value in addresses or (
            host in EVERYWHERE and _is_number(value if port == 80 else value.removesuffix(f":{port}"))
        )

    return is_own


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name[1:-1] if name.startswith("[") else name)
    except ValueError:
        return False
    return True
