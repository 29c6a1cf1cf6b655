"""What figures show of rows that lack something, of many agents, depths and pools, and of tables of Python."""

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace as Row

import pandas as pd
import pytest
from matplotlib.figure import Figure
from recorded import holds, plain, tried
from seen import near, seen
from transcript import DATA

from arena import frame_figures
from arena.comparison import figures as comparison_figures
from arena.depth import figures as depth_figures
from arena.perfect import figures as perfect_figures
from arena.perfect import quality_figures
from arena.plugins.counts import figures as counts_figures
from arena.records import Interval
from arena.table import picture
from arena.table.labels import Labels
from arena.table.picture import Picture
from arena.tournament import effort_figures as effort
from arena.tournament import figures as run
from arena.tournament import strength_figures
from arena.tournament.frames import Frames

NAMES = ("alphabeta:depth=6,order=centre", "minimax:depth=6", "_greedy", "a name\x1b")
LABELS = Labels.among(NAMES)


def brief(drawn):
    """Return what a picture shows, without its colours and its frames."""
    found = seen(drawn)
    return {key: {name: value for name, value in each.items() if name not in {"marks", "images"}}
            if isinstance(each, dict) else each for key, each in found.items()}  # fmt: skip


def cost(name, depth, nodes=None, speed=None, **given):
    return Row(agent=name, depth=depth, nodes=nodes, nodes_per_second=speed, seconds=given.pop("seconds", None),
               mostly_call=False, **given)  # fmt: skip


def test_figures_of_searches(request):
    gaps = [cost(NAMES[0], 1, 8.0, 2e6), cost(NAMES[0], 2, 40.0), cost(NAMES[0], 4, 900.0, 9e6),
            cost(NAMES[1], 2, 50.0, 3e6, seconds=Interval(0.5, 0.25, 0.75)), cost(NAMES[1], 3, None, 1e6)]  # fmt: skip
    deep = [cost(NAMES[0], depth, 3.0**depth, 1e6 * depth) for depth in range(1, 24)]
    twenty = [cost(NAMES[0], depth, 3.0**depth, 1e6) for depth in range(1, 21)]
    slow = [cost(NAMES[0], depth, 5.0, None) for depth in (1, 2)]
    single = [cost(f"minimax:depth={depth},order=centre", depth, 7.0**depth, 1e6) for depth in (2, 4)]
    single += [cost("minimax:depth=3", 3, 9.0, 1e6), cost("greedy", 1, 5.0, 1e6)]
    one = [cost(NAMES[n], 6, 7.0, speed) for n, speed in enumerate((4e6, 2e7, None))]
    calls = [Row(**vars(each) | {"mostly_call": n % 2 == 0}) for n, each in enumerate(deep[:4])]
    found = {
        "states": brief(effort.states(gaps, 5, LABELS)), "times": brief(effort.times(gaps, LABELS)),
        "speed": brief(effort.speed(gaps, LABELS)), "deep": brief(effort.states(deep, 7, LABELS)),
        "twenty": brief(effort.speed(twenty, LABELS)), "slow": brief(effort.speed(slow, LABELS)),
        "single": brief(effort.states(single, 7, LABELS)), "one depth": brief(effort.speed(one, LABELS)),
        "of depths": [[each.name, brief(each)["0"]["lines"]] for each in depth_figures.depths(calls, 6)],
        "all calls": [[each.name, list(each.legend), brief(each)["0"]["bars"]]
                      for each in depth_figures.depths([Row(**vars(calls[0]))], 6)],
        "of nothing": tried(depth_figures.depths, [cost("a", None, 5.0), cost("a", 1)], 6),
    }  # fmt: skip
    holds("report-figures-searches", plain(found), request, within=1e-3)


def rated(name, elo, nodes=None, low=30.0, high=40.0, **given):
    ends = [None if None in (elo, each) else elo + each for each in (low and -low, high)]
    return Row(agent=name, elo=elo if elo is None else Interval(elo, *ends), nodes_per_move=nodes, **given)


