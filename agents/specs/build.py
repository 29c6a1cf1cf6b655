"""Builds the agent of a source in this process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.specs.user_agents import load


def build(words: Sequence[str], options: Mapping[str, Any]) -> Any:  # noqa: ANN401  an agent
    """Return the agent of a source. Its words are a spec; a file and a name; or a file, a name and a prefix."""
    if len(words) == 1:
        from agents.specs.registry import parse

        return parse(words[0]).build()
    if len(words) == 2:
        return load(words, options)
    from agents.specs.registry import adapted

    return adapted(words, options)
