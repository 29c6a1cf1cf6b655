"""The page of a search tree on `arena serve`."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from agents.errors import InputError
from arena.plugins.tree.job import tree_page
from arena.plugins.tree.node import Bounds

LARGEST = 30_000
"""Nodes in a tree."""
PATIENCE = 2.0
"""Seconds to search for a tree."""
DEEPEST = 42


async def tree(request: Request) -> Response:
    """Return the page of a tree or, if the address names no agent, the form for one."""
    play = request.app.state.play
    board, agent = play.position(request.query_params), request.query_params.get("agent", "")
    depth = request.query_params.get("depth", "4")
    if not agent:
        form: Response = play.form("ask.html", "Search tree", board=board)
        return form
    spec, bounds = play.allowed(agent), Bounds(LARGEST, PATIENCE)
    if not (depth.isascii() and depth.isdigit() and 1 <= int(depth[:4]) <= DEEPEST):
        raise InputError(f"depth must be a whole number from 1 to {DEEPEST}, not {depth[:20]!r}")
    await play.searches.prepare(request, spec, board.rules)

    def work() -> str:
        return tree_page(spec.text, board, int(depth), bounds, whole=False)

    return HTMLResponse(await play.searches.answer(request, work, bounds.stop))
