"""What the commands do, from Python, as a notebook would call it."""

import inspect
import json
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest

import arena as package
from agents.board import Board, Rules
from agents.errors import InputError
from agents.jit.compiler import JIT
from arena.analysis.rows import names
from arena.measure.costs import Cost
from arena.measure.marks import Marks
from arena.measure.verify import Effort


class Middle:
    def choose(self, board, limits):
        return min(board.legal_moves(), key=lambda column: abs(column - 3))


class Counting(Middle):
    """Knows how often it was asked, and has what cannot be pickled or copied."""

    name = "counting"

    def __init__(self):
        self.asked = 0
        self.lock = threading.Lock()

    def choose(self, board, limits):
        self.asked += 1
        return super().choose(board, limits)


def leftmost(board):
    return board.legal_moves()[0]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    out = tmp_path_factory.mktemp("run") / "run.sqlite"
    return package.run([Middle(), Middle, leftmost, "greedy"], rounds=3, out=out)


def test_classes_functions_and_objects_play_as_specs_do(played):
    assert set(played.standings["agent"]) == {"Middle", "Middle#2", "leftmost", "greedy"}
    assert played.counts.played == 6 * 3 * 2
    assert not played.standings["faults"].any()
    middle = played.games[(played.games["first"] == "Middle") & (played.games["second"] == "leftmost")]
    twin = played.games[(played.games["first"] == "Middle#2") & (played.games["second"] == "leftmost")]
    assert list(middle["moves"]) == list(twin["moves"])


def test_what_cannot_be_sent_plays_in_this_process_and_says_so():
    agent = Counting()
    with pytest.warns(UserWarning, match="in this process, since counting cannot be sent to another"):
        result = package.run([agent, "greedy"], rounds=1, workers=2)
    assert agent.asked == len(result.moves[result.moves["agent"] == "counting"])


def test_objects_play_in_other_processes_where_they_can_be_sent(recwarn):
    from agents.players.simple import Greedy

    result = package.run([Greedy(), "random"], rounds=2, workers=2)
    assert (result.counts.played, [str(each.message) for each in recwarn]) == (4, [])


def test_a_game_leaves_an_object_as_it_was():
    class Learning(Middle):
        seen = 0

        def choose(self, board, limits):
            self.seen += 1
            return super().choose(board, limits)

    agent = Learning()
    package.run([agent, "greedy"], rounds=1)
    assert agent.seen == 0


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
    assert printed("elo", 89, 123, 76)["elo"] == package.elo([89, 123, 76]).elo
    assert printed("sprt", 3, 9, 8, "--elo0", 0, "--elo1", 20)["llr"] == package.sprt([3, 9, 8], 0, 20).llr
    assert [row["agent"] for row in printed("rate", played.path)] == list(package.rate(played)["agent"])
    changes = package.diff(played, played.path)
    assert [row["positions"] for row in printed("diff", played.path, played.path)] == list(changes["positions"])


def test_a_comparison_has_its_ratings_pairings_and_verdicts_also_when_it_is_loaded_again():
    found = package.compare(["zero", "smart-aware"], depth=[1, 2], rounds=2)
    assert list(found.ratings["at"]) == ["depth 1"] * 2 + ["depth 2"] * 2
    assert list(found.pairings["verdict"]) == found.verdicts
    assert len(found.verdicts) == 2
    assert package.load(found.path).verdicts == found.verdicts


def test_a_run_of_agents_has_pairings_but_no_ratings_of_heuristics(played):
    assert len(played.pairings) == 6
    with pytest.raises(InputError, match="compares no heuristics"):
        _ = played.ratings


def test_measurements_are_tables_with_the_columns_of_their_rows():
    costs = package.depths(["alphabeta", "minimax"], 2, rules="6x5x4", positions=["", "33"])
    assert (list(costs.columns), len(costs)) == (names(Cost), 4)
    marks = package.grade([Middle, "greedy"], positions=10, rules="5x4x4")
    assert (list(marks.columns), list(marks["agent"])) == (names(Marks), ["Middle", "greedy"])
    verified = package.verify(positions=2, depth=2, heuristics=["zero"], orderings=["centre"])
    assert list(verified.searches.columns) == names(Effort)
    assert verified.disagreements.empty


