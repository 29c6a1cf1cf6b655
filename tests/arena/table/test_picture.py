"""Figures without any drawing: what is chosen, where marks stand, and what cannot be written."""

import re
import struct
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from agents.errors import InputError
from arena.records import Interval
from arena.table import picture
from arena.table.picture import Picture, choose, must_be_writable

BLUE, RED, GREEN, PINK, ORANGE, SKY = "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
TWO = [Picture("standings", "Standings", print), Picture("cost", "Cost", print)]


def test_a_figure_is_chosen_by_its_name_and_the_first_without_one():
    assert (choose(TWO, None), choose(TWO, "cost")) == tuple(TWO)
    with pytest.raises(InputError, match=r"^there is nothing to draw$"):
        choose([], None)
    with pytest.raises(InputError, match=r"^there is nothing to draw$"):
        choose([], "cost")


@pytest.mark.parametrize(("name", "said"), [
    ("folder.svg", "folder.svg cannot be written: it is a folder"), ("a.SVG", ""), ("there.png", ""),
])  # fmt: skip
def test_a_file_that_cannot_be_written_is_refused(tmp_path, name, said):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "there.png").touch()
    with pytest.raises(InputError, match=said) if said else nullcontext():
        must_be_writable(tmp_path / name)


def test_a_figure_fills_its_box_in_a_page():
    assert ' viewBox="0 0 360 216" ' in Picture("name", "title", lambda axes: None, (5, 3)).svg()


def test_names_get_their_colours_marks_and_strokes_in_order_and_again_from_the_first():
    assert [tuple(look.values()) for look in picture.looks(list("abcdefgh")).values()] == [
        (BLUE, "o", "-"), (RED, "s", "--"), (GREEN, "^", "-."), (PINK, "D", ":"), (ORANGE, "v", "-"), (SKY, "P", "--"),
        (BLUE, "X", "-."), (RED, "o", ":"),
    ]  # fmt: skip
    assert picture.looks(["a"]) == {"a": {"color": BLUE, "marker": "o", "linestyle": "-"}}
    assert picture.looks([]) == {}


def test_a_figure_is_written_in_each_form_without_the_time_and_a_picture_has_160_dots_an_inch(tmp_path):
    drawn = Picture(
        "name", "A title", lambda axes: axes.plot([1, 2], label="_line"), (2, 1.5), legend=("_line", "none")
    )
    for form in ("svg", "png", "pdf"):
        drawn.save(tmp_path / f"a.{form.upper()}")
        drawn.save(tmp_path / "other", form)
        assert (tmp_path / f"a.{form.upper()}").read_bytes() == (tmp_path / "other").read_bytes()
        written = (tmp_path / "other").read_bytes()
        words = (b"CreationDate", b"dc:date", b"dc:creator", b"Software", b"Producer", b"/Creator", b"atplotlib v")
        assert [word for word in words if word in written] == []
    png = (tmp_path / "a.PNG").read_bytes()
    assert struct.unpack(">II", png[16:24]) == (320, int(160 * (1.5 + 2 * 0.19)))
    assert ">_line<" in (tmp_path / "a.SVG").read_text()


def test_in_a_page_a_figure_has_the_pages_colour_no_background_and_ids_of_its_prefix():
    markup = Picture("name", "A <title>", lambda axes: axes.plot([1, 2]), (5, 3)).svg("x-")
    assert markup.startswith('<svg viewBox="0 0 360 216" role="img" aria-label="A &lt;title&gt;" class="figure">')
    assert "<metadata>" not in markup
    assert picture.INK not in markup
    assert "currentColor" in markup
    assert "#ffffff" not in markup
    ids = set(re.findall(r'\bid="([^"]+)"', markup))
    assert {name.startswith("x-name-") for name in ids} == {True}
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', markup))
    assert {one or other for one, other in used} <= ids
    assert used


def test_figures_have_one_look_with_an_open_frame_a_faint_grid_and_a_legend_below():
    def draw(axes):
        axes.errorbar([1, 2], [3, 4], yerr=1, marker="o", label="a")
        axes.plot([1, 2], label="$b$")

    axes = Picture("name", "A title", draw, legend=["$b$", "a", "nobody", "a"]).axes()
    assert {side for side, spine in axes.spines.items() if spine.get_visible()} == {"left", "bottom"}
    title, line, mark = axes._left_title, axes.get_xgridlines()[0], axes.containers[0].lines[0]
    assert (title.get_text(), title.get_fontsize(), title.get_fontweight()) == ("A title", 10, "bold")
    assert (line.get_color(), line.get_alpha(), line.get_linewidth()) == (picture.FAINT, 0.3, 0.6)
    assert (mark.get_linewidth(), mark.get_markersize()) == (1.6, 5)
    assert axes.containers[0].lines[1][0].get_markersize() == 2 * 2.5
    label = axes.get_xticklabels()[0]
    assert (label.get_fontsize(), label.get_fontname(), axes.get_axisbelow()) == (9, "DejaVu Sans", True)
    inks = [title.get_color(), label.get_color(), axes.xaxis.label.get_color(), axes.get_yticklabels()[0].get_color()]
    assert inks == [picture.INK] * 4
    [legend] = axes.figure.legends
    assert [(text.get_text(), text.get_fontsize()) for text in legend.get_texts()] == [("$b$", 8), ("a", 8)]
    assert (legend.get_frame_on(), legend._ncols, legend._loc_real, legend._outside_loc) == (False, 1, 3, "lower")


