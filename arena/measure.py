"""What a search costs: nodes and time by depth, measured warm and until the clock can tell."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agents.agent import Agent, Analysis, Limits, new_game, prepare
from agents.board import Board
from agents.errors import InputError
from agents.heuristics import HEURISTICS
from agents.orderings import ORDERINGS
from agents.registry import KINDS, Spec, parse

CLEAR = 0.05
"""Seconds of repetitions after which a median is believed."""
MOST_REPETITIONS = 50
COUNTED = 10
"""Depth up to which plain minimax's tree is counted: 0.3 seconds from the empty board."""
GROWTH = 7.0
"""How much dearer the next depth is taken to be before two depths were measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """One row of a depth table."""

    agent: str
    position: str
    depth: int
    """Plies."""
    nodes: int | None
    """None where the row was too dear and skipped; so are the fields below."""
    seconds: float | None = None
    """Median of the repetitions."""
    move: int | None = None
    """0-based."""
    score: int | None = None
    """For the side to move."""
    minimax: int | None = None
    """Nodes that plain minimax visits to this depth; None beyond COUNTED."""


def at_depth(spec: Spec, depth: int) -> Spec:
    """Return the same agent with another depth. Raises InputError for a kind that has none."""
    if spec.kind not in KINDS or "depth" not in KINDS[spec.kind].parameters:
        raise InputError(f"agent {spec.text!r} has no depth to vary")
    kind, colon, rest = spec.text.partition(":")
    others = [pair for pair in rest.split(",") if colon and not pair.startswith("depth=")]
    return parse(f"{kind}:{','.join([*others, f'depth={depth}'])}")


def without_depth(spec: Spec) -> str:
    """Return the agent's name in a table that has a column for the depth."""
    kind, _, rest = spec.text.partition(":")
    others = [pair for pair in rest.split(",") if pair and not pair.startswith("depth=")]
    return f"{kind}:{','.join(others)}" if others else kind


def depth_table(
    specs: Sequence[Spec],
    depths: Sequence[int],
    boards: Sequence[Board],
    budget: float,
    watch: Callable[[Cost], None] = lambda cost: None,  # noqa: ARG005  nobody listens
) -> list[Cost]:
    """Measure every agent at every depth on every position, shallow first; `budget` is the seconds a search may take.

    A depth that is expected to take longer is skipped, and with it all greater ones. Raises InputError.
    """
    rows = []
    for spec in specs:
        for board in boards:
            for cost in _deepening(spec, sorted(depths), board, budget):
                rows.append(cost)
                watch(cost)
    return rows


def _deepening(spec: Spec, depths: Sequence[int], board: Board, budget: float) -> Iterator[Cost]:
    from agents.kernels.perft import perft

    name = without_depth(spec)
    expected = 0.0
    before = 0.0
    for depth in depths:
        if expected > budget:
            yield Cost(name, board.text, depth, None)
            continue
        agent = at_depth(spec, depth).build()
        prepare(agent, board.rules)
        analysis, seconds = timed(agent, board)
        minimax = perft(board, depth)[1] if depth <= COUNTED else None
        yield Cost(name, board.text, depth, analysis.nodes, seconds, analysis.column, analysis.score, minimax)
        expected = seconds * (max(2.0, seconds / before) if before > CLEAR / MOST_REPETITIONS else GROWTH)
        before = seconds


def timed(agent: Agent, board: Board) -> tuple[Analysis, float]:
    """Return an agent's answer and the median of its seconds, each time from a cleared memory.

    A short first answer only warms up; a long one needs no repetition.
    """
    analysis, seconds = _once(agent, board)
    if seconds > 10 * CLEAR:
        return analysis, seconds
    times: list[float] = []
    while sum(times) < CLEAR and len(times) < MOST_REPETITIONS:
        analysis, seconds = _once(agent, board)
        times.append(seconds)
    return analysis, statistics.median(times)


def _once(agent: Agent, board: Board) -> tuple[Analysis, float]:
    new_game(agent, 0)
    began = time.perf_counter()
    answer = agent.choose(board, Limits())
    seconds = time.perf_counter() - began
    return (answer if isinstance(answer, Analysis) else Analysis(answer)), seconds


BENCH_SECONDS = 0.3


def benches() -> list[str]:
    """Return the specs that `arena bench` measures: every search with one heuristic, every heuristic in one search."""
    searches = ["minimax:depth=7,heuristic=powers-of-ten"]
    searches += [f"alphabeta:depth=11,order={order},heuristic=powers-of-ten" for order in ORDERINGS]
    searches += ["alphabeta:depth=11,order=centre,heuristic=powers-of-ten,table=on"]
    return searches + [
        f"alphabeta:depth=9,order=centre,heuristic={heuristic}" for heuristic in HEURISTICS if heuristic != "powers-of-ten"
    ]


def bench(spec: str) -> dict[str, object]:
    """Return agent, nodes, seconds and nodes_per_second of a search from the empty board, the fastest of many."""
    agent = parse(spec).build()
    board = Board()
    prepare(agent, board.rules)
    best = float("inf")
    began = time.perf_counter()
    while time.perf_counter() - began < BENCH_SECONDS or best == float("inf"):
        analysis, seconds = _once(agent, board)
        best = min(best, seconds)
    return {"agent": spec, "nodes": analysis.nodes, "seconds": best, "nodes_per_second": analysis.nodes / best}
