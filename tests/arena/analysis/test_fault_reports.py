from hand_made import AGENTS, GAMES, stored

from arena.analysis.fault_reports import _range, fault_reports
from arena.store.store import Store


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
