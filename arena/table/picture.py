"""A figure, drawn on demand: as Axes, as a file, or as SVG in a page.

Colours are those of Okabe and Ito ("Color Universal Design", 2008), which all readers can distinguish; marks and
strokes differ as well, for grey prints. The same rows give the same bytes.
"""

from __future__ import annotations

import html
import io
import itertools
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.errors import InputError, unknown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from arena.records import Interval

INK = "#1a1b1c"
"""The colour of text, axes and lines without an agent; a page replaces it by its own colour."""
FAINT = "#8a8b8c"
"""The colour of grids, bounds and references."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKS = ("o", "s", "^", "D", "v", "P", "X")
STROKES = ("-", "--", "-.", ":")
FORMATS = {".svg": "svg", ".png": "png", ".pdf": "pdf"}
SETTINGS: Any = {
    "svg.fonttype": "none",  # text stays text
    "text.parse_math": False,  # a name with two dollar signs is not a formula
    "svg.hashsalt": "connect4-arena",  # the same ids in the file each time
    "pdf.fonttype": 42,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": FAINT,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "errorbar.capsize": 2.5,
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), INK),
}


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure."""

    name: str
    """For programs, such as `standings`."""
    title: str
    draw: Callable[[Axes], None]
    """Draws the figure and its labels on empty Axes."""
    size: tuple[float, float] = (6.4, 3.8)
    """Inches, without the legend."""
    legend: Sequence[str] = ()
    """The texts of the legend below the Axes."""
    below: Sequence[Callable[[Axes], None]] = ()
    """Each draws another panel on empty Axes, below the first."""
    heights: Sequence[float] = (1,)
    """The relative heights of the panels."""

    @property
    def inches(self) -> tuple[float, float]:
        """The width, and the height with the legend."""
        return self.size[0], self.size[1] + 0.19 * -(-len(self.legend) // _columns(self.legend))

    def axes(self) -> Axes:
        """Return the Axes with the figure drawn, for further work; `.figure` can save it."""
        with _drawn(self) as axes:
            return axes

    def save(self, path: Path, form: str = "") -> None:
        """Write the figure to a file, in the form that its name says, or in svg, png or pdf. Raises InputError."""
        if not form:
            must_be_writable(path)
        with _drawn(self) as axes:
            figure: Any = axes.get_figure()
            _print(figure, path, form or FORMATS[path.suffix.lower()])

    def svg(self, prefix: str = "") -> str:
        """Return the figure as an element in a page's colours; `prefix` makes its ids unique."""
        text = io.StringIO()
        with _drawn(self) as axes:
            figure: Any = axes.get_figure()
            for patch in (figure.patch, *(panel.patch for panel in figure.axes)):
                patch.set(facecolor="none", edgecolor="none")
            _print(figure, text, "svg")
        markup = text.getvalue()
        markup = re.sub(r"<metadata>.*?</metadata>", "", markup[markup.index("<svg") :], flags=re.DOTALL)
        markup = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}{self.name}-", markup).replace(INK, "currentColor")
        width, height = (f"{inches * 72:g}" for inches in self.inches)
        opening = (
            f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{html.escape(self.title)}" class="figure"'
        )
        return re.sub(r"<svg\b.*?(?=>)", opening, markup, count=1, flags=re.DOTALL)


METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""No times and no versions, so that files are reproducible."""


def _print(figure: Figure, to: Path | io.StringIO, form: str) -> None:
    """Write a figure, whose parts then keep their places; `Figure.savefig` would draw it once more before."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_pdf import FigureCanvasPdf
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure.set_dpi(160)  # of a PNG file
    canvas = {"svg": FigureCanvasSVG, "pdf": FigureCanvasPdf, "png": FigureCanvasAgg}[form](figure)
    getattr(canvas, f"print_{form}")(to, metadata=METADATA[form])
    figure.set_layout_engine("none")


