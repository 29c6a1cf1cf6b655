"""Search profiles: repeat the searches of a stored run with the kernel that counts cut-offs, leaves and table hits.

The stored games and their times stay. Each agent repeats its moves from the beginning of a game with a cleared table:
so every search visits the same nodes as in the game, and one that the clock ended ends at the same node. A move that
comes out differently, since a heuristic's file was changed or uses chance, is dropped with the agent's later moves of
that game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass, field, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any
from zlib import crc32

from agents.agent import Agent, Iteration, Limits, new_game, prepare
from agents.board import Board, Rules
from agents.players.searcher import Searcher
from agents.search.counting import NodeCounts
from agents.specs.registry import KINDS, Spec
from arena.analysis.effort import SearchProfile
from arena.play.interrupt import stoppable
from arena.store import findings
from arena.store.run_file import Store, final_board, place

if TYPE_CHECKING:
    from agents.search.compiled import CompiledHeuristic, CompiledOrdering


class Profiler:
    """An agent with counted searches; the profile of one that cannot count is empty."""

    def __init__(self, agent: Agent, name: str) -> None:
        """Take an agent that is not prepared yet; `name` stands in errors."""
        self.agent = agent
        self.name = name
        self.counts = counting(agent)
        self.rules: Rules | None = None
        self.heuristic: CompiledHeuristic | None = None

    def prepare(self, rules: Rules) -> None:
        """Compile for boards of this size; not while another thread prepares. Raises InputError."""
        from agents.search import compiled

        if isinstance(self.agent, Searcher) and self.rules != rules:
            prepare(self.agent, rules, self.name)
            self.heuristic = compiled.heuristic(self.agent.heuristic, rules, compiled=self.agent.compiled)
            self.rules = rules

    def search(self, board: Board, limits: Limits) -> list[tuple[Iteration, NodeCounts]]:
        """Return each depth that the agent completes with its counts so far; the agent keeps its memory.

        Raises InputError where the agent cannot be prepared.
        """
        if self.counts is None:
            return []
        assert isinstance(self.agent, Searcher)
        self.prepare(board.rules)
        self.counts.clear()
        answer = self.agent.choose(board, limits)
        return list(zip(answer.iterations, self.counts, strict=False))  # the last count may be of an unfinished depth

    def profile(
        self, board: Board, iteration: Iteration, counts: NodeCounts, limit: int | None = None
    ) -> SearchProfile:
        """Return a search's profile, without a minimal tree where a ply has more than `limit` different positions.

        iteration, counts: a depth and its counts, from `search`. limit: by default as many as `minimal_nodes` takes.
        """
        from arena.measure.minimal import MOST_POSITIONS, minimal_nodes

        assert isinstance(self.agent, Searcher)
        assert self.heuristic is not None
        assert iteration.score is not None
        limit = MOST_POSITIONS if limit is None else limit
        minimal = minimal_nodes(
            board, iteration.depth, iteration.score, self.heuristic, normal_win=self.agent.normal_win, limit=limit
        )
        return SearchProfile.of(iteration.nodes, counts, minimal)


def counting(agent: Agent) -> list[NodeCounts] | None:
    """Have an unprepared agent count what its searches do, and return the list that it fills; None if it cannot count.

    Each completed depth appends what the agent has done since its move began. Counting slows the search a little.
    """
    if not isinstance(agent, Searcher) or type(agent).bind is not Searcher.bind:
        return None
    found: list[NodeCounts] = []

    def bind(rules: Rules, heuristic: CompiledHeuristic, order: CompiledOrdering) -> Any:  # noqa: ANN401  a kernel
        from agents.search import most_fours

        search = most_fours.bind_search(
            rules, heuristic, order.sort_moves, agent.points, counting=True, enhancements=agent.enhancements != 0
        )

        def counted(*given: Any) -> tuple[int, int]:  # noqa: ANN401  what the kernel takes
            answer = search(*given)
            found.append(NodeCounts.read(agent.control.tolist(), rules.columns))
            return answer

        return counted

    agent.bind = bind  # type: ignore[method-assign]  # of this agent alone
    return found


SAMPLE = 100
"""Moves of each agent, about, for which minimal trees are computed; they are drawn from all."""
SMALL_PLY = 100_000
"""Different positions of a ply up to which they are computed: a quarter of a second."""
CHUNK = 16
"""Games that each thread is given at a time."""

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class ProfiledMove:
    """A stored move."""

    place: int
    """Of the agent, in the list of agents."""
    board: Board
    nodes: int
    depths: list[tuple[int, int]]
    """Depth and nodes of each depth that was completed."""
    with_minimal: bool
    """Whether its minimal trees are computed."""


def counting_agents(store: Store) -> dict[int, Spec]:
    """Return the agents of a run that can count, by place. Raises InputError for one that can no longer be built."""
    found = {}
    for number, (spec, remote) in enumerate(store.agents()):
        if not remote and spec.kind in KINDS and Profiler(spec.build(), spec.text).counts is not None:
            found[number] = spec
    return found


def profile_run(
    store: Store, agents: dict[int, Spec], games: Sequence[int], threads: int,
    progress: Callable[[], object] = lambda: None,
) -> int:  # fmt: skip
    """Repeat the searches of these agents in these games, and store their profiles; `progress` follows each game.

    agents: by place. threads: each repeats one game at a time. Returns how many moves came out differently. Raises
    InputError when it cannot go on; finished games stay stored.
    """
    findings.begin_profile(store)
    plan, lost = store.plan(), 0
    repeater = Repeater(
        Limits(nodes=plan.get("nodes"), seconds=plan.get("seconds") or (1.0 if plan.get("clock") else None))
    )
    for _ in range(threads):
        repeater.add(agents, store.rules())
    shares = _shares(store)
    with stoppable(repeater.made), ThreadPoolExecutor(threads) as pool:
        try:
            for start in range(0, len(games), CHUNK * threads):
                numbers = games[start : start + CHUNK * threads]
                for number, (rows, others) in zip(
                    numbers, pool.map(repeater.game, [_decisions(store, game, shares) for game in numbers]), strict=True
                ):
                    lost += others
                    findings.add_profile(store, [(number, *row) for row in rows])
                    progress()
        finally:
            repeater.stopped = True
            pool.shutdown(wait=False, cancel_futures=True)
    return lost


@dataclass(slots=True)
class Repeater:
    """The counting agents by place, a set of them for each thread."""

    limits: Limits
    """Of the run."""
    made: list[Agent] = field(default_factory=list)
    stopped: bool = False
    free: SimpleQueue[dict[int, Profiler]] = field(default_factory=SimpleQueue)

    def add(self, agents: dict[int, Spec], rules: Rules) -> None:
        """Build the agents of one more thread, before threads run: preparing may redirect output, which they share."""
        made = {number: Profiler(spec.build(), spec.text) for number, spec in agents.items()}
        for profiler in made.values():
            profiler.prepare(rules)
            self.made.append(profiler.agent)
        self.free.put(made)

    def game(self, decisions: Sequence[ProfiledMove]) -> tuple[list[Row], int]:
        """Return the rows of a game without its number, and how many moves came out differently."""
        profilers = self.free.get()
        try:
            return self._game(profilers, decisions)
        finally:
            self.free.put(profilers)

    def _game(self, profilers: dict[int, Profiler], decisions: Sequence[ProfiledMove]) -> tuple[list[Row], int]:
        rows: list[Row] = []
        lost = 0
        for side in (0, 1):
            own = [each for each in decisions if each.board.mover == side]
            if not own or own[0].place not in profilers:
                continue
            profiler = profilers[own[0].place]
            new_game(profiler.agent, 0)
            for done, decision in enumerate(own):
                found = self._search(profiler, decision)
                if self.stopped or found is None:
                    lost += len(own) - done
                    break
                rows += found
        return rows, lost

    def _search(self, profiler: Profiler, decision: ProfiledMove) -> list[Row] | None:
        """Return the rows of a move, None where it comes out differently."""
        agent = profiler.agent
        assert isinstance(agent, Searcher)
        timed = agent.limits.seconds is not None or self.limits.seconds is not None
        agent_limits = agent.limits
        agent.limits = replace(agent.limits, seconds=None)
        found = profiler.search(decision.board, Limits(nodes=decision.nodes if timed else self.limits.nodes))
        agent.limits = agent_limits
        if [(iteration.depth, iteration.nodes) for iteration, _ in found] != decision.depths:
            return None
        rows: list[Row] = []
        for iteration, counts in found:
            limit = SMALL_PLY if decision.with_minimal else 0
            profile = profiler.profile(decision.board, iteration, counts, limit)
            _, *kinds, cutoffs, probes, hits, minimal = astuple(profile)
            turns = " ".join(map(str, cutoffs))
            rows.append((decision.board.ply, iteration.depth, *kinds, turns, probes, hits, minimal))
        return rows


def _decisions(store: Store, game: int, shares: Sequence[float]) -> list[ProfiledMove]:
    """Return the moves of a stored game. Raises InputError where it is none."""
    job, moves, result, termination = findings.game_record(store, game)
    board = final_board(place(store.path, game), store.rules(), moves, result, termination)
    boards = [Board(board.rules)]
    for column in board.moves:
        boards.append(boards[-1].play(column))
    depths: dict[int, list[tuple[int, int]]] = {}
    for ply, depth, nodes in findings.nodes_of_depths(store, game):
        depths.setdefault(ply, []).append((depth, nodes))
    found = []
    for ply, nodes in findings.nodes_of_moves(store, game):
        number = job.second if ply % 2 else job.first
        drawn = crc32(f"{job}-{ply}".encode()) < shares[number] * 2**32
        found.append(ProfiledMove(number, boards[ply], nodes, depths.get(ply, []), drawn))
    return found


def _shares(store: Store) -> list[float]:
    """Return for each agent the share of its moves for which minimal trees are computed."""
    moves = findings.moves_by_agent(store)
    return [SAMPLE / moves.get(number, SAMPLE) for number in range(1, len(store.agents()) + 1)]
