"""Makes agents from specs such as "alphabeta:depth=6,heuristic=smart-aware"; the only file that knows all names."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from agents.agent import Agent
from agents.errors import InputError, unknown
from agents.process_agent import Source, start
from agents.specs import sources as written
from agents.specs.components import refuse_part
from agents.specs.kinds import ADAPTERS, KINDS, LEVELS
from agents.specs.notation import combinations, protect, restore, split
from agents.specs.outline import defined, inspect_source, is_kaggle, refuse_misfit
from agents.specs.parameters import Parameter
from agents.specs.plugins import find, format_error, installed, is_file, must_be_known, output_to_stderr
from agents.specs.sources import PREFIXES, PYTHON
from agents.specs.user_agents import agent_from


@dataclass(frozen=True, slots=True)
class Spec:
    """A checked spec of one agent, which is not made yet."""

    text: str
    """The user's text with ranges and choices expanded; it makes the same agent anywhere."""
    kind: str
    parameters: Mapping[str, object]
    """The parameters in the text; the others have their defaults."""

    def resolved(self) -> dict[str, object]:
        """Return all parameters, defaults included, by their names in specs."""
        kind = KINDS.get(self.kind)
        defaults = {} if kind is None else {key: parameter.default for key, parameter in kind.parameters.items()}
        return {_dashed(key): value for key, value in (defaults | dict(self.parameters)).items()}

    @property
    def deterministic(self) -> bool:
        """Whether it always plays the same move in the same position, as far as is known."""
        kind = KINDS.get(self.kind)
        return kind is not None and not kind.chance and self.parameters.get("seconds") is None

    def build(self) -> Agent:
        """Return a new agent. Raises InputError if it cannot be made."""
        kind = KINDS.get(self.kind)
        if kind is not None:
            return cast("Agent", kind.make(**self.parameters))
        if self.kind in PREFIXES:
            return start(self.source())
        if PYTHON in self.parameters and is_file(self.kind):
            raise InputError(f"agent {self.text!r}: {PYTHON}= is for an agent in a process of its own")
        factory = find("agent", self.kind, {})
        try:
            with output_to_stderr():
                return cast("Agent", agent_from(factory, self.text, self.parameters))
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"agent {self.text!r} cannot be made: {format_error(error)}") from error

    @property
    def has_process(self) -> bool:
        """Whether it comes from a file or a command, so that it has a separate process in a run."""
        return self.kind in PREFIXES or is_file(self.kind)

    def source(self, folder: str = "") -> Source:
        """Return the source that starts the agent in a separate process. Relative paths count from the folder.

        Raises InputError if there is no such file or program.
        """
        folder = str(Path(folder).absolute())
        if self.kind in PREFIXES:
            named = self.text.startswith(f"{self.kind}:")
            source = written.command(self.text if named else f"{self.kind}:{self.text}", folder)
            options = tuple((key, value) for key, value in self.parameters.items() if key != "from")
            return replace(source, options=options) if self.kind in ADAPTERS else source
        if is_file(self.kind):
            path, _, name = self.kind.rpartition(":")
            return written.python(Path(folder) / path, name, self.parameters, folder)
        return written.built_in(self.text, folder)

    def having(self, **parameters: object) -> Spec:
        """Return a copy with these parameters replaced; its text stays."""
        return replace(self, parameters={**self.parameters, **parameters})


def parse(text: str, folder: str = "") -> Spec:
    """Read a spec without ranges and choices; relative paths count from the folder.

    Signs in the path of a file that is there are part of the path. Raises InputError.
    """
    return _parsed(protect(text.strip(), folder), folder)


def _parsed(protected: str, folder: str) -> Spec:
    """Read a spec with protected paths, see `parse`."""
    text, is_command = restore(protected), written.is_command(protected)
    if is_command or _is_kaggle(Path(folder) / text):
        named = text if is_command else f"kaggle:{text}"
        source, kind = written.command(named, str(Path(folder).absolute())), named.partition(":")[0]
        if kind not in ADAPTERS:
            return Spec(text, kind, {})
        target, name, _ = source.words
        try:
            allowed = importlib.import_module(ADAPTERS[kind]).spec_parameters(target, name)
        except InputError as error:
            raise InputError(f"agent {text!r}: {error}") from None
        values = _values(text, source.options, allowed, folder)
        return Spec(text, kind, {"from": written.first(named, folder), **values})
    kind, parameters = _split(LEVELS.get(text, protected), folder)
    kind = restore(kind)
    refuse_part(kind)
    _refuse_suffix(Path(folder) / kind, Path(folder) / kind.rpartition(":")[0])
    must_be_known("agent", kind if not is_file(kind) else str(Path(folder) / kind), {**KINDS, **LEVELS})
    if kind in LEVELS:
        raise InputError(f"agent {text!r}: the level {kind} takes no parameters; it is {LEVELS[kind]}")
    allowed = KINDS[kind].parameters if kind in KINDS else None
    pairs = [pair.partition("=") for pair in parameters]
    if wrong := [restore("".join(pair)) for pair in pairs if not all(pair)]:
        raise InputError(f"agent {text!r}: {wrong[0]!r} is not key=value")
    values = _values(text, [(restore(key), restore(value)) for key, _, value in pairs], allowed, folder)
    if is_file(kind):
        path, _, name = kind.rpartition(":")
        refuse_misfit(Path(folder) / path, name, [key for key in values if key != PYTHON], f"agent {text!r}")
    return Spec(text, kind, values)


