"""The page to play on, and its requests: a move, the exact scores, an explanation."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from agents.board import STANDARD, Board, Rules
from agents.errors import InputError
from agents.score import in_words
from agents.specs.kinds import LEVELS
from agents.specs.parameters import Parameter
from arena.page.page import as_json
from arena.plugins import offers
from arena.plugins.serve.guard import page
from arena.plugins.serve.own import ASKED, HIDDEN, LARGEST, Own, allowed
from arena.plugins.serve.searching import Searches

# The form fields of agents' parameters.


def forms() -> list[dict[str, Any]]:
    """Return every level and every kind of agent with the fields of its form."""
    levels = [_form(name, spec, "", {}) | {"level": True, "tree": _has_tree(spec)} for name, spec in LEVELS.items()]
    return levels + [_form(name, kind.summary, kind.source, kind.parameters) for name, kind in ASKED.items()]


def _form(name: str, summary: str, source: str, parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    shown = {key.replace("_", "-"): parameter for key, parameter in parameters.items() if key not in HIDDEN}
    fields = [_field(key, parameter) for key, parameter in shown.items()]
    return {
        "name": name,
        "summary": summary,
        "source": source,
        "fields": fields,
        "level": False,
        "tree": _has_tree(name),
    }


def _has_tree(spec: str) -> bool:
    """Return whether a page about searches, such as that of trees, has this built-in agent."""
    return any(spec.partition(":")[0] in offer.row[4].split() for offer in offers("ROUTES"))


def _field(key: str, parameter: Parameter) -> dict[str, Any]:
    """Return a form field: a choice if the parameter takes one of a few words, else a text."""
    default, choices = parameter.default, parameter.choices
    if isinstance(default, bool):
        default, choices = "on" if default else "off", ("on", "off")
    meaning = f"{parameter.meaning}; at most {LARGEST[key]:,}" if key in LARGEST else parameter.meaning
    return {"key": key, "default": default, "meaning": meaning, "choices": choices}


LARGEST_QUESTION = 4096
"""Bytes in the body of a request."""
WIDEST = 9
"""Columns at most, so that each has a number key."""
BOARDS = ("7x6x4", "7x6x4:most-fours", "4x4x3", "5x4x4", "5x5x4", "6x5x4", "6x6x4", "7x5x4", "8x6x4", "8x7x4", "9x6x4",
          "9x6x5")  # fmt: skip
"""The boards that the page offers; an address may name others."""


def position_of(asked: Mapping[str, Any]) -> Board:
    """Return the position of a request, on its board. Raises InputError."""
    rules = Rules.parse(str(asked.get("board") or STANDARD)[:20])
    if rules.columns > WIDEST:
        raise InputError(f"a board has at most {WIDEST} columns here")
    return Board.from_moves(str(asked.get("moves", ""))[:200], rules)


class Play:
    """The page to play on, and the requests that search."""

    def __init__(self, own: Own) -> None:
        self.searches = Searches()
        self.own = own

    async def page(self, request: Request) -> HTMLResponse:
        """Return the page; its address may contain a position and the players."""
        position_of(request.query_params)
        agents = as_json([*self._own_forms(), *forms()])
        return page("play.html", "Play", modules=("play.js",), boards=BOARDS, agents=agents)

    async def move(self, request: Request) -> JSONResponse:
        """Return an agent's move with the results of its search."""
        asked = await asked_of(request)
        board = _going(asked)
        agent, seed = str(asked.get("agent", "")), _seed(asked, board)
        if agent in self.own.agents:
            async with self.own.turn:
                seat = await asyncio.to_thread(self.own.seat, agent)
                await self.searches.answer(request, lambda: seat.ready(board, seed), lambda: None)
                record = await self.searches.decide(request, seat, board)
        else:
            record = await self.searches.move(request, allowed(agent), board, seed)
        return JSONResponse(
            {
                "column": record.column + 1,
                "score": in_words(record.score),
                "depth": record.depth,
                "nodes": record.nodes,
                "seconds": record.seconds,
                "pv": [column + 1 for column in record.pv],
            }
        )

    position = staticmethod(position_of)
    allowed = staticmethod(allowed)

    def form(self, template: str, title: str, **values: Any) -> HTMLResponse:  # noqa: ANN401  of any template
        """Return a page that asks for a search, with the agents that have a tree and the boards to choose from."""
        kinds = [form for form in forms() if form["tree"] and not form["level"]]
        return page(template, title, kinds=kinds, boards=BOARDS, **values)

    def _own_forms(self) -> list[dict[str, Any]]:
        summary = f"your own agent, in a separate process{' in a sandbox' if self.own.sandbox else ''}"
        return [_form(name, summary, "", {}) | {"own": True, "tree": False} for name in self.own.agents]

    async def truth(self, request: Request) -> JSONResponse:
        """Return each column's exact score for the side to move, as `arena solve` prints it; null if it is full."""
        board = _going(await asked_of(request))
        scores = await self.searches.truth(request, board)
        if scores is None:
            raise InputError("this position cannot be solved within a few seconds")
        return JSONResponse({"columns": scores, "score": max(score for score in scores if score is not None)})

    async def explain(self, request: Request) -> JSONResponse:
        """Return the lines that explain why the last move lost value; none if it kept the value.

        The question may have the `score` and the `depth` that the agent reported of the move.
        """
        asked = await asked_of(request)
        board, belief = position_of(asked), (_whole(asked.get("score")), _whole(asked.get("depth")))

        def work() -> list[str]:
            lines = [line for offer in offers("REASONS") for line in offer.load(1)(board, belief)]
            return [*lines, "X is the first player, O the second."] if lines else []

        return JSONResponse({"lines": await self.searches.answer(request, work, lambda: None) if board.ply else []})


async def asked_of(request: Request) -> dict[str, Any]:
    """Return the JSON object in a request's body. Raises InputError."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_QUESTION:
            raise InputError(f"the request is longer than {LARGEST_QUESTION:,} bytes")
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        raise InputError("the request is not JSON") from None
    if not isinstance(asked, dict):
        raise InputError("the request is not a JSON object")
    return asked


def _going(asked: Mapping[str, Any]) -> Board:
    """Return the position of a request. Raises InputError if the game is over."""
    board = position_of(asked)
    if board.outcome is not None:
        raise InputError(f"the game is already over ({board.outcome})")
    return board


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _seed(asked: dict[str, Any], board: Board) -> int:
    """Return the seed of one move: the game's seed plus the ply."""
    seed = asked.get("seed", 0)
    return (seed if isinstance(seed, int) and 0 <= seed < 2**32 else 0) + board.ply
