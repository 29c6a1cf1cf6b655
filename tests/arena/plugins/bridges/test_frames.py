"""All that other frameworks see of our agents, and our agents of them: tests/data/recorded/bridges-*.json."""

import base64
import io
import re
import zipfile
from types import SimpleNamespace

import numpy as np
import pytest
from needs import needed
from recorded import holds, plain, tried

from agents.board import Board, Rules
from agents.errors import InputError
from agents.specs.registry import parse
from arena.games.person import Seat
from arena.plugins.bridges import games as bridges
from arena.plugins.bridges import kaggle
from arena.plugins.bridges.games import Player
from arena.plugins.bridges.kaggle import submission


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


def test_a_player_begins_a_game_where_discs_are_fewer_or_it_is_told_to(agent, request):
    player = Player("some", 5, 0.25, Rules(5, 4))
    found = {}
    for label, moves in (
        ("first", ""),
        ("second", "12"),
        ("the same again", "12"),
        ("another", "1"),
        ("a longer", "3333"),
    ):
        found[label] = [player.move(Board.from_moves(moves, Rules(5, 4))), *notes(agent)]
    player.new_game()
    found["told to"] = [player.move(Board.from_moves("33331", Rules(5, 4))), *notes(agent)]
    player.new_game(40)
    found["told with a seed"] = [player.move(Board.from_moves("333312", Rules(5, 4))), *notes(agent)]
    player.new_game(0)
    found["told with seed 0"] = [player.move(Board.from_moves("", Rules(5, 4))), *notes(agent)]
    found["the one after it"] = [(player.new_game(), player.move(Board.from_moves("", Rules(5, 4))))[1], *notes(agent)]
    usual = Player("other")
    found["by default"] = [usual.move(Board()), *notes(agent)]
    player.close()
    assert agent.closed == 1
    holds("bridges-player", plain(found), request)


def test_an_agent_without_a_process_is_closed_without_a_word(monkeypatch):
    monkeypatch.setattr(bridges, "player", lambda text: Seat.of(parse(text)))
    Player("greedy").close()


def shown(step):
    """Return what a step or reset of Gymnasium returns, with 1 for the learner's discs and 2 for the other's."""
    seen, *rest, info = step
    cells = [
        "".join(str(own + 2 * other) for own, other in zip(*rows, strict=True)) for rows in zip(*seen, strict=True)
    ]
    mask = "".join(map(str, info.pop("action_mask")))
    return ["/".join(cells), str(seen.dtype), *rest, mask, info]


def test_the_environment_of_gymnasium(agent, request):
    needed("gymnasium")
    from arena.plugins.bridges.gymnasium import Connect4Arena

    found = {}
    for label, first, moves, actions in (
        ("the learner first", True, "", (3, np.int64(3), 3, 3)),
        ("the learner second", False, "", (3, 3, 3)),
        ("it wins", True, "112233", (3,)),
        ("it wins as second", False, "7112233", (3, 3)),
        ("it loses", True, "445566", (0, 6, 6)),
        ("it loses as second", False, "112233", ()),
        ("it draws", True, "5471256622612712662157437715763153533344", (3,)),
        ("it draws as second", False, "54712566226127126621574377157631535333444", (3,)),
        ("a full column", True, "444444", (3,)),
        ("no column", True, "", (7,)),
        ("none below 0", False, "", (-1,)),
        ("text", True, "", ("3",)),
    ):
        env = Connect4Arena("some", first=first, seconds=0.5, render_mode="ansi")
        lines = [shown(env.reset(seed=4, options={"moves": moves})), env.render()]
        for action in actions:
            if env._board.outcome is None:
                lines += [tried(lambda env=env, action=action: shown(env.step(action)), errors=Exception), env.render()]
        found[label] = [*lines, *notes(agent)]
        closed = agent.closed
        env.close()
        assert agent.closed == closed + 1
    env = Connect4Arena(render_mode=None)
    drawn = [(env.reset(seed=seed), env._mover)[1] for seed in range(12)]
    found["drawn sides"] = [drawn, *notes(agent)]
    found["without a seed"] = [
        len({(env.reset(seed=seed if seed == 3 else None), env._mover)[1] for seed in range(30)})
    ]
    found["rendered as nothing"] = [env.render()]
    found["an opening that is over"] = [tried(env.reset, seed=1, options={"moves": "1212121"}, errors=Exception)]
    found["no opening"] = [tried(env.reset, seed=1, options={"moves": "9"}, errors=Exception)]
    found["spaces"] = [str(env.observation_space), str(env.action_space), sorted(env.metadata.items())]
    holds("bridges-gymnasium", plain(found), request)


def cells_of(board, mover):
    """Return the array that PettingZoo has of a board: the discs of the player to move, then of the other."""
    grid = np.array(board.grid())
    return np.stack([grid == 1 + mover, grid == 2 - mover], axis=2).astype(np.int8)


