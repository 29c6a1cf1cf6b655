"""Which agents of a run are meant where it is played on, and what it holds before the next game is played."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from played import grown, played, rows

from agents.board import Rules
from agents.errors import InputError
from agents.specs.registry import parse
from arena.games.entries import invited
from arena.games.extend import Growth, _code, _grown, _places, _refuse_changed, _refuse_version, newcomers
from arena.games.isolation import Isolation
from arena.games.plan import Plan
from arena.games.run import Run
from arena.records import Job

SMALL = Rules(4, 4)


@pytest.mark.parametrize(("here", "folder"), [("own", "other"), ("other", "own")])
def test_a_file_names_its_agent_from_the_current_folder_and_from_that_of_the_run(tmp_path, monkeypatch, here, folder):
    for name in ("own", "other"):
        (tmp_path / name).mkdir()
    Path(tmp_path / "own" / "kim.py").write_text("def choose(board):\n    return 3\n")
    monkeypatch.chdir(tmp_path / here)
    store = SimpleNamespace(names=lambda: ["greedy", "kim"], name_of=lambda _: None)
    agents = [parse("greedy"), parse(f"{tmp_path}/own/kim.py")]
    plan = SimpleNamespace(isolation=SimpleNamespace(folder=str(tmp_path / folder)))
    assert _places(store, "kim.py", agents, plan) == {1}


def test_a_run_that_grows_in_all_ways_has_the_rest_of_a_larger_plan_before_it(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", rounds=1, rules=SMALL, command="arena run")
    with Run.resume(path).store as store:
        assert (store.count_games(), store.planned()) == (2, 2)
        assert "looks" not in store.plan()
        assert (store.plan()["population"], store.plan()["strata"]) == (82, [82])
    run = Run.resume(path, Growth(("greedy",), (None,), 3, ("random",), "arena run --resume"))
    with run.store as store:
        assert (run.new, run.deleted, run.warning, run.plan.rounds) == (False, 2, "", 3)
        assert store.names() == run.plan.names() == ["greedy", "random", "greedy#2"]
        assert (store.count_games(), store.planned(), len(store.openings())) == (0, 3 * 3 * 2, 3)
        assert (store.plan()["looks"], store.plan()["rounds"]) == ([1], 3)
        assert store.value("SELECT command FROM run") == "arena run && arena run --resume"
        assert store.value("SELECT command FROM session ORDER BY rowid DESC") == "arena run --resume"
    with Run.resume(path, Growth(rounds=4)).store as store:
        assert (store.plan()["looks"], store.planned(), len(store.openings())) == ([1, 3], 3 * 4 * 2, 4)
    with Run.resume(path, Growth(rounds=4)).store as store:
        assert store.plan()["looks"] == [1, 3]


def test_agents_that_a_run_has_by_their_file_or_by_name_and_content_do_not_join_again(tmp_path):
    def folder(name, **bots):
        for bot, column in bots.items():
            (tmp_path / name / bot).mkdir(parents=True)
            (tmp_path / name / bot / "main.py").write_text(f"def choose(board):\n    return {column}\n")
        return str(tmp_path / name)

    one, moved = folder("one", ann=0, bob=1), folder("moved", ann=0, bob=2, cat=0)
    names, entries, _, _ = invited([one])
    path = tmp_path / "run.sqlite"
    Run.begin(Plan(names, isolation=Isolation(entries=entries), rounds=1, rules=SMALL), path).store.close()
    assert newcomers(path, names, entries) == ((), (), "2 play already; added: nobody")
    names, entries, _, _ = invited([moved])
    assert newcomers(path, names, entries) == (("bob", "cat"), entries[1:], "1 play already; added: bob, cat")
    assert newcomers(path, ("greedy", "mcts"), (None, None)) == (("greedy", "mcts"), (None, None), "")


def test_an_engine_that_joins_is_asked_for_its_name_as_the_run_starts_it(tmp_path, monkeypatch):
    asked = []
    path, apart = tmp_path / "run.sqlite", Isolation(patience=9.0, folder=str(tmp_path))
    Run.begin(Plan(("greedy", "random"), isolation=apart, rounds=1, rules=SMALL), path).store.close()
    monkeypatch.setattr("arena.games.extend.introduced", lambda *given: asked.append(given) or (("Fish",), (None,)))
    assert newcomers(path, ("uci:./fish",), (None,)) == (("Fish",), (None,), "")
    assert asked == [(["uci:./fish"], [None], apart)]


def test_an_agent_of_a_roster_is_known_by_its_folder_and_name_and_without_files_by_nothing_else(tmp_path):
    def roster(folder, *names):
        (tmp_path / folder).mkdir()
        text = "".join(f'[[agent]]\nname = "{name}"\nspec = "alphabeta:depth={len(name)}"\n' for name in names)
        (tmp_path / folder / "roster.toml").write_text(text)
        return invited([str(tmp_path / folder / "roster.toml")])[:2]

    names, entries = roster("one", "a", "bb")
    path = tmp_path / "run.sqlite"
    Run.begin(Plan(names, isolation=Isolation(entries=entries), rounds=1, rules=SMALL), path).store.close()
    assert newcomers(path, names, entries) == ((), (), "2 play already; added: nobody")
    names, entries = roster("two", "a", "bb")
    assert newcomers(path, names, entries) == (("a", "bb"), tuple(entries), "")


def test_a_run_grows_by_as_many_repeated_openings_as_it_has_and_by_no_fewer():
    for openings, times in (("plies:2", 1), ("plies:2;repeat=3", 3)):
        plan = Plan(("greedy", "random"), rounds=2 * times, openings=openings)
        assert [_grown(plan, Growth(rounds=rounds), Path("r")).rounds for rounds in (None, 2, 4)] == [
            2 * times, 2 * times, 4 * times,
        ]  # fmt: skip
        with pytest.raises(InputError, match=f"^r has {2 * times} rounds already, and {times} are fewer$"):
            _grown(plan, Growth(rounds=1), Path("r"))


def test_an_agent_is_what_it_is_now_where_its_files_were_noted_and_are_there(tmp_path):
    file = tmp_path / "kim.py"
    file.write_text("def choose(board):\n    return 3\n")
    spec = parse(str(file))
    assert _code(spec, ("kind", "{}", None)) == ("kind", "{}", None), "noted by no early version"
    *same, now = _code(spec, ("kind", "{}", "before"))
    assert (same, len(now)) == (["kind", "{}"], 64)
    file.unlink()
    assert _code(spec, ("kind", "{}", "before")) == ("kind", "{}", "before")


def test_of_agents_that_have_changed_each_game_counts_once_and_names_are_for_a_shell():
    games = [Job(0, 0, 0), Job(0, 1, 0), Job(2, 1, 0), Job(1, 1, 0), Job(3, 3, 0)]
    _refuse_changed(["a", "b", "c d", "e", "f"], games, {4})
    with pytest.raises(InputError) as refused:
        _refuse_changed(["a", "b", "c d", "e", "f"], games, {2, 0, 4})
    assert str(refused.value).startswith("a has changed since its 2 games, c d has changed since its 1 games; ")
    assert "; --replay a --replay 'c d' deletes" in str(refused.value)


def test_of_another_version_are_those_that_have_played_first_or_second_and_are_from_the_package(monkeypatch):
    agents = [parse("greedy"), parse("cmd:ls"), parse("random"), parse("mcts")]
    store = SimpleNamespace(path="r", names=lambda: ["g", "c", "r", "m"])
    differences = {"numba": ("1", "2"), "connect4-arena": ("3", "4")}
    monkeypatch.setattr("arena.games.extend.changes", lambda store: differences)
    for games, theirs in (([Job(1, 2, 0)], "r"), ([Job(2, 1, 0), Job(1, 0, 0)], "g, r"), ([Job(3, 3, 0)], "m")):
        with pytest.raises(InputError, match=f"^r: {theirs} played with connect4-arena 3, and this is 4, .*-arena 3 "):
            _refuse_version(store, games, agents)
    for games in ([], [Job(1, 1, 0)]):
        _refuse_version(store, games, agents)
    del differences["connect4-arena"]
    _refuse_version(store, [Job(0, 2, 0)], agents)


def test_a_file_whose_agent_meets_nobody_stays_as_it_was_noted(tmp_path):
    kim = tmp_path / "kim.py"
    kim.write_text("def choose(board):\n    return 3\n")
    apart = Isolation(nobody=True)
    path = played(tmp_path / "run.sqlite", "greedy", "random", str(kim), pairs=(("greedy", "random"),), rounds=1,
                  rules=SMALL, isolation=apart)  # fmt: skip
    [before] = rows(path, "SELECT digest FROM agent WHERE id = 3")
    kim.write_text("def choose(board):\n    return 2\n")
    assert len(rows(grown(path, rounds=2), "SELECT id FROM game")) == 4
    assert rows(path, "SELECT digest FROM agent WHERE id = 3") == [before]
