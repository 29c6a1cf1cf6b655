"""The columns of all tables as a page: `docs/tables.md` and the `columns.md` of each export."""

from __future__ import annotations

from collections.abc import Mapping

from arena.analysis.audit import AgentDistance, RangeAudit
from arena.analysis.comparison import HeuristicDuel, HeuristicStrength, Swept
from arena.analysis.difference import Change
from arena.analysis.effort import Effort, Phase, ProfiledEffort
from arena.analysis.pairings import Duel
from arena.analysis.pool import Averaged
from arena.analysis.regret import Regret
from arena.analysis.rounds import Met, Neighbours
from arena.analysis.standings import Crossing, Standing
from arena.analysis.stored import STORED
from arena.measure.agreement import AtDepth
from arena.measure.bench import Slowdown, Speed
from arena.measure.benchmark import Benchmarked
from arena.measure.depths import Cost, ProfiledCost
from arena.measure.grading import Grade, StageGrade
from arena.measure.label import Label
from arena.measure.position import Divided, Tried, Value
from arena.measure.tuning.confirmation import Match
from arena.report.tables.quality import Line
from arena.rows import described

RUN: dict[str, type] = {
    "standings": Standing,
    "crosstable": Crossing,
    "rounds": Met,
    "order": Neighbours,
    "effort": Effort,
    "phases": Phase,
    "sweep": Swept,
    "pairings": Duel,
    "audit": AgentDistance,
    "ranges": RangeAudit,
    **STORED,
}
"""The kinds of rows of a run's tables, which `arena export` writes, by the names of the tables."""
OTHERS: dict[str, type] = {
    "arena depths": Cost,
    "arena depths --why": ProfiledCost,
    "arena run --why: effort": ProfiledEffort,
    "arena compare: ratings": HeuristicStrength,
    "arena compare: pairings": HeuristicDuel,
    "arena diff": Change,
    "arena grade": Grade,
    "arena grade --stages": StageGrade,
    "arena benchmark": Benchmarked,
    "arena label": Label,
    "arena tune: sets": Line,
    "arena tune: games": Match,
    "arena rate --nash": Averaged,
    "arena show --regret": Regret,
    "arena eval": Value,
    "arena order": Tried,
    "arena perft --divide": Divided,
    "arena verify MINIMAX ALPHABETA": AtDepth,
    "arena bench": Speed,
    "arena bench --compare": Slowdown,
}
"""Kinds of rows of other commands' tables."""
INTRODUCTION = """# Tables and their columns

Columns have these names in CSV, JSON and DataFrames. A missing value is empty in CSV, null in JSON and pd.NA in a
DataFrame, where int, float, str and bool are the nullable types Int64, Float64, string and boolean, in empty tables as
well. Nodes that an agent did not report are missing in `Result.moves` and `Result.searches`. A share lies between 0 and
1; columns of the board count from 1.

What `--json` prints of a measurement or a random draw also has `meta`: the `version` of this program, the `versions` of
what it runs on, the `machine`, the `seed` (null where nothing was drawn), the `command` and the `load`: of how many
`cores`, and the processor time that other programs used meanwhile. A document that is an object has it as a key; where
it is a list, as those of `depths`, `grade` and `bench`, all rows have the same. The DataFrames of the Python functions
have it as `.attrs["meta"]`.

Two clocks time a move. The referee's clock times the whole call of the agent: it is the clock of standings, pairings,
moves, grades, `arena move` and `arena depths`. The search's own clock starts inside the call: it is the clock of
effort, phases and searches; the referee's stands in where an agent reports no depths. The two differ by the call, some
10 to 20 µs within a process and more for a remote agent. That is most of a short search: `arena depths` marks such a
time with a star. `arena bench` takes the processor's clock.
"""


def columns_page(kinds: Mapping[str, type]) -> str:
    """Return a page with a table for each kind of row: name, type, unit and meaning of its columns."""
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
