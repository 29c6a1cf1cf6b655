"""The claims of a study: a small language of comparisons, and whether each stands, falls or cannot be decided.

A claim compares what was measured with numbers: `elo('a', 'b') > 0`, `nodes('a') < 0.5 * nodes('b')`,
`0.6 < score('a') < 0.7`. It is parsed by Python's grammar and read node by node; nothing in it is ever run. Each
quantity has an interval at any level, sums and products take the ends that are worst, and k quantities share the level
(Bonferroni), however they depend on each other. The p-value of a claim is the smallest level at which its interval lies
all on one side; Holm's test then allows for the number of claims.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agents.errors import InputError, unknown
from arena.records import Interval
from arena.statistics.intervals import survivors
from arena.table.cells import count, fixed, plain, without_depth
from arena.table.rows import MEASURED, Column, cell, known, table_row

Ends = tuple[float, float]
"""Of an interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number that was measured."""

    value: float
    at: Callable[[float], Ends] | None
    """Returns the ends of its interval that misses the truth with this chance at most; None of an exact number."""
    basis: str
    """What the interval rests on, in words."""

    def ends(self, alpha: float) -> Ends:
        """Return the ends of its interval that misses the truth with this chance at most."""
        return (self.value, self.value) if self.at is None else self.at(alpha)


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a claim asks for, such as `elo('a', 'b')`."""

    name: str
    agents: tuple[str, ...]
    depth: int | None = None
    """Of `states`."""
    of: str = "clear_good"
    """Of `share`: the field of a grade."""
    games: str | None = None
    """Which [[games]] it is taken from, where there are several."""


Estimates = Mapping[Quantity, Estimate]


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a study."""

    number: int
    """From 1, in the order of the file."""
    text: str
    check: str
    source: str
    published: str
    sides: tuple[ast.expr, ...]
    """What the check compares, from left to right."""
    signs: tuple[type[ast.cmpop], ...]
    """The comparisons between the sides."""
    quantities: tuple[Quantity, ...]
    """Each once, in the order of the check."""

    @classmethod
    def of(cls, number: int, table: Mapping[str, Any]) -> Claim:
        """Return the claim of a table of the file. Raises InputError with what may stand in a check."""
        check = table.get("check", "")
        try:
            tree = ast.parse(check.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise InputError(f"{check!r:.80} cannot be read; {SHAPE}") from None
        if not isinstance(tree, ast.Compare) or not all(type(sign) in COMPARISONS for sign in tree.ops):
            raise InputError(f"{check!r:.80} is no comparison by <, <=, >, >= or ==; {SHAPE}")
        quantities: dict[Quantity, None] = {}
        for side in (tree.left, *tree.comparators):
            _ends(side, lambda quantity: (quantities.setdefault(quantity), (1.0, 1.0))[1])
        if not quantities:
            raise InputError(f"{check!r:.80} measures nothing; {SHAPE}")
        text, source, published = (str(table.get(key, "")) for key in ("text", "source", "published"))
        return cls(
            number, text or check, check, source, published, (tree.left, *tree.comparators),
            tuple(type(sign) for sign in tree.ops), tuple(quantities),
        )  # fmt: skip

    def ends(self, estimates: Estimates, alpha: float) -> list[Ends]:
        """Return the ends of each side at a level that the quantities with an interval share (Bonferroni)."""
        level = alpha / max(1, sum(estimates[quantity].at is not None for quantity in self.quantities))
        return [_ends(side, lambda quantity: estimates[quantity].ends(level)) for side in self.sides]

    def holds(self, estimates: Estimates, alpha: float) -> bool | None:
        """Return whether it holds wherever in its interval the truth lies; None where that differs."""
        pairs = itertools.pairwise(self.ends(estimates, alpha))
        differences = [_of_two(ast.Sub, left, right) for left, right in pairs]
        answers = [_holds(sign, *ends) for sign, ends in zip(self.signs, differences, strict=True)]
        return False if False in answers else None if None in answers else True

    def shown(self, estimates: Estimates) -> Interval:
        """Return the measured side with the ends of its 95 % interval or, where both are, the left less the right."""
        values = [_ends(side, lambda quantity: (estimates[quantity].value,) * 2) for side in self.sides]
        measured = [any(isinstance(node, ast.Call) for node in ast.walk(side)) for side in self.sides]
        numbers: list[Ends] = []
        for ends in (values, self.ends(estimates, 0.05)):
            left, *right = itertools.compress(ends, measured)
            numbers.append(_of_two(ast.Sub, left, right[0]) if right else left)
        value, low, high = numbers[0][0], *numbers[1]
        return Interval(value, None if math.isinf(low) else low, None if math.isinf(high) else high)

    def chance(self, estimates: Estimates) -> float | None:
        """Return the smallest level at which it is decided, by bisection; 1 if at none, None of exact numbers."""
        if all(estimate.at is None for estimate in estimates.values()):
            return None
        low, high = -40.0, 0.0  # natural logarithms of levels
        if self.holds(estimates, math.exp(high - 1e-9)) is None:
            return 1.0
        if self.holds(estimates, math.exp(low)) is not None:
            return math.exp(low)
        for _ in range(50):
            middle = (low + high) / 2.0
            low, high = (middle, high) if self.holds(estimates, math.exp(middle)) is None else (low, middle)
        return math.exp(high)


def _ends(node: ast.expr, of: Callable[[Quantity], Ends]) -> Ends:
    """Return the ends of an expression, of which `of` returns those of a quantity. Raises InputError."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and abs(number) < 1e15:
            return float(number), float(number)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            low, high = _ends(inner, of)
            return -high, -low
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in SIGNS:
            return _of_two(type(sign), _ends(left, of), _ends(right, of))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return of(_quantity(name, args, keywords))
    raise InputError(f"{ast.unparse(node)!r:.80} has no meaning here; {SHAPE}")


