"""`net` and `onnx:FILE`: a neural network plays, by its policy, by its value of each child, or in a tree search."""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from agents.agent import Analysis, Limits, tighter
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, missing, no_file
from agents.network.puct import PuctTree, terminal
from agents.orderings.static import centre
from agents.specs.parameters import Parameter, Range, Seconds, Text, one_of, parameters
from agents.specs.plugins import format_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

OWN = Path(__file__).parent / "7x6.onnx"
"""The network that `net` plays with; results/network makes it."""
SAMPLE = 96
"""Positions on which layouts are compared."""
SIMULATIONS = 200
TYPES = {f"tensor({name})": kind for name, kind in (("float", "float32"), ("double", "float64"),
         ("float16", "float16"), ("int8", "int8"), ("int32", "int32"))}  # fmt: skip
"""Of numpy, by the words that onnxruntime has for them."""
LAYOUTS = [
    ",".join(filter(None, words)) for words in itertools.product(("own", "first"), ("bottom", "top"), ("", "counted"))
]
"""How a network may see the board: the first plane holds the discs of the side to move (`own`) or of the first player;
row 0 is the `bottom` or the `top`; in 42 numbers the second plane's discs are -1, or 2 where they are `counted`."""


class Network:
    """Plays with an ONNX file. Its input is a board, and its outputs are a policy of 7 numbers, a value, or both.

    The input has 2 or 3 planes of 6x7 (own, opponent's, empty), or 42 numbers, in any order of rows and sides: without
    a `layout` the agent takes the one with which the network plays most legal moves, mirrors them best and knows most
    wins in one. `policy` plays the legal column with the largest policy, `value` the one with the child worth least to
    the opponent, `puct` the most visited one of a tree search. The score is the network's value in thousandths.
    """

    def __init__(
        self,
        *,
        pick: Annotated[
            Literal["policy", "value", "puct"] | None,
            "what decides: policy where the network has one, else value",
        ] = None,
        simulations: Annotated[
            int, Range(1, 10**7), "positions of the tree search, unless seconds are given"
        ] = SIMULATIONS,
        seconds: Annotated[Seconds, "seconds a move of the tree search"] = None,
        batch: Annotated[int, Range(1, 1024), "leaves that the tree search evaluates at once"] = 8,
        c: Annotated[
            float, Range(0.0, 100.0), "the tree search's weight of the policy against values from -1 to 1"
        ] = 1.5,
        file: str | Path = OWN,
        layout: str | None = None,
    ) -> None:
        self.file, self.layout = Path(file), layout
        self.pick: str | None = pick
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
        if not {"policy": model.has_policy, "value": model.has_value}.get(self.pick, model.has_value):
            what = "policy" if self.pick == "policy" else "value"
            raise InputError(f"{self.file.name} has no {what} among its outputs, which pick={self.pick} needs")
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
        legal = centred(board)
        if self.pick == "policy":
            policy, value = model([board])
            best = max(legal, key=policy[0].__getitem__)
            return Analysis(best, _thousandths(float(value[0])) if model.has_value else None, nodes=1, pv=(best,))
        if self.pick == "value":
            children = [board.play(column) for column in legal]
            thought = zip(map(terminal, children), model(children)[1], strict=True)
            values = [-float(value if end is None else end) for end, value in thought]
            best = legal[values.index(max(values))]
            return Analysis(best, _thousandths(max(values)), 1, 1 + len(legal), (best,))
        if wins := wins_in_one(board):
            return Analysis(wins[0], 1000, 1, 1 + len(legal), (wins[0],))
        seconds = tighter(self.seconds, limits.seconds)
        end = math.inf if seconds is None else began + 0.95 * seconds
        most = tighter(self.simulations if seconds is None else None, limits.nodes) or math.inf
        tree = PuctTree(board, model.priors, self.c)
        while not self._stopped and tree.visits < most and time.perf_counter() <= end:
            tree.grow(min(self.batch, int(min(most, 1 << 40)) - tree.visits))
        line = tree.line()
        return Analysis(line[0], _thousandths(tree.root.mean(line[0])), 0, tree.evaluated, tuple(line))


def centred(board: Board) -> list[int]:
    """Return the legal columns from the centre outwards."""
    return [column for column in centre(STANDARD) if column in board.legal_moves()]


