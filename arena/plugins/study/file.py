"""A study's file: agents, games, measurements and claims, read from TOML and checked before anything is played.

Names of files in it count from the folder that it stands in. An agent of a range is named by what varies in it, such
as `a:depth=6`; `a` alone then stands for all of them.
"""

from __future__ import annotations

import hashlib
import itertools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from agents.errors import InputError, no_file, unknown
from agents.specs.registry import expand
from arena.games.entries import Entry, holds_entries, read_entries
from arena.games.plan import SETTINGS
from arena.games.settings import NUMBER, TEXT, TYPES, WHOLE, Apart, Type, of_type
from arena.plugins.study.claims import QUANTITIES, Claim, Quantity
from arena.plugins.study.parts import Games, Measurement, within
from arena.table.cells import without_depth

Part = Games | Measurement
Families = Mapping[str, Mapping[str, Entry]]
"""The agents that each name of [agents] stands for, by their full names."""


@dataclass(frozen=True)
class Study:
    """What a file declares, and what is to be measured."""

    title: str
    authors: tuple[str, ...]
    hypotheses: tuple[str, ...]
    text: str
    """The whole file."""
    folder: Path
    """Where names of files count from."""
    families: Families
    parts: tuple[Part, ...]
    claims: tuple[Claim, ...]

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def agents(self) -> dict[str, Entry]:
        """All agents by name."""
        return {name: entry for family in self.families.values() for name, entry in family.items()}

    def source(self, quantity: Quantity) -> tuple[Part, tuple[str, ...]]:
        """Return the part that a quantity is taken from, and its agents there.

        Of a score against all these are all that a name stands for. Raises InputError where there is no such part.
        """
        kind, agents = QUANTITIES[quantity.name].kind, quantity.agents
        parts = [part for part in self.parts if part.kind == kind]
        if not parts:
            raise InputError(f"{quantity.name} is taken from [{kind}], which this study does not have")
        if quantity.games and quantity.games not in (names := [part.name for part in parts]):
            raise unknown("games", quantity.games, names)
        if quantity.name in ("score", "wins") and len(agents) == 1:
            agents = tuple(self.families.get(agents[0], agents))
        members = {name for part in parts for name in part.agents}
        for agent in (agent for agent in agents if agent not in members):
            if len(several := self.families.get(agent, ())) > 1:
                raise InputError(f"{agent!r} stands for several agents: write one of {', '.join(several)}")
            raise unknown(f"agent in [{kind}]", agent, members)
        refusals = {part: part.refusal(quantity, agents) for part in parts if quantity.games in (None, part.name)}
        fit = [part for part, refusal in refusals.items() if not refusal]
        if not fit:
            raise InputError(next(iter(refusals.values())))
        if len(fit) > 1:
            names = [f"games={part.name!r}" for part in fit]
            raise InputError(f"{' and '.join(agents)} play in several runs: add {' or '.join(names)}")
        return fit[0], agents


def read_study(path: Path, folder: Path | None = None) -> Study:
    """Return the study of a file. Raises InputError with a line that says what is wrong, and what is near.

    folder: where names of files count from, by default that of the file.
    """
    if not path.is_file():
        raise no_file(path)
    try:
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read as TOML: {error}") from None
    with within(path.name):
        return _study(text, document, (folder or path.parent).absolute())