def test_boards_and_rules_are_taken_as_they_are(played):
    board = Board.from_moves("44", Rules(8, 7))
    assert package.move(Middle(), board).move == 4
    assert package.evaluate([board, "44"], ["zero"])["mover"].tolist() == [0, 0]


def first_free(position):
    return position.legal_moves()[0]


def first_free_in_time(position, limits):
    return position.legal_moves()[0] if limits is not None else 6


def maker(column=3):
    return Middle() if column == 3 else None


@pytest.mark.parametrize("agent", [first_free, first_free_in_time, lambda b: b.legal_moves()[0], lambda board: 0])
def test_a_function_of_the_board_is_an_agent_whatever_its_parameters_are_called(agent):
    assert package.move(agent, "1").move == 1


def test_a_function_that_needs_nothing_makes_an_agent():
    assert package.move(maker, "1").move == 4


def three(board, limits, third):
    return 0


MISTAKES = [
    (lambda: package.move(three), "agent 'three' needs board, limits, third: it takes the board, or"),
    (
        lambda: package.compare([first_free, "zero"]),
        r"heuristics are names, as in \['smart-aware', 'mine.py:function'\]",
    ),
    (lambda: package.evaluate("44", [lambda own, opp: own]), "heuristics are names, .*, not <function"),
    (lambda: package.order("44", [3]), r"orderings are names, as in \['centre', 'mine.py:function'\], not 3"),
    (lambda: package.verify(heuristics=[None]), "heuristics are names, .*, not None"),
    (lambda: package.run("greedy"), r"agents is a list, as in \['greedy'\], not 'greedy'"),
    (lambda: package.run(["greedy", 3]), "3 is no agent: that is a spec such as 'greedy', or a class"),
    (lambda: package.run(["greedy", "random"], rouns=3), "no keyword of arena.run 'rouns': did you mean rounds"),
    (lambda: package.run(["greedy", "random"], rounds="3"), "rounds is a whole number, not '3'"),
    (lambda: package.run(["greedy", "random"], seed=True), "seed is a whole number, not True"),
    (lambda: package.run(["greedy", "random"], openings=4), "openings is a text, not 4"),
    (lambda: package.run(["greedy", "random"], seconds="1"), "seconds is a number, not '1'"),
    (lambda: package.run(["greedy", "random"], workers="2"), "'2' is no number of processes"),
    (lambda: package.run(["greedy", "random"], rules=8), "rules is a text such as '8x7x4' or"),
    (lambda: package.run(["greedy", "random"], isolation={"patien": 1}), "'patien': did you mean patience"),
    (lambda: package.run([Middle, "greedy"], isolation={"everyone": True}), "'Middle' is an object of this program"),
    (lambda: package.depths("minimax"), r"agents is a list, as in \['minimax'\]"),
    (lambda: package.depths(["minimax"], dept=3), "no keyword of arena.depths 'dept': did you mean depth"),
    (lambda: package.depths(["minimax"], "3"), "depth is a list, as in"),
    (lambda: package.solve(44), "positions is a list, as in"),
    (lambda: package.move("greedy|random", "4"), "no agent 'greedy|random'"),
    (lambda: package.move("alphabeta:depth=2..3"), "stands for 2 agents, one is needed"),
    (lambda: package.compare("zero"), r"heuristics is a list, as in \['zero'\]"),
    (lambda: package.compare(["zero", "line-runs"], depth=2, nodes=3), "choose one of depth and nodes"),
    (lambda: package.elo([1, 2, 3.5]), "counts are whole numbers"),
    (lambda: package.elo("nofile"), "there is no file nofile"),
    (lambda: package.elo("1 2 3"), "counts are whole numbers"),
    (lambda: package.elo(3), "counts are whole numbers"),
    (lambda: package.elo(1, 2, 3), "arena.elo\\(counts, population=…, margin=…\\): too many positional arguments"),
    (lambda: package.elo([1, 2, 3], margin=-3), "margin lies above 0 and up to 2000 Elo, not -3"),
    (lambda: package.elo([1, 2, 3], margin=float("nan")), "margin lies above 0 and up to 2000 Elo, not nan"),
    (lambda: package.elo("latest", population=3), "population goes with counts"),
    (lambda: package.sprt([1, 2, 3]), "missing a required argument: 'elo0'"),
    (lambda: package.rate(3), "run is a run, its file or a CSV file, not 3"),
    (lambda: package.rate("latest"), "there is no latest run"),
    (lambda: package.audit(3), "a run is what arena.run returns, or its file, not 3"),
    (lambda: package.diff(3, 4), "a run is what arena.run returns, or its file, not 3"),
    (lambda: package.load(3), "path is the path of a file, not 3"),
    (lambda: package.plot(3), "plot draws a run, its file or a table"),
    (lambda: package.sprt([1, 2, 3], "a", 3), "elo0 is a number, not 'a'"),
    (lambda: package.perft(-1), "depth is a whole number from 0, not -1"),
]


