import importlib.util
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from needs import needed, needs

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from agents.network import player as network
from agents.network.player import LAYOUTS, OWN, Model, Network, wins_in_one
from agents.specs.registry import parse

pytestmark = needs("onnxruntime")

ROOT = Path(__file__).parents[3]


def boards(count, seed=1):
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        board, plies = Board(), chance.randrange(42)
        while board.outcome is None and board.ply < plies:
            board = board.play(chance.choice(board.legal_moves()))
        found += [board] if board.outcome is None else []
    return found


def load(name):
    path = ROOT / "results" / "network" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "text", ["net", "net:pick=value", "net:pick=puct,simulations=30", "net:pick=puct,batch=1,simulations=50"]
)
def test_the_network_that_comes_along_plays_legal_moves_alike_on_mirrored_boards(text):
    agent = parse(text).build()
    for board in boards(12 if "puct" in text else 40):
        made = agent.choose(board, Limits())
        assert made.column in board.legal_moves()
        assert made.pv[0] == made.column
        assert -1000 <= made.score <= 1000
        other = agent.choose(board.mirror(), Limits())
        if board != board.mirror() and "batch=1" not in text:
            assert abs(other.score - made.score) <= 1 or "puct" in text
            equal = abs(made.score) == 1000  # all moves are alike then, and the order of columns decides
            assert other.column == 6 - made.column or "puct" in text or equal


@pytest.mark.skipif(not JIT, reason="the solver takes a minute as plain Python")
def test_its_policy_keeps_the_value_of_most_positions():
    from agents.solver.solver import Solver

    solver, agent, kept = Solver(Rules(), 16), Network(), []
    for board in [each for each in boards(400, 5) if each.ply >= 16][:150]:
        scores = solver.column_scores(board.own, board.opp, weak=True)
        best = max(score for score in scores if score is not None)
        kept.append(scores[agent.choose(board, Limits()).column] == best)
    assert np.mean(kept) > 0.85


def test_its_search_wins_and_blocks_in_one_and_stays_within_its_limits():
    agent = Network(pick="puct", simulations=300)
    for board in boards(60, 2):
        if wins := wins_in_one(board):
            assert agent.choose(board, Limits()).column in wins
    assert agent.choose(Board(), Limits(nodes=20)).nodes <= 21
    assert agent.choose(Board(), Limits(seconds=0.05)).nodes > 1
    few = Network(pick="puct", simulations=3, batch=1)
    few.prepare(Board().rules)
    assert few.choose(Board(), Limits()).nodes <= 4
    assert few.choose(Board(), Limits(seconds=0.5)).nodes > 8  # simulations are for moves without a limit of time


def test_it_is_no_larger_than_was_promised():
    assert OWN.stat().st_size <= 2_000_000
    onnx = needed("onnx")
    model = onnx.load(OWN)
    assert sum(int(np.prod(each.dims)) for each in model.graph.initializer) <= 400_000


def test_the_features_of_the_training_are_those_that_one_counts():
    train = load("train")
    for board in boards(30, 3):
        features = train.packed(np.array([board.own]), np.array([board.opp]))[0]
        mirror = board.mirror()
        assert (train.packed(np.array([mirror.own]), np.array([mirror.opp]))[0] == features[train.MIRRORED]).all()
        wins = features[2 * 42 : 3 * 42]
        playable = features[4 * 42 : 5 * 42]
        for cell, (row, column) in enumerate(train.CELLS):
            bit = 1 << 7 * column + row
            empty = not (board.own | board.opp) & bit
            assert wins[cell] == (empty and bool(board.rules.line(board.own | bit)))
            lower = 1 << 7 * column + row - 1 if row else 0
            assert playable[cell] == (empty and (row == 0 or bool((board.own | board.opp) & lower)))


def test_the_file_answers_as_the_training_does(tmp_path):
    needed("onnx")
    train = load("train")
    network = train.Network(5)
    train.save(network, tmp_path / "small.onnx")
    model = Model(tmp_path / "small.onnx")
    seen = boards(50, 4)
    inputs = train.packed(np.array([b.own for b in seen]), np.array([b.opp for b in seen]))
    policies, values = model(seen)
    wanted = train.both(network, inputs)
    for board, policy, own in zip(seen, policies, wanted, strict=True):
        legal = list(board.legal_moves())
        assert np.allclose(policy[legal], own[legal], atol=1e-3)
        assert all(policy[column] < -1000 for column in range(7) if column not in legal)
    chance = train.softmax(
        (
            network.forward(inputs.astype(np.float32))[-1]
            + network.forward(inputs[:, train.MIRRORED].astype(np.float32))[-1]
        )[:, 28:]
        / 2
    )
    assert np.allclose(values, chance[:, 2] - chance[:, 0], atol=1e-3)