def test_the_policies_of_pettingzoo(agent, request):
    needed("pettingzoo")
    from arena.plugins.bridges.pettingzoo import policy

    act, found = policy("some", seed=3, seconds=0.75), {}
    for moves in ("", "44", "4", "444", "445", "", "1", "121212"):
        board = Board.from_moves(moves)
        cells = cells_of(board, board.mover)
        found[f"{len(found)}: {moves}"] = [act({"observation": cells, "action_mask": None}), *notes(agent)]
    board = Board.from_moves("4435")
    found["an array"] = [policy("other")(cells_of(board, 0)), *notes(agent)]
    found["no position"] = [tried(act, np.ones((6, 7, 2), np.int8))]
    holds("bridges-pettingzoo", plain(found), request)


def test_a_framework_that_is_missing_says_how_it_is_installed(monkeypatch):
    from arena.plugins.bridges import pettingzoo

    monkeypatch.setattr(pettingzoo, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"PettingZoo.*connect4-arena\[pettingzoo\]"):
        pettingzoo.policy("greedy")


def test_the_bots_of_openspiel(agent, request):
    pyspiel = needed("pyspiel")
    from arena.plugins.bridges.openspiel import ArenaBot

    def state(moves, game="connect_four"):
        found = pyspiel.load_game(game).new_initial_state()
        for word in moves:
            found.apply_action(int(word) - 1)
        return found

    bot, found = ArenaBot("some", seed=6, seconds=1.5), {}
    for moves in ("", "12", "1", "444444", "12"):
        found[f"{len(found)}: {moves}"] = [bot.step(state(moves)), *notes(agent)]
    found["a policy"] = [*bot.step_with_policy(state("444444")), *notes(agent)]
    bot.restart()
    found["restarted"] = [bot.step(state("4444445")), *notes(agent)]
    bot.restart_at(state("44"))
    found["restarted at"] = [*bot.step_with_policy(state("44")), *notes(agent)]
    bot.inform_action(state("44"), 0, 3)
    found["informed"] = [notes(agent), bot.provides_policy()]
    small = ArenaBot("other", rules="5x4x3")
    found["a small board"] = [small.step(state("12", "connect_four(columns=5,rows=4,x_in_row=3)")), *notes(agent)]
    given = ArenaBot("third", rules=Rules(5, 4, 3))
    found["the same from rules"] = [given.step(state("12", "connect_four(columns=5,rows=4,x_in_row=3)")), *notes(agent)]
    for game in (
        "connect_four",
        "connect_four(columns=5,rows=4)",
        "connect_four(columns=4,rows=5,x_in_row=3)",
        "tic_tac_toe",
    ):
        for name, call in (("step", small.step), ("restart_at", small.restart_at)):
            found[f"{name} of {game}"] = [tried(call, state("", game)), *notes(agent)]
    found["bad rules"] = [tried(ArenaBot, "some", rules="5")]
    holds("bridges-openspiel", plain(found), request)


def unpacked(out):
    """Return the text of a submission around its files, the names of these, and the texts of a user's."""
    text = out.read_text(encoding="utf-8")
    before, packed, after = re.split(r'FILES = """\n|\n"""\nmade', text)
    assert len(packed.split("\n")[0]) == 120 >= max(map(len, packed.split("\n")))
    with zipfile.ZipFile(io.BytesIO(base64.b85decode(packed.replace("\n", "")))) as archive:
        names = archive.namelist()
        texts = {name: archive.read(name).decode() for name in names if name.endswith(".py") and "files/" in name}
    return [before.splitlines()[:3], after.splitlines(), names, texts]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with files of a user, and a small package in the place of `agents`."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "mine.py": "import helper\n\ndef choose(board):\n    return 3\n\ndef evaluate(own, opp):\n    return 0\n",
        "helper.py": "# beside it\n", "unasked.py": "# not imported\n", "net.onnx": "no network",
        "a/mine.py": "# another\ndef score(own, opp, column):\n    return 0\n", "home/agents/__init__.py": "",
        "home/agents/b/c.py": "# code\n", "home/agents/b/d.book": "a book", "home/agents/e.txt": "no code",
        "home/agents/b/f.pyc": "no code",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(kaggle, "agents", SimpleNamespace(__file__=str(tmp_path / "home/agents/__init__.py")))
    return tmp_path


def test_what_a_submission_holds(project, request):
    found = {}
    for spec, more in (
        ("alphabeta:depth=3,order=centre", {"seed": 7}), ("mine.py:choose", {}), ("mine.py", {}), ("hard", {}),
        ("alphabeta:heuristic=mine.py:evaluate,order=a/mine.py:score,compiled=no", {}), ("onnx:net.onnx", {}),
        ("net:pick=value", {}), ("net", {}),
    ):  # fmt: skip
        size = tried(submission, spec, project / "out.py", **more)
        found[spec] = [size] if isinstance(size, str) else unpacked(project / "out.py")
        assert isinstance(size, str) or size == len((project / "out.py").read_text(encoding="utf-8"))
    for spec in (
        "cmd:ls",
        "uci:ls",
        "pons:ls",
        "nope",
        "greedy|random",
        "alphabeta:depth=1..2",
        "kaggle:mine.py",
        "llm:m",
    ):
        found[spec] = [tried(submission, spec, project / "none.py", errors=Exception)]
    holds("bridges-kaggle", plain(found), request)