@contextmanager
def _drawn(picture: Picture) -> Iterator[Axes]:
    """Yield the Axes with a picture while the settings hold, without pyplot."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)  # in a name; it is drawn as a box
        figure = Figure(figsize=picture.inches, layout="constrained")
        axes, *below = figure.subplots(1 + len(picture.below), height_ratios=picture.heights, squeeze=False)[:, 0]
        axes.set_title(picture.title)
        for panel, draw in zip((axes, *below), (picture.draw, *picture.below), strict=True):
            draw(panel)
        if picture.legend:
            _explain(figure, picture.legend)
        yield axes


def _explain(figure: Figure, texts: Sequence[str]) -> None:
    """Draw the legend, and set its texts afterwards: matplotlib skips texts that begin with "_"."""
    drawn: list[Any] = [artist for axes in figure.axes for artist in (*axes.get_lines(), *axes.containers)]
    handles = {artist.get_label(): artist for artist in drawn}
    shown = [text for text in dict.fromkeys(texts) if text in handles]
    lines, blank = [handles[text] for text in shown], ["-"] * len(shown)
    legend = figure.legend(lines, blank, loc="outside lower left", ncols=_columns(texts), fontsize=8)
    for place, text in zip(legend.get_texts(), shown, strict=True):
        place.set_text(text)


def _columns(texts: Sequence[str]) -> int:
    """Return the number of columns of a legend: two for many short texts."""
    return 2 if len(texts) >= 9 and max(map(len, texts)) <= 34 else 1


def must_be_writable(path: Path) -> None:
    """Raise InputError if the file's suffix is not in FORMATS or the file cannot be written."""
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"{path}: a figure's name ends in {', '.join(FORMATS)}")
    place = path if path.exists() else path.parent
    if path.is_dir() or not place.exists() or not os.access(place, os.W_OK):
        reason = (
            "it is a folder" if path.is_dir() else "not allowed" if place.exists() else f"there is no folder {place}"
        )
        raise InputError(f"{path} cannot be written: {reason}")


def choose(pictures: Sequence[Picture], name: str | None) -> Picture:
    """Return the picture of that name, by default the first. Raises InputError if there is none."""
    if not pictures:
        raise InputError("there is nothing to draw")
    named = {picture.name: picture for picture in pictures}
    if name is None:
        return pictures[0]
    if name not in named:
        raise unknown("figure", name, named)
    return named[name]


def looks(names: Sequence[str]) -> Mapping[str, dict[str, Any]]:
    """Return a colour, a mark and a stroke for each name; the first ones differ most."""
    places = ((COLOURS[n % len(COLOURS)], MARKS[n % len(MARKS)], STROKES[n % len(STROKES)]) for n in itertools.count())
    return {name: dict(zip(("color", "marker", "linestyle"), look, strict=True)) for name, look in zip(names, places)}  # noqa: B905  endless


def logarithmic(axis: Axis, written: Callable[[float, float], str]) -> None:
    """Put numbers, formatted by `written`, on a logarithmic axis that has its range.

    They stand at powers of ten, on a shorter axis at their doubles and fives, too, and evenly on one that may have only
    one of these.
    """
    from matplotlib.ticker import AutoLocator, LogLocator, NullFormatter

    low, high = axis.get_view_interval()
    few = LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,))
    axis.set_major_locator(AutoLocator() if high < 5 * low else few)
    axis.set_major_formatter(written)
    axis.set_minor_formatter(NullFormatter())


def beside(place: int, places: int, ticks: int) -> float:
    """Return the shift of an agent's whiskers, so that those of all agents stand side by side.

    place: the index of the agent. places: the number of agents. ticks: the number of ticks, one unit apart.
    """
    return min(0.5 / max(places, 4), 0.03 * ticks) * (place - (places - 1) / 2)


def whiskers(
    axes: Axes,
    at: Sequence[float],
    values: Sequence[Interval],
    scale: float = 1,
    **look: Any,  # noqa: ANN401  matplotlib's settings
) -> None:
    """Draw values, times `scale`, at these places of the x-axis, with their intervals, an open end as an arrow."""
    middle = [scale * interval.value for interval in values]
    axes.errorbar(at, middle, yerr=lengths(values, scale), elinewidth=0.9, **look)
    for place, m, interval in zip(at, middle, values, strict=True):
        open_ends(axes, (place, m), (0, 16), interval)


def lengths(values: Sequence[Interval], scale: float = 1) -> list[list[float]]:
    """Return the lengths of intervals, times `scale`, downwards and upwards; 0 if they are open."""
    ends = [
        [(interval.value, interval.low) for interval in values],
        [(interval.value, interval.high) for interval in values],
    ]
    return [[0.0 if end is None else abs(scale * end - scale * value) for value, end in side] for side in ends]


def open_ends(axes: Axes, at: tuple[float, float], up: tuple[int, int], interval: Interval) -> None:
    """Draw an arrow for each open end of an interval.

    at: the point of its value. up: the way to larger values: the arrow's length in typographic points, right and up.
    """
    for end, side in ((interval.low, -1), (interval.high, 1)):
        if end is None:
            tip = side * up[0], side * up[1]
            axes.annotate("", at, tip, textcoords="offset points", arrowprops={"arrowstyle": "<-", "linewidth": 0.9})
