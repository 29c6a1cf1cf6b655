"""Capabilities that can be deleted, a folder each, and what finds them.

A folder of `arena` or of `arena.plugins`, and a package that another distribution names as an entry point of the group
`connect4_arena.plugins`, says in its `__init__` what it offers. These are literal tuples, so that reading them is free;
"module:name" is a name in a module of that folder, and ":name" one of its own, imported when it is used:

    COMMANDS  (command, "module:name", group of the help, what it does, page of docs/)
    TABLES    (table, "module:parts", "module:document", needs): parts(frames, table or "") and document(frames)
    FIGURES   (figure, "module:pictures", needs): pictures(frames, agents in order)
    SECTIONS  (anchor, title, "module:parts", needs): parts(frames), a section of a run's page
    RUNS      (key of a plan, "module"): shows and finishes runs whose plan has the key, see `arena.comparison.of_run`
    FRAMES    (names of columns, "module:pictures"): pictures(DataFrame with these columns)
    REASONS   ("module:of_game", "module:of_last", "module:table"): lines that say why moves lost value, by ply of a
              `Replay` and for the last move of a `Board`, and a table of an agent's worst moves in a `Store`
    ROUTES    (path, "module:page", title, what it shows, agents that it shows) of `arena serve`: page(request), which
              finds an `arena.plugins.serve.game.Play` in request.app.state.play
    CLUSTERS  ("module:Cluster",): other machines to work on
    START     (command line, what it is): the first lines of `arena --help`
    WORDS     (words that people type, what they mean)
    HINTS     (command, option that it does not have, what to do instead)

A table, figure or section is asked for only in runs that have what it `needs`: rows of a table of `Frames.table`, such
as "audit".
"""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from agents.errors import InputError

CORE = ("tournament", "comparison", "perfect", "depth", "position", "page")
"""The folders whose offers come first."""


class Offer(NamedTuple):
    """A row of a folder's offers."""

    folder: str
    """The folder's package."""
    row: tuple[Any, ...]

    def load(self, place: int = 1) -> Any:  # noqa: ANN401  whatever the folder offers
        """Import and return what `row[place]` names."""
        module, _, name = self.row[place].partition(":")
        loaded = import_module(f"{self.folder}.{module}" if module else self.folder)
        return getattr(loaded, name) if name else loaded


@functools.cache
def folders() -> tuple[ModuleType, ...]:
    """Return the packages of `arena` and below this one that offer something, the core first."""
    root = Path(__file__).parents[1]
    names = [f"arena.{name}" for name in CORE if (root / name / "__init__.py").exists()]
    names += [f"{__name__}.{module.name}" for module in pkgutil.iter_modules(__path__) if module.ispkg]
    return tuple(map(import_module, names))


def offers(kind: str, *, installed: bool = True) -> Iterator[Offer]:
    """Yield the rows of a kind, such as TABLES, those of other distributions last unless they are not asked for."""
    for package in (*folders(), *(others() if installed else ())):
        for row in getattr(package, kind, ()):
            yield Offer(package.__name__, row)


def others() -> Iterator[ModuleType]:
    """Yield the packages of other distributions; what does not import is left out, as `arena --help` says."""
    from agents.specs.plugins import installed

    for point in installed("plugins").values():
        try:
            yield import_module(point.value)
        except Exception:  # noqa: BLE001, S112  whatever a package does
            continue


def at_hand(kind: str, frames: Any) -> Iterator[Offer]:  # noqa: ANN401  of arena.tournament, above this module
    """Yield the offers of a kind whose needs a run meets."""
    return (offer for offer in offers(kind) if frames.has(offer.row[-1]))


def run_of(plan: Mapping[str, Any]) -> Any | None:  # noqa: ANN401  a module
    """Return the module for runs whose plan has a key of RUNS, None for a tournament."""
    return next((offer.load() for offer in offers("RUNS", installed=False) if plan.get(offer.row[0])), None)


def ask(folder: str, place: str) -> Any:  # noqa: ANN401  whatever the folder has
    """Return "module:name" of a folder of `arena` that may be absent. Raises InputError if it is."""
    if all(package.__name__ != f"arena.{folder}" for package in folders()):
        raise InputError(f"this needs arena.{folder}, which is not installed")
    return Offer(f"arena.{folder}", (folder, place)).load()


def function(package: str, name: str, functions: tuple[str, ...]) -> object:
    """Return a function of a folder for Python users, for the folder's `__getattr__`."""
    if name not in functions:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(f"{package}.python"), name)
