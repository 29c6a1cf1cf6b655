"""A study's file: agents, games, measurements and claims, read from TOML and checked before anything is played.

Names and files in it count from the folder that it stands in. An agent of a range is named by what varies in it, such
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
from typing import Any

from agents.errors import InputError, no_file, unknown
from agents.specs.plugins import is_file
from agents.specs.registry import expand
from arena.analysis.comparison import without_depth
from arena.measure.comparison import Level
from arena.measure.comparison import spec as in_search
from arena.measure.study.claims import Claim, Quantity
from arena.play.entries import Entries, Entry, holds_entries
from arena.play.entries import read as read_entries


@dataclass(frozen=True, slots=True)
class Planned:
    """One run of a study."""

    name: str
    """Of its file, and of its tables and figures."""
    part: str
    """The name of the [[games]] that it belongs to, which claims may name."""
    agents: tuple[str, ...]
    """Names, as claims have them."""
    plan: Mapping[str, Any]
    """What `arena.run` or, of heuristics, `arena.compare` is asked for, as keywords."""
    specs: Mapping[str, str]
    """Of heuristics in one search, the agent in the run's tables for each name."""
    times: str = "games"
    why: bool = False
    audit: bool = False

    @property
    def pairs(self) -> set[frozenset[str]]:
        """Which two meet, as far as that is known before."""
        named = [frozenset(pair) for pair in self.plan.get("pairs", ())]
        return set(named or map(frozenset, itertools.combinations(self.agents, 2)))


@dataclass(frozen=True, slots=True)
class Study:
    """What a file declares."""

    path: Path
    text: str
    title: str
    authors: tuple[str, ...]
    hypotheses: tuple[str, ...]
    agents: Mapping[str, Entry]
    """By name, ranges expanded."""
    families: Mapping[str, tuple[str, ...]]
    """The agents that each name of the file stands for."""
    runs: tuple[Planned, ...]
    depths: Mapping[str, Any] | None
    """Keywords of `arena.depths`, with `agents` by name."""
    grade: Mapping[str, Any] | None
    """Those of `arena.grade`."""
    claims: tuple[Claim, ...]
    isolation: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def read(path: Path, folder: Path | None = None) -> Study:
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
        return _study(path, text, document, (folder or path.parent).absolute())
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from error


def _study(path: Path, text: str, document: Mapping[str, Any], folder: Path) -> Study:
    found = _typed("", document, TOP)
    if not found.get("title", "").strip():
        raise InputError('a study has a title: title = "Does A beat B?"')
    groups = {name: _agents(name, spec, folder) for name, spec in found.get("agents", {}).items()}
    agents = {name: entry for group in groups.values() for name, entry in group.items()}
    families = {name: tuple(group) for name, group in groups.items()}
    tables = found.get("games", [])
    tables = tables if isinstance(tables, list) else [tables]
    runs: list[Planned] = []
    for number, table in enumerate(tables, start=1):
        part = table.get("name", "games" if number == 1 else f"games-{number}")
        runs += _runs(part, table, families, found.get("rules"), folder)
    if len({run.name for run in runs}) < len(runs):
        raise InputError("[[games]]: two of them have one name; give each a name of its own")
    measured = {}
    for name, keys in (("depths", DEPTHS), ("grade", GRADE)):
        table = _typed(f"[{name}]", found[name], keys) if name in found else None
        measured[name] = table if table is None else _measured(name, table, families, folder)
    if not runs and measured == {"depths": None, "grade": None}:
        raise InputError("nothing is measured: a study has [games], [depths] or [grade]")
    claims = tuple(Claim.of(number, _typed(f"claim {number}", each, CLAIM)) for number, each in
                   enumerate(found.get("claims", []), start=1))  # fmt: skip
    study = Study(
        path, text, found["title"].strip(), tuple(found.get("authors", ())), tuple(found.get("hypotheses", ())), agents,
        families, tuple(runs), measured["depths"], measured["grade"], claims, found.get("isolation", {}),
    )  # fmt: skip
    for claim in claims:
        for quantity in claim.quantities:
            try:
                source_of(study, quantity)
            except InputError as error:
                raise InputError(f"claim {claim.number}: {error}") from error
    return study


