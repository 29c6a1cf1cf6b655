from hand_made import AGENTS, FIRST, GAMES, stored

from arena.analysis.faults import _range, fault_reports
from arena.records import Termination
from arena.store.connection import connect
from arena.store.run_file import Store


def test_each_agents_faults_of_a_kind_are_one_row_with_the_command_that_asks_again(tmp_path):
    with Store.read(stored(tmp_path / "run.sqlite", AGENTS, GAMES)) as store:
        rows = fault_reports(store)
    assert [(row.agent, row.termination, row.detail, row.games, row.game) for row in rows] == [
        ("alphabeta:depth=2,order=centre", "exception", "it is wrong", 1, 5),
        ("random", "illegal move", "it is wrong", 1, 3),
    ]
    assert [row.command for row in rows] == [
        "arena move alphabeta:depth=2,order=centre 445",
        "arena move random 443",
    ]


def test_times_that_differ_are_told_by_their_range_and_others_as_they_are():
    assert _range(["it took 0.61 s, 0.5 s were given", "it took 1.2 s, 0.5 s were given"]) == (
        "it took 0.61 to 1.2 s, 0.5 s were given"
    )
    assert _range(["it took 0.61 s", "it took 0.61 s"]) == "it took 0.61 s"
    assert _range(["it said nothing", "it said no more"]) == "it said nothing"
    assert _range(["it never answered"]) == "it never answered"


def test_games_that_an_agent_lost_by_the_clock_are_one_row_with_the_range_of_its_times(tmp_path):
    games = [(0, 2, opening, f"44{opening + 1}", FIRST, Termination.TIME, ()) for opening in (0, 1)]
    path = stored(tmp_path / "run.sqlite", AGENTS, games)
    connection = connect(path, write=True)
    with connection:
        for game, seconds in ((1, 0.61), (2, 1.2)):
            said = f"took {seconds} s for a move, allowed are 0.5 s"
            connection.execute("UPDATE game SET detail = ? WHERE id = ?", (said, game))
    connection.close()
    with Store.read(path) as store:
        [row] = fault_reports(store)
    assert (row.agent, row.termination, row.games, row.game) == ("random", "out of time", 2, 1)
    assert row.detail == "took 0.61 to 1.2 s for a move, allowed are 0.5 s"
