"""The depth table: nodes and time of a search by depth, measured warm and often enough for the clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median

from agents.agent import Agent, Limits, prepare
from agents.board import Board
from agents.errors import InputError
from agents.specs.kinds import KINDS
from agents.specs.registry import Spec
from agents.specs.sources import PREFIXES
from arena.depth.cuts import CutCounter
from arena.games.entrants import attended, outlived
from arena.games.referee import Conditions, Fault, begin, decide
from arena.games.searches import once, searched, takes_depth
from arena.records import Interval, MoveRecord
from arena.statistics.means import mean_interval, median_interval, ratio_of_sums
from arena.table.cells import agent_label, count, duration, ends, fixed, percent, place, rate, starred, without_depth
from arena.table.rows import MEASURED, Column, cell, known, table_row, without
from arena.tournament.effort import A_PLY, BY, UNIFORM, branching_factor


@table_row
class Cost:
    """The cost of a search; where it would take too long and was skipped, only the first three fields are known."""

    agent: str = cell("Its spec without the depth.", "agent", agent_label)
    position: str = cell(
        "Its moves from the empty board; `mean of N` for a mean over positions.", "position", place, any
    )
    depth: int | None = cell("[plies] None for your own agent if nothing shows that it obeys the depth.", "depth")
    nodes: float | None = cell(
        "[nodes] Exact; 0 for an agent that reports none. With openings their mean.",
        "states", lambda nodes: count(nodes) if nodes else "-", missing="skipped", default=None,
    )  # fmt: skip
    seconds: Interval | None = cell(
        "[seconds] Median of the repetitions by the referee's clock, which times the whole call; with "
        "openings their mean.",
        "time", starred(duration), beside="mostly_call", note="median time of the whole call", default=None,
        by="None where it was not measured often enough",
    )  # fmt: skip
    nodes_per_second: float | None = cell(
        "[nodes/second] `nodes` over `seconds`.", "states/s", starred(rate), beside="mostly_call", default=None
    )
    minimax_share: float | None = cell(
        "[share] Of the nodes that plain minimax visits to this depth; None where these are too many to count.",
        "of minimax", percent, default=None,
    )  # fmt: skip
    branching: float | None = cell(
        "Effective branching factor: that of a uniform tree of this depth with as many nodes. Unlike `growth` "
        "it is no ratio of depths.",
        "branching", fixed(2), least=1, note=UNIFORM, default=None,
    )  # fmt: skip
    growth: Interval | None = cell(
        "[ratio] Nodes over those of the depth one ply less; None where that is not in the table.",
        "a ply ×", fixed(2), known, least=1, note=A_PLY,
        ends=Column("95 %", MEASURED, ends(fixed(2)), known, least=1, note=BY.format("positions")),
        by="over positions", default=None,
    )  # fmt: skip
    move: int | None = cell("[column] The one chosen, from 1.", "move", when=known, least=3, default=None)
    score: int | None = cell(
        "[points of the heuristic] For the side to move; a win at distance n is 1,000,000 - n.",
        "score", when=known, least=2, default=None,
    )  # fmt: skip
    call_seconds: float | None = cell(
        "[seconds] Median of calls with a search that ends at once: part of `seconds`; None where it hardly matters.",
        default=None,
    )

    @property
    def mostly_call(self) -> bool:
        """Whether the call takes more of the time than the search."""
        if self.seconds is None or self.call_seconds is None:
            return False
        return self.seconds.value < 2 * self.call_seconds


@table_row
class CountedCost(Cost):
    """The same with the cut-offs of the search, for `--why`; None for agents whose search cannot be counted."""

    inner: float | None = cell("[nodes] Nodes with at least one child searched; with openings the mean.", default=None)
    cuts: float | None = cell(
        "[nodes] Of these, those with a cut-off: the value of a move reached beta. With openings the mean.",
        default=None,
    )  # fmt: skip
    first_move_cuts: float | None = cell(
        "[nodes] Of these, those where the first move caused it; with openings the mean.", default=None
    )
    cut_share: float | None = cell("[share] Of inner nodes, those with a cut-off.", "cut", percent, default=None)
    first_move_cut_rate: float | None = cell(
        "[share] Of the nodes with a cut-off, those where the first move caused it; None without any.",
        "by the first", percent, default=None,
    )  # fmt: skip


def with_cuts(row: Cost, searches: Sequence[tuple[float, float, float]]) -> CountedCost:
    """Return a row with the means of its searches: inner nodes, cut-offs, and those by the first move."""
    if not searches:
        return CountedCost(**without(row))
    inner, cuts, first = (fmean(counts) for counts in zip(*searches, strict=True))
    return CountedCost(
        **without(row), inner=inner, cuts=cuts, first_move_cuts=first, cut_share=cuts / inner,
        first_move_cut_rate=first / cuts if cuts else None,
    )  # fmt: skip


def _counts(row: CountedCost) -> tuple[float, float, float]:
    assert row.inner is not None
    assert row.cuts is not None
    assert row.first_move_cuts is not None
    return row.inner, row.cuts, row.first_move_cuts


def cost(
    agent: str,
    position: str,
    depth: int,
    nodes: float,
    seconds: Interval,
    share: float | None,
    move: int | None = None,
    score: int | None = None,
    call: float | None = None,
) -> Cost:
    """Return the row of a search that was measured.

    agent, position, depth, nodes, seconds, move, score: the fields of Cost. share: its `minimax_share`. call: its
    `call_seconds`.
    """
    rate = nodes / seconds.value if nodes and seconds.value else None
    return Cost(
        agent, position, depth, nodes, seconds, rate, share, branching_factor(nodes, depth), None, move, score, call
    )


def with_growth(costs: Sequence[Cost]) -> list[Cost]:
    """Return rows with the nodes of each over those of the same agent and position one ply less deep."""
    return [replace(row, growth=_growth([row], costs)) for row in costs]


def _growth(searches: Sequence[Cost], costs: Sequence[Cost]) -> Interval | None:
    """Return the nodes of an agent's searches of one depth over those one ply less deep; None where one has none."""
    agent, depth = searches[0].agent, (searches[0].depth or 0) - 1
    nodes = {row.position: row.nodes for row in costs if (row.agent, row.depth) == (agent, depth) and row.nodes}
    pairs = [(row.nodes, nodes[row.position]) for row in searches if row.nodes and row.position in nodes]
    whole = [(above, below) for above, below in pairs if below is not None]
    return ratio_of_sums(*zip(*whole, strict=True)) if len(whole) == len(searches) else None


