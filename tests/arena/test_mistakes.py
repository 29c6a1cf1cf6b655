"""Mistakes from Python are told in one sentence."""

from pathlib import Path

import pytest
from needs import needed
from scripted import Middle, leftmost

import arena as package
from agents.errors import InputError
from arena.games.settings import depths_of, whole

pytestmark = pytest.mark.usefixtures("here")


def plugin(name):
    """Return the package of a plugin; where its folder is deleted, the test is skipped."""
    return needed(f"arena.plugins.{name}")


def three(board, limits, third):
    return 0


MISTAKES = [
    (lambda: package.move(three), "agent 'three' needs board, limits, third: it takes the board, or"),
    (
        lambda: package.compare([leftmost, "zero"]),
        r"heuristics are names, as in \['smart-aware', 'mine.py:function'\]",
    ),
    (lambda: package.evaluate("44", [lambda own, opp: own]), "heuristics are names, .*, not <function"),
    (lambda: package.order("44", [3]), r"orderings are names, as in \['centre', 'mine.py:function'\], not 3"),
    (lambda: package.verify(heuristics=[None]), "heuristics are names, .*, not None"),
    (lambda: package.run("greedy"), r"agents is a list, as in \['greedy'\], not 'greedy'"),
    (lambda: package.run(["greedy", 3]), "3 is no agent: that is a spec such as 'greedy', or a class"),
    (lambda: package.run(["greedy", "random"], rouns=3), "'rouns': did you mean rounds"),
    (lambda: package.run(["greedy", "random"], rounds="3"), "rounds is a whole number, not '3'"),
    (lambda: package.run(["greedy", "random"], seed=True), "seed is a whole number, not True"),
    (lambda: package.run(["greedy", "random"], openings=4), "openings is a text, not 4"),
    (lambda: package.run(["greedy", "random"], seconds="1"), "seconds is a number, not '1'"),
    (lambda: package.run(["greedy", "random"], workers="2"), "workers is a whole number, not '2'"),
    (lambda: package.run(["greedy", "random"], rules=8), "rules is a text such as '8x7x4' or"),
    (lambda: package.run(["greedy", "random"], isolation={"patien": 1}), "'patien': did you mean patience"),
    (lambda: package.run([Middle, "greedy"], isolation={"everyone": True}), "'Middle' is an object of this program"),
    (lambda: package.depths("minimax"), r"agents is a list, as in \['minimax'\]"),
    (lambda: package.depths(["minimax"], dept=3), "'dept': did you mean depth"),
    (lambda: package.depths(["minimax"], "3"), "depth is a list, as in"),
    (lambda: package.solve(44), "positions is a list, as in"),
    (lambda: package.move("greedy|random", "4"), "'greedy|random'"),
    (lambda: package.move("alphabeta:depth=2..3"), "stands for 2 agents, one is needed"),
    (lambda: package.compare("zero"), r"heuristics is a list, as in \['zero'\]"),
    (lambda: package.compare(["zero", "line-runs"], depth=2, nodes=3), "choose one of depth and nodes"),
    (lambda: plugin("counts").elo([1, 2, 3.5]), "'3.5' is not a count, a whole number from 0"),
    (lambda: plugin("counts").elo("nofile"), "there is no file nofile"),
    (lambda: plugin("counts").elo("1 2 3"), "counts are whole numbers"),
    (lambda: plugin("counts").elo(3), "counts are whole numbers"),
    (lambda: plugin("counts").elo(1, 2, 3), "arena.elo\\(counts\\): too many positional arguments"),
    (lambda: plugin("counts").sprt([1, 2, 3]), "missing a required argument: 'elo0'"),
    (lambda: plugin("counts").rate(3), "run is a run, its file or a CSV file, not 3"),
    (lambda: plugin("counts").rate("latest"), "there is no latest run"),
    (lambda: package.audit(3), "a run is what arena.run returns, or its file, not 3"),
    (lambda: plugin("diff").diff(3, 4), "a run is what arena.run returns, or its file, not 3"),
    (lambda: package.load(3), "path is the path of a file, not 3"),
    (lambda: package.plot(3), "plot draws a run, its file or a table"),
    (lambda: plugin("counts").sprt([1, 2, 3], "a", 3), "elo0 is a number, not 'a'"),
    (lambda: plugin("tune").tune("zero", dept=3), "'dept': did you mean depth"),
    (lambda: plugin("tune").tune("zero", depth="3"), "depth is a whole number, not '3'"),
    *(
        (lambda name=name: getattr(plugin("study"), name)(3), f"{place} is the path of a file, not 3")
        for name, place in (("new", "path"), ("check", "file"), ("play", "file"), ("verify", "folder"))
    ),
    (lambda: plugin("study").verify("a", wokers=2), "'wokers': did you mean workers"),
    (lambda: plugin("study").play("a", workers="2"), "workers is a whole number, not '2'"),
    (lambda: package.perft(-1), "depth is a whole number from 0 to 64, not -1"),
]


@pytest.mark.parametrize(("mistake", "said"), MISTAKES)
def test_a_mistake_is_told_in_one_clear_sentence(mistake, said):
    with pytest.raises(InputError, match=said) as told:
        mistake()
    assert "\n" not in str(told.value)
    assert not list(Path.cwd().glob("results/*"))


@pytest.mark.parametrize(
    "call", [lambda: whole("seed", True, 0), lambda: depths_of(True), lambda: depths_of([2, True])]
)
def test_true_is_no_whole_number(call):
    with pytest.raises(InputError, match="is a whole number from"):
        call()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: plugin("counts").sprt([1, 2, 3], None, 3), "elo0 is a number"),
        (lambda: package.verify(rules=None), "rules is a text"),
        (lambda: package.solve(["44"], book=None), "book is True or False"),
    ],
)
def test_none_is_no_value_of_a_setting_that_has_another_by_default(call, name):
    with pytest.raises(InputError, match=f"{name}.*, not None"):
        call()
