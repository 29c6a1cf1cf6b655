"""Agents in processes of their own, as the rest of the program knows them; `agents.processes` makes and runs them."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, cast

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The limits of a process agent's process."""

    start_timeout: float = 60.0
    """Seconds to start, and for a move where the run has no time limit."""
    margin: float = 0.1
    """Seconds past a time limit before the process is killed."""
    memory: int = 1024
    """Megabytes of data."""
    sandbox: bool = False
    """Whether the process has no network, and no files but the system's and its own."""
    debug: str = ""
    """A file to append all lines sent and received to; empty for none."""


@dataclass(frozen=True, slots=True)
class Source:
    """Everything that is needed to start a process agent."""

    protocol: str
    """`python`, or a prefix of `agents.specs.kinds.PROGRAMS`."""
    words: tuple[str, ...]
    """The command; for an agent in Python a file and a name in it, or only a spec."""
    folder: str
    """The absolute path of the folder that the process runs in."""
    options: tuple[tuple[str, object], ...] = ()
    """Options of an engine, or parameters of an agent in Python."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables of this agent, added to those that every agent gets."""
    limits: Limits = Limits()  # noqa: RUF009  immutable
    """Limits of this agent, added to the run's."""
    files: tuple[str, ...] = ()
    """The paths of its folder that it may read in a sandbox; empty for the whole folder."""


class ProcessAgent(ABC):
    """An agent in a process of its own. A fault raises Failure and ends the process; the next game starts a new one."""

    source: Source
    process_limits: ProcessLimits

    @property
    @abstractmethod
    def name(self) -> str:
        """The name that the agent reports; empty before its process starts, and where its protocol has no names."""

    @property
    @abstractmethod
    def about(self) -> str:
        """The description that the agent reported when it started."""

    @property
    @abstractmethod
    def output(self) -> str:
        """The end of the process's other output."""

    @property
    @abstractmethod
    def running(self) -> bool:
        """Whether the process runs."""

    @property
    @abstractmethod
    def may_refuse(self) -> bool:
        """Whether the agent may refuse to start with the user's options or board."""

    @abstractmethod
    def prepare(self, rules: Rules) -> None:
        """Start a process for boards of this size unless one runs. Raises Failure, InputError."""

    @abstractmethod
    def new_game(self, seed: int) -> None:
        """Announce a game."""

    @abstractmethod
    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the agent's answer."""

    @abstractmethod
    def pause(self) -> None:
        """Stop what runs in the agent's sandbox until the next question, unless its engine ponders."""

    @abstractmethod
    def stop_pondering(self) -> None:
        """End pondering."""

    @abstractmethod
    def taken_output(self) -> str:
        """Return `output` and clear it."""

    @abstractmethod
    def stop(self) -> None:
        """Kill the process; safe while another thread waits for it."""

    @abstractmethod
    def close(self) -> None:
        """End the process."""


def start(source: Source, limits: ProcessLimits | None = None, rules: Rules | None = None) -> ProcessAgent:
    """Return the agent of a source. With `rules`, `new_game` starts its process; otherwise `prepare` does."""
    return cast("ProcessAgent", _processes("agent").SubprocessAgent(source, limits or ProcessLimits(), rules))


def check_sandbox() -> None:
    """Raise InputError if this machine has no sandbox; the message says how to install one."""
    _processes("sandbox").bubblewrap()


def limits_in_force() -> str:
    """Return a phrase that says how this machine limits memory and processes of process agents."""
    return str(_processes("watchdog").in_force())


def _processes(module: str) -> Any:  # noqa: ANN401  a module
    """Return a module of `agents.processes`. Raises InputError if that folder is deleted."""
    try:
        return importlib.import_module(f"agents.processes.{module}")
    except ModuleNotFoundError as error:
        if error.name != "agents.processes":
            raise
        raise InputError("no agent can have a process of its own: the package agents.processes is not there") from None