def means(costs: Sequence[Cost]) -> list[Cost]:
    """Return the means over the positions, a row for each agent and depth; a depth skipped anywhere is skipped."""
    groups: dict[tuple[str, int | None], list[Cost]] = {}
    for row in costs:
        groups.setdefault((row.agent, row.depth), []).append(row)
    rows: list[Cost] = []
    for (agent, depth), group in groups.items():
        position = f"mean of {len(group)}"
        nodes = [row.nodes for row in group if row.nodes is not None]
        seconds = mean_interval([row.seconds.value for row in group if row.seconds is not None])
        calls = [row.call_seconds for row in group if row.call_seconds is not None]
        shares = [row.minimax_share for row in group if row.minimax_share is not None]
        row = Cost(agent, position, depth)
        if len(nodes) == len(group) and seconds is not None:
            share, call = (fmean(numbers) if numbers else None for numbers in (shares, calls))
            row = cost(agent, position, depth or 0, fmean(nodes), seconds, share, call=call)
        row = replace(row, depth=depth, growth=_growth(group, costs))
        counted = [search for search in group if isinstance(search, CountedCost)]
        rows.append(
            with_cuts(row, [_counts(search) for search in counted if search.inner is not None]) if counted else row
        )
    return rows


CLEAR = 0.05
"""Seconds of repetitions that suffice for a median."""
MOST_REPETITIONS = 50
CALLS = 25
CALLED = 0.001
"""Seconds of a search up to which the time of the call matters."""
COUNTED = 300_000_000
"""Leaves, if no column filled up, up to which plain minimax's tree is counted: a second."""
COUNTED_PLAIN = 20_000
"""The same where kernels run as plain Python."""
GROWTH = 7.0
"""The assumed cost of a depth over that of the last, until two depths took long enough to measure it."""


