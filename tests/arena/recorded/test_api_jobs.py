"""What each job asks of the room below it, with every argument, and what it makes of the answers; none searches."""

import dataclasses
import inspect
from pathlib import Path
from types import SimpleNamespace

import pytest
from recorded import holds, plain, tried, without

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.registry import Spec
from arena import python
from arena.depth import depths, verify
from arena.games import progress, settings
from arena.games.check import Checked
from arena.perfect import audit, grade
from arena.perfect import solve as solving
from arena.plugins.counts import job as counts_job
from arena.plugins.counts import ratings as rate
from arena.plugins.diff import job as diff_job
from arena.plugins.tree import job as tree_job
from arena.position import questions
from arena.table import measured
from arena.tournament import result

pytestmark = pytest.mark.usefixtures("here")


SMALL = Rules(5, 4)
BOT = "def choose(board):\n    return board.legal_moves()[0]\n"


def told(value):
    """Return an argument as plain data: boards and specs by their texts, what is called not at all."""
    if isinstance(value, Board):
        return f"{value.text} on {value.rules}"
    if isinstance(value, Rules):
        return str(value)
    if isinstance(value, Spec):
        return value.text
    if isinstance(value, dict) and "versions" in value:  # how something was made
        return {key: value[key] for key in ("seed", "command")}
    if isinstance(value, dict):
        return {str(key): told(each) for key, each in value.items() if not called(each)}
    if isinstance(value, list | tuple | range | set):
        return [told(each) for each in value if not called(each)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: told(getattr(value, each.name)) for each in dataclasses.fields(value)}
    return plain(value) if isinstance(value, str | int | float | bool | Path | None) else type(value).__name__


def called(value):
    return callable(value) and not isinstance(value, type)


