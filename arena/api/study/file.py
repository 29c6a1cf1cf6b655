"""A study's file: agents, games, measurements and claims, read from TOML and checked before anything is played.

Names of files in it count from the folder that it stands in. An agent of a range is named by what varies in it, such
as `a:depth=6`; `a` alone then stands for all of them.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents.errors import InputError, no_file, unknown
from agents.specs.registry import expand
from arena.api.settings import NUMBER, TEXT, WHOLE, Type, of_type
from arena.api.study.parts import Depths, Games, Grades, slug
from arena.cells import without_depth
from arena.measure.comparison import Level
from arena.measure.comparison import spec as in_search
from arena.measure.study.claims import QUANTITIES, Claim, Declared, Quantity
from arena.play.entries import Entry, holds_entries, read_entries

Part = Games | Depths | Grades


@dataclass(frozen=True)
class Study(Declared):
    """What a file declares, and what is to be measured."""

    folder: Path
    """Where names of files count from."""
    families: Mapping[str, Mapping[str, Entry]]
    """The agents that each name of [agents] stands for, by their own names."""
    parts: tuple[Part, ...]

    @property
    def agents(self) -> dict[str, Entry]:
        """All agents by name."""
        return {name: entry for group in self.families.values() for name, entry in group.items()}

    def source(self, quantity: Quantity) -> tuple[Part, tuple[str, ...]]:
        """Return the part that a quantity is taken from, and its agents there.

        Of a score against all these are all that a name stands for. Raises InputError where there is no such part.
        """
        kind, agents = QUANTITIES[quantity.name].kind, quantity.agents
        parts = [part for part in self.parts if part.kind == kind]
        if not parts:
            raise InputError(f"{quantity.name} is taken from [{kind}], which this study does not have")
        if quantity.games and quantity.games not in (groups := {part.group for part in parts}):
            raise unknown("games", quantity.games, groups)
        if quantity.name in ("score", "wins") and len(agents) == 1:
            agents = tuple(self.families.get(agents[0], agents))
        known = {name for part in parts for name in part.agents}
        for agent in (agent for agent in agents if agent not in known):
            if len(several := self.families.get(agent, ())) > 1:
                raise InputError(f"{agent!r} stands for several agents: write one of {', '.join(several)}")
            raise unknown(f"agent in [{kind}]", agent, known)
        asked = [p for p in parts if quantity.games in (None, p.group) and set(agents) <= p.agents.keys()]
        found = [part for part in asked if not part.refusal(quantity, agents)]
        if len(found) == 1:
            return found[0], agents
        if found:
            names = " or ".join(dict.fromkeys(f"games={part.group!r}" for part in found))
            raise InputError(f"{_and(agents)} play in several runs: add {names}, or games with pairs of their own")
        raise InputError(next((part.refusal(quantity, agents) for part in asked), f"{_and(agents)} are in no one run"))


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
    try:
        return _study(text, document, (folder or path.parent).absolute())
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error


def _study(text: str, document: Mapping[str, Any], folder: Path) -> Study:
    found = _typed("", document, TOP)
    title, isolation = found.get("title", "").strip(), _typed("[isolation]", found.get("isolation", {}), ISOLATION)
    if not title:
        raise InputError('a study has a title: title = "Does A beat B?"')
    families = {name: _agents(name, spec, folder) for name, spec in found.get("agents", {}).items()}
    tables = found.get("games", [])
    parts: list[Part] = []
    for number, table in enumerate(tables if isinstance(tables, list) else [tables], start=1):
        group = _table("[[games]]", table).get("name", "games" if number == 1 else f"games-{number}")
        parts += _games(_Block(f"[games] {group}", group, families, isolation, folder), table, found.get("rules"))
    for name in [name for name in ("depths", "grade") if name in found]:
        parts.append(_measurement(_Block(f"[{name}]", name, families, isolation, folder), found[name]))
    if len({part.name for part in parts}) < len(parts):
        raise InputError("[[games]]: two of them have one name, or one of depths and grade; give each its own")
    if not parts:
        raise InputError("nothing is measured: a study has [games], [depths] or [grade]")
    rows = enumerate(found.get("claims", []), start=1)
    claims = tuple(Claim.of(number, _typed(f"claim {number}", each, CLAIM)) for number, each in rows)
    authors, hypotheses = (tuple(found.get(key, ())) for key in ("authors", "hypotheses"))
    study = Study(title, authors, hypotheses, text, claims, folder, families, tuple(parts))
    for claim in claims:
        for quantity in claim.quantities:
            try:
                study.source(quantity)
            except InputError as error:
                raise InputError(f"claim {claim.number}: {error}") from error
    return study


# Agents, and the names that they get.


def _agents(name: str, spec: object, folder: Path) -> dict[str, Entry]:
    """Return the agents that a line of [agents] stands for, by their names. Raises InputError."""
    _refuse_misnamed("[agents]", name)
    if not isinstance(spec, str):
        raise InputError(f"[agents]: {name} is a text, such as 'alphabeta:depth=4..6', not {spec!r:.60}")
    try:
        if holds_entries(str(folder / spec)):  # the agents of a folder or a roster keep their names
            listed = read_entries(str(folder / spec))
            for line in listed.broken:
                raise InputError(line)  # noqa: TRY301  named below
            called = {f"{name}:{each.name}" if len(listed.agents) > 1 else name: each for each in listed.agents}
            return {own: replace(each, name=own) for own, each in called.items()}
        specs = expand(spec, str(folder))
    except InputError as error:
        raise InputError(f"[agents]: {name}: {error}") from error
    varied = [key for key in specs[0].parameters if len({repr(each.parameters.get(key)) for each in specs}) > 1]
    settings = [",".join(f"{key.replace('_', '-')}={each.parameters[key]}" for key in varied) for each in specs]
    names = [f"{name}:{values}" if values else name for values in settings]
    return {own: Entry(own, each.text, str(folder), own=True) for own, each in zip(names, specs, strict=True)}


def _refuse_misnamed(where: str, name: object) -> None:
    if not re.fullmatch(r"[^\W_][\w .+-]{0,39}", str(name)):
        raise InputError(f"{where}: {name!r} is no name: letters, digits, blanks and . + - _, at most 40")


@dataclass(frozen=True, slots=True)
class _Block:
    """A table of the file that says what is measured."""

    where: str
    group: str
    families: Mapping[str, Mapping[str, Entry]]
    isolation: Any
    folder: Path

    def members(self, names: Iterable[str]) -> dict[str, Entry]:
        """Return the agents that names stand for, each once. Raises InputError."""
        single = {own: {own: entry} for group in self.families.values() for own, entry in group.items()}
        known, found = {**single, **self.families}, dict[str, Entry]()
        for name in names:
            if name not in known:
                raise InputError(f"{self.where}: {unknown('agent', str(name), known)}")
            found |= known[name]
        if not found:
            raise InputError(f"{self.where} has no agents: name them in [agents]")
        return found

    def openings(self, settings: Mapping[str, Any]) -> dict[str, str]:
        """Return the openings of a table, if it names any, a file from the folder."""
        text = settings.get("openings")
        whole = text is None or re.match(r"(plies|fair):", text)
        return {} if text is None else {"openings": text if whole else str(self.folder / text)}

    def levels(self, key: str, value: object) -> list[Any]:
        """Return a number, a list of numbers or a range as a list. Raises InputError."""
        if isinstance(value, str) and (ends := re.fullmatch(r"(\d{1,2})\.\.(\d{1,2})", value)):
            value = list(range(int(ends[1]), int(ends[2]) + 1))
        found = value if isinstance(value, list) else [value]
        if not found or not all(isinstance(each, int | float) and not isinstance(each, bool) for each in found):
            raise InputError(f"{self.where}: {key} is a number, a list of numbers or a range such as '4..6'")
        return found


# Games and measurements.


def _games(block: _Block, table: Mapping[str, Any], rules: str | None) -> list[Part]:
    """Return the runs of one [[games]]: a sequential test has one for each pairing. Raises InputError."""
    _refuse_misnamed("[games]", block.group)
    compared = "heuristics" in table
    plan: dict[str, Any] = {"rules": rules} if rules else {}
    plan |= _typed(block.where, table, COMPARED if compared else GAMES)
    audit: bool = plan.pop("audit", False)
    stop, pairs = plan.pop("stop", "all"), plan.pop("pairs", None)
    plan.pop("name", None)
    plan |= block.openings(plan)
    if compared:
        return [_compared(block, plan, audit=audit)]
    agents = block.members(plan.pop("agents", block.families))
    kind, _, test = stop.partition(":")
    if kind not in ("all", "sprt") or (kind == "sprt") != bool(test):
        raise InputError(f"{block.where}: stop is 'all' or a test such as 'sprt:elo0=0,elo1=30', not {stop!r}")
    if pairs is not None and {"format", "include_self"} & plan.keys():
        raise InputError(f"{block.where}: pairs name the pairings; leave out format and include_self")
    met = _pairs(block, "equal" if pairs is None and test and len(agents) > 2 else pairs, list(agents))
    shared = block.isolation, audit
    if not test:
        plan |= {"pairs": tuple(met)} if met else {}
        own = block.members(itertools.chain(*met)) if met else agents
        return [Games(block.group, block.group, own, plan, *shared)]
    met = met or list(itertools.combinations(agents, 2))
    names = [block.group] if len(met) == 1 else [f"{block.group}-{slug(one)}-{slug(other)}" for one, other in met]
    return [
        Games(name, block.group, block.members(pair), plan | {"sprt": test}, *shared)
        for name, pair in zip(names, met, strict=True)
    ]


def _compared(block: _Block, plan: dict[str, Any], *, audit: bool) -> Part:
    """Return the run of a comparison of heuristics, with agents named `heuristic:depth=6`. Raises InputError."""
    given = {key: plan[key] for key in ("depth", "nodes", "seconds") if key in plan} or {"depth": "4..6"}
    if len(given) > 1:
        raise InputError(f"{block.where}: choose one of {' and '.join(given)}")
    [(key, values)] = given.items()
    plan[key], search = block.levels(key, values), plan.get("search", "alphabeta:order=centre")
    with chdir(block.folder):
        agents = {
            f"{heuristic.rpartition('/')[2]}:{key}={level}": in_search(search, heuristic, Level(key, str(level)))
            for level in plan[key] for heuristic in plan["heuristics"]
        }  # fmt: skip
    own = {name: Entry(name, spec, str(block.folder), own=True) for name, spec in agents.items()}
    return Games(block.group, block.group, own, plan, block.isolation, audit)


def _pairs(block: _Block, pairs: object, agents: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairings, none if all meet; `equal` are two names at the same setting. Raises InputError."""
    if pairs in (None, "all"):
        return []
    if pairs == "equal":
        parted = [(agent, *agent.partition(":")[::2]) for agent in agents]
        found = [
            (one, other) for (one, name, setting), (other, another, its) in itertools.combinations(parted, 2)
            if name != another and (setting == its or "" in (setting, its))
        ]  # fmt: skip
        if not found:
            raise InputError(f"{block.where}: no two agents of different names have equal settings")
        return found
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise InputError(f"{block.where}: pairs are 'all', 'equal' or a list such as [['a', 'b']]")
    sides = (itertools.product(*(block.members([name]) for name in pair)) for pair in pairs)
    found = list(dict.fromkeys((one, other) for one, other in itertools.chain(*sides) if one != other))
    if not found:
        raise InputError(f"{block.where}: pairs name no two different agents")
    return found


