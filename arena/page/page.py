"""The HTML page of a run: its tables, figures and games, and how it was made."""

from __future__ import annotations

import functools
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agents.score import in_words
from arena.plugins import at_hand, folders, offers, others, run_of
from arena.store import queries, writing
from arena.store.machine import made
from arena.store.queries import Selection
from arena.store.run_file import Store
from arena.table.extra import said
from arena.table.labels import Labels
from arena.table.parts import Detail, Part, Table, cells, explained, render
from arena.table.rows import columns
from arena.tournament import tables as run_report
from arena.tournament.faults import LostGames, faults
from arena.tournament.figures import pictures
from arena.tournament.frames import Frames
from arena.tournament.games import Game, games
from arena.tournament.rounds import Opening, openings

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table."""

    text: str
    key: float | None
    """The sort key; None to sort by the text."""
    side: str
    """`left` or `right`."""
    href: str = ""
    """The address of its link, if any."""


@dataclass(frozen=True, slots=True)
class HtmlTable:
    """A table in a page."""

    name: str
    title: str
    headers: list[tuple[str, str]]
    """Each with the alignment of its cells."""
    lines: list[list[Cell]]
    csv: str
    """All fields, with full numbers."""


Links = Mapping[tuple[str, int], str]
"""The addresses of cells, by column header and line number from 0."""


def shown(table: Table, links: Links = MappingProxyType({})) -> HtmlTable:
    """Return a table for a page."""
    rows = table.lines or table.rows
    columns = cells(rows, table.columns, table.labels)
    drawn = [
        [
            Cell(text, _key(value), column.side, links.get((column.header, line), ""))
            for line, (text, value) in enumerate(zip(column.cells, column.values, strict=True))
        ]
        for column in columns
    ]
    return HtmlTable(
        table.name,
        table.title,
        [(column.header, column.side) for column in columns],
        [list(line) for line in zip(*drawn, strict=True)],
        render(table.rows, table.columns, "csv", row=table.row),
    )


def blocks(parts: Sequence[Part]) -> list[HtmlTable | str]:
    """Return the tables that have rows, each line between them, and details whole, which a page folds."""
    pieces: list[HtmlTable | str] = []
    for part in explained(parts):
        if isinstance(part, Table):
            pieces.append(shown(part))
        elif isinstance(part, Detail):
            last = pieces.pop() if pieces and isinstance(pieces[-1], Detail) else ""
            pieces.append(Detail(f"{last}\n{part}".strip()))
        else:
            pieces += part.split("\n")
    return pieces


def _key(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)


def render_template(template: str, *, whole: bool, modules: tuple[str, ...] = (), **values: object) -> str:
    """Return a page. `whole` embeds styles and scripts, so that the page needs no other file.

    modules: the scripts, each after those that it imports; the last one is the entry point.
    """
    routes = [] if whole else [offer.row for offer in offers("ROUTES")]
    return _environment().get_template(template).render(whole=whole, modules=modules, routes=routes, **values)


def as_json(value: object) -> Markup:
    """Return a value as JSON for a script element, without a text that would end the element."""
    from markupsafe import Markup

    text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704  see above


def breakable(text: str) -> Markup:
    """Return a text with places to break lines after the separators in an agent's spec."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"(?<=[:,=/])(?=\w)", "<wbr>", escape(text)))  # noqa: S704  it is escaped


def asset(name: str) -> str:
    """Return the text of a file in the folder `static` of a package that offers something."""
    places = (files(folder).joinpath("static", name) for folder in with_files("static"))
    return next(place for place in places if place.is_file()).read_text(encoding="utf-8")


def with_files(name: str) -> list[str]:
    """Return the packages that offer something and have a folder of this name, `static` or `templates`."""
    packages = (package.__name__ for package in (*folders(), *others()))
    return [package for package in packages if files(package).joinpath(name).is_dir()]


def bundle(modules: tuple[str, ...]) -> str:
    """Return modules joined to one, without imports and exports; their top-level names must differ."""
    return "\n".join(re.sub(r"^export ", "", _IMPORT.sub("", asset(name)), flags=re.MULTILINE) for name in modules)