def _of_two(sign: type[ast.operator], one: Ends, other: Ends) -> Ends:
    """Return the least and the greatest that two intervals make."""
    if sign is ast.Div and other[0] <= 0.0 <= other[1]:
        return -math.inf, math.inf
    numbers = [0.0 if 0.0 in (a, b) and sign is ast.Mult else SIGNS[sign](a, b) for a in one for b in other]
    return (-math.inf, math.inf) if any(map(math.isnan, numbers)) else (min(numbers), max(numbers))


def _quantity(name: str, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> Quantity:
    """Return the quantity of a call. Raises InputError."""
    if name not in QUANTITIES:
        raise unknown("quantity", name, QUANTITIES)
    form = QUANTITIES[name]
    agents = tuple(node.value for node in args if isinstance(node, ast.Constant) and isinstance(node.value, str))
    settings: dict[str, Any] = {
        str(word.arg): word.value.value for word in keywords if isinstance(word.value, ast.Constant)
    }
    if len(agents) < len(args) or len(settings) < len(keywords) or len(agents) not in form.agents:
        raise InputError(f"{name} is written {form.example}: names of agents in quotes")
    for key, value in settings.items():
        if key != form.setting:
            raise unknown(f"setting of {name}", key, [form.setting])
        if not isinstance(value, form.type) or isinstance(value, bool):
            raise InputError(f"{name}: {key} cannot be {value!r}; it is written {form.example}")
    if settings.get("of", "good") not in SHARES:
        raise unknown("share", settings["of"], SHARES)
    if name == "states":
        if depth := re.search(r"(?<=[:,])depth=(\d+)", agents[0]):
            settings.setdefault("depth", int(depth[1]))
        if "depth" not in settings:
            raise InputError(f"states needs a depth: {form.example}")
        agents = (without_depth(agents[0]),)
    return Quantity(name, agents, **settings)


def _holds(sign: type[ast.cmpop], low: float, high: float) -> bool | None:
    """Return whether a difference between these ends compares so with 0; None where it may or may not."""
    if sign is ast.Eq:
        return True if low == high == 0.0 else False if low > 0.0 or high < 0.0 else None
    answers = {COMPARISONS[sign](end, 0.0) for end in (low, high)}
    return answers.pop() if len(answers) == 1 else None


# Verdicts.


def _number(value: float | None) -> str:
    return "open" if value is None else fixed(3)(value) if abs(value) < 10 else count(round(value))


def _ends_shown(interval: Interval) -> str:
    low, high = interval.low, interval.high
    return "exact" if low == high else f"{_number(low)} to {_number(high)}"


@table_row
class Verdict:
    """What a claim came to."""

    claim: int = cell("Its number in the study's file.", "#")
    text: str = cell("The claim in words.", "claim")
    check: str = cell("What was checked.", "check")
    value: Interval | None = cell(
        "The measured side of the check or, where both are, the left less the right; None of what was not measured, "
        "and of Elo where every point went one way.",
        "measured", _number, note="of a check with two measured sides, the left less the right",
        ends=Column("95 %", MEASURED, _ends_shown, missing=""),
        prefix="", by="which the quantities of the check share; None where it is open",
    )  # fmt: skip
    verdict: str = cell("`stands`, `falls` or `cannot tell`, with Holm's test over all claims.", "verdict")
    p: float | None = cell(
        "The least level at which the interval lies on one side; None of what is exact or was not measured.",
        "p", lambda p: f"{p:.3f}" if p >= 0.001 else "< 0.001", known, note="before Holm's test",
    )  # fmt: skip
    basis: str = cell("What the interval rests on, or why there is none.", "basis", least=3)
    published: str = cell("The published number.", "published", plain, any, least=2)
    source: str = cell("Where the claim was published.")


def verdicts(claims: Sequence[Claim], estimates: Mapping[Quantity, Estimate | None]) -> list[Verdict]:
    """Return what each claim comes to. Exact results and what was not measured take no part in Holm's test.

    estimates: of each quantity; None of what could not be measured.
    """
    measured = [
        {quantity: estimate for quantity in claim.quantities if (estimate := estimates[quantity]) is not None}
        for claim in claims
    ]
    whole = [len(of) == len(claim.quantities) for claim, of in zip(claims, measured, strict=True)]
    chances = [
        claim.chance(of) if all_there else None for claim, of, all_there in zip(claims, measured, whole, strict=True)
    ]
    tested = {place: 100.0 - 50.0 * p for place, p in enumerate(chances) if p is not None}
    counts = dict(zip(tested, survivors(list(tested.values())), strict=True))
    rows = []
    for place, (claim, of, p) in enumerate(zip(claims, measured, chances, strict=True)):
        value, holds, basis = None, None, "not measured"
        if whole[place]:
            value, basis = claim.shown(of), "; ".join(dict.fromkeys(estimate.basis for estimate in of.values()))
        if whole[place] and counts.get(place, True):
            holds = claim.holds(of, 0.05 if p is None else p * (1.0 + 1e-6))
        rows.append(
            Verdict(
                claim.number, claim.text, claim.check, value, VERDICTS[holds], p, basis, claim.published, claim.source
            )
        )
    return rows


VERDICTS: Final = {None: "cannot tell", True: "stands", False: "falls"}
SHAPE: Final = "write a check as \"elo('a', 'b') > 0\": quantities and numbers, joined by + - * / and compared"
SIGNS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
}  # fmt: skip
SHARES: Final = ("good", "perfect", "clear_good", "clear_perfect")


@dataclass(frozen=True, slots=True)
class Form:
    """How a quantity is written."""

    kind: str
    """The table of the study that measures it."""
    agents: tuple[int, ...]
    """How many it may take."""
    setting: str
    type: type
    example: str


QUANTITIES: dict[str, Form] = {
    "elo": Form("games", (2,), "games", str, "elo('a', 'b')"),
    "score": Form("games", (1, 2), "games", str, "score('a', 'b'), or score('a') against all"),
    "wins": Form("games", (1, 2), "games", str, "wins('a', 'b'), or wins('a') against all"),
    "nodes": Form("games", (1,), "games", str, "nodes('a')"),
    "states": Form("depths", (1,), "depth", int, "states('a', depth=6)"),
    "share": Form("grade", (1,), "of", str, "share('a'), or share('a', of='perfect')"),
}
