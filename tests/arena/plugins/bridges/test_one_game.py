"""One game everywhere: the same seeded games through every bridge, in both directions, with identical moves."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
from needs import needed

from agents.board import Board, Rules
from agents.bridges.openspiel import OpenSpiel
from agents.bridges.pettingzoo import PettingZoo
from agents.errors import InputError
from agents.specs.user_agents import last_callable

from .bridge_games import GAMES, OURS, against, column, of_cells, ours, theirs

pytestmark = pytest.mark.process

SEEDS = range(GAMES)


@pytest.fixture(scope="module")
def our_games():
    return [ours(seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def their_games():
    return [theirs(seed) for seed in SEEDS]


def test_the_games_differ_from_one_another(our_games, their_games):
    assert len({*our_games}) > GAMES / 2
    assert len({*their_games}) > GAMES / 2


def text_of(columns):
    return "".join(str(each + 1) for each in columns)


def test_our_agents_play_the_same_games_in_openspiel(our_games):
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    game = pyspiel.load_game("connect_four")
    bots = [ArenaBot(text) for text in OURS]
    for seed, moves in zip(SEEDS, our_games, strict=True):
        state = game.new_initial_state()
        for bot in bots:
            bot._player.new_game(seed)
        pair = bots if seed % 2 == 0 else bots[::-1]
        while not state.is_terminal():
            player = state.current_player()
            policy, action = pair[player].step_with_policy(state)
            assert dict(policy)[action] == 1.0
            pair[1 - player].inform_action(state, player, action)
            state.apply_action(action)
        assert text_of(state.history()) == moves


def test_openspiels_own_loop_plays_our_bots_and_its_search(our_games):
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    game = pyspiel.load_game("connect_four")
    search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 50, 100, True, 1, False)
    assert pyspiel.evaluate_bots(game.new_initial_state(), [ArenaBot("perfect"), search], 1) == [1.0, -1.0]
    bots = [ArenaBot(text, seed=0) for text in OURS]
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, 0)
    assert text_of(state.history()) == our_games[0]


def test_a_bot_refuses_another_board_and_goes_on_from_any_state():
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    bot = ArenaBot("greedy", rules="8x7x4")
    with pytest.raises(InputError, match="8x7x4"):
        bot.step(pyspiel.load_game("connect_four").new_initial_state())
    state = pyspiel.load_game("connect_four(columns=8,rows=7)").new_initial_state()
    for action in (3, 0, 3, 0, 3):
        state.apply_action(action)
    bot.restart_at(state)
    assert bot.step(state) == 3
    assert bot.provides_policy()


class SeededBot:
    """Theirs, as a bot of OpenSpiel, which checks that it is informed of what it did not play."""

    def __init__(self, game, player, seed):
        self.player, self.seed, self.told, self.own = player, seed, [], 0
        assert game.get_type().short_name == "connect_four"

    def inform_action(self, state, player, action):
        assert player == state.current_player() != self.player
        self.told.append(action)

    def step(self, state):
        history = state.history()
        assert self.told == history[1 - self.player :: 2]
        board = Board.from_moves(text_of(history))
        return column(board.own, board.opp, state.legal_actions(), self.seed)


def test_openspiels_bots_play_the_same_games_here(their_games):
    needed("pyspiel")
    agent = OpenSpiel(SeededBot, {})
    agent.prepare(Rules())
    for seed, moves in zip(SEEDS, their_games, strict=True):
        assert against(agent, seed) == moves


def zoo_game(policies):
    """Return the moves of a game of PettingZoo's `connect_four_v3`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # another project's, of its imports
        classic = needed("pettingzoo.classic.connect_four.connect_four")
        env = classic.env()
        env.reset(seed=0)
        moves = []
        for name in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            action = None if ended or cut else policies[int(name[-1])](seen)
            moves += [] if action is None else [action]
            env.step(action)
    return text_of(moves)


def test_our_agents_play_the_same_games_in_pettingzoo(our_games):
    needed("pettingzoo")
    from arena.plugins.bridges.pettingzoo import policy

    policies = [policy(text, seed=0) for text in OURS]  # each board with fewer discs begins a game, with the next seed
    for seed, moves in zip(SEEDS, our_games, strict=True):
        assert zoo_game(policies if seed % 2 == 0 else policies[::-1]) == moves


