"""Checks and converts the arguments of jobs: agents of any kind, positions and boards, numbers and keywords."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar, get_type_hints

from agents.board import Board, Rules
from agents.errors import InputError, unknown
from agents.specs.components import ALIASES
from agents.specs.notation import every
from agents.specs.outline import inspect_source
from arena.table.measured import Measured, Warn, warn_caller

if TYPE_CHECKING:
    import pandas as pd

    from agents.specs.registry import Spec

P = ParamSpec("P")
R = TypeVar("R")
Type = tuple[tuple[type, ...], str]
"""The types that a value may have, and their description."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Wrap a function so that it refuses unknown keywords and values of wrong types with a line."""
    signature = inspect.signature(function)
    names = list(signature.parameters)

    @functools.wraps(function)
    def call(*args: P.args, **keywords: P.kwargs) -> R:
        refuse_unknown(function.__name__, keywords, names)
        try:
            bound = signature.bind(*args, **keywords)
        except TypeError as error:
            raise InputError(f"{_shown(function.__name__, signature)}: {error}") from None
        for name, value in bound.arguments.items():
            text = str(signature.parameters[name].annotation)
            if kind := TYPES.get(text.removesuffix(" | None")):
                of_type(name, value, kind, optional=text.endswith(" | None"))
        try:
            return function(*args, **keywords)
        except InputError as error:
            raise InputError(as_keywords(str(error), names)) from error

    return call


def tabled(job: Callable[P, Measured[Any]]) -> Callable[P, pd.DataFrame]:
    """Wrap a job so that it checks its keywords and returns its rows as a table."""

    @functools.wraps(job)
    def call(*args: P.args, **keywords: P.kwargs) -> pd.DataFrame:
        return job(*args, **keywords).frame()

    call.__signature__ = inspect.signature(job).replace(return_annotation="pd.DataFrame")  # type: ignore[attr-defined]
    return checked(call)


def _shown(function: str, signature: inspect.Signature) -> str:
    """Return the call of a function as text, with optional parameters in the form `name=…`."""
    parameters = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
    words = [
        parameter.name if parameter.default is parameter.empty else f"{parameter.name}=…" for parameter in parameters
    ]
    return f"arena.{function}({', '.join(words)})"


def as_keywords(text: str, keywords: Collection[str] | None = None) -> str:
    """Replace the options of the command line in an error's text by keywords, all or those in `keywords`."""

    def keyword(match: re.Match[str]) -> str:
        word = match[1].replace("-", "_")
        return word if keywords is None or word in keywords else match[0]

    return re.sub(r"--([a-z][a-z-]*)", keyword, text)


def refuse_unknown(function: str, keywords: Iterable[str], names: Iterable[str]) -> None:
    """Raise InputError for the first keyword that a function does not have."""
    for keyword in keywords:
        if keyword not in set(names):
            raise unknown(f"keyword of arena.{function}", keyword, names)


def of_type(name: str, value: object, kind: Type, *, optional: bool = False) -> None:
    """Raise InputError if a value does not have this type; `optional` allows None."""
    wanted, description = kind
    wrong = not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted)
    if wrong and not (optional and value is None):
        raise InputError(f"{name} is {description}, not {value!r:.80}")


def listed(what: str, items: object, example: object = "greedy") -> list[Any]:
    """Return the items of a list or another iterable. Raises InputError for a single item."""
    if isinstance(items, str | Path) or not isinstance(items, Iterable):
        shown = items if isinstance(items, str) and isinstance(example, str) else example
        raise InputError(f"{what} is a list, as in [{shown!r}], not {items!r:.80}")
    return list(items)


def named(what: str, names: object, example: str) -> list[str]:
    """Return a list of names. Raises InputError for other items, such as functions."""
    items = listed(what, names, example)
    for name in items:
        if not isinstance(name, str):
            raise InputError(f"{what} are names, as in [{example!r}, 'mine.py:function'], not {name!r:.80}")
    return items


class Apart(TypedDict, total=False):
    """Settings for agents of files and commands, see `arena.games.isolation.Isolation`."""

    patience: float
    """Seconds to start, and for a move without a limit; 60 by default."""
    memory: int
    """Megabytes of each process; 1024 by default."""
    sandbox: bool
    """Whether they have no network, and no files but the system's and their own."""
    everyone: bool
    """Whether built-in agents have separate processes as well."""
    nobody: bool
    """Whether agents of files play in the arena's processes."""
    debug: str
    """A file to append all lines sent and received to."""


