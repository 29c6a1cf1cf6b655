"""The parts of a study: what each plays, measures, keeps, and leaves for the next call."""

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from recorded import holds, plain, tried, without

from agents.errors import InputError
from arena.api import study, tournaments, truth
from arena.api.progress import Measured
from arena.api.study.file import read_study
from arena.api.study.parts import Depths, Games, Grades, Session, slug
from arena.measure.study.claims import Quantity
from arena.play.entries import Entry
from arena.store.run_file import Store

BOT = "def choose(board):\n    return board.legal_moves()[0]\n"
PLAYED = """
title = "Played"
rules = "5x4"
[agents]
a = "greedy"
b = "random"
c = "random"
[[games]]
agents = ["a", "b"]
rounds = 2
openings = "plies:1"
audit = true
[[games]]
name = "match"
agents = ["a", "b", "c"]
pairs = [["a", "b"], ["c", "b"]]
openings = "plies:1"
stop = "sprt:elo0=0,elo1=300"
rounds = 3
[[claims]]
check = "score('a', 'b', games='games') > 0.2"
[[claims]]
check = "score('a', 'b', games='match') > 0.2"
[[claims]]
check = "score('c', 'b') > 0.2"
"""


QUICK = PLAYED.replace("audit = true\n", "")


def session(**more):
    return Session(**{"workers": 1, "command": "", "ends": None, "progress": False, "say": print, "warn": print} | more)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def declared(here, text=QUICK):
    (here / "study.toml").write_text(text)
    return read_study(here / "study.toml")


# Runs of games.


@pytest.fixture
def handed(monkeypatch):
    """What is handed on instead of being played."""
    found = []

    def keep(module, name, answer):
        def call(*words, **named):
            found.append([name, plain([each for each in words if each != "a run"]),
                          {key: plain(each) for key, each in named.items() if not callable(each)}])  # fmt: skip
            return answer[0] if isinstance(answer, list) else answer

        monkeypatch.setattr(module, name, call)

    whole = [True]
    for module, name, answer in ((tournaments, "begin", "a run"), (tournaments, "begin_comparison", "a run"),
                                 (tournaments, "resumed", "a run"), (tournaments, "play", whole),
                                 (truth, "audit", 7)):  # fmt: skip
        keep(module, name, answer)
    return found, whole


COMPARED = """
title = "T"
[games]
heuristics = ["zero", "parity"]
depth = [1, 2]
rounds = 3
seed = 2
audit = true
[isolation]
memory = 99
"""


def test_a_run_is_begun_or_resumed_with_its_settings_within_what_is_left_of_the_budget(here, handed, request):
    found, whole = handed
    said = {}
    for name, text in (("games", PLAYED), ("comparison", COMPARED)):
        for part in declared(here, text).parts:
            for how, kept, asked in (
                ("begun", True, session(workers=2, command="arena study play")),
                ("stopped", False, session(progress=True)),
                ("late", True, session(ends=time.monotonic() - 5.0)),
            ):
                found.clear()
                whole[0] = kept
                assert part.play(here, asked) is kept
                said[f"{name} {part.name} {how}"] = without(plain(found), here)
            part.file(here).parent.mkdir(exist_ok=True)
            part.file(here).touch()
            found.clear()
            part.play(here, session(command="again", ends=time.monotonic() + 1000.0))
            seconds = found[1][2].pop("seconds")
            assert 900.0 < seconds <= 1000.0
            said[f"{name} {part.name} resumed"] = without(plain(found), here)
            part.file(here).unlink()
    holds("api-parts", said, request)


