"""What other frameworks see of our agents, and our agents of them."""

import base64
import io
import re
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from needs import needed

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.registry import parse
from arena.games.person import Seat
from arena.plugins.bridges import games as bridges
from arena.plugins.bridges import kaggle
from arena.plugins.bridges.games import Player
from arena.plugins.bridges.kaggle import submission

DRAW = "547125662261271266215743771576315353334444"


class Noting:
    """Plays the columns from one that its seed names on, and notes what it is told."""

    def __init__(self):
        self.told, self.column, self.closed = [], 0, 0

    def prepare(self, rules):
        self.told.append(f"a board {rules}")

    def new_game(self, seed):
        self.told.append(f"a game {seed}")
        self.column = seed

    def choose(self, board, limits):
        self.told.append(f"{board.text or 'no move'}, {limits.seconds} s")
        legal = board.legal_moves()
        self.column += 1
        return legal[self.column % len(legal)]

    def close(self):
        self.closed += 1


@pytest.fixture
def agent(monkeypatch):
    """The agent of every player, in this process; it is in its notes by which spec it was asked for."""
    noting = Noting()
    monkeypatch.setattr(bridges, "player", lambda text: Seat(text, noting, parse("greedy")))
    return noting


def notes(agent):
    """Return what an agent was told since the last call."""
    agent.told, told = [], agent.told
    return told


def test_a_player_begins_a_game_where_discs_are_fewer_or_it_is_told_to(agent):
    player = Player("some", 5, 0.25, Rules(5, 4))

    def told(moves):
        player.move(Board.from_moves(moves, Rules(5, 4)))
        *begun, asked = notes(agent)
        assert asked == f"{moves or 'no move'}, 0.25 s"
        return begun

    def begins(seed):
        return ["a board 5x4x4", f"a game {seed}"]

    assert [told(moves) for moves in ("", "12", "12", "1", "3333")] == [begins(5), [], [], begins(6), []]
    player.new_game()
    assert told("33331") == begins(7)
    for given, seed in ((40, 40), (0, 0), (None, 1)):
        player.new_game() if given is None else player.new_game(given)
        assert told("333312") == begins(seed)
    Player("other").move(Board())
    assert notes(agent) == ["a board 7x6x4", "a game 0", "no move, None s"]
    player.close()
    assert agent.closed == 1


def test_an_agent_without_a_process_is_closed_without_a_word(monkeypatch):
    monkeypatch.setattr(bridges, "player", lambda text: Seat.of(parse(text)))
    Player("greedy").close()


def seen_by(board, learner):
    """Return what Gymnasium's learner sees of a board: its discs and the other's, from the top row down."""
    grid = np.array(board.grid())
    return np.stack([grid == 1 + learner, grid == 2 - learner]).astype(np.int8)


@pytest.mark.parametrize(
    ("first", "moves", "actions", "after", "reward"),
    [
        (True, "", (3, 3, 3, 3), "4142434", 1.0),
        (True, "112233", (3,), "1122334", 1.0), (False, "7112233", (3,), "71122334", 1.0),
        (True, "445566", (0, 6), "445566137", None), (False, "112233", (), "1122334", None),
        (True, DRAW[:40], (3,), DRAW, 0.0), (False, DRAW[:41], (3,), DRAW, 0.0),
    ],
)  # fmt: skip
def test_an_episode_of_gymnasium_is_a_game_seen_by_the_learner(agent, first, moves, actions, after, reward):
    needed("gymnasium")
    from arena.plugins.bridges.gymnasium import Connect4Arena

    env = Connect4Arena("some", first=first, seconds=0.5, render_mode="ansi")
    seen, info = env.reset(seed=4, options={"moves": moves})
    over = False
    for action in actions:
        assert info["action_mask"].tolist() == [column in env._board.legal_moves() for column in range(7)]
        seen, value, over, truncated, info = env.step(action)
        assert not truncated
        if over:
            break
    board = env._board
    assert (seen == seen_by(board, 0 if first else 1)).all()
    assert over == (board.outcome is not None)
    assert env.render() == f"{board}\n"
    if board.outcome is not None:
        assert not env.action_masks().any()
        with pytest.raises(InputError, match=r"call reset\(\) before the next step"):
            env.step(0)
    if reward is not None:
        assert (board.text, str(value)) == (after, str(reward))  # never -0.0
    asked = [line for line in notes(agent) if not line.startswith("a ")]
    assert all(line.startswith(("no move", board.text[:1])) and line.endswith(", 0.5 s") for line in asked)
    env.close()
    assert agent.closed == 1