def test_pettingzoos_policies_play_the_same_games_here(their_games):
    for seed, moves in zip(SEEDS, their_games, strict=True):
        assert against(PettingZoo(zoo_policy(seed)), seed) == moves


def zoo_policy(seed):
    """Return Theirs as a policy of PettingZoo."""

    def act(seen):
        own, opp = of_cells(seen["observation"][:, :, 0], seen["observation"][:, :, 1])
        return column(own, opp, [each for each in range(7) if seen["action_mask"][each]], seed)

    return act


def test_gymnasium_plays_the_same_games(their_games):
    gymnasium = needed("gymnasium")
    import arena.plugins.bridges.gymnasium  # noqa: F401  it registers the environment

    env = gymnasium.make("Connect4Arena-v0", opponent=OURS[0], first=True)
    for seed, moves in zip(SEEDS, their_games, strict=True):
        seen, info = env.reset(seed=seed)
        ended = False
        while not ended:
            legal = [each for each in range(7) if info["action_mask"][each]]
            action = column(*of_cells(*seen), legal, seed)
            seen, reward, ended, _, info = env.step(action)
        assert env.unwrapped._board.text == moves
        assert reward == {0: 1.0, 1: -1.0, None: 0.0}[Board.from_moves(moves).outcome.winner]


def test_the_environment_keeps_gymnasiums_rules():
    gymnasium = needed("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import arena.plugins.bridges.gymnasium  # noqa: F401  it registers the environment

    for opponent in ("greedy", "easy", "perfect"):
        check_env(gymnasium.make("Connect4Arena-v0", opponent=opponent, render_mode="ansi").unwrapped)
    several = gymnasium.make_vec("Connect4Arena-v0", num_envs=3, vectorization_mode="sync", opponent="greedy")
    seen, info = several.reset(seed=3)
    assert seen.shape == (3, 2, 6, 7)
    assert info["action_mask"].shape == (3, 7)
    env = gymnasium.make("Connect4Arena-v0", first=True)
    env.reset(seed=1, options={"moves": "111111"})
    *_, ended, _, info = env.step(0)
    assert ended
    assert info["illegal"]


KAGGLE = """
import random
print("imported")

def bot(o):
    own, opp = (sum(1 << 7 * c + 5 - r for r in range(6) for c in range(7) if o.board[7 * r + c] == mark)
                for mark in (o.mark, 3 - o.mark))
    return random.Random(f"{seed} {own} {opp}").choice([c for c in range(7) if o["board"][c] == 0])
"""


def test_kaggles_agents_play_the_same_games_here(their_games, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(KAGGLE.replace("{seed}", "{SEED}").replace("import random", "import random\nSEED = 0"))
    agent = last_callable(path)
    for seed, moves in zip(SEEDS, their_games, strict=True):
        agent.function.__globals__["SEED"] = seed
        assert against(agent, seed) == moves


PLAY = """
import sys
class Struct(dict):
    __getattr__ = dict.__getitem__
space = {}
exec(compile(open(sys.argv[1]).read(), "submission.py", "exec"), space)
act = [value for value in space.values() if callable(value)][-1]
config = Struct(columns=7, rows=6, inarow=4, actTimeout=2)
for line in sys.stdin:
    cells, heights = [0] * 42, [0] * 7
    for ply, word in enumerate(line.strip()):
        column = int(word) - 1
        cells[7 * (5 - heights[column]) + column] = 1 + ply % 2
        heights[column] += 1
    print(act(Struct(board=cells, mark=1 + len(line.strip()) % 2, step=len(line.strip())), config) + 1, flush=True)
"""


def test_a_submission_plays_the_same_games_by_itself(our_games, tmp_path):
    from arena.plugins.bridges.kaggle import submission

    out = tmp_path / "submission.py"
    assert submission(OURS[0], out) == out.stat().st_size
    asked = [(moves[:ply], moves[ply]) for k, moves in enumerate(our_games) for ply in range(k % 2, len(moves), 2)]
    given = "".join(f"{before}\n" for before, _ in asked)
    done = subprocess.run(
        [sys.executable, "-I", "-c", PLAY, str(out)],
        input=given,
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout.split() == [move for _, move in asked]


def test_a_submission_takes_a_users_files_along_and_refuses_programs(tmp_path, monkeypatch):
    from arena.plugins.bridges.kaggle import submission

    (tmp_path / "mine.py").write_text("from helper import pick\n\ndef choose(board):\n    return pick(board)\n")
    (tmp_path / "helper.py").write_text("def pick(board):\n    return board.legal_moves()[-1]\n")
    monkeypatch.chdir(tmp_path)
    submission("mine.py", tmp_path / "submission.py")
    for name in ("mine.py", "helper.py"):
        (tmp_path / name).unlink()
    command = [sys.executable, "-I", "-c", PLAY, "submission.py"]
    done = subprocess.run(command, input="7\n777777\n", capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["7", "6"]
    (tmp_path / "bot.py").write_text("def act(o):\n    return 0\n")
    for agent, why in (
        ("cmd:cat", "none of these"),
        ("llm:m", "none of these"),
        ("kaggle:bot.py", "on Kaggle as it is"),
    ):
        with pytest.raises(InputError, match=f"a submission holds .* and networks; {agent} .*{why}"):
            submission(agent, tmp_path / "submission.py")


BESIDE = """
import sys
class Struct(dict):
    __getattr__ = dict.__getitem__
for path in sys.argv[1:]:
    space = {}
    exec(compile(open(path).read(), path, "exec"), space)
    asked = Struct(board=[0] * 42, mark=1, step=0), Struct(columns=7, rows=6, inarow=4, actTimeout=2)
    print(space["act"](*asked), "numba" in sys.modules)
"""


def test_submissions_play_beside_each_other_and_a_network_needs_no_numba(tmp_path):
    needed("onnxruntime")
    from arena.plugins.bridges.kaggle import submission

    submission("net:pick=value", tmp_path / "net.py")
    submission("greedy", tmp_path / "greedy.py")
    for names in (["net.py"], ["greedy.py", "net.py"]):
        command = [sys.executable, "-I", "-c", BESIDE, *(str(tmp_path / name) for name in names)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        column, numba = done.stdout.split()[-2:]
        assert column == "3"
        assert numba == "False" or names[0] == "greedy.py"
    assert "numpy, onnxruntime." in (tmp_path / "net.py").read_text(encoding="utf-8")[:300]


@pytest.mark.skipif(
    "KAGGLE_PYTHON" not in os.environ,
    reason="KAGGLE_PYTHON names no Python with kaggle_environments and numba: tests/README.md",
)
def test_a_submission_plays_in_kaggles_own_environment(tmp_path):
    from arena.plugins.bridges.kaggle import submission

    submission(OURS[0], tmp_path / "submission.py")
    code = """
from kaggle_environments import make
game = make("connectx")
game.run(["submission.py", "random"])
print("rewards", [state.reward for state in game.state], [state.status for state in game.state])
"""
    command = [os.environ["KAGGLE_PYTHON"], "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split("\n")[-2] == "rewards [1, -1] ['DONE', 'DONE']"


OBEDIENT = """
class Obedient:
    def new_game(self, seed):
        self.column = seed % 6 + 1

    def choose(self, board, limits):
        return self.column if limits.seconds == 0.25 else 0
"""


@pytest.fixture
def obedient(tmp_path):
    """The spec of an agent that plays a column of its seed from 1 on, and column 0 if it has not a quarter second."""
    path = tmp_path / "obedient.py"
    path.write_text(OBEDIENT)
    return f"{path}:Obedient"


def test_seed_and_seconds_reach_an_agent_in_pettingzoo(obedient):
    needed("pettingzoo")
    from arena.plugins.bridges.pettingzoo import policy

    assert policy(obedient, seed=4, seconds=0.25)(np.zeros((6, 7, 2), np.int8)) == 5


def test_seed_and_seconds_reach_an_agent_in_openspiel(obedient):
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    state = pyspiel.load_game("connect_four").new_initial_state()
    assert ArenaBot(obedient, seed=4, seconds=0.25).step(state) == 5


def test_seed_and_seconds_reach_an_agent_in_gymnasium(obedient):
    gymnasium = needed("gymnasium")
    import arena.plugins.bridges.gymnasium  # noqa: F401  it registers the environment

    env = gymnasium.make("Connect4Arena-v0", opponent=obedient, first=False, seconds=0.25)
    columns = [int(env.reset(seed=seed)[0][1].sum(axis=0).argmax()) for seed in (*range(8), *range(8))]
    env.close()
    assert columns[:8] == columns[8:]
    assert len({*columns}) > 2
    assert 0 not in columns
