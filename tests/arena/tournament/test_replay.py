import json
from dataclasses import replace

import pytest
from changed import connect, update
from hand_made import audit_of, pairs_of, run_of

from agents.errors import InputError
from arena.store.run_file import Store
from arena.store.schema import EXTRA
from arena.table.extra import LONGEST, SHORT
from arena.tournament.games import Step, game, number_of, replay

WON = "1212121"  # the first player completes column 1


def stored(tmp_path, *, change=None, moves=WON, result="1", nodes=(5, 6, 7, 8, 9)):
    path = run_of(tmp_path / "run.sqlite", ["greedy", "random"], [(0, 1, 0, result, moves, nodes)], openings=("12",))
    if change:
        connection = connect(path)
        connection.executescript(change)
        connection.close()
    return path


def of(path, number=1):
    with Store.read(path) as store:
        return replay(store, number)


def test_every_move_is_there_and_those_of_the_opening_have_nobody_who_chose_them(tmp_path):
    found = of(stored(tmp_path))
    assert "".join(str(step.column) for step in found.steps) == WON
    assert [step.ply for step in found.steps] == list(range(7))
    assert [step.agent for step in found.steps] == [None, None, "greedy", "random", "greedy", "random", "greedy"]
    assert [step.nodes for step in found.steps] == [None, None, 5, 6, 7, 8, 9]
    assert [board.text for board in found.boards] == [WON[:ply] for ply in range(8)]
    assert found.boards[-1].outcome.winner == 0
    assert found.opening == 2


def test_without_an_audit_nobody_has_blundered(tmp_path):
    found = of(stored(tmp_path))
    assert [step.value for step in found.steps] == [None] * 7
    assert not any(step.is_blunder for step in found.steps)


def test_what_an_audit_says_of_a_move_stands_beside_it_where_there_is_one(tmp_path):
    path = audit_of(
        stored(tmp_path), [(1, 2, 1, 1, 7, 3), (1, 3, 0, -1, 7, 2), (1, 5, -1, -1, 7, 7), (1, 6, 1, 0, 6, 1)]
    )
    found = of(path).steps
    told = [(step.value, step.after, step.legal, step.keeping, step.keepers) for step in found]
    nothing = (None,) * 5
    assert told == [nothing, nothing, (1, 1, 7, 3, None), (0, -1, 7, 2, None), nothing,
                    (-1, -1, 7, 7, None), (1, 0, 6, 1, None)]  # fmt: skip
    assert [step.is_blunder for step in found] == [False, False, False, True, False, False, True]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE game SET moves = '1212129'", "move 7: column 9 does not exist"),
        ("UPDATE game SET moves = '12121211'", "move 8: the game is already over"),
        ("UPDATE game SET moves = '121212x'", "is not a column"),
        ("UPDATE game SET result = '0-1'", "its result is 0-1, but after its moves it is 1-0"),
        ("UPDATE game SET moves = '121212'", "its result is 1-0, but after its moves it is not over"),
        ("UPDATE game SET termination = 'out of time'", "its moves had already ended it"),
        ("UPDATE opening SET moves = '13'", "it does not begin with its opening"),
        ("UPDATE move SET column = 3 WHERE ply = 4", "its decisions are not its moves"),
        ("DELETE FROM iteration WHERE ply = 4; DELETE FROM move WHERE ply = 4", "its decisions are not its moves"),
        (
            "UPDATE iteration SET ply = 12 WHERE ply = 6; UPDATE move SET ply = 12 WHERE ply = 6",
            "its decisions are not",
        ),
    ],
)
def test_a_game_that_its_moves_cannot_produce_is_refused_by_its_number(tmp_path, change, reason):
    with pytest.raises(InputError, match=f"game 1: .*{reason}"):
        of(stored(tmp_path, change=change))


def test_a_fault_ends_a_game_where_the_loser_was_to_move(tmp_path):
    fault = "UPDATE game SET moves = '1212', result = '0-1', termination = 'illegal move'; DELETE FROM iteration WHERE ply > 3; DELETE FROM move WHERE ply > 3"  # fmt: skip  # noqa: E501  one story
    assert len(of(stored(tmp_path, change=fault)).steps) == 4
    with pytest.raises(InputError, match="game 1: its result is 1-0, but after its moves it is 0-1"):
        of(stored(tmp_path / "other", change=fault.replace("'0-1'", "'1-0'")))


def test_a_number_that_no_game_has_names_those_that_there_are(tmp_path):
    with pytest.raises(InputError, match="has no game 7: there are games 1 to 1"):
        of(stored(tmp_path), 7)


def test_a_key_that_no_game_has_names_those_that_are_near_be_it_one_alone(tmp_path):
    for games, near in ((1, "0-1-0"), (2, "1-0-0, 0-1-0")):
        path = run_of(tmp_path / f"{games}.sqlite", ["greedy", "random"], pairs_of("10")[:games])
        with Store.read(path) as store, pytest.raises(InputError, match=f"has no game 1-0-7: near are {near}$"):
            number_of(store, "1-0-7")
        with Store.read(path) as store:
            for text in ("1-0", "0-1-0-1", "9" * 19):
                with pytest.raises(InputError, match=f"has no game {text}: a key is the first agent, the second and"):
                    number_of(store, text)
            assert number_of(store, "9" * 18) == int("9" * 18)


