"""Merged runs: shards hold together what the undivided run holds, and an interrupted merge leaves nothing."""

import json
import re
from pathlib import Path

import pytest
from hand_made import audit_of, frames
from played import GAMES, grown, held, played, rows
from samples import DATA

import arena as api
from agents.board import Rules
from arena.analysis.standings import standings
from arena.play.isolation import Isolation
from arena.play.merge import merge
from arena.play.plan import Plan
from arena.store.run_file import Store

AUDIT = (
    "SELECT key, ply, value, after, legal, keeping, score, after_score, best, keepers"
    " FROM audit JOIN game ON game.id = game ORDER BY key, ply"
)


FAULTS = "SELECT key, ply, position, traceback, output FROM fault JOIN game ON game.id = game ORDER BY key"
UNITS = re.compile(r"(^|_)(ms|seconds|per_second)(_|$)|^(command|sessions|loads)$")
AGENTS = ("random", "mcts:playouts=5", "greedy")
BOT = "class Kim:\n    def choose(self, board, limits):\n        return board.legal_moves()[{0}]\n"
FAULTY = "class Bad:\n    def choose(self, board, limits):\n        print('here')\n        raise ValueError('no')\n"


def fresh(path, *agents, **rest):
    return played(path, *(agents or AGENTS), command="one", **{"rounds": 3, "openings": "plies:5"} | rest)


@pytest.fixture
def shards(tmp_path):
    pairs = (AGENTS[:2],), ((AGENTS[2], AGENTS[0]), AGENTS[1:])
    return [fresh(tmp_path / f"{name}.sqlite", pairs=part) for name, part in zip("ab", pairs, strict=True)]


def test_shards_hold_together_what_the_undivided_run_holds(arena, tmp_path, shards):
    whole, out = fresh(tmp_path / "whole.sqlite"), tmp_path / "c.sqlite"
    told = []
    found = merge(shards, out, "two", lambda *games: told.append(games))
    assert (found.games, found.doubled, found.different) == (18, 0, 0)
    assert told == [(6, 18), (12, 18)]
    assert held(out) == held(whole)
    assert shown(arena, out) == shown(arena, whole)
    assert rows(out, "SELECT command FROM run") == [("one && two",)]
    assert rows(out, "PRAGMA foreign_key_check") == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.sqlite", "b.sqlite", "c.sqlite", "whole.sqlite"]


def shown(arena, path):
    """Return the JSON of all tables without times and what says how the run was made."""
    document = json.loads(arena("show", path, "--json").out)
    return timeless(document)


def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(each) for key, each in value.items() if not UNITS.search(key)}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def test_what_is_merged_goes_on_and_grows(tmp_path, shards):
    longer = fresh(tmp_path / "longer.sqlite", pairs=(AGENTS[1:],), rounds=4)
    merge([*shards, longer], tmp_path / "c.sqlite")
    assert len(rows(tmp_path / "c.sqlite", GAMES)) == 20
    assert held(grown(tmp_path / "c.sqlite")) == held(fresh(tmp_path / "four.sqlite", rounds=4))
    more = grown(tmp_path / "c.sqlite", add=("minimax:depth=1",))
    assert held(more) == held(fresh(tmp_path / "more.sqlite", *AGENTS, "minimax:depth=1", rounds=4))


def test_games_that_both_hold_count_once(tmp_path, shards):
    parts = [fresh(tmp_path / f"{games}.sqlite", games=games) for games in (5, 9)]
    found = merge([*parts, *shards], tmp_path / "c.sqlite")
    assert (found.games, found.doubled, found.different) == (18, 14, 0)
    assert held(tmp_path / "c.sqlite") == held(fresh(tmp_path / "whole.sqlite"))


def test_pools_that_share_agents_are_one_pool_of_the_pairings_that_were_played(tmp_path):
    one = fresh(tmp_path / "a.sqlite", "greedy", "random", "greedy")
    other = fresh(tmp_path / "b.sqlite", "minimax:depth=1", "greedy")
    merge([one, other], tmp_path / "c.sqlite")
    names = ["greedy", "random", "greedy#2", "minimax:depth=1"]
    assert rows(tmp_path / "c.sqlite", "SELECT name FROM agent ORDER BY id") == [(name,) for name in names]
    plan = Plan.from_document(json.loads(rows(tmp_path / "c.sqlite", "SELECT plan FROM run")[0][0]))
    assert plan.names() == names
    assert plan.pairings() == [(0, 1), (0, 2), (1, 2), (3, 0)]
    assert rows(tmp_path / "c.sqlite", "SELECT planned, (SELECT count(*) FROM game) FROM run") == [(24, 24)]
    assert {row.pool for row in standings(frames(tmp_path / "c.sqlite"))} == {1}
    grown(tmp_path / "c.sqlite")


def test_runs_that_were_given_more_rounds_say_when_they_were_looked_at_in_whatever_order_they_are_named(tmp_path):
    one, other, none = (
        fresh(tmp_path / f"{agent}.sqlite", "greedy", agent, rounds=1)
        for agent in ("random", "mcts:playouts=2", "mcts:playouts=3")
    )
    grown(grown(one, rounds=2), rounds=4)
    grown(grown(other, rounds=3), rounds=4)
    looks = {"abc": [1, 2, 3], "cba": [1, 2, 3], "ac": [1, 2], "cb": [1, 3], "cc": None}
    for names, found in looks.items():
        merge([dict(zip("abc", (one, other, none), strict=True))[name] for name in names], tmp_path / names)
        plan = json.loads(rows(tmp_path / names, "SELECT plan FROM run")[0][0])
        assert (plan.get("looks"), plan["rounds"]) == (found, 1 if found is None else 4)


