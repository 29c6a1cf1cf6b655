"""Agents that are classes, objects and functions of the calling program."""

import threading

import pytest
from scripted import Middle, leftmost

import arena as package


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
