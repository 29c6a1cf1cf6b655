"""Decides which agents of a run play in separate processes, and under which limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.agent import Limits
from agents.errors import InputError
from agents.process_agent import ProcessLimits, Source
from agents.specs.registry import Spec, parse
from agents.specs.sources import PREFIXES
from arena.games.entries import Entry, visible


@dataclass(frozen=True, slots=True)
class Isolation:
    """How a run isolates process agents, those of files, folders, rosters and commands, in separate processes.

    A heuristic or an ordering in a spec on the command line runs in the worker; in a folder or a roster it makes its
    agent a process agent. Raises InputError for a number out of range.
    """

    patience: float = 60.0
    """Seconds to start, and for a move if the run has no limit."""
    memory: int = 1024
    """Megabytes of each process."""
    sandbox: bool = False
    everyone: bool = False
    """Whether to isolate built-in agents as well."""
    nobody: bool = False
    """Whether process agents play in the worker, for debugging or profiling; commands cannot."""
    folder: str = ""
    """The folder that relative paths start from: the current folder when the run began."""
    entries: tuple[Entry | None, ...] = ()
    """For each agent its entry in a folder or roster, or None; empty if no agent has one."""
    debug: str = ""
    """A file to append all lines sent and received to, which plans do not store; empty for none."""

    def __post_init__(self) -> None:
        if not 0.0 < self.patience <= 86_400.0:
            raise InputError(f"patience must be positive and at most a day, not {self.patience}")
        if not 64 <= self.memory <= 1 << 20:
            raise InputError(f"memory must be from 64 to {1 << 20} megabytes, not {self.memory}")
        if self.nobody and (self.everyone or self.sandbox):
            raise InputError("agents play in the arena's own process, or apart from it, not both")

    def process_limits(self, margin: float) -> ProcessLimits:
        """Return the limits of every process agent."""
        return ProcessLimits(self.patience, margin, self.memory, self.sandbox, self.debug)

    def spec(self, place: int, text: str) -> Spec:
        """Return the agent at that place of the plan. Raises InputError."""
        entry = self._entry(place)
        if entry is None:
            return parse(text, self.folder)
        return anchored(parse(entry.spec, entry.folder), entry.folder)

    def source(self, place: int, spec: Spec) -> Source | None:
        """Return the source that starts the agent at that place in a separate process; None to play in the worker.

        A language model has no process: there a game would be lost, not left open, when its address fails. Raises
        InputError.
        """
        entry = self._entry(place)
        if spec.kind == "llm":
            if entry and (entry.variables() or entry.nodes or entry.seconds):
                raise InputError(
                    f"agent {entry.name!r}: a language model has no nodes, seconds or environment of its own"
                )
            return None
        if self.nobody and spec.kind not in PREFIXES:
            return None
        if entry is None or entry.own:
            folder = self.folder if entry is None else entry.folder
            return spec.source(folder) if spec.has_process or self.everyone else None
        variables = entry.variables()
        settings = variables or entry.nodes or entry.seconds or any(map(_is_file, spec.parameters.values()))
        if not (spec.has_process or self.everyone or settings):
            return None
        limits = Limits(nodes=entry.nodes, seconds=entry.seconds)
        return replace(spec.source(entry.folder), environment=variables, limits=limits, files=entry.files)

    def author(self, place: int) -> str | None:
        """Return the author of the agent at that place, if known."""
        entry = self._entry(place)
        return entry.author or None if entry else None

    def _entry(self, place: int) -> Entry | None:
        return self.entries[place] if self.entries else None

    @classmethod
    def from_document(cls, data: Mapping[str, Any]) -> Isolation:
        """Return the isolation, given the plain data that `dataclasses.asdict` made of it."""
        entries = tuple(entry and Entry.from_document(entry) for entry in data["entries"])
        return cls(**{**data, "entries": entries})


def kept_apart(sources: Sequence[Source | None]) -> tuple[Source | None, ...]:
    """Return the sources of agents for a sandbox: agents that share a folder see only their own files in it."""
    mains = {Path(source.words[0]) for source in sources if source is not None and _is_handed_in(source)}
    sandboxed: list[Source | None] = []
    for source in sources:
        if source is not None and _is_handed_in(source) and not source.files:
            path = Path(source.words[0])
            rivals = {main for main in mains if main.parent == path.parent} - {path}
            sandboxed.append(replace(source, files=visible(path, rivals)) if rivals else source)
        else:
            sandboxed.append(source)
    return tuple(sandboxed)


def _is_handed_in(source: Source) -> bool:
    """Return whether an agent is from a Python file."""
    return source.protocol == "python" and len(source.words) == 2


def anchored(spec: Spec, folder: str) -> Spec:
    """Return the spec with its relative paths made absolute, from the folder on."""

    def place(value: object) -> object:
        return str(Path(folder) / str(value)) if _is_file(value) else value

    parameters = {key: place(value) for key, value in spec.parameters.items()}
    return Spec(spec.text, str(place(spec.kind)), parameters)


def _is_file(value: object) -> bool:
    return isinstance(value, str) and ".py:" in value
