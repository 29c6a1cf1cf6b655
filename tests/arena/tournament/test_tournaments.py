"""What a tournament is begun and resumed with, by each way in which it is asked for."""

import itertools
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from changed import update
from played import played
from samples import DATA
from scripted import Middle, leftmost

from agents.board import Rules
from agents.errors import InputError, unknown
from arena.comparison import compare
from arena.games.entries import Entry
from arena.games.extend import Growth
from arena.games.isolation import Isolation
from arena.games.object_agent import ObjectAgent
from arena.games.plan import DEFAULT_FIELD, Plan
from arena.games.run import Run
from arena.store.run_file import Store
from arena.tournament import tournaments

pytestmark = pytest.mark.usefixtures("here")


BOT = "def choose(board):\n    return board.legal_moves()[0]\n"
SMALL = Rules(5, 4)


@pytest.fixture
def folders(tmp_path):
    """A class with an agent that cannot be read and a file that is none, and a roster."""
    for name, text in {"class/good.py": BOT, "class/bad.py": "def choose(:\n", "class/notes.py": "x = 1\n",
                       "one/only.py": BOT, "none/bad.py": "def choose(:\n", "bot.py": BOT}.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


# What begins a run.


@pytest.fixture
def begun(monkeypatch, folders):
    """A function that returns what a job would begin a run with; its list `said` has what was said meanwhile."""

    def begin(plan, out, command="", objects=None, jobs=1):
        texts = {place: agent.text for place, agent in (objects or {}).items()}
        return SimpleNamespace(plan=plan, out=out, command=command, objects=texts, jobs=jobs)

    monkeypatch.setattr(Run, "begin", begin)
    monkeypatch.setattr("agents.processes.sandbox.bubblewrap", lambda: call.said.append("bubblewrap"))
    monkeypatch.setattr(
        "arena.comparison.trial.refuse_failing", lambda plan: call.said.append(f"tried {len(plan.agents)}")
    )

    def call(agents, plan=None, **options):
        return tournaments.begin(agents, plan or {}, warn=call.said.append, **options)

    call.said = []
    return call


TWO = ["greedy", "random"]


def test_a_run_begins_with_defaults_for_what_was_not_asked_for(begun, folders):
    run = begun(TWO)
    assert run.plan == Plan(tuple(TWO), isolation=Isolation(folder=str(folders), entries=(None, None)))
    assert (run.plan.openings, run.plan.rounds, run.plan.seed, run.plan.margin) == ("plies:4", 20, 1, 0.1)
    assert (run.out, run.command, run.objects, run.jobs, begun.said) == (None, "", {}, 1, [])
    run = begun([], {"rounds": 3})
    assert (run.plan.agents, run.plan.rounds) == (DEFAULT_FIELD, 3)
    assert (len(DEFAULT_FIELD), DEFAULT_FIELD[0]) == (6, "minimax:depth=6,heuristic=powers-of-ten")


def test_a_run_begins_with_what_was_asked_for(begun, folders):
    run = begun(["minimax:depth=1..2"], {"seed": 3}, out="o.sqlite", command="arena run", workers=3)
    assert (run.plan.agents, run.plan.seed) == (("minimax:depth=1", "minimax:depth=2"), 3)
    assert (run.out, run.command, run.jobs) == (Path("o.sqlite"), "arena run", 3)
    assert begun(TWO, workers=None).jobs is None, "as many as cores"
    assert begun(TWO, workers="a cluster").jobs == 1
    run = begun([Path("bot.py"), "greedy"], isolation={"patience": 3.0, "memory": 99})
    assert run.plan.agents == ("bot.py", "greedy")
    assert run.plan.isolation == Isolation(3.0, 99, folder=str(folders), entries=(None, None))
    assert begun(TWO, anchor=("greedy", 3.0)).plan.agents == tuple(TWO)


