from hand_made import AGENTS, DRAW, FIRST, SECOND, frames, stored

from arena.analysis.faults import Faulty, LostGames, faults, faulty
from arena.records import Termination

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


def test_of_a_faulty_agent_the_first_fault_is_told(tmp_path):
    [found] = faulty(frames(stored(tmp_path / "run", AGENTS, GAMES[1:2])))
    assert found == Faulty(AGENTS[2], 1, 1, "out of time: it is wrong")
    assert faulty(frames(stored(tmp_path / "none", AGENTS, GAMES[:1]))) == []


def test_games_of_an_agent_against_itself_count_from_both_sides_and_its_fault_once(tmp_path):
    games = [(2, 2, 0, "441", FIRST, LINE, ()), (2, 2, 1, "12", SECOND, ILLEGAL, ()), *GAMES[:1]]
    found = frames(stored(tmp_path / "run", AGENTS, games))
    assert faults(found) == [LostGames(AGENTS[2], "illegal move", "it is wrong", 1)]
    assert faulty(found) == [Faulty(AGENTS[2], 4, 1, "illegal move: it is wrong")]
