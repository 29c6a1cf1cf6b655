"""What each depth costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from agents.board import Board, Rules
from agents.errors import InputError
from arena.games.progress import Watch, bar
from arena.games.settings import Apart, boards_of, depths_of, rules_of, specs
from arena.table.measured import Measured, Progress, Warn, remaining, warn_caller

if TYPE_CHECKING:
    from arena.depth.cost import Cost


def depths(
    agents: Sequence[object],
    depth: int | Iterable[int] = range(1, 9),
    *,
    positions: Board | str | Sequence[Board | str] = (),
    openings: str | None = None,
    rounds: int = 10,
    seed: int | None = None,
    rules: Rules | str = "7x6x4",
    budget: float = 10.0,
    why: bool = False,
    isolation: Apart | None = None,
    progress: Progress = False,
    warn: Warn = warn_caller,
) -> Measured[Cost]:
    """Return the cost of each depth, a row for each agent, position and depth; `arena depths` from Python.

    agents: specs, folders, rosters, classes, functions or objects. An agent of your own gets the depth as
    `limits.depth`, a class in a file with a parameter `depth` also as that parameter, and must search to it. If nothing
    shows that it does, it has one row a position with the depth None, and `warn` gets the reason. depth: plies.
    positions: the text of moves, or Boards, by default the empty board. openings: a set of openings, of which `rounds`
    are drawn with the seed (1). rules: of texts and openings ("7x6x4"). budget: the most seconds that a search may be
    expected to take; rows beyond it have no numbers. isolation: settings for agents of files, see `run`; an agent that
    fails is left out. The columns of the table are the fields of `arena.depth.cost.Cost`; with `why` those of
    `CountedCost`, which also has the cut-offs of the searches. Raises InputError.
    """
    from arena.depth.cost import Cost, CountedCost, depth_table, left_aside, refuse_unsearchable
    from arena.games.openings import draw

    entered, levels, board = specs(agents, isolation, warn), depths_of(depth), rules_of(rules)
    boards = boards_of(positions, board)
    boards += [] if openings is None else draw(openings, rounds, 1 if seed is None else seed, board)
    boards = boards or [Board(board)]
    refuse_unsearchable(entered, boards)
    if aside := left_aside(entered, levels):
        warn(f"the depth of {aside} is left aside: --depth says which are measured")
    watch, faults = Watch(seed), list[InputError]()
    with bar(progress, "search", len(entered) * len(boards) * len(levels)) as shown:
        rows = depth_table(entered, levels, boards, budget, shown.update, why=why, faults=faults, warn=warn)
    return Measured(rows, CountedCost if why else Cost, *watch.end(), faults=remaining(faults, rows))


def mean_costs(costs: Sequence[Cost]) -> list[Cost]:
    """Return the mean costs of depths over positions."""
    from arena.depth.cost import means

    return means(costs)
