"""Runs that grow: they hold what a run that was asked for all of it at once would hold."""

from pathlib import Path

import pytest
from hand_made import frames
from played import GAMES, grown, held, played, rows

from agents.errors import InputError
from arena.analysis.games import Filter, filtered
from arena.analysis.standings import standings
from arena.play.entries import Entry, invited
from arena.play.extend import Growth, _counting, _grown, newcomers
from arena.play.isolation import Isolation
from arena.play.plan import Plan
from arena.report.page import page
from arena.report.tables.run import warnings
from arena.store.findings import set_times
from arena.store.run_file import Store

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
    assert _grown(plan, Growth(), Path("run.sqlite")) == plan


@pytest.mark.parametrize(("replayed", "left"), [([], 3), ([0], 1), ([1], 1), ([2], 1), ([0, 2], 0)])
def test_a_game_of_either_player_is_played_again(tmp_path, replayed, left):
    path = played(tmp_path / "run.sqlite", "greedy", "random", "random", rounds=1)
    with Store.read(path) as store:
        counting = _counting(store, replayed)
    assert len(counting) == 2 * left
    assert not {job.first for job in counting} & {*replayed}


def test_a_gauntlet_grows_by_who_meets_its_first(tmp_path):
    path = grown(played(tmp_path / "run.sqlite", "greedy", "random", format="gauntlet"), add=("minimax:depth=1",))
    assert rows(path, "SELECT DISTINCT first, second FROM game ORDER BY 1, 2") == [(1, 2), (1, 3), (2, 1), (3, 1)]


def test_a_ladder_grows_by_who_climbs_next(tmp_path):
    agents = ("random", "greedy", "minimax:depth=1")
    path = grown(played(tmp_path / "run.sqlite", *agents[:2], format="ladder", rounds=6), add=agents[2:])
    assert rows(path, GAMES) == rows(played(tmp_path / "new.sqlite", *agents, format="ladder", rounds=6), GAMES)


def test_what_was_typed_is_added_to_the_command(tmp_path):
    path = grown(played(tmp_path / "run.sqlite", "greedy", "random"), rounds=3, command="arena run --resume")
    grown(path, rounds=4, command="and again")
    assert rows(path, "SELECT command FROM run") == [("arena run --resume && and again",)]


@pytest.mark.parametrize(
    ("rest", "growth", "message"),
    [
        ({}, {"rounds": 1}, "has 2 rounds already, and 1 are fewer"),
        ({"pairs": (("greedy", "random"),)}, {"add": ("minimax",)}, "plays pairs that were named one by one"),
        ({"sprt": "elo0=0,elo1=30"}, {"add": ("minimax",)}, "a sequential test takes a match of two agents"),
        ({"format": "knockout"}, {"add": ("minimax",)}, "a knockout of these agents would have gone otherwise"),
        ({}, {"replay": ("gredy",)}, "no agent to replay 'gredy': did you mean greedy"),
        ({}, {"add": ("minimax:heuristic=no.py:f",)}, r"no\.py"),
    ],
)
def test_what_cannot_grow_is_said_and_changes_nothing(tmp_path, rest, growth, message):
    path = played(tmp_path / "run.sqlite", "greedy", "random", **rest)
    before = held(path)
    with pytest.raises(InputError, match=message):
        grown(path, **growth)
    assert held(path) == before


def test_other_openings_than_those_that_were_played_are_refused(tmp_path):
    (tmp_path / "openings.txt").write_text("44\n11\n12\n")
    path = played(tmp_path / "run.sqlite", "greedy", "random", openings=str(tmp_path / "openings.txt"))
    (tmp_path / "openings.txt").write_text("45\n13\n14\n")
    with pytest.raises(InputError, match="was not played from the openings that"):
        grown(path, rounds=3)


def test_a_changed_file_is_seen_also_when_all_is_played(kim):
    Path("kim.py").write_text(BOT.format(-1))
    message = r"^kim\.py has changed since its 4 games; --replay kim\.py plays them again, --keep continues$"
    with pytest.raises(InputError, match=message):
        grown(kim)
    with pytest.raises(InputError, match=message):
        grown(kim, rounds=3)
    assert len(rows(grown(kim, rounds=3, keep=True), GAMES)) == 6
    grown(kim)


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
def test_games_are_played_again_and_the_old_ones_are_kept_aside(kim, word):
    grown(kim, add=("random", "kim.py") if word == "kim.py#2" else ("random",))
    old = rows(kim, GAMES)
    Path("kim.py").write_text(BOT.format(-1))
    if word == "kim.py#2":
        grown(kim, keep=True)
    grown(kim, replay=(word,))
    place = 4 if word == "kim.py#2" else 2
    new = rows(kim, GAMES)
    theirs = [game for game in old if place in game[1:3]]
    assert [game[0] for game in new] == [game[0] for game in old]
    assert [game for game in new if place not in game[1:3]] == [game for game in old if place not in game[1:3]]
    assert rows(kim, GAMES.replace("FROM game", "FROM superseded")) == theirs
    assert {game[4] for game in theirs} != {game[4] for game in new if place in game[1:3]}
    assert not set(rows(kim, "SELECT id FROM game")) & set(rows(kim, "SELECT id FROM superseded"))
    with Store.read(kim) as store:
        assert len(list(filtered(store, Filter(superseded=True)))) == len(theirs)
        assert len(list(filtered(store, Filter()))) == len(new)
    assert sum(row.games for row in standings(frames(kim))) == 2 * len(new)
    assert rows(kim, "PRAGMA foreign_key_check") == []


def test_games_that_are_replayed_twice_are_all_kept(kim):
    grown(grown(kim, replay=("kim.py",)), replay=("kim.py", "greedy"))
    assert rows(kim, "SELECT count(*), count(DISTINCT key) FROM superseded") == [(8, 4)]
    assert rows(kim, "SELECT count(*) FROM superseded_move")[0][0] == 2 * rows(kim, "SELECT count(*) FROM move")[0][0]


def test_a_run_that_was_given_more_rounds_says_that_it_was_looked_at(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random")
    assert not [line for line in warnings(frames(path)) if "extended" in line]
    grown(path, add=("minimax:depth=1",))
    assert not [line for line in warnings(frames(path)) if "extended" in line]
    grown(path, rounds=3)
    grown(path, rounds=4)
    [line] = [line for line in warnings(frames(path)) if "extended" in line]
    assert line.startswith("warning: this run was extended after 2 and 3 rounds: if the results decided that")
    assert "this run was extended after 2 and 3 rounds" in page([path])


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