def test_a_run_that_cannot_begin_names_its_games_and_no_options(here):
    [part, *_] = declared(here, QUICK.replace("rounds = 2", "rounds = 99")).parts
    with pytest.raises(InputError) as raised:
        part.play(here, session())
    assert str(raised.value).startswith("[games] games: ")
    assert "--" not in str(raised.value)
    assert not part.file(here).exists()
    tests = declared(here, QUICK.replace("rounds = 3", "rounds = 99")).parts[1:]
    for part in tests:  # the runs of one [[games]], which a user knows by its name
        with pytest.raises(InputError, match=r"^\[games\] match: "):
            part.planned(here, session())
    assert [part.name for part in tests] == ["match-a-b", "match-c-b"]


def test_what_would_be_played_is_counted_and_nothing_of_it_stays(here, monkeypatch):
    study_of = declared(here)
    (here / "folder").mkdir()
    planned = [part.planned(here / "folder", session()) for part in study_of.parts]
    assert planned == [4, 6, 6]
    assert list((here / "folder").iterdir()) == []
    ended = []
    store = SimpleNamespace(planned=lambda: 7, discard=lambda: ended.append("discarded"))
    run = SimpleNamespace(store=store, workers=SimpleNamespace(close=lambda: ended.append("closed")))
    monkeypatch.setattr(Games, "begin", lambda part, path, _: ended.append(path.name) or run)
    assert study_of.parts[0].planned(here, session()) == 7
    assert ended == ["games.sqlite", "closed", "discarded"]


def test_games_come_out_again_unless_they_are_damaged(here):
    part, again = declared(here).parts[1], here / "again"
    assert part.play(here, session())
    assert part.play(again, session())
    with Store.read(part.file(here)) as store:
        [(games,)] = store.rows("SELECT count(*) FROM game")
    assert (part.same(here, again).rows, part.same(here, again).games) == ([], games)
    with Store.resume(part.file(here)) as store:
        store.update("UPDATE game SET moves = substr(moves, 1, 3) WHERE id = ?", 1)
    with pytest.raises(InputError, match=r"match-a-b\.sqlite, game 1: its result is"):
        part.same(here, again)


def test_quantities_of_a_run_are_those_of_the_agents_that_are_asked_for(here):
    part = declared(here).parts[0]
    part.play(here, session())
    asked = {Quantity("score", ("a", "b")): ("a", "b"), Quantity("score", ("b", "a")): ("b", "a"),
             Quantity("nodes", ("a",)): ("a",), Quantity("wins", ("a",)): ("a",)}  # fmt: skip
    found = part.estimates(here, asked)
    values = {(each.name, *each.agents): estimate and estimate.value for each, estimate in found.items()}
    assert list(found) == list(asked)
    assert values["score", "a", "b"] == 1.0 - values["score", "b", "a"]
    assert values["score", "a", "b"] > 0.5
    assert part.shown(here).name == "games"


def test_a_quantity_is_refused_of_agents_that_do_not_meet():
    entries = {name: Entry(name, "greedy", "/") for name in "abc"}
    whole = Games("x", "x", entries, {}, {}, {})
    some = replace(whole, settings={"pairs": (("a", "b"), ("c", "b"))})
    asked = {"two": Quantity("elo", ("c", "a")), "named": Quantity("elo", ("c", "a"), games="x"),
             "one": Quantity("score", ("a",))}  # fmt: skip
    assert [whole.refusal(each, each.agents) for each in asked.values()] == ["", "", ""]
    assert [some.refusal(each, each.agents) for each in asked.values()] == [
        "c and a do not meet in any games", "c and a do not meet in x", "",
    ]  # fmt: skip
    assert some.refusal(Quantity("elo", ("b", "c")), ("b", "c")) == ""
    assert [whole.compared, replace(whole, settings={"heuristics": ["zero"]}).compared] == [False, True]


# Measurements.


@dataclass(frozen=True)
class Row:
    agent: str
    nodes: int


