"""Train a network on positions with exact values, in plain numpy, and write it as ONNX.

    nice python results/network/train.py positions.npz --test test.jsonl --minutes 30 --out network.onnx

The network sees the board as features that follow from its cells: which of the 69 windows of four are open to a side
with how many discs, which empty cells complete a four, which cells can be played next. Three layers of rectified units
give a policy, the value of each column (of use in training alone) and the value of the position. The policy's loss is
minus the logarithm of the probability of all columns that keep the value. All of it, features included, is in the
file, which also averages the answers for the board and its mirror image. Needs `onnx` beside numpy.
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FULL = -128
CELLS = [(row, column) for row in range(6) for column in range(7)]
"""Row 0 at the bottom."""
WINDOWS = [
    [(row + step * up, column + step * right) for step in range(4)]
    for row, column in CELLS
    for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1))
    if 0 <= row + 3 * up < 6 and column + 3 * right < 7
]
IN_WINDOW = np.array([[cell in window for window in WINDOWS] for cell in CELLS], np.float32)
BELOW = np.array([[low[1] == high[1] and low[0] + 1 == high[0] for high in CELLS] for low in CELLS], np.float32)
BOTTOM = np.array([row == 0 for row, _ in CELLS], np.float32)
MIRRORED_CELL = np.array([CELLS.index((row, 6 - column)) for row, column in CELLS])
MIRRORED_WINDOW = np.array(
    [
        next(k for k, other in enumerate(WINDOWS) if set(other) == {(row, 6 - column) for row, column in window})
        for window in WINDOWS
    ]
)
OPEN = (0, 1, 2, 3, 5, 10, 15)
"""Own discs and five times the other side's in a window that is open to one side at least."""
LAYERS = (224, 224, 224)
OUTPUTS = 7 + 21 + 3


def features(own: NDArray[np.float32], opp: NDArray[np.float32]) -> list[NDArray[np.bool_]]:
    """Return the features of boards, a list of arrays of 42 or 69 columns; `own` and `opp` are (n, 42) of 0 and 1."""
    filled = own + opp
    empty = filled == 0
    code = own @ IN_WINDOW + 5 * (opp @ IN_WINDOW)
    playable = empty & (filled @ BELOW + BOTTOM > 0)
    second = playable.astype(np.float32) @ BELOW > 0
    soon = playable.astype(np.float32) @ IN_WINDOW
    wins = empty & ((code == 3).astype(np.float32) @ IN_WINDOW.T > 0)
    losses = empty & ((code == 15).astype(np.float32) @ IN_WINDOW.T > 0)
    cells = [
        own > 0,
        opp > 0,
        wins,
        losses,
        playable,
        playable & wins,
        playable & losses,
        second & wins,
        second & losses,
    ]
    windows = [code == each for each in OPEN]
    windows += [(code == each) & (soon == number) for each in (2, 10) for number in (1, 2)]
    return cells + windows


PARTS = (9, len(OPEN) + 4)
MIRRORED = np.concatenate(
    [MIRRORED_CELL + 42 * part for part in range(PARTS[0])]
    + [MIRRORED_WINDOW + 42 * PARTS[0] + 69 * part for part in range(PARTS[1])]
)
"""Where each feature of the mirrored board stands."""


