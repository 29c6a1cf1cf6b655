"""A methods paragraph for a paper, of a stored run or of a study, and the references that it cites.

Sentences cite as Pandoc does, `[@key]`; LaTeX gets its own citations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import Any
from unicodedata import normalize

from arena.analysis.frames import Frames
from arena.analysis.standings import counts
from arena.cells import counted
from arena.report.styles import latex
from arena.statistics.sprt import Sprt

NAMED = 6
"""Agents that a paragraph names, at most."""


def run_sentences(frames: Frames) -> list[str]:
    """Return sentences on how a run was played and how its statistics are computed."""
    said = [*_agents(frames), *_schedule(frames), _stop(frames), _numbers(frames), *_statistics(frames)]
    return [made_with(frames.made), *said]


def made_with(made: dict[str, Any]) -> str:
    """Return a sentence on the versions and the machine of a measurement; `made` is its `meta`."""
    versions, machine = made["versions"], made["machine"]
    programs = ", ".join(f"{name} {versions[name]}" for name in ("python", "numba", "numpy") if name in versions)
    cores = counted(machine["processors"], "processor")
    on = " ".join(str(machine[each]) for each in ("system", "machine") if machine.get(each))
    kind = f", {machine['processor']}" if machine.get("processor") else ""
    sessions = made.get("sessions", [])
    several = f", in {len(sessions)} sessions" if len(sessions) > 1 else ""
    version = versions.get("connect4-arena", "")
    return (
        f"We used Connect4 Arena {version} [@connect4arena] ({programs.replace('python', 'Python')}) on {on} with "
        f"{cores}{kind}{several}."
    )


def _agents(frames: Frames) -> list[str]:
    rules = frames.plan["rules"]
    board = f"{rules['columns']} columns and {rules['rows']} rows, {rules['connect']} in a line"
    more = " The board was filled, and most fours won." if rules.get("most_fours") else ""
    entries = {each["name"]: each for each in _entries(frames)}
    said = []
    for name, spec in frames.agents[["name", "spec"]].itertuples(index=False):
        own = entries.get(name, {"folder": "", "nodes": None, "seconds": None})
        what = [f"`{spec.replace(own['folder'] + '/', '')}`"] * (name != spec)
        for key, unit in (("nodes", "nodes"), ("seconds", "s")):
            what += [f"at most {own[key]:,} {unit} a move"] if own[key] else []
        said.append(f"`{name}`" + f" ({', '.join(what)})" * bool(what))
    listed = _and(said) if len(said) <= NAMED else f"{len(said)} agents, which the tables name"
    return [f"On a board of {board}, the players were {listed}.{more}"]


def _entries(frames: Frames) -> list[dict[str, Any]]:
    """Return the entries of agents from folders and rosters, and of agents with their own names."""
    return [each for each in (frames.plan.get("isolation") or {}).get("entries", ()) if each]


def _schedule(frames: Frames) -> list[str]:
    """Return sentences on pairings, openings and limits."""
    plan = frames.plan
    drawn, population, name = len(frames.openings), plan.get("population"), str(plan.get("openings", ""))
    kinds = {
        r"plies:(\d+)": "positions of {} plies in which nobody has won, up to mirror image",
        r"fair:(\d+)": "positions of {} plies that are drawn with perfect play, up to mirror image",
        r"fair:(\d+):pairs": "positions of {} plies that the first and the second player win, in turn",
    }
    found = [(text, match[1]) for form, text in kinds.items() if (match := re.fullmatch(form, name))]
    kind = found[0][0].format(found[0][1]) if found else f"openings of `{name.rpartition('/')[2]}`"
    whole = f"all {drawn:,} {kind}" if drawn == population else (
        f"{drawn:,} of the {population:,} {kind}, drawn without replacement with seed {plan['seed']}"
        if population else f"{drawn:,} {kind}, drawn with seed {plan['seed']}"
    )  # fmt: skip
    if plan.get("comparison") or plan.get("pairs"):
        number = len(plan["pairs"])
        agents = f"The agents of the {number} declared pairings played" if number > 1 else "The two agents played"
    else:
        every = "The two" if len(frames.agents) == 2 else "Every two"
        agents = (
            f"{every} agents played"
            if plan.get("format") == "round-robin"
            else f"The schedule was a {plan.get('format')}, and agents played"
        )
    nodes, seconds = plan.get("nodes"), plan.get("seconds")
    limits = [f"{nodes:,} nodes"] if nodes else []
    limits += [f"{seconds:g} s (and lost if {plan['margin']:g} s late)"] if seconds else []
    allowed = [f"Every agent had {' and '.join(limits)} for a move."] if limits else []
    if plan.get("clock"):
        whole_game, _, more = plan["clock"].partition("+")
        allowed += [f"Every agent had {whole_game} s for a game{f', and {more} s more after each move' * bool(more)}."]
    allowed = allowed or ["Only the settings of the agents limited their moves."]
    most = "up to " * bool(plan.get("sprt"))
    return [f"{agents} from {most}{whole}; each opening was played twice, with colours swapped.", *allowed, COST]


COST = (
    "Nodes count all positions visited, the root and the leaves included; times are wall-clock times of the referee, "
    "as means of the middle nine tenths [@tukey1963]."
)


def _stop(frames: Frames) -> str:
    """Return a sentence on the stopping rule."""
    if frames.plan.get("sprt"):
        test = Sprt.parse(frames.plan["sprt"])
        return (
            f"The match ended when a generalised sequential probability ratio test on pairs of games accepted "
            f"{test.elo0:+g} or {test.elo1:+g} {test.unit} with errors of {test.alpha:g} and {test.beta:g} "
            "[@vandenbergh2020]; estimates and their intervals allow for the stop [@jennison2000]."
        )
    return "The number of games was fixed before play."


def _numbers(frames: Frames) -> str:
    found = counts(frames)
    return f"Of {found.played:,} games {found.distinct:,} are distinct."


def _statistics(frames: Frames) -> list[str]:
    """Return sentences on intervals and ratings."""
    pair = "The unit of analysis is the pair of games on one opening; 95 % intervals of scores and of Elo differences"
    found = [f"{pair} are score intervals [@wilson1927] over pairs."]
    if frames.population is not None:
        found.append(
            "All agents are deterministic, so that only the choice of openings is uncertain; errors include the "
            "finite-population correction, and are zero if all openings were played."
        )
    if len(frames.agents) > 2 and not frames.plan.get("sprt"):
        found.append(
            "Ratings are maximum-likelihood Bradley-Terry ratings [@bradley1952] with an advantage of moving first "
            "[@davidson1977], on the Elo scale with mean 0; their errors are clustered by opening "
            "[@liang1986; @bell2002; @imbens2016]."
        )
    return found


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


# The sentences in Markdown and LaTeX, and their references.

_CITED = re.compile(r" \[(@\w+(?:; @\w+)*)\]")


def keys(text: str) -> list[str]:
    """Return the keys of the references that a text cites, in order."""
    return list(dict.fromkeys(key for found in _CITED.findall(text) for key in re.findall(r"@(\w+)", found)))


def as_latex(text: str) -> str:
    """Return a text as LaTeX, with its citations, and text between backquotes in typewriter style."""
    cited = _CITED.sub(lambda found: f"\x01{','.join(keys(found[0]))}\x02", text)
    typed = re.sub("`([^`]*)`", "\x03\\1\x04", cited)
    marks = {"\x01": r"~\cite{", "\x02": "}", "\x03": r"\texttt{", "\x04": "}"}
    broken = re.sub("\x03[^\x04]*\x04", lambda found: re.sub("([,:=-])", r"\1\\allowbreak{}", found[0]), latex(typed))
    return re.sub("[\x01-\x04]", lambda found: marks[found[0]], broken)


def as_html(text: str) -> list[str]:
    """Return a text as HTML with numbered citations, and a paragraph for each reference."""
    from markupsafe import Markup, escape

    cited = keys(text)
    numbered = _CITED.sub(lambda found: f" [{', '.join(str(cited.index(key) + 1) for key in keys(found[0]))}]", text)
    said = re.sub("`([^`]*)`", r"<code>\1</code>", str(escape(numbered)))
    entries = re.split(r"(?m)^(?=@)", bibliography(text, ""))[1:]
    listed = [f"[{number}] {_reference(entry)}" for number, entry in enumerate(entries, start=1)]
    return [Markup(said), *listed]  # noqa: S704  it is escaped


def _reference(entry: str) -> str:
    """Return the author, title and year of a BibTeX entry, as plain text."""
    form = r"\b%s = \{((?:[^{}]|\{[^{}]*\})*)\}"
    found = (re.search(form % key, entry) for key in ("author", "title", "year"))
    accented = (re.sub(r"\\'(\w)", "\\1\u0301", each[1]) for each in found if each)
    plain = (re.sub(r"\s+", " ", re.sub("[{}]", "", each).replace("--", "\u2013")) for each in accented)
    return normalize("NFC", ", ".join(plain))


def bibliography(text: str, version: str) -> str:
    """Return the references that a text cites, as BibTeX."""
    entries = files("arena.report").joinpath("references.bib").read_text("utf-8").replace("VERSION", version)
    known = {key: entry for entry in re.split(r"(?m)^(?=@)", entries) for key in re.findall(r"^@\w+\{(\w+),", entry)}
    return "".join(known[key] for key in keys(text))
