"""The one error that a user can cause, and how names that are none are answered."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class InputError(ValueError):
    """What the user gave cannot be used; the message is one line that says why and what would do."""

    output = ""
    """The end of what an agent's process wrote beside its answers, where it may say more."""


class PlainError(Exception):
    """An error whose text says all: who reports it need not name its type."""


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for a `name` that is none of `known`, with the near ones or, where none is near, all of them.

    `kind` is the singular noun of what was looked up, such as "heuristic".
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
    return InputError(f"no {kind} {name!r}: {hint}")


def no_file(path: Path, known: Iterable[str] | None = None) -> InputError:
    """Return the error for a file that there is not, with the near ones: of `known` or, without, of its folder."""
    paths = sorted(map(str, path.parent.glob(f"*{path.suffix}"))) if known is None else list(known)
    alike = difflib.get_close_matches(path.name, dict.fromkeys(Path(each).name for each in paths))
    named = [each for name in alike for each in paths if Path(each).name == name]
    near = [*dict.fromkeys([*difflib.get_close_matches(str(path), paths), *named])][:3]
    return InputError(f"there is no file {path}" + (f": did you mean {' or '.join(near)}?" if near else ""))