def _measurement(block: _Block, table: Mapping[str, Any]) -> Part:
    """Return what [depths] or [grade] measures. Raises InputError."""
    settings = _typed(block.where, table, DEPTHS if block.group == "depths" else GRADE)
    agents = block.members(settings.pop("agents", block.families))
    settings |= block.openings(settings)
    if "depth" in settings:
        settings["depth"] = block.levels("depth", settings["depth"])
    if block.group == "grade":
        return Grades("grade", "grade", agents, settings, block.isolation)
    free = {without_depth(name): entry for name, entry in agents.items()}  # those that differ in depth alone are one
    found = {name: replace(entry, name=name, spec=without_depth(entry.spec)) for name, entry in free.items()}
    return Depths("depths", "depths", found, settings, block.isolation)


def _and(agents: Sequence[str]) -> str:
    return " and ".join(agents)


def _table(where: str, table: object) -> dict[str, Any]:
    """Return a table of the file, as a copy. Raises InputError for anything else."""
    if not isinstance(table, dict):
        raise InputError(f"{where} is a table of keys and values, not {table!r:.60}")
    return dict(table)


def _typed(where: str, table: object, names: str) -> dict[str, Any]:
    """Return a table of the file. Raises InputError for a key that it cannot have, and for a value of another type."""
    start, keys = f"{where}: " if where else "", dict(each.partition(":")[::2] for each in names.split())
    found = _table(where, table)
    for key, value in found.items():
        if key not in keys:
            raise InputError(f"{start}{unknown('key', key, keys)}")
        kind = keys[key] or "text"
        try:
            of_type(key, value, {key: TYPES[kind]})
            for each in value if kind in ITEMS else ():
                of_type(f"each of {key}", each, {f"each of {key}": ITEMS[kind]})
        except InputError as error:
            raise InputError(f"{start}{error}") from None
    return found


