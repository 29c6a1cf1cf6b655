"""Agents that a program hands over as they are: a class, a function or an object, in place of a spec."""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import json
import linecache
import math
import os
import pickle
import re
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from agents.agent import Agent
from agents.errors import InputError
from agents.remote.limits import Source
from agents.remote.load import shaped
from agents.specs.plugins import aside, one_line
from agents.specs.registry import Spec
from arena.play.entries import numbered
from arena.store.run_file import Store
from arena.store.sources import OBJECT


@dataclass(frozen=True, slots=True)
class ObjectAgent(Spec):
    """An agent that exists already, or the class or function that makes it: the caller's own code, and no stranger."""

    what: Any = None
    """None for an object of a stored run that was not given again."""

    @classmethod
    def of(cls, what: object, name: str | None = None) -> ObjectAgent:
        """Return it under this name, by default its attribute `name` or else that of its class.

        An agent has a method `choose(board, limits)` or `choose(board)`; a function takes the board. Raises InputError
        if it is none.
        """
        if not callable(getattr(what, "choose", what)):
            raise InputError(
                f"{what!r:.80} is no agent: that is a spec such as 'greedy', or a class or an object with a method "
                f"choose(board, limits)"
            )
        own = _definition(what)
        if name is None:
            name = getattr(what, "name", None)
            name = name if isinstance(name, str) and NAME.fullmatch(name) else own.__name__
        return cls(name, f"{OBJECT}{own.__module__}:{own.__qualname__}", {}, what)

    def resolved(self) -> dict[str, object]:
        """Return the public attributes of the object, in the order of their names.

        Those that are no plain values, or lists of them, stand as the name of their type. A class or a function has
        none.
        """
        if _definition(self.what) is self.what:
            return {}
        slots = [getattr(base, "__slots__", ()) for base in type(self.what).__mro__]
        names = {*getattr(self.what, "__dict__", ()), *(name for each in slots for name in _listed(each))}
        public = sorted(name for name in names if not name.startswith("_") and hasattr(self.what, name))
        return {name: _plain(getattr(self.what, name)) for name in public}

    def described(self) -> str:
        """Return the parameters as they are stored."""
        return json.dumps(self.resolved(), default=str)

    def digest(self) -> str | None:
        """Return the SHA-256 of the source of its class, and of its module's file; None where there is none to read."""
        own = _definition(self.what)
        try:
            source = inspect.getsource(own).encode()
            file = Path(inspect.getsourcefile(own) or "")
        except Exception:  # noqa: BLE001  whatever a class of the caller's own says of itself
            typed = _typed(own)
            return None if typed is None else hashlib.sha256(typed.encode()).hexdigest()
        return hashlib.sha256(source + (file.read_bytes() if file.is_file() else b"")).hexdigest()

    def build(self) -> Agent:
        """Return a new agent; of an object a copy, if it can be had, which no game changes. Raises InputError."""
        what = self.what
        if what is None:
            raise _absent({self.text: self.kind})
        make = (lambda: _copied(what)) if _is_object(what) else what
        try:
            with aside():
                return cast("Agent", shaped(make, self.text, {}))
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"agent {self.text!r} cannot be made: {one_line(error)}") from error

    def source(self, folder: str = "") -> Source:  # noqa: ARG002  see Spec
        """Raise InputError: it lives in this process."""
        raise InputError(f"agent {self.text!r} is an object of this program, which no process of its own can have")

    @property
    def travels(self) -> bool:
        """Whether another process can have it, too."""
        try:
            _packed(self.what)
        except Exception:  # noqa: BLE001  whatever an object does when it is pickled
            return False
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it so that another process can have it; classes that were typed go along."""
        return _unpacked, (type(self), self.text, self.kind, _packed(self.what))


def _packed(what: object) -> bytes:
    """Return an agent as bytes. Raises an error where it cannot be sent.

    Classes and functions that no file holds, as those of a notebook, go along, and those within others.
    """
    if Path(getattr(sys.modules["__main__"], "__file__", None) or os.devnull).is_file():
        with suppress(Exception):  # whatever an object does when it is pickled
            return pickle.dumps(what)
    import cloudpickle

    return bytes(cloudpickle.dumps(what))


def _unpacked(kind: type[ObjectAgent], text: str, name: str, packed: bytes) -> ObjectAgent:
    return kind(text, name, {}, pickle.loads(packed))  # noqa: S301  of our own process


NAME = re.compile(r"[\w .+-]{1,80}")
"""What a program may call its agents."""


def placed(store: Store, objects: Mapping[str | int, ObjectAgent]) -> dict[int, ObjectAgent]:
    """Return the objects of a stored run that were given again, by their places in its plan.

    A list has them under the names that a new run would give them, or else all of them in their order. Raises
    InputError for what is no object of the run.
    """
    stored = _stored(store)
    names: list[str | int] = [*objects]
    if 0 in objects:
        names = [*numbered(each.text for each in objects.values())]
        if not stored.keys() >= set(names) and len(names) == len(stored):
            names = [*stored]
    for name, given in zip(names, objects.values(), strict=True):
        if name not in stored:
            known = f"its objects are {', '.join(stored)}" if stored else "it has none"
            raise InputError(
                f"{store.path} was played without the object {name} ({given.kind[len(OBJECT) :]}): {known}"
            )
    specs = store.agents()
    places = [stored[str(name)][0] for name in names]
    return {
        place: replace(given, text=specs[place][0].text) for place, given in zip(places, objects.values(), strict=True)
    }


def is_absent(spec: Spec) -> bool:
    """Return whether an agent was an object of a program, and is not given."""
    return spec.kind.startswith(OBJECT) and getattr(spec, "what", None) is None


def refuse_absent(store: Store, places: Collection[int]) -> None:
    """Raise InputError where any of these agents, whose games are missing, is an object."""
    absent = {name: kind for name, (place, kind) in _stored(store).items() if place in places}
    if absent:
        raise _absent(absent)


def _absent(objects: Mapping[str, str]) -> InputError:
    """Return the error that names objects, by their names and kinds, which were not given."""
    said = " and ".join(f"{name} ({kind[len(OBJECT) :]})" for name, kind in objects.items())
    words = ", ".join(f"{name!r}: …" for name in objects)
    return InputError(f"this run needs {said} of the program that began it: arena.run(resume=…, agents={{{words}}})")


def _stored(store: Store) -> dict[str, tuple[int, str]]:
    """Return the places and kinds of a run's objects, by their names."""
    kinds = [spec.kind for spec, _ in store.agents()]
    agents = enumerate(zip(store.names(), kinds, strict=True))
    return {name: (place, kind) for place, (name, kind) in agents if kind.startswith(OBJECT)}


def _definition(what: object) -> Any:  # noqa: ANN401  a class or a function
    """Return the class of an object, or the class or function itself."""
    return what if isinstance(what, type) or hasattr(what, "__qualname__") else type(what)


def _typed(own: object) -> str | None:
    """Return the source of a class that was typed in a notebook, by way of its methods; None where it is not kept."""
    for method in vars(own).values() if isinstance(own, type) else ():
        code = getattr(method, "__code__", None)
        lines = [] if code is None else linecache.getlines(code.co_filename)
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse("".join(lines))):
                if isinstance(node, ast.ClassDef) and node.name == getattr(own, "__name__", ""):
                    return ast.get_source_segment("".join(lines), node)
    return None


def _listed(slots: str | Iterable[str]) -> Iterable[str]:
    return [slots] if isinstance(slots, str) else slots


def _plain(value: object) -> object:
    """Return a plain value, also those in lists, as JSON has it; of anything else the name of its type."""
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float | str) else type(value).__name__


def _copied(what: object) -> object:
    try:
        return copy.deepcopy(what)
    except Exception:  # noqa: BLE001  whatever an object does when it is copied; then it plays itself
        return what


def _is_object(what: object) -> bool:
    return not isinstance(what, type) and hasattr(what, "choose")
