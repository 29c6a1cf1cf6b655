"""All that each figure of a run shows: titles, texts, ticks, legends, points and their intervals."""

from types import SimpleNamespace as Row

import pytest
from drawn import arrows, curve, points, texts, told
from hand_made import AGENTS, GAMES, frames, pairs_of, run_of, stored

from arena.records import Interval
from arena.table.labels import Labels
from arena.table.picture import COLOURS, FAINT, MARKS
from arena.tournament import effort_figures, strength_figures
from arena.tournament.figures import in_order, pictures

LABELS = Labels.among(["minimax:depth=2,order=centre", "minimax:depth=3,order=centre", "greedy"])
SHALLOW, DEEP, GREEDY = LABELS.texts


def rated(agent, elo, low, high, nodes=None, **more):
    return Row(agent=agent, elo=elo if elo is None else Interval(elo, low, high), nodes_per_move=nodes, **more)


ROWS = [
    rated(DEEP, 100.0, 70.0, None, 4000.0), rated(GREEDY, 10.0, -5.0, 20.0, None),
    rated(SHALLOW, 0.0, None, 40.0, 80.0), rated("none", None, None, None, 9.0),
]  # fmt: skip
TWO = [Row(**vars(row), pool=pool) for row, pool in zip(ROWS, (1, 1, 2, 2), strict=True)]


def test_standings_are_drawn_best_on_top_with_whiskers_and_arrows_where_they_are_open():
    picture = strength_figures.standings(ROWS, LABELS)
    axes = picture.axes()
    assert (picture.name, picture.inches) == ("standings", (6.4, pytest.approx(0.9 + 0.28 * 3)))
    assert told(axes)[:3] == ("Standings", "Elo, with 95 % interval", "")
    assert texts(axes.get_yticklabels()) == [LABELS.of(name) for name in (DEEP, GREEDY, SHALLOW)]
    assert (list(axes.get_yticks()), axes.get_ylim()) == ([0, 1, 2], (2.5, -0.5))
    assert [(where, ends) for _, where, ends in points(axes)] == [
        ([[100, 0]], [[70, 0], [100, 0]]), ([[10, 1]], [[-5, 1], [20, 1]]), ([[0, 2]], [[0, 2], [40, 2]]),
    ]  # fmt: skip
    assert arrows(axes) == [((100, 0), (16, 0)), ((0, 2), (-16, 0))]
    bar, *_ = axes.containers
    assert (bar.lines[0].get_color(), bar.lines[0].get_marker()) == (COLOURS[0], "o")
    assert list(axes.get_lines()[-1].get_xdata()) == [0, 0]
    few = strength_figures.standings(TWO, LABELS)
    assert few.heights == pytest.approx([0.9 + 0.28 * 2] * 2)
    for number, panel in enumerate(few.axes().figure.axes, start=1):
        assert panel.get_xlabel() == "Elo, with 95 % interval, within the pool"
        assert panel.get_title(loc="right") == f"pool {number} of 2"
    assert texts(panel.get_yticklabels()) == [LABELS.of(SHALLOW)]


def test_a_crosstable_says_of_whom_against_whom_and_in_percent():
    names = [f"agent{place}" for place in range(17)]
    rows = [Row(agent=names[0], opponent=names[1], points=6.5, games=10)]
    for many in (2, 16, 17):
        picture = strength_figures.crosstable(rows, names[:many], Labels.among(names))
        axes = picture.axes()
        assert (picture.name, picture.inches) == ("crosstable", (7.0, pytest.approx(1.1 + 0.3 * max(many, 3))))
        assert told(axes)[:3] == ("Crosstable", "against", "")
        assert texts(axes.get_xticklabels()) == [str(place) for place in range(1, many + 1)]
        assert texts(axes.get_yticklabels()) == [f"{names[place]}  {place + 1}" for place in range(many)]
        assert list(axes.get_xticks()) == list(axes.get_yticks()) == [place + 0.5 for place in range(many)]
        assert axes.get_ylim() == (many, 0)
        [number] = axes.texts or [None]
        assert many == 17 or (number.get_text(), number.get_position()) == ("65", (1.5, 0.5))
        assert (number is None) == (many == 17), "many numbers would be too small"
        assert axes.collections[0].get_clim() == (0, 1)
        bar = axes.figure.axes[1]
        assert bar.get_ylabel() == "points of the row's agent, %"
        assert bar.yaxis.get_major_formatter()(0.25) == "25"