def wins_in_one(board: Board) -> list[int]:
    """Return the columns in which the side to move wins at once."""
    return [column for column in board.legal_moves() if terminal(board.play(column)) == -1.0]


def _thousandths(value: float) -> int:
    return round(1000 * max(-1.0, min(1.0, value)))


class Model:
    """An ONNX file that is loaded: from boards to policies and values for the side to move. Raises InputError."""

    def __init__(self, file: Path) -> None:
        import numpy as np

        self.session = _session(file)
        inputs = self.session.get_inputs()
        if len(inputs) != 1:
            raise InputError(f"{file.name} has {len(inputs)} inputs; a network of the arena has one, the board")
        [board_input] = inputs
        self.name, (count, *shape) = board_input.name, board_input.shape or [None]
        self.type = TYPES.get(board_input.type)
        self.shape = tuple(shape)
        """Of one board."""
        self.planes = int(np.prod(shape)) / 42 if shape and all(isinstance(size, int) for size in shape) else 0
        if self.planes not in {1, 2, 3} or self.type is None:
            board = "a board is n × 2 or 3 planes of 6 × 7, or n × 42 numbers"
            raise InputError(f"{file.name} has an input {inputs[0].type} of {inputs[0].shape}: {board}")
        self.most = count if isinstance(count, int) else None
        """Boards that the file takes at a time, None where it takes any number."""
        blank = np.zeros((self.most or 1, *shape), self.type)
        sizes = [np.asarray(output).size // len(blank) for output in self.session.run(None, {self.name: blank})]
        self.has_policy, self.has_value = 7 in sizes, 1 in sizes
        if not (self.has_policy or self.has_value):
            raise InputError(f"{file.name} has outputs of {sizes} numbers a board: a policy has 7, a value 1")
        self.outputs = tuple(sizes.index(size) if size in sizes else None for size in (7, 1))
        self.layout = LAYOUTS[0]
        self.sign_of_first = False
        """Whether values are the first player's."""

    def __call__(self, boards: Sequence[Board]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return policies (n, 7), in the file's units, and values (n,); zeros for what the file does not have."""
        import numpy as np

        n, parts = len(boards), [self._inputs(boards)]
        if self.most is not None:
            count = -(-n // self.most)
            parts = np.split(np.resize(parts[0], (count * self.most, *self.shape)), count)  # filled up with boards
        answers = [self.session.run(None, {self.name: part}) for part in parts]
        policies, values = (
            np.zeros((n, size)) if at is None
            else np.concatenate([np.reshape(output[at], (-1, size)) for output in answers])[:n].astype(float)
            for at, size in zip(self.outputs, (7, 1), strict=True)
        )  # fmt: skip
        if not (np.isfinite(policies).all() and np.isfinite(values).all()):
            raise InputError("the network's output is not finite")
        if self.sign_of_first:
            values[[board.mover == 1 for board in boards]] *= -1.0
        return policies, values[:, 0]

    def priors(self, boards: Sequence[Board]) -> list[tuple[dict[int, float], float]]:
        """Return for each board the probability of each legal column, equal without a policy, and its value."""
        import numpy as np

        priors = []
        for board, policy, value in zip(boards, *self(boards), strict=True):
            legal = centred(board)
            weights = policy[legal]
            if not (policy.min() >= 0 and abs(policy.sum() - 1) < 1e-3 and weights.sum() > 0):  # no probabilities yet
                weights = np.exp(weights - weights.max())
            chances = dict(zip(legal, map(float, weights / weights.sum()), strict=True))
            priors.append((chances, max(-1.0, min(1.0, float(value)))))
        return priors

    def _inputs(self, boards: Sequence[Board]) -> NDArray[Any]:
        import numpy as np

        bits = np.array([7 * column + row for row in range(6) for column in range(7)])
        first = "first" in self.layout
        discs = [(board.opp, board.own) if first and board.mover else (board.own, board.opp) for board in boards]
        sides = (np.array(discs, np.int64)[:, :, None] >> bits & 1).reshape(-1, 2, 6, 7)
        if "top" in self.layout:
            sides = sides[:, :, ::-1]
        if self.planes == 1:
            sides = sides[:, :1] + sides[:, 1:] * (2 if "counted" in self.layout else -1)
        elif self.planes == 3:
            sides = np.concatenate([sides, 1 - sides.sum(1, keepdims=True)], 1)
        if len(self.shape) == 3 and self.shape[-1] == self.planes:  # planes are the last axis
            sides = sides.transpose(0, 2, 3, 1)
        return np.ascontiguousarray(sides.reshape(-1, *self.shape), self.type)

    def fit(self) -> str:
        """Take the layout that suits the file best, and return a line that says so."""
        boards, shares = _sample(), {}
        for layout, of_first in itertools.product(LAYOUTS, (False, True)):
            fits_shape, has_sign = self.planes == 1 or "counted" not in layout, "first" in layout and self.has_value
            if fits_shape and of_first <= has_sign:
                self.layout, self.sign_of_first = layout, of_first
                shares[layout, of_first] = self._shares(boards)
        best = max(shares, key=lambda layout: round(sum(shares[layout].values()), 9))
        self.layout, self.sign_of_first = best
        words = ", ".join(f"{what} {100 * share:.0f} %" for what, share in shares[best].items())
        return f"layout {self.layout}{', values for the first player' if self.sign_of_first else ''}: {words}"

    def _shares(self, boards: Sequence[Board]) -> dict[str, float]:
        """Return how well the layout suits the file, in shares from 0 to 1."""
        import numpy as np

        policies, values = self(boards)
        mirrored, others = self([board.mirror() for board in boards])
        best, wins = policies.argmax(1), [wins_in_one(board) for board in boards]
        shares: dict[str, float] = {}
        if self.has_policy:
            legal = [column in board.legal_moves() for column, board in zip(best, boards, strict=True)]
            shares["legal moves"] = float(np.mean(legal))
            shares["mirrored alike"] = float(np.mean(best == 6 - mirrored.argmax(1)))
            taken = [column in columns for column, columns in zip(best, wins, strict=True) if columns]
            shares["wins in one taken"] = float(np.mean(taken))
        if self.has_value:
            spread, won = float(values.std()) + 1e-9, np.array([bool(columns) for columns in wins])
            shares["values mirrored alike"] = float(np.mean(abs(values - others) < spread / 4))
            ahead = float(values[won].mean() - values[~won].mean())
            shares["values raised by a win in one"] = min(1.0, max(0.0, ahead / spread / 2))
        return shares


def _session(file: Path) -> Any:  # noqa: ANN401  onnxruntime has no types
    """Return the session of a file, on one thread. Raises InputError."""
    if not file.is_file():
        raise no_file(file)
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
        raise InputError(f"{file.name} is no network that onnxruntime reads: {format_error(error)}") from None


def _sample() -> list[Board]:
    """Return different positions of random games, early and late, half of them with a win in one."""
    chance = random.Random(1)  # noqa: S311  a sample, not a secret
    boards: dict[bool, list[Board]] = {True: [], False: []}
    while min(map(len, boards.values())) < SAMPLE // 2:
        board, plies = Board(), chance.randrange(4, 40)
        while board.outcome is None and board.ply < plies:
            board = board.play(chance.choice(board.legal_moves()))
        if board.outcome is None:
            boards[bool(wins_in_one(board))].append(board)
    return boards[True][: SAMPLE // 2] + boards[False][: SAMPLE // 2]


class Onnx(Network):
    """A network in a user's file, whose layout a spec may name."""

    def __init__(
        self,
        *,
        file: str,
        layout: Annotated[
            str | None, Text(one_of(*LAYOUTS)), "how the file sees the board; found by itself if not given"
        ] = None,
        **options: Any,  # noqa: ANN401  a network's other parameters
    ) -> None:
        super().__init__(file=file, layout=layout, **options)


def spec_parameters(target: str, name: str) -> Mapping[str, Parameter]:  # noqa: ARG001  any file
    """Return the parameters of `onnx:FILE`. Raises InputError where the package that reads such files is missing."""
    if find_spec("onnxruntime") is None:
        raise missing("onnxruntime", "onnx")
    return parameters(Onnx)


def build(target: str, name: str, options: Mapping[str, Any]) -> Network:  # noqa: ARG001  the file has no names
    """Return the agent of `onnx:FILE`."""
    return Onnx(file=target, **options)
