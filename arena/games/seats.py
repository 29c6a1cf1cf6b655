"""Agents to play against outside of tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agents.errors import InputError

if TYPE_CHECKING:
    from agents.specs.registry import Spec
    from arena.games.person import Seat


def player(agent: str | Spec, isolation: Mapping[str, Any] | None = None) -> Seat:
    """Return an agent to play against: `ready` begins a game, `decide` returns its move, `views` its scores of columns.

    agent: a spec, `folder/:name` or `roster.toml:name` as text; agents of files and commands have separate processes,
    with the settings of `isolation`. Or a Spec of a built-in agent, which plays in this process. Raises InputError.
    """
    from arena.games.person import Seat

    return Seat.of(agent, isolation or {})


def names(agents: Sequence[str]) -> list[str]:
    """Return the spec of each agent that specs, folders and rosters stand for. Raises InputError.

    Of a file that defines several agents it is the one that plays in a hand-in: see `arena.games.entries.player`.
    """
    from arena.games.entries import address, holds_entries, invited, named_in_full

    offered: list[str] = []
    for text in agents:
        entries, _, broken, _ = invited([named_in_full(text)])
        if not entries:
            raise InputError(broken[0])
        if holds_entries(text):
            offered += [text] if len(entries) == 1 else [address(text, name) for name in entries]
        else:
            offered += entries
    return list(dict.fromkeys(offered))