def _refuse_suffix(*paths: Path) -> None:
    """Raise InputError for a file whose name ends in .PY or the like, which Python does not import."""
    for path in paths:
        if path.suffix != ".py" and path.suffix.lower() == ".py" and path.is_file():
            raise InputError(f"{path}: the name of a Python file ends in .py, not {path.suffix}: rename it")


def _is_kaggle(path: Path) -> bool:
    """Return whether a file seems to have no agent in this project's form, but one that Kaggle would find."""
    if path.suffix != ".py" or not path.is_file():
        return False
    seen = inspect_source(path)
    ours = [name for name in seen.agents if (seen.functions.get(name) or ["board"])[0] == "board"]
    return bool(seen.last) and not ours and not any(is_kaggle(seen.functions[name]) for name in seen.agents)


def _values(
    text: str, pairs: Iterable[tuple[str, object]], allowed: Mapping[str, Parameter] | None, folder: str
) -> dict[str, object]:
    """Convert the parameters of a spec: by `allowed`, or to Python literals and text if that is None."""
    values: dict[str, object] = {}
    for key, setting in pairs:
        name, value = key.replace("-", "_"), str(setting)
        if name in values:
            raise InputError(f"agent {text!r}: {key} is given twice")
        if allowed is None:
            values[name] = _literal(value)
            continue
        if name not in allowed:
            none = f"no parameter {key!r}: it takes none"
            wrong = unknown("parameter", key, map(_dashed, allowed)) if allowed else none
            raise InputError(f"agent {text!r}: {wrong}")
        try:
            read = allowed[name].read(str(Path(folder) / value) if is_file(value) else value)
        except InputError as error:
            raise InputError(f"agent {text!r}: {key}: {error}") from error
        values[name] = value if is_file(value) else read
    return values


def expand(text: str, folder: str = "") -> list[Spec]:
    """Return all agents of a spec: ranges, `depth=2..6`, and choices, `heuristic=a|b`, expand. Raises InputError.

    Relative paths count from the folder.
    """
    text = text.strip()
    protected = protect(text, folder)
    if written.is_whole(protected) or _is_kaggle(Path(folder) / text):
        return [_parsed(protected, folder)]
    kind, parameters = _split(protected, folder)
    if not parameters:
        return [_parsed(protected, folder)]
    return [_parsed(f"{kind}:{','.join(chosen)}", folder) for chosen in combinations(parameters)]


def adapted(words: Sequence[str], options: Mapping[str, object]) -> Any:  # noqa: ANN401  an agent
    """Return the player of another framework: its file or name, the name in the file, and the prefix of its spec."""
    target, name, prefix = words
    return importlib.import_module(ADAPTERS[prefix]).build(target, name, options)


def names() -> list[str]:
    """Return the names of all kinds of agents and levels, installed ones included."""
    return [*KINDS, *LEVELS, *installed("agents")]


def package(kind: str) -> str | None:
    """Return the installed package that provides a kind of agent; None for files, commands and programs."""
    if kind in KINDS:
        return "connect4-arena"
    point = None if is_file(kind) or kind in PREFIXES else installed("agents").get(kind)
    return point.dist.name if point is not None and point.dist is not None else None


def _split(text: str, folder: str = "") -> tuple[str, list[str]]:
    """Split a spec with protected paths into its kind, which may be `file.py:Class`, and its key=value pairs."""
    if not text:
        raise InputError("an agent's spec is empty; it reads NAME or NAME:key=value,key=value")
    name, colon, rest = text.partition(":")
    if name in KINDS and KINDS[name].first:
        first, *pairs = written.semicolons(rest)
        if not first.strip():
            raise InputError(f"agent {restore(text)!r}: nothing follows {name}:")
        return name, [f"{KINDS[name].first}={first}", *(pair for pair in pairs if pair)]
    if written.is_python(text.split("=", maxsplit=1)[0]):
        path, _, rest = (text if ".py:" in text else text.removesuffix(".py")).partition(".py:")
        name, colon, parameters = rest.partition(":")
        if "=" in name or not name:
            name, parameters = defined(Path(folder) / f"{restore(path)}.py"), rest
        kind = f"{path}.py:{name}"
    else:
        kind, colon, parameters = text.partition(":")
    if colon and not parameters:
        raise InputError(f"agent {restore(text)!r}: nothing follows the last colon")
    return kind, split(parameters, ",") if parameters else []


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text


def _dashed(key: str) -> str:
    return key.replace("_", "-")
