"""The columns of all tables as a page, `docs/tables.md`."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields
from typing import Any

from arena.comparison.ratings import HeuristicDuel, HeuristicStrength
from arena.depth.agreement import AtDepth
from arena.depth.cost import Cost, CountedCost
from arena.perfect.grading import Grade
from arena.perfect.kept import AgentAudit, RangeAudit
from arena.perfect.scored import ScoredPosition
from arena.position.position import Divided, Tried, Value
from arena.records import Interval
from arena.table.rows import Column, Whole, always, described
from arena.tournament.effort import Effort, Phase
from arena.tournament.faults import LostGames
from arena.tournament.pairings import Duel
from arena.tournament.rounds import Met, Opening
from arena.tournament.standings import Crossing, Standing
from arena.tournament.stored import STORED
from arena.tournament.sweep import Swept


def _of_plugin(table: str, module: str, row: str) -> dict[str, type]:
    """Return a plugin's table with the class of its rows; no table where the plugin's folder is deleted."""
    name = f"arena.plugins.{module}"
    there = importlib.util.find_spec(name.rpartition(".")[0])
    return {table: getattr(importlib.import_module(name), row)} if there else {}


RUN: dict[str, type] = {
    "standings": Standing,
    "crosstable": Crossing,
    "rounds": Met,
    "effort": Effort,
    "phases": Phase,
    "sweep": Swept,
    **_of_plugin("models", "language.models", "Model"),
    "pairings": Duel,
    "audit": AgentAudit,
    "ranges": RangeAudit,
    **STORED,
}
"""The row classes of a run's tables, which `arena show --table` prints, by table name."""
OTHERS: dict[str, type] = {
    "arena depths": Cost,
    "arena depths --why": CountedCost,
    "arena compare: ratings": HeuristicStrength,
    "arena compare: pairings": HeuristicDuel,
    **_of_plugin("arena diff", "diff.difference", "Change"),
    "arena grade": Grade,
    "arena solve --random": ScoredPosition,
    **_of_plugin("arena tune: sets", "tune.tuning", "Held"),
    "arena eval": Value,
    "arena order": Tried,
    "arena perft --divide": Divided,
    "arena verify MINIMAX ALPHABETA": AtDepth,
    "arena report: openings": Opening,
    "arena report: faults": LostGames,
    **_of_plugin("arena rate", "counts.tables", "Rating"),
    **_of_plugin("arena assignment: hand-ins", "assignment.marks", "HandIn"),
    **_of_plugin("arena assignment: marks", "assignment.marks", "Mark"),
    **_of_plugin("arena assignment: blunders", "explain.blunders", "Blundered"),
    **_of_plugin("arena explain", "explain.explain", "Explanation"),
    **_of_plugin("arena study: claims", "study.claims", "Verdict"),
    **_of_plugin("arena study: differences", "study.differences", "Difference"),
}
"""The row classes of other commands' tables."""
INTRODUCTION = """# Tables and their columns

Columns have these names in CSV, JSON and DataFrames. A missing value is empty in CSV, null in JSON and pd.NA in a
DataFrame, which uses the nullable types Int64, Float64, string and boolean, also in empty tables. Nodes that an agent
did not report are missing in `Result.moves` and `Result.searches`. A share lies between 0 and 1; columns of the board
count from 1.

"On the screen" has the header of a column and how it shows a sample: 0.4375 for a share, 1234 for a number of games.
Some columns are shown only if a row has a value (known) or one that is not 0 or no (any), if the values differ
(varied), or if there are several rows. What has no header is for programs only.

The JSON of a measurement or of a random draw also has `meta`: the `version` of this program, the `versions` of its
libraries, the `machine`, the `seed` (null if nothing was drawn), the `command`, and the `load`: the number of `cores`,
and the processor time that other programs used meanwhile. If the document is an object, `meta` is one of its keys; if
it is a list, as for `depths` and `grade`, every row has the same `meta`. In DataFrames from Python functions
it is `.attrs["meta"]`.

Two clocks time a move. The referee's clock times the whole call of the agent; standings, pairings, moves, grades,
`arena move` and `arena depths` use it. The search's own clock starts inside the call; effort, phases and searches use
it, or the referee's clock for an agent that reports no depths. The call itself takes about 10 to 20 µs within a process
and more for a process agent. In a short search that is most of the time: `arena depths` marks such times with a star.
"""


def columns_page(kinds: Mapping[str, type]) -> str:
    """Return a page with a table for each row class: name, looks, type, unit and meaning of its columns."""
    return "\n".join([INTRODUCTION, *(_section(name, row) for name, row in kinds.items())])


def _section(name: str, row: type) -> str:
    looks = {name: look for field in fields(row) for name, look in _looks(field)}
    lines = [
        f"## {name}",
        "",
        str(row.__doc__).splitlines()[0],
        "",
        "| column | on the screen | type | unit | meaning |",
        "|---|---|---|---|---|",
    ]
    for column in described(row):
        look, type_ = looks.get(column.name, ""), column.type.replace(" | ", " or ")
        cells = (f"`{column.name}`", look, type_, column.unit, column.meaning)
        lines.append(" | ".join(["", *(cell.replace("|", "\\|") for cell in cells), ""]).strip())
    return "\n".join([*lines, ""])


SAMPLES = {"share": 0.4375, "seconds": 0.04375, "ratio": 4.375}
"""Sample values by units."""


def _looks(field: Field[Any]) -> Iterator[tuple[str, str]]:
    """Yield the columns of a field that are shown: the name, and how it looks."""
    data = field.metadata
    prefix = f"{field.name}_" if data["prefix"] is None else data["prefix"]
    outcomes = str(field.type).startswith("Outcomes")
    if data["column"]:
        yield f"{prefix}wins" if outcomes else field.name, _look(data["column"], field)
    if data["ends"]:
        yield f"{prefix}low", _look(data["ends"], field)


def _look(column: Column, field: Field[Any]) -> str:
    """Return a column's header, a sample where it takes a number, and the condition on which it is shown."""
    condition = "" if column.when is always else f" (if {column.when.__name__})"
    return f"{column.header}{_sample(column, field)}{condition}"


def _sample(column: Column, field: Field[Any]) -> str:
    kind, size = str(field.type).removesuffix(" | None"), SAMPLES.get(field.metadata["unit"], 43.75)
    values = {
        "int": 1234,
        "float": size,
        "bool": True,
        "Interval": Interval(size, size / 2, size * 2) if isinstance(column.of, Whole) else size,
    }
    if kind not in values:
        return ""
    try:
        written = column.write(values[kind], True) if column.beside else column.write(values[kind])
    except (AttributeError, KeyError, TypeError):  # of a few values, or together with another column
        return ""
    return f": {written}"
