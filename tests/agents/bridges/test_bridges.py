from types import SimpleNamespace

import pytest
from needs import needed

from agents.agent import Limits
from agents.board import Board, Rules
from agents.bridges import kaggle, openspiel, pettingzoo
from agents.bridges.openspiel import OpenSpiel, mcts
from agents.bridges.pettingzoo import PettingZoo, observation
from agents.errors import InputError, unknown
from agents.network import player
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import adapted, expand, parse
from agents.specs.user_agents import agent_from, last_callable


def write(folder, name, text):
    (folder / name).write_text(text)
    return str(folder / name)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("onnx:missing.onnx", "there is no file"),
        ("openspiel:alpha", "mcts"),
        ("openspiel:mcts;uct=1", "did you mean uct-c"),
        ("openspiel:mcts;max_simulations=0", "max_simulations: must be a whole number"),
        ("pettingzoo:policy", "pettingzoo:FILE.py:NAME"),
        ("pettingzoo:p.py", "write pettingzoo:FILE.py:NAME"),
        ("pettingzoo:p.py:nothing", "nothing"),
        ("pettingzoo:p.py:policy;a=1", "it takes none"),
        ("kaggle:nothing.py", "there is no file"),
    ],
)
def test_what_is_wrong_with_a_spec_is_said_in_one_line(spec, words, tmp_path, monkeypatch):
    needed("pyspiel")
    needed("onnxruntime")
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "p.py", "def policy(seen):\n    return 0\n")
    with pytest.raises(InputError, match=words) as caught:
        parse(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "extra"),
    [("onnx:p.py", "onnx"), ("openspiel:mcts", "openspiel"), ("openspiel:p.py:make", "openspiel"),
     ("openspiel:alpha", "openspiel")],
)  # fmt: skip
def test_without_its_package_one_line_says_what_to_install(spec, extra, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "p.py", "def make(game): ...\n")
    for module in ("network.player", "bridges.openspiel"):
        monkeypatch.setattr(f"agents.{module}.find_spec", lambda name: None)
    with pytest.raises(InputError, match=rf"pip install 'connect4-arena\[{extra}\]'"):
        parse(spec)


def test_a_spec_keeps_its_file_and_its_options():
    needed("pyspiel")
    (spec,) = expand("openspiel:mcts;max_simulations=50;solve=off")
    assert spec.parameters == {"from": "mcts", "max_simulations": 50, "solve": False}
    assert spec.has_process
    assert spec.source("/").words == ("mcts", "", "openspiel")


def test_openspiels_search_takes_its_own_defaults_and_the_same_seed_gives_the_same_moves():
    needed("pyspiel")
    agent = OpenSpiel(mcts, {"max_simulations": 200})
    moves = []
    for _ in range(2):
        agent.new_game(7)
        moves.append([agent.choose(Board.from_moves(text), Limits()) for text in ("", "12", "1234")])
    assert moves[0] == moves[1]
    assert agent.choose(Board.from_moves("112233"), Limits()) == 3
    agent.new_game(1)
    assert agent.choose(Board.from_moves("112233", Rules(8, 7, 4)), Limits()) == 3


def test_a_maker_that_returns_no_bot_is_refused():
    needed("pyspiel")
    agent = OpenSpiel(lambda game: 5, {})
    agent.new_game(1)
    with pytest.raises(InputError, match="which is no bot"):
        agent.choose(Board(), Limits())


def test_a_maker_is_given_what_it_asks_for():
    needed("pyspiel")
    seen = {}

    class Bot:
        def inform_action(self, *given):
            pass

        def step(self, state):
            return 3

    def make_bot(seed, game, depth=2, *, player):
        seen.update(seed=seed, depth=depth, player=player, game=str(game))
        return Bot()

    agent = OpenSpiel(make_bot, {"depth": 5})
    agent.new_game(9)
    assert agent.choose(Board.from_moves("1"), Limits()) == 3
    assert seen == {"seed": 9, "depth": 5, "player": 1, "game": "connect_four()"}
    agent = OpenSpiel(make_bot, {"seed": 3, "player": 0})  # as the spec says
    agent.new_game(9)
    agent.choose(Board.from_moves("1", Rules(6, 5, 3)), Limits())
    assert seen == {
        "seed": 3, "depth": 2, "player": 0, "game": "connect_four(columns=6,rows=5,x_in_row=3)",
    }  # fmt: skip


def test_a_policy_sees_the_board_from_above_and_the_movers_discs_first():
    seen = observation(Board.from_moves("112333333"))
    assert seen["observation"].shape == (6, 7, 2)
    assert seen["observation"][5, 0].tolist() == [0, 1]  # the first player's disc, and the second moves
    assert seen["observation"][4, 0].tolist() == [1, 0]
    assert seen["action_mask"].tolist() == [1, 1, 0, 1, 1, 1, 1]
    first, second = (observation(Board.from_moves("112333333"), player)["observation"] for player in (0, 1))
    assert second.tolist() == seen["observation"].tolist() == first[:, :, ::-1].tolist()
    agent = PettingZoo(lambda board, mask: int(mask.argmin()) + int(board.shape[0]) - 6)
    assert agent.choose(Board.from_moves("333333"), Limits()) == 2
    with pytest.raises(InputError, match="7x6x4"):
        agent.prepare(Rules(8, 7, 4))


