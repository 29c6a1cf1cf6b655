"""The claims of a study: a small language of comparisons, and whether each stands, falls or cannot be decided.

A claim compares what was measured with numbers: `elo('a', 'b') > 0`, `nodes('a') < 0.5 * nodes('b')`,
`0.6 < score('a') < 0.7`. It is parsed by Python's grammar and read node by node; nothing in it is ever run. Each
quantity has an interval at any level, sums and products take the ends that are worst, and k quantities share the level
(Bonferroni), however they depend on each other. The p-value of a claim is the smallest level at which its interval lies
all on one side; Holm's test then allows for the number of claims.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from agents.errors import InputError, unknown
from arena.cells import count, fixed, plain, without_depth
from arena.records import Interval
from arena.rows import Column, cell, known, table_row
from arena.statistics.intervals import survivors

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
    timed: bool = False
    """Whether it is a time, which another machine has otherwise."""

    def ends(self, alpha: float) -> Ends:
        """Return the ends of its interval that misses the truth with this chance at most."""
        return (self.value, self.value) if self.at is None else self.at(alpha)

    def __neg__(self) -> Estimate:
        turned = None if self.at is None else lambda alpha: (-self.ends(alpha)[1], -self.ends(alpha)[0])
        return replace(self, value=-self.value, at=turned)


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


Known = Mapping[Quantity, Estimate | None]
"""What was measured; None of what could not be."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim of a study."""

    number: int
    """From 1, in the order of the file."""
    text: str
    check: str
    source: str
    published: str
    tree: ast.Compare
    quantities: tuple[Quantity, ...]
    """Each once, in the order of the check."""

    @classmethod
    def of(cls, number: int, table: Mapping[str, Any]) -> Claim:
        """Return the claim of a table of the file. Raises InputError with what may stand in a check."""
        check = table.get("check", "")
        try:
            tree = ast.parse(check.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise InputError(f"claim {number}: {check!r:.80} cannot be read; {SHAPE}") from None
        if not isinstance(tree, ast.Compare) or not all(type(each) in OPERATORS for each in tree.ops):
            raise InputError(f"claim {number}: {check!r:.80} is no comparison by <, <=, >, >= or ==; {SHAPE}")
        found: dict[Quantity, None] = {}
        try:
            for side in (tree.left, *tree.comparators):
                _ends(side, lambda quantity: (found.setdefault(quantity), (1.0, 1.0))[1])
        except InputError as error:
            raise InputError(f"claim {number}: {error}") from error
        if not found:
            raise InputError(f"claim {number}: {check!r:.80} measures nothing; {SHAPE}")
        source, published = (str(table.get(key, "")) for key in ("source", "published"))
        return cls(number, table.get("text", check), check, source, published, tree, tuple(found))

    def sides(self, of: Callable[[Quantity], Ends]) -> list[Ends]:
        """Return the ends of each side of the check; `of` returns those of a quantity. Raises InputError."""
        return [_ends(side, of) for side in (self.tree.left, *self.tree.comparators)]

    def share(self, known: Mapping[Quantity, Estimate], alpha: float) -> float:
        """Return the level that each quantity with an interval has (Bonferroni)."""
        return alpha / max(1, sum(known[each].at is not None for each in self.quantities))

    def holds(self, known: Mapping[Quantity, Estimate], alpha: float) -> bool | None:
        """Return whether it holds wherever in its interval the truth lies; None where that differs."""
        share = self.share(known, alpha)
        pairs = itertools.pairwise(self.sides(lambda quantity: known[quantity].ends(share)))
        differences = [_of_two(ast.Sub, one, other) for one, other in pairs]
        found = [_holds(type(sign), *ends) for sign, ends in zip(self.tree.ops, differences, strict=True)]
        return False if False in found else None if None in found else True

    def shown(self, known: Mapping[Quantity, Estimate]) -> Interval:
        """Return the measured side with the ends of its 95 % interval or, where both are, the left less the right."""
        share, sides = self.share(known, 0.05), (self.tree.left, *self.tree.comparators)
        measured = [any(isinstance(each, ast.Call) for each in ast.walk(side)) for side in sides]
        found: list[float] = []
        for of in (lambda each: (known[each].value,) * 2, lambda each: known[each].ends(share)):
            values = list(itertools.compress(self.sides(of), measured))
            found += values[0] if len(values) == 1 else _of_two(ast.Sub, values[0], values[1])
        return Interval(found[1], *(None if math.isinf(end) else end for end in found[2:]))


@dataclass(frozen=True)
class Declared:
    """What a study's file says of itself."""

    title: str
    authors: tuple[str, ...]
    hypotheses: tuple[str, ...]
    text: str
    """The whole file."""
    claims: tuple[Claim, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


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
    found = [0.0 if 0.0 in (a, b) and sign is ast.Mult else SIGNS[sign](a, b) for a in one for b in other]
    return (-math.inf, math.inf) if any(map(math.isnan, found)) else (min(found), max(found))


def _quantity(name: str, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> Quantity:
    """Return the quantity of a call. Raises InputError."""
    if name not in QUANTITIES:
        raise unknown("quantity", name, QUANTITIES)
    form = QUANTITIES[name]
    agents = tuple(each.value for each in args if isinstance(each, ast.Constant) and isinstance(each.value, str))
    named = {str(each.arg): each.value.value for each in keywords if isinstance(each.value, ast.Constant)}
    if len(agents) < len(args) or len(named) < len(keywords) or len(agents) not in form.agents:
        raise InputError(f"{name} is written {form.example}: names of agents in quotes")
    for key, value in named.items():
        if key not in form.settings:
            raise unknown(f"setting of {name}", key, form.settings)
        if not isinstance(value, form.settings[key]) or isinstance(value, bool):
            raise InputError(f"{name}: {key} cannot be {value!r}; it is written {form.example}")
    if named.get("of", "good") not in SHARES:
        raise unknown("share", str(named["of"]), SHARES)
    if name == "states":
        if setting := re.search(r"(?<=[:,])depth=(\d+)", agents[0]):
            named.setdefault("depth", int(setting[1]))
        if "depth" not in named:
            raise InputError(f"states needs a depth: {form.example}")
        agents = (without_depth(agents[0]),)
    return Quantity(name, agents, **named)  # type: ignore[arg-type]


def _holds(sign: type[ast.cmpop], low: float, high: float) -> bool | None:
    """Return whether a difference between these ends compares so with 0; None where it may or may not."""
    found = {OPERATORS[sign](end, 0.0) for end in (low, high)}
    if sign is ast.Eq:
        return True if low == high == 0.0 else False if low > 0.0 or high < 0.0 else None
    return found.pop() if len(found) == 1 else None


# Verdicts.


def _number(value: float | None) -> str:
    return "open" if value is None else fixed(3)(value) if abs(value) < 10 else count(round(value))


def _ends_shown(_: object, low: float | None, high: float | None) -> str:
    """Return the ends of an interval; nothing where there is none."""
    if low is None and high is None:
        return ""
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
        ends=Column("95 %", "check low high", _ends_shown),
        low_high="low high", by="which the quantities of the check share; None where it is open",
    )  # fmt: skip
    verdict: str = cell("`stands`, `falls` or `cannot tell`, with Holm's test over all claims.", "verdict")
    p: float | None = cell(
        "The least level at which the interval lies on one side; None of what is exact or was not measured.",
        "p", lambda p: f"{p:.3f}" if p >= 0.001 else "< 0.001", known, note="before Holm's test",
    )  # fmt: skip
    alone: str = cell("The verdict at 5 % if it were the only claim.")
    basis: str = cell("What the interval rests on, or why there is none.", "basis", least=3)
    published: str = cell("The published number.", "published", plain, any, least=2)
    source: str = cell("Where the claim was published.")
    timed: bool = cell("Whether it is about times, which depend on the machine.")


def verdicts(claims: Sequence[Claim], known: Known) -> list[Verdict]:
    """Return what each claim comes to. Exact results and what was not measured take no part in Holm's test."""
    measured = [{each: found for each in claim.quantities if (found := known[each]) is not None} for claim in claims]
    chances = [chance(claim, found) for claim, found in zip(claims, measured, strict=True)]
    tested = {place: 100.0 - 50.0 * p for place, p in enumerate(chances) if p is not None}
    kept = dict(zip(tested, survivors(list(tested.values())), strict=True))
    return [
        _verdict(claim, found, p, kept=kept.get(place, True))
        for place, (claim, found, p) in enumerate(zip(claims, measured, chances, strict=True))
    ]


def _verdict(claim: Claim, known: Mapping[Quantity, Estimate], p: float | None, *, kept: bool) -> Verdict:
    """Return what one claim comes to; `kept` says whether Holm's test lets it count."""
    verdict, alone, basis = CANNOT, CANNOT, "not measured"
    value = None
    if len(known) == len(claim.quantities):
        value = claim.shown(known)
        basis = "; ".join(dict.fromkeys(each.basis for each in known.values()))
        alone = GUESS[claim.holds(known, 0.05)]
        if kept:
            verdict = alone if p is None else GUESS[claim.holds(known, p * (1.0 + 1e-6))]
    timed = any(each.timed for each in known.values())
    return Verdict(
        claim.number, claim.text, claim.check, value, verdict, p, alone, basis, claim.published, claim.source, timed,
    )  # fmt: skip


def chance(claim: Claim, known: Mapping[Quantity, Estimate]) -> float | None:
    """Return the smallest level at which the claim is decided, by bisection; 1 if at none.

    None of exact numbers, and of what was not measured.
    """
    if len(known) < len(claim.quantities) or all(each.at is None for each in known.values()):
        return None
    low, high = -40.0, 0.0  # natural logarithms of levels
    if claim.holds(known, math.exp(high - 1e-9)) is None:
        return 1.0
    if claim.holds(known, math.exp(low)) is not None:
        return math.exp(low)
    for _ in range(50):
        middle = (low + high) / 2.0
        low, high = (middle, high) if claim.holds(known, math.exp(middle)) is None else (low, middle)
    return math.exp(high)


CANNOT: Final = "cannot tell"
GUESS: Final = {None: CANNOT, True: "stands", False: "falls"}
SHAPE: Final = "write a check as \"elo('a', 'b') > 0\": quantities and numbers, joined by + - * / and compared"
SIGNS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
}  # fmt: skip
OPERATORS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
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
    settings: Mapping[str, type]
    example: str


QUANTITIES: dict[str, Form] = {
    "elo": Form("games", (2,), {"games": str}, "elo('a', 'b')"),
    "score": Form("games", (1, 2), {"games": str}, "score('a', 'b'), or score('a') against all"),
    "wins": Form("games", (1, 2), {"games": str}, "wins('a', 'b'), or wins('a') against all"),
    "nodes": Form("games", (1,), {"games": str}, "nodes('a')"),
    "ms": Form("games", (1,), {"games": str}, "ms('a')"),
    "states": Form("depths", (1,), {"depth": int}, "states('a', depth=6)"),
    "share": Form("grade", (1,), {"of": str}, "share('a'), or share('a', of='perfect')"),
}
