import re
import subprocess
import sys
from dataclasses import astuple
from itertools import pairwise
from types import SimpleNamespace as Row
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from agents.errors import InputError
from arena.comparison import figures as comparison_figures
from arena.perfect import figures as perfect_figures
from arena.records import Interval
from arena.table.labels import Labels
from arena.table.picture import COLOURS, Picture, choose, looks
from arena.tournament import effort_figures as effort
from arena.tournament import strength_figures
from arena.tournament.result import _of_frame as of_frame
from arena.tournament.result import plot

NAMES = ["alphabeta:depth=6,order=centre", "minimax:depth=6", "greedy"]
LABELS = Labels.among(NAMES)


def rated(name, elo, nodes=1.0):
    return Row(agent=name, elo=Interval(elo, elo - 30, elo + 40), nodes_per_move=nodes)


RATED = [rated(NAMES[0], 100.0, 3000.0), rated(NAMES[1], 20.0, 50_000.0), rated(NAMES[2], -120.0, 8.0)]
COSTS = [Row(agent=name, depth=d, nodes=7.0**d, nodes_per_second=2e7) for name in NAMES[:2] for d in range(1, 6)]
RANGES = [
    Row(agent=name, first=first, last=first + 13, clear_kept=Interval(0.8, 0.7, 0.9))
    for name in NAMES
    for first in (0, 14, 28)
]
GRADES = [
    Row(agent=name, depth=depth, clear_good=Interval(0.6, 0.5, 0.7)) for name in NAMES[:2] for depth in (1, 2, 3)
] + [Row(agent=NAMES[2], depth=None, clear_good=Interval(0.4, 0.3, 0.5))]
CROSSED = [Row(agent=a, opponent=b, points=6.0, games=8) for a in NAMES for b in NAMES if a != b]
LOOKS = [Row(pairs=pairs, llr=0.1 * pairs, lower=-2.94, upper=2.94) for pairs in range(10, 31)]
COMPARED = [
    Row(at=at, heuristic=name, elo=Interval(30.0, 10.0, 50.0)) for at in ("depth 4", "depth 6") for name in ("a", "b")
]
PICTURES = {
    picture.name: picture
    for picture in (
        strength_figures.standings(RATED, LABELS),
        strength_figures.crosstable(CROSSED, NAMES, LABELS),
        strength_figures.cost(RATED, LABELS),
        comparison_figures.levels(COMPARED),
        effort.states(COSTS, 7, LABELS),
        effort.speed(COSTS, LABELS),
        perfect_figures.kept(RANGES, LABELS),
        *perfect_figures.grades(GRADES),
        strength_figures.path(LOOKS, ("+0 Elo", "+30 Elo")),
    )
}
each_picture = pytest.mark.parametrize("name", PICTURES)