def _study(text: str, document: Mapping[str, Any], folder: Path) -> Study:
    top = _typed("", document)
    title = top.get("title", "").strip()
    if not title:
        raise InputError('a study has a title: title = "Does A beat B?"')
    with within("[isolation]"):
        isolation: Any = _typed("isolation", top.get("isolation", {}))
    families: dict[str, Mapping[str, Entry]] = {}
    for name, spec in top.get("agents", {}).items():
        with within(f"[agents]: {name}"):
            families[name] = _agents(name, spec, folder)
    tables = top.get("games", [])
    parts: list[Part] = []
    for number, table in enumerate(tables if isinstance(tables, list) else [tables], start=1):
        name = "games" if number == 1 else f"games-{number}"
        name = table.get("name", name) if isinstance(table, dict) else name
        with within(f"[games] {name}"):
            parts.append(_games(name, table, top.get("rules"), families, isolation))
    for kind in [kind for kind in ("depths", "grade") if kind in top]:
        with within(f"[{kind}]"):
            parts.append(_measurement(kind, top[kind], families, isolation))
    if len({part.name for part in parts}) < len(parts):
        raise InputError("[[games]]: two of them have one name, or one of depths and grade; give each its own")
    if not parts:
        raise InputError("nothing is measured: a study has [games], [depths] or [grade]")
    claims = []
    for number, table in enumerate(top.get("claims", []), start=1):
        with within(f"claim {number}"):
            claims.append(Claim.of(number, _typed("claim", table)))
    authors, hypotheses = (tuple(top.get(key, ())) for key in ("authors", "hypotheses"))
    study = Study(title, authors, hypotheses, text, folder, families, tuple(parts), tuple(claims))
    for claim in claims:
        with within(f"claim {claim.number}"):
            for quantity in claim.quantities:
                study.source(quantity)
    return study


# Agents, and the names that they get.


def _agents(name: str, spec: object, folder: Path) -> dict[str, Entry]:
    """Return the agents that a line of [agents] stands for, by their names. Raises InputError."""
    _refuse_misnamed(name)
    if not isinstance(spec, str):
        raise InputError(f"it is a text, such as 'alphabeta:depth=4..6', not {spec!r:.60}")
    if holds_entries(str(folder / spec)):  # the agents of a folder or a roster keep their names
        entries = read_entries(str(folder / spec))
        for line in entries.broken:
            raise InputError(line)
        several = len(entries.agents) > 1
        called = {f"{name}:{entry.name}" if several else name: entry for entry in entries.agents}
        return {full: replace(entry, name=full) for full, entry in called.items()}
    specs = expand(spec, str(folder))
    varied = [key for key in specs[0].parameters if len({repr(one.parameters.get(key)) for one in specs}) > 1]
    settings = [",".join(f"{key.replace('_', '-')}={one.parameters[key]}" for key in varied) for one in specs]
    names = [f"{name}:{values}" if values else name for values in settings]
    return {full: Entry(full, one.text, str(folder), own=True) for full, one in zip(names, specs, strict=True)}


def _refuse_misnamed(name: object) -> None:
    if not re.fullmatch(r"[^\W_][\w .+-]{0,39}", str(name)):
        raise InputError(f"{name!r} is no name: letters, digits, blanks and . + - _, at most 40")


def _members(families: Families, names: Iterable[str]) -> dict[str, Entry]:
    """Return the agents that names stand for, once for all names. Raises InputError."""
    single = {name: {name: entry} for family in families.values() for name, entry in family.items()}
    entries, members = {**single, **families}, dict[str, Entry]()
    for name in names:
        if name not in entries:
            raise unknown("agent", str(name), entries)
        members |= entries[name]
    if not members:
        raise InputError("there are no agents: name them in [agents]")
    return members


# Games and measurements.


def _games(name: str, table: object, rules: str | None, families: Families, isolation: Apart) -> Part:
    """Return the run of one [[games]]. Raises InputError."""
    plan = {**({"rules": rules} if rules else {}), **_typed("games", table)}
    _refuse_misnamed(name)
    plan.pop("name", None)
    agents, pairs = _members(families, plan.pop("agents", families)), plan.pop("pairs", "all")
    if pairs != "all":
        if {"format", "include_self"} & plan.keys():
            raise InputError("pairs name the pairings; leave out format and include_self")
        plan["pairs"] = _pairs(families, pairs, list(agents))
        agents = _members(families, itertools.chain(*plan["pairs"]))
    return Games(name, agents, plan, isolation)


