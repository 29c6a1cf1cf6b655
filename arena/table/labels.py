"""Short names of agents in tables: shared settings are left out, and narrow terminals get shorter forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.errors import InputError
from agents.specs.notation import split
from agents.specs.sources import is_command, is_whole


def harmless(text: str) -> str:
    """Return a text on one line, with control characters escaped as in Python."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


@dataclass(frozen=True, slots=True)
class Labels:
    """A short text for each agent, and the settings left out of all texts."""

    texts: dict[str, str]
    """By the agent's full name."""
    shared: str
    """Such as "depth=6"; empty if the agents have nothing in common."""

    @classmethod
    def among(cls, names: Iterable[str]) -> Labels:
        """Return the names without the settings that all share; `llm:` agents also without those of their model."""
        parts = {name: part(name) for name in names}
        common = set.intersection(*(set(settings) for _, settings in parts.values())) if len(parts) > 1 else set()
        models = {kind for kind, _ in parts.values() if kind.startswith("llm:")}
        of_model = {kind: _common(parts, kind) for kind in models}
        shared = [setting for setting in next(iter(parts.values()))[1] if setting in common] if common else []
        texts = {}
        for name, (kind, settings) in parts.items():
            rest = ",".join(setting for setting in settings if setting not in common | of_model.get(kind, set()))
            texts[name] = f"{kind}:{rest}" if rest else kind
        return cls(texts, ",".join(shared))

    @property
    def note(self) -> str:
        """The settings left out, as a line; empty if there are none."""
        return f"all agents have {harmless(self.shared)}" if self.shared else ""

    def of(self, name: object) -> str:
        """Return the label of an agent, by its full name."""
        return harmless(self.texts.get(str(name), str(name)))


NOBODY = Labels({}, "")
"""The full names."""


def part(name: str) -> tuple[str, list[str]]:
    """Return the kind of agent, which may be file.py:Class or llm:MODEL, and its settings."""
    if is_whole(name) and not is_command(name):
        first, *settings = name.split(";")
        model, at, url = first.partition("@")
        return model, [*([at + url] if at else []), *settings]
    kind, rest = re.fullmatch(r"((?:[^=]*?\.py:)?[^:]*):?(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    try:
        return kind, split(rest, ",") if rest else []
    except InputError:  # the path of a file with a parenthesis in it
        return name, []


def _common(parts: Mapping[str, tuple[str, list[str]]], kind: str) -> set[str]:
    """Return the settings that all agents of a kind have."""
    return set.intersection(*(set(settings) for other, settings in parts.values() if other == kind))


LONGEST = 24
"""Characters in the shortest form of a name, if that is enough to distinguish it."""


def shorter(names: Iterable[str]) -> list[dict[str, str]]:
    """Return short names by full name, in three forms, each shorter than the last; within a form all are different.

    The first form leaves out folders, the settings that all agents of a kind share, and the keys of settings that are
    words. The second keeps only the first words that distinguish a setting, `powers` for powers-of-ten. The third cuts
    the middle.
    """
    parts = {name: part(name) for name in names}
    kinds = {kind for kind, _ in parts.values()}
    common = {kind: _common(parts, kind) for kind in kinds}
    differing = {
        name: (kind, [_value(setting) for setting in settings if setting not in common[kind]])
        for name, (kind, settings) in parts.items()
    }
    values = {value for _, settings in differing.values() for value in settings}
    whole = {name: name for name in parts}
    first = _apart({name: _joined(kind, settings) for name, (kind, settings) in differing.items()}, whole)
    distinct = {
        name: _joined(kind, [_distinct(setting, values) for setting in settings])
        for name, (kind, settings) in differing.items()
    }
    second = _apart(distinct, first)
    return [first, second, _apart({name: cut(text, LONGEST) for name, text in second.items()}, second)]


def cut(text: str, width: int) -> str:
    """Return a text cut to `width` in the middle, because its end often says more."""
    end = (width - 1) // 2
    return text if len(text) <= width else f"{text[: width - 1 - end]}…{text[len(text) - end :]}"


def items(text: str, width: int) -> str:
    """Return a list in words cut to `width` after a whole item."""
    if len(text) <= width:
        return text
    end = text.rfind(", ", 0, width - 2)
    return f"{text[: end + 2]}…" if end > 0 else cut(text, width)


def key(names: Mapping[str, str], width: int) -> str:
    """Return one or more lines for each shortened name: its short form and its full form."""
    full_names = {short: name for name, short in names.items() if name != short}
    column = max(map(len, full_names), default=0)
    lines = [line for short, name in full_names.items() for line in _entry(f"  {short:<{column}}  ", name, width)]
    return "\n".join(["Short names:", *lines]) if lines else ""


def _entry(start: str, name: str, width: int) -> list[str]:
    """Return a name on as many lines as it needs, broken after commas and spaces if possible."""
    room = max(width - len(start), LONGEST // 2)
    pieces = re.findall(rf".{{1,{room - 1}}}[, ]|.{{1,{room}}}", name, re.DOTALL) if len(name) > room else [name]
    return [start + pieces[0], *(" " * len(start) + piece for piece in pieces[1:])]


def _joined(kind: str, settings: list[str]) -> str:
    return ":".join([re.sub(r"^[^ ]*/(?=[^/])", "", kind), *([",".join(settings)] if settings else [])])


def _value(setting: str) -> str:
    """Return a setting without its key if the value is a word."""
    _, _, value = setting.rpartition("=")
    return value if re.match(r"(?!(on|off)$)[A-Za-z]", value) else setting


def _distinct(value: str, values: set[str]) -> str:
    """Return the first words of a value with which no other begins."""
    ends = [match.start() for match in re.finditer("-", value)]
    starts: Callable[[str], bool] = lambda start: not any(other.startswith(start) for other in values - {value})  # noqa: E731  used in the next lines
    return next((value[:end] for end in ends if starts(value[:end])), value)


def _apart(wished: dict[str, str], instead: dict[str, str]) -> dict[str, str]:
    """Return the wished names, but the names of `instead` for those that are equal or longer."""
    short_names = {name: min(text, instead[name], key=len) for name, text in wished.items()}
    while alike := {text for text, times in Counter(short_names.values()).items() if times > 1}:
        short_names = {name: instead[name] if text in alike else text for name, text in short_names.items()}
    return short_names


def of_rows(rows: Sequence[Any]) -> Labels:
    """Return the labels of the agents of rows."""
    return Labels.among(dict.fromkeys(row.agent for row in rows))