@pytest.mark.parametrize(("plan", "rounds"), [
    ({}, 568), ({"openings": "plies:2", "seed": 3}, 25), ({"rules": "5x4", "openings": "plies:2"}, 13),
    ({"openings": "plies:2;repeat=3"}, 75), ({"rounds": 7}, 7),
])  # fmt: skip
def test_a_sequential_test_has_all_openings_unless_it_is_given_rounds(begun, plan, rounds):
    assert begun(TWO, {"sprt": "elo0=0,elo1=30", **plan}).plan.rounds == rounds


@pytest.mark.parametrize(("other", "plan", "warned"), [
    ("minimax:depth=2", {}, True), ("minimax:depth=2", {"seconds": 0.5}, False), ("random", {}, False),
    ("minimax:depth=2", {"clock": "60+1"}, False),
])  # fmt: skip
def test_of_repeated_openings_as_many_are_drawn_as_ever_and_agents_without_chance_are_named(begun, other, plan, warned):
    run = begun(["minimax:depth=1", other], {"openings": "plies:4;repeat=2"} | plan)
    assert (run.plan.rounds, bool(begun.said)) == (2 * 20, warned)


def test_all_of_few_openings_are_repeated_and_of_the_agents_those_without_chance_are_named(begun):
    agents = ["minimax:depth=1", "random", "alphabeta:depth=1", "minimax:depth=1"]
    assert begun(agents, {"openings": "plies:1;repeat=3"}).plan.rounds == 3 * 4
    [line] = begun.said
    assert line.startswith("no chance in minimax:depth=1, alphabeta:depth=1, minimax:depth=1#2: ")
    assert begun(agents, {"openings": "plies:4;repeat=3", "rounds": 2}).plan.rounds == 3 * 2
    begun.said.clear()
    begun(agents[:2], {"openings": "plies:1;repeat=3"})
    assert begun.said == []


def test_agents_of_a_mapping_have_its_names(begun, folders):
    here = str(folders)
    plan = begun({"a": "greedy", "b": "minimax:depth=1"}, {"pairs": [("a", "b")]}).plan
    assert (plan.agents, plan.pairs) == (("a", "b"), (("a", "b"),))
    assert plan.isolation.entries == (Entry("a", "greedy", here), Entry("b", "minimax:depth=1", here))
    plan = begun({"a": "one", "b": "class/good.py"}).plan
    only = Entry("a", f"{here}/one/only.py:choose", f"{here}/one", files=(f"{here}/one/only.py",))
    assert (plan.agents, plan.isolation.entries) == (("a", "b"), (only, Entry("b", "class/good.py", here)))


def test_agents_of_a_folder_are_its_entries_and_what_is_left_out_is_said(begun, folders):
    plan = begun(["class", "greedy"]).plan
    good = f"{folders}/class/good.py"
    assert plan.agents == ("good", "greedy")
    assert plan.isolation.entries == (Entry("good", f"{good}:choose", f"{folders}/class", files=(good,)), None)
    assert begun.said == ["left out: class/bad.py, line 1: invalid syntax", "class: not agents: notes.py"]
    mine = Entry("mine", "greedy", "/", own=True)
    plan = begun([mine, "random"]).plan
    assert (plan.agents, plan.isolation.entries) == (("mine", "random"), (mine, None))


def test_pairs_are_named_with_the_number_of_an_agent_that_occurs_twice(begun):
    pairs = (("random#2", "greedy"), ("random", "greedy"))
    assert begun([*TWO, "random"], {"pairs": list(pairs)}).plan.pairs == pairs


def test_pairs_of_engines_are_typed_by_their_specs_and_have_the_names_that_these_report(begun, monkeypatch):
    def introduced(names, entries, apart):
        engines = [Entry(f"Engine {name[4:]}", name, apart.folder) if "uci:" in name else None for name in names]
        return tuple(entry.name if entry else name for entry, name in zip(engines, names, strict=True)), (*engines,)

    monkeypatch.setattr("arena.games.setup.introduced", introduced)
    pairs = [("uci:cat", "greedy"), ("greedy", "uci:ls"), ("uci:cat#2", "uci:cat"), ("Engine ls", "greedy")]
    assert begun(["uci:cat", "greedy", "uci:ls", "uci:cat"], {"pairs": pairs}).plan.pairs == (
        ("Engine cat", "greedy"), ("greedy", "Engine ls"), ("Engine cat#2", "Engine cat"), ("Engine ls", "greedy"),
    )  # fmt: skip


