"""Secrets in foreign texts: each is replaced where bytes arrive, before a text is cut, quoted or escaped.

A text may hold a secret as it is, or as another program writes it: as a literal of Python or JSON, in a URL or HTML, or
in base64. It may also hold only a part, because whoever sent the text has cut it. A part at the beginning or the end
of a text is replaced if it has at least PART letters, and one elsewhere if it has INNER letters.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, AnyStr
from urllib.parse import quote, quote_plus

PART = 5
"""The letters of a secret that are replaced at an edge of a text; fewer tell nothing."""
INNER = 8
"""The letters of a secret that are replaced anywhere in a text."""
_ROUNDS = 3
"""Escapes inside one another: JSON of a traceback that quotes a repr."""


class Mask:
    """Replaces secrets in texts, and in bytes that arrive piece by piece."""

    def __init__(self, secrets: Iterable[str], mark: str = "***", shortest: int = PART) -> None:
        """Hide all secrets of at least `shortest` letters, and such lines of those that have several."""
        parts = {part for text in secrets for part in (text, text.strip(), *text.splitlines()) if len(part) >= shortest}
        self._mark = mark
        self._forms = sorted({form for part in parts for form in _forms(part)}, key=len, reverse=True)
        self._backwards = [form[::-1] for form in self._forms]
        self._bytes = [form.encode(errors="surrogateescape") for form in self._forms]
        self._whole = re.compile("|".join(map(_pattern, self._forms)) or r"(?!)")
        self._whole_bytes = re.compile(
            "|".join(map(_pattern, self._forms)).encode(errors="surrogateescape") or rb"(?!)"
        )
        keys = (form for part in parts if part[0] != "/" for form in _forms(part) if not _is_number(form))
        runs = {form[at : at + INNER] for form in keys for at in range(len(form) - INNER + 1)}
        self._runs = {run for run in runs if not run.isspace()}
        """What parts consist of; paths begin as others do, and numbers are counts."""
        self._words = re.compile("|".join(re.escape(form) for form in self._forms if not _is_number(form)) or r"(?!)")

    def words(self, text: str) -> str:
        """Return a whole line of a protocol without the secrets that are no numbers: a number may be a count of nodes.

        A message that quotes the line has to go through `text`.
        """
        return self._words.sub(lambda _: self._mark, text) if self._forms else text

    def text(self, text: str) -> str:
        """Return a text without the secrets and their parts, which may be shorter at its ends and before each "…"."""
        if not self._forms:
            return text
        if len(text) >= PART and any(text in form for form in self._forms):
            return self._mark
        pieces = [self._until_cut(piece) for piece in self._whole.sub(lambda _: self._mark, text).split("…")]
        text = self._without_parts("…".join(pieces))
        length = _overlap(text[::-1], self._backwards)
        return self._mark + text[length:] if length else text

    def _without_parts(self, text: str) -> str:
        pieces, at, shown = list[str](), 0, 0
        while at <= len(text) - INNER:
            if text[at : at + INNER] not in self._runs:
                at += 1
                continue
            pieces.append(text[shown:at])
            while text[at : at + INNER] in self._runs:
                at += 1
            at = shown = at + INNER - 1
        return self._mark.join([*pieces, text[shown:]])

    def _until_cut(self, text: str) -> str:
        length = _overlap(text, self._forms)
        return text[:-length] + self._mark if length else text

    def value(self, value: Any) -> Any:  # noqa: ANN401  what JSON has
        """Return a value of JSON with the secrets replaced in all its texts and keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key): self.value(item) for key, item in value.items()}
        return [self.value(item) for item in value] if isinstance(value, list) else value

    def feed(self, waiting: bytes, data: bytes) -> tuple[bytes, bytes]:
        """Return bytes without secrets, and the end of all that arrived, which may be the beginning of one.

        waiting, data: the end that the last call returned, and the bytes that arrived since.
        """
        if not self._forms:
            return data, b""
        whole = self._whole_bytes.sub(lambda _: self._mark.encode(), waiting + data)
        length = _overlap(whole, self._bytes, 1)
        return whole[: len(whole) - length], whole[len(whole) - length :]

    def end(self, waiting: bytes) -> bytes:
        """Return the end of all that arrived, without the beginning of a secret."""
        return self._mark.encode() if len(waiting) >= PART else waiting


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret as programs write it."""
    forms = {secret}
    for _ in range(_ROUNDS):
        forms |= {write(form) for form in forms for write in _ESCAPES}
    yield from forms
    for write in _URLS:
        yield write(secret)
    data = secret.encode(errors="surrogateescape")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for before in range(3):  # bytes before it shift the letters; those that neighbours change are left out
            letters = encode(bytes(before) + data).decode().rstrip("=")
            inner = letters[-(-8 * before // 6) : (before + len(data)) * 8 // 6]
            if len(inner) > PART:
                yield inner


_ESCAPES: tuple[Callable[[str], str], ...] = (
    lambda text: repr(text)[1:-1],
    lambda text: ascii(text)[1:-1],
    lambda text: text.replace("\\", "\\\\").replace("'", "\\'"),  # repr where both quotes stand in the text
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    lambda text: text.replace("/", "\\/"),  # JSON of PHP and others
)
_URLS: tuple[Callable[[str], str], ...] = (
    lambda text: quote(text, safe="", errors="surrogateescape"),
    lambda text: quote(text, errors="surrogateescape"),
    lambda text: quote_plus(text, errors="surrogateescape"),
    html.escape,
)


def _is_number(form: str) -> bool:
    return re.fullmatch("[0-9]+", form) is not None


def _pattern(form: str) -> str:
    """Return the expression for a form; a number is no part of a longer one, which may be a count or a position."""
    return rf"(?<![0-9]){form}(?![0-9])" if _is_number(form) else re.escape(form)


def _overlap(text: AnyStr, forms: Iterable[AnyStr], least: int = PART) -> int:
    """Return the length of the longest end of a text with which a form begins; 0 below `least`."""
    longest = 0
    for form in forms:
        for length in range(min(len(text), len(form) - 1), max(longest, least - 1), -1):
            if text.endswith(form[:length]):
                longest = length
                break
    return longest