def test_strength_against_cost_is_of_the_rated_that_told_their_nodes_with_the_front_of_the_cheapest():
    more = [*ROWS, rated("dear", -20.0, -30.0, -10.0, 5000.0), rated("level", 100.0, 90.0, 110.0, 4000.0)]
    picture = strength_figures.cost(more, LABELS)
    axes = picture.axes()
    assert (picture.name, picture.size) == ("cost", (6.4, 3.2))
    assert told(axes) == ("Strength against cost", "nodes a move, mean", "Elo, with 95 % interval", "log", "linear")
    assert points(axes) == [
        (LABELS.of(DEEP), [[4000, 100]], [[4000, 70], [4000, 100]]),
        (LABELS.of(SHALLOW), [[80, 0]], [[80, 0], [80, 40]]),
        ("dear", [[5000, -20]], [[5000, -30], [5000, -10]]), ("level", [[4000, 100]], [[4000, 90], [4000, 110]]),
    ]  # fmt: skip
    assert arrows(axes) == [((4000, 100), (0, 16)), ((80, 0), (0, -16))]
    marks = [bar.lines[0] for bar in axes.containers]
    assert [(mark.get_color(), mark.get_marker()) for mark in marks] == [*zip(COLOURS, MARKS, strict=False)][:4]
    assert {mark.get_linestyle() for mark in marks} == {"None"}
    front, rings = axes.get_lines()[-2:]
    assert curve(front) == curve(rings) == ([80, 4000], [0, 100])
    assert (rings.get_marker(), rings.get_linestyle(), rings.get_markerfacecolor()) == ("o", "None", "none")
    assert texts(axes.figure.legends[0].get_texts()) == [
        "Pareto front: nobody is cheaper and stronger", *(LABELS.of(name) for name in (DEEP, SHALLOW, "dear", "level")),
    ]  # fmt: skip
    written = axes.xaxis.get_major_formatter()
    assert [written(nodes) for nodes in (80, 1000, 2500, 1e6)] == ["80", "1 k", "2.5 k", "1 M"]
    low, high = axes.get_xlim()
    assert low < 80
    assert high > 5000
    apart = strength_figures.cost(TWO, LABELS)
    assert (apart.size, apart.heights) == ((6.4, 5.2), [2.6] * 2)
    for panel in apart.axes().figure.axes:
        assert panel.get_xlim() == pytest.approx((80 / 1.5, 4000 * 1.5))
    assert texts(panel.figure.legends[0].get_texts())[0].endswith("stronger within the pool")
    near = strength_figures.cost([rated("a", 0.0, -1.0, 1.0, 100.0), rated("b", 1.0, 0.0, 2.0, 200.0)], LABELS)
    assert near.axes().get_xlim() == pytest.approx((50, 400))


def test_a_sequential_test_is_a_path_between_its_bounds():
    looks = [Row(pairs=pairs, llr=llr, lower=-2.9, upper=2.8) for pairs, llr in ((10, 0.5), (12, -0.2), (15, 1.25))]
    picture = strength_figures.path(looks, ("+0 Elo", "+30 Elo"))
    axes = picture.axes()
    assert (picture.name, picture.inches) == ("sprt", (6.4, 3.2))
    assert told(axes)[:3] == ("Sequential test", "pairs of games", "log-likelihood ratio")
    path, last, lower, upper, level = axes.get_lines()
    assert (list(path.get_xdata()), list(path.get_ydata())) == ([10, 12, 15], [0.5, -0.2, 1.25])
    assert (list(last.get_xdata()), list(last.get_ydata()), last.get_marker()) == ([15], [1.25], "o")
    assert [list(line.get_ydata()) for line in (lower, upper, level)] == [[-2.9] * 2, [2.8] * 2, [0] * 2]
    assert [(text.get_text(), text.xy, text.xyann, text.get_va()) for text in axes.texts] == [
        ("H0 accepted: +0 Elo", (0.01, -2.9), (0, -3), "top"), ("H1 accepted: +30 Elo", (0.01, 2.8), (0, 3), "bottom"),
    ]  # fmt: skip
    assert axes.margins()[1] == 0.16