def _pairs(families: Families, pairs: object, agents: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairings; `equal` are two names at the same setting. Raises InputError."""
    if pairs == "equal":
        settings = [(agent, *agent.partition(":")[::2]) for agent in agents]
        equal = tuple(
            (one, other) for (one, name, setting), (other, another, its) in itertools.combinations(settings, 2)
            if name != another and (setting == its or "" in (setting, its))
        )  # fmt: skip
        if not equal:
            raise InputError("no two agents of different names have equal settings")
        return equal
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise InputError("pairs are 'all', 'equal' or a list such as [['a', 'b']]")
    sides = (itertools.product(*(_members(families, [name]) for name in pair)) for pair in pairs)
    listed = tuple(dict.fromkeys((one, other) for one, other in itertools.chain(*sides) if one != other))
    if not listed:
        raise InputError("pairs name no two different agents")
    return listed


def _measurement(kind: str, table: object, families: Families, isolation: Apart) -> Part:
    """Return what [depths] or [grade] measures. Raises InputError."""
    settings = _typed(kind, table)
    agents = _members(families, settings.pop("agents", families))
    if "depth" in settings:
        settings["depth"] = _depths(settings["depth"])
    if kind == "depths":  # those that differ in depth alone are one
        named = {without_depth(name): entry for name, entry in agents.items()}
        agents = {name: replace(entry, name=name, spec=without_depth(entry.spec)) for name, entry in named.items()}
    return Measurement(kind, agents, settings, isolation)


def _depths(value: object) -> list[int]:
    """Return a depth, a list of depths or a range as a list. Raises InputError."""
    if isinstance(value, str) and (ends := re.fullmatch(r"(\d{1,2})\.\.(\d{1,2})", value)):
        value = list(range(int(ends[1]), int(ends[2]) + 1))
    depths: list[Any] = value if isinstance(value, list) else [value]
    if not depths or not all(isinstance(depth, int) and not isinstance(depth, bool) for depth in depths):
        raise InputError("depth is a number, a list of numbers or a range such as '4..6'")
    return depths


def _typed(where: str, table: object) -> dict[str, Any]:
    """Return a table of the file. Raises InputError for a key that it cannot have, and for a value of another type."""
    if not isinstance(table, dict):
        raise InputError(f"it is a table of keys and values, not {table!r:.60}")
    for key, value in table.items():
        if key not in KEYS[where]:
            raise unknown("key", key, KEYS[where])
        of_type(key, value, KEYS[where][key])
        for listed, item in ((TEXTS, str), (WHOLES, int)):
            if KEYS[where][key] is listed and not all(isinstance(one, item) for one in value):
                raise InputError(f"{key} is {listed[1]}, not {value!r:.80}")
    return dict(table)


TEXTS: Type = ((list,), "a list of texts")
WHOLES: Type = ((list,), "a list of whole numbers")
TABLE: Type = ((dict,), "a table")
OF_TYPE = {**TYPES, "bool": ((bool,), "true or false")}
"""What a setting of a type of Python takes."""
MEASURED: dict[str, Type] = {
    "agents": TEXTS, "seed": WHOLE, "rules": TEXT,
    "depth": ((str, int, list), "a number, a list of numbers or a range such as '4..6'"),
}  # fmt: skip
KEYS: dict[str, dict[str, Type]] = {
    "": {
        "title": TEXT, "authors": TEXTS, "hypotheses": TEXTS, "rules": TEXT, "agents": TABLE,
        "games": ((dict, list), "a table, or several [[games]]"), "depths": TABLE, "grade": TABLE,
        "claims": ((list,), "a list"), "isolation": TABLE,
    },
    "games": {
        "name": TEXT, "agents": TEXTS,
        **{name: OF_TYPE.get(setting.type.__name__, TEXT) for name, setting in SETTINGS.items()},
        "pairs": ((str, list), "'all', 'equal' or a list of pairs"),
    },
    "depths": {**MEASURED, "positions": TEXTS, "openings": TEXT, "rounds": WHOLE, "budget": NUMBER},
    "grade": {**MEASURED, "positions": WHOLE, "plies": WHOLES},
    "isolation": {name: OF_TYPE[kind.__name__] for name, kind in get_type_hints(Apart).items()},
    "claim": {"text": TEXT, "check": TEXT, "source": TEXT, "published": ((str, int, float), "a text or a number")},
}  # fmt: skip
"""The keys of a study's file and of its tables, and what their values may be."""