def test_objects_are_handed_on_by_their_places(begun):
    run = begun(["greedy", Middle(), leftmost, Middle])
    assert run.plan.agents == ("greedy", "Middle", "leftmost", "Middle")
    assert run.objects == {1: "Middle", 2: "leftmost", 3: "Middle"}


@pytest.mark.parametrize("agents", [["bot.py", "greedy"], ["greedy", Middle()]])
def test_a_sandbox_is_looked_for_before_a_run_begins_in_it(begun, agents):
    plan = begun(agents, isolation={"sandbox": True, "everyone": True}).plan
    assert (plan.isolation.sandbox, plan.isolation.everyone, begun.said) == (True, True, ["bubblewrap"])


LIMITED = "an agent's name has letters, digits, blanks and . + - _, at most 80, not "
STORED = "--add and --replay are for a stored run, which --resume FILE names"


@pytest.mark.parametrize(("agents", "plan", "options", "line"), [
    ({"a": "minimax:depth=1..2", "b": "greedy"}, {}, {}, "'minimax:depth=1..2' stands for 2 agents, and a names one"),
    ({"a": "none", "b": "greedy"}, {}, {}, "'none' stands for 0 agents, and a names one"),
    ({"a:b": "greedy", "c": "random"}, {}, {}, f"{LIMITED}'a:b'"),
    ({3: "greedy", "c": "random"}, {}, {}, f"{LIMITED}3"),
    ({"a" * 81: "greedy", "c": "random"}, {}, {}, f"{LIMITED}'{'a' * 81}'"),
    (TWO, {"pairs": [("greedy", "me")]}, {}, "pair names 'me', which is not among the agents: greedy, random"),
    (["greedy", Middle()], {}, {"workers": "a cluster"},
     "a cluster plays agents that are named by a spec or a file; your own objects stay here"),
    (TWO, {}, {"anchor": ("greed", 3.0)}, str(unknown("agent to anchor the ratings", "greed", ["greedy"]))),
    (["greedy", 3], {}, {},
     "3 is no agent: that is a spec such as 'greedy', or a class or an object with a method choose(board, limits)"),
    (["greedy"], {}, {}, "a tournament needs two agents; --include-self lets one meet itself"),
    ("greedy", {}, {}, "agents is a list, as in ['greedy'], not 'greedy'"),
    (TWO, {}, {"add": ["mcts"]}, STORED), (["greedy"], {}, {"replay": ["greedy"]}, STORED),
    (TWO, {"rules": "99x99"}, {}, "a 99x99 board does not fit: columns x (rows + 1) is 9900, the limit is 64"),
])  # fmt: skip
def test_what_cannot_begin_is_refused_with_a_line(begun, agents, plan, options, line):
    with pytest.raises(InputError) as raised:
        begun(agents, plan, **options)
    assert str(raised.value) == line


CENTRE = "alphabeta:order=centre"


@pytest.mark.parametrize(("options", "search", "levels"), [
    ({}, CENTRE, {"depth 4": "depth=4", "depth 5": "depth=5", "depth 6": "depth=6"}),
    ({"depth": [2, 1, 2]}, CENTRE, {"depth 2": "depth=2", "depth 1": "depth=1"}),
    ({"depth": 3}, CENTRE, {"depth 3": "depth=3"}),
    ({"nodes": [50, 90], "search": "alphabeta"}, "alphabeta", {"50 nodes": "nodes=50", "90 nodes": "nodes=90"}),
    ({"seconds": 0.5}, CENTRE, {"0.5 s": "seconds=0.5"}),
])  # fmt: skip
@pytest.mark.usefixtures("begun")
def test_heuristics_are_compared_with_each_other_at_every_level(options, search, levels):
    plan = compare.begin_comparison(["zero|parity", "line-runs"], **options).plan
    join = ":" if search == "alphabeta" else ","
    names = ["zero", "parity", "line-runs"]
    agents = {
        level: {f"{search}{join}heuristic={name},{limit}": name for name in names} for level, limit in levels.items()
    }
    assert plan.comparison == {"search": search, "levels": agents}
    assert list(plan.comparison["levels"]) == list(levels)
    assert plan.agents == tuple(agent for level in agents.values() for agent in level)
    assert plan.pairs == tuple(pair for level in agents.values() for pair in itertools.combinations(level, 2))


