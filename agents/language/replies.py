"""What counts as a move in a reply: a line that in full is an answer, and nothing that has to be guessed.

The last line that is not empty has to be such a line, and no other may name another column. It is a column alone,
`move: 4`, a short sentence such as "Your column is 4.", or a JSON object with `move` or `column`. Marks of emphasis
and fences of code around it are ignored. Numbers in any other text count for nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from agents.board import Board
from agents.language.client import Reply


class Status(StrEnum):
    """What a reply is."""

    OK = "ok"
    ILLEGAL = "illegal"
    UNPARSABLE = "unparsable"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class JudgedReply:
    """A reply's status, and its move where it has a legal one."""

    status: Status
    column: int | None = None
    """0-based."""
    why: str = ""
    """What is wrong, for the model to read; empty for a legal move."""


_LABEL = r"(?P<label>[A-Za-z]|-?[0-9]{1,9})"
_NOUN = r"(?:column|stack|move|answer|choice|reply)"
_ANSWER = re.compile(
    rf"""(?: (?:(?:the|my|your|best|next|final|chosen)\s+)* {_NOUN} \s*(?:[:=]|\s|is|will\s+be|would\s+be)\s*
        | (?:so\s+)?i(?:\s+will|\s+would|['’]ll)?\s+(?:play|choose|pick|drop|move|select|go)
          (?:\s+(?:in|into|to|with))?\s+
        )? (?:(?:in|into)\s+)?(?:(?:the\s+)?(?:column|stack)\s+)? {_LABEL}""",
    re.IGNORECASE | re.VERBOSE,
)  # fmt: skip
_REFUSAL = re.compile(
    r"\W*(?:sorry|as an AI|I(?:['’]m| am) (?:sorry|unable|not able)|I (?:can(?:['’]t|not)|won['’]t|must decline))\b",
    re.IGNORECASE,
)
_DECORATION = " \t*_`#>\"'“”().,!"
_KEYS = ("move", "column")


def judge(reply: Reply, labels: Mapping[str, int], board: Board) -> JudgedReply:
    """Return what a reply is; labels: the columns by what the prompt calls them, in lower case."""
    text = reply.text.strip()
    cut = reply.finish == "length"
    found = answers(text)
    if reply.refusal or (found is None and not cut and _REFUSAL.match(text)):
        return JudgedReply(Status.REFUSED, why="You did not answer. This is a board game, and it is your turn.")
    if cut and (found is None or not reply.text.endswith("\n")):  # "move: 1" may have begun "move: 12"
        why = "Your reply was cut off before its end. Reply with nothing but your move."
        return JudgedReply(Status.TRUNCATED, why=why)
    if not text:
        return JudgedReply(Status.EMPTY, why="Your reply was empty.")
    if found is None:
        return JudgedReply(Status.UNPARSABLE, why="Your reply does not end with a move.")
    if len(found) > 1:
        several = " and ".join(sorted(found))
        return JudgedReply(Status.UNPARSABLE, why=f"Your reply names several columns: {several}.")
    [label] = found
    column = labels.get(label)
    if column is None:
        return JudgedReply(Status.ILLEGAL, why=f"There is no column {label}.")
    if column not in board.legal_moves():
        return JudgedReply(Status.ILLEGAL, why=f"Column {label} is full.")
    return JudgedReply(Status.OK, column)


def answers(text: str) -> set[str] | None:
    """Return the columns that answers in a reply name, in lower case; None where its last line is no answer."""
    whole = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("```")]
    if (one := _of_json("\n".join(whole))) is not None:
        return {one}
    found = [_of_line(line) for line in whole]
    return {each for each in found if each is not None} if found and found[-1] is not None else None


def _of_line(line: str) -> str | None:
    if len(line) > 200:  # no short sentence, and a megabyte of blanks takes an expression long
        return None
    if (one := _of_json(line)) is not None:
        return one
    plain = re.sub(r"[*_`]", "", line).strip(_DECORATION)
    matched = _ANSWER.fullmatch(plain)
    return matched["label"].lower() if matched else None


def _of_json(text: str) -> str | None:
    """Return the column of a JSON object that names one, once."""
    if not (text.lstrip().startswith("{") and len(text) < 10_000):
        return None
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    named: list[Any] = [value for key, value in pairs if str(key).lower() in _KEYS]
    if len(named) != 1 or isinstance(named[0], bool) or not isinstance(named[0], int | str):
        return None
    matched = re.fullmatch(_LABEL, str(named[0]).strip())
    return matched["label"].lower() if matched else None