@pytest.mark.parametrize(("moves", "action"), [("444444", 3), ("", 7), ("", -1)])
def test_an_illegal_action_loses_the_episode(agent, moves, action):
    needed("gymnasium")
    from arena.plugins.bridges.gymnasium import Connect4Arena

    env = Connect4Arena("some", first=True)
    env.reset(seed=4, options={"moves": moves})
    _, reward, over, _, info = env.step(action)
    assert (reward, over, info["illegal"], env.action_masks().any()) == (-1.0, True, True, False)


def test_what_cannot_be_begun_or_done_is_refused_and_sides_are_drawn(agent):
    needed("gymnasium")
    from arena.plugins.bridges.gymnasium import Connect4Arena

    env = Connect4Arena(render_mode=None)
    env.reset(seed=1)
    with pytest.raises(InputError, match="a whole number"):
        env.step("3")
    for moves in ("1212121", "9"):
        with pytest.raises(ValueError, match=r"over|does not exist"):
            env.reset(seed=1, options={"moves": moves})
    assert env.render() is None
    sides = [(env.reset(seed=seed), env._mover)[1] for seed in range(12)]
    assert sides == [(env.reset(seed=seed), env._mover)[1] for seed in range(12)]
    assert {*sides} == {0, 1}


def cells_of(board, mover):
    """Return the array that PettingZoo has of a board: the discs of the player to move, then of the other."""
    grid = np.array(board.grid())
    return np.stack([grid == 1 + mover, grid == 2 - mover], axis=2).astype(np.int8)


def test_the_policies_of_pettingzoo(agent):
    needed("pettingzoo")
    from arena.plugins.bridges.pettingzoo import policy

    act, begun = policy("some", seed=3, seconds=0.75), []
    for moves in ("", "44", "4", "444", "445", "", "1"):
        board = Board.from_moves(moves)
        column = act({"observation": cells_of(board, board.mover), "action_mask": None})
        *game, asked = notes(agent)
        assert (column in board.legal_moves(), asked) == (True, f"{moves or 'no move'}, 0.75 s")
        begun.append(game[-1:])
    assert begun == [["a game 3"], [], ["a game 4"], [], [], ["a game 5"], []]
    with pytest.raises(InputError, match="belongs to both players"):
        act(np.ones((6, 7, 2), np.int8))


def test_a_framework_that_is_missing_says_how_it_is_installed(monkeypatch):
    from arena.plugins.bridges import pettingzoo

    monkeypatch.setattr(pettingzoo, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"PettingZoo.*connect4-arena\[pettingzoo\]"):
        pettingzoo.policy("greedy")


def test_the_bots_of_openspiel(agent):
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    def state(moves, game="connect_four"):
        found = pyspiel.load_game(game).new_initial_state()
        for word in moves:
            found.apply_action(int(word) - 1)
        return found

    bot, begun = ArenaBot("some", seed=6, seconds=1.5), []
    for moves in ("", "12", "1", "444444", "12"):
        bot.step(state(moves))
        *game, asked = notes(agent)
        assert asked == f"{moves or 'no move'}, 1.5 s"
        begun.append(game[-1:])
    assert begun == [["a game 6"], [], ["a game 7"], [], ["a game 8"]]
    assert bot.provides_policy()
    policy, action = bot.step_with_policy(state("444444"))
    assert policy == [(column, float(column == action)) for column in (0, 1, 2, 4, 5, 6)]
    notes(agent)
    for again in (bot.restart, lambda: bot.restart_at(state("44"))):
        again()
        bot.step(state("44445"))
        assert notes(agent)[1].startswith("a game ")
    small = "connect_four(columns=5,rows=4,x_in_row=3)"
    for rules in ("5x4x3", Rules(5, 4, 3)):
        bot = ArenaBot("other", rules=rules)
        notes(agent)
        assert 0 <= bot.step(state("12", small)) < 5
        assert notes(agent)[0] == "a board 5x4x3"
        for game in ("connect_four", "connect_four(columns=5,rows=4)", "tic_tac_toe"):
            for call in (bot.step, bot.restart_at):
                with pytest.raises(InputError, match=r"plays connect_four on 5x4x3, not "):
                    call(state("", game))