TYPES: dict[str, Type] = {
    "text": TEXT,
    "whole": WHOLE,
    "number": NUMBER,
    "truth": ((bool,), "true or false"),
    "texts": ((list,), "a list of texts"),
    "wholes": ((list,), "a list of whole numbers"),
    "list": ((list,), "a list"),
    "table": ((dict,), "a table"),
    "tables": ((dict, list), "a table, or several [[games]]"),
    "level": ((str, int, float, list), "a number, a list or a range such as '4..6'"),
    "pairs": ((str, list), "'all', 'equal' or a list of pairs"),
    "said": ((str, int, float), "a text or a number"),
}
"""What a value may be in TOML, and how that is called."""
ITEMS: dict[str, Type] = {"texts": TEXT, "wholes": WHOLE}
"""The same of the items of lists."""
TOP = (
    "title authors:texts hypotheses:texts rules agents:table games:tables depths:table grade:table claims:list "
    "isolation:table"
)
"""The keys of a study's file, each with the type of its value if it is not a text; below those of its tables."""
_PLAYED = "name openings rounds:whole seed:whole rules audit:truth"
GAMES = f"{_PLAYED} agents:texts pairs:pairs stop format include_self:truth nodes:whole seconds:number margin:number"
COMPARED = f"{_PLAYED} heuristics:texts search depth:level nodes:level seconds:level"
DEPTHS = "agents:texts depth:level positions:texts openings rounds:whole seed:whole rules budget:number"
GRADE = "agents:texts depth:level positions:whole seed:whole plies:wholes rules"
ISOLATION = "patience:number memory:whole sandbox:truth everyone:truth nobody:truth debug"
CLAIM = "text check source published:said"
