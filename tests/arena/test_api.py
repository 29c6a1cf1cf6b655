"""What the commands do, from Python, as a notebook would call it."""

import json
import pickle

import pytest
from scripted import Middle

import arena as package
from agents.board import Board, Rules
from agents.errors import InputError
from arena.depth.cost import Cost
from arena.depth.exact import Disagreement
from arena.perfect.grading import Grade
from arena.table.rows import frame, names
from arena.tournament.effort import Effort, Phase, effort, phases
from arena.tournament.pairings import Duel, duels
from arena.tournament.standings import Crossing, Standing, crosstable, standings
from arena.tournament.stored import STORED

pytestmark = pytest.mark.usefixtures("here")


def test_a_command_and_its_function_say_the_same(arena, played):
    def printed(*words):
        return json.loads(arena(*words, "--json").out)

    def rows(table):
        return json.loads(table.to_json(orient="records"))

    assert printed("eval", "4453") == rows(package.evaluate("4453"))
    assert printed("order", "4453") == rows(package.order("4453"))
    assert printed("perft", 4)["nodes"] == package.perft(4)["nodes"]
    assert printed("perft", 3, "--divide")["divide"] == rows(package.perft(3, divide=True))
    untimed = [{**row, "seconds": 0} for row in rows(package.solve(["4444", "44"], columns=True))]
    assert [{**row, "seconds": 0} for row in printed("solve", "4444", "44", "--moves")] == untimed
    decision = package.move("alphabeta:depth=4", "4453")
    assert printed("move", "alphabeta:depth=4", "4453")["nodes"] == decision.nodes


def test_a_comparison_has_its_ratings_pairings_and_verdicts_also_when_it_is_loaded_again():
    found = package.compare(["zero", "smart-aware"], depth=[1, 2], rounds=2)
    assert list(found.ratings["at"]) == ["depth 1"] * 2 + ["depth 2"] * 2
    assert list(found.pairings["verdict"]) == found.verdicts
    assert len(found.verdicts) == 2
    assert package.load(found.path).verdicts == found.verdicts
    assert package.load(found.path).answer == found.answer
    assert "smart-aware" in found.answer


def test_a_run_of_agents_has_pairings_but_no_ratings_of_heuristics(played):
    assert len(played.pairings) == 6
    with pytest.raises(InputError, match="compares no heuristics"):
        _ = played.ratings


def test_each_table_of_a_run_has_its_rows(played):
    tables = {
        "standings": (Standing, standings), "crosstable": (Crossing, crosstable), "effort": (Effort, effort),
        "phases": (Phase, phases), "pairings": (Duel, duels),
    }  # fmt: skip
    for name, (kind, rows_of) in tables.items():
        assert getattr(played, name).equals(frame(rows_of(played.frames), kind)), name
    for name in ("games", "moves", "searches"):
        table = getattr(played, name)
        assert (list(table.columns), len(table)) == (names(STORED[name]), len(getattr(played.frames, name)))


def test_measurements_are_tables_with_the_columns_of_their_rows():
    costs = package.depths(["alphabeta", "minimax"], 2, rules="5x4x4", positions=["", "33"])
    assert (list(costs.columns), len(costs)) == (names(Cost), 4)
    marks = package.grade([Middle, "greedy"], positions=10, rules="5x4x4")
    assert (list(marks.columns), list(marks["agent"])) == (names(Grade), ["Middle", "greedy"])
    verified = package.verify(positions=2, depth=2, heuristics=["zero"], orderings=["centre"])
    assert (list(verified.columns), verified.empty) == (names(Disagreement), True)


def test_boards_and_rules_are_taken_as_they_are():
    board = Board.from_moves("44", Rules(8, 7))
    assert package.move(Middle(), board).move == 4
    assert package.perft(2, rules="5x4") == {"sequences": 25, "nodes": 31}
    assert package.perft(1, "1111", divide=True, rules="5x4")["column"].tolist() == [2, 3, 4, 5]
    assert package.evaluate([board, "44"], ["zero"])["mover"].tolist() == [0, 0]


def test_a_bar_is_shown_where_it_is_asked_for(capfd):
    run = package.run(["greedy", "random"], rounds=1, out="bar.sqlite")
    assert capfd.readouterr().err == ""
    run = package.run(resume=run.path, rounds=2, progress=True)
    assert "4/4" in capfd.readouterr().err


def test_a_notebook_is_shown_a_figure_as_it_is_now(played):
    axes = package.plot(played)
    axes.set_title("Mine")
    assert "<svg" in axes._repr_svg_()
    assert pickle.loads(pickle.dumps(axes)).get_title() == "Mine"
