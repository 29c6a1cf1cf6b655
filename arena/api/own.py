"""A user's own agents and heuristics: what files define, how one is stored and checked, and how they play.

None of their code runs in the caller's process.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from agents.errors import InputError
from agents.specs.outline import outline

if TYPE_CHECKING:
    from arena.measure.check import Checked

NAME = re.compile(r"[A-Za-z]\w{0,39}\.py", re.ASCII)
LARGEST = 1 << 16
"""Bytes of a file that is stored."""
SEARCH = "alphabeta:depth=4,order=centre,heuristic="
"""What a heuristic plays in."""
POSITIONS = 20
"""On which a file is asked when it is stored, for SECONDS a move at most."""
SECONDS = 5.0


class ExistsError(InputError):
    """A file of this name is there, and may be replaced."""


@dataclass(frozen=True, slots=True)
class Defined:
    """What files define, by specs such as `mine.py:Mine`."""

    agents: tuple[str, ...]
    heuristics: tuple[str, ...]


def defined(path: Path) -> Defined:
    """Return what a file defines, as it reads; nothing of it runs. Raises InputError where it cannot be read."""
    seen = outline(path)
    return Defined(tuple(f"{path}:{name}" for name in seen.agents), tuple(f"{path}:{name}" for name in seen.heuristics))


def store(folder: Path, name: str, text: str, *, replace: bool = False) -> Path:
    """Write an agent or a heuristic into a file of the folder, and return its path.

    name: of the file, such as mine.py. text: its source. Raises ExistsError where there is one and `replace` does not
    ask for it, and InputError where the name is no plain name of a file or that of an installed module, and where the
    text defines nothing.
    """
    from arena.store.writing import replacing

    if NAME.fullmatch(name) is None:
        raise InputError(f"{name!r:.60} is not a name such as mine.py: letters, digits and _, at most 40, then .py")
    path, stem = folder / name, name.removesuffix(".py")
    found = None if stem in sys.builtin_module_names else find_spec(stem)
    place = Path(found.origin).parent if found is not None and found.origin else None
    if stem in sys.stdlib_module_names or (place is not None and place.resolve() != folder.resolve()):
        raise InputError(f"{name} would hide the module {stem}; choose another name")
    source = text.encode("utf-8", "replace")
    if len(source) > LARGEST:
        raise InputError(f"{name} is larger than {LARGEST >> 10} kB")
    with tempfile.TemporaryDirectory() as aside:
        try:
            (Path(aside) / name).write_bytes(source)
            seen = defined(Path(aside) / name)
        except InputError as error:
            raise InputError(str(error).replace(f"{aside}/", "")) from None
    if not (seen.agents or seen.heuristics):
        raise InputError(
            f"{name} defines neither an agent, a class with choose(self, board, limits), nor a heuristic, "
            "a function evaluate(own, opp)"
        )
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InputError(f"{path} is no plain file; choose another name")
    if path.exists() and not replace:
        raise ExistsError(f"there is a {name} already")
    with replacing(path) as beside:
        beside.write_bytes(source)
    return path


def check(path: Path, *, sandbox: bool = False) -> list[Checked]:
    """Start what a file defines in processes of their own, ask it on some positions, and return the findings."""
    from arena.api.measures import check

    found = defined(path)
    agents = [*found.agents, *(f"{SEARCH}{each}" for each in found.heuristics)]
    return check(agents, seconds=SECONDS, positions=POSITIONS, sandbox=sandbox).rows


def names(agents: Sequence[str]) -> list[str]:
    """Return the spec of each agent that specs, folders and rosters stand for. Raises InputError."""
    from arena.play.entries import address, holds_entries, invited

    found: list[str] = []
    for text in agents:
        several, _, broken, _ = invited([text])
        if not several:
            raise InputError(broken[0])
        if holds_entries(text):
            found += [text] if len(several) == 1 else [address(text, name) for name in several]
        else:
            found += several
    return found
