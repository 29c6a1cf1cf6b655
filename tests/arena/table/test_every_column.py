"""Every column of every kind of table: its header, how its cells are written, and where it is left out."""

import dataclasses

import pytest

from arena.records import Interval, Outcomes
from arena.table import rows
from arena.table.parts import cells

from .kinds import KINDS, homes

NUMBERS = {"int": (1234, 1), "float": (0.12345, 12345.678), "str": ("a(1):depth=2", "random"), "bool": (True, False),
           "Interval": (Interval(0.12345, -0.05, 0.4567), Interval(123.456, None, 234.5)),
           "Outcomes": (Outcomes(3, 1, 12), Outcomes(0, 20, 3)), "tuple[str, ...]": (("a", "b"), ("c",)),
           "tuple": ((3, 1, 2), (4,))}  # fmt: skip
"""Two values of each type of a field."""
COLUMNS = {
    "HeuristicAtLevel": """
at
heuristic""",
    "HeuristicStrength": """
… HeuristicAtLevel
… Strength
distinct; 1,234, 1; least 3
kept; 12.3 %, 1234567.8 %; known""",
    "Opponents": """
at
heuristic
against""",
    "HeuristicDuel": """
… Opponents
… Meeting""",
    "AtDepth": """
depth; 1234, 1
positions; 1234, 1; least 1
same value; 1234, 1
same move; 1234, 1
reference's nodes; 1,234, 1
its nodes; 1,234, 1
share; 12.3 %, 1234567.8 %""",
    "Cost": """
agent
position; any
depth; 1234, 1
states; 0.1, 12,346; else 'skipped'
time; 123 ms *, 123 s *; median time of
states/s; 0 *, 12.3 k *
of minimax; 12.3 %, 1234567.8 %
branching; 0.12, 12345.68; least 1; moves tried per
a ply ×; 0.12, 123.46; known; least 1; nodes over those
95 %; -0.05 … 0.46, ← … 234.50; known; least 1; of the column
move; 1234, 1; known; least 3
score; 1234, 1; known; least 2""",
    "CountedCost": """
… Cost
cut; 12.3 %, 1234567.8 %
by the first; 12.3 %, 1234567.8 %""",
    "Grade": """
agent
depth; 1234, 1; known
good; 12.3 %, 12345.6 %; least 1
perfect; 12.3 %, 12345.6 %; least 2
clear-cut good; 12.3 %, 12345.6 %; kept the win
95 %; -5.0 … 45.7, ← … 23450.0
clear-cut perfect; 12.3 %, 12345.6 %; least 3; won soonest or
gain, 95 %; -5.0 … +45.7, ← … +23450.0; known
nodes; 0.1, 12,346
ms; 123 ± 333, 123,456 ± 111,044
no legal reply; 1,234, 1; known""",
    "Kept": """
moves; 1,234, 1; least 3
kept; 12.3 %, 12345.6 %
95 %; -5.0 … 45.7, ← … 23450.0; least 4; range that probably
by chance; 12.3 %, 1234567.8 %; least 2; what random moves
clear-cut; 1,234, 1; least 1; positions where some
of these kept; 12.3 %, 12345.6 %
95 %; -5.0 … 45.7, ← … 23450.0; range that probably
by chance; 12.3 %, 1234567.8 %""",
    "Audited": """
agent
games; 1234, 1""",
    "AgentAudit": """
… Audited
… Kept
wins; 1234, 1
draws; 1234, 1
blundering games; 1234, 1
mean; 0.1, 12345.7; least 2
first ply: median; 0.1, 12345.7; least 2
won games; 1234, 1; least 1
lost after all; 1234, 1; least 1""",
    "Range": """
agent""",
    "RangeAudit": """
… Range
… Kept""",
    "Mark": """
part
points; 0.1, 12345.7
of; 0, 12346
because""",
    "Ranked": """
name
author; any; least 3
ok; yes, no; least 1
faults; 1234, 1
rank; 1234, 1; known
points; 0.1, 12345.7; known
games; 1234, 1; least 2""",
    "HandIn": """
… Ranked
marks; 0.1, 12345.7
of; 0, 12346
answers as; any
imports; a, b, c; any""",
    "Change": """
agent
games; 1234, 1; least 2
score; 12.3 % → 12.3 %, 1234567.8 % → 1234567.8 %; least 5
gain; +12.3, +12345.6
95 %; -5.0 … +45.7, ← … +23450.0; range that probably
positions; 1234, 1; least 4
same nodes; 12.3 %, 1234567.8 %; least 3
same moves; 12.3 %, 1234567.8 %
nodes; 0.1 → 0.1, 12,346 → 12,346; least 6
nodes ×; 0.1235, 12,346
time ×; 0.12, 12345.68; new over old;""",
    "Blundered": """
game; 1234, 1
ply; 1234, 1
lost
because
against""",
    "Model": """
agent
moves; 1,234, 1
retries; 1,234, 1
legal %; 12.3 %, 1234567.8 %
faults; 1,234, 1
random; 1,234, 1
errors; 1,234, 1
in; 1,234, 1; least 1
out; 1,234, 1; least 1
reasoning; 1,234, 1; known; least 2
a game; 0.1, 12,346; least 1""",
    "Verdict": """
#; 1234, 1
claim
check
measured; 0.123, 123; of a check
95 %; -0.050 to 0.457, open to 234; else ''
verdict
p; 0.123, 12345.678; known; before Holm's test
basis; least 3
published; any; least 2""",
    "Difference": """
part
place
what
stored
again""",
    "Held": """
set
questions; 1,234, 1
start; 12.3 %, 1234567.8 %
tuned; 12.3 %, 1234567.8 %
gain; +12.3, +12345.6
95 %; -5.0 … +45.7, ← … +23450.0; range that probably""",
    "Value": """
position
heuristic
mover; 1234, 1
first; 1234, 1""",
    "Tried": """
position
ordering
columns; 3 1 2, 4
scores; 3 1 2, 4""",
    "Divided": """
column; 1234, 1
sequences; 1,234, 1
nodes; 1,234, 1""",
    "Rating": """
agent
Elo; +0 *, +123; known; * where all
95 %; +0 … +0, ← … +234; known
games; 1234, 1; least 4
score; 12.3 %, 1234567.8 %; least 3
behind; 0 ± 0, 123 [← … 234]; known; least 2; Elo below the
sure %; 0.1, 99.9; known; least 1; how sure it""",
    "Effort": """
agent
depth; > 234, 1
searches; 1,234, 1; least 2
nodes; 0.1, 12,346
median; 0.1, 12,346; least 1
ms; 0.123 ± 0.33, 123 ± 111; mean time of
nodes/s; 0, 12.3 k
branching; 0.12, 12345.68; moves tried per
a ply ×; 0.12, 123.46; known; least 1; nodes over those
95 %; -0.05 … 0.46, ← … 234.50; known; least 1; of the column""",
    "Phase": """
agent
depth; 1234, 1
phase
searches; 1,234, 1
nodes; 0.1, 12,346
ms; 0.123 ± 0.33, 123 ± 111; mean time of""",
    "LostGames": """
agent
termination
what the referee said
games; 1234, 1""",
    "Meeting": """
LL-LD-even-WD-WW; 3-1-2, 4; least 4
pairs; 1234, 1; least 2
games; 1234, 1; least 2
distinct; 1234, 1; least 3
score; 12.3 %, 1234567.8 %
Elo; 0, 123; by how much
95 %; +0 … +0, ← … +234; range that probably
nElo; 0, 12346; least 5; the same in
sure %; 0.1, 99.9; how sure it
Holm; yes, no; several; least 1; whether a difference
basis; least 6
nodes ×; 0.12, 12345.68; least 1; the first's over
time ×; 0.12, 123.46
95 %; -0.05 … 0.46, ← … 234.50; least 1""",
    "Sides": """
agent
against""",
    "Duel": """
… Sides
… Meeting""",
    "Met": """
round; 1234, 1
agent
against
pairs; 1234, 1; least 1
points; 0.1, 12345.7
points; 0.1, 12345.7""",
    "Opening": """
opening
with perfect play; first player wins, second player wins
games; 1234, 1
first wins; 1234, 1
draws; 1234, 1
second wins; 1234, 1
first player's score; 12.3 %, 1234567.8 %""",
    "Strength": """
Elo; +0 *, +123; known; * where all
95 %; +0 … +0, ← … +234; known; range that probably
behind; 0 ± 0, 123 [← … 234]; known; least 4; Elo below the
sure %; 0.1, 99.9; known; least 3; how sure it
points; 0.1, 12345.7; least 6
score; 12.3 %, 1234567.8 %
games; 1234, 1; varied
W-D-L; 3-1-12, 0-20-3; least 5
as first; 3-1-12, 0-20-3; least 7
as second; 3-1-12, 0-20-3; least 7
nodes; 0.1, 12,346; least 1; mean of a
ms; 0.123 ± 0.33, 123 ± 111; least 2; mean time of
faults; 1234, 1; any""",
    "Place": """
agent""",
    "Standing": """
… Strength""",
    "Crossing": """
agent""",
    "StoredReply": """
game; 1234, 1
ply; 1234, 1
agent
status
tries; 1234, 1; least 1
reply
in; 1,234, 1; least 2
out; 1,234, 1; least 2
reasoning; 1,234, 1; known; least 2
s; 0.1, 12345.7; least 3
finish; least 4
model; least 6
prompt; least 5
random; yes, no; any
errors; 1,234, 1; any; least 4""",
    "Swept": """
agent
Elo; +0 *, +123
95 %; +0 … +0, ← … +234
nodes/move; 0.1, 12,346
value; 0.12345, 12,345.678
step; +0 ± 0, +123 [← … 234]; known; Elo from the""",
}
"""The columns of each kind of row: header; two cells; when it is shown; rank of those left out; note."""