def members(study: Study, quantity: Quantity) -> tuple[str, ...]:
    """Return the agents that a quantity is about: of a score against all also those that a name stands for together."""
    together = quantity.name in ("score", "wins") and len(quantity.agents) == 1
    return study.families.get(quantity.agents[0], quantity.agents) if together else quantity.agents


def source_of(study: Study, quantity: Quantity) -> Planned | str:
    """Return the run that a quantity is taken from, or `depths` or `grade`. Raises InputError where there is none."""
    name, agents, part = quantity.name, quantity.agents, quantity.games
    if kind := {"states": "depths", "share": "grade"}.get(name):
        return _table_of(study, quantity, kind)
    parts = {run.part for run in study.runs}
    if part is not None and part not in parts:
        raise unknown("games", part, parts)
    agents = members(study, quantity)
    known = {each for run in study.runs for each in run.agents}
    for agent in (agent for agent in agents if agent not in known):
        if len(several := study.families.get(agent, ())) > 1:
            raise InputError(f"{agent!r} stands for several agents: write one of {', '.join(several)}")
        raise unknown("agent that plays", agent, known)
    found = [
        run for run in study.runs
        if part in (None, run.part) and set(agents) <= set(run.agents)
        and (len(quantity.agents) < 2 or frozenset(agents) in run.pairs)
    ]  # fmt: skip
    if not found:
        raise InputError(f"{' and '.join(agents)} do not meet in {part or 'any games'}")
    if len(found) > 1:
        names = " or ".join(dict.fromkeys(f"games={run.part!r}" for run in found))
        raise InputError(f"{' and '.join(agents)} play in several runs: add {names}, or games with pairs of their own")
    return found[0]


def _table_of(study: Study, quantity: Quantity, kind: str) -> str:
    """Return `kind`, [depths] or [grade], where it measures what a quantity asks for. Raises InputError."""
    table = getattr(study, kind)
    if table is None:
        raise InputError(f"{quantity.name} is taken from [{kind}], which this study does not have")
    [agent], measured = quantity.agents, {without_depth(each) for each in table["agents"]}
    if without_depth(agent) not in measured:
        raise unknown(f"agent in [{kind}]", agent, measured)
    depths = table.get("depth", range(1, 9))
    if quantity.depth is not None and quantity.depth not in (depths if isinstance(depths, list | range) else [depths]):
        raise InputError(f"[depths] has no depth {quantity.depth}: its depth is {table.get('depth', '1..8')}")
    return kind


# Agents, and the names that they get.


def _agents(name: str, spec: object, folder: Path) -> dict[str, Entry]:
    """Return the agents that a line of [agents] stands for, by their names. Raises InputError."""
    if not re.fullmatch(r"[^\W_][\w .+-]{0,39}", name):
        raise InputError(f"[agents]: {name!r} is no name: letters, digits, blanks and . + - _, at most 40")
    if not isinstance(spec, str):
        raise InputError(f"[agents]: {name} is a text, such as 'alphabeta:depth=4..6', not {spec!r:.60}")
    try:
        if holds_entries(str(folder / spec)):
            return _listed(name, read_entries(str(folder / spec)))
        specs = expand(spec, str(folder))
    except InputError as error:
        raise InputError(f"[agents]: {name}: {error}") from error
    varied = [key for each in specs[:1] for key in each.parameters
              if len({repr(one.parameters.get(key)) for one in specs}) > 1]  # fmt: skip
    found = {}
    for each in specs:
        values = ",".join(f"{key.replace('_', '-')}={each.parameters[key]}" for key in varied)
        own = f"{name}:{values}" if values else name
        found[own] = Entry(own, each.text, str(folder), own=True)
    return found


def _listed(name: str, entries: Entries) -> dict[str, Entry]:
    """Return the agents of a folder or a roster, which keep their names behind that of the study."""
    if entries.broken:
        raise InputError(entries.broken[0])
    called = {f"{name}:{each.name}" if len(entries.agents) > 1 else name: each for each in entries.agents}
    return {own: replace(each, name=own) for own, each in called.items()}