def planes(discs: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return bitboards as (n, 42) of 0 and 1."""
    bits = np.array([7 * column + row for row, column in CELLS])
    return (discs[:, None] >> bits & 1).astype(np.float32)


def packed(own: NDArray[np.int64], opp: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the features of bitboards as bytes of 0 and 1."""
    parts = [np.concatenate(features(planes(own[k : k + 8192]), planes(opp[k : k + 8192])), 1, dtype=np.uint8,
                            casting="unsafe") for k in range(0, len(own), 8192)]  # fmt: skip
    return np.concatenate(parts)


class Network:
    """The layers, and Adam's moments of them."""

    def __init__(self, seed: int) -> None:
        chance = np.random.default_rng(seed)
        sizes = [len(MIRRORED), *LAYERS, OUTPUTS]
        self.weights = [
            chance.normal(0, (2 / (below if k else below / 6)) ** 0.5, (below, above)).astype(np.float32)
            for k, (below, above) in enumerate(itertools.pairwise(sizes))
        ]
        self.weights[-1] *= 0.1
        self.biases = [np.zeros(size, np.float32) for size in sizes[1:]]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights + self.biases]
        self.steps = 0

    def forward(self, inputs: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the inputs and the answer of each layer, the outputs last."""
        answers = [inputs]
        for k, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            after = answers[-1] @ weights + biases
            answers.append(after if k == len(LAYERS) else np.maximum(after, 0, out=after))
        return answers

    def learn(self, answers: list[NDArray[np.float32]], gradient: NDArray[np.float32], rate: float) -> None:
        """Take one step of Adam against the gradient of the outputs."""
        of_weights, of_biases = [], []
        for k in reversed(range(len(self.weights))):
            of_weights.append(answers[k].T @ gradient)
            of_biases.append(gradient.sum(0))
            if k:
                gradient = gradient @ self.weights[k].T
                gradient *= answers[k] > 0
        self.steps += 1
        scale = rate * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        slopes = of_weights[::-1] + of_biases[::-1]
        for value, (first, second), slope in zip(self.weights + self.biases, self.moments, slopes, strict=True):
            first[...] += 0.1 * (slope - first)
            second[...] += 0.001 * (slope * slope - second)
            value[...] -= scale * first / (np.sqrt(second) + 1e-8)


def softmax(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities along the last axis."""
    raised = np.exp(values - values.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def slopes(outputs: NDArray[np.float32], scores: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the gradient of the mean loss with respect to the outputs."""
    legal = scores != FULL
    signs = np.sign(scores.astype(np.int64))
    best = np.where(legal, signs, -2).max(1)
    good = legal & (signs == best[:, None])
    policy = softmax(np.where(legal, outputs[:, :7], -1e9))
    kept = policy * good / np.maximum((policy * good).sum(1, keepdims=True), 1e-9)
    found = np.zeros_like(outputs)
    found[:, :7] = policy - kept
    columns = softmax(outputs[:, 7:28].reshape(-1, 7, 3))
    found[:, 7:28] = (0.3 * legal[..., None] * (columns - np.eye(3)[signs + 1])).reshape(-1, 21)
    found[:, 28:] = 0.3 * (softmax(outputs[:, 28:]) - np.eye(3)[best + 1])
    return found / len(outputs)


def both(network: Network, inputs: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Return the policy of boards and of their mirror images, added up."""
    seen, mirrored = (network.forward(each.astype(np.float32))[-1] for each in (inputs, inputs[:, MIRRORED]))
    return seen[:, :7] + mirrored[:, 6::-1]


def kept(network: Network, inputs: NDArray[np.uint8], scores: NDArray[np.int8]) -> tuple[float, float, int]:
    """Return how often the policy keeps the value, in all and where a legal move loses it, and how many those are."""
    outputs = np.concatenate([both(network, inputs[k : k + 4096]) for k in range(0, len(inputs), 4096)])
    legal = scores != FULL
    signs = np.where(legal, np.sign(scores.astype(np.int64)), -2)
    good = signs == signs.max(1, keepdims=True)
    right = good[np.arange(len(scores)), np.where(legal, outputs, -np.inf).argmax(1)]
    clear = (legal & ~good).any(1)
    return float(right.mean()), float(right[clear].mean()), int(clear.sum())


def save(network: Network, path: Path) -> None:
    """Write the network with its features as ONNX; input `board` (n, 2, 6, 7), outputs `policy` and `value`."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, constants = [], {}

    def constant(name: str, value: NDArray[np.float32]) -> str:
        constants.setdefault(name, np.asarray(value, np.int64 if value.dtype == np.int64 else np.float32))
        return name

    def number(value: float) -> str:
        return constant(f"number_{value}", np.array(value, np.float32))

    def do(operator: str, *inputs: str, **attributes: object) -> str:
        name = f"{operator}_{len(nodes)}"
        nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def is_value(of: str, value: float) -> str:
        return do("Cast", do("Equal", of, number(value)), to=TensorProto.FLOAT)

    def positive(of: str) -> str:
        return do("Cast", do("Greater", of, number(0)), to=TensorProto.FLOAT)

    def body(board: str) -> tuple[str, str]:
        cells = [do("Gather", board, constant(f"side_{k}", np.array(k)), axis=1) for k in (0, 1)]
        own, opp = (do("Reshape", each, constant("flat", np.array([-1, 42]))) for each in cells)
        inside, across = constant("in_window", IN_WINDOW), constant("of_window", IN_WINDOW.T)
        below, bottom = constant("below", BELOW), constant("bottom", BOTTOM)
        filled = do("Add", own, opp)
        empty = is_value(filled, 0)
        code = do("Add", do("MatMul", own, inside), do("Mul", number(5), do("MatMul", opp, inside)))
        playable = do("Mul", empty, do("Add", do("MatMul", filled, below), bottom))
        second = do("MatMul", playable, below)
        soon = do("MatMul", playable, inside)
        wins, losses = (do("Mul", empty, positive(do("MatMul", is_value(code, each), across))) for each in (3, 15))
        parts = [own, opp, wins, losses, playable]
        parts += [do("Mul", where, what) for where in (playable, second) for what in (wins, losses)]
        parts += [is_value(code, each) for each in OPEN]
        parts += [do("Mul", is_value(code, each), is_value(soon, number)) for each in (2, 10) for number in (1, 2)]
        value = do("Concat", *parts, axis=1)
        for k, (weights, biases) in enumerate(zip(network.weights, network.biases, strict=True)):
            out = np.s_[7:28] if k == len(LAYERS) else np.s_[:0]  # the columns' values were for training
            given = (np.delete(each, out, -1) for each in (weights, biases))
            value = do("Gemm", value, *map(constant, (f"weights_{k}", f"biases_{k}"), given))
            value = do("Relu", value) if k < len(LAYERS) else value
        return tuple(
            do("Slice", value, *(constant(f"at_{each}", np.array([each])) for each in (low, high, 1)))
            for low, high in ((0, 7), (7, 10))
        )

    reverse = constant("reverse", np.arange(6, -1, -1))
    seen, other = body("board"), body(do("Gather", "board", reverse, axis=3))
    policy = do("Add", seen[0], do("Gather", other[0], reverse, axis=1))
    top = do("Gather", do("ReduceSum", "board", constant("second", np.array([1])), keepdims=0),
             constant("top", np.array(5)), axis=1)  # fmt: skip
    nodes.append(helper.make_node("Sub", [policy, do("Mul", top, number(1e4))], ["policy"]))
    chance = do("Softmax", do("Mul", do("Add", seen[1], other[1]), number(0.5)), axis=1)
    win_loss = constant("win_loss", np.array([[-1], [0], [1]], np.float32))
    nodes.append(helper.make_node("MatMul", [chance, win_loss], ["value"]))
    # Slices take their axis last.
    for node in nodes:
        if node.op_type == "Slice":
            node.input[3:] = [constant("at_1", np.array([1])), constant("at_1", np.array([1]))]
    graph = helper.make_graph(
        nodes, "connect-four",
        [helper.make_tensor_value_info("board", TensorProto.FLOAT, ["n", 2, 6, 7])],
        [helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["n", 7]),
         helper.make_tensor_value_info("value", TensorProto.FLOAT, ["n", 1])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)
    total = sum(each.size for each in constants.values())
    print(f"{path}: {total:,} numbers, constants included, {path.stat().st_size:,} bytes", flush=True)


def main() -> None:
    """Train, report on positions that training does not see, and write the network."""
    parser = argparse.ArgumentParser()
    parser.add_argument("positions", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--test", type=Path, help="labels whose positions, up to mirror image, are left out")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    data = [np.load(path) for path in given.positions]
    own, opp, scores, keys = (
        np.concatenate([each[name] for each in data]) for name in ("own", "opp", "scores", "keys")
    )
    _, first = np.unique(keys, return_index=True)
    if given.test:
        from arena.perfect.scored import read_positions

        seen = [min(board.key, board.mirror().key) for board, _, _ in read_positions(given.test)]
        first = first[~np.isin(keys[first], seen)]
    order = np.random.default_rng(0).permutation(first)
    own, opp, scores = own[order], opp[order], scores[order]
    inputs = packed(own, opp)
    held = min(5000, len(order) // 20)
    network, chance = Network(0), np.random.default_rng(1)
    began = told = time.monotonic()
    print(
        f"{len(order) - held:,} positions to learn from, {sum(w.size for w in network.weights):,} weights", flush=True
    )
    turn, order, epoch = 0, np.empty(0, np.int64), 0
    while (done := (time.monotonic() - began) / (60 * given.minutes)) < 1:
        if turn + given.batch > len(order):
            order, turn, epoch = held + chance.permutation(len(inputs) - held), 0, epoch + 1
        batch, turn = order[turn : turn + given.batch], turn + given.batch
        values, labels = inputs[batch], scores[batch]
        if chance.random() < 0.5:
            values, labels = values[:, MIRRORED], labels[:, ::-1]
        answers = network.forward(values.astype(np.float32))
        rate = given.rate * min(1, network.steps / 500) * (0.5 + 0.5 * np.cos(np.pi * done))
        network.learn(answers, slopes(answers[-1], labels), rate)
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(f"{done:.0%} epoch {epoch} step {network.steps} unseen {kept(network, inputs[:held], scores[:held])} "
                  f"learned {kept(network, inputs[-held:], scores[-held:])}", flush=True)  # fmt: skip
    print("unseen", kept(network, inputs[:held], scores[:held]))
    save(network, given.out)


if __name__ == "__main__":
    main()
