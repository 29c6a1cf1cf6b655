"""Errors that a user can cause, and the messages for unknown names and missing files."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class InputError(ValueError):
    """The user's input cannot be used; the message says in one line why, and what would work."""

    output = ""
    """The last output of an agent's process, which may explain the error."""


class Unavailable(InputError):  # noqa: N818  it says what is so
    """An agent cannot be asked now, by no fault of its own: the game that it is in stays open."""

    place = 0
    """The agent's in the list of a run's agents."""


class PlainError(Exception):
    """An error with a complete message: reports leave out its type."""


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for an unknown name; it lists the similar ones of `known`, or all of them.

    `kind` is the singular noun of what was looked up, such as "heuristic".
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    return InputError(f"no {kind} {name!r}: {hint}")


def missing(name: str, extra: str) -> InputError:
    """Return the error where a package is not installed; it names the extra that has it."""
    return InputError(f"{name} is not installed: pip install 'connect4-arena[{extra}]'")


def no_file(path: Path, known: Iterable[str] | None = None) -> InputError:
    """Return the error for a missing file; it lists similar ones of `known`, by default of the file's folder."""
    paths = sorted(map(str, path.parent.glob(f"*{path.suffix}"))) if known is None else list(known)
    alike = difflib.get_close_matches(path.name, dict.fromkeys(Path(each).name for each in paths))
    named = [each for name in alike for each in paths if Path(each).name == name]
    near = [*dict.fromkeys([*difflib.get_close_matches(str(path), paths), *named])][:3]
    return InputError(f"there is no file {path}" + (f": did you mean {' or '.join(near)}?" if near else ""))
