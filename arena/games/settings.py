"""Checks and converts the arguments of jobs: agents of any kind, positions and boards, numbers and keywords."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypedDict, TypeVar

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
    def call(*given: P.args, **keywords: P.kwargs) -> R:
        refuse_unknown(function.__name__, keywords, names)
        try:
            bound = signature.bind(*given, **keywords)
        except TypeError as error:
            raise InputError(f"{_shown(function.__name__, signature)}: {error}") from None
        for name, value in bound.arguments.items():
            default = signature.parameters[name].default
            of_type(name, value, {name: TRUTH} if isinstance(default, bool) else TYPES, optional=default is None)
        try:
            return function(*given, **keywords)
        except InputError as error:
            raise InputError(_as_keywords(str(error), names)) from error

    return call


def tabled(job: Callable[P, Measured[Any]]) -> Callable[P, pd.DataFrame]:
    """Wrap a job so that it checks its keywords and returns its rows as a table."""

    @functools.wraps(job)
    def call(*given: P.args, **keywords: P.kwargs) -> pd.DataFrame:
        return job(*given, **keywords).frame()

    call.__signature__ = inspect.signature(job).replace(return_annotation="pd.DataFrame")  # type: ignore[attr-defined]
    return checked(call)


def _shown(function: str, signature: inspect.Signature) -> str:
    """Return the call of a function as text, with optional parameters in the form `name=…`."""
    given = [each for each in signature.parameters.values() if each.name != "self"]
    words = [each.name if each.default is each.empty else f"{each.name}=…" for each in given]
    return f"arena.{function}({', '.join(words)})"


def _as_keywords(text: str, known: Collection[str]) -> str:
    """Replace the options of the command line in an error's text by keywords."""

    def keyword(found: re.Match[str]) -> str:
        word = RENAMED.get(found[1], found[1]).replace("-", "_")
        return word if word in known else found[0]

    return re.sub(r"--([a-z][a-z-]*)", keyword, text)


def refuse_unknown(function: str, keywords: Iterable[str], names: Iterable[str]) -> None:
    """Raise InputError for the first keyword that a function does not have."""
    for keyword in keywords:
        if keyword not in set(names):
            raise unknown(f"keyword of arena.{function}", keyword, names)


def of_type(name: str, value: object, types: Mapping[str, Type], *, optional: bool = False) -> None:
    """Raise InputError if a value does not have the type that `types` has for its name; `optional` allows None."""
    wanted, said = types.get(name, ((object,), ""))
    wrong = not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted and object not in wanted)
    if wrong and not (optional and value is None):
        raise InputError(f"{name} is {said}, not {value!r:.80}")


def listed(what: str, given: object, example: object = "greedy") -> list[Any]:
    """Return the items of a list or another iterable. Raises InputError for a single item."""
    if isinstance(given, str | Path) or not isinstance(given, Iterable):
        shown = given if isinstance(given, str) and isinstance(example, str) else example
        raise InputError(f"{what} is a list, as in [{shown!r}], not {given!r:.80}")
    return list(given)


def named(what: str, given: object, example: str) -> list[str]:
    """Return a list of names. Raises InputError for other items, such as functions."""
    found = listed(what, given, example)
    for each in found:
        if not isinstance(each, str):
            raise InputError(f"{what} are names, as in [{example!r}, 'mine.py:function'], not {each!r:.80}")
    return found


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


def specs(agents: object, isolation: Apart | None = None, warn: Warn = warn_caller) -> list[Spec]:
    """Return the specs of agents, with ranges and choices expanded, and folders and rosters read. Raises InputError.

    isolation: settings for agents of files and commands, which have separate processes. warn: called with a line for
    each file of a folder that is left out.
    """
    from arena.games.entrants import entrants

    refuse_unknown("run(isolation=…)", isolation or {}, Apart.__annotations__)
    return entrants(listed("agents", agents), isolation or {}, warn)


def spec(agent: object, isolation: Apart | None = None) -> Spec:
    """Return the spec of one agent. Raises InputError for several."""
    from arena.games.entrants import entrant

    refuse_unknown("run(isolation=…)", isolation or {}, Apart.__annotations__)
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
    return [position_of(each, rules) for each in several]


def depths_of(depth: int | Iterable[int]) -> list[int]:
    """Return a list of depths in plies, given one or more. Raises InputError."""
    found = [depth] if isinstance(depth, int) else listed("depth", depth, 6)
    for each in found:
        whole("depth", each, 1, 64)
    return found


def whole(name: str, value: object, low: int, high: int = 1 << 62) -> int:
    """Return the value, a whole number from `low` to `high`. Raises InputError, with the name, for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        most = "" if high >= 1 << 62 else f" to {high}"
        raise InputError(f"{name} is a whole number from {low}{most}, not {value!r:.80}")
    return value


WHOLE: Type = ((int,), "a whole number")
NUMBER: Type = ((int, float), "a number")
TEXT: Type = ((str,), "a text")
TRUTH: Type = ((bool,), "True or False")
FILE: Type = ((str, Path), "the path of a file")
RENAMED = {"of": "population"}
"""The keywords for options with other names."""
TYPES: dict[str, Type] = {
    **dict.fromkeys(("rounds", "seed", "population", "mebibytes"), WHOLE),
    **dict.fromkeys(("margin", "budget", "limit", "elo0", "elo1", "alpha", "beta"), NUMBER),
    **dict.fromkeys(("openings", "search", "clock", "model", "figure", "cluster", "format", "sprt"), TEXT),
    "include_self": TRUTH,
    **dict.fromkeys(("out", "resume", "path", "compare", "folder"), FILE),
    "pairs": ((list, tuple), "a list of pairs of agents, such as [('greedy', 'random')]"),
    "isolation": ((Mapping,), "a dictionary such as {'patience': 5.0}"),
    "anchor": ((tuple,), "an agent and its rating, such as ('greedy', 0)"),
}
"""The types of keywords in all functions; a keyword with the default True or False takes TRUTH."""

PLAN: dict[str, Type] = {
    "nodes": WHOLE,
    "seconds": NUMBER,
}
"""The types of keywords that other functions also take as lists, but `run` does not."""


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