def depth_table(
    specs: Sequence[Spec],
    depths: Sequence[int],
    boards: Sequence[Board],
    budget: float,
    progress: Callable[[], object] = lambda: None,
    *,
    why: bool = False,
    faults: list[InputError] | None = None,
    warn: Callable[[str], object] = lambda _: None,
    nodes: int | None = None,
    answered: Callable[[int, MoveRecord], object] = lambda *_: None,
) -> list[Cost]:
    """Measure every agent at every depth on every position, shallow first; `budget` is the seconds a search may take.

    depths: plies. progress: called after each depth of a position, also one that is skipped. An agent's own depth is
    ignored. A depth that is expected to take longer is skipped, and so are all greater ones. nodes: what a search may
    visit; if given, it stands in place of the budget for agents that report them, so that what is skipped is the same
    on every machine. answered: takes the depth and the answer of each search that has a row. With `why` the
    cut-offs of each search are counted, and rows are of the kind CountedCost. A process agent that fails ends its own
    rows, and its error joins the `faults`, if given. An agent of one's own that nothing shows to obey the depth has one
    row a position, without a depth; `warn` takes a line that says why, and one on what other answers leave out.
    `refuse_unsearchable` names what cannot be measured. Raises InputError for an agent that fails.
    """
    rows: list[Cost] = []
    silent: list[str] = []
    for spec in {without_depth(spec.text): spec for spec in specs}.values():
        name = without_depth(spec.text)
        measured: list[Cost] = []
        asked: list[_Asked] = []
        searcher, *counters = (_up_to(max(depths, default=1), spec) for _ in range(1 + why))
        cut_counters = [CutCounter(counter, name) for counter in counters]
        with attended([searcher, *counters]), outlived(searcher, faults):
            at = spec if takes_depth(spec) else None
            for board in boards:
                bound = _Bound(budget, nodes)
                for cost in _deepening(searcher, name, sorted(set(depths)), board, bound, at, asked, answered):
                    measured += [_counted(counter, cost, board) for counter in cut_counters] or [cost]
                    progress()
        if spec.kind not in KINDS and (reason := _unheeded(spec, asked)):
            measured = [_undepthed(row) for row in {row.position: row for row in reversed(measured)}.values()][::-1]
            warn(f"{name} has one row, without a depth: {reason}")
        elif spec.kind not in {*KINDS, *PREFIXES} and any(row.nodes == 0 for row in measured):
            silent.append(name)
        rows += measured
    if silent:
        warn(f"no states of {', '.join(silent)}: let choose return Analysis(column, score, nodes=…)")
    return with_growth(rows)


_Asked = tuple[str, int, tuple[int, int | None, int]]
"""A position, the depth to search to, and nodes, score and depth of the answer."""


def _unheeded(spec: Spec, asked: Sequence[_Asked]) -> str:
    """Return why nothing shows that an agent obeys the depth; empty where something does, or there is one depth.

    The column is no sign: it may be chance. An agent that is made with a depth, and reports no nodes, is trusted.
    """
    nodes = any(answer[0] for *_, answer in asked)
    several = len({depth for _, depth, _ in asked}) > 1
    alike = len({(place, answer) for place, _, answer in asked}) == len({place for place, *_ in asked})
    deep = takes_depth(spec)
    if not (several and alike) or (deep and not nodes):
        return ""
    said = "nodes, score and depth of its answers are the same" if nodes else "its answers have no nodes, and are alike"
    if spec.kind in PREFIXES:
        return f"{said} at every depth"
    lacking = "its class has no parameter depth, and " * (not deep)
    return f"{lacking}{said} at every limits.depth; let choose return Analysis(column, score, depth=…, nodes=…)"


def _undepthed(row: Cost) -> Cost:
    """Return a row without the depth, and without what follows from it."""
    return replace(row, depth=None, minimax_share=None, branching=None)


def left_aside(specs: Sequence[Spec], depths: Sequence[int]) -> str:
    """Return a phrase for the agents with a depth of their own, which a depth table ignores; empty where there is none.

    The depth of one that is made with each of the `depths` is not ignored where it is among these.
    """
    texts = [
        spec.text for spec in specs
        if without_depth(spec.text) != spec.text and not (takes_depth(spec) and spec.parameters["depth"] in depths)
    ]  # fmt: skip
    first, *more = texts or [""]
    return f"{first} and {len(more)} more" if more else first


def refuse_unsearchable(specs: Sequence[Spec], boards: Sequence[Board]) -> None:
    """Raise InputError for a position whose game is over, and for a built-in agent without a depth to vary."""
    for board in boards:
        if board.outcome is not None:
            raise InputError(f"position {board.text}: the game is already over ({board.outcome})")
    for spec in specs:
        if spec.kind in KINDS and "depth" not in KINDS[spec.kind].parameters:
            raise InputError(f"agent {spec.text!r} has no depth to vary")
        if spec.kind in KINDS and (limits := {"nodes", "seconds"} & spec.parameters.keys()):
            raise InputError(f"agent {spec.text!r}: a depth table takes no limit of {' and '.join(sorted(limits))}")


def _up_to(depth: int, spec: Spec) -> Agent:
    """Return the agent that searches to any depth limit up to this one."""
    if spec.kind not in KINDS:
        return spec.build()
    return spec.having(depth=KINDS[spec.kind].parameters["depth"].read(str(depth))).build()


@dataclass(slots=True)
class _Bound:
    """What the next depth of one agent on one position may cost: seconds, or nodes where the agent reports them."""

    seconds: float
    nodes: int | None
    times: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def forbids(self) -> bool:
        """Whether the next depth is expected to cost more."""
        if self.nodes is not None and self.counts and all(self.counts):
            return expected(self.counts) > self.nodes
        return expected(self.times) > self.seconds


