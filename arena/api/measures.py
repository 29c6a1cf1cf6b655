"""Measurements beside tournaments: what depths cost, how fast searches are, and checks of agents and of searches.

The `meta` of their rows says what is needed to repeat them, as `arena.store.machine.meta` returns it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.plugins import is_file
from arena.api.progress import Measured, Progress, Warn, Watch, bar, remaining, warn_caller
from arena.api.settings import Apart, boards_of, depths_of, named, rules_of, spec, specs, whole

if TYPE_CHECKING:
    import pandas as pd

    from agents.specs.registry import Spec
    from arena.measure.agreement import AtDepth, Difference
    from arena.measure.check import Checked
    from arena.measure.depths import Cost
    from arena.measure.verify import CrossCheck, Disagreement, Effort, Saving


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
    """Return what each depth costs, a row for each agent, position and depth; `arena depths` from Python.

    agents: specs, folders, rosters, classes, functions or objects; one of your own gets the depth as `limits.depth`, a
    class in a file with a parameter `depth` that way, too, and must search as deep. Where nothing shows that it obeys
    the depth it has one row a position, whose depth is None, and `warn` says why.
    depth: plies. positions: the text of moves, or Boards, by default the empty board. openings:
    also so many `rounds` of this set of openings, drawn by the seed (1). budget: seconds that a search may be expected
    to take; dearer rows are there without numbers. The columns of the table are the fields of
    `arena.measure.depths.Cost`; with `why` those of `ProfiledCost`, which also say what the searches did inside.
    isolation: how agents of files live, as in `run`; one that fails is left out. Raises InputError.
    """
    from arena.measure.depths import Cost, ProfiledCost, depth_table, left_aside
    from arena.play.openings import draw

    entered, levels, board = specs(agents, isolation, warn), depths_of(depth), rules_of(rules)
    boards = boards_of(positions, board)
    boards += [] if openings is None else draw(openings, rounds, 1 if seed is None else seed, board)
    boards = boards or [Board(board)]
    if aside := left_aside(entered, levels):
        warn(f"the depth of {aside} is left aside: --depth says which are measured")
    watch, faults = Watch(seed), list[InputError]()
    with bar(progress, "search", len(entered) * len(boards) * len(levels)) as shown:
        rows = depth_table(entered, levels, boards, budget, shown.update, why=why, faults=faults, warn=warn)
    return Measured(rows, ProfiledCost if why else Cost, *watch.end(), faults=remaining(faults, rows))


def mean_costs(costs: Sequence[Cost]) -> list[Cost]:
    """Return the means over positions of what depths cost."""
    from arena.measure.depths import means

    return means(costs)


def bench(
    agents: Sequence[object] = (),
    *,
    compare: str | Path | None = None,
    limit: float = 1.05,
    isolation: Apart | None = None,
    progress: Progress = False,
    warn: Warn = warn_caller,
) -> Measured[Any]:
    """Return how fast searches are on this machine, a row for each; `arena bench` from Python. Raises InputError.

    agents: specs, folders, rosters; every built-in search, ordering and heuristic and the solver, if empty. compare: a
    file that `arena bench --json` or the table's `to_json(orient="records")` wrote; the rows then say how many times as
    long as before a search takes, and whether all of the interval lies beyond the limit. isolation: how agents of files
    live, as in `run`; one that fails is left out. The columns of the table are the fields of
    `arena.measure.bench.Speed`, or of `arena.measure.bench.Slowdown`.
    """
    from arena.measure import bench as measure

    old = None if compare is None else measure.read(Path(compare))
    entered, watch, failed = specs(agents, isolation, warn) or measure.benches(), Watch(), list[InputError]()
    with bar(progress, "turn", measure.ROUNDS * len(entered)) as shown:
        rows = measure.bench(entered, shown.update, failed)
    faults = remaining(failed, rows)
    if old is None:
        return Measured(rows, measure.Speed, *watch.end(), faults=faults)
    return Measured(measure.slowdowns(old, rows, limit), measure.Slowdown, *watch.end(), faults=faults)


# Checks: of agents before they play, and of searches against each other.


@dataclass(frozen=True, slots=True)
class Checks:
    """What `check` found."""

    rows: list[Checked]
    remarks: list[str]
    """Lines about what else a folder holds."""
    interrupted: str = ""
    """Where Ctrl-C ended it, in words; the last row is then of an agent that was not asked everything."""


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
    """Start agents, also those of folders and rosters, ask each on many positions, and return a row for each.

    An agent is ok where it forfeits no game: it loads, starts, answers with moves and in time. seconds, nodes: for a
    move, and `margin` past the seconds. patience: seconds to start, and for a move without a limit. memory: megabytes a
    process. sandbox: in a sandbox. debug: a file for the conversations. positions: how many. Raises InputError without
    a sandbox.
    """
    from agents.agent import Limits
    from agents.remote.sandbox import bubblewrap
    from arena.measure.check import Checked, broken, check
    from arena.play.entrants import RemoteSpec, specs_of
    from arena.play.entries import holds_entries, invited, read

    whole("positions", positions, 1, 100_000)
    if sandbox:
        bubblewrap()
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
        named += [(broken(line), None) for line in unfit]
        named += zip(map(Checked, names), made, strict=True)
        said += remarks
        if holds_entries(text) and (asking := read(text).asking):
            said.append(f"{text}: this folder asks for variables and commands: {', '.join(asking)}; they are refused")
    board = rules_of(rules)
    rows: list[Checked] = []
    with bar(progress, "position", positions * len(named)) as shown:
        for found, spec in named:
            rows.append(found)
            shown.set_postfix_str(found.agent)
            try:
                if isinstance(spec, RemoteSpec):
                    check(found, spec, Limits(nodes=nodes, seconds=seconds), margin, board, positions, shown.update)
            except KeyboardInterrupt:
                return Checks(rows, said, f"at {found.agent}, after {found.positions} of {positions} positions")
            shown.update(positions * len(rows) - shown.n)  # where it was not asked on all
    return Checks(rows, said)


def limits_in_force() -> str:
    """Return in a few words what keeps the limits of memory and processes of remote agents on this machine."""
    from agents.remote.groups import in_force

    return in_force()


@dataclass(frozen=True, slots=True)
class Verified:
    """What the exact searches visited, and where they disagreed; also as a pair of tables."""

    positions: int
    heuristics: int
    rows: tuple[list[Effort], list[Disagreement]]
    """Both tables as lists of rows."""
    savings: list[list[Saving]]
    """What each search saved over plain minimax: the compiled searches, then those in plain Python on few positions."""
    meta: dict[str, Any]

    @property
    def searches(self) -> pd.DataFrame:
        """What each search visited; the columns are the fields of `arena.measure.verify.Effort`."""
        from arena.measure.verify import Effort

        return Measured(self.rows[0], Effort, self.meta).frame()

    @property
    def disagreements(self) -> pd.DataFrame:
        """Where two disagree, no row where all agree; the columns are those of `arena.measure.verify.Disagreement`."""
        from arena.measure.verify import Disagreement

        return Measured(self.rows[1], Disagreement, self.meta).frame()

    def __iter__(self) -> Iterator[pd.DataFrame]:
        """Yield the two tables."""
        yield self.searches
        yield self.disagreements


def verify(
    *,
    positions: int = 40,
    depth: int = 6,
    seed: int = 1,
    heuristics: Sequence[str] = (),
    orderings: Sequence[str] = (),
    rules: Rules | str = "7x6x4",
    progress: Progress = False,
) -> Verified:
    """Let every exact search meet plain minimax, and return where any two disagree; `arena verify` from Python.

    positions: how many, drawn by the seed from random play. depth: plies. heuristics, orderings: only these. Returns
    two tables: `searches`, whose columns are the fields of `arena.measure.verify.Effort`, and `disagreements`, those of
    `arena.measure.verify.Disagreement`, without a row where all agree. Raises InputError.
    """
    from agents.specs.parts import ORDERINGS
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
        compiled = measure.verify(boards, depth, values, measure.searches(orders), shown.update)
        plain = measure.verify(few, shallow, values, measure.plain_searches(orders), shown.update)
    rows = compiled.efforts + plain.efforts, compiled.disagreements + plain.disagreements
    saved = [measure.savings("Compiled", compiled.efforts), measure.savings("Plain Python", plain.efforts)]
    return Verified(len(boards), len(values), rows, saved, watch.end()[0])


@dataclass(frozen=True, slots=True)
class Agreed:
    """What a search that prunes has in common with the one that it should equal."""

    rows: list[AtDepth]
    differences: list[Difference]
    """At most one for each two searches: the first; none where they agree."""
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
    """Hold a search that prunes against plain minimax, at each depth up to `depth`, on positions from random play.

    agents: the minimax and the other search. positions: how many, drawn by the seed. heuristics: the minimax is also
    held against ours with each of these, which runs as plain Python, so that any function of `own` and `opp` will do.
    isolation: how agents of files live, as in `run`; a heuristic of a file lives so, too. Raises InputError, also for
    a search that fails, reports no value or ignores the depth.
    """
    from arena.analysis.comparison import without_depth
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
    return Agreed(rows, [each for each in differences if each is not None], watch.end()[0])


def cross_check(
    other: str,
    positions: int = 40,
    *,
    seed: int = 1,
    rules: Rules | str = "7x6x4",
    isolation: Apart | None = None,
    progress: Progress = False,
) -> Measured[CrossCheck]:
    """Compare our solver's scores with those of another, `pons:COMMAND`, on random positions. Raises InputError."""
    from arena.measure.verify import CrossCheck, cross_check, crowded_sample

    watch = Watch(seed)
    boards = crowded_sample(positions, seed, rules_of(rules))
    with bar(progress, "position", len(boards)) as shown:
        rows = cross_check(other, boards, isolation or {}, shown.update)
    return Measured(rows, CrossCheck, watch.end()[0])
