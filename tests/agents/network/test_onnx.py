"""What a network's file is asked and how its answers are read; a function of numpy stands in for the file."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from samples import cells_of

from agents.agent import Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.network import player as network
from agents.network.player import LAYOUTS, Model, Network, Onnx
from agents.specs.parameters import parameters

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


def shown(board, layout, shape):
    """Return a board as a layout says, cell by cell."""
    cells = cells_of(board.own, board.opp, board.rules)
    planes = 1 if shape == [42] else min(shape[0], shape[-1])
    picture = np.zeros((planes, 6, 7))
    for row in range(6):
        for column in range(7):
            disc = cells.get((column, 5 - row if "top" in layout else row), 0)
            disc = -disc if "first" in layout and board.mover else disc
            if planes == 1:
                picture[0, row, column] = 2 if disc == -1 and "counted" in layout else disc
            else:
                picture[:, row, column] = [disc == 1, disc == -1, disc == 0][:planes]
    return np.moveaxis(picture, 0, -1) if shape[-1] == planes else picture.reshape(shape)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_layout_shows_the_sides_and_rows_as_it_says_in_every_shape(monkeypatch, shape):
    model, session = opened(monkeypatch, shape, policy, value)
    for layout in LAYOUTS:
        model.layout = layout
        session.given.clear()
        model(BOARDS)
        [seen] = session.given
        assert (seen.dtype, seen.shape) == ("float32", (len(BOARDS), *shape[1:]))
        assert seen.tolist() == [shown(board, layout, shape[1:]).tolist() for board in BOARDS]


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [("float", "float32"), ("double", "float64"), ("float16", "float16"), ("int8", "int8"), ("int32", "int32")],
)
def test_a_file_is_given_numbers_of_its_type(monkeypatch, kind, dtype):
    model, session = opened(monkeypatch, ["n", 42], policy, kind=f"tensor({kind})")
    model(BOARDS[:2])
    assert [each.dtype for each in session.given] == [dtype, dtype]


@pytest.mark.parametrize("layout", [*LAYOUTS, None])
def test_a_spec_may_name_every_layout(monkeypatch, layout):
    session = Session(["n", 42], policy)
    monkeypatch.setattr(network, "_session", lambda file: session)
    monkeypatch.setattr(network, "SAMPLE", 2)
    words = {"layout": layout} if layout else {}
    assert {key: parameters(Onnx)[key].read(value) for key, value in words.items()} == words
    agent = Onnx(file="some.onnx", pick="policy", **words)
    agent.prepare(Rules())
    assert (agent.layout, agent.file, bool(agent.about)) == (layout, FILE, layout is None)
    assert agent._model.layout == layout or layout is None
    with pytest.raises(InputError, match="must be own,bottom or"):
        parameters(Onnx)["layout"].read("own")


def zeros(size):
    return lambda seen: np.zeros((len(seen), size))


@pytest.mark.parametrize(
    ("shape", "outputs", "named", "words"),
    [
        (["n", 42], [7], {"inputs": 2}, "has 2 inputs"), ([], [7], {}, r"of \[\]"), (None, [7], {}, "of None"),
        (["n", "m"], [7], {}, r"of \['n', 'm'\]"), (["n", 4, 6, 7], [7], {}, r"of \['n', 4, 6, 7\]"),
        (["n", 43], [7], {}, r"of \['n', 43\]: a board is n × 2 or 3 planes of 6 × 7, or n × 42 numbers"),
        (["n", 42], [7], {"kind": "tensor(string)"}, r"tensor\(string\)"),
        (["n", 42], [5, 5], {}, r"of \[5, 5\] numbers"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_network_of_the_arena_is_told_what_it_has(monkeypatch, shape, outputs, named, words):
    with pytest.raises(InputError, match=words):
        opened(monkeypatch, shape, *map(zeros, outputs), **named)


@pytest.mark.parametrize(
    ("shape", "outputs", "planes", "most", "places"),
    [
        (["n", 84], [7], 2, None, (0, None)), (["n", 42], [1, 7], 1, None, (1, 0)),
        (["n", 42], [5, 1], 1, None, (None, 1)),
        ([4, 42], [7], 1, 4, (0, None)), ([1, 2, 6, 7], [5, 7, 1], 2, 1, (1, 2)),
        (["n", 42], [7, 1, 1, 7], 1, None, (0, 1)),
    ],
)  # fmt: skip
def test_a_file_tells_its_planes_its_boards_at_a_time_and_where_policy_and_value_are(
    monkeypatch, shape, outputs, planes, most, places
):
    model, _ = opened(monkeypatch, shape, *map(zeros, outputs))
    assert (model.planes, model.most, model.outputs) == (planes, most, places)
    assert (model.has_policy, model.has_value) == tuple(place is not None for place in places)


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
    with pytest.raises(InputError, match="not finite"):
        model(BOARDS)


CHANCES = np.array([0.1, 0.2, 0.05, 0.4, 0.05, 0.1, 0.1])


@pytest.mark.parametrize(
    ("given", "are_chances"),
    [
        (CHANCES, True), (CHANCES * 1.0009, True), (CHANCES * 1.05, False),
        (CHANCES - [0.3, 0, 0, 0, 0, 0, -0.3], False),
        (np.array([1, 2, 3, 40, 3, 2, 700.0]), False), (np.zeros(7), False),
        (np.array([999.0, 1000, 1001, -2000, 0, 1000.5, 998]), False), (np.array([-1e9] * 6 + [-1e9 - 1]), False),
    ],
)  # fmt: skip
def test_chances_are_of_the_legal_columns_and_those_of_a_file_that_gives_none_are_made(monkeypatch, given, are_chances):
    model, _ = opened(
        monkeypatch, ["n", 42], lambda seen: np.tile(given, (len(seen), 1)), lambda seen: np.full(len(seen), 900.0)
    )
    for board, (chances, worth) in zip(BOARDS, model.priors(BOARDS), strict=True):
        weights = {column: given[column] if are_chances else np.exp(given[column] - given.max())
                   for column in board.legal_moves()}  # fmt: skip
        assert chances == pytest.approx({column: each / sum(weights.values()) for column, each in weights.items()})
        assert worth == 1.0  # no value is beyond a win
    for value, worth in ((-900.0, -1.0), (-1.0, -1.0), (-0.75, -0.75), (0.5, 0.5)):
        model, _ = opened(monkeypatch, ["n", 42], lambda seen, value=value: np.full((len(seen), 1), value))
        assert model.priors(BOARDS[:2]) == [
            (pytest.approx(dict.fromkeys(board.legal_moves(), 1 / 7)), worth) for board in BOARDS[:2]
        ]


def test_where_all_the_chance_is_in_a_full_column_the_others_are_alike(monkeypatch):
    model, _ = opened(monkeypatch, ["n", 42], lambda seen: np.tile(np.eye(7)[3], (len(seen), 1)))
    [(chances, worth)] = model.priors([Board.from_moves("444444")])
    assert (list(chances), worth) == ([2, 4, 1, 5, 0, 6], 0.0)
    assert chances == pytest.approx(dict.fromkeys(chances, 1 / 6))


def playing(monkeypatch, *outputs, **settings):
    """Return an agent whose file answers so, without a search for its layout."""
    session = Session(["n", 2, 6, 7], *outputs)
    monkeypatch.setattr(network, "_session", lambda file: session)
    return Network(file=FILE, **{"layout": "own,bottom"} | settings)


def thousandths(worth):
    return round(1000 * min(1, max(-1, worth)))


def answer(found):
    return found.column, found.score, found.depth, found.nodes, found.pv


@pytest.mark.parametrize(
    "board", [*BOARDS, Board.from_moves("444444"), Board.from_moves(DRAWN[:39])], ids=lambda board: board.text
)
def test_policy_takes_its_likeliest_legal_column_and_value_the_child_worst_for_the_other(monkeypatch, board):
    legal = [column for column in (3, 2, 4, 1, 5, 0, 6) if column in board.legal_moves()]
    agent = playing(monkeypatch, policy, value, pick="policy")
    agent.prepare(Rules())
    [chances], [worth] = agent._model([board])
    best = max(legal, key=lambda column: chances[column])
    assert answer(agent.choose(board, Limits())) == (best, thousandths(worth), 0, 1, (best,))
    agent.pick = "value"
    children = {column: board.play(column) for column in legal}
    worths = {column: -agent._model([child])[1][0] for column, child in children.items()}
    worths |= {column: float(child.outcome.winner is not None) for column, child in children.items() if child.outcome}
    best = max(legal, key=lambda column: worths[column])
    assert answer(agent.choose(board, Limits())) == (best, thousandths(worths[best]), 1, 1 + len(legal), (best,))


def test_a_network_picks_by_what_it_has_and_says_what_another_pick_needs(monkeypatch):
    assert answer(playing(monkeypatch, policy).choose(Board(), Limits())) == (5, None, 0, 1, (5,))
    assert playing(monkeypatch, value).choose(Board(), Limits()).depth == 1
    assert playing(monkeypatch, value, pick="puct", simulations=9).choose(BOARDS[2], Limits()).nodes == 10
    for pick, output, lack in (("policy", value, "policy"), ("value", policy, "value"), ("puct", policy, "value")):
        with pytest.raises(InputError, match=f"has no {lack} among its outputs, which pick={pick} needs"):
            playing(monkeypatch, output, pick=pick).prepare(Rules())
    for rules in (Rules(7, 6, 5), Rules(most_fours=True), Rules(6, 7)):
        with pytest.raises(InputError, match=f"plays on 7x6x4, not on {rules}"):
            playing(monkeypatch, value).prepare(rules)
    with pytest.raises(InputError, match="must be own,bottom or"):
        playing(monkeypatch, value, layout="top").prepare(Rules())


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
        ({"batch": 64}, {"depth": 1}, [64, 64, 64, 8]), ({"c": 0.0}, {"nodes": 9}, [9]),
        ({}, {"nodes": 300}, [10] * 20),
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
    assert asked[0].given == (BOARDS[1], own.get("c", 0.25))
    assert asked[1:] == grown
    assert (found.column, found.score, found.depth, found.nodes, found.pv) == (4, 400, 0, 1, (4, 2))


def test_the_layout_that_is_found_is_told_with_how_well_it_suits(monkeypatch):
    def right(seen):
        """Return a value for the first player from rows that begin at the top: the discs at the bottom."""
        return np.reshape(seen, (len(seen), 2, 42))[:, 0, 35:].sum(1) / 7

    monkeypatch.setattr(network, "SAMPLE", 24)
    model, _ = opened(monkeypatch, SHAPES[1], right)
    told = model.fit()
    shares = model._shares(network._sample())
    words = ", ".join(f"{what} {100 * share:.0f} %" for what, share in shares.items())
    sign = ", values for the first player" if model.sign_of_first else ""
    assert told == f"layout {model.layout}{sign}: {words}"
    assert list(shares) == ["values mirrored alike", "values raised by a win in one"]
    best = sum(shares.values())
    for layout in LAYOUTS[::2]:
        for model.sign_of_first in (False, True) if "first" in layout else (False,):
            model.layout = layout
            assert sum(model._shares(network._sample()).values()) <= best + 1e-9
    agent = playing(monkeypatch, policy, value, layout=None)
    agent.prepare(Rules())
    assert agent.about.startswith("layout ")
    assert all(f"{what} " in agent.about for what in ("legal moves", "mirrored alike", "wins in one taken"))
    agent = playing(monkeypatch, policy, value)
    agent.prepare(Rules())
    assert (agent.about, agent.pick) == ("", "policy")


@pytest.mark.parametrize(
    ("shape", "outputs", "readings"),
    [
        (["n", 2, 6, 7], [7], {"own,bottom": 1, "own,top": 1, "first,bottom": 1, "first,top": 1}),
        (["n", 2, 6, 7], [7, 1], {"own,bottom": 1, "own,top": 1, "first,bottom": 2, "first,top": 2}),
        (["n", 42], [1], {layout: 2 if "first" in layout else 1 for layout in LAYOUTS}),
    ],
    ids=["policy", "both", "counted"],
)  # fmt: skip
def test_all_readings_that_a_file_can_have_are_compared_and_the_first_of_the_best_is_told(
    monkeypatch, shape, outputs, readings
):
    model, _ = opened(monkeypatch, shape, *map(zeros, outputs))
    expected = [(layout, of_first) for layout, count in readings.items() for of_first in (False, True)[:count]]
    compared, sums = [], {}

    def shares(self, boards):
        compared.append((self.layout, self.sign_of_first))
        return {"legal moves": 0.25, "rest": sums.get(compared[-1], 0.0) + 1e-12 * len(compared)}

    monkeypatch.setattr(Model, "_shares", shares)
    monkeypatch.setattr(network, "SAMPLE", 2)
    for layout, of_first in expected:
        compared.clear()
        sums.clear()
        sums[layout, of_first] = 0.375
        sign = ", values for the first player" if of_first else ""
        assert model.fit() == f"layout {layout}{sign}: legal moves 25 %, rest 38 %"
        assert (model.layout, model.sign_of_first) == (layout, of_first)
        assert compared == expected
    sums.clear()
    assert model.fit() == "layout own,bottom: legal moves 25 %, rest 0 %"  # all are alike


class Told(Model):
    """A network that gives these values, at first of the boards and then of their mirror images."""

    has_policy, has_value = False, True

    def __init__(self, *values, policies=()):
        self.values, self.policies = [*values], [*policies]
        self.has_policy = bool(policies)

    def __call__(self, boards):
        best = self.policies.pop(0) if self.policies else [0] * len(boards)
        return np.eye(7)[best], np.array(self.values.pop(0))


def test_values_suit_that_are_alike_in_a_mirror_and_higher_where_a_win_is_near():
    boards = [Board.from_moves(moves) for moves in ("112233", "", "121212", "4")]  # their spread is 0.79
    shares = Told([1.0, -1.0, 0.5, -0.5], [1.19, -0.81, 0.3, -0.29])._shares(boards)
    assert shares == pytest.approx({"values mirrored alike": 0.5, "values raised by a win in one": 0.9487}, abs=1e-4)


def test_a_policy_suits_that_is_legal_and_alike_in_a_mirror_and_takes_the_wins_in_one():
    boards = [Board.from_moves(moves) for moves in ("112233", "121212", "", "444444")]
    model = Told([1.0] * 4, [1.0] * 4, policies=[[3, 5, 2, 3], [3, 2, 2, 4]])
    assert list(model._shares(boards).items()) == [
        ("legal moves", 0.75), ("mirrored alike", 0.25), ("wins in one taken", 0.5),
        ("values mirrored alike", 1.0), ("values raised by a win in one", 0.0),
    ]  # fmt: skip


def test_a_network_runs_on_one_thread_of_the_processor_and_says_nothing(tmp_path, monkeypatch):
    asked, file = [], tmp_path / "a.onnx"
    runtime = SimpleNamespace(SessionOptions=SimpleNamespace, InferenceSession=lambda *given, **rest: asked.append(
        (*given, rest)) or "session")  # fmt: skip
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    with pytest.raises(InputError, match="there is no file"):
        network._session(file)
    file.touch()
    assert network._session(file) == "session"
    threads = SimpleNamespace(intra_op_num_threads=1, inter_op_num_threads=1, log_severity_level=4)
    assert asked == [(str(file), threads, {"providers": ["CPUExecutionProvider"]})]