def test_one_step_of_training_goes_down_the_slope_of_the_loss():
    train = load("train")
    chance = np.random.default_rng(0)
    outputs = chance.normal(size=(3, train.OUTPUTS)).astype(np.float64)
    scores = np.array([[1, 0, -2, 3, -128, 0, 1], [0] * 7, [-3, -2, -128, -1, -1, 0, -2]], np.int8)

    def loss(outputs):
        legal = scores != train.FULL
        signs = np.where(legal, np.sign(scores.astype(int)), -2)
        good = signs == signs.max(1, keepdims=True)
        policy = train.softmax(np.where(legal, outputs[:, :7], -1e9))
        columns = train.softmax(outputs[:, 7:28].reshape(-1, 7, 3))
        value = train.softmax(outputs[:, 28:])
        total = -np.log((policy * good).sum(1))
        for row in range(3):
            total[row] -= 0.3 * sum(np.log(columns[row, c, signs[row, c] + 1]) for c in range(7) if legal[row, c])
            total[row] -= 0.3 * np.log(value[row, signs[row].max() + 1])
        return total.mean()

    found = train.slopes(outputs, scores)
    for row in range(3):
        for place in range(train.OUTPUTS):
            there, back = outputs.copy(), outputs.copy()
            there[row, place] += 1e-5
            back[row, place] -= 1e-5
            assert found[row, place] == pytest.approx((loss(there) - loss(back)) / 2e-5, abs=1e-6)


@pytest.fixture(scope="module")
def ours():
    """The network that comes along."""
    return Network()


def turned(path, layout, planes, *, last=False, values_of_first=False):
    """Write our network into a file that sees the board in another layout, by steps in front of it."""
    onnx = needed("onnx")
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(OWN)
    graph, steps, constants = model.graph, [], []

    def constant(value):
        constants.append(numpy_helper.from_array(np.array(value), f"turned_{len(constants)}"))
        return constants[-1].name

    def do(operator, *inputs, **attributes):
        name = f"step_{len(steps)}"
        steps.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    seen = "seen"
    shape = ["n", 42] if planes == 1 else ["n", 6, 7, planes] if last else ["n", planes, 6, 7]
    if planes == 1:
        seen = do("Reshape", seen, constant(np.array([-1, 1, 6, 7], np.int64)))
        two = 2.0 if "counted" in layout else -1.0
        sides = [do("Cast", do("Equal", seen, constant(np.float32(each))), to=TensorProto.FLOAT) for each in (1.0, two)]
        seen = do("Concat", *sides, axis=1)
    elif last:
        seen = do("Transpose", seen, perm=[0, 3, 1, 2])
    seen = do("Gather", seen, constant(np.array([0, 1], np.int64)), axis=1)
    if "top" in layout:
        seen = do("Gather", seen, constant(np.arange(5, -1, -1)), axis=2)
    if "first" in layout:
        count = do("ReduceSum", seen, constant(np.array([1, 2, 3], np.int64)), keepdims=1)
        odd = do("Equal", do("Mod", count, constant(np.float32(2)), fmod=1), constant(np.float32(1)))
        seen = do("Where", odd, do("Gather", seen, constant(np.array([1, 0], np.int64)), axis=1), seen)
        if values_of_first:
            sign = do(
                "Sub",
                constant(np.float32(1)),
                do("Mul", constant(np.float32(2)), do("Mod", count, constant(np.float32(2)), fmod=1)),
            )
            flat = do("Reshape", sign, constant(np.array([-1, 1], np.int64)))
    for node in graph.node:
        node.input[:] = [seen if each == "board" else each for each in node.input]
        node.output[:] = ["own_value" if each == "value" and values_of_first else each for each in node.output]
    after = [helper.make_node("Mul", ["own_value", flat], ["value"])] if values_of_first else []
    nodes = [*steps, *graph.node, *after]
    made = helper.make_graph(
        nodes, "turned", [helper.make_tensor_value_info("seen", TensorProto.FLOAT, shape)], list(graph.output),
        [*graph.initializer, *constants],
    )  # fmt: skip
    onnx.save(helper.make_model(made, opset_imports=model.opset_import, ir_version=model.ir_version), path)
    return path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("planes", "last"), [(2, False), (3, False), (2, True), (1, False)])
def test_the_layout_of_a_network_is_found(layout, planes, last, ours, tmp_path):
    if planes > 1 and "counted" in layout:
        pytest.skip("planes have no code")
    agent = Network(file=turned(tmp_path / "turned.onnx", layout, planes, last=last))
    agent.prepare(Rules())
    assert f"layout {layout}:" in agent.about
    for board in boards(15, 6):
        assert agent.choose(board, Limits()).column == ours.choose(board, Limits()).column


