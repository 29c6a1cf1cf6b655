"""The figure of a sequential test: its path between the bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from arena.report.figures.picture import COLOURS, FAINT, INK, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Weighed(Protocol):
    """What the test says after so many pairs."""

    @property
    def pairs(self) -> int: ...  # noqa: D102  as it is stored
    @property
    def llr(self) -> float: ...  # noqa: D102
    @property
    def lower(self) -> float: ...  # noqa: D102
    @property
    def upper(self) -> float: ...  # noqa: D102


def path(rows: Sequence[Weighed], hypotheses: tuple[str, str]) -> Picture:
    """Draw the log-likelihood ratio by pairs, and the bounds at which H0 and H1 are accepted."""

    def draw(axes: Axes) -> None:
        axes.plot([row.pairs for row in rows], [row.llr for row in rows], color=COLOURS[0])
        axes.plot(rows[-1].pairs, rows[-1].llr, "o", color=COLOURS[0])
        names = (f"H0 accepted: {hypotheses[0]}", f"H1 accepted: {hypotheses[1]}")
        for bound, name, side in zip((rows[-1].lower, rows[-1].upper), names, ("top", "bottom"), strict=True):
            axes.axhline(bound, color=INK, linestyle="--", linewidth=1)
            axes.annotate(
                name, (0.01, bound), xycoords=("axes fraction", "data"), xytext=(0, -3 if side == "top" else 3),
                textcoords="offset points", va=side, fontsize=8,
            )  # fmt: skip
        axes.axhline(0, color=FAINT, linewidth=0.8)
        axes.margins(y=0.16)
        axes.set_xlabel("pairs of games")
        axes.set_ylabel("log-likelihood ratio")

    return Picture("sprt", "Sequential test", draw, (6.4, 3.2))
