"""`net` and `onnx:FILE`: a neural network plays, by its policy, by its value of each child, or in a tree search."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent import Analysis, Limits, tighter
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, missing, no_file
from agents.orderings.static import centre
from agents.search.puct import Tree, terminal
from agents.specs.parameters import SECONDS_A_MOVE, Kind, Parameter, number, one_of, whole
from agents.specs.plugins import one_line

if TYPE_CHECKING:
    from numpy.typing import NDArray

OWN = Path(__file__).parents[1] / "data" / "7x6.onnx"
"""The network that `net` plays with; results/network makes it."""
SAMPLE = 96
"""Positions on which layouts are compared."""
SIMULATIONS = 200


LAYOUTS = [
    ",".join(filter(None, each)) for each in itertools.product(("own", "first"), ("bottom", "top"), ("", "counted"))
]
"""How a network may see the board: the first plane holds the discs of the side to move (`own`) or of the first player;
row 0 is the `bottom` or the `top`; in 42 numbers the second plane's discs are -1, or 2 where they are `counted`."""


class Network:
    """Plays with an ONNX file whose input is a board and whose outputs are a policy of 7 numbers, a value, or both.

    The input has 2 or 3 planes of 6x7 (own, opponent's, empty), or 42 numbers, in any order of rows and sides: without
    a `layout` the agent takes the one with which the network plays most legal moves, mirrors them best and knows most
    wins in one. `policy` plays the legal column with the largest policy, `value` the one whose child is worth least to
    the opponent, `puct` the most visited one of a tree search. The score is the network's value in thousandths.
    """

    def __init__(
        self, *, file: str | Path = OWN, pick: str | None = None, simulations: int = SIMULATIONS, batch: int = 8,
        c: float = 1.5, seconds: float | None = None, layout: str | None = None,
    ) -> None:  # fmt: skip
        self.file, self.pick, self.layout = Path(file), pick, layout
        self.simulations, self.batch, self.c, self.seconds = simulations, batch, c, seconds
        self.about = ""
        """What `arena check` says of it."""
        self._model: Model | None = None
        self._stopped = False

    def prepare(self, rules: Rules) -> None:
        """Load the file and find the layout. Raises InputError."""
        if rules != STANDARD:
            raise InputError(f"{self.file.name} plays on 7x6x4, not on {rules}")
        if self._model is not None:
            return
        model = Model(self.file)
        if self.layout is not None:
            model.layout = one_of(*LAYOUTS)(self.layout)
        elif self.file != OWN:
            self.about = model.fit()
        self.pick = self.pick or ("policy" if model.has_policy else "value")
        for name, there in (("policy", model.has_policy), ("value", model.has_value)):
            if not there and self.pick in {name, {"policy": "", "value": "puct"}[name]}:
                raise InputError(f"{self.file.name} has no {name} among its outputs, which pick={self.pick} needs")
        self._model = model

    def stop(self) -> None:
        """End the search that is running in another thread."""
        self._stopped = True

    def choose(self, board: Board, limits: Limits) -> Analysis:
        """Return the picked move."""
        began = time.perf_counter()
        self.prepare(board.rules)
        model = self._model
        assert model is not None
        self._stopped = False
        legal = [column for column in centre(STANDARD) if column in board.legal_moves()]
        if self.pick == "policy":
            policy, value = model([board])
            best = max(legal, key=policy[0].__getitem__)
            return Analysis(best, _thousandths(float(value[0])) if model.has_value else None, nodes=1, pv=(best,))
        if self.pick == "value":
            children = [board.play(column) for column in legal]
            known = [terminal(child) for child in children]
            thought = model(children)[1]
            values = [-float(own if end is None else end) for own, end in zip(thought, known, strict=True)]
            best = legal[values.index(max(values))]
            return Analysis(best, _thousandths(max(values)), 1, 1 + len(legal), (best,))
        if wins := wins_in_one(board):
            return Analysis(wins[0], 1000, 1, 1 + len(legal), (wins[0],))
        seconds = tighter(self.seconds, limits.seconds)
        end = None if seconds is None else began + 0.95 * seconds
        tree = Tree(board, model.priors, self.c)
        most = tighter(self.simulations if end is None else None, limits.nodes)
        while not self._stopped and (most is None or tree.visits < most):
            if end is not None and time.perf_counter() > end:
                break
            tree.grow(self.batch if most is None else min(self.batch, most - tree.visits))
        line = tree.line()
        return Analysis(line[0], _thousandths(tree.root.mean(line[0])), 0, tree.evaluated, tuple(line))