def test_a_comparison_begins_with_what_was_asked_for_after_its_heuristics_were_tried(begun, folders):
    run = compare.begin_comparison(["zero", "parity"])
    assert (run.plan.openings, run.plan.rounds, run.plan.seed, run.plan.rules) == ("plies:4", 100, 1, Rules())
    assert run.plan.isolation == Isolation(folder=str(folders))
    assert (run.out, run.command, run.jobs, begun.said) == (None, "", 1, ["tried 6"])
    plan = {"rounds": 5, "seed": 2, "rules": "5x4", "openings": "plies:2"}
    run = compare.begin_comparison(["zero", "parity"], **plan, out="o.sqlite", command="arena compare", workers=None)
    assert (run.plan.openings, run.plan.rounds, run.plan.seed, run.plan.rules) == ("plies:2", 5, 2, SMALL)
    assert (run.out, run.command, run.jobs) == (Path("o.sqlite"), "arena compare", None)
    assert compare.begin_comparison(["zero", "parity"], workers="a cluster").jobs == 1


@pytest.mark.parametrize(("heuristic", "isolation", "said"), [
    ("bot.py:choose", {"everyone": True, "sandbox": True}, ["bubblewrap"]),
    ("parity", {"nobody": True, "memory": 99}, ["tried 2"]), ("parity", {"sandbox": True}, ["bubblewrap", "tried 2"]),
])  # fmt: skip
def test_heuristics_that_are_to_be_isolated_are_not_tried_here(begun, folders, heuristic, isolation, said):
    plan = compare.begin_comparison(["zero", heuristic], depth=1, isolation=isolation).plan
    assert plan.isolation == Isolation(folder=str(folders), **isolation)
    assert begun.said == said


@pytest.mark.parametrize(("heuristics", "limits", "line"), [
    (["zero", "parity"], {"depth": 1, "seconds": 0.5}, "choose one of --depth and --seconds"),
    (["zero", "parity"], {"depth": 1, "nodes": 3, "seconds": 0.5}, "choose one of --depth and --nodes and --seconds"),
    (["zero", "parity"], {"depth": "1..3"}, "depth is a list, as in [4], not '1..3'"),
    ([3, 4], {}, "heuristics are names, as in ['smart-aware', 'mine.py:function'], not 3"),
    ("zero", {}, "heuristics is a list, as in ['zero'], not 'zero'"),
])  # fmt: skip
@pytest.mark.usefixtures("begun")
def test_what_cannot_be_compared_is_refused_with_a_line(heuristics, limits, line):
    with pytest.raises(InputError) as raised:
        compare.begin_comparison(heuristics, **limits)
    assert str(raised.value) == line


# What Python asks for.


PLAN = {"rounds": 3, "openings": "plies:2", "seed": 7, "format": "gauntlet", "pairs": [("a", "b")], "nodes": 9,
        "include_self": False, "rules": "5x4", "seconds": 0.5, "clock": "60+1", "margin": 0.3,
        "sprt": "elo0=0,elo1=30"}  # fmt: skip
MORE = {"add": ["mcts"], "replay": ["random"]}