class Told:
    """A bot that keeps what it is told, and plays a column of its own."""

    def __init__(self, column):
        self.column, self.told = column, []

    def inform_action(self, state, player, move):
        self.told.append((len(state.history()), player, move))

    def step(self, state):
        self.told.append(("step", state.history()))
        return self.column


def test_a_bot_is_told_each_move_once_and_in_another_line_of_play_a_new_one_is_told_all():
    needed("pyspiel")
    made = []

    def make(column):
        made.append(Told(column))
        return made[-1]

    agent = OpenSpiel(make, {"column": 6})
    agent.new_game(1)
    agent.choose(Board.from_moves("1"), Limits())
    agent.choose(Board.from_moves("172"), Limits())
    agent.choose(Board.from_moves("114"), Limits())  # it had played 7
    first, second = made
    assert first.told == [(0, 0, 0), ("step", [0]), (2, 0, 1), ("step", [0, 6, 1])]
    assert second.told == [(0, 0, 0), (1, 1, 0), (2, 0, 3), ("step", [0, 0, 3])]
    agent.new_game(2)
    agent.choose(Board.from_moves("1147"), Limits())  # goes on as the last game did
    assert [each[0] for each in made[2].told] == [0, 1, 2, 3, "step"]
    agent.choose(Board.from_moves("67", Rules(7, 5)), Limits())
    assert (len(made), str(agent._game)) == (4, "connect_four(columns=7,rows=5,x_in_row=4)")
    agent.choose(Board.from_moves("67"), Limits())
    assert str(agent._game) == "connect_four()"


def test_the_bot_of_openspiel_is_asked_for_what_its_spec_says_and_writes_nothing(monkeypatch):
    pyspiel = needed("pyspiel")
    asked, bot = [], SimpleNamespace(step=len)
    monkeypatch.setattr(pyspiel, "RandomRolloutEvaluator", lambda *given: ("rollouts", *given))
    monkeypatch.setattr(pyspiel, "MCTSBot", lambda *given, **named: asked.append((given, named)) or bot)
    options = {"uct_c": 1.5, "max_simulations": 9, "n_rollouts": 3, "max_memory_mb": 7, "solve": False}
    agent = OpenSpiel(mcts, options)
    agent.prepare(Rules())
    agent.new_game((5 << 31) + 7)
    for limits in (Limits(), Limits(seconds=2.0)):
        agent._new_bot(0, limits)
    given = (agent._game, ("rollouts", 3, 7), 1.5, 9, 7, False, 7, False)
    assert asked == [(given, {"max_wall_clock_time": seconds}) for seconds in (-1.0, 1.8)]


LAST = """
import sys
def helper(x):
    return x
{text}
"""


@pytest.mark.parametrize(
    "text",
    [
        "def my_bot(o): return [c for c in range(7) if o.board[c] == 0][2]",
        "def whatever(a, b): return [c for c in range(b.columns) if a['board'][c] == 0][2]",
        "def agent(x, y): return min(range(2, y['columns']), key=lambda c: x.board[c])",
        "run = lambda o, c: 2",
        "class Bot:\n    def __call__(self, o, c): return 2\nrun = Bot()",
        "def obs_agent(obs): return 2",
        "def play(observation, configuration): return 2 if configuration.actTimeout == 2 else 9",
    ],
)
def test_kaggles_agents_play_unchanged_whatever_their_parameters_are_called(text, tmp_path):
    path = tmp_path / "bot.py"
    path.write_text(LAST.format(text=text))
    agent = last_callable(path)
    assert agent.choose(Board(), Limits()) == 2
    (spec,) = expand(str(path))
    made = SubprocessAgent(spec.source())
    try:
        made.prepare(Rules())
        assert made.choose(Board(), Limits()).column == 2
    finally:
        made.close()


def test_kaggles_overage_shrinks_by_what_moves_take_beyond_their_time(monkeypatch):
    times = iter([0.0, 1.0, 10.0, 15.0, 20.0, 21.0, 0.0, 100.0, 0.0, 1.0])
    monkeypatch.setattr("agents.specs.user_agents.time.perf_counter", lambda: next(times))
    seen = []

    def agent(observation, configuration):
        seen.append((observation.remainingOverageTime, configuration.agentTimeout, configuration.runTimeout))
        return 0

    made = agent_from(agent, "bot.py:agent", {})
    for _ in range(4):
        made.choose(Board(), Limits())
    assert [left for left, _, _ in seen] == [60.0, 60.0, 57.0, 57.0]
    assert {each[1:] for each in seen} == {(60.0, 1200)}
    made.choose(Board(), Limits())
    assert seen[-1][0] == 0.0
    made.new_game(1)
    assert made.overage == 60.0


