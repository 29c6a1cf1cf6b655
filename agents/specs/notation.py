"""The syntax of specs: settings between commas, choices by |, ranges by .., and names with arguments in parentheses.

Separators inside parentheses do not split the text around them. Choices inside parentheses expand to several calls:
`make(w4=20..22,w3=17)` is `make(w4=20,w3=17)`, `make(w4=21,w3=17)` and `make(w4=22,w3=17)`.
"""

from __future__ import annotations

import itertools
import math
import os
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agents.errors import InputError

MOST = 10_000
"""The most texts that one text may expand to."""
SIGNS = "=:,|;() '\""
"""What splits specs and commands, besides the `..` of ranges."""
MOST_SIGNS = 40
"""The most signs in one path, so that a hostile text is read in a moment."""
_HIDDEN = {**{sign: chr(0xE000 + place) for place, sign in enumerate(SIGNS)}, "..": chr(0xE000 + len(SIGNS))}


def protect(text: str, folder: str = "") -> str:
    """Return the text with other letters in place of the signs inside the paths of files that are there.

    So nothing splits these paths; `restore` undoes it. A path stands at the beginning or behind a sign, and ends at a
    sign or at the end; the longest one counts. Relative paths count from the folder.
    """
    ends = [place for place, letter in enumerate(text) if letter in SIGNS] + [len(text)]
    parts, place = [], 0
    for start in [0, *(end + 1 for end in ends)]:
        if start < place:
            continue
        after = bisect_right(ends, start)
        paths = (text[start:end] for end in reversed(ends[after : after + MOST_SIGNS]))
        for path in paths:
            if any(sign in path for sign in _HIDDEN) and os.path.isfile(os.path.join(folder, path)):  # noqa: PTH113, PTH118  a Path cannot be made of every text
                parts += [text[place:start], _replaced(path, _HIDDEN.items())]
                place = start + len(path)
                break
    return "".join([*parts, text[place:]])


def restore(text: str) -> str:
    """Return a protected text as it was."""
    return _replaced(text, ((letter, sign) for sign, letter in _HIDDEN.items()))


def _replaced(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    for old, new in pairs:
        text = text.replace(old, new)
    return text


@dataclass(frozen=True, slots=True)
class Call:
    """A name, and whole numbers as arguments if parentheses follow it."""

    name: str
    """A name in a table or of an installed package, or `file.py:name`."""
    positions: tuple[int, ...] = ()
    keywords: dict[str, int] = field(default_factory=dict)
    parentheses: bool = False
    """Whether parentheses follow the name, which then names a factory."""


def call(text: str) -> Call:
    """Read `name` or `name(4,-2,key=3)`. Raises InputError with a one-line reason."""
    path, dot_py, rest = text.rpartition(".py:")
    name, opened, inner = rest.partition("(")
    if not opened:
        return Call(text)
    split(rest, ",")  # for its errors
    if not inner.endswith(")"):
        raise InputError(f"{text!r}: nothing may follow the parentheses")
    positions: list[int] = []
    keywords: dict[str, int] = {}
    for argument in split(inner[:-1], ",") if inner.strip(") ") else []:
        key, equals, value = argument.rpartition("=")
        key = key.strip().replace("-", "_")
        if equals and not key.isidentifier():
            raise InputError(f"{text!r}: {argument!r} is neither a whole number nor key=number")
        if key in keywords:
            raise InputError(f"{text!r}: {key} is given twice")
        if equals:
            keywords[key] = _whole(text, value)
        elif keywords:
            raise InputError(f"{text!r}: {argument!r} must stand before what is given by name")
        else:
            positions.append(_whole(text, value))
    return Call(f"{path}{dot_py}{name}", tuple(positions), keywords, parentheses=True)


def _whole(text: str, word: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", word.strip()):
        raise InputError(f"{text!r}: {word.strip()!r} is not a whole number of at most 18 digits")
    return int(word)


def split(text: str, separator: str) -> list[str]:
    """Split a text at the separators outside of parentheses. Raises InputError for unbalanced parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            raise InputError(f"{text!r}: a parenthesis is closed that was not opened")
        if letter == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    if depth:
        raise InputError(f"{text!r}: a parenthesis is not closed")
    return parts


def combinations(settings: Sequence[str]) -> list[list[str]]:
    """Return all combinations of one choice from each setting, `key=value` or a value; the last one changes fastest."""
    choices = []
    for setting in settings:
        key, equals, value = setting.partition("=") if "=" in setting.partition("(")[0] else ("", "", setting)
        choices.append([f"{key}{equals}{choice}" for choice in values(value)])
    if math.prod(map(len, choices)) > MOST:
        raise InputError(f"{','.join(settings)} stands for more than {MOST} combinations")
    return [list(chosen) for chosen in itertools.product(*choices)]


def every(texts: Iterable[str]) -> list[str]:
    """Return the expansions of all texts, see `values`; the path of a file that is there stays whole."""
    return [restore(value) for text in texts for value in values(protect(text))]


def values(text: str) -> list[str]:
    """Return the expansion of a value: its choices and the numbers of its ranges, also inside parentheses."""
    texts = []
    for choice in split(text, "|"):
        name, opened, inner = choice.partition("(")
        ends = re.fullmatch(r"(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})", choice)
        if opened and inner.endswith(")"):
            texts += [f"{name}({','.join(chosen)})" for chosen in combinations(split(inner[:-1], ","))]
        elif ends is None:
            texts.append(choice)
        else:
            low, high = int(ends[1]), int(ends[2])
            if not low <= high <= low + 1000:
                raise InputError(f"range {choice} must run upwards, over at most 1000 values")
            texts += [str(value) for value in range(low, high + 1)]
    return texts