@pytest.mark.parametrize(("options", "workers", "progress"), [
    ({}, 1, False), ({"workers": 3, "progress": True}, 3, True), ({"cluster": "local:2"}, "cluster local:2", False),
])  # fmt: skip
def test_python_begins_a_run_or_goes_on_with_one_as_it_is_asked_for_plays_it_and_loads_it(
    monkeypatch, options, workers, progress
):
    asked, run = [], SimpleNamespace(store=SimpleNamespace(path="o.sqlite"))
    for name in ("begin", "resumed"):
        monkeypatch.setattr(tournaments, name, lambda *given, **named: asked.append((*given, named)) or run)
    monkeypatch.setattr(tournaments, "cluster_at", lambda address: address and f"cluster {address}")
    monkeypatch.setattr(tournaments, "play", lambda *given, **how: asked.append((*given, how)))
    monkeypatch.setattr(tournaments, "load", lambda path: f"the run in {path}")
    began, none = MORE | {"out": "o.sqlite", "isolation": {"memory": 99}}, {"add": (), "replay": ()}
    for given in (
        (TWO, PLAN | began), ((), {}), (TWO, MORE | {"resume": "r.sqlite", "rounds": 9}), ((), {"resume": "r.sqlite"}),
    ):  # fmt: skip
        assert tournaments.run(given[0], **given[1], **options) == "the run in o.sqlite"
    assert asked[1::2] == [(run, workers, {"progress": progress})] * 4
    assert asked[::2] == [
        (TWO, PLAN, began | {"workers": workers}),
        ((), {}, none | {"out": None, "isolation": None, "workers": workers}),
        ("r.sqlite", TWO, {"rounds": 9}, MORE | {"workers": workers}),
        ("r.sqlite", (), {}, none | {"workers": workers}),
    ]  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"cluster": "local:2"}])
def test_a_wrong_number_of_workers_is_refused_before_anything_begins(monkeypatch, options):
    monkeypatch.setattr(tournaments, "begin", None)
    monkeypatch.setattr(tournaments, "cluster_at", None)
    with pytest.raises(InputError, match="0 is no number of processes"):
        tournaments.run(TWO, workers=0, **options)


# What a stored run goes on with.


@pytest.fixture
def resumed(monkeypatch, folders):
    """A function that returns the path and the growth that a stored run goes on with, its objects as their texts."""
    path = played(folders / "run.sqlite", *TWO, rounds=1, rules=SMALL)

    def resume(file, growth):
        assert file == path
        growth = replace(growth, objects={key: agent.text for key, agent in growth.objects.items()})
        return SimpleNamespace(growth=growth, deleted=1200, warning="a warning")

    monkeypatch.setattr(Run, "resume", resume)

    def call(*words, **options):
        lines = {"warn": lambda line: call.said.append(f"! {line}"), "say": call.said.append}
        return tournaments.resumed(path, *words, **lines, **options).growth

    call.said = []
    return call


@pytest.mark.parametrize(("words", "options", "growth"), [
    ((), {}, Growth()), ((), {"walled": True}, Growth()), (((), {"rounds": 9}), {}, Growth(rounds=9)),
    ((), {"add": ["bot.py", "minimax:depth=1..2"], "replay": ["a", Path("b.py")], "command": "arena", "debug": "lines"},
     Growth(("bot.py", "minimax:depth=1", "minimax:depth=2"), (None,) * 3, None, ("a", "b.py"), "arena", {}, "lines")),
    (([Middle(), leftmost],), {}, Growth(objects={0: "Middle", 1: "leftmost"})),
    (({"b": Middle(), "a": leftmost},), {}, Growth(objects={"b": "b", "a": "a"})),
])  # fmt: skip
def test_a_stored_run_goes_on_with_what_was_asked_for(resumed, words, options, growth):
    assert resumed(*words, **options) == growth
    assert resumed.said == ["1,200 games deleted, to be played again", "! a warning"]


def test_of_a_folder_that_joins_a_stored_run_it_is_said_what_is_left_out(resumed, folders):
    good = f"{folders}/class/good.py"
    entry = Entry("good", f"{good}:choose", f"{folders}/class", files=(good,))
    assert resumed(add=["class"]) == Growth(("good",), (entry,))
    assert resumed.said[:2] == ["! left out: class/bad.py, line 1: invalid syntax", "! class: not agents: notes.py"]


