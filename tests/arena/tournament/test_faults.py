from changed import connect
from hand_made import AGENTS, DRAW, FIRST, SECOND, frames, stored

from arena.records import Termination
from arena.store.run_file import Store
from arena.tournament.faults import Faulty, LostGames, fault_reports, faults, faulty

LINE, ILLEGAL, TIME = Termination.LINE, Termination.ILLEGAL, Termination.TIME
GAMES = [
    (0, 1, 0, "441", FIRST, LINE, ()),
    (0, 2, 0, "442", FIRST, TIME, ()),
    (2, 0, 0, "443", SECOND, ILLEGAL, ()),
    (2, 1, 0, "444", SECOND, TIME, ()),
    (1, 0, 0, "445", SECOND, ILLEGAL, ()),
    (1, 2, 0, "446", DRAW, Termination.FULL, ()),
]


def test_a_fault_is_the_losers_and_alike_ones_are_counted(tmp_path):
    found = frames(stored(tmp_path / "run", AGENTS, GAMES))
    one, two, three = AGENTS
    assert faults(found) == [  # in the order of the games' keys
        LostGames(three, "out of time", "it is wrong", 2),
        LostGames(two, "illegal move", "it is wrong", 1),
        LostGames(three, "illegal move", "it is wrong", 1),
    ]
    assert faulty(found) == [
        Faulty(two, 4, 1, "illegal move: it is wrong"),
        Faulty(three, 4, 3, "out of time: it is wrong"),
    ]
    assert one not in {each.agent for each in faulty(found)}


def test_faults_come_by_their_openings_then_by_the_first_players_and_the_second(tmp_path):
    games = [(2, 1, 0, TIME), (0, 1, 1, ILLEGAL), (2, 0, 0, TIME), (1, 2, 0, TIME)]
    found = stored(
        tmp_path / "run", AGENTS, [(*game[:3], f"44{n}", FIRST, game[3], ()) for n, game in enumerate(games)]
    )
    assert [(lost.agent, lost.termination) for lost in faults(frames(found))] == [
        (AGENTS[2], TIME), (AGENTS[0], TIME), (AGENTS[1], TIME), (AGENTS[1], ILLEGAL),
    ]  # fmt: skip


def test_faults_of_a_model_are_alike_whatever_it_replied_before_the_same_fault(tmp_path):
    games = [(2, 0, opening, f"44{opening + 1}", SECOND, ILLEGAL, ()) for opening in range(7)]
    said = (
        "replied '9' at try 3: there is no column 9",
        'replied "it\'s: 9" at try 12: there is no column 9',
        "replied '4' at try 3: column 4 is full",
        "replied 'x' at try 3: replied 'y' at try 3: there is no column 9",
        "replied '9 at try 3: there is no column 9",
        "there is no column 9",
        "replied '4' at try 3: column 4 is full",
    )
    path = stored(tmp_path / "run", AGENTS, games, openings=[str(number) for number in range(11, 18)])
    connection = connect(path)
    with connection:
        connection.executemany(
            "UPDATE game SET detail = ? WHERE id = ?", [(each, game) for game, each in enumerate(said, 1)]
        )
    connection.close()
    model, end = AGENTS[2], "illegal move"
    rows = [
        LostGames(model, end, "there is no column 9", 4), LostGames(model, end, said[2], 2),
        LostGames(model, end, said[4], 1),
    ]  # fmt: skip
    assert faults(frames(path)) == rows
    assert faulty(frames(path)) == [Faulty(model, 7, 7, f"{end}: there is no column 9")]
    with Store.read(path) as store:
        assert [(row.detail, row.games, row.game) for row in fault_reports(store)] == [
            (row.detail, row.games, first) for row, first in zip(rows, (1, 3, 5), strict=True)
        ]


def test_of_a_faulty_agent_the_first_fault_is_told(tmp_path):
    [found] = faulty(frames(stored(tmp_path / "run", AGENTS, GAMES[1:2])))
    assert found == Faulty(AGENTS[2], 1, 1, "out of time: it is wrong")
    assert faulty(frames(stored(tmp_path / "none", AGENTS, GAMES[:1]))) == []
    connection = connect(tmp_path / "run")
    with connection:
        connection.execute("UPDATE game SET detail = ''")
    connection.close()
    assert faulty(frames(tmp_path / "run")) == [Faulty(AGENTS[2], 1, 1, "out of time")]


def test_games_of_an_agent_against_itself_count_from_both_sides_and_its_fault_once(tmp_path):
    games = [(2, 2, 0, "441", FIRST, LINE, ()), (2, 2, 1, "12", SECOND, ILLEGAL, ()), *GAMES[:1]]
    found = frames(stored(tmp_path / "run", AGENTS, games))
    assert faults(found) == [LostGames(AGENTS[2], "illegal move", "it is wrong", 1)]
    assert faulty(found) == [Faulty(AGENTS[2], 4, 1, "illegal move: it is wrong")]
