"""Agents as tables name them: what all have in common is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agents.notation import split


def harmless(text: str) -> str:
    """Return a text on one line, without what a terminal would obey: such letters as Python writes them."""
    return text if text.isprintable() else "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


@dataclass(frozen=True, slots=True)
class Labels:
    """A short text for each agent, and the settings that were left out of all."""

    texts: dict[str, str]
    """By the agent's full name."""
    shared: str
    """Such as "depth=6"; empty where the agents have nothing in common."""

    @classmethod
    def among(cls, names: Iterable[str]) -> Labels:
        """Leave out of the names every setting that all of them have."""
        parted = {name: part(name) for name in names}
        common = set.intersection(*(set(settings) for _, settings in parted.values())) if len(parted) > 1 else set()
        shared = [setting for setting in next(iter(parted.values()))[1] if setting in common] if common else []
        texts = {
            name: ":".join([kind, ",".join(rest)] if (rest := [s for s in settings if s not in common]) else [kind])
            for name, (kind, settings) in parted.items()
        }
        return cls(texts, ",".join(shared))

    @property
    def note(self) -> str:
        """What was left out, as a line; empty where that is nothing."""
        return f"all agents have {harmless(self.shared)}" if self.shared else ""

    def of(self, name: object) -> str:
        """Return the label of an agent, by its full name."""
        return harmless(self.texts.get(str(name), str(name)))


NOBODY = Labels({}, "")
"""Names everybody in full."""


def part(name: str) -> tuple[str, list[str]]:
    """Return the kind of agent, which may be file.py:Class, and its settings."""
    kind, rest = re.fullmatch(r"((?:[^=]*?\.py:)?[^:]*):?(.*)", name, re.DOTALL).groups()  # type: ignore[union-attr]
    return kind, split(rest, ",") if rest else []