def _deepening(
    agent: Agent, name: str, depths: Sequence[int], board: Board, bound: _Bound, at: Spec | None, asked: list[_Asked],
    answered: Callable[[int, MoveRecord], object],
) -> Iterator[Cost]:  # fmt: skip
    """Measure one agent on one position; the depths in between are searched once, to predict the next one's time.

    at: where the agent gets its depth when it is made, what makes it. asked: gets what was asked and answered.
    """
    if at is None:
        prepare(agent, board.rules, name)
    for depth in range(1, depths[-1] + 1):
        if at is not None and not bound.forbids():
            agent = at.having(depth=depth).build()
            prepare(agent, board.rules, name)
        if bound.forbids():
            if depth in depths:
                yield Cost(name, board.text, depth)
            continue
        fresh = at is not None or depth == 1
        if depth not in depths:
            record = _warm(agent, board, name, depth, fresh=fresh)
            bound.times.append(record.seconds)
        else:
            record, seconds = timed(agent, board, name, depth, fresh=fresh)
            bound.times.append(seconds.value)
        bound.counts.append(record.nodes)
        asked.append((board.text, depth, (record.nodes, record.score, searched(record))))
        if depth not in depths:
            continue
        answered(depth, record)
        minimax = _minimax(board, depth)
        call = call_seconds(agent, board) if seconds.value < CALLED else None
        share = None if minimax is None or not record.nodes else record.nodes / minimax
        yield cost(name, board.text, depth, record.nodes, seconds, share, record.column + 1, record.score, call)


def _counted(counter: CutCounter, cost: Cost, board: Board) -> CountedCost:
    """Return a row with its cut-offs: the search runs once more and must visit as many nodes."""
    search = None if cost.nodes is None else counter.search(board, cost.depth)
    if search is None:
        return with_cuts(cost, [])
    nodes, counts = search
    assert nodes == cost.nodes
    return with_cuts(cost, [(counts.inner, sum(counts.cutoffs), counts.cutoffs[0])])


def expected(times: Sequence[float]) -> float:
    """Return the seconds, or the nodes, that the next depth will take, given those of the depths from 1 on.

    Odd and even depths of alpha-beta grow unequally, so that growth is taken over two plies.
    """
    if not times:
        return 0.0
    if len(times) < 3 or times[-3] < CLEAR / MOST_REPETITIONS:
        return times[-1] * GROWTH
    return times[-1] * math.sqrt(times[-1] / times[-3])


def _minimax(board: Board, depth: int) -> int | None:
    """Return the nodes of plain minimax's tree, or None where it is too large to count."""
    from agents.jit.vectors import JIT
    from agents.search.perft import perft

    return perft(board, depth)[1] if board.rules.columns**depth <= (COUNTED if JIT else COUNTED_PLAIN) else None


def timed(
    agent: Agent, board: Board, name: str, depth: int | None = None, *, fresh: bool = False
) -> tuple[MoveRecord, Interval]:
    """Return an agent's answer and the median of its seconds, each time from a cleared memory.

    A short first answer only warms up; a long one needs no repetition. name: the agent's in an error. depth: plies;
    with None the agent decides. fresh: the agent was never asked, see `_warm`. Raises InputError for an agent that
    fails.
    """
    answer = _warm(agent, board, name, depth, fresh=fresh)
    if answer.seconds > 10 * CLEAR:
        return answer, Interval(answer.seconds, None, None)
    times: list[float] = []
    while sum(times) < CLEAR and len(times) < MOST_REPETITIONS:
        answer = once(agent, board, name, depth)
        times.append(answer.seconds)
    measured = median_interval(times)
    assert measured is not None
    return answer, measured


def _warm(agent: Agent, board: Board, name: str, depth: int | None, *, fresh: bool) -> MoveRecord:
    """Return an agent's answer; that of a fresh agent only if it is short.

    What an agent loads or compiles at its first move is no part of the search, so that a long one is asked for again.
    """
    answer = once(agent, board, name, depth)
    return once(agent, board, name, depth) if fresh and answer.seconds > 10 * CLEAR else answer


def call_seconds(agent: Agent, board: Board) -> float | None:
    """Return the median seconds of CALLS calls that end at once; None for an agent that searches on.

    The agent may visit one node, and reports that it completed no depth.
    """
    times = []
    try:
        for _ in range(1 + CALLS):
            begin(agent, 0)
            answer = decide(agent, board, Conditions(Limits(depth=1, nodes=1)), time.perf_counter)
            if answer.depth or not answer.nodes:
                return None
            times.append(answer.seconds)
    except Fault:
        return None
    return median(times[1:])  # the first only warms up
