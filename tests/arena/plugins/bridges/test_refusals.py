"""Every bridge refuses what is no position of its game, and a game that is over, and says what it wants."""

import ast
import warnings

import numpy as np
import pytest
from needs import needed

from agents.board import Board
from agents.bridges.pettingzoo import observation
from agents.bridges.submission import ForKaggle
from agents.errors import InputError
from arena.plugins.bridges.games import Player

OVER = "the game is over after 7 discs: there is no move"
WON = "1212121"
DRAW = "547125662261271266215743771576315353334444"


def test_a_player_has_no_move_where_the_game_is_over():
    with pytest.raises(InputError, match=OVER):
        Player("greedy").move(Board.from_moves(WON))


SEEN = observation(Board.from_moves("4453"))["observation"]
SHARED = SEEN.copy()
SHARED[0, 0] = 1


@pytest.mark.parametrize(
    ("seen", "problem"),
    [
        (np.moveaxis(SEEN, 2, 0), r"this one has the shape \(2, 6, 7\)"),
        (SEEN[:, :, 0], r"this one has the shape \(6, 7\)"),
        (SEEN[None], r"this one has the shape \(1, 6, 7, 2\)"),
        (SEEN.swapaxes(0, 1), r"this one has the shape \(7, 6, 2\)"),
        (SEEN * 2, "this one holds other values than 0 and 1"),
        (SEEN.astype(str), "this one holds other values"),
        (SEEN.astype(object), "this one holds other values"),
        (SEEN * np.nan, "this one holds other values"),
        (np.ones_like(SEEN), "in this one a cell belongs to both players"),
        (SHARED, "in this one a cell belongs to both players"),
        (SEEN + 0.5, "this one holds other values"),
        (SEEN[:, :, ::-1] * [0, 1], "this one has 0 discs of the mover and 2 of the opponent"),
        (SEEN[:, :, :1] * [1, 0], "this one has 2 discs of the mover and 0 of the opponent"),
        ({"action_mask": np.ones(7)}, "this dictionary has no 'observation'"),
        ([[1, 2], [3]], "this is no array"),
    ],
)
def test_a_policy_wants_the_array_of_pettingzoo(seen, problem):
    needed("pettingzoo")
    from arena.plugins.bridges.pettingzoo import policy

    act = policy("alphabeta:depth=2")
    assert act(SEEN.astype(float)) == act(SEEN.astype(bool)) == act(SEEN)
    with pytest.raises(InputError, match=rf"is an array \(6, 7, 2\) of 0 and 1, the top row first.*; {problem}"):
        act(seen)


def test_a_policy_has_no_move_where_the_game_is_over():
    needed("pettingzoo")
    from arena.plugins.bridges.pettingzoo import policy

    with pytest.raises(InputError, match=OVER):
        policy("perfect")(observation(Board.from_moves(WON)))


def test_a_bot_of_openspiel_says_what_it_moves_in():
    needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    for state in (None, "44", [0] * 42):
        with pytest.raises(InputError, match=r"^this bot moves in a state of OpenSpiel, not "):
            ArenaBot("greedy").step(state)


def test_a_bot_of_openspiel_has_no_move_where_the_game_is_over():
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    state = pyspiel.load_game("connect_four").new_initial_state()
    for move in WON:
        state.apply_action(int(move) - 1)
    for call in (ArenaBot("greedy").step, ArenaBot("greedy").restart_at):
        with pytest.raises(InputError, match=OVER):
            call(state)


CONFIGURATION = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 2.0}