def test_a_figure_is_the_same_bytes_each_time_and_its_text_is_text(tmp_path):
    paths = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in paths:
        PICTURES["cost"].save(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    words = [element.text for element in ET.parse(paths[0]).iter("{http://www.w3.org/2000/svg}text")]
    assert PICTURES["cost"].title in words


@pytest.mark.parametrize(("ending", "magic"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("SVG", b"<?xml")])
def test_a_figure_is_written_in_the_format_that_its_name_says(ending, magic, tmp_path):
    PICTURES["crosstable"].save(tmp_path / f"figure.{ending}")
    found = (tmp_path / f"figure.{ending}").read_bytes()
    assert found.startswith(magic)
    assert not [word for word in (b"Software", b"Creator", b"CreationDate", b"Producer", b"<dc:date>") if word in found]
    if ending == "png":
        size = [int.from_bytes(found[at : at + 4], "big") for at in (16, 20)]
        assert size == [int(160 * inches) for inches in PICTURES["crosstable"].inches]


def test_a_pdf_has_no_fonts_of_type_3_which_publishers_refuse(tmp_path):
    PICTURES["cost"].save(tmp_path / "a.pdf")
    assert b"/Subtype /Type0" in (tmp_path / "a.pdf").read_bytes()
    assert b"/Subtype /Type3" not in (tmp_path / "a.pdf").read_bytes()
    with pytest.raises(InputError, match="a figure's name ends in"):
        PICTURES["cost"].save(tmp_path / "figure.jpg")


@each_picture
def test_axes_are_labelled_and_come_back_for_further_work(name):
    axes = PICTURES[name].axes()
    assert axes.get_ylabel() or axes.get_yticklabels()
    assert axes.get_xlabel() or axes.get_xticklabels()
    assert axes.get_title(loc="left") == PICTURES[name].title
    assert axes.figure.axes[0] is axes


@each_picture
def test_within_a_page_nothing_is_an_address_or_an_image_and_every_name_is_its_own(name):
    found = PICTURES[name].svg("one-")
    names = set(re.findall(r'\bid="([^"]+)"', found))
    assert names
    assert all(each.startswith(f"one-{name}-") for each in names)
    assert set(re.findall(r"url\(#([^)]+)\)", found) + re.findall(r'href="#([^"]+)"', found)) <= names
    assert "http" not in found
    assert "<image" not in found
    assert "currentColor" in found
    assert "$" not in found  # ticks are text, too


@pytest.mark.parametrize("seconds", [(18.7e-6, 30.1e-6), (0.021, 0.029), (0.9, 1.1), (0.0012, 0.0091), (1e-5, 40.0)])
def test_a_logarithmic_axis_has_numbers_however_short_it_is(seconds):
    rows = [Row(agent="a", depth=depth, seconds=each) for depth, each in enumerate(seconds, start=1)]
    axes = effort.times(rows, LABELS).axes()
    axes.get_figure().canvas.draw()
    low, high = axes.get_ylim()
    numbers = [each.get_text() for each in axes.get_yticklabels() if low <= each.get_position()[1] <= high]
    assert 2 <= len(set(numbers)) <= 11
    assert len(set(numbers)) == len(numbers)


def test_the_fewest_nodes_of_alpha_beta_are_drawn_as_the_searches_are():
    line = effort.states([Row(agent="a", depth=d, nodes=1e6) for d in range(1, 9)], 7, LABELS).axes().get_lines()[-1]
    assert list(line.get_ydata()) == [8, 21, 76, 173, 564, 1249, 3992, 8793]
    assert line.get_label().startswith("fewest with the best order, b = 7")


def test_costs_of_several_positions_are_drawn_as_their_means():
    rows = [Row(agent="a", depth=1, nodes=nodes, nodes_per_second=1e6) for nodes in (6.0, 8.0)]
    points = effort.states(rows, 7, LABELS).axes().get_lines()[0]
    assert list(points.get_xdata()) == [7.0]
    curve = effort.states([*rows, Row(agent="a", depth=2, nodes=9.0)], 7, LABELS).axes().get_lines()[0]
    assert list(curve.get_ydata()) == [7.0, 9.0]


def test_agents_that_differ_in_depth_alone_make_one_line():
    rows = [Row(agent=f"minimax:depth={depth},order=centre", depth=depth, nodes=7.0**depth) for depth in (2, 3, 5)]
    rows += [Row(agent="greedy", depth=depth, nodes=8.0) for depth in (1, 2)]
    greedy, minimax, _ = effort.states(rows, 7, LABELS).axes().get_lines()
    assert (list(greedy.get_xdata()), greedy.get_label()) == ([1, 2], "greedy")
    assert (list(minimax.get_xdata()), minimax.get_label()) == ([2, 3, 5], "minimax:order=centre")


@pytest.mark.parametrize("depths", [(4, 4), (4, 6)])
def test_agents_of_one_depth_each_stand_beside_each_other_and_no_curve_has_one_point(depths):
    rows = [Row(agent=name, depth=depth, nodes=7.0**depth, seconds=0.1 * depth, nodes_per_second=2e7 + depth)
            for name, depth in zip(NAMES, depths, strict=False)]  # fmt: skip
    assert not effort.have_curves(rows)
    for picture in (effort.states(rows, 7, LABELS), effort.times(rows, LABELS)):
        axes = picture.axes()
        [points] = axes.get_lines()
        assert (points.get_linestyle(), list(points.get_ydata())) == ("None", [0, 1])
        assert [text.get_text() for text in axes.get_yticklabels()] == [LABELS.of(name) for name in NAMES[:2]]
        assert picture.title.endswith(" at depth 4") == (depths == (4, 4))
    assert effort.states(rows, 7, LABELS).axes().get_lines()[0].get_xdata().tolist() == [7.0**depth for depth in depths]
    assert len(effort.speed(rows, LABELS).axes().patches) == 2
    assert effort.times(rows, LABELS).axes().xaxis.get_major_formatter()(0.02, 0) == "20 ms"
    assert effort.have_curves([*rows, Row(agent=NAMES[0], depth=5, nodes=9.0)])


def test_heuristics_compared_at_one_level_stand_side_by_side_over_its_name():
    rows = [
        Row(at="depth 4", heuristic=name, elo=Interval(elo, elo - 9, elo + 9)) for name, elo in (("a", 5), ("b", -5))
    ]
    rows += [Row(at="depth 4", heuristic="open", elo=Interval(0, None, None))]
    picture = comparison_figures.levels(rows)
    assert picture.legend == ["a", "b", "open"]
    axes = picture.axes()
    [tick] = axes.get_xticks()
    low, high = axes.get_xlim()
    places = [line.get_xdata()[0] for line in axes.get_lines() if len(line.get_xdata()) == 1]
    assert all(abs(place - tick) < 0.1 * (high - low) for place in places)
    assert places


def test_each_heuristic_stands_over_the_levels_that_it_was_rated_at():
    rated = {("depth 4", "a"): 5.0, ("depth 5", "a"): 7.0, ("depth 5", "b"): -7.0, ("depth 4", "b"): None}
    rows = [Row(at=at, heuristic=name, elo=None if elo is None else Interval(elo, elo - 9, elo + 9))
            for (at, name), elo in rated.items()]  # fmt: skip
    axes = comparison_figures.levels(rows).axes()
    axes.get_figure().canvas.draw()
    drawn = {line.get_label(): [(round(x), y) for x, y in line[0].get_xydata()] for line in axes.containers}
    assert drawn == {"a": [(0, 5.0), (1, 7.0)], "b": [(1, -7.0)]}
    assert [0.0, 0.0] in [list(line.get_ydata()) for line in axes.get_lines()]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["depth 4", "depth 5"]


def test_speeds_of_one_depth_are_bars():
    rows = [Row(agent=name, depth=6, nodes=7.0, nodes_per_second=2e7) for name in NAMES]
    axes = effort.speed(rows, LABELS).axes()
    assert [bar.get_width() for bar in axes.patches] == [20.0] * 3
    assert axes.get_xlabel() == "million nodes a second"


UNEVEN = {(0, 1): 7.25, (0, 2): 2.0, (1, 2): 5.0, (1, 1): 4.0}
"""Points in eight games of some agents against others, by their places."""


def grey(colour):
    """Return how bright a colour is in a grey print, from 0 to 1."""
    return float(np.dot(to_rgb(colour), (0.3, 0.59, 0.11)))


def test_a_cell_of_the_crosstable_is_the_darker_the_more_its_agent_won_and_its_number_stands_out():
    scores = UNEVEN | {(b, a): 8 - points for (a, b), points in UNEVEN.items() if a != b}
    rows = [Row(agent=NAMES[a], opponent=NAMES[b], points=points, games=8) for (a, b), points in scores.items()]
    axes = strength_figures.crosstable(rows, NAMES, LABELS).axes()
    rows_named, columns_named = (
        [text.get_text() for text in labels] for labels in (axes.get_yticklabels(), axes.get_xticklabels())
    )
    assert columns_named == ["1", "2", "3"]
    assert rows_named == [f"{LABELS.of(name)}  {place}" for name, place in zip(NAMES, columns_named, strict=True)]
    [cells] = axes.collections
    corners = cells.get_coordinates()[:-1, :-1].reshape(-1, 2)
    drawn = {(int(line), int(column)): colour for (column, line), colour in zip(
        corners, cells.to_rgba(cells.get_array().ravel()), strict=True)}  # fmt: skip
    assert {place for place, colour in drawn.items() if colour[3]} == set(scores), "who never met has no colour"
    numbers = {(int(text.get_position()[1]), int(text.get_position()[0])): text for text in axes.texts}
    assert {place: text.get_text() for place, text in numbers.items()} == {
        (0, 1): "91", (1, 0): "9", (0, 2): "25", (2, 0): "75", (1, 2): "62", (2, 1): "38", (1, 1): "50",
    }  # fmt: skip
    greys = [grey(drawn[place][:3]) for place in sorted(scores, key=scores.get)]
    assert all(one - other > 0.03 for one, other in pairwise(greys)), "lost is pale, won is dark"
    assert all(abs(grey(text.get_color()) - grey(drawn[place][:3])) > 0.3 for place, text in numbers.items())


ENDS = {"elo": ("low", "high"), "clear_good": ("clear_good_low", "clear_good_high")}


def _columns(row):
    found = vars(row).copy()
    for name in found.keys() & ENDS.keys():
        found |= dict(zip((name, *ENDS[name]), astuple(found[name]), strict=True))
    return found


TIMED = [Row(**vars(row), seconds=row.nodes / 2e7) for row in COSTS]


@pytest.mark.parametrize(
    ("rows", "names"), [(RATED, ["standings"]), (GRADES, ["grades"]), (TIMED, ["states", "time", "speed"])]
)
def test_a_table_from_python_is_drawn_by_its_columns(rows, names):
    table = pd.DataFrame([_columns(row) for row in rows]).convert_dtypes()
    drawn = of_frame(table)
    assert [picture.name for picture in drawn] == names
    assert [plot(table, name).get_title(loc="left") for name in names] == [picture.title for picture in drawn]


def test_a_notebook_shows_a_figure_with_all_that_stands_beside_it():
    axes = plot(pd.DataFrame([_columns(row) for row in RATED]).convert_dtypes())
    axes.figure.text(-1.0, 0.5, "far to the left")
    shown = axes._repr_svg_()
    assert "far to the left" in shown
    assert float(re.search(r'width="([\d.]+)pt"', shown)[1]) > 1.9 * 72 * axes.figure.get_figwidth()


def test_the_pareto_front_has_those_that_nobody_beats_on_both():
    rows = [rated("dear", 50.0, 1e6), rated("best", 90.0, 1e3), rated("cheap", -10.0, 10.0), rated("twin", 90.0, 2e3)]
    assert [row.agent for row in strength_figures.pareto(rows)] == ["cheap", "best"]


def test_agents_of_one_round_cost_are_drawn_without_a_warning():
    axes = strength_figures.cost([rated("one", 5.0, 1000.0), rated("two", 9.0, 1000.0)], LABELS).axes()
    assert axes.get_xlim() == (250.0, 4000.0)


def test_each_bound_of_a_sequential_test_has_its_own_name():
    axes = PICTURES["sprt"].axes()
    bounds = {note.get_text(): note.xy[1] for note in axes.texts}
    assert bounds == {"H0 accepted: +0 Elo": -2.94, "H1 accepted: +30 Elo": 2.94}


POOLS = [
    Row(pool=1, **vars(rated("strong", 100.0, 1e3))),
    Row(pool=1, **vars(rated("weak", -100.0, 1e2))),
    Row(pool=2, **vars(rated("dear", 10.0, 1e6))),
    Row(pool=2, **vars(rated("_bot.py", -10.0, 1e5))),
]


def test_pools_share_no_axis_and_nobody_is_dominated_by_one_it_never_met():
    first = strength_figures.cost(POOLS, LABELS).axes()
    panels = first.figure.axes
    assert [axes.get_title(loc="right") for axes in panels] == ["pool 1 of 2", "pool 2 of 2"]
    fronts = [
        [line for line in axes.get_lines() if line.get_label().startswith(strength_figures.FRONT)] for axes in panels
    ]
    assert [[list(line.get_xdata()) for line in front] for front in fronts] == [[[1e2, 1e3]], [[1e5, 1e6]]]
    names = [
        [label.get_text() for label in a.get_yticklabels()]
        for a in strength_figures.standings(POOLS, LABELS).axes().figure.axes
    ]
    assert names == [["strong", "weak"], ["dear", "_bot.py"]]


HARDEST = "_x$\\frac$\nb\x1b[31m"
"""A name that every figure draws; one figure is enough for the others."""


@pytest.mark.parametrize("name", ["_bot.py", "a$b$c", "a$b", "\\alpha", "日本", HARDEST])
def test_names_are_drawn_as_they_are(name, tmp_path):
    shown = name.replace("\n", "\\n").replace("\x1b", "\\x1b")
    rows = [
        Row(**{**vars(row), "agent": name if row.agent == NAMES[0] else row.agent})
        for row in [*RATED, *COSTS, *GRADES, *RANGES]
    ]
    labels = Labels.among([name, *NAMES[1:]])
    ratings, costs, grades, ranges = rows[:3], rows[3:13], rows[13:20], rows[20:]
    pictures = [
        strength_figures.standings(ratings, labels), strength_figures.cost(ratings, labels),
        effort.states(costs, 7, labels),
        effort.speed(costs, labels), perfect_figures.kept(ranges, labels), *perfect_figures.grades(grades),
        comparison_figures.levels([Row(at="depth 4", heuristic=name, elo=Interval(0.0, -1.0, 1.0))]),
    ]  # fmt: skip
    for picture in pictures if name == HARDEST else pictures[:1]:
        picture.save(path := tmp_path / "figure.svg")
        texts = [element.text for element in ET.parse(path).iter("{http://www.w3.org/2000/svg}text")]
        assert shown in [text for text in texts if text], picture.name


def test_agents_without_a_rating_are_left_out():
    axes = strength_figures.standings([*RATED, Row(agent="nobody", elo=None, low=None, high=None)], LABELS).axes()
    assert [label.get_text() for label in axes.get_yticklabels()] == [LABELS.of(name) for name in NAMES]


def test_the_first_agents_differ_in_colour_in_mark_and_in_stroke():
    found = list(looks([str(number) for number in range(40)]).values())
    assert len({look["color"] for look in found[: len(COLOURS)]}) == len(COLOURS)
    assert len({(look["color"], look["marker"]) for look in found}) == 40
    assert all(one["marker"] != two["marker"] for one, two in pairwise(found))


def test_grades_of_different_greys():
    greys = sorted(sum(w * int(c[i : i + 2], 16) for w, i in ((0.3, 1), (0.59, 3), (0.11, 5))) for c in COLOURS[:3])
    assert greys[1] - greys[0] > 10


def test_an_unknown_figure_and_an_unknown_format_are_refused(tmp_path):
    with pytest.raises(InputError, match="did you mean standings"):
        choose(list(PICTURES.values()), "standing")
    with pytest.raises(InputError, match=r"ends in \.svg, \.png, \.pdf"):
        PICTURES["states"].save(tmp_path / "figure.jpg")
    with pytest.raises(InputError, match="cannot be written: there is no folder"):
        PICTURES["states"].save(tmp_path / "nowhere" / "figure.svg")


@pytest.mark.process
def test_drawing_leaves_nothing_of_pyplot_and_no_settings_behind():
    code = (
        "import matplotlib as mpl; before = dict(mpl.rcParams)\n"
        "from arena.table.picture import Picture\n"
        "Picture('a', 'A', lambda axes: axes.plot([1, 2])).svg()\n"
        "assert dict(mpl.rcParams) == before; import matplotlib.pyplot as plt; assert plt.get_fignums() == []"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_title_is_only_text_in_a_page():
    assert "<script>" not in Picture("a", "<script>\"'&", lambda axes: axes.plot([1])).svg()