def unpacked(out):
    """Return the names of a submission's files, and the texts of a user's."""
    text = out.read_text(encoding="utf-8")
    _, packed, _ = re.split(r'FILES = """\n|\n"""\nmade', text)
    assert len(packed.split("\n")[0]) == 120 >= max(map(len, packed.split("\n")))
    with zipfile.ZipFile(io.BytesIO(base64.b85decode(packed.replace("\n", "")))) as archive:
        names = archive.namelist()
        texts = {name: archive.read(name).decode() for name in names if name.endswith(".py") and "files/" in name}
    return names, texts


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with files of a user, and a small package in the place of `agents`."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "mine.py": "import helper\n\ndef choose(board):\n    return 3\n\ndef evaluate(own, opp):\n    return 0\n",
        "helper.py": "# beside it\n", "unasked.py": "# not imported\n", "net.onnx": "no network",
        "a/mine.py": "# another\ndef score(own, opp, column):\n    return 0\n", "home/agents/__init__.py": "",
        "home/agents/b/c.py": "# code\n", "home/agents/b/d.book": "a book", "home/agents/e.txt": "no code",
        "home/agents/b/f.pyc": "no code", "deep/parts/one.py": "import parts.two\n",
        "deep/main.py": 'import parts.one\n\ndef choose(board):\n    return open("data/w.txt")\n',
        "deep/parts/two.py": "",
        "deep/data/w.txt": "weights", "deep/data/x.txt": "not named",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(kaggle, "agents", SimpleNamespace(__file__=str(tmp_path / "home/agents/__init__.py")))
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "files"),
    [
        ("alphabeta:depth=3,order=centre", []), ("hard", []), ("mine.py:choose", ["0/helper.py", "0/mine.py"]),
        ("mine.py", ["0/helper.py", "0/mine.py"]), ("onnx:net.onnx", ["0/net.onnx"]), ("net", ["0/7x6.onnx"]),
        ("alphabeta:heuristic=mine.py:evaluate,order=a/mine.py:score,compiled=no",
         ["0/mine.py", "1/helper.py", "1/mine.py"]),
        ("deep/main.py", ["0/data/w.txt", "0/main.py", "0/parts/one.py", "0/parts/two.py"]),
    ],
)  # fmt: skip
def test_a_submission_holds_our_code_and_the_files_of_its_agent(project, spec, files):
    size = submission(spec, project / "out.py", seed=7)
    assert size == (project / "out.py").stat().st_size
    names, texts = unpacked(project / "out.py")
    assert names == ["agents/__init__.py", "agents/b/c.py", "agents/b/d.book", *(f"files/{name}" for name in files)]
    assert {*texts.values()} <= {path.read_text() for path in project.rglob("*.py")}


@pytest.mark.parametrize(
    ("spec", "made", "needs"),
    [
        ("net:pick=value", "onnx:FILES/0/7x6.onnx;layout=own,bottom;pick=value", "onnxruntime"),
        ("onnx:net.onnx", "onnx:FILES/0/net.onnx", "onnxruntime"), ("mine.py", "FILES/0/mine.py", "numba"),
        ("alphabeta:heuristic=mine.py:evaluate,order=a/mine.py:score,compiled=no",
         "alphabeta:heuristic=FILES/1/mine.py:evaluate,order=FILES/0/mine.py:score,compiled=no", "numba"),
    ],
)  # fmt: skip
def test_a_submission_makes_its_agent_of_the_files_that_it_holds(project, spec, made, needs):
    submission(spec, project / "out.py", seed=7)
    text = (project / "out.py").read_text(encoding="utf-8")
    assert f'ForKaggle({made!r}.replace("FILES", folder + "/files"), 7, 0.8)' in text
    assert f"numpy, {needs}." in text


@pytest.mark.parametrize(
    ("spec", "word"),
    [("cmd:ls", "is none of these"), ("uci:ls", "is none of these"), ("nope", "did you mean net"), ("llm:m", "is none"),
     ("greedy|random", "agent 'greedy|random': there are"), ("alphabeta:depth=1..2", "must be a whole number"),
     ("kaggle:mine.py", "plays on Kaggle as it is")],
)  # fmt: skip
def test_what_no_submission_can_hold_is_refused(project, spec, word):
    with pytest.raises(InputError, match=word):
        submission(spec, project / "none.py")
    assert not (project / "none.py").exists()
