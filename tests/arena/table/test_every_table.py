"""The columns of the tables that people read: header, cell, where shown, when left out, and what it means."""

from dataclasses import fields, replace
from types import SimpleNamespace

import pytest

from arena.comparison.ratings import HeuristicDuel, HeuristicStrength
from arena.comparison.tables import HEURISTIC_RATINGS, PAIRINGS
from arena.depth.agreement import AtDepth
from arena.depth.cost import Cost, CountedCost
from arena.depth.tables import AGREEMENT, COUNTED_DEPTHS, DEPTHS
from arena.page.page import FAULTS, OPENINGS
from arena.perfect.grading import Grade
from arena.perfect.kept import AgentAudit
from arena.perfect.tables import GRADES, KEPT, THROWN
from arena.position.position import Divided, Tried, Value
from arena.position.tables import DIVIDED, ORDERS, VALUES
from arena.records import Interval, Outcomes
from arena.table.parts import cells
from arena.table.rows import always
from arena.tournament.effort import Effort, Phase
from arena.tournament.effort_tables import EFFORT, PHASES
from arena.tournament.faults import LostGames
from arena.tournament.pairing_tables import DUELS
from arena.tournament.pairings import Duel
from arena.tournament.rounds import Met, Opening
from arena.tournament.standings import Standing
from arena.tournament.sweep import Swept
from arena.tournament.tables import ROUNDS, STANDINGS, SWEEP

