"""Agents that a Python program passes in place of a spec: a class, a function or an object."""

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
from agents.process_agent import Source
from agents.specs.plugins import format_error, output_to_stderr
from agents.specs.registry import Spec
from agents.specs.user_agents import agent_from
from arena.games.entries import numbered
from arena.store.run_file import Store
from arena.store.sources import OBJECT


@dataclass(frozen=True, slots=True)
class ObjectAgent(Spec):
    """An object, or the class or function that makes it: the caller's own code, so it has no process of its own."""

    what: Any = None
    """None for an object of a stored run that the caller has not passed again."""

    @classmethod
    def of(cls, what: object, name: str | None = None) -> ObjectAgent:
        """Return the spec of an object; its name is by default the attribute `name`, or else the name of its class.

        An agent has a method `choose(board, limits)` or `choose(board)`; a function takes the board. Raises InputError
        for anything else.
        """
        if not callable(getattr(what, "choose", what)):
            raise InputError(
                f"{what!r:.80} is no agent: that is a spec such as 'greedy', or a class or an object with a method "
                f"choose(board, limits)"
            )
        definition = _definition(what)
        if name is None:
            name = getattr(what, "name", None)
            name = name if isinstance(name, str) and NAME.fullmatch(name) else definition.__name__
        return cls(name, f"{OBJECT}{definition.__module__}:{definition.__qualname__}", {}, what)

    def resolved(self) -> dict[str, object]:
        """Return the public attributes of the object, sorted by name; a class or a function has none.

        Values other than plain ones and lists of them are replaced by the names of their types.
        """
        if _definition(self.what) is self.what:
            return {}
        slots = [getattr(base, "__slots__", ()) for base in type(self.what).__mro__]
        names = {*getattr(self.what, "__dict__", ()), *(name for slot in slots for name in _listed(slot))}
        public = sorted(name for name in names if not name.startswith("_") and hasattr(self.what, name))
        return {name: _plain(getattr(self.what, name)) for name in public}

    def described(self) -> str:
        """Return the parameters as JSON, the form in which they are stored."""
        return json.dumps(self.resolved(), default=str)

    def digest(self) -> str | None:
        """Return the SHA-256 of the source of its class and its module's file; None if the source cannot be read."""
        definition = _definition(self.what)
        try:
            source = inspect.getsource(definition).encode()
            file = Path(inspect.getsourcefile(definition) or "")
        except Exception:  # noqa: BLE001  attributes of the caller's class may be anything
            typed = _typed(definition)
            return None if typed is None else hashlib.sha256(typed.encode()).hexdigest()
        return hashlib.sha256(source + (file.read_bytes() if file.is_file() else b"")).hexdigest()

    def build(self) -> Agent:
        """Return a new agent; for an object, a copy if possible, so that games do not change it. Raises InputError."""
        what = self.what
        if what is None:
            raise _absent({self.text: self.kind})
        make = (lambda: _copied(what)) if _is_object(what) else what
        try:
            with output_to_stderr():
                return cast("Agent", agent_from(make, self.text, {}))
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"agent {self.text!r} cannot be made: {format_error(error)}") from error

    def source(self, folder: str = "") -> Source:  # noqa: ARG002  see Spec
        """Raise InputError: an object belongs to this process."""
        raise InputError(f"agent {self.text!r} is an object of this program, which no process of its own can have")

    @property
    def travels(self) -> bool:
        """Whether it can be sent to another process."""
        try:
            _packed(self.what)
        except Exception:  # noqa: BLE001  pickling may raise anything
            return False
        return True

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it for another process, together with classes from a notebook or a prompt."""
        return _unpacked, (type(self), self.text, self.kind, _packed(self.what))


def _packed(what: object) -> bytes:
    """Return an agent as bytes. Raises an error if it cannot be pickled.

    The bytes include classes and functions without a file, such as those of a notebook, and inner ones.
    """
    if Path(getattr(sys.modules["__main__"], "__file__", None) or os.devnull).is_file():
        with suppress(Exception):  # pickling may raise anything
            return pickle.dumps(what)
    import cloudpickle

    return bytes(cloudpickle.dumps(what))


def _unpacked(kind: type[ObjectAgent], text: str, name: str, packed: bytes) -> ObjectAgent:
    return kind(text, name, {}, pickle.loads(packed))  # noqa: S301  of our own process


NAME = re.compile(r"[\w .+-]{1,80}")
"""The valid names of object agents."""


def placed(store: Store, objects: Mapping[str | int, ObjectAgent]) -> dict[int, ObjectAgent]:
    """Return the objects that the caller passes again for a stored run, by their places in its plan.

    objects: by name, or by their places in a list. A list matches by the names that a new run would give them, or else
    must have all objects of the run in order. Raises InputError for an object that is not of the run.
    """
    stored = _stored(store)
    names: list[str | int] = [*objects]
    if 0 in objects:
        names = [*numbered(agent.text for agent in objects.values())]
        if not stored.keys() >= set(names) and len(names) == len(stored):
            names = [*stored]
    for name, agent in zip(names, objects.values(), strict=True):
        if name not in stored:
            phrase = f"its objects are {', '.join(stored)}" if stored else "it has none"
            raise InputError(
                f"{store.path} was played without the object {name} ({agent.kind[len(OBJECT) :]}): {phrase}"
            )
    specs = store.agents()
    places = [stored[str(name)][0] for name in names]
    return {
        place: replace(agent, text=specs[place][0].text) for place, agent in zip(places, objects.values(), strict=True)
    }


def is_absent(spec: Spec) -> bool:
    """Return whether an agent is an object that the caller has not passed again."""
    return spec.kind.startswith(OBJECT) and getattr(spec, "what", None) is None


def refuse_absent(store: Store, places: Collection[int]) -> None:
    """Raise InputError if any of the agents at these places, which have games left, is an object."""
    absent = {name: kind for name, (place, kind) in _stored(store).items() if place in places}
    if absent:
        raise _absent(absent)


def _absent(objects: Mapping[str, str]) -> InputError:
    """Return the error for missing objects, given their kinds by name."""
    said = " and ".join(f"{name} ({kind[len(OBJECT) :]})" for name, kind in objects.items())
    words = ", ".join(f"{name!r}: …" for name in objects)
    return InputError(f"this run needs {said} of the program that began it: arena.run(resume=…, agents={{{words}}})")


def _stored(store: Store) -> dict[str, tuple[int, str]]:
    """Return the places and kinds of a run's objects, by name."""
    kinds = [spec.kind for spec, _ in store.agents()]
    agents = enumerate(zip(store.names(), kinds, strict=True))
    return {name: (place, kind) for place, (name, kind) in agents if kind.startswith(OBJECT)}


def _definition(what: object) -> Any:  # noqa: ANN401  a class or a function
    """Return the class of an object, or the class or function itself."""
    return what if isinstance(what, type) or hasattr(what, "__qualname__") else type(what)


def _typed(definition: object) -> str | None:
    """Return the source of a class from a notebook, found through its methods; None if it is not available."""
    for method in vars(definition).values() if isinstance(definition, type) else ():
        code = getattr(method, "__code__", None)
        lines = [] if code is None else linecache.getlines(code.co_filename)
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse("".join(lines))):
                if isinstance(node, ast.ClassDef) and node.name == getattr(definition, "__name__", ""):
                    return ast.get_source_segment("".join(lines), node)
    return None


def _listed(slots: str | Iterable[str]) -> Iterable[str]:
    return [slots] if isinstance(slots, str) else slots


def _plain(value: object) -> object:
    """Return a value for JSON: plain values and lists of them, or else the name of the type."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float | str) else type(value).__name__


def _copied(what: object) -> object:
    try:
        return copy.deepcopy(what)
    except Exception:  # noqa: BLE001  copying may raise anything; then the object itself plays
        return what


def _is_object(what: object) -> bool:
    return not isinstance(what, type) and hasattr(what, "choose")
