"""Measurements outside of tournaments: the cost of depths, checks of agents and of searches.

The `meta` of their rows has the data needed to repeat them, see `arena.store.machine.meta`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.plugins import is_file
from arena.api.progress import Measured, Progress, Warn, Watch, bar, remaining, warn_caller
from arena.api.settings import Apart, boards_of, depths_of, named, rules_of, spec, specs, whole

if TYPE_CHECKING:
    from agents.specs.registry import Spec
    from arena.measure.agreement import AtDepth, DifferentAnswer, WrongEnding
    from arena.measure.check import Checked
    from arena.measure.depths import Cost


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
    fails is left out. The columns of the table are the fields of `arena.measure.depths.Cost`; with `why` those of
    `CountedCost`, which also has the cut-offs of the searches. Raises InputError.
    """
    from arena.measure.depths import Cost, CountedCost, depth_table, left_aside, refuse_unsearchable
    from arena.play.openings import draw

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
    from arena.measure.depths import means

    return means(costs)


# Checks of agents before they play, and of searches against each other.


@dataclass(frozen=True, slots=True)
class Checks:
    """The results of `check`."""

    rows: list[Checked]
    remarks: list[str]
    """Lines about other files in folders."""
    interrupted: str = ""
    """The place where Ctrl-C ended it, in words; the check of the agent in the last row is then incomplete."""