SAMPLES = {
    "int": 1234, "float": 1234.5678, "str": "text", "bool": True, "Interval": Interval(12.345, 2.25, 20.75),
    "Outcomes": Outcomes(3, 1, 2), "tuple[int, int, int, int, int]": (5, 4, 3, 2, 1), "tuple[int, ...]": (3, 1),
}  # fmt: skip
"""What a field of a type holds."""
TABLES = {
    "standings": (Standing, STANDINGS, """
# | 1 | always 0
agent | <text> | always 0
Elo | +12 * | known 0 | * where all
95 % | +2 … +21 | known 0 | range that probably
behind | 12 [2 … 21] | known 4 | Elo below the
sure % | 99.9 | known 3 | how sure it
points | 1234.6 | always 6
score | 123456.8 % | always 0
games | 1234 | varied 0
W-D-L | 3-1-2 | always 5
as first | 3-1-2 | always 7
as second | 3-1-2 | always 7
nodes | 1,235 | always 1 | mean of a
ms | 12.3 ± 8.4 | always 2 | mean time of
faults | 1234 | any 0
"""),
    "rounds": (Met, ROUNDS, """
round | 1234 | always 0
agent | <text> | always 0
points | 1234.6 | always 0
points | 1234.6 | always 0
against | <text> | always 0
pairs | 1234 | always 1
"""),
    "sweep": (Swept, SWEEP, """
agent | <text> | always 0
value | 1,234.5678 | always 0
Elo | +12 * | always 0
95 % | +2 … +21 | always 0
step | +12 [2 … 21] | known 0 | Elo from the
nodes/move | 1,235 | always 0
"""),
    "effort": (Effort, EFFORT, """
agent | <text> | always 0
depth | > 234 | always 0
searches | 1,234 | always 2
nodes | 1,235 | always 0
median | 1,235 | always 1
ms | 12.3 ± 8.4 | always 0 | mean time of
nodes/s | 1.2 k | always 0
branching | 1234.57 | always 0 | moves tried per
a ply × | 12.35 | known 1 | nodes over those
95 % | 2.25 … 20.75 | known 1 | of the column
"""),
    "phases": (Phase, PHASES, """
agent | <text> | always 0
depth | 1234 | always 0
phase | text | always 0
searches | 1,234 | always 0
nodes | 1,235 | always 0
ms | 12.3 ± 8.4 | always 0 | mean time of
"""),
    "pairings": (Duel, DUELS, """
agent | <text> | always 0
against | <text> | always 0
LL-LD-even-WD-WW | 5-4-3-2-1 | always 4
score | 123456.8 % | always 0
Elo | 12 | always 0 | by how much
95 % | +2 … +21 | always 0 | range that probably
nElo | 1235 | always 5 | the same in
sure % | 99.9 | always 0 | how sure it
Holm | yes | several 1 | whether a difference
games | 1234 | always 2
distinct | 1234 | always 3
"""),
    "openings": (Opening, OPENINGS, """
opening | text | always 0
with perfect play | second player wins | always 0
games | 1234 | always 0
first wins | 1234 | always 0
draws | 1234 | always 0
second wins | 1234 | always 0
first player's score | 123456.8 % | always 0
"""),
    "faults": (LostGames, FAULTS, """
agent | <text> | always 0
games | 1234 | always 0
termination | text | always 0
what the referee said | text | always 0
"""),
    "compared": (HeuristicStrength, HEURISTIC_RATINGS, """
at | text | always 0
heuristic | <text> | always 0
Elo | +12 * | always 0
95 % | +2 … +21 | always 0 | range that probably
score | 123456.8 % | always 0
games | 1,234 | always 2
distinct | 1,234 | always 3
nodes | 1,235 | always 1 | mean of a
ms | 12.3 ± 8.4 | always 0 | mean time of
faults | 1234 | any 0
kept | 123456.8 % | known 0
"""),
    "pairings of heuristics": (HeuristicDuel, PAIRINGS, """
at | text | always 0
heuristic | <text> | always 0
against | <text> | always 0
score | 123456.8 % | always 0
Elo | 12 | always 0 | by how much
95 % | +2 … +21 | always 0 | range that probably
sure % | 99.9 | always 1 | how sure it
Holm | yes | several 1 | whether a difference
pairs | 1234 | always 2
distinct | 1234 | always 3
nodes × | 1234.57 | always 1 | the first's over
time × | 12.35 | always 0
95 % | 2.25 … 20.75 | always 1
"""),
    "depths": (Cost, DEPTHS, """
agent | <text> | always 0
position | text | any 0
depth | 1234 | always 0
states | 1,235 | always 0 skipped
time | 12.3 s * | always 0 | median time of
states/s | 1.2 k * | always 0
of minimax | 123456.8 % | always 0
branching | 1234.57 | always 1 | moves tried per
a ply × | 12.35 | known 1 | nodes over those
95 % | 2.25 … 20.75 | known 1 | of the column
move | 1234 | known 3
score | 1234 | known 2
"""),
    "depths with counts": (CountedCost, COUNTED_DEPTHS, """
agent | <text> | always 0
position | text | any 0
depth | 1234 | always 0
states | 1,235 | always 0 skipped
time | 12.3 s * | always 0 | median time of
states/s | 1.2 k * | always 0
of minimax | 123456.8 % | always 0
cut | 123456.8 % | always 0
by the first | 123456.8 % | always 0
branching | 1234.57 | always 1 | moves tried per
a ply × | 12.35 | known 1 | nodes over those
95 % | 2.25 … 20.75 | known 1 | of the column
move | 1234 | known 3
score | 1234 | known 2
"""),
    "agreement": (AtDepth, AGREEMENT, """
depth | 1234 | always 0
positions | 1234 | always 1
same value | 1234 | always 0
same move | 1234 | always 0
reference's nodes | 1,234 | always 0
its nodes | 1,234 | always 0
share | 123456.8 % | always 0
"""),
    "audit": (AgentAudit, KEPT, """
agent | <text> | always 0
moves | 1,234 | always 3
kept | 1234.5 % | always 0
95 % | 225.0 … 2075.0 | always 4 | range that probably
by chance | 123456.8 % | always 2 | what random moves
clear-cut | 1,234 | always 1 | positions where some
of these kept | 1234.5 % | always 0
95 % | 225.0 … 2075.0 | always 0 | range that probably
by chance | 123456.8 % | always 0
"""),
    "thrown away": (AgentAudit, THROWN, """
agent | <text> | always 0
games | 1234 | always 0
wins | 1234 | always 0
draws | 1234 | always 0
blundering games | 1234 | always 0
first ply: median | 1234.6 | always 2
mean | 1234.6 | always 2
won games | 1234 | always 1
lost after all | 1234 | always 1
"""),
    "grades": (Grade, GRADES, """
agent | <text> | always 0
depth | 1234 | known 0
good | 1234.5 % | always 1
perfect | 1234.5 % | always 2
clear-cut good | 1234.5 % | always 0 | kept the win
95 % | 225.0 … 2075.0 | always 0
clear-cut perfect | 1234.5 % | always 3 | won soonest or
gain, 95 % | +225.0 … +2075.0 | known 0
nodes | 1,235 | always 0
ms | 12,345 ± 8,405 | always 0
no legal reply | 1,234 | known 0
"""),
    "values": (Value, VALUES, """
position | text | always 0
heuristic | <text> | always 0
mover | 1234 | always 0
first | 1234 | always 0
"""),
    "orders": (Tried, ORDERS, """
position | text | always 0
ordering | <text> | always 0
columns | 3 1 | always 0
scores | 3 1 | always 0
"""),
    "divided": (Divided, DIVIDED, """
column | 1234 | always 0
sequences | 1,234 | always 0
nodes | 1,234 | always 0
"""),
}  # fmt: skip


def said(kind, column):
    """Return a column as a line: header, cell, where shown and when left out, the note's first words."""
    values = {field.name: SAMPLES[str(field.type).removesuffix(" | None")] for field in fields(kind)}
    row = kind(**values | ({"worth": -1} if "worth" in values else {}))
    [shown] = cells([row], [replace(column, when=always)], SimpleNamespace(of="<{}>".format))
    where = f"{column.when.__name__} {column.least} {column.missing}".removesuffix(" -")
    meaning = " ".join(column.note.split()[:3])
    return f"{column.header} | {shown.cells[0]} | {where} | {meaning}".removesuffix(" | ")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_these_columns(name):
    kind, columns, lines = TABLES[name]
    assert [said(kind, column) for column in columns] == lines.strip().splitlines()
