"""Agents that are classes, objects and functions of the calling program."""

import json
import sqlite3
import threading
from contextlib import closing

import pytest
from changed import connect
from scripted import Middle, leftmost

import arena as package
from agents.errors import InputError
from arena.games.object_agent import ObjectAgent

pytestmark = pytest.mark.usefixtures("here")


class Counting(Middle):
    """Knows how often it was asked, and has what cannot be pickled or copied."""

    name = "counting"

    def __init__(self):
        self.asked = 0
        self.lock = threading.Lock()

    def choose(self, board, limits):
        self.asked += 1
        return super().choose(board, limits)


def test_classes_functions_and_objects_play_as_specs_do(played):
    assert set(played.standings["agent"]) == {"Middle", "Middle#2", "leftmost", "greedy"}
    assert played.counts.played == 6 * 3 * 2
    assert not played.standings["faults"].any()
    middle = played.games[(played.games["first"] == "Middle") & (played.games["second"] == "leftmost")]
    twin = played.games[(played.games["first"] == "Middle#2") & (played.games["second"] == "leftmost")]
    assert list(middle["moves"]) == list(twin["moves"])


def test_what_cannot_be_sent_plays_in_this_process_and_says_so():
    agent = Counting()
    with pytest.warns(UserWarning, match="in this process, since counting cannot be sent to another"):
        result = package.run([agent, "greedy"], rounds=1, workers=2)
    assert agent.asked == len(result.moves[result.moves["agent"] == "counting"])


def test_objects_play_in_other_processes_where_they_can_be_sent(recwarn):
    from agents.players.simple import Greedy

    result = package.run([Greedy(), "random"], rounds=2, workers=2)
    assert (result.counts.played, [str(each.message) for each in recwarn]) == (4, [])


def test_a_game_leaves_an_object_as_it_was():
    class Learning(Middle):
        seen = 0

        def choose(self, board, limits):
            self.seen += 1
            return super().choose(board, limits)

    agent = Learning()
    package.run([agent, "greedy"], rounds=1)
    assert agent.seen == 0


def first_free_in_time(position, limits):
    return position.legal_moves()[0] if limits is not None else 6


def maker(column=3):
    return Middle() if column == 3 else None


@pytest.mark.parametrize("agent", [leftmost, first_free_in_time, lambda b: b.legal_moves()[0], lambda board: 0])
def test_a_function_of_the_board_is_an_agent_whatever_its_parameters_are_called(agent):
    assert package.move(agent, "1").move == 1


def test_a_function_that_needs_nothing_makes_an_agent():
    assert package.move(maker, "1").move == 4


# Objects as a run stores them, and as it is resumed with them.


class Mine(Middle):
    """Has attributes of every sort."""

    def __init__(self, near=3, **more):
        self.near, self.weights, self.inner, self._hidden = near, (1, 2.5), Middle(), 7
        vars(self).update(more)

    def choose(self, board, limits):
        return min(board.legal_moves(), key=lambda column: abs(column - self.near))


class Slotted(Middle):
    __slots__ = ("far",)

    def __init__(self, far):
        self.far = far


def stored(path, columns="name, kind, parameters, digest"):
    with closing(sqlite3.connect(path)) as file:
        return file.execute(f"SELECT {columns} FROM agent ORDER BY id").fetchall()


def interrupted(path, agents, lost="id > 1", **more):
    """Return a run of which some games are not stored."""
    package.run(agents, rounds=2, out=path, **more)
    lose(path, lost)
    return path


def lose(path, lost):
    with closing(connect(path)) as file, file:
        for table, column in (("iteration", "game"), ("move", "game"), ("game", "id")):
            file.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT id FROM game WHERE {lost})")


def test_an_object_is_stored_with_its_class_its_attributes_and_a_digest():
    package.run([Mine(near=2, note=None), Slotted(4), Mine, leftmost, "greedy"], rounds=1, out="run.sqlite")
    rows = stored("run.sqlite")
    here = f"object:{__name__}"
    assert [row[:2] for row in rows[:4]] == [
        ("Mine", f"{here}:Mine"), ("Slotted", f"{here}:Slotted"), ("Mine#2", f"{here}:Mine"),
        ("leftmost", "object:scripted:leftmost"),
    ]  # fmt: skip
    parameters = [json.loads(row[2]) for row in rows]
    assert parameters[0] == {"inner": "Middle", "near": 2, "note": None, "weights": [1, 2.5]}
    assert parameters[1:4] == [{"far": 4}, {}, {}]
    digests = [row[3] for row in rows]
    assert digests[0] == digests[2] != digests[1]
    assert [len(each or "") for each in digests] == [64, 64, 64, 64, 0]


def test_slots_of_one_text_are_one_attribute():
    for slots in ("far", ("far",), ["far", "near"]):
        kind = type("Kim", (), {"__slots__": slots, "choose": lambda self, board: 0})
        agent = kind()
        agent.far = 5
        assert ObjectAgent.of(agent).resolved() == {"far": 5}


def test_an_object_that_was_not_passed_again_is_named_with_its_class():
    for agent in (ObjectAgent("mine", "object:bots:Mine", {}), ObjectAgent("mine", "object:bots:Mine", {}, None)):
        with pytest.raises(InputError, match=r"^this run needs mine \(bots:Mine\) of .*, agents=\{'mine': …\}\)$"):
            agent.build()


def test_an_object_without_source_has_no_digest():
    space = {"__name__": "__main__"}
    exec("class Typed:\n    def choose(self, board, limits):\n        return board.legal_moves()[0]", space)
    package.run([space["Typed"](), "greedy"], rounds=1, out="run.sqlite")
    assert stored("run.sqlite", "kind, digest")[0] == ("object:__main__:Typed", None)