@pytest.fixture
def measured(monkeypatch):
    """What is measured instead: a row for each agent; `stop` interrupts the next one."""
    found = SimpleNamespace(asked=[], stop=False)

    def job(entries, **named):
        found.asked.append([[each.name for each in entries], {**named, "warn": named["warn"] is print}])
        rows = [Row(each.name, len(found.asked)) for each in entries]
        return Measured(rows, Row, {"seed": 1}, interrupted=found.stop)

    for kind in (Depths, Grades):
        monkeypatch.setattr(kind, "job", job)
    return found


ENTRIES = {name: Entry(name, "alphabeta", "/") for name in ("a:heuristic=zero", "a:heuristic=parity", "b")}


@pytest.mark.parametrize("kind", [Depths, Grades])
def test_a_measurement_is_kept_whole_and_made_once(here, measured, kind):
    part = kind(kind.kind, kind.kind, ENTRIES, {"depth": [1, 2], "rules": "5x4"}, {"memory": 99})
    files = {"depths": ["depths-a-heuristic-zero", "depths-a-heuristic-parity", "depths-b"], "grade": ["grade"]}[
        kind.kind
    ]
    paths = [here / "measured" / f"{name}.json" for name in files]
    assert part.files(here) == paths
    assert part.play(here, session(ends=time.monotonic() - 1.0)) is False
    assert measured.asked == []
    measured.stop = True
    with pytest.raises(KeyboardInterrupt):
        part.play(here, session())
    assert [path.exists() for path in paths] == [False] * len(paths)
    measured.stop = False
    measured.asked.clear()
    assert part.play(here, session(ends=time.monotonic() + 1000.0, progress=True)) is True
    shared = {"depth": [1, 2], "rules": "5x4", "isolation": {"memory": 99}, "progress": True, "warn": True}
    groups = [[*ENTRIES]] if kind is Grades else [[name] for name in ENTRIES]
    assert measured.asked == [[group, shared] for group in groups]
    assert json.loads(paths[0].read_text()) == {
        "rows": [{"agent": name, "nodes": 1} for name in groups[0]], "meta": {"seed": 1},
    }  # fmt: skip
    assert part.play(here, session(ends=time.monotonic() - 1.0)) is True
    assert len(measured.asked) == len(groups)
    names = [*ENTRIES] if kind is Grades else sorted(ENTRIES, key=slug)
    assert [row["agent"] for row in part.document(here)] == names
    paths[-1].unlink()
    part.play(here, session())
    assert measured.asked[-1][0] == groups[-1]
    assert part.refusal(Quantity("share", ("a",)), ("a",)) == "" or kind is Depths


@pytest.mark.parametrize("kind", [Depths, Grades])
def test_a_measurement_is_held_against_another_row_by_row(here, measured, kind):
    part = kind("name", kind.kind, ENTRIES, {}, {})
    for folder in ("old", "new"):
        measured.asked.clear()
        part.play(here / folder, session())
    assert part.same(here / "old", here / "new").rows == []
    path = part.files(here / "new")[0]
    path.write_text(path.read_text().replace('"nodes": 1', '"nodes": 5'))
    assert {(row.part, row.field) for row in part.same(here / "old", here / "new").rows} == {("measured/name", "nodes")}
    assert {(row.stored, row.again) for row in part.same(here / "old", here / "new").rows} == {("1", "5")}


def test_an_agent_that_cannot_be_made_is_named_with_its_table(here):
    def planned(kind, spec):
        return tried(kind("x", "x", {"a": Entry("a", spec, str(here))}, {}, {}).planned, here, session())

    assert [planned(kind, "minimax") for kind in (Depths, Grades)] == [None, None]
    assert planned(Depths, "greedi").startswith("InputError: [depths]: ")
    assert planned(Grades, "greedi").startswith("InputError: [grade]: ")


@pytest.mark.parametrize(("depth", "known"), [
    (None, [1, 8]), ([3], [3]), ([2, 5], [2, 5]), (range(2, 4), [2, 3]),
])  # fmt: skip
def test_a_depth_that_is_not_measured_is_refused(depth, known):
    part = Depths("depths", "depths", {}, {} if depth is None else {"depth": depth}, {})
    said = {each: part.refusal(Quantity("states", ("a",), depth=each), ("a",)) for each in range(10)}
    assert [each for each in known if said[each]] == []
    assert said[0] == "[depths] has no depth 0"
    assert said[9] == "[depths] has no depth 9"


