"""From `bot.py:Bot`, `cmd:./engine --flag` or `uci:./engine;Hash=16` to the Source of a process agent."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agents.errors import InputError, no_file, unknown
from agents.process_agent import Source
from agents.specs.kinds import ADAPTERS, KINDS, PROGRAMS
from agents.specs.notation import protect, restore
from agents.specs.outline import defined, inspect_source

PREFIXES = (*PROGRAMS, *ADAPTERS)
"""What follows `PREFIX:` in a spec is neither expanded nor split at commas."""
PYTHON = "python"
"""The key that gives an agent in a file another interpreter, such as `.venv/bin/python`."""
WHOLE = (*PREFIXES, *(name for name, kind in KINDS.items() if kind.first))
"""All prefixes, and the kinds of agents with specs of the same form: `NAME:FIRST[;key=value...]`."""


def is_python(text: str) -> bool:
    """Return whether a spec names a Python file, or a class or function in one."""
    return ".py:" in text or text.endswith(".py")


def is_command(text: str) -> bool:
    """Return whether a spec begins with one of PREFIXES."""
    return text.partition(":")[0] in PREFIXES and ":" in text


def is_whole(text: str) -> bool:
    """Return whether a spec begins with one of WHOLE, so that it is neither expanded nor split at commas."""
    return text.partition(":")[0] in WHOLE and ":" in text


def command(text: str, folder: str, environment: Iterable[tuple[str, str]] = ()) -> Source:
    """Return the source that `PREFIX:WORDS` names. Words are split as a shell splits them, but no shell runs.

    Some take options, `;name=value` each. Relative paths count from `folder`.
    Raises InputError.
    """
    protocol, line, pairs = _parts(text, folder)
    try:
        words = [line] if protocol in ADAPTERS and line.strip() else [restore(word) for word in shlex.split(line)]
    except ValueError as error:
        raise InputError(f"agent {text!r}: {error}") from error
    if not words:
        raise InputError(f"agent {text!r}: no command follows {protocol}:")
    options: list[tuple[str, str]] = []
    for pair in pairs:
        name, equals, value = pair.strip().partition("=")
        if not equals or not name:
            raise InputError(f"agent {text!r}: {pair!r} is not option=value")
        options.append((name, restore(value)))
    if protocol in ADAPTERS:
        return _adapted(text, protocol, line, folder, options)
    words[0] = _program(text, words[0], folder)
    return Source(protocol, tuple(words), folder, tuple(options), tuple(environment))


def _parts(text: str, folder: str) -> tuple[str, str, list[str]]:
    """Return the prefix of a command, its words in one text, and its options; paths are protected in both."""
    protocol, _, rest = text.partition(":")
    rest = protect(rest, folder)
    takes_options = protocol in ADAPTERS or PROGRAMS[protocol].options
    line, *pairs = semicolons(rest) if takes_options else [rest]
    return protocol, line, pairs


def first(text: str, folder: str) -> str:
    """Return what stands between `PREFIX:` and the options of a command."""
    return restore(_parts(text, folder)[1])


def words_of(text: str, folder: str) -> list[str]:
    """Return the words of a command, of another framework's player its file or name as one."""
    protocol, line, _ = _parts(text, folder)
    return [restore(word) for word in ([line] if protocol in ADAPTERS else shlex.split(line))]


def _adapted(text: str, prefix: str, target: str, folder: str, options: Sequence[tuple[str, str]]) -> Source:
    """Return the source of another framework's player: a file, a name in one, or a name of the framework."""
    if prefix == "openspiel" and not is_python(target):
        return Source("python", (restore(target), "", prefix), folder, tuple(options))
    file, _, name = target.partition(".py:")
    path = Path(folder) / restore(f"{file}.py" if name else target)
    if prefix in {"openspiel", "pettingzoo"}:
        if not name:
            raise InputError(f"agent {text!r} names no function of a file: write {prefix}:FILE.py:NAME")
        python(path, name, {})
    elif not path.is_file():
        raise InputError(f"agent {text!r}: {no_file(path)}")
    return Source("python", (str(path), name, prefix), str(path.absolute().parent), tuple(options))


def python(path: Path, name: str, options: Mapping[str, object], folder: str = "") -> Source:
    """Return the source of an agent in a Python file. Raises InputError.

    path, options: the file, and the parameters of the agent.
    name: the class or function; if empty, the one agent that the file defines.
    folder: the start of a relative path to an interpreter; by default the folder of the file.
    """
    path = path.absolute()
    if not path.is_file():
        raise no_file(path)
    agent = name or defined(path)
    seen = inspect_source(path)
    if agent not in seen.names and "*" not in seen.names:
        if seen.agents:
            raise InputError(f"{path} has {unknown('class or function', agent, seen.agents)}")
        raise InputError(f"{path} has no class or function {agent!r}")
    if PYTHON in options:
        options = {**options, PYTHON: _program(str(path), str(options[PYTHON]), folder or str(path.parent))}
    return Source("python", (str(path), agent), str(path.parent), tuple(options.items()))


def built_in(text: str, folder: str) -> Source:
    """Return the source that runs one of this package's agents in a separate process, in the user's `folder`."""
    return Source("python", (text,), folder)


def semicolons(text: str) -> list[str]:
    """Split at the semicolons outside of quotes."""
    return re.split(r""";(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""", text)


def _program(text: str, word: str, folder: str) -> str:
    """Return the path of a program: by its name on the PATH, or relative to the folder."""
    if os.sep not in word:
        program = shutil.which(word)
        if program is None:
            raise InputError(f"agent {text!r}: there is no program {word!r} on the PATH; ./{word} is one in the folder")
        return program
    path = str(Path(folder) / word)
    if not Path(path).is_file():
        raise InputError(f"agent {text!r}: {no_file(Path(path))}")
    if not os.access(path, os.X_OK):
        raise InputError(f"agent {text!r}: {path!r} cannot be executed; chmod +x makes it so")
    return path
