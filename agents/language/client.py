"""A client of servers that speak OpenAI's chat completions: one question, one reply, and failures that are no replies.

A key comes from an environment variable. It leaves this file in the header of a request only: texts that a server sends
back, its errors included, have it replaced before they are cut.
"""

from __future__ import annotations

import json
import os
import random
import re
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from agents.errors import InputError, Unavailable, missing
from agents.failure import escaped
from agents.masking import Mask

if TYPE_CHECKING:
    import httpx

DEFAULT_URL = "http://127.0.0.1:8080/v1"
LARGEST = 8 << 20
"""Bytes of an answer that are read."""
COMPLETION_TOKENS = "max_completion_tokens"
LONGEST_PAUSE = 30.0
"""Seconds between two requests at most, unless the server asks for more."""
_SPOKEN = ("text", "output_text")
"""Types of the parts of a message that are its answer; others are thoughts."""
Message = dict[str, str]
"""`role` and `content`."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and what the server tells of it; None where it does not."""

    text: str
    finish: str | None = None
    """Why the reply ended, such as `stop` or `length`."""
    refusal: bool = False
    """Whether the server marks it as a refusal, or has filtered it."""
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    errors: int = 0
    """Requests that failed before this one."""


class _Again(Exception):  # noqa: N818  no error of the user's
    """A request failed in a way that may pass, after so many seconds if the server says so."""

    def __init__(self, text: str, after: float = 0.0) -> None:
        super().__init__(text)
        self.after = after


