"""Errors that users can cause, and messages for unknown names and missing files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class InputError(ValueError):
    """Raised for unusable input; its message says in one line what is wrong and what would work."""

    output = ""
    """The last output of an agent's process, which may explain the error."""


class Unavailable(InputError):  # noqa: N818  it names a state
    """Raised when an agent cannot answer for now and is not at fault: its game stays open."""

    place = 0
    """The agent's index in the list of a run's agents."""


class PlainError(Exception):
    """An error with a self-contained message: reports omit its type, as they do that of an InputError."""


def unknown(kind: str, name: str, choices: Iterable[str]) -> InputError:
    """Return the error for an unknown name; it lists the similar names of `choices`, or all of them, or none.

    `kind` is the singular noun for the names, such as "heuristic".
    """
    import difflib

    names = sorted(choices)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names) or 'none'}"
    return InputError(f"no {kind} {name!r}: {hint}")


def missing(name: str, extra: str) -> InputError:
    """Return the error for a package that is not installed; it names the extra that installs it."""
    return InputError(f"{name} is not installed: pip install 'connect4-arena[{extra}]'")


def no_file(path: Path, files: Iterable[str] | None = None) -> InputError:
    """Return the error for a missing file; it lists similar paths of `files`, by default of the file's folder."""
    import difflib

    paths = sorted(map(str, path.parent.glob(f"*{path.suffix}"))) if files is None else list(files)
    alike = difflib.get_close_matches(path.name, dict.fromkeys(Path(other).name for other in paths))
    named = [other for name in alike for other in paths if Path(other).name == name]
    near = [*dict.fromkeys([*difflib.get_close_matches(str(path), paths), *named])][:3]
    near = [name for name in near if name != str(path)]
    return InputError(f"there is no file {path}" + (f": did you mean {' or '.join(near)}?" if near else ""))