def test_names_of_files_have_no_letters_that_a_system_may_refuse():
    assert [slug(name) for name in ("a:depth=4,b", "x/y z", "A.b+c-1", "über")] == [
        "a-depth-4-b",
        "x-y-z",
        "A.b+c-1",
        "-ber",
    ]


# A study as a whole: its state and its budget.


@pytest.fixture
def unreported(monkeypatch):
    """Write no report: that takes a second."""
    said = []
    monkeypatch.setattr(Games, "shown", lambda part, _: part.name)
    monkeypatch.setattr("arena.report.study.page", lambda *given: said.append([given[1], given[3]]) or "a page")
    return said


TINY = """
title = "Tiny"
rules = "5x4"
[agents]
a = "greedy"
b = "random"
[[games]]
rounds = 2
openings = "plies:1"
[[games]]
name = "more"
rounds = 3
openings = "plies:2"
[[claims]]
check = "score('a', 'b', games='games') > 0.2"
"""


def state(folder):
    return json.loads((folder / "study.json").read_text())


def count(folder, name):
    with Store.read(folder / "runs" / f"{name}.sqlite") as store:
        return store.count_games()


def limited(monkeypatch, games):
    """Let runs stop after so many games in all."""
    left, honest = [games], tournaments.play

    def play(run, *words, **named):
        before = run.store.count_games()
        path = run.store.path
        whole = honest(run, *words, **named, games=left[0])
        with Store.read(path) as store:
            left[0] -= store.count_games() - before
        return whole

    monkeypatch.setattr(tournaments, "play", play)


def test_a_study_is_checked_with_all_that_would_end_it(here, request):
    (here / "class").mkdir()
    (here / "class" / "good.py").write_text(BOT)
    (here / "class" / "notes.py").write_text("x = 1\n")
    text = """
title = "Checked"
rules = "5x4"
[agents]
a = "greedy"
b = "random"
c = "class/"
d = "minimax:depth=1"
[[games]]
agents = ["a", "b"]
rounds = 2
openings = "plies:1"
[[games]]
name = "failing"
agents = ["a", "b"]
rounds = 99
openings = "plies:1"
[[games]]
name = "files"
agents = ["a", "c"]
rounds = 1
[[games]]
name = "one"
agents = ["a"]
[depths]
agents = ["d"]
[grade]
agents = ["a"]
{}
"""
    claims = "[[claims]]\ncheck = \"elo('a', 'b', games='games') > share('a')\"\ntext = \"t\"\n"
    found = {}
    for name, more in (("no claims", ""), ("claims", f"{claims}[[claims]]\ncheck = \"states('d', depth=2) > 3\"")):
        (here / "checked.toml").write_text(text.format(more))
        told = plain(study.check(here / "checked.toml"))
        assert len(told.pop("digest")) == 64
        found[name] = without(told, here)
    assert sorted(path.name for path in here.iterdir()) == ["checked.toml", "class"]
    holds("api-checked", found, request)


