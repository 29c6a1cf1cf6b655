"""What a network's file is asked and how its answers are read; a function of numpy stands in for the file."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from recorded import holds, plain, tried

from agents.agent import Limits
from agents.board import Board, Rules
from agents.network import player as network
from agents.network.player import LAYOUTS, Model, Network

FILE = Path("some.onnx")
BOARDS = [Board.from_moves(moves) for moves in ("", "1", "4453621", "112233", "1112223", "77")]
DRAWN = "442761225377252342545563474175371666631311"
"""A game to the full board."""
LAST = Board.from_moves(DRAWN[:41])
"""One cell is empty, and the disc in it ends the game with a draw."""
SHAPES = (["n", 42], [None, 2, 6, 7], ["n", 3, 6, 7], ["n", 6, 7, 2], ["n", 6, 7, 3])


class Session:
    """Stands in for a file: outputs by functions of the boards that it is given, which it keeps."""

    def __init__(self, shape, *outputs, kind="tensor(float)", inputs=1):
        self.shape, self.outputs, self.kind, self.inputs = shape, outputs, kind, inputs
        self.given = []

    def get_inputs(self):
        return [SimpleNamespace(name=f"in{each}", shape=self.shape, type=self.kind) for each in range(self.inputs)]

    def run(self, names, given):
        [(name, seen)] = given.items()
        assert (names, name) == (None, "in0")
        self.given.append(seen)
        return [output(seen) for output in self.outputs]


def policy(seen):
    """Return a number for each column of each board, by the discs in it."""
    flat = np.reshape(seen, (len(seen), -1)).astype(float)
    return flat[:, :7] + np.array([3, 1, 4, 1, 5, 9, 2]) / 10


def value(seen):
    return np.reshape(seen, (len(seen), -1)).astype(float) @ np.arange(np.prod(seen.shape[1:])) / 1000


def opened(monkeypatch, *given, **named):
    """Return a model of a file that answers so, and the file."""
    session = Session(*given, **named)
    monkeypatch.setattr(network, "_session", lambda file: session)
    return Model(FILE), session


def test_every_layout_shows_the_sides_and_rows_as_it_says_in_every_shape(monkeypatch, request):
    found = {}
    for shape in SHAPES:
        model, session = opened(monkeypatch, shape, policy, value)
        for layout in LAYOUTS:
            model.layout = layout
            session.given.clear()
            model(BOARDS)
            [seen] = session.given
            assert (seen.dtype, seen.shape) == ("float32", (len(BOARDS), *shape[1:]))
            found[f"{shape} {layout}"] = ["".join(f"{int(each):d}" for each in board.ravel()) for board in seen]
    holds("players-onnx-seen", found, request)


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("float", "float32"), ("double", "float64"), ("float16", "float16"), ("int8", "int8"), ("int32", "int32")],
)
def test_a_file_is_given_numbers_of_its_type(monkeypatch, kind, dtype):
    model, session = opened(monkeypatch, ["n", 42], policy, kind=f"tensor({kind})")
    model(BOARDS[:2])
    assert [each.dtype for each in session.given] == [dtype, dtype]


def test_what_cannot_be_a_network_of_the_arena_is_told_what_it_has(monkeypatch, request):
    one, seven, other = (lambda seen, size=size: np.zeros((len(seen), size)) for size in (1, 7, 5))
    found = {}
    for label, given, named in (
        ("two inputs", (["n", 42], seven), {"inputs": 2}), ("no shape", ([], seven), {}),
        ("a scalar", (None, seven), {}), ("names alone", (["n", "m"], seven), {}), ("84", (["n", 84], seven), {}),
        ("four planes", (["n", 4, 6, 7], seven), {}), ("43", (["n", 43], seven), {}),
        ("text", (["n", 42], seven), {"kind": "tensor(string)"}), ("five numbers", (["n", 42], other, other), {}),
        ("all", (["n", 42], one, seven), {}), ("value", (["n", 42], other, one), {}),
        ("four at a time", ([4, 42], seven), {}), ("one at a time", ([1, 2, 6, 7], other, seven, one), {}),
        ("twice", (["n", 42], seven, one, one, seven), {}),
    ):  # fmt: skip
        found[label] = tried(lambda given=given, named=named: described(opened(monkeypatch, *given, **named)[0]))
    holds("players-onnx-files", plain(found), request)


def described(model):
    told = [model.name, model.shape, model.planes, model.most, model.has_policy, model.has_value, model.outputs]
    return [*told, model.layout, model.sign_of_first]


@pytest.mark.parametrize("most", [None, 1, 2, 4, 9])
@pytest.mark.parametrize("of_first", [False, True])
def test_a_file_answers_for_each_board_however_many_it_takes_and_whoever_it_counts_for(monkeypatch, most, of_first):
    model, session = opened(monkeypatch, [most, 42], policy, lambda seen: value(seen)[:, None])
    model.sign_of_first = of_first
    session.given.clear()
    policies, values = model(BOARDS)
    shown = model._inputs(BOARDS)
    assert np.allclose(policies, policy(shown))
    signs = np.array([-1.0 if of_first and board.mover else 1.0 for board in BOARDS])
    assert np.allclose(values, signs * value(shown))
    sizes = {None: [6], 1: [1] * 6, 2: [2] * 3, 4: [4, 4], 9: [9]}
    assert [len(each) for each in session.given] == sizes[most]


def test_of_several_outputs_of_a_size_the_first_counts_and_what_a_file_has_not_is_zero(monkeypatch):
    model, _ = opened(monkeypatch, ["n", 42], policy, lambda seen: 9 * policy(seen))
    policies, values = model(BOARDS)
    assert np.allclose(policies, policy(model._inputs(BOARDS)))
    assert values.tolist() == [0.0] * 6
    model, _ = opened(monkeypatch, ["n", 42], value, lambda seen: 9 * value(seen))
    policies, values = model(BOARDS)
    assert np.allclose(values, value(model._inputs(BOARDS)))
    assert policies.tolist() == [[0.0] * 7] * 6


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_refused_in_either_output(monkeypatch, place, odd):
    outputs = [policy, value]
    outputs[place] = lambda seen: np.full((len(seen), 7 if not place else 1), odd)
    model, _ = opened(monkeypatch, ["n", 42], *outputs)
    assert tried(model, BOARDS) == "InputError: the network's output is not finite"


def test_chances_are_of_the_legal_columns_and_those_of_a_file_that_gives_none_are_made(monkeypatch, request):
    full = Board.from_moves("444444")
    chances = np.array([0.1, 0.2, 0.05, 0.4, 0.05, 0.1, 0.1])
    outputs = {
        "chances": chances, "all in a full column": np.eye(7)[3], "logits": np.array([1, 2, 3, 40, 3, 2, 700.0]),
        "below 0": chances - [0.3, 0, 0, 0, 0, 0, -0.3], "more than 1": chances * 1.5, "almost 1": chances * 1.0009,
        "alike": np.zeros(7),
    }  # fmt: skip
    found = {}
    for name, given in outputs.items():
        model, _ = opened(
            monkeypatch,
            ["n", 42],
            lambda seen, given=given: np.tile(given, (len(seen), 1)),
            lambda seen, most=900 if name == "alike" else 3: most * value(seen),
        )
        found[name] = [[[*map(list, each.items())], worth] for each, worth in model.priors([Board(), full])]
    holds("players-onnx-chances", plain(found), request, within=1e-6)


def playing(monkeypatch, *outputs, **settings):
    """Return an agent whose file answers so, without a search for its layout."""
    session = Session(["n", 2, 6, 7], *outputs)
    monkeypatch.setattr(network, "_session", lambda file: session)
    return Network(file=FILE, **{"layout": "own,bottom"} | settings)


def test_every_pick_answers_as_it_did(monkeypatch, request):
    boards = [*BOARDS, Board.from_moves("444444"), Board.from_moves(DRAWN[:39]), LAST, Board.from_moves("1212121")]
    found = {}
    for pick in ("policy", "value", "puct"):
        agent = playing(monkeypatch, policy, value, pick=pick, simulations=20, batch=3)
        for board in boards[:-1]:
            found[f"{pick} {board.text}"] = [
                agent.choose(board, limits) for limits in (Limits(), Limits(depth=1, nodes=7))
            ]
    alone = playing(monkeypatch, policy)
    found["a policy alone"] = [alone.choose(board, Limits()) for board in boards[:3]]
    alone = playing(monkeypatch, value)
    found["a value alone"] = [alone.choose(board, Limits()) for board in boards[:3]]
    found["its search"] = playing(monkeypatch, value, pick="puct", simulations=9).choose(BOARDS[2], Limits())
    for pick, output in (("policy", value), ("value", policy), ("puct", policy)):
        found[f"{pick} missing"] = tried(playing(monkeypatch, output, pick=pick).prepare, Rules())
    found["layouts"] = [tried(playing(monkeypatch, value, layout=text).prepare, Rules()) for text in (
        "top", "first,top", "own,bottom,counted")]  # fmt: skip
    found["boards"] = [tried(agent.prepare, rules) for rules in (Rules(7, 6, 5), Rules(most_fours=True), Rules(6, 7))]
    holds("players-onnx-picks", plain(found), request, within=1e-6)


def test_a_draw_that_fills_the_board_is_worth_nothing_whatever_the_file_says(monkeypatch):
    [column] = LAST.legal_moves()
    assert LAST.play(column).outcome.winner is None
    agent = playing(monkeypatch, lambda seen: np.full((len(seen), 1), 0.7), pick="value")
    assert (agent.choose(LAST, Limits()).column, agent.choose(LAST, Limits()).score) == (column, 0)
    won = agent.choose(BOARDS[3], Limits())
    assert (won.column, won.score, won.nodes) == (3, 1000, 8)
    lost = agent.choose(Board(), Limits())
    assert (lost.column, lost.score) == (3, -700)


@pytest.mark.parametrize(
    ("own", "limits", "grown"),
    [
        ({}, {}, [10] * 20), ({"simulations": 25}, {}, [10, 10, 5]), ({"simulations": 25}, {"nodes": 12}, [10, 2]),
        ({"simulations": 25}, {"nodes": 50}, [10, 10, 5]), ({"seconds": 2.0}, {}, [10] * 31),
        ({}, {"seconds": 2.0}, [10] * 31), ({"seconds": 2.0, "simulations": 25}, {"nodes": 55}, [10] * 5 + [5]),
        ({"seconds": 2.0}, {"seconds": 1.0}, [10] * 16), ({"seconds": 1.0}, {"seconds": 2.0}, [10] * 16),
        ({"batch": 64}, {"depth": 1}, [64, 64, 64, 8]),
    ],
)  # fmt: skip
def test_a_search_ends_by_the_tighter_time_by_its_nodes_or_by_its_simulations(monkeypatch, own, limits, grown):
    clock, asked = [100.0], []

    class Tree:
        def __init__(self, board, priors, c):
            self.visits, self.evaluated, self.given = 0, 1, (board, c)
            self.root = SimpleNamespace(mean=lambda column: column / 10)
            asked.append(self)

        def grow(self, batch):
            asked.append(batch)
            self.visits += batch
            clock[0] += 0.0625

        def line(self):
            return [4, 2]

    monkeypatch.setattr(network, "PuctTree", Tree)
    monkeypatch.setattr(network.time, "perf_counter", lambda: clock[0])
    agent = playing(monkeypatch, policy, value, **{"pick": "puct", "batch": 10, "c": 0.25} | own)
    found = agent.choose(BOARDS[1], Limits(**limits))
    assert asked[0].given == (BOARDS[1], 0.25)
    assert asked[1:] == grown
    assert (found.column, found.score, found.depth, found.nodes, found.pv) == (4, 400, 0, 1, (4, 2))


def test_the_layout_that_is_found_is_told_with_how_well_it_suits(monkeypatch, request):
    found = {"the sample": [board.text for board in network._sample()][::7]}
    monkeypatch.setattr(network, "SAMPLE", 24)
    for name, outputs in {"both": (policy, value), "policy": (policy,), "value": (value,)}.items():
        for shape in SHAPES[:2]:
            model, _ = opened(monkeypatch, shape, *outputs)
            found[f"{name} {shape}"] = [model.fit(), model.layout, model.sign_of_first]
    agent = playing(monkeypatch, policy, value, layout=None)
    agent.prepare(Rules())
    found["an agent"] = [agent.about, agent.pick]
    agent = playing(monkeypatch, policy, value)
    agent.prepare(Rules())
    found["with a layout of its own"] = [agent.about, agent.pick]
    holds("players-onnx-layouts", plain(found), request)