def test_figures_of_strength(request):
    pools = [rated(NAMES[0], 50.0, 1e3, pool=1), rated(NAMES[1], -50.0, 1e2, pool=1), rated(NAMES[2], 9.0, 1e6, pool=2),
             rated(NAMES[3], -9.0, 1e5, None, None, pool=2), rated("x", None, 5.0, pool=2)]  # fmt: skip
    near = [rated(NAMES[0], 50.0, 100.0), rated(NAMES[1], 60.0, 350.0), rated(NAMES[2], 10.0, 150.0)]
    apart = [rated(NAMES[0], 50.0, 10.0), rated(NAMES[1], 60.0, 3000.0), rated(NAMES[2], 60.0, 30.0), rated("x", 0.0)]
    alike = [rated(NAMES[0], 50.0, 10.0), rated(NAMES[1], 60.0, 10.0)]
    many = [f"agent {number}" for number in range(17)]
    pairs = [(n, a, b) for n, a in enumerate(many) for b in many[:3] if a != b]
    crossed = [Row(agent=a, opponent=b, points=3.0 + n % 2, games=5) for n, a, b in pairs]
    levels = [Row(at=at, heuristic=name, elo=elo) for at, name, elo in (
        ("depth 4", "a", Interval(5.0, None, 9.0)), ("depth 2", "a", None),
        ("depth 2", "b\x1b", Interval(1.0, 0.0, 2.0)),
        ("depth 4", "c", Interval(-5.0, -9.0, -1.0)), ("depth 4", "b\x1b", Interval(2.0, 1.0, 3.0)))]  # fmt: skip
    found = {
        "pools": brief(strength_figures.standings(pools, LABELS)),
        "costs of pools": brief(strength_figures.cost(pools, LABELS)),
        "near": brief(strength_figures.cost(near, LABELS)), "apart": brief(strength_figures.cost(apart, LABELS)),
        "alike": brief(strength_figures.cost(alike, LABELS)),
        "many": brief(strength_figures.crosstable(crossed, many, LABELS))["0"]["texts"],
        "sixteen": brief(strength_figures.crosstable(crossed, many[:16], LABELS))["0"]["texts"],
        "levels": brief(comparison_figures.levels(levels)),
        "fronts": [[row.agent for row in strength_figures.pareto(rows)] for rows in (pools, near, apart, alike)],
    }  # fmt: skip
    holds("report-figures-strength", plain(found), request, within=1e-3)


def test_figures_of_quality(request):
    shares = (Interval(0.5, 0.25, 0.75), None, Interval(0.875, None, 0.9375), Interval(0.75, 0.5, None))
    kept = [Row(agent=name, first=first, last=first + 5, clear_kept=shares[(n + first) % 4])
            for n, name in enumerate(NAMES[:3]) for first in (12, 0, 6)]  # fmt: skip
    grades = [Row(agent=name, depth=depth, clear_good=shares[(n + depth) % 4])
              for n, name in enumerate(NAMES[:2]) for depth in (1, 2, 4)]  # fmt: skip
    grades += [Row(agent=NAMES[2], depth=None, clear_good=shares[0]), Row(agent=NAMES[3], depth=None, clear_good=None)]
    looks = [Row(pairs=pairs, llr=0.5 * pairs, lower=-1.0 - pairs, upper=2.0 + pairs) for pairs in (3, 4)]
    found = {
        "kept": brief(quality_figures.kept(kept, LABELS)), "kept by one": brief(quality_figures.kept(kept[:2], LABELS)),
        "grades": brief(quality_figures.grades(grades, LABELS)),
        "without depths": brief(quality_figures.grades(grades[-2:], LABELS)),
        "test": brief(strength_figures.path(looks, ("a", "b"))),
    }  # fmt: skip
    holds("report-figures-quality", plain(found), request, within=1e-3)


def test_figures_of_tables(request):
    ratings = pd.DataFrame({"agent": ["a", "b", "c"], "elo": [5.0, None, -5.0], "low": [1.0, None, None],
                            "high": [9.0, 3.0, 4.0]}).convert_dtypes()  # fmt: skip
    grades = pd.DataFrame({"agent": ["a", "a"], "depth": [1, 2], "clear_good": [0.5, 0.75]}).convert_dtypes()
    whole = grades.assign(clear_good_low=[None, 0.5], clear_good_high=[0.75, None])
    costs = pd.DataFrame({"agent": ["a"] * 3, "depth": [1, 2, None], "nodes": [8.0, None, 9.0], "seconds": [1.0] * 3,
                          "nodes_per_second": [1e6, 2e6, 3e6]}).convert_dtypes()  # fmt: skip
    found = {}
    for name, table in {"ratings": ratings, "grades": whole, "costs": costs}.items():
        drawn = frame_figures.of_frame(table)

        found[name] = [[each.name, brief(each)["0"]] for each in drawn]
    alike = [Row(agent=f"{name}:depth=6", depth=6, clear_good=Interval(0.5, 0.25, 0.75), elo=Interval(5.0, 1.0, 9.0))
             for name in ("minimax", "alphabeta")]  # fmt: skip
    assert list(perfect_figures.grades(alike)[0].legend) == ["minimax", "alphabeta"]
    found["of names that share settings"] = brief(counts_figures.ratings(alike)[0])["0"]["ticks"][1]
    found["no such table"] = tried(frame_figures.of_frame, pd.DataFrame({"x": [1]}))
    found["short of a column"] = tried(frame_figures.of_frame, ratings.drop(columns="low"))
    holds("report-figures-tables", plain(found), request, within=1e-3)