def test_a_legend_has_the_lines_of_its_texts_in_their_order():
    def draw(axes):
        for name, colour in (("a", RED), ("b", GREEN), ("c", SKY)):
            axes.plot([1, 2], color=colour, label=name)

    [legend] = Picture("name", "A title", draw, legend=["c", "a", "b"]).axes().figure.legends
    shown = [(text.get_text(), line.get_color()) for text, line in zip(legend.texts, legend.get_lines(), strict=True)]
    assert shown == [("c", SKY), ("a", RED), ("b", GREEN)]


def test_panels_stand_below_one_another_in_their_heights():
    shown = Picture(
        "n", "T", lambda axes: axes.set_xlabel("a"), below=[lambda axes: axes.set_xlabel("b")], heights=(3, 1)
    )
    one, two = shown.axes().figure.axes
    assert [(axes.get_xlabel(), axes.get_title(loc="left")) for axes in (one, two)] == [("a", "T"), ("b", "")]
    assert one.get_gridspec().get_height_ratios() == (3, 1)


def test_whiskers_are_of_scaled_values_in_the_look_of_their_agent():
    axes = Figure().subplots()
    picture.whiskers(axes, [1, 2], [Interval(0.5, 0.25, 0.75), Interval(0.5, None, 0.625)], 100, color=RED, label="a")
    [bar] = axes.containers
    line, _, [whisker] = bar.lines
    assert (line.get_xydata().tolist(), line.get_color(), bar.get_label()) == ([[1, 50], [2, 50]], RED, "a")
    assert [ends.tolist() for ends in whisker.get_segments()] == [[[1, 25], [1, 75]], [[2, 50], [2, 62.5]]]
    assert whisker.get_linewidth().tolist() == [0.9]
    [arrow] = axes.texts
    assert (arrow.xy, arrow.xyann, arrow.arrowprops) == ((2, 50), (0, -16), {"arrowstyle": "<-", "linewidth": 0.9})


def test_a_legend_of_many_short_texts_has_two_columns_and_makes_the_figure_higher():
    for legend, height in (([], 3.8), (["a"] * 8, 3.8 + 8 * 0.19), (["a"] * 9, 3.8 + 5 * 0.19),
                           (["a" * 34] * 10, 3.8 + 5 * 0.19), (["a" * 35] * 10, 3.8 + 10 * 0.19)):  # fmt: skip
        assert Picture("x", "X", print, legend=legend).inches == (6.4, pytest.approx(height))


def test_whiskers_stand_side_by_side_about_their_tick():
    assert [picture.beside(place, 3, 20) for place in range(3)] == [-0.125, 0.0, 0.125]
    assert [picture.beside(place, 2, 2) for place in range(2)] == [-0.03, 0.03]
    assert picture.beside(0, 8, 20) == pytest.approx(-3.5 / 16)


def test_intervals_are_drawn_downwards_and_upwards_and_open_ends_as_arrows():
    values = [Interval(0.5, 0.25, None), Interval(0.5, None, 0.75), Interval(0.5, None, None)]
    assert picture.lengths(values, 100) == [[25.0, 0.0, 0.0], [0.0, 25.0, 0.0]]
    arrows = []
    axes = SimpleNamespace(annotate=lambda _, at, tip, **__: arrows.append((at, tip)))
    for value in [*values, Interval(0.5, 0.4, 0.6)]:
        picture.open_ends(axes, (1, 50), (0, 16), value)
    assert arrows == [((1, 50), tip) for tip in ((0, 16), (0, -16), (0, -16), (0, 16))]


@pytest.mark.parametrize(("ends", "ticks"), [
    ((1, 1e4), [1, 10, 100, 1000, 10_000]), ((1, 100), [1, 2, 5, 10, 20, 50, 100]), ((10, 40), [*range(10, 41, 5)]),
])  # fmt: skip
def test_a_logarithmic_axis_has_the_more_ticks_the_shorter_it_is(ends, ticks):
    axes = Figure().subplots()
    axes.set(xscale="log", xlim=ends)
    picture.logarithmic(axes.xaxis, lambda number, _: f"{number:g}")
    assert [tick for tick in axes.get_xticks() if ends[0] <= tick <= ends[1]] == pytest.approx(ticks)