def test_a_file_that_takes_four_boards_at_a_time_answers_any_number(tmp_path):
    onnx = needed("onnx")
    model = onnx.load(OWN)
    for each in (*model.graph.input, *model.graph.output):
        each.type.tensor_type.shape.dim[0].dim_value = 4
    onnx.save(model, tmp_path / "four.onnx")
    fixed, free = Model(tmp_path / "four.onnx"), Model(OWN)
    assert (fixed.most, free.most) == (4, None)
    for number in (1, 4, 10):
        for one, other in zip(fixed(boards(number)), free(boards(number)), strict=True):
            assert np.allclose(one, other, atol=1e-4)


def test_values_of_the_first_player_are_noticed(ours, tmp_path):
    agent = Network(file=turned(tmp_path / "turned.onnx", "first,top", 2, values_of_first=True))
    agent.prepare(Rules())
    assert "layout first,top, values for the first player:" in agent.about
    for board in boards(15, 7):
        assert agent.choose(board, Limits()).score == pytest.approx(ours.choose(board, Limits()).score, abs=1)


@pytest.mark.parametrize(
    ("content", "words"), [(b"", "no network"), (b"no network", "no network"), (None, "there is no file")]
)
def test_what_is_no_network_is_refused_in_one_line(content, words, tmp_path):
    path = tmp_path / "x.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        Network(file=path).prepare(Rules())
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith("x.onnx is no network" if content is not None else f"there is no file {path}")


def test_a_network_of_another_shape_or_board_is_refused(tmp_path):
    onnx = needed("onnx")
    from onnx import TensorProto, helper

    def file(shape, size):
        node = helper.make_node("Identity", ["x"], ["y"])
        given = helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)
        graph = helper.make_graph([node], "g", [given], [helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)])
        path = tmp_path / f"{size}.onnx"
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
        return path

    with pytest.raises(InputError, match="2 or 3 planes"):
        Network(file=file(["n", 9], 9)).prepare(Rules())
    with pytest.raises(InputError, match=r"outputs of \[42\] numbers"):
        Network(file=file(["n", 42], 42)).prepare(Rules())
    with pytest.raises(InputError, match="7x6x4"):
        Network().prepare(Rules(8, 7, 4))
    with pytest.raises(InputError, match="must be own,bottom or"):
        Network(layout="up").prepare(Rules())


def with_outputs(path, *names):
    """Write our network with these of its outputs into a file."""
    onnx = needed("onnx")
    model = onnx.load(OWN)
    kept = [each for each in model.graph.output if each.name in names]
    del model.graph.output[:]
    model.graph.output.extend(kept)
    onnx.save(model, path)
    return path


@pytest.mark.parametrize(
    ("output", "picks", "missing", "wrong"),
    [("policy", "policy", "value", ("value", "puct")), ("value", "value", "policy", ("policy",))],
)
def test_a_network_plays_by_what_it_has_and_says_what_another_pick_needs(tmp_path, output, picks, missing, wrong):
    path = with_outputs(tmp_path / "half.onnx", output)
    agent, own = Network(file=path), Network(pick=picks)
    agent.prepare(Rules())
    assert agent.pick == picks
    for board in boards(10, 8):
        made = own.choose(board, Limits())
        assert agent.choose(board, Limits()) == (made if picks == "value" else replace(made, score=None))
    for pick in wrong:
        with pytest.raises(InputError) as raised:
            Network(file=path, pick=pick).prepare(Rules())
        assert str(raised.value) == f"half.onnx has no {missing} among its outputs, which pick={pick} needs"


def test_a_search_that_is_stopped_answers_with_what_it_has_and_the_next_one_is_whole():
    agent = Network(pick="puct", simulations=10**6, batch=1)
    agent.prepare(Rules())
    left, ask = iter([None] * 3), agent._model.priors

    def priors(boards):
        if next(left, agent) is agent:
            agent.stop()
        return ask(boards)

    agent._model.priors = priors
    assert agent.choose(Board(), Limits(seconds=20.0)).nodes <= 6
    agent._model.priors = ask
    assert agent.choose(Board(), Limits(nodes=30)).nodes > 10


def test_the_positions_that_a_layout_is_found_by_are_not_over_and_half_of_them_have_a_win_in_one():
    found = network._sample()
    assert len(found) == network.SAMPLE
    assert [bool(wins_in_one(board)) for board in found] == [True] * (len(found) // 2) + [False] * (len(found) // 2)
    assert {board.outcome for board in found} == {None}
    assert len({board.key for board in found}) > 0.9 * len(found)