@pytest.mark.parametrize(
    ("cells", "mark", "problem"),
    [
        ([0] * 41, 1, "a board of ConnectX is 42 numbers.*; this one has 41"),
        ([[0] * 7] * 6, 1, "a board of ConnectX is 42 numbers.*; this one has 6"),
        ([0] * 41 + [3], 1, "a board of ConnectX is 42 numbers.*; this one holds others"),
        ([0] * 42, 2, "player 1 is to move on this board, not player 2"),
        ([cell for row in Board.from_moves(WON).grid() for cell in row], 2, OVER),
    ],
)
def test_a_submission_wants_the_board_of_kaggle(cells, mark, problem):
    act = ForKaggle("alphabeta:depth=2", 0, 0.8)
    assert act({"board": [0] * 42, "mark": 1}, CONFIGURATION) in range(7)
    with pytest.raises(InputError, match=problem):
        act({"board": cells, "mark": mark}, CONFIGURATION)


@pytest.fixture
def env():
    needed("gymnasium")
    from arena.plugins.bridges.gymnasium import Connect4Arena

    return Connect4Arena("greedy", first=True)


def test_the_environment_passes_the_checker_of_gymnasium(env):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)


def test_action_masks_are_the_columns_that_can_be_played(env):
    env.reset(seed=1, options={"moves": "444444"})
    masks = env.action_masks()
    assert (masks.dtype, masks.tolist()) == (bool, [True, True, True, False, True, True, True])
    env.reset(seed=1, options={"moves": "112233"})
    assert env.step(3)[2]
    assert not env.action_masks().any()


def test_a_game_that_is_over_takes_no_step(env):
    for begin in ({}, {"moves": "112233"}):
        with pytest.raises(InputError, match="call reset"):
            env.step(3)
        env.reset(seed=1, options=begin)
        env.step(3 if begin else 7)  # a win, or no column
    with pytest.raises(InputError, match="call reset"):
        env.step(0)
    for moves in (WON, DRAW):
        with pytest.raises(InputError, match=rf"options\['moves'\]: the game is over after {moves}$"):
            env.reset(options={"moves": moves})


def test_a_game_that_the_opponent_wins_at_once_takes_no_step(env):
    env.first = False
    seen, info = env.reset(seed=1, options={"moves": "112233"})
    assert (env._board.text, seen.sum(axis=(1, 2)).tolist()) == ("1122334", [3, 4])
    assert not env.action_masks().any()
    assert info["action_mask"].shape == (7,)
    with pytest.raises(InputError, match="call reset"):
        env.step(0)


@pytest.mark.parametrize("options", [{"moves": 44}, {"moves": ["4"]}, [4], "44", 3])
def test_the_environment_says_what_the_options_of_reset_are(env, options):
    with pytest.raises(InputError, match=r"^the options of reset\(\) are \{'moves': '4453'\} or none, not "):
        env.reset(options=options)


@pytest.mark.parametrize("action", ["3", 3.5, None, True, np.ones(7)])
def test_an_action_is_a_whole_number(env, action):
    env.reset(seed=1)
    with pytest.raises(InputError, match="an action is a whole number, a column from 0"):
        env.step(action)


def test_a_bot_refuses_a_board_that_differs_in_any_measure():
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    bot = ArenaBot("greedy")
    for size in ({"columns": 6}, {"rows": 5}, {"x_in_row": 3}):
        state = pyspiel.load_game("connect_four", size).new_initial_state()
        with pytest.raises(InputError, match="this bot plays connect_four on 7x6x4"):
            bot.step(state)
    with pytest.raises(InputError, match="this bot plays connect_four on 7x6x4, not tic_tac_toe"):
        bot.step(pyspiel.load_game("tic_tac_toe").new_initial_state())


def test_the_name_of_a_file_ends_no_text_of_a_submission(tmp_path):
    from arena.plugins.bridges.kaggle import submission

    odd = tmp_path / 'od"""d\\xé.py'
    odd.write_text("def choose(board):\n    return 3\n")
    size = submission(str(odd), tmp_path / "submission.py")
    assert size == (tmp_path / "submission.py").stat().st_size  # in bytes, of which the letter takes two
    ast.parse((tmp_path / "submission.py").read_text(encoding="utf-8"))
