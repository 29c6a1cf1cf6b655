"""Runs that grow: they hold what a run that was asked for all of it at once would hold."""

import json
import shlex
import shutil
from dataclasses import asdict
from pathlib import Path

import pytest
from changed import update
from hand_made import frames, stored
from played import GAMES, grown, held, play, played, rows
from scripted import Leftmost, Middle

from agents.board import Board
from agents.errors import InputError
from agents.specs.registry import parse
from arena.games.entries import Entry, invited
from arena.games.extend import Growth, _code, _grown, _places, newcomers
from arena.games.isolation import Isolation, anchored
from arena.games.object_agent import ObjectAgent
from arena.games.plan import Plan
from arena.games.run import Run
from arena.page.page import page
from arena.store import extend, queries
from arena.store.findings import set_times
from arena.store.run_file import Store
from arena.store.sources import digest
from arena.tournament.standings import standings
from arena.tournament.tables import warnings

BOT = """
class Kim:
    def choose(self, board, limits):
        return board.legal_moves()[{0}]
"""


@pytest.fixture
def kim(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kim.py").write_text(BOT.format(0))
    apart = Isolation(nobody=True, folder=str(tmp_path))
    return played(tmp_path / "run.sqlite", "greedy", "kim.py", isolation=apart)


@pytest.mark.process
def test_a_grown_run_holds_exactly_the_games_of_a_fresh_one(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random")
    before = rows(path, "SELECT id, key, moves, started FROM game")
    grown(path, add=("minimax:depth=1",))
    assert held(path) == held(played(tmp_path / "three.sqlite", "greedy", "random", "minimax:depth=1"))
    grown(path, add=("random", "minimax:depth=2"), rounds=3)
    agents = ("greedy", "random", "minimax:depth=1", "random", "minimax:depth=2")
    assert held(path) == held(played(tmp_path / "five.sqlite", *agents, rounds=3))
    assert rows(path, "SELECT id, key, moves, started FROM game")[: len(before)] == before


@pytest.mark.parametrize("old", [None, Entry("a", "greedy", "/a")])
@pytest.mark.parametrize("new", [None, Entry("c", "random", "/c")])
def test_agents_that_join_keep_their_entries_and_leave_the_others_theirs(old, new):
    isolation = Isolation(entries=() if old is None else (old, None))
    plan = Plan(("a" if old else "greedy", "random"), rounds=3, isolation=isolation)
    found = _grown(plan, Growth(("c" if new else "random",), (new,), 5), Path("run.sqlite"))
    assert found.agents == (*plan.agents, "c" if new else "random")
    assert found.rounds == 5
    assert found.isolation.entries == (() if old is new is None else (old, None, new))
    for entries in (isolation.entries, (None, None)):
        plan = Plan(plan.agents, isolation=Isolation(entries=entries))
        assert _grown(plan, Growth(), Path("run.sqlite")) == plan


def test_a_gauntlet_grows_by_who_meets_its_first(tmp_path):
    path = grown(played(tmp_path / "run.sqlite", "greedy", "random", format="gauntlet"), add=("minimax:depth=1",))
    assert rows(path, "SELECT DISTINCT first, second FROM game ORDER BY 1, 2") == [(1, 2), (1, 3), (2, 1), (3, 1)]


def test_what_was_typed_is_added_to_the_command(tmp_path):
    path = grown(played(tmp_path / "run.sqlite", "greedy", "random"), rounds=3, command="arena run --resume")
    grown(path, rounds=4, command="and again")
    assert rows(path, "SELECT command FROM run") == [("arena run --resume && and again",)]


@pytest.mark.parametrize(
    ("rest", "growth", "message"),
    [
        ({}, {"rounds": 1}, "has 2 rounds already, and 1 are fewer"),
        ({"pairs": (("greedy", "random"),)}, {"add": ("minimax",)}, "plays pairs that were named one by one"),
        (
            {"pairs": (("greedy", "random"),)},
            {"add": ("minimax",), "rounds": 3},
            "plays pairs that were named one by one",
        ),
        ({"sprt": "elo0=0,elo1=30"}, {"add": ("minimax",)}, "a sequential test takes a match of two agents"),
        ({"format": "knockout"}, {"add": ("minimax",)}, "a knockout of these agents would have gone otherwise"),
        ({}, {"replay": ("gredy",)}, "'gredy': did you mean greedy"),
        ({}, {"add": ("minimax:heuristic=no.py:f",)}, r"no\.py"),
    ],
)
def test_what_cannot_grow_is_said_and_changes_nothing(tmp_path, rest, growth, message):
    path = played(tmp_path / "run.sqlite", "greedy", "random", **rest)
    before = held(path)
    with pytest.raises(InputError, match=message):
        grown(path, **growth)
    assert held(path) == before


def test_other_openings_than_those_that_were_played_are_refused_also_in_another_order(tmp_path, monkeypatch):
    (tmp_path / "openings.txt").write_text("44\n11\n12\n")
    path = played(tmp_path / "run.sqlite", "greedy", "random", openings=str(tmp_path / "openings.txt"))
    first, second = (text for (text,) in rows(path, "SELECT moves FROM opening ORDER BY id"))
    (third,) = {"44", "11", "12"} - {first, second}
    before = held(path)
    with monkeypatch.context() as patch:
        for now in (["45", "13", "14"], [second, first, third], [first, third, second]):
            patch.setattr("arena.games.openings.draw", lambda *_, now=now: [Board.from_moves(text) for text in now])
            with pytest.raises(InputError, match="was not played from the openings that"):
                grown(path, rounds=3)
    assert held(path) == before
    assert len(rows(grown(path, rounds=3), GAMES)) == 6


def test_before_a_run_goes_on_all_of_its_games_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.store.validation.CHECKED", 1)
    whole = played(tmp_path / "whole.sqlite", "greedy", "random")
    for game in (1, 2, 3, 4):
        path = shutil.copy(whole, tmp_path / "run.sqlite")
        with Store.resume(path) as store:
            update(
                store, "UPDATE game SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE id = ?", game
            )
        with pytest.raises(InputError, match=f"game {game}: its result"):
            Run.resume(path)
    with Store.resume(path := shutil.copy(whole, path)) as store:
        update(store, "UPDATE run SET plan = json_set(plan, '$.rounds', 3)")
    with pytest.raises(InputError, match=r"its plan has other agents or openings than are stored with it$"):
        Run.resume(path)


@pytest.mark.parametrize("named", ["kim.py", "./kim.py", "../{}/kim.py", "{}/../{}/kim.py"])
@pytest.mark.process
def test_an_agent_is_named_by_any_path_to_its_file(tmp_path, kim, monkeypatch, named):
    apart = Isolation(nobody=True, folder=str(tmp_path))
    path = played(tmp_path / "around.sqlite", "greedy", f"../{tmp_path.name}/kim.py", isolation=apart)
    monkeypatch.chdir(tmp_path if "/../" not in named else tmp_path.parent)
    for file in (kim, path):
        assert len(rows(grown(file, replay=(named.replace("{}", tmp_path.name),)), GAMES)) == 4


def test_a_changed_file_is_seen_also_when_all_is_played(kim):
    Path("kim.py").write_text(BOT.format(-1))
    message = r"^kim\.py has changed since its 4 games; --replay kim\.py deletes them and plays again, or --out begins"
    with pytest.raises(InputError, match=message):
        grown(kim)
    with pytest.raises(InputError, match=message):
        grown(kim, rounds=3)
    assert len(rows(grown(kim, rounds=3, replay=("kim.py",)), GAMES)) == 6
    grown(kim)


def test_all_that_have_changed_are_named_with_the_games_of_each_that_are_not_played_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ann", "a b", "kim"):
        Path(f"{name}.py").write_text(BOT.format(0))
    apart = Isolation(nobody=True, folder=str(tmp_path))
    agents = ("greedy", "kim.py", "a b.py", "ann.py")
    pairs = (("kim.py", "greedy"), ("a b.py", "greedy"), ("a b.py", "kim.py"), ("ann.py", "greedy"))
    path = played(tmp_path / "run.sqlite", *agents, rounds=1, games=7, pairs=pairs, isolation=apart)
    for name in ("ann", "a b", "kim"):
        Path(f"{name}.py").write_text(BOT.format(-1))
    before = held(path)
    with pytest.raises(InputError, match=r"^ann\.py has changed since its 1 games; --replay ann\.py deletes"):
        grown(path, replay=("a b.py", "kim.py"))
    for growth, named in (
        ({}, ["kim.py", "a b.py", "ann.py"]),
        ({"replay": ("a b.py",)}, ["kim.py", "ann.py"]),
    ):
        with pytest.raises(InputError) as raised:
            grown(path, **growth)
        games = {"kim.py": 4, "a b.py": 4, "ann.py": 1} if len(named) == 3 else {"kim.py": 2, "ann.py": 1}
        said = ", ".join(f"{name} has changed since its {games[name]} games" for name in named)
        again = " ".join(f"--replay {shlex.quote(name)}" for name in named)
        assert str(raised.value) == f"{said}; {again} deletes them and plays again, or --out begins a new run"
        assert held(path) == before
    digests = rows(path, "SELECT digest FROM agent WHERE digest IS NOT NULL")
    with Store.resume(path) as store:
        set_times(store, [("44", agent, 0, 9, 0.1) for agent in (1, 2, 3, 4)])
    assert len(rows(grown(path, replay=("a b.py", "greedy")), GAMES)) == 8
    assert not {*digests} & {*rows(path, "SELECT digest FROM agent")}
    assert rows(path, "SELECT agent FROM timing") == []


@pytest.mark.process
def test_where_results_decide_who_meets_games_that_are_played_again_count_for_nothing_and_the_others_for_all(tmp_path):
    agents = ("random", "greedy", "minimax:depth=1")
    path = played(tmp_path / "run.sqlite", *agents, rounds=2, format="knockout")
    before = rows(path, GAMES)
    final = {place for _, *pair, _, _, _, _, _ in before if 1 in pair for place in pair} - {1}
    [loser] = {2, 3} - final
    kept = held(path)
    message = rf"^{path}: a knockout of these agents would have gone otherwise; begin a new run$"
    for growth in ({"replay": (agents[loser - 1],)}, {"add": ("greedy",), "entries": (None,)}):
        with pytest.raises(InputError, match=message):
            grown(path, **growth)
        assert held(path) == kept
    again = grown(path, replay=("random", "greedy"))
    assert rows(again, GAMES) == before, "nothing has changed"
    again = grown(path, add=("greedy",), entries=(None,), replay=agents)
    assert rows(again, GAMES) == rows(
        played(tmp_path / "new.sqlite", *agents, "greedy", rounds=2, format="knockout"), GAMES
    )


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.process
def test_a_run_goes_on_from_anywhere_with_the_files_of_where_it_began(tmp_path, monkeypatch, apart):
    for folder, column in (("here", 0), ("there", -1)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "kim.py").write_text(BOT.format(column))
    monkeypatch.chdir(tmp_path / "here")
    lives = Isolation(nobody=not apart, folder=str(tmp_path / "here"))
    path = played(tmp_path / "run.sqlite", "greedy", "kim.py", rounds=1, games=1, isolation=lives)
    whole = played(tmp_path / "whole.sqlite", "greedy", "kim.py", rounds=1, isolation=lives)
    monkeypatch.chdir(tmp_path / "there")
    grown(path, debug=str(tmp_path / "talk.txt"))
    assert held(path) == held(whole)
    assert "talk.txt" not in rows(path, "SELECT plan FROM run")[0][0], "what is said is for this time alone"
    assert Run.resume(path).plan.isolation == lives


def test_a_missing_file_matters_only_where_something_is_left_to_play(kim):
    Path("kim.py").unlink()
    grown(kim)
    with pytest.raises(InputError, match=r"kim\.py"):
        grown(kim, rounds=3)
    assert rows(kim, "SELECT planned FROM run") == [(4,)]


def test_the_times_of_an_agent_that_plays_again_are_forgotten(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", "minimax:depth=1", rounds=1)
    with Store.resume(path) as store:
        set_times(store, [("44", agent, turn, 9, 0.1) for agent in (1, 2, 3) for turn in (0, 1)])
    grown(path, replay=("random",))
    assert rows(path, "SELECT agent, turn FROM timing ORDER BY 1, 2") == [(1, 0), (1, 1), (3, 0), (3, 1)]


@pytest.mark.parametrize("word", ["kim.py", "kim.py#2", "./kim.py"])
@pytest.mark.process
def test_the_games_of_an_agent_are_deleted_and_played_again(kim, word):
    grown(kim, add=("random", "kim.py") if word == "kim.py#2" else ("random",))
    old = rows(kim, GAMES)
    Path("kim.py").write_text(BOT.format(-1))
    place = 4 if word == "kim.py#2" else 2
    if word == "kim.py#2":
        with Store.resume(kim) as store:  # as if the first had been played by the file of now
            update(store, "UPDATE agent SET digest = ? WHERE id = 2", digest(parse("kim.py")))
    run = Run.resume(kim, Growth(replay=(word,)))
    theirs = [game for game in old if place in game[1:3]]
    assert run.deleted == len(theirs)
    play(run)
    new = rows(kim, GAMES)
    assert [game[0] for game in new] == [game[0] for game in old]
    assert [game for game in new if place not in game[1:3]] == [game for game in old if place not in game[1:3]]
    assert {game[4] for game in theirs} != {game[4] for game in new if place in game[1:3]}
    assert sum(row.games for row in standings(frames(kim))) == 2 * len(new)
    assert rows(kim, "PRAGMA foreign_key_check") == []


def test_a_run_that_is_killed_while_it_plays_again_is_before_or_after_the_deletion(kim, monkeypatch):
    before, delete = held(kim), extend._delete

    def killed(*given):
        delete(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(extend, "_delete", killed)
        with pytest.raises(KeyboardInterrupt):
            Run.resume(kim, Growth(replay=("kim.py",), rounds=3, command="again"))
    assert held(kim) == before
    run = Run.resume(kim, Growth(replay=("kim.py",), rounds=3))
    run.store.close()
    assert (run.deleted, rows(kim, GAMES), rows(kim, "SELECT planned FROM run")) == (4, [], [(6,)])
    assert len(rows(grown(kim), GAMES)) == 6


@pytest.mark.process
def test_a_run_that_was_given_more_rounds_says_that_it_was_looked_at(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random")
    assert not [line for line in warnings(frames(path)) if "extended" in line]
    grown(path, add=("minimax:depth=1",))
    assert not [line for line in warnings(frames(path)) if "extended" in line]
    grown(path, rounds=3)
    grown(path, rounds=4)
    [line] = [line for line in warnings(frames(path)) if "extended" in line]
    assert line.startswith("warning: this run was extended after 2 and 3 rounds: if the results decided that")
    assert "this run was extended after 2 and 3 rounds" in page(path)


@pytest.mark.process
def test_of_agents_that_are_named_again_those_join_that_are_new_by_file_or_by_name_and_content(tmp_path):
    def folder(name, **bots):
        (tmp_path / name).mkdir()
        for bot, column in bots.items():
            (tmp_path / name / f"{bot}.py").write_text(BOT.format(column))
        return tmp_path / name

    one, moved = folder("one", ann=0, bob=1), folder("moved", ann=0, bob=2)
    (tmp_path / "roster.toml").write_text('[[agent]]\nname = "low"\nspec = "greedy"\n')
    names, entries, _, _ = invited([str(one), str(tmp_path / "roster.toml")])
    isolation = Isolation(entries=entries)
    path = played(tmp_path / "run.sqlite", *names, rounds=1, isolation=isolation)

    folder("one/cat").joinpath("main.py").write_text(BOT.format(3))
    names, entries, _, _ = invited([str(one), str(tmp_path / "roster.toml"), "random"])
    assert names == ("ann", "bob", "cat", "low", "random")
    found, known, line = newcomers(path, names, entries)
    assert (found, [each and each.name for each in known]) == (("cat", "random"), ["cat", None])
    assert line == "3 play already; added: cat, random"

    names, entries, _, _ = invited([str(moved)])
    found, known, line = newcomers(path, names, entries)
    assert (found, known, line) == (("bob",), entries[1:], "1 play already; added: bob")

    names, entries, _, _ = invited([str(one / "..") + "/one/:ann"])
    assert newcomers(path, ("ann",), entries[:1])[2] == "1 play already; added: nobody"
    assert newcomers(path, ("random",), (None,)) == (("random",), (None,), "")


@pytest.mark.parametrize("typed", ["bot.py", "{0}/bot.py"])
def test_a_file_that_was_named_alone_plays_already_when_its_folder_joins(tmp_path, monkeypatch, typed):
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT.format(0))
    apart = Isolation(folder=str(tmp_path))
    path = played(tmp_path / "run.sqlite", "greedy", typed.format(tmp_path), rounds=1, isolation=apart)
    names, entries, _, _ = invited([str(tmp_path)])
    assert newcomers(path, names, entries) == ((), (), "1 play already; added: nobody")


def test_an_agent_is_found_by_its_name_its_spec_and_its_file_from_either_folder(tmp_path, monkeypatch):
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    Path("kim.py").write_text(BOT.format(0))
    Path("own.py").write_text("def evaluate(own, opp):\n    return 0\n")
    own = "minimax:depth=1,heuristic=own.py:evaluate"
    plan = Plan(("greedy", "kim.py:Kim", "greedy", own), isolation=Isolation(folder=str(tmp_path / "here")))
    path = stored(tmp_path / "run.sqlite", plan.agents, [])
    monkeypatch.chdir(tmp_path / "there")
    with Store.resume(path) as store:
        specs = [plan.isolation.spec(place, text) for place, text in enumerate(plan.agents)]
        agents = [anchored(spec, plan.isolation.folder) for spec in specs]
        for text, places in {
            "greedy": [0, 2], "greedy#2": [2], "kim.py:Kim": [1], "kim.py": [1], "kim": [1], "./kim.py": [1],
            str(tmp_path / "here/kim.py"): [1], "own.py": [3], own: [3],
        }.items():  # fmt: skip
            assert _places(store, text, agents, plan) == {*places}, text
        (tmp_path / "there" / "deep").mkdir()
        monkeypatch.chdir(tmp_path / "there" / "deep")
        assert _places(store, "../../here/kim.py", agents, plan) == {1}, "from where the command is typed"
        assert _places(store, "../here/own.py", agents, plan) == {3}, "from where the run began"
        update(store, "UPDATE agent SET name = 'Deep Fish 2' WHERE id = 3")
        for text, places in {"deep": [2], "DEEP": [2], "Deep Fish 2": [2], "greedy": [0, 2], "kim.py:Kim": [1]}.items():
            assert _places(store, text, agents, plan) == {*places}, text
        update(store, "UPDATE agent SET name = 'greedy#2' WHERE id = 3")
        for text in ("kin", "../there/kim.py", "own.py:evaluate", "fish", "deep"):
            with pytest.raises(InputError, match=r"'.*': (there are|did you mean)"):
                _places(store, text, agents, plan)


ANN = Entry("ann", "greedy", "/f", (("KEY", "v"),), author="Ann", own=True, roster="/f/all.toml")
RANDOM, KIM = ("random", "random", "random", None, 0), ("kim.py", "kim.py", "kim.py:Kim", None, 0)


@pytest.mark.process
def test_a_run_that_grows_in_steps_holds_all_that_each_step_asked_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEY", "v")
    Path("kim.py").write_text(BOT.format(0))
    apart = Isolation(nobody=True, folder=str(tmp_path))
    plan = {"rounds": 1, "openings": "plies:1", "seed": 3, "isolation": apart}
    path = played(tmp_path / "run.sqlite", "random", "kim.py", **plan, command="first")

    def stored():
        with Store.read(path) as store:
            document = store.plan()
        [(seed, planned, command)] = rows(path, "SELECT seed, planned, command FROM run")
        sessions = [line for (line,) in rows(path, "SELECT command FROM session ORDER BY id")]
        openings = rows(path, "SELECT moves, value FROM opening ORDER BY id")
        met = {games for (games,) in rows(path, "SELECT count(*) FROM game GROUP BY first, second")}
        assert (seed, document["seed"], document["isolation"]["nobody"]) == (3, 3, True)
        assert planned == len(rows(path, GAMES)) == len(document["agents"]) * (len(document["agents"]) - 1) * max(met)
        assert met == {document["rounds"]} == {len(openings)}
        return document, planned, command, sessions, openings

    document, planned, command, sessions, openings = stored()
    assert (document["agents"], document["isolation"]["entries"]) == (["random", "kim.py"], [])
    assert (planned, command, sessions, openings, document.get("looks")) == (2, "first", ["first"], [("4", -1)], None)

    grown(path, add=("ann", "random"), entries=(ANN, None), command="add")
    document, planned, command, sessions, openings = stored()
    entry = {**json.loads(json.dumps(asdict(ANN))), "environment": ["KEY"]}
    assert document["agents"] == ["random", "kim.py", "ann", "random"]
    assert document["isolation"]["entries"] == [None, None, entry, None]
    agents = [RANDOM, KIM, ("ann", "greedy", "greedy", "Ann", 0), ("random#2", "random", "random", None, 0)]
    assert rows(path, "SELECT name, spec, kind, author, stranger FROM agent ORDER BY id") == agents
    assert (planned, command, sessions, openings) == (12, "first && add", ["first", "add"], [("4", -1)])

    grown(path, rounds=3, command="rounds")
    document, planned, command, sessions, openings = stored()
    assert (planned, command, sessions) == (36, "first && add && rounds", ["first", "add", "rounds"])
    assert (openings, document["looks"]) == ([("4", -1), ("1", 1), ("3", 0)], [1])
    grown(path, rounds=3, command="nothing")
    assert stored() == (document, planned, command, sessions, openings)
    grown(path, rounds=4)
    document, planned, command, sessions, openings = stored()
    assert (planned, command, sessions[3:]) == (48, "first && add && rounds", [""])
    assert (openings[3:], document["looks"]) == ([("2", 1)], [1, 3])

    before = rows(path, "SELECT digest FROM agent ORDER BY id")
    grown(path, replay=("random",), command="again")
    assert stored()[1:4] == (48, "first && add && rounds && again", [*sessions, "again"])
    Path("kim.py").write_text(BOT.format(-1))
    grown(path, replay=("kim.py", "ann"), add=("greedy",), entries=(None,), command="more")
    document, planned, command, sessions, openings = stored()
    assert (document["agents"][4:], document["isolation"]["entries"][2:]) == (["greedy"], [entry, None, None])
    assert (planned, command, sessions[4:]) == (80, "first && add && rounds && again && more", ["again", "more"])
    digests = rows(path, "SELECT digest FROM agent ORDER BY id")
    assert [now == then for now, then in zip(digests, before, strict=False)] == [True, False, True, True]


@pytest.mark.process
def test_of_the_agents_of_another_version_those_that_have_played_are_named(tmp_path):
    agents = ("greedy", "random", "greedy", "random", "greedy")
    path = played(tmp_path / "run.sqlite", *agents, rounds=1, games=3)
    whole = played(tmp_path / "whole.sqlite", *agents, rounds=1)
    few = played(tmp_path / "few.sqlite", *agents, rounds=1, games=1)
    for each in (path, whole, few):
        with Store.resume(each) as store:
            update(store, "UPDATE session SET versions = json_set(versions, '$.connect4-arena', '0.0.1')")
    for each, growth, names in (
        (path, {}, "greedy, random, greedy#2"), (few, {}, "greedy, random"),
        (whole, {"rounds": 2}, "greedy, random, greedy#2, random#2, greedy#3"),
        (whole, {"add": ("random",), "entries": (None,)}, "greedy, random, greedy#2, random#2, greedy#3"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=rf"^{each}: {names} played with connect4-arena 0\.0\.1, and this is "):
            grown(each, **growth)
    assert len(rows(grown(whole), GAMES)) == 20
    assert len(rows(grown(few, replay=("greedy", "random")), GAMES)) == 20


def test_an_object_has_changed_with_its_class_its_attributes_or_its_source_and_a_missing_file_has_not(tmp_path):
    class Kept(Middle):
        def __init__(self, near=3):
            self.near = near

    (tmp_path / "kim.py").write_text(BOT.format(0))
    kim = f"{tmp_path}/kim.py"
    objects = (ObjectAgent.of(Kept(), "mine"), ObjectAgent.of(Leftmost, "yours"))
    with Run.begin(Plan(("mine", "yours", kim), rounds=1), tmp_path / "run.sqlite",
                   objects=dict(enumerate(objects))).store as store:  # fmt: skip
        stored = queries.described(store)
        specs = [*objects, Isolation().spec(2, kim)]
        assert [_code(spec, row) for spec, row in zip(specs, stored, strict=True)] == stored
        for place, now in ((0, ObjectAgent.of(Kept(2), "mine")), (0, ObjectAgent.of(Middle, "mine")),
                           (1, ObjectAgent.of(Middle, "yours"))):  # fmt: skip
            assert _code(now, stored[place]) == (now.kind, now.described(), now.digest()) != stored[place]
        (tmp_path / "kim.py").write_text(BOT.format(1))
        kind, parameters, changed = _code(specs[2], stored[2])
        assert (kind, parameters) == stored[2][:2]
        assert len(changed) == 64
        assert changed != stored[2][2]
        (tmp_path / "kim.py").unlink()
        assert _code(specs[2], stored[2]) == stored[2]


def test_a_file_that_has_changed_before_its_agent_played_is_taken_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kim.py").write_text(BOT.format(0))
    apart = Isolation(nobody=True, folder=str(tmp_path))
    path = played(tmp_path / "run.sqlite", "greedy", "random", "kim.py", rounds=1, games=2, isolation=apart)
    [(before,)] = rows(path, "SELECT digest FROM agent WHERE id = 3")
    Path("kim.py").write_text(BOT.format(-1))
    assert len(rows(grown(path), GAMES)) == 6
    [(after,)] = rows(path, "SELECT digest FROM agent WHERE id = 3")
    assert before != after
    Path("kim.py").write_text(BOT.format(0))
    with pytest.raises(InputError, match=r"^kim\.py has changed since its 4 games; "):
        grown(path)
    with Store.resume(path) as store:
        update(store, "UPDATE agent SET name = 'Kim' WHERE id = 3")
    with pytest.raises(InputError, match=r"^Kim has changed since its 4 games; --replay Kim deletes "):
        grown(path)


def test_who_meets_nobody_is_not_played_again(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", "greedy", pairs=(("greedy", "random"),))
    for replay in (("greedy#2",), ("random", "greedy")):
        with pytest.raises(InputError, match=rf"^greedy#2 meets nobody in {path}; begin a new run$"):
            grown(path, replay=replay)
