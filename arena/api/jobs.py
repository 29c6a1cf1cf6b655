"""Each job once, on plain settings: the command line, the pages and the functions for Python users call these.

Jobs that measure return `Measured` rows. `progress` is True for a progress bar, False for none, or a function that
makes the bar; `warn` takes a line for people; `workers` is a number of threads, or a Dask cluster.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from agents.board import Board, Rules
from agents.errors import InputError

if TYPE_CHECKING:
    from tqdm import tqdm

    from agents.specs.registry import Spec
    from arena.analysis.difference import Change
    from arena.analysis.frames import Frames
    from arena.analysis.pairings import Duel
    from arena.analysis.pool import Anchor, Averaged
    from arena.measure.bench import Slowdown, Speed
    from arena.measure.depths import Cost
    from arena.measure.grading import Grade, Grading, StageGrade
    from arena.measure.label import Label
    from arena.measure.position import Decision, Divided, Tried, Value
    from arena.measure.solve import Solved
    from arena.measure.tuning.tuning import Outcome, Tuning
    from arena.measure.verify import CrossCheck, Findings, Proof, Saving
    from arena.play.cluster import Cluster
    from arena.play.entries import Entry
    from arena.play.merge import Merged
    from arena.play.plan import Plan
    from arena.play.run import Run
    from arena.play.workers import Executor
    from arena.statistics.nash import Cycles
    from arena.statistics.ratings import Pool, Rating
    from arena.store.machine import Load

    Workers = int | Cluster

Row = TypeVar("Row")
Warn = Callable[[str], object]
Progress = bool | Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Measured(Generic[Row]):
    """Rows, and how they were measured."""

    rows: list[Row]
    meta: dict[str, Any]
    """What is needed to repeat it, as `arena.store.machine.meta` returns it."""
    busy: str = ""
    """A note where other programs used so much of the machine that times are too long; else empty."""
    interrupted: bool = False
    """Whether Ctrl-C ended the job; the rows found before are here."""


def bar(progress: Progress, unit: str, total: int | None = None, **more: Any) -> tqdm[Any]:  # noqa: ANN401  tqdm's own
    """Return a progress bar of so many steps, on stderr or in a notebook; a disabled one where it is not wanted."""
    if callable(progress):
        made: tqdm[Any] = progress(unit, total, **more)
        return made
    if not progress:
        from tqdm import tqdm

        return tqdm(disable=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has a plain bar
        from tqdm.auto import tqdm as notebook
    return notebook(total=total, unit=f" {unit}", dynamic_ncols=True, **more | {"leave": True})


def workers_of(count: int | None, cluster: str | None = None, say: Warn | None = None) -> Workers:
    """Return the workers: the cluster at an address, if there is one, else so many threads, by default one a core.

    say: takes what the cluster reports. Raises InputError.
    """
    if cluster is not None:
        from arena.play.cluster import Cluster

        return Cluster(cluster) if say is None else Cluster(cluster, say)
    return threads(count)


def threads(count: int | None) -> int:
    """Return a number of threads or processes, by default one a core. Raises InputError."""
    from arena.play.run import workers

    return workers(count)


def measuring(seed: int | None, command: str | None) -> Callable[[], dict[str, Any]]:
    """Begin to watch the machine; what is returned is called after measuring, and returns the `meta` of the rows."""
    from arena.store.machine import load, meta

    used = load()
    return lambda: meta(seed, command, used())


# Measurements.


def depths(
    specs: Sequence[Spec],
    levels: Sequence[int],
    boards: Sequence[Board],
    budget: float,
    *,
    why: bool = False,
    seed: int | None = None,
    command: str | None = None,
    progress: Progress = False,
    warn: Warn = warnings.warn,
) -> Measured[Cost]:
    """Measure what each depth costs; with `why` also search once more and record what happened inside."""
    from arena.measure.depths import depth_table, left_aside
    from arena.store.machine import load, meta

    if aside := left_aside(specs):
        warn(f"the depth of {aside} is left aside: --depth says which are measured")
    used = load()
    with bar(progress, "search", len(specs) * len(boards) * len(levels)) as shown:
        rows = depth_table(specs, levels, boards, budget, shown.update, why=why)
    others = used()
    return Measured(rows, meta(seed, command, others), others.note)


def mean_costs(costs: Sequence[Cost]) -> list[Cost]:
    """Return the means over positions of what depths cost."""
    from arena.measure.depths import means

    return means(costs)


def sample_openings(openings: str, rounds: int, seed: int, rules: Rules) -> list[Board]:
    """Return a sample of an opening set. Raises InputError."""
    from arena.play.openings import draw

    return draw(openings, rounds, seed, rules)


def bench(specs: Sequence[Spec], *, command: str | None = None, progress: Progress = False) -> Measured[Speed]:
    """Measure how fast agents search; without any every built-in search, ordering and heuristic, and the solver."""
    from arena.measure import bench as measure
    from arena.store.machine import load, meta

    specs, used = specs or measure.benches(), load()
    with bar(progress, "turn", measure.ROUNDS * len(specs)) as shown:
        rows = measure.bench(specs, shown.update)
    others = used()
    return Measured(rows, meta(None, command, others), others.note)


def slowdowns(
    before: Path, specs: Sequence[Spec], limit: float, *, command: str | None = None, progress: Progress = False
) -> Measured[Slowdown]:
    """Measure speeds, and compare them with those that `arena bench --json` wrote to a file. Raises InputError."""
    from arena.measure.bench import read
    from arena.measure.bench import slowdowns as compared

    old = read(before)
    found = bench(specs, command=command, progress=progress)
    return Measured(compared(old, found.rows, limit), found.meta, found.busy)


@dataclass(frozen=True, slots=True)
class Verified:
    """What `verify` searched and found."""

    proof: Proof
    findings: Findings
    meta: dict[str, Any]

    @property
    def savings(self) -> list[list[Saving]]:
        """What each search saved over plain minimax: the compiled searches, then those in plain Python."""
        from arena.measure.verify import savings

        return [savings("Compiled", self.findings.compiled), savings("Plain Python", self.findings.plain)]


def verify(
    positions: int,
    depth: int,
    seed: int,
    heuristics: Sequence[str],
    orderings: Sequence[str],
    rules: Rules,
    *,
    command: str | None = None,
    progress: Progress = False,
) -> Verified:
    """Compare every exact search with plain minimax on a random sample. Raises InputError."""
    from arena.measure.verify import Proof
    from arena.store.machine import load, meta

    used = load()
    proof = Proof.of(positions, depth, seed, heuristics, orderings, rules)
    with bar(progress, "position", proof.steps) as shown:
        found = proof.run(shown.update)
    return Verified(proof, found, meta(seed, command, used()))


def cross_check(
    text: str, count: int, seed: int, rules: Rules, *, command: str | None = None, progress: Progress = False
) -> Measured[CrossCheck]:
    """Compare our solver's scores with those of another on random positions. Raises InputError."""
    from arena.measure import verify as measure
    from arena.store.machine import load, meta

    used = load()
    boards = measure.crowded_sample(count, seed, rules)
    with bar(progress, "position", len(boards)) as shown:
        rows = measure.cross_check(text, boards, progress=shown.update)
    return Measured(rows, meta(seed, command, used()))