@pytest.mark.parametrize(("mistake", "said"), MISTAKES)
def test_a_mistake_is_told_in_one_clear_sentence(mistake, said):
    with pytest.raises(InputError, match=said) as told:
        mistake()
    assert "\n" not in str(told.value)
    assert not list(Path.cwd().glob("results/*"))


def test_a_bar_is_shown_where_it_is_asked_for(capfd):
    run = package.run(["greedy", "random"], rounds=1, out="bar.sqlite")
    assert capfd.readouterr().err == ""
    run = package.run(resume=run.path, rounds=2, progress=True)
    assert "4/4" in capfd.readouterr().err


def test_counts_may_come_from_numpy_and_pandas():
    assert package.elo(pd.Series([1, 2, 3])) == package.elo([1, 2, 3])
    assert package.sprt(pd.Series([1, 2, 3]).to_numpy(), 0, 10) == package.sprt((1, 2, 3), 0, 10)


def test_a_notebook_is_shown_a_figure_as_it_is_now(played):
    axes = package.plot(played)
    axes.set_title("Mine")
    assert "<svg" in axes._repr_svg_()
    assert pickle.loads(pickle.dumps(axes)).get_title() == "Mine"


def test_the_bench_is_a_frame_that_a_later_one_is_held_against(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.measure.bench.SECONDS", 0.0)
    before = package.bench(["alphabeta:depth=2..3"])
    assert list(before["nodes"]) == list(package.depths(["alphabeta"], (2, 3))["nodes"])
    before.to_json(tmp_path / "before.json", orient="records")
    after = package.bench(["alphabeta:depth=3"], compare=tmp_path / "before.json", limit=1000.0)
    assert list(after["agent"]) == ["alphabeta:depth=3"]
    assert list(after["verdict"]) == ["alike"]


def test_everything_that_is_offered_has_a_docstring_that_the_help_of_the_package_leads_to():
    functions = [getattr(package, name) for name in package.__all__ if name[0].islower()]
    assert len(functions) == 21
    for function in functions:
        assert function.__name__ in package.__doc__
        assert "from Python" in inspect.getdoc(function)


def test_the_samples_of_the_packages_help_run():
    if not JIT:
        pytest.skip("several of these search, which takes minutes as plain Python")
    source = inspect.cleandoc(package.__doc__)
    samples = [line[4:] for line in source.splitlines() if line.startswith("    ") or not line]
    code = "\n".join(samples).partition("import arena\n")[2]
    scope = {"arena": package}
    exec(
        code.replace('"alphabeta:depth=2..6,order=centre"', '"alphabeta:depth=2"').replace("rounds=10", "rounds=2"),
        scope,
    )
    assert isinstance(scope["result"].standings, pd.DataFrame)
    assert Path("run.html").exists()
    assert Path("standings.svg").exists()


def test_the_package_is_imported_without_the_libraries_that_search_and_count():
    heavy = "{'numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'click'}"
    code = f"import sys, arena; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_the_package_does_not_have_is_answered_by_what_is_near():
    with pytest.raises(AttributeError, match="no attribute 'runn'") as raised:
        package.runn  # noqa: B018  asking for it is the test
    assert (raised.value.name, raised.value.obj) == ("runn", package)  # what Python suggests near names from