def test_a_mapping_names_agents_of_every_kind():
    result = package.run({"mine": Mine(), "yours": Mine(2), "other": "greedy"}, rounds=1, out="run.sqlite")
    assert set(result.standings["agent"]) == {"mine", "yours", "other"}
    assert [row[0] for row in stored("run.sqlite")] == ["mine", "yours", "other"]
    assert stored("run.sqlite", "spec, kind")[2] == ("greedy", "greedy")
    assert package.run(resume="run.sqlite").counts.played == 6


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        ({"a:b": Mine(), "other": "greedy"}, "an agent's name has letters"),
        ({"mine": Mine(), "both": "minimax:depth=1..2"}, "stands for 2 agents, and both names one"),
        ({"mine": 3, "other": "greedy"}, "3 is no agent"),
    ],
)
def test_a_mapping_that_names_no_agents_is_refused(agents, message):
    with pytest.raises(InputError, match=message):
        package.run(agents, rounds=1)


@pytest.mark.parametrize(
    ("agents", "again"),
    [
        ([Mine(2), "greedy", Mine(4)], [Mine(2), Mine(4)]),
        ({"mine": Mine(2), "other": "greedy", "yours": Mine(4)}, {"yours": Mine(4), "mine": Mine(2)}),
        ({"mine": Mine(2), "other": "greedy", "yours": Mine(4)}, [Mine(2), Mine(4)]),
        ([Mine(2, name="one"), "greedy", Mine(2, name="two")], [Mine(2, name="two"), Mine(2, name="one")]),
        ([Mine, "greedy", leftmost], [Mine, leftmost]),
    ],
)
def test_a_run_goes_on_with_its_objects(agents, again):
    whole = list(package.run(agents, rounds=2, out="run.sqlite").games["moves"])
    before = stored("run.sqlite")
    lose("run.sqlite", "id > 3")
    assert list(package.run(again, resume="run.sqlite").games["moves"]) == whole
    assert stored("run.sqlite") == before


def test_a_run_goes_on_without_the_objects_whose_games_are_all_there():
    agents = {"mine": Mine(), "greedy": "greedy", "yours": Mine(2)}
    path = interrupted("run.sqlite", agents, "3 IN (first, second)", pairs=[("mine", "greedy"), ("yours", "greedy")])
    with pytest.raises(InputError, match=r"needs yours \(\S*:Mine\) .*agents=\{'yours': …\}") as raised:
        package.run(resume=path)
    assert "\n" not in str(raised.value)
    assert package.run(resume=path, agents={"yours": Mine(2)}).counts.played == 8
    assert package.run(resume=path).counts.played == 8
    with pytest.raises(InputError, match=r"needs mine \(\S*:Mine\) and yours"):
        package.run(resume=path, rounds=3)


def test_the_command_line_says_that_a_program_has_to_give_objects_again(arena):
    path = interrupted("run.sqlite", [Mine(), "greedy"])
    done = arena("run", "--resume", path)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert f"this run needs Mine ({__name__}:Mine) of the program that began it" in done.err


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        (["greedy"], "agents cannot change it: write add greedy"),
        ({"other": "greedy"}, "agents cannot change it: write add greedy"),
        ({"yours": Mine()}, "without the object yours .*: its objects are Mine"),
        ([Mine(), Mine()], "without the object Mine#2 .*: its objects are Mine"),
        ([3], "3 is no agent"),
    ],
)
def test_what_is_no_object_of_the_run_is_refused(agents, message):
    path = interrupted("run.sqlite", [Mine(), "greedy"])
    with pytest.raises(InputError, match=message):
        package.run(agents, resume=path)
    assert len(package.load(path).games) == 1


class Other(Mine):
    pass


def test_an_object_that_differs_is_refused_or_played_again():
    path = interrupted("run.sqlite", {"mine": Mine(), "other": "greedy"})
    for changed in (Mine(2), Mine(3, more=1), Other()):
        with pytest.raises(
            InputError, match=r"mine has changed since its 1 games; replay mine deletes them and plays again"
        ):
            package.run({"mine": changed}, resume=path)
    assert package.run({"mine": Mine(2)}, resume=path, replay=["mine"]).counts.played == 4
    assert json.loads(stored(path)[0][2])["near"] == 2
    assert package.run({"mine": Other()}, resume=path, replay=["mine"]).counts.played == 4
    assert stored(path, "kind")[0] == (f"object:{__name__}:Other",)
    assert len(package.load(path).games) == 4


def test_an_object_whose_source_has_changed_is_refused(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    text = "class Own:\n    def choose(self, board, limits):\n        return board.legal_moves()[0]\n"
    (tmp_path / "own_agent.py").write_text(text)
    import own_agent

    path = interrupted("run.sqlite", [own_agent.Own(), "greedy"])
    (tmp_path / "own_agent.py").write_text(f"{text}\nHELPS = 1\n")
    with pytest.raises(InputError, match="Own has changed since its 1 games"):
        package.run([own_agent.Own()], resume=path)
    assert package.run([own_agent.Own()], resume=path, replay=["Own"]).counts.played == 4
    assert package.run([own_agent.Own()], resume=path).counts.played == 4


@pytest.mark.parametrize("name", ["two\nlines", "a|b", 3, ""])
def test_an_object_whose_name_no_agent_can_have_goes_by_its_class(name):
    kind = type("Kim", (), {"name": name, "choose": lambda self, board: 0})
    assert ObjectAgent.of(kind()).text == "Kim"