COSTS = [
    Row(agent=agent, depth=depth, nodes=nodes, seconds=Interval(nodes / 1e6, 0.0, 9.0), nodes_per_second=speed * 1e6)
    for agent, depth, nodes, speed in (
        (GREEDY, 1, 8.0, 2.0), (GREEDY, 2, 40.0, 3.0), (SHALLOW, 2, 50.0, 4.0), (DEEP, 3, 200.0, 5.0),
    )
]  # fmt: skip


def row(agent, depth, nodes, speed=None):
    return Row(agent=agent, depth=depth, nodes=nodes, nodes_per_second=speed and speed * 1e6)


@pytest.mark.parametrize(
    ("draw", "told_of", "height", "values", "scale", "ticks"),
    [
        (lambda rows: effort_figures.states(rows, 3, LABELS), ("states", "States by depth", "states (nodes) a search"),
         3.3, ([8, 40], [50, 200]), "log", ((100, "100"), (1000, "1 k"))),
        (lambda rows: effort_figures.times(rows, LABELS), ("time", "Time by depth", "time of a search"),
         3.3, ([8e-6, 4e-5], [5e-5, 2e-4]), "log", ((0.001, "1 ms"), (0.01, "10 ms"), (2e-5, "20 µs"))),
        (lambda rows: effort_figures.speed(rows, LABELS), ("speed", "Nodes a second", "million nodes a second"),
         3.0, ([2, 3], [4, 5]), "linear", ()),
    ],
)  # fmt: skip
def test_costs_are_drawn_by_depth_with_a_line_for_each_agent_or_family(draw, told_of, height, values, scale, ticks):
    picture = draw(COSTS)
    axes = picture.axes()
    name, title, unit = told_of
    assert (picture.name, picture.size) == (name, (6.4, height))
    assert told(axes) == (title, "depth, plies", unit, "linear", scale)
    assert list(axes.get_xticks()) == [1, 2, 3]
    one, family, *fewest = axes.get_lines()
    assert [(line.get_label(), curve(line)) for line in (one, family)] == [
        ("greedy", ([1, 2], pytest.approx(values[0]))), ("minimax:order=centre", ([2, 3], pytest.approx(values[1]))),
    ]  # fmt: skip
    assert one.get_color() != family.get_color()
    shown = texts(axes.figure.legends[0].get_texts())
    label = "fewest with the best order, b = 3: b^⌈i/2⌉ + b^⌊i/2⌋ − 1 nodes at each ply i = 0 … d"
    assert shown == ["greedy", "minimax:order=centre", *([label] if name == "states" else [])]
    if name == "states":
        assert curve(fewest[0]) == ([1, 2, 3], [1 + 3, 1 + 3 + 5, 1 + 3 + 5 + 11])
        assert (fewest[0].get_label(), fewest[0].get_color()) == (label, FAINT)
    if name == "speed":
        assert axes.get_ylim() == (0, pytest.approx(1.08 * 5))
    assert [axes.yaxis.get_major_formatter()(value) for value, _ in ticks] == [text for _, text in ticks]
    many = [Row(**vars(COSTS[0]) | {"depth": depth}) for depth in range(1, 22)]
    assert list(draw(many[:20]).axes().get_xticks()) == list(range(1, 21))
    assert list(draw(many).axes().get_xticks()) == list(range(1, 22, 2))