def _members(names: Iterable[str], families: Mapping[str, Sequence[str]], where: str) -> list[str]:
    """Return the agents that names stand for, each once. Raises InputError."""
    single = {each for members in families.values() for each in members}
    found: list[str] = []
    for name in names:
        if name not in families and name not in single:
            raise InputError(f"{where}: {unknown('agent', str(name), [*families, *single])}")
        found += families.get(name, [name])
    return list(dict.fromkeys(found))


# Games.


def _runs(
    part: str, table: Mapping[str, Any], families: Mapping[str, Sequence[str]], rules: str | None, folder: Path
) -> list[Planned]:
    """Return the runs of one [[games]]: a sequential test has one for each pairing. Raises InputError."""
    where = f"[games] {part}"
    plan: dict[str, Any] = {"rules": rules} if rules else {}
    plan |= _typed(where, table, COMPARED if "heuristics" in table else GAMES)
    more: dict[str, Any] = {key: plan.pop(key) for key in ("times", "why", "audit") if key in plan}
    stop, pairs = plan.pop("stop", "all"), plan.pop("pairs", None)
    agents = _members(plan.pop("agents", families), families, where)
    plan.pop("name", None)
    if "openings" in plan:
        plan["openings"] = _openings(plan["openings"], folder)
    if "heuristics" in plan:
        return [_compared(part, plan, more, folder)]
    kind, _, test = stop.partition(":")
    if kind not in ("all", "sprt") or (kind == "sprt") != bool(test):
        raise InputError(f"{where}: stop is 'all' or a test such as 'sprt:elo0=0,elo1=30', not {stop!r}")
    if pairs is not None and {"format", "order", "include_self"} & plan.keys():
        raise InputError(f"{where}: pairs say who meets; leave out format, order and include_self")
    if pairs is None and test and len(agents) > 2:
        pairs = "equal"
    met = _pairs(where, pairs, agents, families)
    if not test:
        own = list(dict.fromkeys(itertools.chain(*met))) if met else agents
        return [Planned(part, part, tuple(own), plan | ({"pairs": tuple(met)} if met else {}), {}, **more)]
    met = met or [(agents[0], agents[1])] if len(agents) > 1 else met
    names = [part] if len(met) == 1 else [f"{part}-{slug(one)}-{slug(other)}" for one, other in met]
    return [Planned(name, part, pair, plan | {"sprt": test}, {}, **more) for name, pair in zip(names, met, strict=True)]


def _compared(part: str, plan: dict[str, Any], more: Mapping[str, Any], folder: Path) -> Planned:
    """Return the run of a comparison of heuristics, whose agents are named `heuristic:depth=6`. Raises InputError."""
    heuristics = [str(folder / each) if is_file(each) else each for each in plan["heuristics"]]
    given = {key: plan[key] for key in ("depth", "nodes", "seconds") if key in plan} or {"depth": "4..6"}
    if len(given) > 1:
        raise InputError(f"[games] {part}: choose one of {' and '.join(given)}")
    [(key, values)] = given.items()
    plan["heuristics"], plan[key] = heuristics, _levels(part, key, values)
    search = plan.get("search", "alphabeta:order=centre")
    specs = {
        f"{heuristic.rpartition('/')[2]}:{key}={level}": in_search(search, heuristic, Level(key, str(level)))
        for level in plan[key] for heuristic in heuristics
    }  # fmt: skip
    return Planned(part, part, tuple(specs), plan, specs, **more)


def _levels(part: str, key: str, values: object) -> list[Any]:
    if isinstance(values, str) and (ends := re.fullmatch(r"(\d{1,2})\.\.(\d{1,2})", values)):
        return list(range(int(ends[1]), int(ends[2]) + 1))
    found = values if isinstance(values, list) else [values]
    if not found or not all(isinstance(each, int | float) and not isinstance(each, bool) for each in found):
        raise InputError(f"[games] {part}: {key} is a number, a list of numbers or a range such as '4..6'")
    return found


