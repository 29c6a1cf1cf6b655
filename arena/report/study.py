"""The files for readers in a study's folder: tables, figures, a methods paragraph, a page, and a paper."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.analysis.frames import Frames
from arena.analysis.pairings import duels
from arena.measure.depths import Cost, means
from arena.measure.grading import Grade
from arena.measure.study.claims import Declared, Verdict
from arena.measure.study.verify import Difference, Timing
from arena.report import methods
from arena.report.column import Part, Table, render
from arena.report.figures import measures as drawn
from arena.report.figures.picture import Picture
from arena.report.figures.run import pictures
from arena.report.labels import cut
from arena.report.page import Section, blocks, rendered
from arena.report.render import floated, kept
from arena.report.styles import latex
from arena.report.tables import measures, quality, run, strength
from arena.rows import columns
from arena.store.writing import write as put

VERDICTS = columns(
    Verdict, "claim text value low p verdict *", text={"cuts": cut}, p={"least": 1}, check={"least": 3, "cuts": cut}
)


def verdicts(rows: Sequence[Verdict]) -> Table:
    """Return the table of verdicts on the claims of a study."""
    return Table("verdicts", "Claims", Verdict, rows, VERDICTS)


def differences(rows: Sequence[Difference], times: Sequence[Timing]) -> list[Part]:
    """Return the differences between a study and its repetition, and the times of both."""
    return [
        Table("differences", "What differs", Difference, rows, columns(Difference)),
        Table("times", "Times, which do not count as differences", Timing, times, columns(Timing)),
    ]


@dataclass(frozen=True, slots=True)
class Shown:
    """The results of one run or measurement of a study."""

    name: str
    parts: Sequence[Part]
    pictures: Sequence[Picture]
    sentences: Sequence[str]
    """The sentences on its methods."""


def of_run(name: str, frames: Frames) -> Shown:
    """Return the results of a run."""
    parts, found = run.whole(frames), pictures(frames)
    if frames.plan.get("comparison"):  # each level is a separate pool
        found = [picture for picture in found if picture.name not in ("standings", "crosstable")]
    else:
        parts = [*parts, *strength.pairings_parts(duels(frames))]
    parts = [*parts, *(quality.audit_parts(frames) if not frames.audit.empty else [])]
    return Shown(name, parts, found, methods.run_sentences(frames)[1:])  # a study says once what it was made with


def of_depths(costs: Sequence[Cost], columns: int) -> Shown:
    """Return the results of depth tables. columns: of the board."""
    positions = {row.position for row in costs}
    costs = means(costs) if len(positions) > 1 else costs
    where = "the empty board" if positions == {""} else f"the same {len(positions)} positions"
    said = f"States are nodes of searches to each depth on {where}; times are medians of repetitions."
    return Shown("depths", [measures.depths(costs)], drawn.depths(costs, columns), [said])


def of_grade(grades: Sequence[Grade], seed: int) -> Shown:
    """Return the results of grades. seed: the seed of the positions."""
    said = (
        f"Moves in {grades[0].positions if grades else 0} positions, drawn with seed {seed}, were compared with "
        "perfect play by our solver; clear-cut positions are those in which a legal move loses value."
    )
    return Shown("grade", quality.grade_parts(grades, None), drawn.grades(grades), [said])


def write(
    study: Declared, folder: Path, state: Mapping[str, Any], rows: Sequence[Verdict], found: Sequence[Shown],
    width: float | None,
) -> None:  # fmt: skip
    """Write the files for readers into a study's folder.

    state: its state, as `arena.api.study` stores it. rows: the verdicts on its claims. found: the results of its runs
    and measurements. width: of figures, in inches; with None each has its own. Tables are CSV and LaTeX; figures are
    SVG and PDF without titles, with captions. Methods, references, a page, and a paper in LaTeX with all of them
    follow.
    """
    inputs = [*_tables(study, folder, rows, found), *_figures(folder, found, width)]
    text = paragraph(study, state, found)
    put(folder / "methods.md", f"{text}\n")
    put(folder / "methods.tex", f"{{\\sloppy {methods.as_latex(text)}\\par}}\n")
    version = state["sessions"][-1]["versions"]["connect4-arena"]
    put(folder / "references.bib", methods.bibliography(text, version))
    by = r" \and ".join(map(latex, study.authors))
    put(folder / "paper.tex", PAPER % (latex(study.title), by, "\n".join(inputs)))
    put(folder / "report.html", page(study, folder, state, rows, found, text))


def named_tables(title: str, rows: Sequence[Verdict], found: Sequence[Shown]) -> list[tuple[str, str, Table]]:
    """Return all tables with rows, each with a unique name and its part of the study; verdicts come first."""
    named = [("verdicts", title, verdicts(rows))] * bool(rows)
    for each in found:
        seen: Counter[str] = Counter()
        for table in each.parts:
            if isinstance(table, Table) and table.rows:
                seen[table.name] += 1
                name = table.name + f"-{seen[table.name]}" * (seen[table.name] > 1)
                named.append((name if name == each.name else f"{each.name}-{name}", each.name, table))
    return named


def _tables(study: Declared, folder: Path, rows: Sequence[Verdict], found: Sequence[Shown]) -> Iterator[str]:
    """Write every table as CSV and LaTeX, and yield the LaTeX command that includes it."""
    (folder / "tables").mkdir(exist_ok=True)
    for name, of, table in named_tables(study.title, rows, found):
        put(folder / "tables" / f"{name}.csv", render(table.rows, (), "csv", row=table.row) + "\n")
        title, shown = table.title or NAMES.get(table.name, table.name.capitalize()), kept(table, WIDTH)
        caption = latex(f"{title} ({of}). {shown.meaning}".strip())
        text = floated([shown], caption=caption, label=f"tab:{name}", size="small")
        put(folder / "tables" / f"{name}.tex", f"{text}\n")
        yield rf"\input{{tables/{name}}}"


def _figures(folder: Path, found: Sequence[Shown], width: float | None) -> Iterator[str]:
    """Write every figure with its caption, and yield the LaTeX command that includes it."""
    (folder / "figures").mkdir(exist_ok=True)
    for each in found:
        for picture in each.pictures:
            name = f"{each.name}-{picture.name}"
            caption = f"{picture.title} ({each.name}). {CAPTIONS.get(picture.name, '')}".strip()
            inches, height = picture.size
            size = picture.size if width is None else (width, height * max(0.6, width / inches))
            files = [folder / "figures" / f"{name}.{form}" for form in ("svg", "pdf")]
            replace(picture, title="", size=size).save(*files)
            put(folder / "figures" / f"{name}.txt", f"{caption}\n")
            put(folder / "figures" / f"{name}.tex", FIGURE % (name, latex(caption), name))
            yield rf"\input{{figures/{name}}}"


def paragraph(study: Declared, state: Mapping[str, Any], found: Sequence[Shown]) -> str:
    """Return the methods of a study: first what each part has of its own, then what all of several runs share."""
    first, *others = [each.sentences for each in found if len(each.sentences) > 1] or [[]]
    shared = [line for line in first if others and all(line in each for each in others)]
    lines = [methods.made_with({**state["sessions"][-1], "sessions": state["sessions"]})]
    for name, said in [*((each.name, [line for line in each.sentences if line not in shared]) for each in found),
                       ("all games", shared)]:  # fmt: skip
        lines.append((f"{name.capitalize()}: " if len(found) > 1 and said else "") + " ".join(said))
    if study.claims:
        lines.append(methods.claims_sentence(state["digest"], state["begun"], len(study.claims)))
    return " ".join(filter(None, lines))


def page(
    study: Declared, folder: Path, state: Mapping[str, Any], rows: Sequence[Verdict], found: Sequence[Shown], text: str
) -> str:
    """Return the page of a study. folder, state, rows, found: as in `write`. text: its methods."""
    table = replace(verdicts(rows), title="")
    claims: list[Part] = [*(f"Hypothesis: {each}" for each in study.hypotheses), table] if rows else []
    claims += [f"Claim {row.claim} is from: {row.source}" for row in rows if row.source]
    sections = [
        Section("claims", "Claims", blocks(claims)),
        Section("methods", "Methods", methods.as_html(text)),
    ]
    for each in found:
        figures = [picture.svg(f"{each.name}-") for picture in each.pictures]
        sections.append(Section(f"part-{each.name}", each.name.capitalize(), blocks(each.parts), figures))
    environment = json.loads((folder / "environment.json").read_text(encoding="utf-8"))
    facts = [("Study", f"SHA-256 {state['digest']}"), ("First played", state["begun"])]
    facts += [(f"Session {n}", f"{each['begun']}: {each['command'] or 'Python'}")
              for n, each in enumerate(environment["sessions"], start=1)]  # fmt: skip
    digests = json.loads((folder / "digests.json").read_text(encoding="utf-8"))["agents"]
    facts += [(name, f"{each['spec']}, {each['digest'] or 'built in'}") for name, each in digests.items()]
    sections.append(Section("about", "How it was made", facts=facts))
    by = f" by {', '.join(study.authors)}" if study.authors else ""
    subtitle = f"A study of {len(digests)} agents and {len(study.claims)} claims{by}"
    return rendered(study.title, subtitle, [each for each in sections if each.blocks or each.figures or each.facts])


WIDTH = 60
"""Characters in a line of a small table on a page of LaTeX's article."""
NAMES = {"pairings": "Pairings", "depths": "States and time by depth", "grades": "Moves compared with perfect play"}
CAPTIONS = {
    "standings": "Elo with 95 % intervals; the mean of all agents is 0.",
    "crosstable": "Points of the row's agent against the column's.",
    "cost": "Elo against nodes a move, with 95 % intervals; the line joins the agents that no cheaper agent beats.",
    "states": "Mean nodes of a search to each depth, on a logarithmic scale.",
    "time": "Time of a search to each depth, on a logarithmic scale.",
    "speed": "By agent and depth.",
    "sprt": "The log-likelihood ratio after each pair of games, and the bounds at which the test ends.",
    "ratings": "Elo of each heuristic at each level, with 95 % intervals.",
    "kept": "Share of moves that kept the value of the position, by ply, with 95 % intervals.",
    "grades": "Share of good moves in clear-cut positions by depth, with 95 % intervals.",
}
"""The captions of figures, by name."""
FIGURE = r"""\begin{figure}
\centering
\includegraphics[width=\linewidth]{figures/%s}
\caption{%s}
\label{fig:%s}
\end{figure}
"""
PAPER = r"""\documentclass{article}
\usepackage{booktabs,longtable,graphicx}
\title{%s}
\author{%s}
\begin{document}
\sloppy
\maketitle
\section{Methods}
\input{methods}
\section{Results}
%s
\clearpage
\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""