def test_a_budget_leaves_the_rest_to_the_next_call(here, monkeypatch, unreported):
    (here / "tiny.toml").write_text(TINY)
    said = []
    with monkeypatch.context() as patch:
        limited(patch, 3)
        stopped = study.play("tiny.toml", workers=1, command="first", say=said.append)
    folder = here / "tiny"
    assert (stopped.complete, stopped.rows, stopped.folder) == (False, [], Path("tiny"))
    assert said == ["1 of 2: games"]
    assert (state(folder)["done"], count(folder, "games")) == ([], 3)
    assert not (folder / "verdicts.json").exists()
    said.clear()
    with monkeypatch.context() as patch:
        limited(patch, 2)
        assert not study.play("tiny.toml", workers=1, command="second", say=said.append).complete
    assert said == ["1 of 2: games", "2 of 2: more"]
    assert (state(folder)["done"], count(folder, "more")) == (["games"], 1)
    said.clear()
    whole = study.play("tiny.toml", workers=1, say=said.append)
    assert (whole.complete, len(whole.rows), said) == (True, 1, ["2 of 2: more"])
    found = state(folder)
    assert (found["done"], count(folder, "more")) == (["games", "more"], 6)
    assert [each["command"] for each in found["sessions"]] == ["first", "second", None]
    assert found["file"] == "../tiny.toml"
    said.clear()
    again = study.play("tiny.toml", workers=1, command="fourth", say=said.append)
    assert (again.rows, said) == (whole.rows, [])
    assert len(state(folder)["sessions"]) == 3, "nothing was played in a fourth"
    assert unreported[-1] == [state(folder), ["games", "more"]]


def test_no_time_at_all_plays_nothing_and_leaves_what_is_declared(here, unreported):
    (here / "tiny.toml").write_text(TINY)
    assert not study.play("tiny.toml", out="other", budget=0.0, workers=1).complete
    assert sorted(path.name for path in (here / "other").iterdir()) == ["study.json", "study.toml"]
    assert not (here / "tiny").exists()
    assert unreported == []


def test_a_changed_study_is_refused_until_the_change_is_undone(here, monkeypatch, unreported):
    (here / "tiny.toml").write_text(TINY)
    with monkeypatch.context() as patch:
        limited(patch, 3)
        assert not study.play("tiny.toml", workers=1).complete
    folder = here / "tiny"
    before = state(folder)
    (here / "tiny.toml").write_text(TINY.replace("rounds = 3", "rounds = 4"))
    with pytest.raises(InputError) as raised:
        study.play("tiny.toml", workers=1)
    assert str(raised.value).replace(str(here), "~") == (
        f"~/tiny.toml changed since ~/tiny was first played, on {before['begun'][:10]}: undo the change to go on, or "
        "play what is changed into another folder, --out"
    )
    assert (state(folder), (folder / "study.toml").read_text(), count(folder, "games")) == (before, TINY, 3)
    (here / "tiny.toml").write_text(TINY)
    assert study.play("tiny.toml", workers=1).complete
    assert (count(folder, "games"), count(folder, "more")) == (4, 6)


def test_a_folder_of_something_else_is_left_alone(here, unreported):
    (here / "tiny.toml").write_text(TINY)
    (here / "tiny").mkdir()
    (here / "tiny" / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"tiny holds thesis\.tex and no study; name another folder with --out"):
        study.play("tiny.toml", workers=1)
    assert [path.name for path in (here / "tiny").iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match=r"tiny\.toml exists; name another file"):
        study.new("tiny.toml")


def test_runs_of_a_test_for_each_pairing_answer_the_claims_of_their_own_agents(here, unreported):
    (here / "played.toml").write_text(QUICK)
    found = study.play("played.toml", workers=1)
    assert sorted(path.stem for path in (here / "played" / "runs").glob("*.sqlite")) == [
        "games",
        "match-a-b",
        "match-c-b",
    ]
    assert [row.number if hasattr(row, "number") else row.claim for row in found.rows] == [1, 2, 3]
    values = [row.value.value for row in found.rows]
    assert values[0] != values[1] or values[1] != values[2]
    assert [json.loads((here / "played" / "verdicts.json").read_text())[place]["value"] for place in range(3)] == values
    digests = json.loads((here / "played" / "study.json").read_text())
    assert list(digests["agents"]) == ["a", "b", "c"]
    assert {len(digests[name]) for name in ("digest", "built-in")} == {64}
    assert digests["agents"]["a"] == {"spec": "greedy", "digest": None, "files": {}}
