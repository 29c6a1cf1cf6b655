from dataclasses import asdict

import pytest
from changed import connect
from hand_made import frames, run_of

from agents.errors import InputError
from arena.store.queries import Selection
from arena.store.run_file import Store
from arena.tournament.games import Filter, GameResult, filtered, game, games

AGENTS = ["greedy", "random", "mcts"]
PLAYED = [(0, 1, 0, "1"), (1, 0, 0, "1"), (0, 2, 1, "="), (2, 0, 1, "0"), (1, 2, 0, "0")]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Five games; the fourth is lost by a fault."""
    found = run_of(tmp_path_factory.mktemp("played") / "run.sqlite", AGENTS, PLAYED, openings=("11", "12"))
    connection = connect(found)
    with connection:
        connection.execute("UPDATE game SET termination = 'illegal move', detail = 'answered 9' WHERE id = 4")
    connection.close()
    return found


def numbers(path, **wanted):
    with Store.read(path) as store:
        return [each.game for each in filtered(store, Filter(**wanted))]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, [1, 2, 3, 4, 5]),
        ({"agent": "greedy"}, [1, 2, 3, 4]),
        ({"opponent": "greedy"}, [1, 2, 3, 4]),
        ({"agent": "greedy", "opponent": "mcts"}, [3, 4]),
        ({"agent": "mcts", "opponent": "greedy"}, [3, 4]),
        ({"agent": "greedy", "opponent": "greedy"}, []),
        ({"result": GameResult.WIN}, [1, 2]),
        ({"result": GameResult.LOSS}, [4, 5]),
        ({"agent": "greedy", "result": GameResult.WIN}, [1, 4]),
        ({"agent": "random", "result": GameResult.LOSS}, [1, 5]),
        ({"agent": "mcts", "result": GameResult.DRAW}, [3]),
        ({"faults": True}, [4]),
        ({"faults": True, "agent": "greedy"}, []),
        ({"faults": True, "agent": "mcts"}, [4]),
    ],
)
def test_games_are_filtered(path, wanted, found):
    assert numbers(path, **wanted) == found


def test_games_of_agents_that_an_earlier_version_dropped_are_hidden(tmp_path):
    run = run_of(tmp_path / "run.sqlite", AGENTS, PLAYED, openings=("11", "12"), dropped=["mcts"])
    assert numbers(run) == numbers(run, agent="greedy") == [1, 2]
    assert numbers(run, agent="mcts") == []


def test_agents_and_opponents_are_found_by_their_specs_and_engines_by_their_first_word(path, tmp_path):
    copy = tmp_path / "run.sqlite"
    copy.write_bytes(path.read_bytes())
    connection = connect(copy)
    with connection:
        connection.execute("UPDATE agent SET name = 'Deep One 1.0', spec = 'uci:./deep' WHERE name = 'mcts'")
        connection.execute("UPDATE agent SET name = 'eager' WHERE name = 'greedy'")
    connection.close()
    assert (
        numbers(copy, agent="greedy", opponent="deep") == numbers(copy, agent="uci:./deep", opponent="eager") == [3, 4]
    )
    assert numbers(copy, opponent="DEEP") == numbers(copy, agent="deep one 1.0".title()) == [3, 4, 5]
    assert numbers(copy, agent="deep", opponent="greedy", result=GameResult.LOSS) == [4]
    with pytest.raises(InputError, match="'one'"):
        numbers(copy, agent="deep", opponent="one")


def test_names_that_the_run_does_not_have_get_the_near_ones(path):
    with pytest.raises(InputError, match="did you mean greedy"):
        numbers(path, agent="gredy")
    with pytest.raises(InputError, match="did you mean greedy"):
        numbers(path, agent="mcts", opponent="gredy")
    with pytest.raises(InputError, match="is not audited: arena audit"):
        numbers(path, blunders=True)


def audited(path, tmp_path, rows):
    """Return a copy of the run with two moves in its first two games, and what an audit says of them."""
    copy = tmp_path / "run.sqlite"
    copy.write_bytes(path.read_bytes())
    connection = connect(copy)
    with connection:
        connection.executemany("INSERT INTO move VALUES (?, ?, 1, 1, 1, 1000, 0)", [(1, 2), (1, 3), (2, 2), (2, 3)])
        connection.execute("CREATE TABLE audit (game, ply, value, after)")
        connection.executemany("INSERT INTO audit VALUES (?, ?, ?, ?)", rows)
    connection.close()
    return copy


def test_blunders_are_those_of_games_that_are_audited_to_their_end(path, tmp_path):
    copy = audited(path, tmp_path, [(1, 2, 1, -1), (1, 3, 0, 0), (2, 2, 1, 0)])
    with Store.read(copy) as store:
        first, second = game(store, 1), game(store, 2)
    [blunder] = first.blunders
    assert (blunder.ply, blunder.column, blunder.agent) == (2, 1, "greedy")
    assert blunder.text == "ply 2: column 1, win to loss"
    assert first.thrown == 1.0
    assert second.blunders is None
    assert numbers(copy, blunders=True) == [1]
    assert numbers(copy, blunders=True, agent="random") == []
    connection = connect(copy)
    with connection:
        connection.execute("UPDATE game SET termination = 'exception' WHERE id IN (1, 2)")
    connection.close()
    assert (numbers(copy, faults=True), numbers(copy, faults=True, blunders=True)) == ([1, 2, 4], [1])
    assert [numbers(copy, faults=True, blunders=True, agent=name) for name in ("greedy", "random")] == [[], []]


def test_a_game_as_plain_data_has_its_blunders_as_plain_data(path, tmp_path):
    copy = audited(path, tmp_path, [(1, 2, 1, -1), (1, 3, 1, 0), (2, 2, 0, 0), (2, 3, 0, 0)])
    with Store.read(copy) as store:
        first, second, third = (asdict(game(store, number)) for number in (1, 2, 3))
    assert first == {
        "game": 1, "first": "greedy", "second": "random", "opening": "11", "moves": "1110", "result": "1-0",
        "termination": "line completed", "detail": "", "plies": 4,
        "blunders": ({"ply": 2, "column": 1, "agent": "greedy", "value": 1, "after": -1},
                     {"ply": 3, "column": 0, "agent": "random", "value": 1, "after": 0}),
    }  # fmt: skip
    assert (second["blunders"], third["blunders"]) == ((), None)
    with Store.read(copy) as store:
        texts = [blunder.text for blunder in game(store, 1).blunders]
    assert texts == ["ply 2: column 1, win to loss", "ply 3: column 0, win to draw"]
    with Store.read(copy) as store:
        assert [game(store, number).thrown for number in (1, 2, 3)] == [1.5, 0.0, 0.0]


def test_an_audit_of_other_moves_is_refused(path, tmp_path):
    copy = audited(path, tmp_path, [(1, 2, 1, 1), (1, 3, 1, 1), (1, 40, 1, -1)])
    with Store.read(copy) as store, pytest.raises(InputError, match="game 1: its audit is not of its moves"):
        list(games(Selection(store)))


def test_a_full_board_is_no_fault_also_where_somebody_won_by_most_fours(tmp_path):
    rules = {"columns": 7, "rows": 6, "connect": 4, "most_fours": True}
    run = run_of(tmp_path / "run.sqlite", AGENTS, PLAYED, openings=("11", "12"), rules=rules)
    connection = connect(run)
    with connection:
        connection.execute("UPDATE game SET termination = 'board full' WHERE id IN (1, 3)")
        connection.execute("UPDATE game SET termination = 'exception' WHERE id = 5")
    connection.close()
    with Store.read(run) as store:
        found = {each.game: (each.result, each.is_fault) for each in filtered(store, Filter())}
    assert found == {1: ("1-0", False), 2: ("1-0", False), 3: ("1/2-1/2", False), 4: ("0-1", False), 5: ("0-1", True)}
    assert numbers(run, faults=True) == [5]
    assert frames(run).faults["games"].tolist() == [1]
