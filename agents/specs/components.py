"""The names of all heuristics and orderings; listing them imports none of their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents.errors import InputError
from agents.specs.notation import call
from agents.specs.plugins import must_be_known


@dataclass(frozen=True, slots=True)
class Component:
    """The row of a heuristic or an ordering."""

    where: str
    """`module:function`: the function itself, or a factory that takes Rules and weights and returns the function."""
    summary: str
    source: str
    weights: tuple[str, ...] | None = None
    """None if `where` is the function itself; otherwise the names of the factory's weights."""


def checked_name(kind: str, text: str) -> str:
    """Return the text if it names a `kind`, "heuristic" or "ordering", and the name of what it is another name of.

    Raises InputError for other texts. Imports nothing.
    """
    text = ALIASES.get(text, text)
    part = call(text)
    must_be_known(kind, part.name, TABLES[kind])
    row = TABLES[kind].get(part.name)
    if row is not None and row.weights and not part.parentheses:
        raise InputError(f"{kind} {text!r} needs its weights: {signature(text, row)}")
    if row is not None and not row.weights and part.parentheses:
        raise InputError(f"{kind} {part.name!r} takes no weights")
    return text


def refuse_part(text: str) -> None:
    """Raise InputError if the text names a heuristic or an ordering; the message shows an agent that uses it."""
    for part, said, key in (("heuristic", "a heuristic", "heuristic"), ("ordering", "an ordering", "order")):
        if text.partition("(")[0] in TABLES[part]:
            raise InputError(f"{text!r} is {said} and no agent: alphabeta:{key}={text} searches with it")


def signature(name: str, row: Component) -> str:
    """Return a name with its weights, such as "windows(one,two,three,four)"."""
    return f"{name}({','.join(row.weights)})" if row.weights else name


def complete(table: Mapping[str, Component]) -> list[str]:
    """Return the names that need no weights."""
    return [name for name, row in table.items() if not row.weights]


_MOLLERHOJ = 'Møllerhøj, "Connect 4 AI in Ruby", 2013'
_SMART = 'Kotp, Mohammed, Farid, "Smart Connect4", 2022'

HEURISTICS: dict[str, Component] = {
    "powers-of-ten": Component(
        "agents.heuristics.windows:powers_of_ten",
        "1, 10, 100, 1000 for one to four discs in a window without the other side's",
        _MOLLERHOJ,
        (),
    ),
    "windows": Component(
        "agents.heuristics.windows:make",
        "these weights, as many as a line has cells, in place of 1, 10, 100, 1000",
        _MOLLERHOJ,
        ("one", "two", "three", "four"),
    ),
    "smart-aware": Component(
        "agents.heuristics.smart:smart_aware",
        "also named 40-17-15-4-2: 40, 15, 2 for four, three, two discs in a window, 2 more if it can be filled now, "
        "-13 for a blocked three",
        _SMART,
        (),
    ),
    "aware": Component(
        "agents.heuristics.smart:make",
        "these weights in place of 40, 17, 15, 4, 2, 13; _now where the window can be filled now",
        _SMART,
        ("four", "three_now", "three", "two_now", "two", "blocked"),
    ),
    "smart-simple": Component(
        "agents.heuristics.smart:smart_simple",
        "4, 3, 2 for four, three, two discs in a window without the other side's, -1 for a blocked three",
        _SMART,
        (),
    ),
    "line-runs": Component(
        "agents.heuristics.line_runs:make",
        "1, 11, 111 for one to three discs in a chunk of four free cells, chunks of a line not overlapping",
        'the text of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012',
        (),
    ),
    "line-runs-published": Component(
        "agents.heuristics.line_runs_published:make",
        "the same as published: marks outlive a broken run, diagonals miss column 7; 7x6 only",
        'the program of Gray, Sivertsen, Groes, "Connect Four", ITU Copenhagen, 2012',
        (),
    ),
    "parity": Component(
        "agents.heuristics.parity:parity",
        "the strongest here: open windows, and threats by who will be made to play below them; weights fitted to "
        "solved positions",
        'this project, after Allis, "A Knowledge-based Approach of Connect-Four", 1988',
        (),
    ),
    "zugzwang": Component(
        "agents.heuristics.parity:make",
        "parity with these weights in place of 16, 50, 26, 216, 140, 66, 18, 173, 5000",
        'this project, after Allis, "A Knowledge-based Approach of Connect-Four", 1988',
        ("one", "two", "three", "low", "high", "other", "control", "forced", "decided"),
    ),
    "zero": Component("agents.heuristics.zero:evaluate", "0 everywhere: nothing but finished games", "this project"),
}

ORDERINGS: dict[str, Component] = {
    "left-to-right": Component("agents.orderings.static:left_to_right", "1, 2, 3, …", "the order of writing", ()),
    "centre": Component(
        "agents.orderings.static:centre",
        "from the middle outwards, left before right: 4, 3, 5, 2, 6, 1, 7",
        f"{_SMART}, and many others",
        (),
    ),
    "column-score": Component(
        "agents.orderings.column_score:make",
        "runs of discs around the landing cell, the n-th disc worth n * 10**n, own ones twice",
        'the text of O\'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024',
        (),
    ),
    "column-score-published": Component(
        "agents.orderings.column_score:make_published",
        "the same as published: also runs of empty cells on the diagonals",
        'the program of O\'Neil et al., "Minimax Algorithm for the Connect Four Game", 2024',
        (),
    ),
    "open-windows": Component(
        "agents.orderings.open_windows:make",
        "wins, then blocks, then windows through the landing cell that only one side has discs in",
        "this project: at depth 10 it visits a seventh of the nodes that the order from the centre does",
        (),
    ),
}

ALIASES = {"40-17-15-4-2": "smart-aware"}
"""Other names of heuristics."""
TABLES: dict[str, dict[str, Component]] = {"heuristic": HEURISTICS, "ordering": ORDERINGS}