def _thousandths(value: float) -> int:
    return round(1000 * max(-1.0, min(1.0, value)))


class Model:
    """An ONNX file that is loaded: from boards to policies and values for the side to move. Raises InputError."""

    def __init__(self, file: Path) -> None:
        import numpy as np

        if not file.is_file():
            raise no_file(file)
        self.session = _session(file)
        given = self.session.get_inputs()
        if len(given) != 1:
            raise InputError(f"{file.name} has {len(given)} inputs; a network of the arena has one, the board")
        self.name, shape = given[0].name, given[0].shape
        kinds = {"float": "float32", "double": "float64", "float16": "float16", "int8": "int8", "int32": "int32"}
        self.type = kinds.get(given[0].type.removeprefix("tensor(").removesuffix(")"))
        self.shape = tuple(shape[1:])
        """Of one board."""
        whole = all(isinstance(each, int) for each in self.shape)
        cells = int(np.prod(self.shape)) if whole and self.shape else 0
        if cells not in {42, 84, 126} or self.type is None:
            raise InputError(
                f"{file.name} has an input {given[0].type} of {shape}: a board is n × 2 or 3 planes of 6 × 7, or "
                f"n × 42 numbers"
            )
        self.planes = cells // 42
        self.last = len(self.shape) == 3 and self.shape[-1] == self.planes
        """Whether the planes are the last axis."""
        self.most = shape[0] if isinstance(shape[0], int) else None
        """Boards that the file takes at a time, None where it takes any number."""
        blank = np.zeros((self.most or 1, *self.shape), self.type)
        sizes = [np.asarray(each).size // len(blank) for each in self.session.run(None, {self.name: blank})]
        if not {7, 1} & {*sizes}:
            raise InputError(f"{file.name} has outputs of {sizes} numbers a board: a policy has 7, a value 1")
        self.outputs = tuple(sizes.index(size) if size in sizes else None for size in (7, 1))
        self.has_policy, self.has_value = 7 in sizes, 1 in sizes
        self.layout = LAYOUTS[0]
        self.sign_of_first = False
        """Whether values are the first player's."""

    def __call__(self, boards: Sequence[Board]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return policies (n, 7), in the file's units, and values (n,); zeros for what the file does not have."""
        import numpy as np

        inputs, n = self._inputs(boards), len(boards)
        step = self.most or n
        answers: list[list[NDArray[Any]]] = []
        for start in range(0, n, step):
            part = inputs[start : start + step]
            short = step - len(part)
            part = np.concatenate([part, np.zeros((short, *self.shape), self.type)]) if short else part
            answers.append(self.session.run(None, {self.name: part}))
        found = [
            np.zeros((n, size)) if at is None
            else np.concatenate([np.reshape(each[at], (-1, size)) for each in answers])[:n].astype(float)
            for at, size in zip(self.outputs, (7, 1), strict=True)
        ]  # fmt: skip
        if not all(np.isfinite(each).all() for each in found):
            raise InputError("the network's output is not finite")
        values = found[1][:, 0]
        if self.sign_of_first:
            values = np.where([board.mover for board in boards], -values, values)
        return found[0], values

    def priors(self, boards: Sequence[Board]) -> list[tuple[dict[int, float], float]]:
        """Return for each board the probability of each legal column, equal without a policy, and its value."""
        import numpy as np

        policies, values = self(boards)
        found = []
        for board, policy, value in zip(boards, policies, values, strict=True):
            legal = [column for column in centre(STANDARD) if column in board.legal_moves()]
            given = policy[legal]
            if not (policy.min() >= 0 and abs(policy.sum() - 1) < 1e-3):  # no probabilities yet
                given = np.exp(given - given.max())
            total = given.sum()
            chances = given / total if total > 0 else np.full(len(legal), 1 / len(legal))
            found.append((dict(zip(legal, map(float, chances), strict=True)), max(-1.0, min(1.0, float(value)))))
        return found

    def _inputs(self, boards: Sequence[Board]) -> NDArray[Any]:
        import numpy as np

        bits = np.array([7 * column + row for row in range(6) for column in range(7)])
        discs = np.array([(board.own, board.opp) for board in boards], np.int64)
        sides = (discs[:, :, None] >> bits & 1).reshape(-1, 2, 6, 7)
        if "first" in self.layout:
            turned = np.array([board.mover == 1 for board in boards])
            sides[turned] = sides[turned][:, ::-1]
        if "top" in self.layout:
            sides = sides[:, :, ::-1]
        if self.planes == 1:
            sides = sides[:, :1] + sides[:, 1:] * (2 if "counted" in self.layout else -1)
        elif self.planes == 3:
            sides = np.concatenate([sides, 1 - sides.sum(1, keepdims=True)], 1)
        if self.last:
            sides = sides.transpose(0, 2, 3, 1)
        return np.ascontiguousarray(sides.reshape(-1, *self.shape), self.type)

    def fit(self) -> str:
        """Take the layout that suits the file best, and return a line that says so."""
        best, said = -1.0, ""
        layouts = [each for each in LAYOUTS if self.planes == 1 or "counted" not in each]
        taken = self.layout, False
        for layout, of_first in itertools.product(layouts, (False, True)):
            if of_first and ("own" in layout or not self.has_value):
                continue
            self.layout, self.sign_of_first = layout, of_first
            shares = self._shares()
            if sum(shares.values()) > best + 1e-9:
                best, taken = sum(shares.values()), (layout, of_first)
                words = ", ".join(f"{share:.0%} {what}" for what, share in shares.items())
                said = f"layout {layout}{', values for the first player' if of_first else ''}: {words}"
        self.layout, self.sign_of_first = taken
        return said

    def _shares(self) -> dict[str, float]:
        """Return how well the layout suits the file, in shares from 0 to 1."""
        import numpy as np

        boards = _sample()
        policies, values = self(boards)
        mirrored, others = self([board.mirror() for board in boards])
        found: dict[str, float] = {}
        if self.has_policy:
            best = policies.argmax(1)
            wins = [wins_in_one(board) for board in boards]
            picked = list(zip(best, boards, wins, strict=True))
            found["legal moves"] = float(np.mean([column in board.legal_moves() for column, board, _ in picked]))
            found["mirrored alike"] = float(np.mean(best == 6 - mirrored.argmax(1)))
            found["of wins in one"] = float(np.mean([column in columns for column, _, columns in picked if columns]))
        if self.has_value:
            spread = float(values.std()) + 1e-9
            won = np.array([bool(wins_in_one(board)) for board in boards])
            found["of values mirrored alike"] = float(np.mean(abs(values - others) < spread / 4))
            ahead = float(values[won].mean() - values[~won].mean())
            found["of the gain by a win in one"] = min(1.0, max(0.0, ahead / spread / 2))
        return found


def _session(file: Path) -> Any:  # noqa: ANN401  onnxruntime has no types
    """Return the session of a file, on one thread. Raises InputError."""
    try:
        import onnxruntime
    except ImportError:
        raise missing("onnxruntime, which plays networks,", "onnx") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001  it has no base class
        raise InputError(f"{file.name} is no network that onnxruntime reads: {one_line(error)}") from None


def _sample() -> list[Board]:
    """Return different positions of random games, early and late, half of them with a win in one."""
    chance = random.Random(1)  # noqa: S311  a sample, not a secret
    found: dict[bool, list[Board]] = {True: [], False: []}
    while min(map(len, found.values())) < SAMPLE // 2:
        board, plies = Board(), chance.randrange(4, 40)
        while board.outcome is None and board.ply < plies:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            kind = found[bool(wins_in_one(board))]
            kind += [board] if len(kind) < SAMPLE // 2 else []
    return found[True] + found[False]


def wins_in_one(board: Board) -> list[int]:
    """Return the columns in which the side to move wins at once."""
    return [column for column in board.legal_moves() if terminal(board.play(column)) == -1.0]


PARAMETERS = {
    "pick": Parameter(
        one_of("policy", "value", "puct"), None, "what decides: policy where the network has one, else value",
        ("policy", "value", "puct"),
    ),
    "simulations": Parameter(whole(1, 10**7), SIMULATIONS, "positions of the tree search, unless seconds are given"),
    "seconds": SECONDS_A_MOVE.but(meaning="seconds a move of the tree search"),
    "batch": Parameter(whole(1, 1024), 8, "leaves that the tree search evaluates at once"),
    "c": Parameter(number(0.0, 100.0), 1.5, "the tree search's weight of the policy against values from -1 to 1"),
}  # fmt: skip
LAYOUT = Parameter(one_of(*LAYOUTS), None, "how the file sees the board; found by itself if not given")
KIND = Kind(
    Network,
    "a small neural network trained on exact values",
    PARAMETERS,
    source="trained by results/network",
)
