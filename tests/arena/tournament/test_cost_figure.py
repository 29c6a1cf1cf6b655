"""The figure of strength against cost; those of a whole run are in `test_figures`."""

from types import SimpleNamespace as Row

from hand_made import AGENTS, GAMES, frames, stored

from arena.records import Interval
from arena.table.labels import Labels
from arena.tournament import figures, strength_figures


def rated(name, elo, nodes):
    return Row(agent=name, elo=Interval(elo, elo - 30, elo + 40), nodes_per_move=nodes)


def test_the_front_rises_where_the_stronger_agent_is_paid_for_and_not_before():
    axes = strength_figures.cost(
        [rated("cheap", -10.0, 10.0), rated("best", 90.0, 1e3)], Labels.among(["cheap", "best"])
    ).axes()
    [front] = [
        line for line in axes.get_lines() if list(line.get_xdata()) == [10.0, 1e3] and line.get_linestyle() == "-"
    ]
    assert list(front.get_ydata()) == [-10.0, 90.0]
    assert front.get_drawstyle() == "steps-post"


def test_nodes_by_depth_are_drawn_with_the_columns_of_the_board(tmp_path, monkeypatch):
    monkeypatch.setattr(figures.costs, "have_curves", lambda rows, *others: not others)
    monkeypatch.setattr(figures.costs, "states", lambda rows, columns, labels: ("states", columns))
    assert ("states", 7) in figures.pictures(frames(stored(tmp_path / "run.sqlite", AGENTS, GAMES)))