def test_a_number_between_those_of_others_is_of_a_game_that_is_not_played(tmp_path):
    path = run_of(tmp_path / "run.sqlite", ["greedy", "random"], pairs_of("10", "11"))
    with Store.resume(path) as store:
        update(store, "DELETE FROM game WHERE id = 2")
        for number, said in ((2, "games up to 4, but that one is not played"), (5, "games 1 to 4"), (0, "games 1")):
            with pytest.raises(InputError, match=f"has no game {number}: there are {said}"):
                game(store, number)
        update(store, "DELETE FROM game WHERE id = 1")
        with pytest.raises(InputError, match=r"there are games 3 to 4$"):
            game(store, 5)


def test_of_a_run_that_has_not_begun_there_are_no_games_yet(tmp_path):
    with Store.read(run_of(tmp_path / "run.sqlite", ["greedy", "random"], [])) as store:
        with pytest.raises(InputError, match=r"run\.sqlite has no game 1: there are no games yet$"):
            game(store, 1)
        with pytest.raises(InputError, match=r"run\.sqlite has no game 1: there are no games yet$"):
            replay(store, "1")


def test_what_an_agent_says_of_a_move_cannot_command_the_terminal():
    extra = {"mood": "a\x1b[2Jb", "reply": "c\u202ed\n\te", "plan": ["f\x07"], "none": None}
    assert Step(0, 1, "a", extra=json.dumps(extra)).said == [
        'mood a\\x1b[2Jb, plan ["f\\u0007"]', "reply: c\\u202ed e"
    ]  # fmt: skip


def test_what_an_agent_said_is_short_up_to_so_many_characters_and_cut_beyond_what_is_shown_at_all():
    said = {"line": "x" * SHORT, "long": "y" * (SHORT + 1), "most": "z" * LONGEST, "more": "z" * (LONGEST + 1),
            "reply": "4", "nothing": None, "number": 0.5, "list": [1, None]}  # fmt: skip
    assert Step(3, 4, "a", extra=json.dumps(said)).said == [
        f"line {'x' * SHORT}, number 0.5, list [1, null]",
        f"long: {'y' * (SHORT + 1)}", f"most: {'z' * LONGEST}", f"more: {'z' * LONGEST}…", "reply: 4",
    ]  # fmt: skip
    assert Step(3, 4, "a").said == Step(3, 4, "a", extra="{}").said == []
    assert Step(3, 4, "a", extra='{"reply": "two\\n  \\u001b[31m words"}').said == ["reply: two \\x1b[31m words"]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ({"value": 1, "after": 0, "legal": 7, "keeping": 2, "keepers": "2 4"}, "a win becomes a draw; kept by 2, 4"),
        (
            {"value": 1, "after": 0, "legal": 7, "keeping": 3, "keepers": "1 2 4"},
            "a win becomes a draw; kept by 1, 2, 4",
        ),
        ({"value": 1, "after": -1, "legal": 7, "keeping": 2}, "a win becomes a loss; kept by 2 of 7 moves"),
        (
            {"value": 0, "after": -1, "legal": 5, "keeping": 1, "keepers": ""},
            "a draw becomes a loss; kept by 1 of 5 moves",
        ),
    ],
)
def test_a_blunder_says_what_it_lost_and_what_would_have_kept_it(known, text):
    step = Step(3, 4, "a", **known)
    assert (step.is_blunder, step.lost) == (True, text)
    assert not replace(step, after=step.value).is_blunder
    assert not Step(3, 4, "a").is_blunder


def test_what_was_said_in_the_last_position_stands_apart_from_what_was_said_of_moves(tmp_path):
    """A language model whose replies are no moves loses; another agent may call anything `drawn`."""
    fault = "UPDATE game SET moves = '1212', result = '0-1', termination = 'illegal move'; DELETE FROM iteration WHERE ply > 3; DELETE FROM move WHERE ply > 3"  # fmt: skip  # noqa: E501  one story
    told = {2: {"drawn": 2, "plan": "4"}, 3: {"drawn": True, "tries": 3}, 4: {"tries": 5, "reply": "nine"}}
    rows = ", ".join(f"(1, {ply}, '{json.dumps(extra)}')" for ply, extra in told.items())
    found = of(stored(tmp_path, change=f"{fault}; {EXTRA}; INSERT INTO extra VALUES {rows}"))
    assert [step.said for step in found.steps] == [[], [], ["drawn 2, plan 4"], ["random move true, tries 3"]]
    assert (found.extra, found.said) == (told[4], ["tries 5", "reply: nine"])
    (tmp_path / "won").mkdir()
    whole = of(stored(tmp_path / "won", change=f"{EXTRA}; INSERT INTO extra VALUES (1, 6, '{{\"a\": 1}}')"))
    assert (whole.extra, whole.said, whole.steps[6].said) == ({}, [], ["a 1"])