def test_a_file_with_an_agent_of_ours_is_none_of_kaggles(tmp_path):
    path = tmp_path / "bot.py"
    for text, kind in (
        ("def choose(board): return 0\ndef other(x): return 1", "choose"),
        ("class A:\n    def choose(self, board, limits): return 0\ndef other(x): return 1", "A"),
    ):
        path.write_text(text)
        assert parse(str(path)).kind.endswith(f":{kind}")
    path.write_text("def value(own, opp): return 0")
    with pytest.raises(InputError, match="searches with its heuristic"):
        parse(str(path))


def test_the_options_of_a_bot_in_a_file_are_plain_values(tmp_path):
    needed("pyspiel")
    path = write(tmp_path, "bot.py", "def make(depth, name): ...\n")
    spec = parse(f"openspiel:{path}:make;depth=4;name=x")
    assert spec.source().options == (("depth", 4), ("name", "x"))


def test_openspiel_refuses_rules_that_its_game_has_not():
    needed("pyspiel")
    rules = Rules(6, 5, 4, most_fours=True)
    with pytest.raises(InputError) as raised:
        OpenSpiel(mcts, {}).prepare(rules)
    assert str(raised.value) == f"OpenSpiel does not play on {rules}"


def test_each_prefix_makes_its_guest_of_a_file_or_a_name(tmp_path):
    needed("pyspiel")
    path = write(
        tmp_path, "p.py", "def make(game): ...\ndef policy(seen):\n    return 5\ndef act(a, b):\n    return 4\n"
    )
    named, by_file = (
        adapted(("mcts", "", "openspiel"), {"solve": False}),
        adapted((path, "make", "openspiel"), {"a": 1}),
    )
    assert (type(named), named.maker, named.options) == (OpenSpiel, mcts, {"solve": False})
    assert (by_file.maker.__name__, by_file.options) == ("make", {"a": 1})
    assert adapted((path, "policy", "pettingzoo"), {}).choose(Board(), Limits()) == 5
    assert adapted((path, "", "kaggle"), {}).choose(Board(), Limits()) == 4
    net = adapted(("some.onnx", "", "onnx"), {"pick": "puct", "simulations": 7, "layout": "own,top"})
    assert (str(net.file), net.pick, net.simulations, net.layout) == ("some.onnx", "puct", 7, "own,top")


def test_what_a_spec_may_say_depends_on_its_prefix():
    needed("pyspiel")
    needed("onnxruntime")
    assert openspiel.spec_parameters("p.py", "make") is None
    assert {*openspiel.spec_parameters("mcts", "")} == {
        "max_simulations", "uct_c", "n_rollouts", "solve", "max_memory_mb"
    }  # fmt: skip
    assert {*player.spec_parameters("a.onnx", "")} == {"pick", "simulations", "seconds", "batch", "c", "layout"}
    for prefix in (kaggle, pettingzoo):
        assert prefix.spec_parameters("p.py", "f") == {}
    with pytest.raises(InputError) as raised:
        parse("openspiel:alpha")
    assert str(raised.value) == (
        f"agent 'openspiel:alpha': {unknown('OpenSpiel bot', 'alpha', ['mcts'])}; FILE.py:make_bot names one of a file"
    )


class Policy:
    """A policy that is a class, and takes one array or two by what it needs."""

    def __call__(self, seen, *, more=None):
        return int(seen["action_mask"].sum())


def test_a_policy_may_be_a_class_and_gets_as_much_as_it_needs():
    board = Board.from_moves("111111")
    assert PettingZoo(Policy).choose(board, Limits()) == 6
    assert PettingZoo(Policy()).choose(board, Limits()) == 6
    for policy, both in (
        (lambda seen: 1, False), (lambda board, mask: 1, True), (lambda seen, more=2: 1, False),
        (lambda seen, *more, **others: 1, False), (lambda board, mask, *more: 1, True),
    ):  # fmt: skip
        agent = PettingZoo(policy)
        assert agent.both is both
        assert agent.choose(board, Limits()) == 1
    PettingZoo(Policy).prepare(Rules())


def test_a_board_is_seen_by_either_player():
    board = Board.from_moves("1213")
    first, second, mover = observation(board, 0), observation(board, 1), observation(board)
    assert (first["observation"] == mover["observation"]).all()
    assert (first["observation"][:, :, ::-1] == second["observation"]).all()
    assert first["observation"][5].tolist() == [[1, 0], [0, 1], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]]
    assert (first["observation"].dtype, first["action_mask"].dtype) == ("int8", "int8")
    assert observation(Board.from_moves("1212121"))["action_mask"].tolist() == [0] * 7
