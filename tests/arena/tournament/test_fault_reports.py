from changed import connect
from hand_made import AGENTS, FIRST, GAMES, SECOND, stored

from agents.board import Rules
from arena.records import Termination
from arena.store.run_file import Store
from arena.tournament.faults import _range, fault_reports
from arena.tournament.tables import paragraphs


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
    connection = connect(path)
    with connection:
        for game, seconds in ((1, 0.61), (2, 1.2)):
            said = f"took {seconds} s for a move, allowed are 0.5 s"
            connection.execute("UPDATE game SET detail = ? WHERE id = ?", (said, game))
    connection.close()
    with Store.read(path) as store:
        [row] = fault_reports(store)
    assert (row.agent, row.termination, row.games, row.game) == ("random", "out of time", 2, 1)
    assert row.detail == "took 0.61 to 1.2 s for a move, allowed are 0.5 s"


def test_agents_of_rosters_are_asked_by_their_address_and_those_of_earlier_versions_in_their_folder(tmp_path):
    agents = (*AGENTS, "greedy", "mcts")
    games = [(loser, (loser + 1) % 5, 0, "44", SECOND, Termination.ILLEGAL, ()) for loser in range(5)]
    entries = [
        {"roster": "all of/ours.toml", "name": "deep one", "spec": "minimax:depth=2", "folder": "/x"},
        {"spec": "net.py:Bot with care", "folder": "/home/an author", "name": "bot"},
        None,
        {"spec": "kaggle:own agent", "folder": "/home/an author's", "name": "two"},
        {"roster": "", "spec": "mcts", "folder": "/plain", "name": "three"},
    ]
    rules = {"columns": 6, "rows": 5, "connect": 4}
    path = stored(tmp_path / "run", agents, games, isolation={"entries": entries}, rules=rules)
    with Store.read(path) as store:
        commands = {row.agent: row.command for row in fault_reports(store)}
    assert list(commands.values()) == [
        "arena move 'all of/ours.toml:deep one' 44 --board 6x5x4",
        "arena move alphabeta:depth=2,order=centre 44 --board 6x5x4",
        "arena move random 44 --board 6x5x4",
        "cd '/home/an author'\"'\"'s' && arena move 'kaggle:own agent' 44 --board 6x5x4",
        "cd /plain && arena move mcts 44 --board 6x5x4",
    ]


def test_the_command_names_the_rules_by_which_the_game_was_won(tmp_path):
    games = [(0, 2, 0, "443", FIRST, Termination.ILLEGAL, ())]
    rules = {"columns": 7, "rows": 6, "connect": 4, "most_fours": True}
    with Store.read(stored(tmp_path / "run", AGENTS, games, rules=rules)) as store:
        [row] = fault_reports(store)
        board = str(store.rules())
    assert board.startswith("7x6x4")
    assert board != "7x6x4"
    assert row.command == f"arena move random 443 --board {board}"
    assert Rules.parse(board) == Rules(**rules)


def test_of_equal_faults_the_first_is_told_with_what_was_written_then_and_others_stand_apart(tmp_path):
    ends = ("a", "b", "a", "a")
    games = [(2, 1, opening, f"{opening + 1}{opening + 1}", SECOND, Termination.EXCEPTION, ()) for opening in range(4)]
    path = stored(tmp_path / "run", AGENTS, games, openings=("11", "22", "33", "44"))
    connection = connect(path)
    with connection:
        for game, said in enumerate(ends, start=1):
            connection.execute("UPDATE game SET detail = ? WHERE id = ?", (f"it is {said}", game))
            position = "" if game == 2 else f"{game}{game}"
            connection.execute(
                "INSERT INTO fault VALUES (?, 2, ?, ?, ?)", (game, position, f"trace {game}", f"out {game}")
            )
    connection.close()
    with Store.read(path) as store:
        rows = fault_reports(store)
    assert [(row.detail, row.games, row.game, row.position, row.traceback, row.output) for row in rows] == [
        ("it is a", 3, 1, "11", "trace 1", "out 1"), ("it is b", 1, 2, "", "trace 2", "out 2"),
    ]  # fmt: skip
    assert [row.command for row in rows] == ["arena move random 11", "arena move random"]
    assert paragraphs(rows[:1]).splitlines() == [
        f"{rows[0].agent}: exception, 3 games", "  it is a", "    trace 1", "  the end of its output:", "    out 1",
        "  first in game 1; again: arena move random 11",
    ]  # fmt: skip