@pytest.mark.parametrize(
    ("draw", "name", "title", "unit", "values", "ticks"),
    [
        (lambda rows: effort_figures.states(rows, 3, LABELS), "states", "States", "states (nodes) a search", [8, 50],
         ((8, "8"), (50, "50"), (2000, "2 k"))),
        (lambda rows: effort_figures.times(rows, LABELS), "time", "Time", "time of a search", [8e-6, 5e-5],
         ((8e-6, "8 µs"), (0.05, "50 ms"), (1.5, "1.50 s"))),
        (lambda rows: effort_figures.speed(rows, LABELS), "speed", "Nodes a second", "million nodes a second", [2, 4],
         ()),
    ],
)  # fmt: skip
def test_costs_of_one_depth_are_drawn_as_a_point_or_a_bar_for_each_agent(draw, name, title, unit, values, ticks):
    apart = [COSTS[0], COSTS[2]]
    for rows, where in ((apart, ""), ([Row(**vars(row) | {"depth": 4}) for row in apart], " at depth 4")):
        picture = draw(rows)
        axes = picture.axes()
        assert (picture.name, picture.inches) == (name, (6.4, pytest.approx(0.9 + 0.28 * 2)))
        bars = name == "speed"
        assert told(axes)[:4] == (title if bars else title + where, unit, "", "linear" if bars else "log")
        assert texts(axes.get_yticklabels()) == [LABELS.of(GREEDY), LABELS.of(SHALLOW)]
        assert axes.get_ylim() == (1.5, -0.5)
        drawn = [bar.get_width() for bar in axes.patches] if bars else axes.get_lines()[0].get_xdata().tolist()
        assert drawn == pytest.approx(values)
        assert [axes.xaxis.get_major_formatter()(value) for value, _ in ticks] == [text for _, text in ticks]
    three = [*apart, Row(**vars(COSTS[3]) | {"agent": "third"})]
    assert draw(three).inches[1] == pytest.approx(0.9 + 0.28 * 3)


def test_a_line_is_a_family_where_two_have_one_depth_each_and_curves_are_of_what_is_known():
    found = [row(SHALLOW, 2, 50.0, 4.0), row(DEEP, 1, 9.0), row(DEEP, 3, 200.0), row(GREEDY, 1, 8.0)]
    lines = effort_figures.states(found, 3, LABELS).axes().get_lines()[:-1]
    assert [(line.get_label(), *curve(line)) for line in lines] == [
        (LABELS.of(DEEP), [1, 3], [9.0, 200.0]), ("greedy", [1], [8.0]), (LABELS.of(SHALLOW), [2], [50.0]),
    ]  # fmt: skip
    bars = effort_figures.speed(found, LABELS).axes()
    assert ([bar.get_width() for bar in bars.patches], texts(bars.get_yticklabels())) == ([4.0], [LABELS.of(SHALLOW)])
    assert effort_figures.have_curves(found)
    assert not effort_figures.have_curves(found, "nodes_per_second")
    assert not effort_figures.have_curves([])


def test_a_run_has_the_figures_of_what_it_has_and_its_agents_look_the_same_in_all(tmp_path):
    drawn = {picture.name: picture for picture in pictures(frames(stored(tmp_path / "all", AGENTS, GAMES)))}
    assert list(drawn) == ["standings", "crosstable", "cost", "states", "speed"]
    best = ["minimax:depth=2", "random", "alphabeta:depth=2,order=centre"]
    assert texts(drawn["standings"].axes().get_yticklabels()) == best
    assert texts(drawn["crosstable"].axes().get_yticklabels()) == [f"{name}  {n}" for n, name in enumerate(best, 1)]
    silent = run_of(tmp_path / "silent", AGENTS, pairs_of("11", "10", "=1"))
    assert [picture.name for picture in pictures(frames(silent))] == ["standings", "crosstable"]
    assert pictures(frames(run_of(tmp_path / "none", AGENTS, []))) == []
    rows = [Row(agent=agent, depth=depth) for agent, depth in (("a", 1), ("x", 1), ("b", 1), ("b", 2))]
    assert [(row.agent, row.depth) for row in in_order(rows, ["b", "a"])] == [("b", 1), ("b", 2), ("a", 1), ("x", 1)]