@dataclass(frozen=True, slots=True)
class Graded(Measured["Grade"]):
    """The grades of agents."""

    by_stage: tuple[StageGrade, ...] = ()
    """The same by stage and difficulty."""
    grading: Grading | None = None
    """The sample and the ladder; None before anything was graded."""
    candidates: int = 0
    """Rows that were asked for."""


def grade(
    specs: Sequence[Spec],
    levels: Sequence[int],
    positions: int | Path,
    seed: int,
    plies: Sequence[int] | None,
    rules: Rules,
    *,
    stages: bool = False,
    ladder: Sequence[int] | None = None,
    mirror: bool = False,
    workers: Workers = 1,
    command: str | None = None,
    progress: Progress = False,
) -> Graded:
    """Grade the agents' moves against perfect play; Ctrl-C keeps the rows found so far. Raises InputError."""
    from arena.measure.exercises import questions
    from arena.measure.grading import Grading, candidates
    from arena.store.machine import load, meta

    entered = candidates(specs, levels)
    agents = [each.spec.build() for each in entered]  # an agent that cannot be made fails before anything is solved
    rows: list[Grade] = []
    by_stage: list[StageGrade] = []
    done, interrupted, used = None, False, load()
    with bar(progress, "move") as shown:
        try:
            boards, known = questions(positions, seed, plies, rules, workers, shown.update, staged=stages)
            shown.total = shown.n + len(boards) * (len(agents) * (1 + mirror) + len(ladder or ()) + 1) - len(known)
            grading = Grading.of(boards, known, seed, workers, shown.update, rungs=ladder, mirror=mirror)
            for row, sets in grading.grades(entered, agents, shown.update):
                rows.append(row)
                by_stage += sets if stages else []
                done = grading
        except KeyboardInterrupt:
            interrupted = True
    others = used()
    about = meta(seed, command, others)
    return Graded(rows, about, others.note, interrupted, tuple(by_stage), done, len(entered))


