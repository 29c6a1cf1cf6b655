"""What an agent added to a move or to its reply, in lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agents.failure import escaped

SHORT, LONGEST = 24, 300
"""Characters of a text that shares its line, and of one that is shown at all."""


def _one_line(value: object) -> str:
    """Return a JSON value in one line, foreign text with its control characters escaped."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = escaped(" ".join(text.split()))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def said(extra: Mapping[str, Any]) -> list[str]:
    """Return what an agent added to a move, in lines: all that is short in the first, each longer text in its own."""
    names = {"drawn": "random move"} if "tries" in extra else {}  # of a language model
    texts = {names.get(name, name): _one_line(value) for name, value in extra.items() if value is not None}
    short = [f"{name} {text}" for name, text in texts.items() if len(text) <= SHORT and name != "reply"]
    long = [f"{name}: {text}" for name, text in texts.items() if len(text) > SHORT or name == "reply"]
    return [*([", ".join(short)] if short else []), *long]