def check_isolation(function: str, isolation: Mapping[str, object] | None) -> None:
    """Raise InputError for a setting of process agents that does not exist or has another type."""
    types = get_type_hints(Apart)
    refuse_unknown(f"{function}(isolation=…)", isolation or {}, types)
    for name, value in (isolation or {}).items():
        of_type(name, value, TYPES[types[name].__name__])


def specs(agents: object, isolation: Apart | None = None, warn: Warn = warn_caller) -> list[Spec]:
    """Return the specs of agents, with ranges and choices expanded, and folders and rosters read. Raises InputError.

    isolation: settings for agents of files and commands, which have separate processes. warn: called with a line for
    each file of a folder that is left out.
    """
    from arena.games.entrants import entrants

    check_isolation("run", isolation)
    return entrants(listed("agents", agents), isolation or {}, warn)


def spec(agent: object, isolation: Apart | None = None) -> Spec:
    """Return the spec of one agent. Raises InputError for several."""
    from arena.games.entrants import entrant

    check_isolation("run", isolation)
    return entrant(agent, isolation or {})


def rules_of(rules: Rules | str) -> Rules:
    """Return rules, given as such or as a text such as "8x7x4" or "most-fours". Raises InputError."""
    if isinstance(rules, str):
        return Rules.parse(rules)
    if not isinstance(rules, Rules):
        raise InputError(f"rules is a text such as '8x7x4' or agents.board.Rules(8, 7, 4), not {rules!r:.80}")
    return rules


def board_of(position: Board | str, rules: Rules | str) -> Board:
    """Return a position, given as such or as the text of its moves. Raises InputError."""
    if isinstance(position, Board):
        return position
    if not isinstance(position, str):
        raise InputError(f"a position is the text of its moves, such as '4453', or a Board, not {position!r:.80}")
    from arena.games import notation

    return notation.moves(position, rules_of(rules))


def position_of(position: Board | str, rules: Rules | str) -> Board:
    """Return a position, as a Board or as text in any form of `arena.games.notation`. Raises InputError."""
    from arena.games import notation

    return notation.position(position, rules_of(rules)) if isinstance(position, str) else board_of(position, rules)


def boards_of(positions: Board | str | Sequence[Board | str], rules: Rules | str) -> list[Board]:
    """Return a list of positions, given one or more. Raises InputError."""
    several = [positions] if isinstance(positions, str | Board) else listed("positions", positions, "4453")
    return [position_of(position, rules) for position in several]


def depths_of(depth: int | Iterable[int]) -> list[int]:
    """Return a list of depths in plies, given one or more. Raises InputError."""
    depths = [depth] if isinstance(depth, int) else listed("depth", depth, 6)
    for plies in depths:
        whole("depth", plies, 1, 64)
    return depths


MOST = 1 << 62
"""The largest number of anything, and the largest seed."""


def whole(name: str, value: object, low: float, high: float = MOST) -> int:
    """Return the value, a whole number from `low` to `high`. Raises InputError, with the name, for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        most = "" if high >= MOST else f" to {high}"
        raise InputError(f"{name} is a whole number from {low}{most}, not {value!r:.80}")
    return value


def number(name: str, value: float, low: float, high: float) -> None:
    """Raise InputError, with the name, for a number that is not from `low` to `high`."""
    if not low <= value <= high:
        raise InputError(f"{name} is a number from {low:g} to {high:g}, not {value}")


WHOLE: Type = ((int,), "a whole number")
NUMBER: Type = ((int, float), "a number")
TEXT: Type = ((str,), "a text")
TRUTH: Type = ((bool,), "True or False")
FILE: Type = ((str, Path), "the path of a file")
TYPES: dict[str, Type] = {
    "int": WHOLE,
    "float": NUMBER,
    "str": TEXT,
    "bool": TRUTH,
    "str | Path": FILE,
    "Sequence[tuple[str, str]]": ((list, tuple), "a list of pairs of agents, such as [('greedy', 'random')]"),
    "Apart": ((Mapping,), "a dictionary such as {'patience': 5.0}"),
    "tuple[str, float]": ((tuple,), "an agent and its rating, such as ('greedy', 0)"),
}
"""What the annotations of keywords stand for; `| None` behind one also allows None."""


def heuristics_of(names: Sequence[str]) -> list[str]:
    """Return the names of heuristics, with all functions of `own` and `opp` in the place of a file's name.

    Raises InputError for a file without one.
    """
    return [heuristic for name in every(names) for heuristic in _of_file(name)]


def _of_file(name: str) -> list[str]:
    if not name.endswith(".py") or not Path(name).is_file():
        return [ALIASES.get(name, name)]
    functions = inspect_source(Path(name)).heuristics
    if not functions:
        raise InputError(f"{name} has no heuristic: no function of own and opp")
    return [f"{name}:{function}" for function in functions]