def label(
    count: int,
    plies: Sequence[int] | None,
    seed: int,
    rules: Rules,
    *,
    columns: bool = False,
    out: Path | None = None,
    resume: bool = False,
    workers: Workers = 1,
    mebibytes: int = 256,
    command: str | None = None,
    progress: Progress = False,
) -> Measured[Label]:
    """Draw positions, solve them, and write them to `out`, if given; Ctrl-C keeps the rows found so far.

    resume: the labels that `out` has are kept, not solved again, and returned after the drawn ones. Raises InputError.
    """
    from arena.measure import label as labels
    from arena.measure.exercises import default_plies, sample
    from arena.store.machine import load, meta

    if out is not None:
        labels.refuse(out, rules, columns=columns)
    used, interrupted = load(), False
    found: dict[Any, Label] = {}
    with bar(progress, "step", 2 * count) as shown:
        shown.set_description("drawing")
        boards = sample(count, seed, plies or default_plies(rules), rules, shown.update)
        if out is not None and resume and out.exists():
            found = labels.known(out, rules, columns=columns)
        shown.set_description("solving")
        shown.update(sum((board.own, board.opp) in found for board in boards))
        try:
            labels.label(boards, found, workers, mebibytes, shown.update, columns=columns)
        except KeyboardInterrupt:
            interrupted = True
    drawn = [(board.own, board.opp) for board in boards]
    rows = list({discs: found[discs] for discs in [*drawn, *found] if discs in found}.values())
    if out is not None and rows:
        labels.write(out, rows, rules)
    return Measured(rows, meta(seed, command, used()), interrupted=interrupted)


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a tuning came to."""

    outcome: Outcome
    tried: int
    """Heuristics."""
    asked: int
    """Heuristics to try."""
    file: Path | None
    """What keeps the tuning, if anything does."""
    interrupted: bool


def new_tuning(settings: Mapping[str, Any], sprt: str, out: Path | None, *, again: bool = False) -> Tuning:
    """Return a tuning with these settings, the fields of a `Task`; a wrong one leaves no file. Raises InputError.

    again: a file that already holds a tuning with the same settings is continued; otherwise an existing one is refused.
    """
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import State, Tuning
    from arena.statistics.sprt import Sprt

    Sprt.parse(sprt)
    task = Task(**settings)
    tuning = Tuning(task, State.begin(None, task.document()))
    if out is not None:
        tuning.state = (State.of if again else State.begin)(out, task.document())
    return tuning


def stored_tuning(path: Path, evaluations: int | None) -> Tuning:
    """Return the tuning that a file holds, with so many heuristics to try, if given. Raises InputError."""
    from arena.measure.tuning.goals import Task
    from arena.measure.tuning.tuning import State, Tuning

    state = State.resume(path)
    task = Task.from_document(state.settings)
    return Tuning(task if evaluations is None else replace(task, evaluations=evaluations), state)


def tune(
    tuning: Tuning,
    confirm: Sequence[int] | None,
    sprt: str,
    rounds: int,
    *,
    workers: int = 1,
    command: str = "",
    progress: Progress = False,
) -> Tuned:
    """Search the weights, and test the best ones against the start; Ctrl-C keeps what was found. Raises InputError.

    confirm: depths of the games that follow, by default that of the search. rounds: openings at most; 0 for no games.
    """
    from arena.measure.tuning.confirmation import confirm as play_games
    from arena.measure.tuning.tuning import held, outcome
    from arena.statistics.sprt import Sprt
    from arena.store.machine import load, meta

    Sprt.parse(sprt)
    task, state, used, interrupted = tuning.task, tuning.state, load(), False
    with bar(progress, "position", desc="solving") as shown:
        train, held_out = task.sets(workers, shown.update)
    with bar(progress, "try", task.evaluations, initial=len(state.values)) as shown:

        def tried(best: float) -> None:
            shown.set_postfix_str(f"best {best:.4f}", refresh=False)
            shown.update()

        try:
            tuning.search(train, tried)
        except KeyboardInterrupt:
            interrupted = True
    best, matches = tuning.best(), []
    sets = held(tuning, train, best), held(tuning, held_out, best)
    if not interrupted and best != tuning.family.start and rounds:
        sides = tuning.family.text(best), tuning.start
        with bar(progress, "game") as shown:
            try:
                for depth in confirm or [task.depth]:
                    shown.set_description(f"confirming at depth {depth}")
                    match = play_games(
                        task, *sides, depth, sprt, rounds, workers, shown.update, tuning=state.path, command=command
                    )
                    matches.append(match)
            except KeyboardInterrupt:
                interrupted = True
    found = outcome(tuning, *sets, matches, meta(task.seed, command or None, used()))
    if not interrupted:
        state.conclude(asdict(found))
    return Tuned(found, len(state.values), task.evaluations, state.path, interrupted)


def audit(
    path: Path, *, strong: bool = False, mebibytes: int = 64, workers: Workers = 1, progress: Progress = False
) -> int:
    """Compare every move of a stored run with perfect play, store what is found, and return how many positions it took.

    What the file already knows is not solved again. Raises InputError when it cannot go on; what was found is kept.
    """
    from arena.measure.audit import audit as solve_moves
    from arena.measure.audit import missing
    from arena.store.run_file import Store

    with Store.read(path) as store:
        rules, openings = store.rules(), missing(store, strong=strong)
    if not openings:
        return 0
    from arena.measure.solve import Question

    question, total = Question(rules, strong, mebibytes), sum(map(len, openings))
    shown = bar(progress, "position", total, leave=True, smoothing=0.1)
    with Store.resume(path) as store, shown:
        try:
            solve_moves(store, openings, question, workers, shown.update)
        except InputError as error:
            raise InputError(f"{error}; what was audited is kept") from error
    return total


def refuse_labels(out: Path, rules: Rules, *, columns: bool) -> None:
    """Raise InputError where labels cannot be written to a file."""
    from arena.measure.label import refuse

    refuse(out, rules, columns=columns)


def book(
    path: Path,
    state: Path,
    rules: Rules,
    plies: int,
    *,
    scores: bool = False,
    mebibytes: int = 1024,
    values: Path | None = None,
    workers: int = 1,
    progress: Progress = False,
) -> None:
    """Compute an opening book and write it; what is solved so far is kept in the file `state`. Raises InputError.

    plies: the book's last ply. scores: exact scores, not only win, draw or loss. values: a finished book without them.
    """
    from arena.measure.book import BookPlan, build_book, finish_book
    from arena.store.writing import refuse_database

    refuse_database(path)
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"the book {path} cannot be written")
    plan = BookPlan(state, rules, plies, "scores" if scores else "values", mebibytes, values)
    if state.absolute() == path.absolute():
        raise InputError(f"book and state are both {path}: choose another --state")
    with bar(progress, "position", leave=True, smoothing=0.05) as shown:
        for known, total in build_book(plan, workers):
            shown.total = total
            shown.update(known - shown.n)
    finish_book(plan, path)


# Positions.


def solve(
    boards: Iterable[Board],
    rules: Rules,
    tell: Callable[[Board, Solved], object],
    *,
    weak: bool = False,
    columns: bool = False,
    book: bool = True,
    mebibytes: int = 64,
    workers: Workers = 1,
) -> None:
    """Solve positions of one board, and call `tell` with each and its answer, in their order. Raises InputError."""
    from agents.solver.book import shipped_book
    from agents.solver.solver import Solver
    from arena.measure.solve import solved_in_order

    solver = Solver(rules, mebibytes, shipped_book(rules) if book else None)
    solved_in_order(solver, workers, boards, tell, weak=weak, columns=columns)


def evaluate(boards: Iterable[Board], heuristics: Sequence[str], *, compiled: bool = True) -> list[Value]:
    """Return what heuristics, by default all that are built in, value positions at. Raises InputError."""
    from arena.measure.position import values

    return [row for board in boards for row in values(board, heuristics, compiled=compiled)]


def move(agent: str, board: Board, command: str | None) -> tuple[Decision, dict[str, Any]]:
    """Return what an agent plays in a position, and the `meta` of the measurement. Raises InputError."""
    from arena.measure.position import decision
    from arena.play.isolation import agent_of

    measured = measuring(None, command)
    made = decision(*agent_of(agent), board)
    return made, measured()


def order(boards: Iterable[Board], orderings: Sequence[str]) -> list[Tried]:
    """Return how orderings, by default all that are built in, sort the moves of positions. Raises InputError."""
    from arena.measure.position import orders

    return [row for board in boards for row in orders(board, orderings)]


@dataclass(frozen=True, slots=True)
class Perft:
    """The counts of a game tree."""

    sequences: int
    """Of exactly so many moves."""
    nodes: int
    """Of the whole tree with its root."""
    moves: list[Divided]
    """The counts of each first move, if asked for."""


def perft(board: Board, depth: int, *, divide: bool = False) -> Perft:
    """Count the game tree to a depth in plies, with `divide` each first move on its own. Raises InputError."""
    if divide and depth:
        from arena.measure.position import divided

        rows = list(divided(board, depth))
        if rows:
            return Perft(sum(row.sequences for row in rows), 1 + sum(row.nodes for row in rows), rows)
    from agents.search.perft import perft as count

    return Perft(*count(board, depth), [])


# Strength.


@dataclass(frozen=True, slots=True)
class Rated:
    """The ratings of a pool."""

    pool: Pool
    ratings: Sequence[Rating]
    """The pool's, or those with the likelihoods of superiority or with the Nash average."""
    cycles: Cycles | None = None
    """How far results go in circles; only with the Nash average."""