@functools.cache
def _environment() -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    loader = ChoiceLoader([PackageLoader(package) for package in with_files("templates")])
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)

    def trusted(make: Any) -> Any:  # noqa: ANN401  any of the above
        return lambda argument: Markup(make(argument))  # noqa: S704  files of this package

    environment.filters["breakable"] = breakable
    environment.globals.update(asset=trusted(asset), bundle=trusted(bundle), words=in_words)
    return environment


BOUND = 16_000_000
"""Bytes for the games of a page, so that a browser can load them at once."""
_PIECE = 1_000
"""Games with decisions to read at once."""


def document(store: Store, bound: int = BOUND, where: queries.Where = queries.ALL) -> tuple[dict[str, Any], int]:
    """Return the data to list and to replay games, and the number of games.

    `agents` (as labels) and `openings` are lists. A game has g (number), a and b (indices of its agents), o (index of
    its opening), m (moves), r (result), t (termination), d (detail) and, as lists over its decisions, s (scores), n
    (nodes), u (microseconds), p (depths), v and w (value before and after the move, None if not audited). k maps the
    index of a blunder among the decisions to the columns that kept the value.

    bound: the size in bytes; if all games need more, those with faults and the worst blunders come first, then a sample
    of the others. where: selects games.
    """
    rows = list(games(Selection(store, where)))
    agents = store.names()
    openings = store.openings()
    places = {name: place for place, name in enumerate(agents)}
    starts = {moves: place for place, moves in enumerate(openings)}
    labels = Labels.among(agents)
    kept: dict[int, dict[str, Any]] = {}
    for game, decided in _decided(store, sorted(rows, key=lambda g: (not g.is_fault, -g.thrown, _spread(g.game)))):
        row = {
            "g": game.game,
            "a": places[game.first],
            "b": places[game.second],
            "o": starts[game.opening],
            "m": game.moves,
            "r": game.result,
            "t": game.termination,
            **({"d": game.detail} if game.detail else {}),
            **decided,
        }
        bound -= len(as_json(row)) + 1
        if bound < 0:
            break
        kept[game.game] = row
    chosen = [kept[game.game] for game in rows if game.game in kept]
    said = [labels.of(name) for name in agents]
    return {"rules": asdict(store.rules()), "agents": said, "openings": openings, "games": chosen}, len(rows)


def _decided(store: Store, games: Sequence[Game]) -> Iterator[tuple[Game, dict[str, Any]]]:
    """Yield games with their decisions, read piece by piece to save memory."""
    for start in range(0, len(games), _PIECE):
        piece = games[start : start + _PIECE]
        decisions = _decisions(store, [game.game for game in piece])
        for game in piece:
            yield game, decisions[game.game]


def _spread(number: int) -> int:
    """Return a sort key that spreads the numbers of games over a run, the same each time."""
    return number * 2_654_435_761 % 2**32


