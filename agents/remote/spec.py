"""From `bot.py:Bot`, `cmd:./engine --flag` or `uci:./engine;Hash=16` to the Source of a remote agent."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from agents.errors import InputError, no_file, unknown
from agents.remote.limits import Source
from agents.specs.outline import defined, outline

HOSTED = ("onnx", "openspiel", "pettingzoo", "kaggle")
"""Prefixes of other frameworks' players and of networks, which our own Python hosts in a process of its own."""
PREFIXES = ("cmd", "uci", "pons", "theaigames", *HOSTED)
"""After `PREFIX:` nothing of a spec is expanded or split at commas."""
PYTHON = "python"
"""The key of an agent in a file that names the interpreter of its process, such as `.venv/bin/python`."""


WHOLE = (*PREFIXES, "llm")
"""These, and the kinds of agents whose specs are not expanded either: `NAME:FIRST[;key=value...]`."""


def is_python(text: str) -> bool:
    """Tell whether a spec names a Python file, with a name in it or without."""
    return ".py:" in text or text.endswith(".py")


def is_command(text: str) -> bool:
    """Tell whether a spec names a command."""
    return text.partition(":")[0] in PREFIXES and ":" in text


def is_whole(text: str) -> bool:
    """Tell whether nothing of a spec is expanded or split at commas."""
    return text.partition(":")[0] in WHOLE and ":" in text


def command(text: str, folder: str, environment: Iterable[tuple[str, str]] = ()) -> Source:
    """Return where `PREFIX:WORDS` comes from; words are split as a shell splits them, and no shell sees them.

    After `uci:WORDS` and the hosted ones come options, `;name=value` each. Relative paths count from `folder`. Raises
    InputError.
    """
    protocol, _, rest = text.partition(":")
    line, *pairs = semicolons(rest) if protocol in {"uci", *HOSTED} else [rest]
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InputError(f"agent {text!r}: {error}") from error
    if not words:
        raise InputError(f"agent {text!r}: no command follows {protocol}:")
    options = []
    for pair in pairs:
        name, equals, value = pair.strip().partition("=")
        if not equals or not name:
            raise InputError(f"agent {text!r}: {pair!r} is not option=value")
        options.append((name, value))
    if protocol in HOSTED:
        return _hosted(text, protocol, line, folder, options)
    words[0] = _program(text, words[0], folder)
    return Source(protocol, tuple(words), folder, tuple(options), tuple(environment))


def _hosted(text: str, prefix: str, target: str, folder: str, options: Sequence[tuple[str, str]]) -> Source:
    """Return where the player of another framework comes from: a file, a name in it, or a name of the framework."""
    if prefix == "openspiel" and not is_python(target):
        return Source("python", (target, "", prefix), folder, tuple(options))
    file, _, name = target.partition(".py:")
    path = Path(folder) / (f"{file}.py" if name else target)
    if prefix in {"openspiel", "pettingzoo"}:
        if not name:
            raise InputError(f"agent {text!r} names no function of a file: write {prefix}:FILE.py:NAME")
        python(path, name, {})
    elif not path.is_file():
        raise InputError(f"agent {text!r}: {no_file(path)}")
    return Source("python", (str(path), name, prefix), str(path.absolute().parent), tuple(options))


def python(path: Path, name: str, options: Mapping[str, object], folder: str = "") -> Source:
    """Return where an agent in a Python file comes from; without a name the one that it defines. Raises InputError.

    folder: what a relative path of an interpreter counts from, by default the folder of the file.
    """
    path = path.absolute()
    if not path.is_file():
        raise no_file(path)
    found = name or defined(path)
    seen = outline(path)
    if found not in seen.names and "*" not in seen.names:
        if seen.agents:
            raise InputError(f"{path} has {unknown('class or function', found, seen.agents)}")
        raise InputError(f"{path} has no class or function {found!r}")
    own = {PYTHON: _program(str(path), str(options[PYTHON]), folder or str(path.parent))} if PYTHON in options else {}
    return Source("python", (str(path), found), str(path.parent), tuple({**options, **own}.items()))


def built_in(text: str, folder: str) -> Source:
    """Return where one of this package's own agents comes from, in a process of its own; `folder` is the user's."""
    return Source("python", (text,), folder)


def semicolons(text: str) -> list[str]:
    """Split at the semicolons that stand in no quotes."""
    return re.split(r""";(?=(?:[^'"]|'[^']*'|"[^"]*")*$)""", text)


def _program(text: str, word: str, folder: str) -> str:
    """Return the path of a program: by its name on the PATH, or relative to the folder."""
    if os.sep not in word:
        found = shutil.which(word)
        if found is None:
            raise InputError(f"agent {text!r}: there is no program {word!r} on the PATH; ./{word} is one in the folder")
        return found
    path = str(Path(folder) / word)
    if not Path(path).is_file():
        raise InputError(f"agent {text!r}: {no_file(Path(path))}")
    if not os.access(path, os.X_OK):
        raise InputError(f"agent {text!r}: {path!r} cannot be executed; chmod +x makes it so")
    return path
