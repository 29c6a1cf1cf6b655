import json

import pytest
from changed import connect
from hand_made import AGENTS, DRAW, GAMES, audit_of, frames, stored

from agents.errors import InputError
from arena.records import GameRecord, Job, Termination
from arena.store.run_file import Store
from arena.store.schema import CHOICE, EXTRA, TIMING
from arena.table.rows import names
from arena.tournament.frames import SAMPLE, table
from arena.tournament.stored import StoredReply


def test_a_run_that_is_being_played_is_shown_at_one_moment(tmp_path, monkeypatch):
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES[:1])
    select = Store.select
    writer = Store.resume(path)

    def selecting(store, query, *values):
        found = select(store, query, *values)
        if "FROM game" in query and store is not writer and len(writer.played()) == 1:
            writer.add(GameRecord(Job(1, 0, 0), "442", DRAW, Termination.FULL, "", 0.0, 1.0, GAMES[1][6]))
        return found

    monkeypatch.setattr(Store, "select", selecting)
    with writer:
        found = frames(path)
        assert len(writer.played()) == 2
    assert len(found.games) == 1
    assert set(found.moves["game"]) == set(found.searches["game"]) == {1}


def test_a_damaged_run_is_told_in_one_line(tmp_path):
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"run\.sqlite"):
        frames(path)


def test_who_wins_an_opening_is_told_by_its_value_for_the_side_to_move(tmp_path):
    valued = (("4", 1), ("12", 1), ("44", -1), ("443", -1))
    path = stored(tmp_path / "a.sqlite", AGENTS, GAMES[:1], openings=valued, strata=[2, 2])
    assert list(frames(path).winners.values()) == [False, True, False, True]
    assert set(frames(path).winners) == set(map(str, frames(path).openings["opening"]))
    for name, strata in (("b", [4]), ("c", [])):
        path = stored(tmp_path / f"{name}.sqlite", AGENTS, GAMES[:1], openings=valued, strata=strata)
        assert frames(path).winners is None


def test_results_are_facts_about_openings_where_nothing_is_left_to_chance(tmp_path):
    sure, chance = AGENTS[:2], AGENTS[::2]
    game = [(0, 1, 0, "441", *GAMES[0][4:6], ())]
    kinds = [
        (sure, {}, (25,)),
        (sure, {"strata": [3, 4]}, (3, 4)),
        (sure, {"population": None}, None),
        (sure, {"seconds": 1.0}, None),
        (sure, {"clock": "60+1"}, None),
        (chance, {}, None),
    ]
    for number, (agents, plan, population) in enumerate(kinds):
        assert frames(stored(tmp_path / f"{number}.sqlite", agents, game, **plan)).population == population


def test_sides_count_the_games_of_each_end_from_either_side(tmp_path):
    more = [(0, 1, 1, "121", *GAMES[0][4:6], ()), (1, 2, 1, "122", DRAW, Termination.KILLED, ())]
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, [*GAMES, *more])).sides()
    one, two, three = AGENTS
    assert sorted(found.itertuples(index=False, name=None)) == sorted([
        (one, two, True, 1.0, False, 2), (two, one, False, 0.0, False, 2),
        (two, one, True, 0.5, False, 1), (one, two, False, 0.5, False, 1),
        (one, three, True, 1.0, False, 1), (three, one, False, 0.0, True, 1),
        (three, one, True, 0.0, False, 1), (one, three, False, 1.0, False, 1),
        (two, three, True, 0.0, True, 1), (three, two, False, 1.0, False, 1),
        (three, two, True, 1.0, False, 1), (two, three, False, 0.0, False, 1),
        (two, three, True, 0.5, False, 1), (three, two, False, 0.5, False, 1),
    ])  # fmt: skip


def test_a_run_is_narrowed_to_agents_as_if_nobody_else_had_played(tmp_path):
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, GAMES))
    assert found.only(AGENTS) is found.only([*AGENTS, "another"]) is found
    few = found.only(AGENTS[:2])
    assert list(few.agents["name"]) == list(AGENTS[:2])
    assert list(few.games["moves"]) == ["441", "442"]
    assert set(few.moves["game"]) == set(few.searches["game"]) == set(few.games["game"])
    assert few.only(AGENTS[:2]) is few
    assert few.only(AGENTS[:1]).games.empty