def rate(
    source: Path | Frames, anchor: Anchor | None = None, *, superiority: bool = False, nash: bool = False
) -> Rated:
    """Return the ratings of a run or of a CSV file of counts. Raises InputError."""
    from arena.analysis import pool

    found = pool.of_file(source, anchor) if isinstance(source, Path) else pool.of_run(source, anchor)
    if nash:
        rows: Sequence[Averaged]
        rows, cycles = pool.averaged(source, found)
        return Rated(found, rows, cycles)
    return Rated(found, pool.with_superiority(found) if superiority else found.ratings)


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed between two stored runs."""

    changes: list[Change]
    loads: tuple[Load | None, Load | None]
    """How busy the machine was while the games of each were played."""


def diff(old: Path, new: Path, agents: Sequence[str] = ()) -> Difference:
    """Return what changed between two stored runs, a row for each agent that both have. Raises InputError."""
    from arena.analysis.difference import changes
    from arena.analysis.frames import Frames

    one, other = (Frames.read(path, decided=False) for path in (old, new))
    return Difference(changes(one, other, agents), (one.load(), other.load()))


def failed_conditions(rows: Sequence[Change], conditions: Iterable[str], *, estimate: bool = False) -> list[str]:
    """Return a line for each agent and condition that holds of it. Raises InputError for what is no condition.

    A change with a 95 % interval counts only where all of the interval lies beyond the limit, unless by its `estimate`.
    """
    from arena.analysis.difference import fails

    return [line for condition in conditions for line in fails(rows, condition, estimate=estimate)]


def duels(path: Path, margin: float) -> list[Duel]:
    """Return a row for each two agents of a stored run that met. Raises InputError."""
    from arena.analysis.frames import Frames
    from arena.analysis.pairings import duels

    return duels(Frames.read(path), margin)


def frames(path: Path, *, whole: bool = False) -> Frames:
    """Return what a stored run holds; of a large one all of it only if the `whole` is asked for. Raises InputError."""
    from arena.analysis.frames import Frames

    return Frames.read(path, whole=whole)


# Tournaments.


def begin(plan: Plan, path: Path | None, command: str, *, jobs: int | None) -> Run:
    """Start a run in a new file, by default one in `results/` named after the time. Raises InputError."""
    from arena.play.run import Run

    return Run.begin(plan, path, command, jobs=jobs)


def invite(texts: Sequence[str], *, strict: bool, warn: Warn) -> tuple[tuple[str, ...], tuple[Entry | None, ...]]:
    """Return the names of the agents that texts stand for, and their entries in folders and rosters.

    Entries that cannot play are left out with a line to `warn`. Raises InputError, if `strict` for those, too.
    """
    from arena.play.plan import invited

    names, entries, broken, remarks = invited(texts)
    if strict and broken:
        raise InputError(broken[0])
    for line in [*(f"left out: {line}" for line in broken), *remarks]:
        warn(line)
    return names, entries


def comparison_plan(
    heuristics: Sequence[str],
    search: str,
    amounts: Mapping[str, Sequence[object] | None],
    *,
    openings: str | None,
    rounds: int,
    seed: int,
    rules: Rules,
) -> Plan:
    """Return the tournament in which heuristics meet at equal `depth`, `nodes` or `seconds`, by default depth 4 to 6.

    amounts: how much of each; only one may be given. Raises InputError.
    """
    from arena.measure import comparison
    from arena.play.openings import DEFAULT_SET

    given = {key: values for key, values in amounts.items() if values is not None} or {"depth": (4, 5, 6)}
    if len(given) > 1:
        raise InputError(f"choose one of {' and '.join(f'--{key}' for key in given)}")
    [(key, values)] = given.items()
    levels = [comparison.Level(key, str(value)) for value in dict.fromkeys(values)]
    return comparison.plan(
        heuristics, search, levels, openings=openings or DEFAULT_SET, rounds=rounds, seed=seed, rules=rules
    )


def play(
    run: Run,
    processes: int,
    cluster: str | None = None,
    *,
    times: str = "games",
    why: bool = False,
    seconds: float | None = None,
    games: int | None = None,
    progress: Progress = False,
    watch: Callable[[tqdm[Any], Executor], AbstractContextManager[object]] = lambda _, __: nullcontext(),
    say: Warn | None = None,
    warn: Warn = warnings.warn,
) -> bool:
    """Play what is missing of a run, then search once more as asked, close it, and return whether nothing is left.

    times: "alone" searches a sample of positions by turns afterwards. why: repeat every search and record its cut-offs.
    seconds, games: where it stops before the end; what follows the games is then left for later. watch: around the
    games, with their bar and what plays them. say: takes what a cluster reports. Raises InputError when it cannot go
    on; what was played is kept.
    """
    players: Executor
    if cluster is None:
        players = run.executor(processes)
    else:
        from arena.play.cluster import Cluster

        players = Cluster(cluster) if say is None else Cluster(cluster, say)
    planned, played = run.store.planned(), len(run.store.played())
    shown = bar(progress, "game", planned, leave=True, initial=played, smoothing=0.1)
    with run.store, shown:
        with watch(shown, players):
            whole = run.play(players, shown.update, seconds=seconds, games=games)
        if whole and times == "alone":
            from arena.measure.timing import time_alone

            shown.set_description("searching by turns")
            time_alone(run)
        if whole and why:
            from arena.measure.profile import counting_agents, profile_run
            from arena.store.findings import unprofiled_games

            agents = counting_agents(run.store)
            left = unprofiled_games(run.store, list(agents))
            with bar(progress, "game", len(left), desc="looking into") as again:
                lost = profile_run(run.store, agents, left, processes, again.update)
            if lost:
                warn(f"{lost} moves could not be searched again as they were, and are left out")
    for name, remark in run.remarks.items():
        warn(f"agent {name}: {remark}")
    return whole


def merge(files: Sequence[Path], out: Path, *, command: str = "", progress: Progress = False) -> Merged:
    """Write the games of stored runs into a new file, and return how many. Raises InputError."""
    from arena.play.merge import merge as write

    with bar(progress, "game", leave=True) as shown:

        def advance(games: int, total: int) -> None:
            shown.total = total
            shown.update(games)

        return write(files, out, command, advance)