def _decisions(store: Store, games: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return the decisions of these games as lists, and the keepers of the value and extras by index."""
    audit, extras = queries.audit_of(store, games), queries.extras(store, games)
    by_game: dict[int, dict[str, Any]] = defaultdict(lambda: {key: [] for key in KEYS})
    for game, ply, score, nodes, seconds, depth in queries.moves_of(store, games):
        audited = audit.get((game, ply), {})
        value, after = audited.get("value"), audited.get("after")
        if value is not None and after < value and audited.get("keepers"):
            by_game[game].setdefault("k", {})[len(by_game[game]["s"])] = audited["keepers"]
        if extra := extras.pop((game, ply), None):
            by_game[game].setdefault("x", {})[len(by_game[game]["s"])] = said(json.loads(extra))
        row = (score, nodes, round(seconds * 1e6), depth, value, after)
        for key, number in zip(KEYS, row, strict=True):
            by_game[game][key].append(number)
    for (game, _), extra in extras.items():  # of replies that lost the game, in its last position
        by_game[game].setdefault("x", {})[len(by_game[game]["s"])] = said(json.loads(extra))
    for decisions in by_game.values():
        if all(value is None for value in decisions["v"]):
            del decisions["v"], decisions["w"]
    return by_game


KEYS = ("s", "n", "u", "p", "v", "w")


OPENINGS = columns(Opening)
FAULTS = columns(LostGames, "agent", "games", "termination", "detail")
MODULES = ("board.js", "tables.js", "replay.js", "games.js")


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a page, with a heading and an anchor."""

    name: str
    title: str
    blocks: Sequence[HtmlTable | str] = ()
    figures: Sequence[str] = ()
    """SVG."""
    facts: Sequence[tuple[str, str]] = ()


def write(path: Path, out: Path, title: str | None = None) -> Path:
    """Write the page of a stored run, and return the page's path. Raises InputError."""
    writing.write(out, page(path, title))
    return out


def page(path: Path, title: str | None = None, before: Sequence[Section] = (), *, whole: bool = True) -> str:
    """Return the page of a stored run; other sections may come `before` its own.

    whole: make it one file that needs no other. Raises InputError.
    """
    with Store.read(path) as store:
        frames, facts = Frames.read(path), _facts(store)
        data, stored = document(store)
    parts, drawn = run_report.whole(frames), pictures(frames)
    subject, heading = "a tournament", "Standings"
    if of_run := run_of(frames.plan):
        subject, heading = of_run.SUBJECT, of_run.NAME
        drawn = [picture for picture in drawn if picture.name not in of_run.REPLACED]
    effort = [part for part in parts if isinstance(part, Table) and part.name == "effort"]
    top = [part for part in parts if part not in effort]
    listed = len(data["games"])
    sampled = f"All {stored:,} games of the run." if listed == stored else (
        f"{listed:,} of the run's {stored:,} games: those with faults, the worst blunders, and a sample of the others."
    )  # fmt: skip
    sections = [
        Section("standings", heading, blocks([*top[:1], *run_report.warnings(frames), *top[1:]])),
        Section("figures", "Figures", figures=[picture.svg() for picture in drawn]),
        Section("games", "Games", blocks=[sampled] if stored else []),
        Section("effort", "Effort", blocks(effort)),
        Section("openings", "Openings", blocks([Table("openings", "", Opening, openings(frames), OPENINGS)])),
        *(Section(offer.row[0], offer.row[1], blocks(offer.load(2)(frames))) for offer in at_hand("SECTIONS", frames)),
        Section("faults", "Faults", blocks(_faults(frames))),
        Section("about", "How it was made", facts=facts),
    ]
    subtitle = f"{path.name}: {len(frames.agents)} agents, {stored:,} of {frames.planned:,} games"
    shown = [section for section in sections if section.blocks or section.figures or section.facts]
    title = title or f"Connect4 Arena: {subject}"
    return rendered(title, subtitle, [*before, *shown], data if listed else None, whole=whole)


def _faults(frames: Frames) -> list[Part]:
    rows = faults(frames)
    return [Table("faults", "", LostGames, rows, FAULTS, Labels.among(frames.agents["name"]))] if rows else []


def _facts(store: Store) -> list[tuple[str, str]]:
    """Return the origin of a run: time, command, openings, versions and machines."""
    run = made(store)
    facts = [
        ("File", store.path.name),
        ("Command", run["command"] or "not stored"),
        ("Begun", _moment(run["created"])),
        ("Seed", str(run["seed"])),
        ("Openings", str(store.plan().get("openings", ""))),
        ("Versions", ", ".join(f"{name} {version}" for name, version in run["versions"].items())),
        ("Machine", ", ".join(f"{name} {value}" for name, value in run["machine"].items() if value)),
        *((f"Session {number}", text) for number, text in enumerate(map(_session, run["sessions"][1:]), start=2)),
    ]
    return [(name, text) for name, text in facts if text]


def _session(session: Mapping[str, Any]) -> str:
    """Return the start of a session, its versions and its machine."""
    facts = {**session["versions"], **session["machine"]}
    return ", ".join([f"{_moment(session['begun'])}", *(f"{name} {value}" for name, value in facts.items() if value)])


def _moment(text: str) -> str:
    return f"{text[:19].replace('T', ' ')} UTC"


def rendered(
    title: str, subtitle: str, sections: Sequence[Section], data: dict[str, Any] | None = None, *, whole: bool = True,
    back: str = "",
) -> str:  # fmt: skip
    """Return a page of these sections. data: the games of the section `games`, from `document`.

    whole: as in `render_template`. back: the address of the parent page.
    """
    return render_template(
        "report.html",
        whole=whole,
        modules=MODULES if data else MODULES[1:2],
        title=title,
        subtitle=subtitle,
        sections=sections,
        back=back,
        data=as_json(data) if data else "",
    )