def row_of(kind, place):
    """Return a row that has the first or the second value of the type of each of its fields."""
    values = {}
    for field in dataclasses.fields(kind):
        name = field.type.removesuffix(" | None")
        values[field.name] = NUMBERS.get(name, NUMBERS["tuple"])[place]
    return kind(**values | ({"worth": 1 - 2 * place} if "worth" in values else {}))


def told(column, *both):
    """Return a column as a line: its header, two cells, when it is shown, how soon it is left out, and its note."""
    column, when = dataclasses.replace(column, when=rows.always), column.when
    texts = [cells([row], [column])[0].cells[0] for row in both]
    words = [
        *([] if when is rows.always else [when.__name__]), *([f"least {column.least}"] * bool(column.least)),
        *([f"else {column.missing!r}"] * (column.missing != "-")), " ".join(column.note.split()[:3]),
    ]  # fmt: skip
    shown = [] if texts == ["a(1):depth=2", "random"] else [", ".join(texts)]
    return "; ".join([column.header, *shown, *filter(None, words)])


def columns_of(kind):
    """Yield the lines of the columns of a kind, those of a class that it extends as the name of that class."""
    both, before = [row_of(kind, place) for place in range(2)], ""
    for name, home in homes(kind).items():
        shown = rows.columns(kind, name)
        if home == kind.__name__:
            yield from (told(column, *both) for column in shown)
        elif home != before and shown:
            yield f"… {home}"
        before = home


@pytest.mark.parametrize("name", KINDS)
def test_a_column_has_its_header_its_format_and_its_place(name):
    assert list(columns_of(KINDS[name])) == COLUMNS.get(name, "").splitlines()[1:]
