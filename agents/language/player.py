"""`llm:MODEL[@URL][;key=value...]`: a language model; each reply is judged and kept as it is."""

from __future__ import annotations

import hashlib
import json
import os
import random
import time
from pathlib import Path
from typing import Annotated, Any, Literal

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import ILLEGAL, Failure
from agents.language.client import Client, Reply, address
from agents.language.prompts import Rendering, in_file, render, text_of
from agents.language.replies import JudgedReply, Status, judge, spoken
from agents.specs.parameters import Range, Text

KEPT, KEPT_BEFORE = 5_000, 300
"""Characters of the last reply to a move that are stored, and of each one before it; of rare signs half as many."""


def _model(text: str) -> str:
    address(text)
    return text


def _system(text: str) -> str:
    """Return the text, or what is in the file that it names."""
    return in_file(Path(text)) if os.path.isfile(text) else text  # noqa: PTH113  Path's raises where a text is long


def _variable(text: str) -> str:
    if not text.isidentifier() or not text.isascii():
        raise InputError("must name a variable of the environment that holds the key, not the key itself")
    return text


class LanguageModel:
    """Asks a model for each move. The model may correct a reply that is no legal move; after that it loses the game.

    Or, with `illegal="random"`, a random move is played and marked. Nothing else ever stands in for a reply.
    """

    keeps_replies = True
    """Whether `extra` holds the replies, and a move may be `drawn` in their place."""

    def __init__(
        self,
        *,
        model: Annotated[str, Text(_model), "MODEL[@URL]; the address is http://127.0.0.1:8080/v1 unless one is given"],
        prompt: Annotated[str, Text(text_of), "moves, grid, coordinates, or a file with a Jinja template"] = "moves",
        legal: Annotated[bool, "list the columns that are not full in the prompt"] = False,
        history: Annotated[
            int, Range(0, 64), "of its prompts and replies of the game, the last ones it sees again"
        ] = 0,
        temperature: Annotated[
            float | None, Range(0.0, 10.0), "sent if given; 0 makes no server repeat itself for sure"
        ] = None,
        max_tokens: Annotated[int, Range(0, 10**6), "tokens of a reply at most; 0: whatever the server allows"] = 1024,
        system: Annotated[str, Text(_system), "a system prompt, or a file with one"] = "",
        retries: Annotated[int, Range(0, 10), "times that the model may correct its reply to a move"] = 2,
        illegal: Annotated[
            Literal["forfeit", "random"], "what follows then: it loses, or a marked random move is played"
        ] = "forfeit",
        key_env: Annotated[str, Text(_variable), "the variable of the environment that holds the key"] = "",
        timeout: Annotated[float, Range(0.1, 86_400.0), "seconds for one reply"] = 120.0,
        patience: Annotated[float, Range(0.0, 86_400.0), "seconds in which failed requests are tried again"] = 60.0,
    ) -> None:
        name, url = address(model)
        self.client = Client(name, url, key_env=key_env, timeout=timeout, patience=patience)
        self._prompt, self._legal, self._system = prompt, legal, system
        self._history, self._retries, self._random = history, retries, illegal == "random"
        self._options: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
        self._options |= {"max_tokens": max_tokens} if max_tokens else {}
        self._past: list[tuple[str, str]] = []
        """Prompts and replies of this game."""
        self._seed = 0

    def prepare(self, rules: Rules) -> None:
        """Refuse rules that the prompts do not describe, and an address where nothing answers."""
        rules.refuse_most_fours("a language model's prompt")
        self.client.reach()

    def new_game(self, seed: int) -> None:
        """Forget the last game; the seed decides the random moves."""
        self._seed, self._past = seed, []

    def choose(self, board: Board, limits: Limits) -> Analysis:  # noqa: ARG002  a server knows no such limits
        """Return the model's move, with all that is to be stored of the replies. Raises Failure and Unavailable."""
        rendering = Rendering.of(board.rules, self._prompt)
        labels = {label.lower(): column for column, label in enumerate(rendering.labels)}
        prompt = render(self._prompt, rendering.variables(board, legal=self._legal))
        talk = [{"role": "system", "content": self._system}] if self._system else []
        for asked, answered in self._past[max(0, len(self._past) - self._history) :]:
            talk += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered or "…"}]
        talk.append({"role": "user", "content": prompt})
        digest = hashlib.sha256(json.dumps(talk).encode()).hexdigest()[:16]
        replies: list[tuple[Reply, JudgedReply]] = []
        began = time.perf_counter()
        while len(replies) <= self._retries:
            reply = self.client.ask(talk, **self._options)
            verdict = judge(reply, labels, board)
            replies.append((reply, verdict))
            if verdict.status == Status.OK:
                break
            columns = ", ".join(rendering.labels)
            wrong = f"{verdict.why} The columns are {columns}. End your reply with one line: move: COLUMN"
            talk.append({"role": "assistant", "content": spoken(reply.text)[:KEPT] or "…"})
            talk.append({"role": "user", "content": wrong})
        self._past.append((prompt, spoken(reply.text)[:KEPT]))
        extra = self._record(replies, digest, time.perf_counter() - began)
        if verdict.column is not None:
            return Analysis(verdict.column, extra=extra)
        if self._random:
            dice = random.Random(f"{self._seed} {board.key}")  # noqa: S311  a game, not a secret
            return Analysis(dice.choice(board.legal_moves()), extra=extra | {"drawn": True})
        kind = ILLEGAL if verdict.status == Status.ILLEGAL else f"{verdict.status} reply"
        raise Failure(
            kind, f"replied {spoken(reply.text).strip()[:80]!r} at try {len(replies)}: {verdict.why}", extra=extra
        )

    def _record(self, replies: list[tuple[Reply, JudgedReply]], digest: str, seconds: float) -> dict[str, object]:
        """Return what is stored with the move; numbers are sums over its replies, None where the server tells none."""

        def total(name: str) -> int | None:
            values = [getattr(reply, name) for reply, _ in replies]
            return None if any(value is None for value in values) else sum(values)

        last, verdict = replies[-1]
        before = [
            {"status": str(judged.status), "reply": _kept(reply.text, KEPT_BEFORE)} for reply, judged in replies[:-1]
        ]
        cut = {"characters": len(last.text)} if len(last.text) > KEPT else {}
        return {
            "status": str(verdict.status), "tries": len(replies), "reply": _kept(last.text, KEPT), **cut,
            "prompt": digest, "tokens_in": total("tokens_in"), "tokens_out": total("tokens_out"),
            "tokens_reasoning": total("tokens_reasoning"), "seconds": round(seconds, 3), "finish": last.finish,
            "model": last.model, "errors": total("errors"), **({"before": before} if before else {}),
        }  # fmt: skip


def _kept(text: str, most: int) -> str:
    """Return the beginning of a text, so that the JSON of all replies to a move is not too long to be stored."""
    return text[:most] if len(json.dumps(text[:most])) <= 6 * most else text[: most // 2]
