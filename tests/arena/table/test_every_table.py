"""The columns of the tables that people read, in their order; how each looks is in docs/tables.md."""

from types import SimpleNamespace

import pytest
from columns import OTHERS, RUN

from arena.comparison.tables import HEURISTIC_RATINGS, PAIRINGS
from arena.depth.tables import AGREEMENT, COUNTED_DEPTHS, DEPTHS
from arena.page.page import FAULTS, OPENINGS
from arena.perfect.tables import GRADES, KEPT, THROWN
from arena.position.tables import DIVIDED, ORDERS, VALUES
from arena.table import rows
from arena.table.labels import Labels
from arena.table.parts import cells
from arena.tournament.check_tables import CHECKED
from arena.tournament.effort_tables import EFFORT, PHASES
from arena.tournament.game_tables import GAMES, RUNS
from arena.tournament.pairing_tables import DUELS
from arena.tournament.tables import ROUNDS, STANDINGS, SWEEP

TABLES = {
    "standings": (
        STANDINGS,
        (
            "#, agent, Elo, 95 %, behind 4, sure % 3, points 6, score, games, W-D-L 5, as first 7, as second 7, nodes "
            "1, ms 2, faults"
        ),
    ),
    "rounds": (ROUNDS, "round, agent, points, points, against, pairs 1"),
    "sweep": (SWEEP, "agent, value, Elo, 95 %, step, nodes/move"),
    "effort": (EFFORT, "agent, depth, searches 2, nodes, median 1, ms, nodes/s, branching, a ply × 1, 95 % 1"),
    "phases": (PHASES, "agent, depth, phase, searches, nodes, ms"),
    "pairings": (
        DUELS,
        "agent, against, LL-LD-even-WD-WW 4, score, Elo, 95 %, nElo 5, sure %, Holm 1, games 2, distinct 3",
    ),
    "openings": (OPENINGS, "opening, with perfect play, games, first wins, draws, second wins, first player's score"),
    "faults": (FAULTS, "agent, games, termination, what the referee said"),
    "games": (GAMES, "game, first, second, moves 3, result, end 2, plies 1, first blunder, detail"),
    "check": (CHECKED, "agent, ok, positions, ms, longest, same twice, same mirrored"),
    "runs": (RUNS, "file, when (UTC), games, agents, command 1"),
    "compared": (
        HEURISTIC_RATINGS,
        "at, heuristic, Elo, 95 %, score, games 2, distinct 3, nodes 1, ms, faults, kept",
    ),
    "pairings of heuristics": (
        PAIRINGS,
        "at, heuristic, against, score, Elo, 95 %, sure % 1, Holm 1, pairs 2, distinct 3, nodes × 1, time ×, 95 % 1",
    ),
    "depths": (
        DEPTHS,
        "agent, position, depth, states, time, states/s, of minimax, branching 1, a ply × 1, 95 % 1, move 3, score 2",
    ),
    "depths with counts": (
        COUNTED_DEPTHS,
        (
            "agent, position, depth, states, time, states/s, of minimax, cut, by the first, branching 1, a ply × 1, "
            "95 % 1, move 3, score 2"
        ),
    ),
    "agreement": (AGREEMENT, "depth, positions 1, same value, same move, reference's nodes, its nodes, share"),
    "audit": (KEPT, "agent, moves 3, kept, 95 % 4, by chance 2, clear-cut 1, of these kept, 95 %, by chance"),
    "thrown away": (
        THROWN,
        "agent, games, wins, draws, blundering games, first ply: median 2, mean 2, won games 1, lost after all 1",
    ),
    "grades": (
        GRADES,
        (
            "agent, depth, good 1, perfect 2, clear-cut good, 95 %, clear-cut perfect 3, gain, 95 %, nodes, ms, no "
            "legal reply"
        ),
    ),
    "values": (VALUES, "position, heuristic, mover, first"),
    "orders": (ORDERS, "position, ordering, columns, scores"),
    "divided": (DIVIDED, "column, sequences, nodes"),
}
"""Headers; where the terminal is too narrow, those with the highest number are left out first, and all others last."""


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_these_columns(name):
    columns, headers = TABLES[name]
    assert ", ".join(f"{column.header} {column.least or ''}".rstrip() for column in columns) == headers


AGENTS = {"agent", "against", "one", "two", "heuristic", "ordering"}
"""Fields with the name of an agent or of a part of one; a hand-in's is that of its author, who has no settings."""


@pytest.mark.parametrize(("name", "columns"), [
    *((name, columns) for name, (columns, _) in TABLES.items() if name != "check"),
    *((name, rows.columns(row)) for name, row in {**RUN, **OTHERS}.items()),
])  # fmt: skip
def test_a_table_has_the_labels_of_agents_in_place_of_their_names(name, columns):
    fields = {"first", "second"} if name == "games" else AGENTS
    named = [column for column in columns if column.of in fields and column.header != "name"]
    row = SimpleNamespace(**dict.fromkeys(fields, "a:x=1,depth=2"))
    shown = cells([row], named, Labels({"a:x=1,depth=2": "a:x=1"}, "depth=2"))
    assert [column.cells for column in shown] == [["a:x=1"]] * len(named)
