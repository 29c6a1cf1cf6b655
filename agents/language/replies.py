"""What counts as a move in a reply: a line that in full is an answer, and nothing that has to be guessed.

The last line that is not empty has to be such a line, and no other may name another column. It is a column alone,
`move: 4`, a short sentence such as "Your column is 4.", or a JSON object with `move` or `column`, in one
line or several. Marks of emphasis and fences of code around it are ignored, and so are thoughts, `<think>…</think>` and
the like. Numbers in any other text count for nothing.
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
_THOUGHT = re.compile(
    r"<\s*(?P<end>/?)\s*(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection)\b[^<>\n]{0,80}>"
    r"|\[(?P<end2>/?)THINK\]",
    re.IGNORECASE,
)
"""Tags around what a model thinks before it answers."""
_FENCE = re.compile(r"^\s*(?:```|~~~)\w*|(?:```|~~~)\s*$")
_LONGEST_JSON = 10_000
_MOST_TRIES = 1000
"""Lines at which a JSON document may begin; more are no answer of a few words."""


def judge(reply: Reply, labels: Mapping[str, int], board: Board) -> JudgedReply:
    """Return what a reply is; labels: the columns by what the prompt calls them, in lower case."""
    text = spoken(reply.text).strip()
    cut = reply.finish == "length"
    columns = answers(text)
    if reply.refusal or (columns is None and not cut and _REFUSAL.match(text)):
        return JudgedReply(Status.REFUSED, why="You did not answer. This is a board game, and it is your turn.")
    if cut and (columns is None or not reply.text.endswith("\n")):  # "move: 1" may have begun "move: 12"
        why = "Your reply was cut off before its end. Reply with nothing but your move."
        return JudgedReply(Status.TRUNCATED, why=why)
    if not text:
        return JudgedReply(Status.EMPTY, why="Your reply was empty.")
    if columns is None:
        return JudgedReply(Status.UNPARSABLE, why="Your reply does not end with a move.")
    if len(columns) > 1:
        several = " and ".join(sorted(columns))
        return JudgedReply(Status.UNPARSABLE, why=f"Your reply names several columns: {several}.")
    [label] = columns
    column = labels.get(label)
    if column is None:
        return JudgedReply(Status.ILLEGAL, why=f"There is no column {label}.")
    if column not in board.legal_moves():
        return JudgedReply(Status.ILLEGAL, why=f"Column {label} is full.")
    return JudgedReply(Status.OK, column)


def spoken(text: str) -> str:
    """Return a reply without its thoughts; without their opening tag, as servers send them, they begin the text."""
    pieces: list[str] = []
    depth = begin = 0
    for tag in _THOUGHT.finditer(text):
        if tag["end"] or tag["end2"]:
            if depth <= 1:
                begin = tag.end()
            if depth == 0:
                pieces = []
            depth = max(0, depth - 1)
        else:
            if depth == 0:
                pieces.append(text[begin : tag.start()])
            depth += 1
    pieces += [] if depth else [text[begin:]]
    return "\n".join(filter(str.strip, pieces))


def answers(text: str) -> set[str] | None:
    """Return the columns that answers in a reply name, in lower case; None where its last line is no answer."""
    text = "\n".join(_FENCE.sub("", line) for line in text.splitlines())
    columns: set[str] = set()
    named: set[str] | None = None
    at = tries = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        if not line.strip():
            at = end + 1
            continue
        document = None
        if line.lstrip()[:1] in ("{", "[") and tries < _MOST_TRIES:
            tries += 1
            document = _of_json(text[at : at + _LONGEST_JSON])
        if document is not None:
            named, length = document
            end = at + length
        else:
            named = _of_line(line)
        columns |= named or set()
        at = end + 1
    return columns if named else None


def _of_line(line: str) -> set[str] | None:
    if len(line) > 200:  # no short sentence, and a megabyte of blanks takes an expression long
        return None
    plain = re.sub(r"[*_`]", "", line).strip(_DECORATION)
    matched = _ANSWER.fullmatch(plain)
    return {matched["label"].lower()} if matched else None


def _of_json(text: str) -> tuple[set[str] | None, int] | None:
    """Return the columns that a JSON object, or an array of objects, at the beginning names, and the end of its line.

    None where there is no such document, or where other words follow in its last line.
    """
    blank = len(text) - len(text.lstrip())
    try:
        document, end = _DECODER.raw_decode(text, blank)
    except (ValueError, RecursionError):
        return None
    rest = text[end:].partition("\n")[0]
    if rest.strip(_DECORATION):
        return None
    objects = [document] if isinstance(document, _Pairs) else document
    columns = [_of_object(item) for item in objects if isinstance(item, _Pairs)]
    wrong = not columns or None in columns or len(columns) < len(objects)
    return None if wrong else {column for column in columns if column is not None}, end + len(rest)


class _Pairs(list[tuple[str, Any]]):
    """The keys and values of a JSON object, where a key may occur twice."""


def _of_object(pairs: _Pairs) -> str | None:
    """Return the column of a JSON object that names one, once."""
    named = [value for key, value in pairs if key.lower() in _KEYS]
    if len(named) != 1 or isinstance(named[0], bool) or not isinstance(named[0], int | str):
        return None
    matched = re.fullmatch(_LABEL, str(named[0]).strip())
    return matched["label"].lower() if matched else None


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs)
