"""Agents that a program hands over as they are: a class, a function or an object, in place of a spec."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from dataclasses import dataclass
from typing import Any, cast

from agents.agent import Agent
from agents.errors import InputError
from agents.remote.limits import Source
from agents.remote.load import shaped
from agents.specs.plugins import aside, one_line
from agents.specs.registry import Spec


@dataclass(frozen=True, slots=True)
class ObjectAgent(Spec):
    """An agent that exists already, or the class or function that makes it: the caller's own code, and no stranger."""

    what: Any = None

    @classmethod
    def of(cls, what: object) -> ObjectAgent:
        """Return it under its `name`, if it has one of its own, or that of its class. Raises InputError if it is none.

        An agent has a method `choose(board, limits)` or `choose(board)`; a function takes the board.
        """
        if not callable(getattr(what, "choose", what)):
            raise InputError(
                f"{what!r:.80} is no agent: that is a spec such as 'greedy', or a class or an object with a method "
                f"choose(board, limits)"
            )
        kind = getattr(what, "__name__", type(what).__name__)
        name = getattr(what, "name", None)
        plain = isinstance(name, str) and re.fullmatch(r"[\w .+-]{1,80}", name)
        return cls(cast("str", name) if plain else kind, kind, {}, what)

    def build(self) -> Agent:
        """Return a new agent; of an object a copy, if it can be had, which no game changes. Raises InputError."""
        what = self.what
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
        home = sys.modules["__main__"]
        own = self.what if isinstance(self.what, type) or not _is_object(self.what) else type(self.what)
        if getattr(own, "__module__", "") == "__main__" and not hasattr(home, "__file__"):
            return False  # it was typed, as in a notebook: the other process would have no file to find it in
        try:
            pickle.dumps(self.what)
        except Exception:  # noqa: BLE001  whatever an object does when it is pickled
            return False
        return True


def _copied(what: object) -> object:
    try:
        return copy.deepcopy(what)
    except Exception:  # noqa: BLE001  whatever an object does when it is copied; then it plays itself
        return what


def _is_object(what: object) -> bool:
    return not isinstance(what, type) and hasattr(what, "choose")