def test_who_is_dropped_from_a_part_stays_out_of_the_tables_and_its_games_stay_stored(tmp_path):
    one, other = (fresh(tmp_path / f"{agent}.sqlite", "random", "greedy", agent) for agent in ("minimax", "mcts"))
    grown(one, drop=("greedy",))
    merge([one, other], tmp_path / "c.sqlite")
    assert rows(tmp_path / "c.sqlite", "SELECT planned, (SELECT count(*) FROM game) FROM run") == [(30, 30)]
    found = frames(tmp_path / "c.sqlite")
    assert {row.agent for row in standings(found)} == {"random", "minimax", "mcts"}
    assert (found.planned, len(found.games)) == (12, 12)
    back = frames(grown(tmp_path / "c.sqlite", replay=("greedy",)))
    assert (back.planned, len(back.games)) == (30, 30)


def test_gauntlets_of_one_agent_are_one_gauntlet(tmp_path):
    met = ("random", "minimax:depth=1")
    parts = [fresh(tmp_path / f"{other}.sqlite", "greedy", other, format="gauntlet") for other in met]
    merge(parts, tmp_path / "c.sqlite")
    plan = json.loads(rows(tmp_path / "c.sqlite", "SELECT plan FROM run")[0][0])
    assert (plan["format"], plan["pairs"]) == ("gauntlet", [])


def test_superseded_games_faults_and_audits_come_along(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kim.py").write_text(BOT.format(0))
    Path("bad.py").write_text(FAULTY)
    apart = {"isolation": Isolation(nobody=True, folder=str(tmp_path)), "openings": "plies:2", "rules": Rules(4, 4)}
    agents = ("greedy", "kim.py", "bad.py")
    one = fresh(tmp_path / "a.sqlite", *agents, pairs=(agents[:2],), **apart)
    other = fresh(tmp_path / "b.sqlite", *agents, pairs=(agents[1:],), **apart)
    old = rows(one, GAMES)
    grown(one, replay=("kim.py",))
    (tmp_path / "twin.sqlite").write_bytes(one.read_bytes())
    api.audit(other)
    api.audit(one)
    api.audit(tmp_path / "twin.sqlite", strong=True)
    out = tmp_path / "c.sqlite"
    merge([one, other, tmp_path / "twin.sqlite"], out)
    assert rows(out, GAMES.replace("FROM game", "FROM superseded")) == old
    assert rows(out, "SELECT count(*) FROM superseded_move") == rows(one, "SELECT count(*) FROM superseded_move")
    assert rows(out, FAULTS) == rows(other, FAULTS) != []
    assert rows(out, AUDIT) == sorted(rows(tmp_path / "twin.sqlite", AUDIT) + rows(other, AUDIT))
    assert not set(rows(out, "SELECT id FROM game")) & set(rows(out, "SELECT id FROM superseded"))
    assert rows(out, "PRAGMA foreign_key_check") == []


def test_a_game_that_went_otherwise_counts_as_the_first_has_it(tmp_path):
    one, other = (fresh(tmp_path / f"{name}.sqlite", "greedy", "random") for name in "ab")
    with Store.resume(other) as store:
        store.update("UPDATE game SET moves = moves || '1' WHERE id = 1")
    audit_of(other, [(game, 5, 0, 0, 7, 7) for game in (1, 2)])
    found = merge([one, other], tmp_path / "c.sqlite")
    assert (found.games, found.doubled, found.different) == (6, 6, 1)
    assert held(tmp_path / "c.sqlite") == held(one)
    assert rows(tmp_path / "c.sqlite", "SELECT game FROM audit") == [(2,)], "what was found out of other moves"


def test_an_interrupted_merge_leaves_nothing(tmp_path, shards):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = sorted(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        merge(shards, tmp_path / "c.sqlite", "", interrupt)
    assert sorted(tmp_path.iterdir()) == before
    (tmp_path / "c.sqlite~").write_text("what a killed one has left")
    assert merge(shards, tmp_path / "c.sqlite").games == 18
    assert not (tmp_path / "c.sqlite~").exists()


def test_runs_of_earlier_formats_are_merged(tmp_path):
    old = DATA / "version-2.sqlite"
    found = merge([old, old], tmp_path / "c.sqlite")
    assert rows(tmp_path / "c.sqlite", "SELECT count(*) FROM game") == rows(old, "SELECT count(*) FROM game")
    assert found.games == found.doubled > 0
    assert old.read_bytes()[:16] == b"SQLite format 3\0"


def test_where_one_part_does_not_know_its_sessions_the_whole_has_none(tmp_path, shards):
    merge(shards, tmp_path / "c.sqlite")
    assert rows(tmp_path / "c.sqlite", "SELECT count(*) FROM session") == [(2,)]
    with Store.resume(shards[1]) as store:
        store.update("DROP TABLE session")
    merge(shards, tmp_path / "d.sqlite")
    with Store.read(tmp_path / "d.sqlite") as store:
        assert not store.has("session")


def test_the_command_says_what_became_of_the_games(arena, tmp_path, shards):
    out = tmp_path / "c.sqlite"
    answer = arena("merge", shards[0], *shards, "--out", out)
    assert (answer.code, answer.out) == (0, "")
    assert "18 games in" in answer.err
    assert "6 in several runs count once" in answer.err
    out.unlink()
    document = json.loads(arena("merge", *shards, "--out", out, "--json").out)
    assert document == {"file": str(out), "games": 18, "doubled": 0, "different": 0}


def test_runs_are_merged_from_python(tmp_path, shards):
    result = api.merge([api.load(shards[0]), shards[1]], tmp_path / "c.sqlite")
    assert len(result.games) == 18