class Bar:
    """A progress bar that keeps its unit and its total."""

    disable = True

    def __init__(self, unit, total=None, **more):
        self.unit, self.total, self.n, self.ends = unit, total, more.get("initial", 0), []

    def __getattr__(self, name):
        return lambda *_, **__: None

    def update(self, steps=1):
        self.n += steps

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ends.append([self.unit, self.total, self.n])


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Stand-ins, each of which keeps what it is asked and gives an answer, and the bars that were shown."""
    monkeypatch.chdir(tmp_path)
    found, bars = [], []

    def stub(place, answer=None):
        def call(*words, **named):
            found.append([place.rpartition(".")[2], told(words), told(named)])
            if isinstance(answer, BaseException):
                raise answer
            return answer(*words, **named) if callable(answer) else answer

        monkeypatch.setattr(place, call)

    def bar(*words, **named):
        bars.append(Bar(*words, **named))
        return bars[-1]

    def run(job, *words, **named):
        """Return the answer of a job, what was asked meanwhile, and the bars."""
        found.clear()
        bars.clear()
        answer = tried(lambda: told_answer(job(*words, **named)))
        return without([answer, told(found), [[each.unit, each.total, each.n] for each in bars]], tmp_path)

    return SimpleNamespace(stub=stub, run=run, bar=bar, found=found)


def told_answer(value):
    """Return an answer without how it was made."""
    if isinstance(value, measured.Measured):
        return {each.name: told(getattr(value, each.name)) for each in dataclasses.fields(value)
                if each.name not in ("meta", "busy", "kind")} | {"kind": value.kind.__name__}  # fmt: skip
    if dataclasses.is_dataclass(value) and hasattr(value, "meta"):
        return {each.name: told(getattr(value, each.name)) for each in dataclasses.fields(value) if each.name != "meta"}
    return told(value)


@dataclasses.dataclass(frozen=True)
class Row:
    """A row that a stand-in answers with."""

    name: str = "row"
    number: int = 1

    def document(self):
        return dataclasses.asdict(self)


# Positions.


def test_questions_about_positions(asked, request):
    asked.stub("arena.position.position.values", lambda board, *_, **__: [Row(board.text)])
    asked.stub("arena.position.position.orders", lambda board, *_: [Row(board.text)])
    asked.stub("arena.position.position.decision", "decided")
    asked.stub("agents.search.perft.perft", (4, 7))
    asked.stub("arena.position.position.divided", lambda *_: [SimpleNamespace(sequences=3, nodes=5)] * 2)
    asked.stub("arena.plugins.tree.build.tree", SimpleNamespace(board="b", depth=3))
    asked.stub("arena.plugins.tree.build.counterpart", "the other")
    asked.stub("arena.plugins.tree.tables.page", "<page>")
    limits = tree_job.tree_limits(50, 0.25)
    assert (limits.nodes, limits.seconds) == (50, 0.25)
    run, found = asked.run, {}
    found["values"] = run(questions.evaluate, ["33", Board.from_moves("4")], ["zero"], compiled=False, rules=SMALL)
    found["value"] = run(questions.evaluate)
    found["orders"] = run(questions.order, ["33", "4"], ["centre"], rules="5x4")
    found["order"] = run(questions.order)
    found["move"] = run(questions.move, "greedy", "33", rules="5x4", isolation={"patience": 3.0})
    found["perft"] = run(questions.perft, 3, "33", rules="5x4")
    found["divided"] = run(questions.perft, 3, divide=True)
    found["not divided"] = run(questions.perft, 0, divide=True)
    found["tree"] = run(tree_job.tree, "minimax:depth=2", Board())
    found["tree files"] = run(tree_job.tree, "minimax", Board(SMALL), 2, html=Path("t.html"))
    found["files"] = Path("t.html").read_text()
    found["page"] = run(tree_job.tree_page, "minimax", Board(SMALL), 2, limits)
    found["part of a page"] = run(tree_job.tree_page, "minimax", Board(SMALL), 2, limits, whole=False)
    holds("api-asked-positions", found, request)


def test_an_agent_moves_with_the_settings_that_are_asked_for_and_positions_may_be_equal(monkeypatch):
    asked = []
    monkeypatch.setattr(questions, "spec", lambda agent, isolation: asked.append([agent, isolation]) or "spec")
    monkeypatch.setattr("arena.position.position.decision", lambda spec, board: [spec, board.text])
    assert questions.move("bot.py", "44", isolation={"memory": 99}) == ["spec", "44"]
    assert asked == [["bot.py", {"memory": 99}]]
    boards = settings.boards_of(["33", "12", "33"], "5x4")
    assert [(board.text, board.rules) for board in boards] == [("33", SMALL), ("12", SMALL), ("33", SMALL)]


# Perfect play.


def test_perfect_play(asked, request, monkeypatch):
    def solve(solver, workers, boards, tell, **how):
        for board in boards:
            tell(board, Row(f"{solver} {board.text}"))

    asked.stub("agents.solver.solver.Solver", lambda rules, book: f"solver of {rules}, {book}")
    asked.stub("agents.solver.book.shipped_book", lambda rules: f"book of {rules}")
    asked.stub("arena.perfect.solved.solved_in_order", solve)
    monkeypatch.setattr(solving, "workers_of", lambda workers: workers or 4)
    run, found = asked.run, {}
    found["solve"] = run(solving.solve)
    several = ["33", Board.from_moves("1", Rules(4, 4)), "12"]
    found["several"] = run(solving.solve, several, columns=True, book=False, threads=2, rules="5x4")
    told_of = []
    found["an iterator"] = run(
        solving.solve, iter([Board.from_moves("1"), Board()]), found=lambda *row: told_of.append(row)
    )
    assert [board.text for board, _ in told_of] == ["1", ""]

    holds("api-asked-truth", found, request)


def test_grades(asked, request, monkeypatch):
    def grades(entered, made, update, faults):
        for each in entered:
            if each.spec.text == "random":
                faults.append(InputError("random fails"))
                continue
            if each.spec.text == "minimax":
                raise KeyboardInterrupt
            update()
            yield Row(each.spec.text), [Row("stage")]

    asked.stub("arena.perfect.exercises.questions", lambda *_, **__: ([Board()] * 3, {"known": 1}))
    asked.stub("arena.perfect.grading.candidates", lambda specs, *_: [SimpleNamespace(spec=each) for each in specs])
    monkeypatch.setattr("arena.perfect.grading.Grading", SimpleNamespace(
        of=lambda *words, **named: asked.found.append(["of", told(words), told(named)])
        or SimpleNamespace(grades=grades)))  # fmt: skip
    monkeypatch.setattr(grade, "workers_of", lambda workers: workers)
    run, found = asked.run, {}
    found["one"] = run(grade.grade, ["greedy"], progress=asked.bar)
    found["all"] = run(
        grade.grade, ["greedy", "random"], [2, 3], positions=9, seed=4, plies=[5, 6], ladder=[1, 2],
        workers=3, rules="5x4", isolation={"memory": 99}, progress=asked.bar,
    )  # fmt: skip
    found["a file"] = run(grade.grade, ["greedy"], 2, positions="labels.jsonl", ladder=2)
    found["interrupted"] = run(grade.grade, ["greedy", "random", "minimax"])
    found["all fail"] = run(grade.grade, ["random"])
    found["no seed"] = run(grade.grade, ["greedy"], seed=-1)
    holds("api-asked-grades", found, request)


def test_audits(asked, request, tmp_path, monkeypatch):
    class Opened:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def rules(self):
            return rules

        def __repr__(self):
            return "store"

    rules, left = SMALL, [[1, 2], [3]]
    store = SimpleNamespace(read=lambda path: asked.found.append(["read", str(path)]) or Opened(),
                            resume=lambda path: asked.found.append(["resume", str(path)]) or Opened())  # fmt: skip
    monkeypatch.setattr("arena.store.run_file.Store", store)
    asked.stub("arena.store.validation.refuse_damaged")
    asked.stub("arena.perfect.judge.missing", lambda *_, **__: left)
    asked.stub("arena.perfect.judge.audit")
    monkeypatch.setattr(audit, "workers_of", lambda workers: workers)
    run, found = asked.run, {}
    found["one"] = run(audit.audit, Path("run.sqlite"), progress=asked.bar)
    found["threads"] = run(audit.audit, Path("run.sqlite"), workers=3)
    asked.stub("arena.perfect.judge.audit", InputError("no memory"))
    found["failing"] = run(audit.audit, Path("run.sqlite"))
    rules = Rules(5, 4, most_fours=True)
    found["most fours"] = run(audit.audit, Path("run.sqlite"))
    left = []
    found["nothing left"] = run(audit.audit, Path("run.sqlite"))
    holds("api-asked-audits", found, request)


# Measurements.


def test_measurements(asked, request, monkeypatch):
    def table(entered, levels, boards, budget, update, *, why, faults, warn):
        if len(entered) > 1:
            faults.append(InputError("the last fails"))
        return [Row(each.text) for each in entered[:1]] if entered[0].text != "random" else []

    asked.stub("arena.depth.cost.depth_table", table)
    asked.stub("arena.depth.cost.refuse_unsearchable")
    asked.stub("arena.depth.cost.left_aside", lambda specs, _: "minimax" if len(specs) > 1 else "")
    asked.stub("arena.games.openings.draw", [Board.from_moves("12"), Board.from_moves("3")])
    warned = []
    run, found = asked.run, {}
    found["depths"] = run(depths.depths, ["minimax"], progress=asked.bar, warn=warned.append)
    assert warned == []
    found["all"] = run(
        depths.depths, ["minimax", "greedy"], [2, 3], positions=["33", "4"], openings="plies:2", rounds=3, seed=5,
        rules="5x4", budget=0.5, why=True, isolation={"memory": 99}, progress=asked.bar, warn=warned.append,
    )  # fmt: skip
    assert warned == ["the depth of minimax is left aside: --depth says which are measured"]
    found["an opening"] = run(depths.depths, ["minimax"], 2, openings="plies:1")
    found["failing"] = run(depths.depths, ["random", "greedy"], 2, warn=warned.append)
    assert run(lambda: depths.depths(["minimax"], seed=7).meta["seed"])[0] == 7
    found["seed 0"] = run(depths.depths, ["minimax"], 2, openings="plies:4", rounds=2, seed=0)

    holds("api-asked-measures", found, request)


def test_checks_of_agents(asked, request, tmp_path, monkeypatch):
    for name, text in {"class/good.py": BOT, "class/bad.py": "def choose(:\n", "other.py": BOT}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)

    def check(found, spec, limits, margin, rules, count, update):
        if found.agent == stop:
            found.positions = 3
            raise KeyboardInterrupt
        for _ in range(count // 2):
            update()

    stop = ""
    asked.stub("arena.games.check.check", check)
    asked.stub("agents.processes.sandbox.bubblewrap")
    monkeypatch.setattr("arena.games.entrants.check_sandbox", lambda: None)
    monkeypatch.setattr(Checked, "__str__", lambda row: f"{row.agent} {row.ok} {row.problems}")
    run, found = asked.run, {}
    found["some"] = run(check.check, ["class", "greedy", "nope", "other.py"], progress=asked.bar)
    found["all"] = run(
        check.check, ["other.py"], seconds=0.5, nodes=9, margin=0.25, patience=3.0, memory=99, sandbox=True,
        debug="lines",
        positions=6, rules="5x4", progress=asked.bar,
    )  # fmt: skip
    stop = "greedy"
    found["interrupted"] = run(check.check, ["other.py", "greedy", "class"], positions=8)
    found["positions"] = [run(check.check, ["greedy"], positions=number) for number in (0, 100_001)]
    monkeypatch.setattr("agents.processes.watchdog.in_force", lambda: "memory, and processes")
    assert check.limits_in_force() == "memory, and processes"
    holds("api-asked-checks", found, request)


def test_searches_against_each_other(asked, request, monkeypatch):
    boards = [Board.from_moves(moves, SMALL) for moves in ("", "3", "33", "12", "21", "5", "54")]
    asked.stub("arena.games.searches.sample", lambda *_: boards)
    asked.stub("arena.depth.exact.usable_heuristics", lambda *_: ["a", "b"])
    asked.stub("arena.depth.exact.verify", lambda *_: ["disagreement"])
    asked.stub("arena.depth.exact.searches", lambda orders: ["compiled", *orders])
    asked.stub("arena.depth.exact.plain_searches", lambda orders: ["plain", *orders])
    run, found = asked.run, {}
    found["verify"] = run(verify.verify, progress=asked.bar)
    found["verify some"] = run(
        verify.verify,
        positions=5,
        depth=2,
        seed=3,
        heuristics=["zero"],
        orderings=["centre"],
        rules="5x4",
        progress=asked.bar,
    )
    asked.stub("arena.depth.agreement.answers", lambda one, other, *_: iter([(one.text, other.text)]))
    asked.stub("arena.depth.agreement.by_depth", lambda found, *names: [*found, *names])
    asked.stub(
        "arena.depth.agreement.first_difference",
        lambda found, one, other: None if "zero" in one else f"{one} {other}",
    )
    found["agreement"] = run(verify.agreement, ["minimax:depth=3", "alphabeta:order=centre"], progress=asked.bar)
    found["agreement of heuristics"] = run(
        verify.agreement, ["minimax", "alphabeta"], positions=5, depth=2, seed=3, heuristics=["zero", "parity"],
        rules="5x4",
        isolation={"memory": 99}, progress=asked.bar,
    )  # fmt: skip
    found["agreement of others"] = [run(verify.agreement, each) for each in (["minimax"], ["minimax:depth=1..3"])]
    found["agreement refused"] = [run(verify.agreement, ["minimax", "greedy"], **each) for each in (
        {"positions": 0}, {"depth": 0}, {"depth": 21}, {"seed": -1})]  # fmt: skip
    made = []
    monkeypatch.setattr(verify, "spec", lambda text, apart: made.append([text, dict(apart)]) or
                        settings.spec("minimax:heuristic=zero"))  # fmt: skip
    for apart in ({"memory": 99}, {"nobody": True}, None):
        run(verify.agreement, ["minimax", "alphabeta"], heuristics=["zero", "mine.py:h"], isolation=apart)
    found["isolation"] = made
    holds("api-asked-searches", found, request)


# Strength, results, tunings.


def test_strength(asked, request, monkeypatch):
    pool = SimpleNamespace(ratings=[Row("rating")])
    asked.stub("arena.tournament.pool.of_file", pool)
    asked.stub("arena.tournament.pool.of_run", pool)
    run, found = asked.run, {}
    found["rate"] = run(rate.rate, "a.csv")
    found["anchored"] = run(rate.rate, Path("a.csv"), anchor=("greedy", 3.0))
    held = SimpleNamespace(frames="frames")
    monkeypatch.setattr(counts_job, "Result", SimpleNamespace, raising=False)
    asked.stub("arena.tournament.pairings.duels", [Row("duel")])
    asked.stub("arena.tournament.result.opened", held)
    asked.stub("arena.statistics.pairing.pairing", "pairing")
    found["elo of a run"] = run(counts_job.elo, held)
    found["elo of a file"] = run(counts_job.elo, "run.sqlite")
    found["elo of counts"] = run(counts_job.elo, ["1", 2, "3"])
    holds("api-asked-strength", found, request)


def test_changes_are_those_of_whole_runs_and_counts_are_weighed_whatever_the_test_says(monkeypatch):
    asked = []
    frames = {name: SimpleNamespace(name=name, load=lambda name=name: f"load of {name}") for name in ("a", "b")}
    read = SimpleNamespace(read=lambda path, **how: asked.append([str(path), how]) or frames[path.stem])
    monkeypatch.setattr("arena.tournament.frames.Frames", read)
    monkeypatch.setattr(
        "arena.plugins.diff.difference.changes", lambda one, other, agents: [one.name, other.name, agents]
    )
    found = diff_job.diff("a.sqlite", Path("b.sqlite"), ("greedy",))
    assert (found.rows, found.loads) == (["a", "b", ["greedy"]], ("load of a", "load of b"))
    assert asked == [["a.sqlite", {"decided": False}], ["b.sqlite", {"decided": False}]]
    monkeypatch.setattr("arena.statistics.sprt.sprt_estimate", lambda test, counts: ["estimate", test.elo0, counts])
    for counts, decision in (([900, 1000, 100], "H0"), ([100, 1000, 900], "H1"), ([3, 4, 5], "continue")):
        weighed = counts_job.sprt(counts, 0.0, 20.0, alpha=0.1, beta=0.2, model="logistic")
        assert (weighed.decision, weighed.estimate) == (decision, ["estimate", 0.0, counts])
        assert (round(weighed.lower, 3), round(weighed.upper, 3)) == (-1.504, 2.079)


def test_results_hand_on_what_they_are_asked_for(asked, request, monkeypatch):
    frames = SimpleNamespace(plan={}, made={"versions": {"connect4-arena": "1.2"}, "seed": 3}, load=lambda: None)
    monkeypatch.setattr("arena.tournament.frames.Frames", SimpleNamespace(read=lambda path, **how: frames))
    asked.stub("arena.page.page.write", Path("page.html"))
    asked.stub("arena.perfect.audit.audit", 0)
    asked.stub("arena.perfect.kept.agents", [])
    run, found, made = asked.run, {}, result.Result("run.sqlite")
    found["report"] = [run(made.report, "page.html"), run(made.report, Path("p.html"), title="Mine")]
    found["audit"] = [
        run(lambda: len(made.audit())),
        run(lambda: len(made.audit(workers=2, progress=True))),
    ]
    found["meta"] = plain(made.meta)
    holds("api-asked-results", found, request)


def test_nodes_of_stored_rows_are_those_of_the_whole_run_and_not_of_a_sample(monkeypatch):
    import pandas as pd

    table = pd.DataFrame({"agent": ["a", "b"], "nodes": [5, 7]})
    sample = SimpleNamespace(sampled=True, moves=table.head(1), reported=lambda _: [1, 1])
    whole = SimpleNamespace(sampled=False, moves=table, reported=lambda rows: [100 * each for each in rows["nodes"]])
    monkeypatch.setattr(
        "arena.tournament.frames.Frames", SimpleNamespace(read=lambda _, **how: whole if how.get("whole") else sample)
    )
    monkeypatch.setattr(result, "typed", lambda rows, _: rows)
    assert plain(result.Result("run.sqlite").moves) == {"agent": ["a", "b"], "nodes": [500, 700]}


def test_an_audit_that_found_something_shows_it(monkeypatch):
    read = []

    def frames(path, **_):
        read.append(path)
        return f"frames {len(read)}"

    monkeypatch.setattr("arena.tournament.frames.Frames", SimpleNamespace(read=frames))
    shown = []
    monkeypatch.setattr("arena.perfect.kept.agents", lambda found: shown.append(found) or [])
    for new in (0, 5):
        monkeypatch.setattr("arena.perfect.audit.audit", lambda *_, new=new, **__: new)
        made = result.Result("run.sqlite")
        made.audit()
    assert shown == ["frames 1", "frames 3"]


def test_rows_become_a_table_unless_the_job_was_interrupted():
    rows = measured.Measured([Row("a", 2)], Row, {"seed": 1}, hidden=("number",))
    table = rows.frame()
    assert (list(table.columns), table.attrs["meta"]) == (["name"], {"seed": 1})
    with pytest.raises(KeyboardInterrupt):
        dataclasses.replace(rows, interrupted=True).frame()
    with pytest.warns(UserWarning, match="left out: ") as warned:
        dataclasses.replace(rows, faults=(InputError("it fails"), InputError("and another"))).frame()
    assert [str(each.message) for each in warned] == ["left out: it fails", "left out: and another"]
    error = InputError("x")
    assert measured.remaining([error], rows.rows) == (error,)
    assert measured.remaining([], []) == ()
    with pytest.raises(InputError, match="x"):
        measured.remaining([error], [])


def test_a_bar_is_made_by_who_asks_for_it_or_is_none():
    made = progress.bar(lambda *words, **named: [words, named], "game", 4, leave=True, initial=2)
    assert made == [("game", 4), {"leave": True, "initial": 2}]
    assert progress.bar(progress=False, unit="game", total=4).disable
    shown = progress.bar(True, "game", 4, initial=1)
    assert (shown.total, shown.n, shown.unit, shown.disable) == (4, 1, " game", False)
    shown.close()
    brief = progress.bar(True, "turn", leave=False, desc="by turns")
    assert (brief.leave, brief.total, brief.desc.rstrip(": ")) == (True, None, "by turns"), (
        "a bar stays, whoever asks otherwise"
    )
    brief.close()


def test_a_warning_stands_at_the_line_of_the_caller_and_names_no_options():
    with pytest.warns(UserWarning, match="^depth says which$") as warned:
        measured.warn_caller("--depth says which")
    assert Path(warned[0].filename).name == "test_jobs.py"
    for module, ours in (("arena_mine", True), ("arenas.job", True), ("arena.api.job", False)):
        space = {"__name__": module, "warn": measured.warn_caller}
        exec(compile("def job(line):\n    warn(line)", f"{module}.py", "exec"), space)  # as a module of a user
        with pytest.warns(UserWarning, match="^a line$") as warned:
            space["job"]("a line")
        assert Path(warned[0].filename).name == (f"{module}.py" if ours else "test_jobs.py")


def test_a_watch_tells_the_load_between_its_ends(monkeypatch):
    loads = SimpleNamespace(note="busy", document=lambda: {"cores": 2})
    monkeypatch.setattr("arena.store.machine.load", lambda: lambda: loads)
    meta, busy = progress.Watch(3, "arena depths").end()
    assert (meta["seed"], meta["command"], meta["load"], busy) == (3, "arena depths", {"cores": 2}, "busy")
    assert progress.Watch().end()[0]["seed"] is None


def test_a_number_of_workers_is_checked_and_a_cluster_is_none(monkeypatch):
    monkeypatch.setattr(progress, "cores", lambda workers: ["checked", workers])
    cluster = SimpleNamespace()
    assert [progress.workers_of(each) for each in (None, 3, "2", cluster)] == [
        ["checked", None], ["checked", 3], ["checked", "2"], cluster,
    ]  # fmt: skip
    monkeypatch.setattr("arena.plugins.cluster.cluster.Cluster", lambda *given: given)
    assert progress.cluster_at("h:1", print) == ("h:1", print)


def test_agents_are_read_with_what_warns_and_how_they_live(asked, request):
    handed = []
    asked.stub("arena.games.entrants.entrants", lambda *given: handed.append(given[2]) or "specs")
    asked.stub("arena.games.entrants.entrant", "spec")
    found = {
        "specs": asked.run(settings.specs, ["greedy"], {"memory": 99}, handed.append),
        "none": asked.run(settings.specs, ("greedy",)),
        "spec": asked.run(settings.spec, "greedy", {"memory": 99}),
        "wrong": [asked.run(settings.specs, "greedy"), asked.run(settings.specs, ["greedy"], {"x": 1}),
                  asked.run(settings.spec, "greedy", {"memori": 1})],
    }  # fmt: skip
    assert handed == [handed.append, measured.warn_caller]
    holds("api-asked-agents", found, request)


def test_a_mistake_in_a_value_is_told_with_what_was_expected():
    said = {}
    for name, value in (("rounds", "3"), ("rounds", True), ("margin", None), ("margin", 1), ("openings", 3), ("out", 3),
                        ("include_self", 1), ("pairs", "a"), ("isolation", []), ("anchor", ["a", 1]),
                        ("other", object), ("format", "x" * 99)):  # fmt: skip
        said[f"{name} {value!r:.20}"] = tried(settings.of_type, name, value, settings.TYPES)
    assert settings.of_type("rounds", None, settings.TYPES, optional=True) is None
    assert {key: each for key, each in said.items() if each} == {
        "rounds '3'": "InputError: rounds is a whole number, not '3'",
        "rounds True": "InputError: rounds is a whole number, not True",
        "margin None": "InputError: margin is a number, not None",
        "openings 3": "InputError: openings is a text, not 3",
        "out 3": "InputError: out is the path of a file, not 3",
        "include_self 1": "InputError: include_self is True or False, not 1",
        "pairs 'a'": "InputError: pairs is a list of pairs of agents, such as [('greedy', 'random')], not 'a'",
        "isolation []": "InputError: isolation is a dictionary such as {'patience': 5.0}, not []",
        "anchor ['a', 1]": "InputError: anchor is an agent and its rating, such as ('greedy', 0), not ['a', 1]",
    }


def test_a_list_of_names_is_asked_for_with_an_example_of_its_own_kind():
    said = [
        tried(settings.named, "heuristics", given, "smart-aware") for given in (3, "zero", [3], ("a", "b"), Path("x"))
    ]
    assert said == [
        "InputError: heuristics is a list, as in ['smart-aware'], not 3",
        "InputError: heuristics is a list, as in ['zero'], not 'zero'",
        "InputError: heuristics are names, as in ['smart-aware', 'mine.py:function'], not 3",
        ["a", "b"],
        f"InputError: heuristics is a list, as in ['smart-aware'], not {Path('x')!r}",
    ]


def test_a_function_of_python_returns_a_table_and_raises_where_the_job_was_interrupted():
    interrupted = False

    def job(number: int, *, fresh: bool = False) -> measured.Measured:
        """Do the job."""
        return measured.Measured([Row("a", number)], Row, {"fresh": fresh}, interrupted=interrupted)

    tabled = python.tabled(job)
    table = tabled(3, fresh=True)
    assert (plain(table), table.attrs["meta"]) == ({"name": ["a"], "number": [3]}, {"fresh": True})
    assert tabled.__doc__ == "Do the job."
    assert list(inspect.signature(tabled).parameters) == ["number", "fresh"]
    with pytest.raises(InputError, match="no keyword of arena"):
        tabled(3, fres=True)
    interrupted = True
    with pytest.raises(KeyboardInterrupt):
        tabled(3)
