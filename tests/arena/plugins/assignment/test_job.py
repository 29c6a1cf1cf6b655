"""An assignment of two quick hand-ins, from the check to the pages; test_assignment.py has whole classes."""

import csv
import inspect
import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from tqdm import tqdm

from agents.errors import InputError
from agents.jit.compiler import JIT
from arena.games.check import POSITIONS, Checked
from arena.games.entries import Entry, Unfit
from arena.plugins.assignment import job
from arena.plugins.assignment.command import command
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.job import assignment
from arena.plugins.assignment.marks import Rule
from arena.store.run_file import Store

from .hand_ins import QUICK, quick

pytestmark = [
    pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python"),
    pytest.mark.usefixtures("here"),
]


@pytest.fixture
def students(tmp_path, monkeypatch):
    """The folder of a class of two and a file with a mistake, which is asked little."""
    monkeypatch.setattr(job, "OPPONENTS", ("greedy",))
    monkeypatch.setattr(job, "EXERCISES", 5)
    folder = tmp_path / "students"
    folder.mkdir()
    for place, name in enumerate(("ada", "ben")):
        (folder / f"{name}.py").write_text(QUICK.format(author=name.title(), **quick(place)))
    (folder / "late.py").write_text("def choose(board:\n")
    return folder


def test_a_class_is_checked_plays_is_audited_and_has_its_pages(students, tmp_path):
    settings = {"rounds": 1, "seed": 5, "workers": 1, "isolation": {"patience": 9.0}}
    done = assignment(students, command="arena assignment students", **settings)
    site = tmp_path / "students-site"
    assert (done.site, done.written) == (site, (site / "index.html", tmp_path / "students-site.csv"))
    assert {path.name for path in site.iterdir()} == {"index.html", "ada.html", "ben.html"}
    rows = {row.agent: row for row in done.rows}
    assert {name: (row.author, row.games, row.ok) for name, row in rows.items()} == {
        "ada": ("By Ada.", 4, True), "ben": ("By Ben.", 4, True), "late": ("", 0, False)
    }  # fmt: skip
    assert "late.py" in (site / "index.html").read_text(encoding="utf-8")
    with Store.read(tmp_path / "students-site.sqlite") as store:
        assert (store.count_games(), store.names()) == (6, ["ada", "ben", "greedy"])
        assert (store.plan()["seed"], store.plan()["isolation"]["patience"]) == (5, 9.0)
        assert store.select("SELECT command FROM run")[1] == [("arena assignment students",)]
    with (tmp_path / "students-site.csv").open(encoding="utf-8") as file:
        assert [row["name"] for row in csv.DictReader(file)] == [row.agent for row in done.rows]
    assert "All 4 games that it played" in (site / "ada.html").read_text(encoding="utf-8")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".arena-")]


@pytest.fixture
def asked(monkeypatch):
    """What an assignment asks of its parts by their names, of which none does anything; ben answers no position."""
    calls = {}

    def keep(name, result=None):
        return lambda *words, **named: calls.setdefault(name, []).append((*words, named)) or result

    def find(spec, author, *words):
        calls.setdefault("find", []).append((spec.text, spec.process_limits, author, *words))
        return Finding(spec.text, author, Checked(spec.text, positions=0 if spec.text == "ben" else 9))

    def audit(path, **named):
        path.write_text("games")
        calls["audit"] = [(path.parent, named)]

    monkeypatch.setattr(job, "questions", keep("questions", ("boards", "solved")))
    monkeypatch.setattr(job, "Grading", SimpleNamespace(of=keep("grading", "the grading")))
    monkeypatch.setattr(job.hand_in, "find", find)
    monkeypatch.setattr(job, "Run", SimpleNamespace(begin=keep("begin", "the run")))
    monkeypatch.setattr(job.tournaments, "play", keep("play"))
    monkeypatch.setattr(job.truth, "audit", audit)
    course = SimpleNamespace(rows=lambda: ["a row"])
    monkeypatch.setattr(job, "Course", keep("course", course))
    monkeypatch.setattr(job.Site, "write", lambda site, pages: (site.folder, pages is course))
    return calls


def test_the_parts_of_an_assignment_do_what_it_is_asked_for(students, asked, tmp_path):
    (rule := tmp_path / "rule.toml").write_text("marks = {runs = 3}\ndepth = 2")
    settings = {"seconds": 0.5, "margin": 0.2, "depth": 12, "seed": 0}
    isolation = {"patience": 7.0, "memory": 300}
    bars = []

    def progress(unit, total):
        bars.append((tqdm(total=total, file=io.StringIO()), unit))
        return bars[-1][0]

    done = assignment(
        students, out=tmp_path / "out" / "week.1", marks=rule, rounds=3, public=True, isolation=isolation, workers=3,
        command="arena assignment", progress=progress, say=print, warn=str, **settings,
    )  # fmt: skip
    place = tmp_path / "out"
    assert (done.rows, done.site, done.written) == (["a row"], place / "week.1", (place / "week.1", True))
    assert (done.meta["seed"], done.kind) == (0, job.HandIn)
    assert [(name, author, *more[:2]) for name, _, author, *more in asked["find"]] == [
        ("ada", "By Ada.", settings, "the grading"), ("ben", "By Ben.", settings, "the grading"),
    ]  # fmt: skip
    assert {(limits.start_timeout, limits.memory) for _, limits, *_ in asked["find"]} == {(7.0, 300)}
    assert asked["questions"] == [(job.EXERCISES, 0, {})]
    assert asked["grading"] == [("boards", "solved", 0, 3, {"rungs": range(1, 9)})]
    [(plan, games, words, named)] = asked["begin"]
    assert (plan.agents, plan.rounds, plan.format) == (("ada", "greedy"), 3, "round-robin"), "ben cannot play"
    assert (plan.isolation.patience, plan.isolation.memory, plan.isolation.folder) == (7.0, 300, str(Path.cwd()))
    assert (games.name, games.parent.parent, words, named) == ("week.1.sqlite", place, "arena assignment", {"jobs": 3})
    assert asked["play"] == [("the run", 3, {"progress": progress, "say": print, "warn": str})]
    assert asked["audit"] == [(games.parent, {"workers": 3, "progress": progress})]
    [(title, findings, given, run, [broken], public, _)] = asked["course"]
    assert (title, list(findings), given, run) == (str(students), ["ada", "ben"], Rule({"runs": 3.0}, 2.0),
                                                   place / "week.1.sqlite")  # fmt: skip
    assert (broken.name, public, run.read_text()) == ("late", True, "games")
    assert [path.name for path in place.iterdir()] == ["week.1.sqlite"]
    whole = 2 * (POSITIONS + job.EXERCISES)
    assert [(shown.n, shown.total, unit, shown.postfix) for shown, unit in bars] == [(whole, whole, "position", "ben")]
    assert [update.__self__ for *_, update in asked["find"]] == [bars[0][0]] * 2