class Client:
    """Asks one model at one address. Raises InputError where httpx, or the variable of the key, is missing."""

    def __init__(
        self, model: str, url: str, *, key_env: str = "", timeout: float = 120.0, patience: float = 60.0,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:  # fmt: skip
        try:
            import httpx
        except ImportError:
            raise missing("httpx, which asks language models,", "llm") from None
        self.model, self.url, self.timeout, self.patience, self._sleep = model, url, timeout, patience, sleep
        self._key = os.environ.get(key_env, "").strip()
        if key_env and not (self._key and self._key.isascii() and self._key.isprintable()):
            wrong = f"{key_env} holds characters that no key has" if self._key else f"there is no {key_env}"
            raise InputError(f"llm:{model}: {wrong} in the environment: export {key_env}=KEY")
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self._key}"} if key_env else {})}
        self._mask = Mask([self._key], mark="[key]")
        self._address = self._mask.text(url)
        here = urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")  # where no proxy leads
        limits = httpx.Timeout(timeout, connect=min(10.0, timeout))
        self._renamed = False
        """Whether the server wants `max_completion_tokens` in place of `max_tokens`."""
        self._http = httpx.Client(headers=headers, timeout=limits, trust_env=not here)
        weakref.finalize(self, self._http.close)

    def reach(self) -> None:
        """Raise Unavailable unless something answers at the address, whatever it says."""
        import httpx

        try:
            self._http.get(f"{self.url}/models")
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            where = f"nothing answers at {self._address} ({self._plain(str(error))})"
            raise Unavailable(f"llm:{self.model}: {where}: start a server there, or write llm:MODEL@URL") from None
        except httpx.HTTPError:
            return  # it is slow, or knows no such page

    def ask(self, messages: Sequence[Message], **options: object) -> Reply:
        """Return the model's reply; failures that may pass are tried again while the patience lasts.

        Raises Unavailable then, and at once where the address refuses the request.
        """
        until, errors = time.monotonic() + self.patience, 0
        while True:
            try:
                answer, body = self._post(self._request(messages, options))
                if self._renames(answer.status_code, body, options):
                    answer, body = self._post(self._request(messages, options))
                return replace(self._read(answer, body), errors=errors)
            except _Again as error:
                errors += 1
                pause = min(LONGEST_PAUSE, 2.0 ** (errors - 2)) * random.uniform(0.75, 1.25)  # noqa: S311  no secret
                pause = max(pause, error.after)
                if time.monotonic() + pause > until:
                    often = f" {errors} times" if errors > 1 else ""
                    raise Unavailable(f"llm:{self.model}: {self._address} failed{often}: {error}") from None
                self._sleep(pause)

    def _request(self, messages: Sequence[Message], options: dict[str, object]) -> bytes:
        names = {"max_tokens": COMPLETION_TOKENS} if self._renamed else {}
        named = {names.get(name, name): value for name, value in options.items()}
        return json.dumps({"model": self.model, "messages": list(messages), **named}).encode()

    def _renames(self, status: int, body: bytes, options: dict[str, object]) -> bool:
        """Return whether the server refuses `max_tokens` and names the newer word, which all later requests have."""
        asks = status in (400, 422) and "max_tokens" in options and COMPLETION_TOKENS.encode() in body
        changes, self._renamed = asks and not self._renamed, self._renamed or asks
        return changes

    def _post(self, body: bytes) -> tuple[httpx.Response, bytes]:
        """Return the answer to one request, and what it holds. Raises _Again where it does not come, whole, in time."""
        import httpx

        until, received = time.monotonic() + self.timeout, bytearray()
        try:
            with self._http.stream("POST", f"{self.url}/chat/completions", content=body) as answer:
                for piece in answer.iter_bytes():
                    received += piece
                    if len(received) > LARGEST:
                        raise _Again(f"it answers with more than {LARGEST >> 20} MB")
                    if time.monotonic() > until:
                        raise _Again(f"no whole answer in {self.timeout:g} s")
        except httpx.TimeoutException:
            raise _Again(f"no answer in {self.timeout:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _Again(self._plain(f"{type(error).__name__}: {error}")) from None
        return answer, bytes(received)

    def _read(self, answer: httpx.Response, body: bytes) -> Reply:
        """Return the reply in an answer. Raises _Again for errors that may pass, and Unavailable for others."""
        try:
            document = json.loads(body)
            error = document.get("error")
        except (ValueError, AttributeError, RecursionError):
            document, error = None, None
        if answer.status_code == 200 and document is not None and not error:
            return self._reply(document)
        if isinstance(error, dict):
            if error.get("code") == "content_filter":
                return Reply(self._plain(str(error.get("message", ""))), "content_filter", refusal=True)
            error = error.get("message")
        text = self._plain(str(error) if error else body.decode("utf-8", "replace")) or "no words"
        text = f"HTTP {answer.status_code}: {text}"
        if answer.status_code in (200, 408, 409, 425, 429) or answer.status_code >= 500:
            after = answer.headers.get("retry-after", "")
            raise _Again(text, min(float(after), 3600.0) if after.isdecimal() else 0.0)
        raise Unavailable(f"llm:{self.model}: {self._address} refuses: {text}")

    def _reply(self, document: dict[str, Any]) -> Reply:
        try:
            choice = document["choices"][0]
            message, finish = choice["message"], choice.get("finish_reason")
            text, refusal = message.get("content") or "", message.get("refusal")
            if isinstance(text, list):  # parts, as some servers have them
                text = "".join(part.get("text") or "" for part in text if part.get("type", "text") in _SPOKEN)
            used = document.get("usage") or {}
            details = used.get("completion_tokens_details") or {}
            return Reply(
                self._mask.text(str(text or refusal or "")),
                self._plain(str(finish))[:40] if finish else None,
                bool(refusal) or finish == "content_filter",
                self._plain(str(document["model"]))[:100] if document.get("model") else None,
                _count(used.get("prompt_tokens")),
                _count(used.get("completion_tokens")),
                _count(details.get("reasoning_tokens")),
            )
        except (KeyError, IndexError, TypeError, AttributeError):
            raise _Again("its answer has no message") from None

    def _plain(self, text: str) -> str:
        """Return foreign text as a part of one line, without the key."""
        return escaped(" ".join(self._mask.text(text)[:2000].split()))[:200]


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value < 1 << 40 else None


def address(text: str) -> tuple[str, str]:
    """Return model and URL of `MODEL[@URL]`. Raises InputError."""
    name, at, url = text.partition("@http")
    if not name.strip() or not name.isprintable():
        raise InputError("an agent of a language model reads llm:MODEL[@URL][;key=value]")
    if not at:
        if re.search("@[^/]*:", name):  # such as @localhost:8080; @cf/meta/llama and qwen3:8b are names
            raise InputError(
                f"llm:{name:.80}: an address begins with http:// or https://, as in llm:MODEL@{DEFAULT_URL}"
            )
        return name, DEFAULT_URL
    try:
        parts = urlsplit(f"http{url}")
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:  # such as http://[::1 or a port that is no number
        wrong = True
    if wrong:
        raise InputError(f"{f'http{url}':.80} is no URL such as {DEFAULT_URL}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(
            "the URL is stored with every run, so no key may stand in it: export it and write key_env=NAME"
        )
    return name, parts.geturl().rstrip("/").removesuffix("/chat/completions")