def check(
    agents: Sequence[str],
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    margin: float = 0.1,
    patience: float = 60.0,
    memory: int = 1024,
    sandbox: bool = False,
    debug: str = "",
    positions: int = 200,
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Checks:
    """Start agents, also those of folders and rosters, ask each for moves in many positions, and return a row for each.

    An agent is ok if it would forfeit no game: it loads, starts, and answers with legal moves in time. seconds, nodes:
    the limits of a move, with a `margin` past the seconds. patience: seconds to start, and for a move without a limit.
    memory: megabytes of each process. sandbox: whether to use a sandbox. debug: a file to append all lines sent and
    received to. positions: their number. rules: the board. Raises InputError if a sandbox is not available.
    """
    from agents.agent import Limits
    from agents.process_agent import check_sandbox
    from arena.measure.check import Checked, check
    from arena.play.entrants import specs_of
    from arena.play.entries import invited

    whole("positions", positions, 1, 100_000)
    if sandbox:
        check_sandbox()
    apart = {"patience": patience, "memory": memory, "sandbox": sandbox, "everyone": True, "debug": debug}
    named: list[tuple[Checked, Spec | None]] = []
    said: list[str] = []
    for text in agents:
        try:
            names, entries, unfit, remarks = invited([text])
            made = specs_of([(name, entry, None) for name, entry in zip(names, entries, strict=True)], apart)
        except InputError as error:
            named.append((Checked(text, ok=False, problems=[str(error)]), None))
            continue
        named += [(Checked(line.name, ok=False, problems=[line]), None) for line in unfit]
        named += zip(map(Checked, names), made, strict=True)
        said += remarks
    board = rules_of(rules)
    rows: list[Checked] = []
    with bar(progress, "position", positions * len(named)) as shown:
        for found, spec in named:
            rows.append(found)
            shown.set_postfix_str(found.agent)
            try:
                if spec is not None:
                    check(found, spec, Limits(nodes=nodes, seconds=seconds), margin, board, positions, shown.update)
            except KeyboardInterrupt:
                return Checks(rows, said, f"at {found.agent}, after {found.positions} of {positions} positions")
            shown.update(positions * len(rows) - shown.n)  # the positions that were skipped
    return Checks(rows, said)


def limits_in_force() -> str:
    """Return a phrase that says how this machine limits memory and processes of process agents."""
    from agents.process_agent import limits_in_force

    return limits_in_force()


@dataclass(frozen=True, slots=True)
class VerifiedSearches(Measured[Any]):
    """The disagreements of exact searches as `rows`, none where all agree."""

    positions: int = 0
    heuristics: int = 0
    """How many were taken of both."""


def verify(
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    orderings: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> VerifiedSearches:
    """Compare every exact search with plain minimax, and return all disagreements; `arena verify` from Python.

    positions: the number of positions, drawn with the seed from random play. depth: plies. heuristics, orderings: only
    these. rules: the board. The columns are the fields of `arena.measure.verify.Disagreement`. Raises InputError.
    """
    from agents.specs.components import ORDERINGS
    from arena.measure import verify as measure

    whole("positions", positions, 1, 100_000)
    whole("depth", depth, 1, 20)
    whole("seed", seed, 0)
    names, orders = named("heuristics", heuristics, "smart-aware"), named("orderings", orderings, "centre")
    watch = Watch(seed)
    boards = measure.sample(positions, seed, rules_of(rules))
    few, shallow = boards[: measure.PLAIN_POSITIONS], min(depth, measure.PLAIN_DEPTH)
    values, orders = names or measure.usable_heuristics(boards[0].rules), orders or list(ORDERINGS)
    with bar(progress, "position", len(values) * (len(boards) + len(few))) as shown:
        rows = measure.verify(boards, depth, values, measure.searches(orders), shown.update)
        rows += measure.verify(few, shallow, values, measure.plain_searches(orders), shown.update)
    return VerifiedSearches(rows, measure.Disagreement, watch.end()[0], positions=len(boards), heuristics=len(values))


@dataclass(frozen=True, slots=True)
class Agreed:
    """The agreement of a search that prunes with the search that it should equal."""

    rows: list[AtDepth]
    differences: list[DifferentAnswer]
    """The first difference of each two searches that disagree."""
    endings: list[WrongEnding]
    """The first position that a search misjudges though the search reaches the end of the game."""
    meta: dict[str, Any]


def agreement(
    agents: Sequence[object],
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
    isolation: Apart | None = None,
    progress: Progress = False,
) -> Agreed:
    """Compare a search that prunes with plain minimax, at each depth up to `depth`, on positions from random play.

    agents: the minimax and the other search. positions: the number of positions, drawn with the seed. rules: their
    board. Both are also asked positions of the last three plies, drawn, won and lost, where no heuristic takes part.
    heuristics: the minimax is also compared with the built-in one with each of these heuristics, in plain
    Python, so that any function of `own` and `opp` works. isolation: settings for agents and heuristics of files, see
    `run`. Raises InputError, also for a search that fails, reports no value or ignores the depth.
    """
    from arena.cells import without_depth
    from arena.measure import agreement as measure
    from arena.measure.verify import sample

    whole("positions", positions, 1, 100_000)
    whole("depth", depth, 1, 20)
    whole("seed", seed, 0)
    entered = specs(agents, isolation)
    if len(entered) != 2:
        raise InputError(f"verify takes two searches, minimax and the one that prunes, not {len(entered)}")
    reference, search = (replace(each, text=without_depth(each.text)) for each in entered)
    pairs, lives = [(reference, search)], isolation or Apart()
    for name in named("heuristics", heuristics, "smart-aware"):
        apart: Apart = {**lives, "everyone": is_file(name) and not lives.get("nobody", False)}
        ours = spec(f"minimax:heuristic={name},compiled=no", apart)
        pairs.append((replace(ours, text=f"minimax:heuristic={name}"), reference))
    watch, rows, differences = Watch(seed), list[Any](), []
    boards = sample(positions, seed, rules_of(rules))
    with bar(progress, "position", len(pairs) * depth * len(boards)) as shown:
        for one, other in pairs:
            found = list(measure.answers(one, other, boards, range(1, depth + 1), shown.update))
            rows += measure.by_depth(found, one.text, other.text)
            differences.append(measure.first_difference(found, one.text, other.text))
    last = measure.endings(rules_of(rules), seed, depth)
    wrong = [measure.wrong_ending(search, last) for search in (reference, search)]
    return Agreed(
        rows,
        [each for each in differences if each is not None],
        [each for each in wrong if each is not None],
        watch.end()[0],
    )