def test_a_file_alone_plays_ours_and_its_pages_beside_the_caller_have_its_name(students, asked, tmp_path):
    (alone := students / "week.2.py").write_text(QUICK.format(author="Ada", **quick(0)))
    done = assignment(alone, warn=str)
    [(plan, games, *_)] = asked["begin"]
    assert (plan.agents, plan.format, plan.rounds) == (("week.2", "greedy"), "gauntlet", 10)
    assert (done.site, games.name) == (tmp_path / "week.2-site", "week.2-site.sqlite")
    [(title, findings, *_)] = asked["course"]
    assert (title, list(findings)) == (str(alone), ["week.2"])


def test_without_a_folder_the_pages_are_beside_the_caller_and_games_that_fail_are_not_kept(
    students, asked, tmp_path, monkeypatch
):
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    done = assignment(students, warn=str)
    [(*_, rule, run, _, public, _)] = asked["course"]
    assert (done.site, run, rule, public) == (here / "students-site", here / "students-site.sqlite", Rule(), False)
    assert {limits.start_timeout for _, limits, *_ in asked["find"]} == {job.PATIENCE}

    def fail(*_, **__):
        raise InputError("ada fails; what was played is kept, arena run --resume continues")

    monkeypatch.setattr(job.tournaments, "play", fail)
    with pytest.raises(InputError, match=r"^ada fails$"):
        assignment(students, out="other", warn=str)
    assert [path.name for path in here.iterdir()] == ["students-site.sqlite"]


@pytest.mark.parametrize(
    ("setting", "value", "span"), [("depth", 0, "1 to 12"), ("depth", 13, "1 to 12"), ("seed", -1, "0")]
)
def test_a_depth_or_a_seed_out_of_range_is_refused(setting, value, span):
    with pytest.raises(InputError, match=rf"{setting} is a whole number from {span}, not {value}$"):
        assignment("no-folder", **{setting: value})


def test_all_remarks_on_a_folder_are_told_and_who_is_no_entry_plays_not(students, monkeypatch):
    entry, late = Entry("ada", "ada.py", str(students)), Unfit("late.py: line 1", "late", students / "late.py")
    answers = iter([(("ada", "greedy"), (entry, None), (late,), ("one", "two")), ((), (), (late, "more"), ("three",))])
    monkeypatch.setattr(job, "invited", lambda texts: next(answers) if texts == [str(students)] else None)
    told, said = [], []
    assert job._entries(students, said.append, told.append) == ([entry], [late])
    with pytest.raises(InputError, match=r"^late\.py: line 1$"):
        job._entries(students, said.append, told.append)
    assert (told, said) == (["one", "two", "three"], [])


def test_from_python_an_assignment_has_the_defaults_of_its_command():
    parameters = inspect.signature(assignment).parameters.values()
    says = {parameter.name: parameter.default for parameter in parameters}
    assert {name: says[name] for name in ("isolation", "command", "progress")} == {
        "isolation": None, "command": "", "progress": False
    }  # fmt: skip
    defaults = {"out": None, "marks": None, "depth": 4, "rounds": None, "seconds": None, "margin": 0.1, "seed": 1,
                "public": False, "workers": None}  # fmt: skip
    assert {name: says[name] for name in defaults} == defaults
    typed = {option.name: option.default for option in command.params}
    assert {name: typed[name] for name in ("depth", "margin", "seed", "patience")} == {
        "depth": 4, "margin": 0.1, "seed": 1, "patience": job.PATIENCE
    }  # fmt: skip


@pytest.mark.parametrize(
    ("hand_ins", "alone", "rounds"), [(1, True, 10), (2, False, 20), (20, False, 3), (45, False, 1)]
)
def test_a_class_plays_about_two_thousand_games_unless_it_is_asked_for_others(hand_ins, alone, rounds):
    able = [Entry(f"hand-in {number}", "greedy", "/") for number in range(hand_ins)]
    asked = {"seed": 3, "seconds": 0.5, "margin": 0.3}
    plan = job._plan(able, None, asked, {"memory": 99}, alone=alone)
    assert (plan.rounds, plan.format) == (rounds, "gauntlet" if alone else "round-robin")
    assert (plan.seed, plan.seconds, plan.margin, plan.isolation.memory) == (3, 0.5, 0.3, 99)
    assert job._plan(able, 7, asked, {}, alone=alone).rounds == 7