def _pairs(
    where: str, pairs: object, agents: Sequence[str], families: Mapping[str, Sequence[str]]
) -> list[tuple[str, str]]:
    """Return who meets, none where all do; `equal` are agents of two names with the same setting. Raises InputError."""
    if pairs in (None, "all"):
        return []
    if pairs == "equal":
        parted = [(agent, *agent.partition(":")[::2]) for agent in agents]
        found = [
            (one, other) for (one, name, setting), (other, another, its) in itertools.combinations(parted, 2)
            if name != another and (setting == its or "" in (setting, its))
        ]  # fmt: skip
        if not found:
            raise InputError(f"{where}: no two agents of different names have equal settings")
        return found
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise InputError(f"{where}: pairs are 'all', 'equal' or a list such as [['a', 'b']]")
    return list(dict.fromkeys(
        (one, other) for pair in pairs
        for one, other in itertools.product(*(_members([name], families, where) for name in pair)) if one != other
    ))  # fmt: skip


def _openings(text: str, folder: Path) -> str:
    return text if re.match(r"(plies|fair):", text) else str(folder / text)


def slug(name: str) -> str:
    """Return a name as it can stand in that of a file."""
    return re.sub(r"[^A-Za-z0-9.+-]+", "-", name)


# Measurements.


def _measured(name: str, table: dict[str, Any], families: Mapping[str, Sequence[str]], folder: Path) -> dict[str, Any]:
    """Return the keywords of a depth table or of grades; `agents` by name. Raises InputError."""
    agents = _members(table.get("agents", families), families, f"[{name}]")
    if name == "depths":  # those that differ in depth alone are one
        agents = list({without_depth(each): each for each in reversed(agents)}.values())[::-1]
    if isinstance(table.get("depth"), str):
        table["depth"] = _levels(name, "depth", table["depth"])
    if "openings" in table:
        table["openings"] = _openings(table["openings"], folder)
    return {**table, "agents": agents}


def _typed(where: str, table: object, names: str) -> dict[str, Any]:
    """Return a table of the file. Raises InputError for a key that it cannot have, and for a value of another type."""
    if not isinstance(table, dict):
        raise InputError(f"{where} is a table of TOML, not {table!r:.60}")
    start, keys = f"{where}: " if where else "", dict(each.partition(":")[::2] for each in names.split())
    for key, value in table.items():
        if key not in keys:
            raise InputError(f"{start}{unknown('key', key, keys)}")
        kinds, words = TYPES[keys[key] or "text"]
        texts = kinds is not list or keys[key] != "texts" or all(isinstance(each, str) for each in value)
        if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool) or not texts:
            raise InputError(f"{start}{key} is {words}, not {value!r:.60}")
    return dict(table)


TYPES: dict[str, tuple[Any, str]] = {
    "text": (str, "a text"),
    "whole": (int, "a whole number"),
    "number": ((int, float), "a number"),
    "truth": (bool, "true or false"),
    "texts": (list, "a list of texts"),
    "list": (list, "a list"),
    "table": (dict, "a table"),
    "tables": ((dict, list), "a table, or several [[games]]"),
    "level": ((str, int, float, list), "a number, a list or a range such as '4..6'"),
    "pairs": ((str, list), "'all', 'equal' or a list of pairs"),
    "said": ((str, int, float), "a text or a number"),
}
"""What a value may be in TOML, and how that is called."""
TOP = (
    "title authors:texts hypotheses:texts rules agents:table games:tables depths:table grade:table claims:list "
    "isolation:table"
)
"""The keys of a study's file, each with the type of its value if it is not a text; below those of its tables."""
_PLAYED = "name openings rounds:whole seed:whole rules times why:truth audit:truth"
GAMES = (
    f"{_PLAYED} agents:texts pairs:pairs stop format order include_self:truth nodes:whole seconds:number margin:number"
)
COMPARED = f"{_PLAYED} heuristics:texts search depth:level nodes:level seconds:level"
DEPTHS = "agents:texts depth:level positions:texts openings rounds:whole seed:whole rules budget:number"
GRADE = "agents:texts depth:level positions:whole seed:whole plies:list rules"
CLAIM = "text check source published:said"
