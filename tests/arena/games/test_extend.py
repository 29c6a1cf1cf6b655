"""Which agents of a run are meant where it is played on, and what it holds before the next game is played."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from played import played

from agents.board import Rules
from agents.specs.registry import parse
from arena.games.entries import invited
from arena.games.extend import Growth, _places, newcomers
from arena.games.isolation import Isolation
from arena.games.plan import Plan
from arena.games.run import Run

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