def test_a_column_of_numbers_has_numbers_also_where_some_are_missing():
    columns = {"whole": [1, 2], "share": [0.5, 1], "gap": [1, None], "late": [None, 2.5]}
    read = table(dict(columns))
    assert [str(kind) for kind in read.dtypes] == ["int64", "float64", "float64", "float64"]
    assert read.fillna(0).to_dict("list") == columns | {"gap": [1, 0], "late": [0, 2.5]}
    assert table({"none": []}).empty


def test_the_table_of_a_capability_has_its_columns_also_where_nothing_is_stored(tmp_path):
    found = frames(stored(tmp_path / "run.sqlite", AGENTS, GAMES))
    assert {name: " ".join(found.table(name).columns) for name in ("audit", "times", "choices", "other")} == {
        "audit": "game opening ply agent value after legal keeping", "times": "position agent turn nodes seconds",
        "choices": "game ply agent column lost", "other": "",
    }  # fmt: skip
    assert list(found.table("replies").columns) == names(StoredReply)
    assert not any(map(found.has, ("audit", "times", "choices", "replies")))
    path = audit_of(stored(tmp_path / "full.sqlite", AGENTS, GAMES), [(1, 2, 1, -1, 7, 2)])
    connection = connect(path)
    with connection:
        for statement in (EXTRA, TIMING, CHOICE):
            connection.execute(statement)
        connection.execute("""INSERT INTO extra VALUES (1, 2, '{"tries": 1, "drawn": true}')""")
        connection.execute("INSERT INTO timing VALUES ('44', 1, 0, 7, 0.5)")
        connection.execute("INSERT INTO choice VALUES (1, 2, 1, 3, 1)")
    connection.close()
    full = frames(path)
    for name in ("audit", "times", "choices", "replies"):
        assert (full.has(name), list(full.table(name).columns)) == (True, list(found.table(name).columns)), name
    rows = [tuple(full.table(name).iloc[0]) for name in ("audit", "times", "choices")]
    one = AGENTS[0]
    assert rows == [(1, 1, 2, one, 1, -1, 7, 2), ("44", one, 0, 7, 0.5), (1, 2, one, 3, 1)]
    assert full.table("replies").iloc[0][["game", "ply", "agent", "tries", "drawn"]].tolist() == [1, 2, one, 1, True]
    assert SAMPLE == 10_000


def games_of(frames):
    tables = {"moves": frames.moves, "searches": frames.searches}
    tables |= {name: frames.table(name) for name in ("audit", "replies")}
    return {name: set(rows["game"]) for name, rows in tables.items()}


def test_tables_about_games_lose_those_of_agents_that_are_left_out_or_dropped(tmp_path):
    """Each has a row for every move, as in a run that was audited and in which models played."""
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES)
    moves = [(game, move.ply) for game, each in enumerate(GAMES, start=1) for move in each[6]]
    audit_of(path, [(*move, 0, 0, 7, 7) for move in moves])
    connection = connect(path)
    with connection:
        connection.execute(EXTRA)
        told = [(*move, json.dumps({"tries": 1, "tokens_in": 10 * move[0]})) for move in moves]
        connection.executemany("INSERT INTO extra (game, ply, extra) VALUES (?, ?, ?)", told)
    connection.close()
    whole = frames(path)
    games = games_of(whole)
    assert games["moves"] == games["audit"] == games["replies"] == {1, 2, 3, 4, 6}
    change = connect(path)
    with change:
        change.execute("UPDATE run SET plan = json_set(plan, '$.dropped', json_array(?))", (AGENTS[2],))
    change.close()
    for few in (whole.only(AGENTS[:2]), frames(path)):
        kept = set(few.games["game"])
        assert kept == {1, 2}
        assert games_of(few) == {name: numbers & kept for name, numbers in games.items()}
        assert list(few.table("replies")["tokens_in"]) == [10, 10, 20]
        assert list(few.table("replies")["drawn"]) == [False] * 3


def test_a_run_that_does_not_say_how_many_openings_there_were_leaves_them_without_end(tmp_path):
    path = stored(tmp_path / "run", AGENTS[:2], GAMES[:2])
    assert frames(path).population == (25,)
    connection = connect(path)
    with connection:
        connection.execute("UPDATE run SET plan = json_remove(plan, '$.population')")
    connection.close()
    assert frames(path).population is None