def test_which_figures_a_run_has(request):
    frames, found = Frames.read(DATA / "printed" / "match.sqlite"), {}
    for depths in (1, 2, 3):
        searches = frames.searches.assign(depth=frames.searches["ply"] % depths + 1)
        kept = [replace(frames, searches=searches), replace(frames, searches=searches.assign(nodes=0))]
        found[f"{depths} depths"] = [[[each.name, list(each.legend)] for each in run.pictures(one)] for one in kept]
    small = replace(frames, searches=searches, plan=frames.plan | {"rules": frames.plan["rules"] | {"columns": 5}})
    found["on five columns"] = [each.legend[-1] for each in run.pictures(small) if each.name == "states"]
    holds("report-figures-runs", plain(found), request)


PLAIN = Picture("a", 'A "title" & <more>', lambda axes: axes.plot([1, 2], label="_b"), legend=["_b", "c"])


def test_frames_of_figures(request, tmp_path, monkeypatch):
    legends = ([], ["x"], ["x"] * 8, ["x"] * 9, ["x" * 34] * 9, ["x" * 35] * 9, ["x"] * 10)
    svg = PLAIN.svg("in-")
    found = {
        "inches": [Picture("a", "A", print, (6.0, 3.0), each).inches for each in legends],
        "columns": [picture._columns(each) for each in legends],
        "opening": svg[: svg.index(">") + 1], "colours": [svg.count("currentColor"), svg.count(picture.INK)],
        "looks": picture.looks([str(n) for n in range(9)]),
        "beside": [picture.beside(*each) for each in ((0, 1, 5), (0, 2, 5), (1, 2, 40), (4, 5, 40), (2, 9, 3))],
        "lengths": picture.lengths([Interval(0.5, 0.25, 0.75), Interval(0.5, None, 1.0), Interval(1.0, 0.5, None)], 8),
        "chosen": [tried(lambda name=name: picture.choose([PLAIN, Picture("b", "B", print)], name).name)
                   for name in (None, "b", "c")],
        "none": tried(picture.choose, [], None),
    }  # fmt: skip
    (tmp_path / "folder.svg").mkdir()
    for name in ("a.svg", "A.PNG", "a.jpg", "none/a.svg", "folder.svg"):
        found[f"written to {name}"] = str(tried(picture.must_be_writable, tmp_path / name)).replace(str(tmp_path), "~")
    for high in (4, 6, 29, 31, 299, 301, 1e4):
        each = Figure().add_subplot(yscale="log", ylim=(1, high))
        picture.logarithmic(each.yaxis, lambda value, _: f"<{value:g}>")
        ticks = [value for value in near(each.yaxis.get_majorticklocs()) if 1 <= value <= high]
        found[f"ticks up to {high}"] = [type(each.yaxis.get_major_locator()).__name__, *(ticks if high > 5 else [])]
        assert each.yaxis.get_major_formatter()(2.5, 0) == "<2.5>"
    asked = []
    monkeypatch.setattr(picture.os, "access", lambda place, mode: asked.append((Path(place).name, mode)))
    for name in ("a.svg", "there.svg"):
        (tmp_path / "there.svg").touch()
        found[f"not allowed: {name}"] = str(tried(picture.must_be_writable, tmp_path / name)).replace(
            str(tmp_path), "~"
        )
    assert asked == [(tmp_path.name, os.W_OK), ("there.svg", os.W_OK)]
    monkeypatch.undo()
    with pytest.raises(Exception, match="ends in"):
        PLAIN.save(tmp_path / "a.gif")
    PLAIN.save(tmp_path / "a.SVG")
    found["saved"] = [
        (tmp_path / "a.SVG").read_text(encoding="utf-8").count(each) for each in ("<metadata", "Date", "title")
    ]
    axes = PLAIN.axes()
    found["axes"] = [axes.get_title(loc="left"), [each.get_text() for each in axes.figure.legends[0].get_texts()]]
    holds("report-figures-frames", plain(found), request, within=1e-3)
