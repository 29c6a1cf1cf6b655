"""The columns of all tables as a page, `docs/tables.md`."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping

from arena.comparison.ratings import HeuristicDuel, HeuristicStrength
from arena.depth.agreement import AtDepth
from arena.depth.cost import Cost, CountedCost
from arena.perfect.grading import Grade
from arena.perfect.kept import AgentAudit, RangeAudit
from arena.perfect.scored import ScoredPosition
from arena.position.position import Divided, Tried, Value
from arena.table.rows import described
from arena.tournament.effort import Effort, Phase
from arena.tournament.pairings import Duel
from arena.tournament.rounds import Met
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
}
"""The row classes of other commands' tables."""
INTRODUCTION = """# Tables and their columns

Columns have these names in CSV, JSON and DataFrames. A missing value is empty in CSV, null in JSON and pd.NA in a
DataFrame, which uses the nullable types Int64, Float64, string and boolean, also in empty tables. Nodes that an agent
did not report are missing in `Result.moves` and `Result.searches`. A share lies between 0 and 1; columns of the board
count from 1.

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
    """Return a page with a table for each row class: name, type, unit and meaning of its columns."""
    return "\n".join([INTRODUCTION, *(_section(name, row) for name, row in kinds.items())])


def _section(name: str, row: type) -> str:
    lines = [
        f"## {name}",
        "",
        str(row.__doc__).splitlines()[0],
        "",
        "| column | type | unit | meaning |",
        "|---|---|---|---|",
    ]
    for each in described(row):
        cells = (f"`{each.name}`", each.type.replace(" | ", " or "), each.unit, each.meaning)
        lines.append(" | ".join(["", *(cell.replace("|", "\\|") for cell in cells), ""]).strip())
    return "\n".join([*lines, ""])
