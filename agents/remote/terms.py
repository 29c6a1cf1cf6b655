"""What is laid down for every stranger of a run, and where one of them comes from; both plain values."""

from __future__ import annotations

from dataclasses import dataclass

from agents.agent import Limits


@dataclass(frozen=True, slots=True)
class Terms:
    """The limits that a stranger lives under."""

    patience: float = 60.0
    """Seconds to start, and for a move where the run has no limit of its own."""
    margin: float = 0.1
    """Seconds past a limit before it is stopped."""
    memory: int = 1024
    """Megabytes of data."""
    sandbox: bool = False
    """Whether it sees no network and no files but its own."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a stranger comes from: all that it takes to start it."""

    protocol: str
    """A row of `agents.remote.stranger.PROTOCOLS`."""
    words: tuple[str, ...]
    """The command; of an agent in Python its file and the name in it, or a spec alone."""
    folder: str
    """Where it runs, an absolute path."""
    options: tuple[tuple[str, object], ...] = ()
    """What it is told before it plays: options of an engine, parameters of an agent in Python."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that it gets beside the few that all get."""
    limits: Limits = Limits()  # noqa: RUF009  immutable
    """Its own, which hold beside the run's."""
    files: tuple[str, ...] = ()
    """All that it may read of its folder in a sandbox; nothing named is the whole folder."""
