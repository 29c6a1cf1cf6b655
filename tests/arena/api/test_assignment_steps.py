"""The steps of an assignment: what each hand-in is measured with, what is kept of it, and what is played; none runs."""

import dataclasses
import json
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
from recorded import holds, plain, tried, without

from agents.errors import InputError
from arena.api import assignment as steps
from arena.measure.hand_in import Finding
from arena.play.entries import Entry
from arena.play.run import Run
from arena.report.site import Site
from arena.store import queries

BOT = "def choose(board):\n    return board.legal_moves()[0]\n"
ASKED = {"depth": 4, "seconds": None, "margin": 0.1, "seed": 7, "exercises": steps.EXERCISES}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the hand-ins of a class."""
    for name in ("ada", "beda", "cora"):
        (tmp_path / "class").mkdir(exist_ok=True)
        (tmp_path / "class" / f"{name}.py").write_text(f"# {name}\n{BOT}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def measured(monkeypatch):
    """What hand-ins are measured with instead; `silent` are those that answer nothing."""
    found = SimpleNamespace(asked=[], silent=set(), changed={}, unfit=set())

    def find(spec, author, asked, grading, update):
        found.asked.append(["find", spec.text, author, asked["seed"], grading])
        if spec.text in found.silent:
            update(3)
        return Finding(
            spec.text, author, identity(spec), checked={"ok": True, "positions": spec.text not in found.unfit}
        )

    def identity(spec):
        return found.changed.get(spec.text, f"digest of {spec.text}")

    def grading_of(boards, solved, seed, threads, rungs):
        found.asked.append(["grading", boards, solved, seed, threads, list(rungs)])
        return "the grading"

    monkeypatch.setattr(Finding, "silent", property(lambda each: each.name in found.silent))
    monkeypatch.setattr(steps.hand_in, "find", find)
    monkeypatch.setattr(steps, "identity", identity)
    monkeypatch.setattr(
        steps, "questions", lambda *asked: (found.asked.append(["questions", *asked]) or "boards", "solved")
    )
    monkeypatch.setattr(steps, "Grading", SimpleNamespace(of=grading_of))
    monkeypatch.setattr(steps, "cores", lambda workers: workers or 4)
    monkeypatch.setattr(steps, "_compared", lambda spec, seed, workers: f"{spec.text} {seed} {workers}")
    return found


def of_class(*names):
    entries = [Entry(name, f"class/{name}.py", str(Path.cwd()), author=name.title()) for name in names]
    return entries, steps.specs_of([(each.name, each, None) for each in entries], {"everyone": True})


def findings(names, asked=ASKED, workers=2):
    return steps._findings(Path("site.json"), *of_class(*names), asked, workers, False)


def test_each_hand_in_is_measured_once_on_exercises_of_the_seed_and_kept_as_soon_as_it_is(here, measured):
    written, write = [], steps.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            steps, "write", lambda path, text: written.append(json.loads(text)["findings"]) or write(path, text)
        )
        measured.silent = {"beda"}
        found = findings(["ada", "beda"])
    assert [[each["name"] for each in rows] for rows in written] == [["ada"], ["ada", "beda"]]
    assert [(name, each.author, each.heuristic) for name, each in found.items()] == [
        ("ada", "Ada", "ada 7 2"), ("beda", "Beda", None),
    ]  # fmt: skip
    assert measured.asked == [
        ["questions", 200, 7], ["grading", "boards", "solved", 7, 2, [*range(1, steps.DEEPEST + 1)]],
        ["find", "ada", "Ada", 7, "the grading"], ["find", "beda", "Beda", 7, "the grading"],
    ]  # fmt: skip
    kept = json.loads(Path("site.json").read_text())
    assert kept["asked"] == ASKED
    assert kept["findings"] == [dataclasses.asdict(each) for each in found.values()]
    measured.asked.clear()
    assert findings(["beda", "ada"]) == found
    assert measured.asked == []
    measured.changed = {"ada": "another digest"}
    late = findings(["cora", "ada"])
    assert list(late) == ["cora", "ada"]
    assert [each[:2] for each in measured.asked if each[0] == "find"] == [["find", "cora"], ["find", "ada"]]
    assert {each["name"]: each["digest"] for each in json.loads(Path("site.json").read_text())["findings"]} == {
        "ada": "another digest", "beda": "digest of beda", "cora": "digest of cora",
    }, "who is gone is kept for the day it comes back"  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [
    ("depth", 3), ("seconds", 1.0), ("margin", 0.2), ("seed", 8), ("exercises", 9),
])  # fmt: skip
def test_what_was_measured_otherwise_is_refused(here, measured, name, value):
    findings(["ada"])
    with pytest.raises(InputError) as raised:
        findings(["ada"], ASKED | {name: value})
    assert str(raised.value) == f"site.json was measured with {name} {ASKED[name]}, not {value}: name another --out"


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"asked": {}, "findings": [{"x": 1}]}', '{"asked": {}, "findings": 3}']
)
def test_a_file_of_something_else_is_left_alone(here, measured, text):
    Path("site.json").write_text(text)
    with pytest.raises(
        InputError, match=r"^site\.json is no file of arena assignment: move it away, or name another --out$"
    ):
        findings(["ada"])
    assert Path("site.json").read_text() == text


def test_a_heuristic_is_compared_in_a_run_of_its_own_and_named_without_its_folder(here, monkeypatch):
    _, [spec] = of_class("ada")
    plan, asked = SimpleNamespace(name="plan"), []
    monkeypatch.setattr(steps.hand_in, "comparison_plan", lambda spec, seed: asked.append([spec.text, seed]) or plan)
    run = MagicMock(name="run")
    run.store.path, run.processes.side_effect = Path("compared.sqlite"), lambda workers: workers + 1

    def begin(plan, path, command="", objects=None, jobs=1):
        asked.append([plan.name, path.name, path.parent.is_dir(), jobs])
        return run

    monkeypatch.setattr(Run, "begin", begin)
    monkeypatch.setattr(steps.Frames, "read", lambda path: path)
    said = f"{spec.origin.folder}/ada.py:f is above zero; {spec.origin.folder}/ada.py:f"
    monkeypatch.setattr(steps, "comparison", lambda frames: SimpleNamespace(answer=said))
    assert steps._compared(spec, 3, 2) == "ada.py:f is above zero; ada.py:f"
    assert asked == [["ada", 3], ["plan", "compared.sqlite", True, 2]]
    run.executor.assert_called_once_with(3)
    run.play.assert_called_once_with(run.executor.return_value)
    assert run.store.__exit__.called

    run.play.side_effect = InputError(f"{spec.origin.folder}/ada.py, line 3: no")
    run.store.__exit__.return_value = None
    assert steps._compared(spec, 3, 2) == "ada.py, line 3: no"
    monkeypatch.setattr(steps.hand_in, "comparison_plan", lambda *_: None)
    assert steps._compared(spec, 3, 2) is None


def test_hand_ins_are_those_of_a_file_a_folder_or_a_roster(here, request):
    (here / "class" / "broken.py").write_text("def choose(:\n")
    (here / "bad").mkdir()
    (here / "bad" / "broken.py").write_text("def choose(:\n")
    (here / "list.toml").write_text('[[agent]]\nname = "quick"\nspec = "alphabeta:depth=2"\nnodes = 90\n')
    found, warned = {}, []
    for name in ("class", "class/ada.py", "list.toml", "bad", "none.py"):
        entered = tried(lambda name=name: steps._entries(Path(name), warned.append))
        found[name] = without(entered, here)
    found["warned"] = without(warned, here)
    holds("api-hand-ins", found, request)


@pytest.mark.parametrize(
    ("number", "others", "rounds", "kind", "found"),
    [
        (1, steps.OPPONENTS, None, "gauntlet", 10), (1, steps.OPPONENTS, 3, "gauntlet", 3),
        (2, (), None, "round-robin", 20), (10, (), None, "round-robin", 20), (12, (), None, "round-robin", 15),
        (46, (), None, "round-robin", 1), (47, (), None, "round-robin", 1), (20, (), 2, "round-robin", 2),
    ],
)  # fmt: skip
def test_a_class_plays_about_as_many_games_whatever_its_size(here, number, others, rounds, kind, found):
    able = [Entry(f"a{place}", "greedy", str(here)) for place in range(number)]
    asked = {"seed": 3, "seconds": 0.5, "margin": 0.25}
    plan = steps._plan(able, others, rounds, asked, {"patience": 7.0, "memory": 99})
    assert (plan.rounds, plan.format, plan.seed, plan.seconds, plan.margin) == (found, kind, 3, 0.5, 0.25)
    assert plan.agents == (*(each.name for each in able), *others)
    assert plan.isolation.entries == (*able, *(None for _ in others))
    assert (plan.isolation.patience, plan.isolation.memory, plan.isolation.folder) == (7.0, 99, str(here))


def test_who_is_late_or_changed_is_said_and_handed_on_and_who_is_gone_is_refused(here, monkeypatch):
    digests, dropped = {"same": "s", "changed": "old", "unknown": None, "greedy": None}, []

    class Opened:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def names(self):
            return list(digests)

        def plan(self):
            return {"dropped": dropped}

    monkeypatch.setattr(steps, "Store", SimpleNamespace(read=lambda _: Opened()))
    monkeypatch.setattr(queries, "described", lambda _: [("k", "p", each) for each in digests.values()])
    now = {"same": "s", "changed": "new", "unknown": "u", "late": "x"}
    monkeypatch.setattr(steps, "identity", lambda spec: now[spec.text])
    handed = []
    monkeypatch.setattr(Run, "resume", lambda path, growth: handed.append([path, growth]) or "the run")
    entries = [Entry(name, "greedy", "/") for name in now]
    plan, said = SimpleNamespace(agents=("same", "greedy")), []
    run = steps._resumed(
        Path("site.sqlite"), entries, [SimpleNamespace(text=name) for name in now], plan, 4, "arena", said.append
    )
    assert run == "the run"
    [[path, growth]] = handed
    assert path == Path("site.sqlite")
    assert plain(dataclasses.replace(growth, entries=())) == {
        "add": ["late"], "entries": [], "rounds": 4, "replay": ["changed"], "command": "arena", "objects": {},
        "debug": "",
    }  # fmt: skip
    assert [entry.name for entry in growth.entries] == ["late"]
    assert said == ["joined: late", "plays again, changed: changed"]
    now = {"same": "s", "unknown": "u", "changed": "old"}
    said.clear()
    steps._resumed(
        Path("site.sqlite"), entries[:1], [SimpleNamespace(text=name) for name in now], plan, None, "", said.append
    )
    assert said == []
    dropped.append("same")
    del now["unknown"]
    with pytest.raises(
        InputError, match=r"^site\.sqlite has games of same, unknown, gone since: put a hand-in back, or "
    ):
        steps._resumed(
            Path("site.sqlite"), entries[:1], [SimpleNamespace(text=name) for name in now], plan, None, "", said.append
        )


@pytest.fixture
def handed(monkeypatch, measured):
    """What an assignment hands on to games, the audit and the pages."""
    found = []

    def begin(plan, path, command="", objects=None, jobs=1):
        found.append(
            [
                "begin",
                plan.agents,
                plan.rounds,
                plain(dataclasses.replace(plan.isolation, entries=())),
                path,
                command,
                jobs,
            ]
        )
        return "a run"

    def course(*given):
        found.append(["course", given[0], list(given[1]), *given[2:]])
        return SimpleNamespace(rows=lambda: ["row"])

    monkeypatch.setattr(Run, "begin", begin)
    monkeypatch.setattr(steps, "_resumed", lambda path, able, specs, plan, rounds, command, say: found.append(
        ["resumed", path, [each.name for each in able], [each.text for each in specs], plan.rounds, rounds, command],
        ) or "a run")  # fmt: skip
    monkeypatch.setattr(steps.tournaments, "play", lambda run, workers, **how: found.append(
        ["play", run, workers, {key: each for key, each in how.items() if not callable(each)}]))  # fmt: skip
    monkeypatch.setattr(steps.truth, "audit", lambda path, **how: found.append(["audit", path, how]))
    monkeypatch.setattr(steps, "Course", course)
    monkeypatch.setattr(Site, "write", lambda site, _: found.append([json.loads(site.state.read_text())["asked"]])
                        or (site.folder / "index.html",))  # fmt: skip
    return found


def shown(assigned):
    return [assigned.rows, assigned.site, assigned.written, assigned.kind.__name__, assigned.meta["seed"]]


def test_an_assignment_measures_plays_audits_and_writes(here, handed, measured, request):
    (here / "rule.toml").write_text("marks = {runs = 30}\n")
    found = {}

    def run(name, *words, **named):
        handed.clear()
        measured.asked.clear()
        answer = tried(lambda: shown(steps.assignment(*words, **named)))
        found[name] = without(plain([answer, handed, [each[0] for each in measured.asked]]), here)

    run("a class", "class")
    run("again", Path("class"), rounds=3, workers=2, command="arena assignment", public=True)
    (here / "class-site.sqlite").touch()
    run("a stored run", "class", rounds=3, command="again")
    run("a file", "class/ada.py", out="own", workers=2, seed=5, seconds=0.5, margin=0.25, depth=2, marks="rule.toml",
        isolation={"memory": 99, "patience": 3.0})  # fmt: skip
    measured.unfit = {"ada", "beda"}
    run("one that can play", "class", out="few")
    measured.unfit = {"ada"}
    run("a file that cannot play", "class/ada.py", out="none")
    run("depths", "class", depth=0)
    run("a seed", "class", seed=-1)
    holds("api-assignment", found, request)