@pytest.mark.parametrize(("words", "options", "line"), [
    (((), {"seed": 3}), {}, "--resume continues the plan that is stored; --seed cannot change it"),
    (((), {"include_self": True, "rounds": 3}), {},
     "--resume continues the plan that is stored; --include-self cannot change it"),
    ((), {"add": [Middle()]}, "an agent that joins a stored run is named by a spec or a file"),
    ((), {"add": "greedy"}, "add is a list, as in ['greedy'], not 'greedy'"),
    ((), {"replay": "greedy"}, "replay is a list, as in ['greedy'], not 'greedy'"),
    (([Middle()],), {"workers": "a cluster"},
     "a cluster plays agents that are named by a spec or a file; your own objects stay here"),
])  # fmt: skip
def test_what_a_stored_run_cannot_go_on_with_is_refused_with_a_line(resumed, words, options, line):
    with pytest.raises(InputError) as raised:
        resumed(*words, **options)
    assert str(raised.value) == line


@pytest.mark.parametrize("fixed", [{"out": "new.sqlite"}, {"isolation": {"memory": 99}}, {"seed": 1}])
def test_what_was_fixed_when_a_run_began_is_refused_by_its_name(tmp_path, fixed):
    path = played(tmp_path / "run.sqlite", *TWO, rounds=1, rules=SMALL)
    with pytest.raises(InputError, match=f"--{next(iter(fixed))} cannot change it"):
        tournaments.run(resume=path, **fixed)


def test_a_stored_run_goes_on_without_a_word_unless_agents_join_or_games_are_deleted(tmp_path, monkeypatch):
    path, said = played(tmp_path / "run.sqlite", *TWO, rounds=1, rules=SMALL), []
    quiet = SimpleNamespace(deleted=0, warning="")
    monkeypatch.setattr(Run, "resume", lambda *_: quiet)
    assert tournaments.resumed(path, warn=said.append, say=said.append) is quiet
    assert said == []
    quiet.deleted = 1
    tournaments.resumed(path, warn=said.append, say=said.append)
    assert said == ["1 game deleted, to be played again"]
    quiet.deleted, said[:] = 0, []
    monkeypatch.setattr("arena.games.extend.newcomers", lambda path, names, entries: (names, entries, "added: nobody"))
    tournaments.resumed(path, say=said.append)
    assert said == ["added: nobody"]


@pytest.mark.parametrize(("plan", "refused"), [
    ('{"isolation": {"sandbox": true}}', False), ('{"isolation": {"sandbox": false}}', True),
    ('{"isolation": null}', True), ("{}", True), ('{"isolation": {"memory": 99, "patience": 5.0}}', True),
])  # fmt: skip
@pytest.mark.parametrize("strangers", [0, 1])
def test_a_run_of_strangers_that_began_without_a_sandbox_is_not_played_behind_walls(
    tmp_path, monkeypatch, plan, refused, strangers
):
    path = shutil.copy(DATA / "runs" / "match.sqlite", tmp_path / "run.sqlite")
    with Store.resume(path) as store:
        update(store, "UPDATE run SET plan = ?", plan)
        update(store, "UPDATE agent SET stranger = ? WHERE id = 2", strangers)
    found = SimpleNamespace(deleted=0, warning="")
    monkeypatch.setattr(Run, "resume", lambda *_: found)
    monkeypatch.setattr("arena.games.extend.newcomers", lambda path, names, entries: (names, entries, ""))
    assert tournaments.resumed(path) is found
    if refused and strangers:
        with pytest.raises(InputError, match="this run began outside of a sandbox; arena run --resume continues it so"):
            tournaments.resumed(path, walled=True)
    else:
        assert tournaments.resumed(path, walled=True) is found


def test_objects_are_those_of_their_names_or_of_their_places():
    mine, yours = Middle(), leftmost
    assert {key: each.text for key, each in tournaments._objects({"b": mine, "a": yours}).items()} == {
        "b": "b",
        "a": "a",
    }
    assert list(tournaments._objects([mine, yours])) == [0, 1]
    assert all(isinstance(each, ObjectAgent) for each in tournaments._objects([mine]).values())
    for agent, word in (("greedy", "greedy"), ("a b.py", "'a b.py'"), (Path("x.py"), "x.py")):
        with pytest.raises(InputError) as raised:
            tournaments._objects([mine, agent])
        assert str(raised.value) == (
            f"--resume continues the plan that is stored; agents cannot change it: write --add {word}"
        )
