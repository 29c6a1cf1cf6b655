"""A mistake reads the same on the command line and in Python, but for the names of options and keywords."""

import re

import pytest
from needs import needed

import arena as package
from agents.errors import InputError

pytestmark = pytest.mark.usefixtures("here")


def plugin(name):
    """Return the package of a plugin; where its folder is deleted, the test is skipped."""
    return needed(f"arena.plugins.{name}")


MISTAKES = [
    # tournaments
    ("run alphabet random", lambda: package.run(["alphabet", "random"])),
    ("run random", lambda: package.run(["random"])),
    ("run random nowhere.py:Bot", lambda: package.run(["random", "nowhere.py:Bot"])),
    ("run random greedy --rounds 0", lambda: package.run(["random", "greedy"], rounds=0)),
    ("run random greedy --nodes 0", lambda: package.run(["random", "greedy"], nodes=0)),
    (
        "run random greedy --rounds 26 --openings plies:2",
        lambda: package.run(["random", "greedy"], rounds=26, openings="plies:2"),
    ),
    ("run random greedy --openings nowhere.txt", lambda: package.run(["random", "greedy"], openings="nowhere.txt")),
    ("run random greedy --format chess", lambda: package.run(["random", "greedy"], format="chess")),
    ("run random greedy --pair random,me", lambda: package.run(["random", "greedy"], pairs=[("random", "me")])),
    ("run random greedy --sprt elo0=3", lambda: package.run(["random", "greedy"], sprt="elo0=3")),
    ("run random greedy --out labels.txt", lambda: package.run(["random", "greedy"], out="labels.txt")),
    ("run random greedy --replay greedy", lambda: package.run(["random", "greedy"], replay=["greedy"])),
    (
        "run random greedy --sandbox --in-process",
        lambda: package.run(["random", "greedy"], isolation={"sandbox": True, "nobody": True}),
    ),
    ("run --resume nowhere.sqlite", lambda: package.run(resume="nowhere.sqlite")),
    ("run --resume labels.txt --seed 3", lambda: package.run(resume="labels.txt", seed=3)),
    ("run --resume labels.txt --out new.sqlite", lambda: package.run(resume="labels.txt", out="new.sqlite")),
    ("run random --resume labels.txt", lambda: package.run(["random"], resume="labels.txt")),
    ("compare zero", lambda: package.compare(["zero"])),
    ("compare zero nothing", lambda: package.compare(["zero", "nothing"])),
    ("compare zero line-runs --depth 2 --nodes 9", lambda: package.compare(["zero", "line-runs"], depth=2, nodes=9)),
    ("show latest", lambda: package.load("latest")),
    # measurements
    ("depths random", lambda: package.depths(["random"])),
    ("depths minimax --position 448", lambda: package.depths(["minimax"], positions=["448"])),
    ("verify --positions 0", lambda: package.verify(positions=0)),
    ("verify --heuristic nothing", lambda: package.verify(heuristics=["nothing"])),
    ("tune nothing", lambda: plugin("tune").tune("nothing")),
    # perfect play
    ("solve 4x", lambda: package.solve("4x")),
    ("audit nowhere.sqlite", lambda: package.audit("nowhere.sqlite")),
    ("grade greedy --positions nowhere.jsonl", lambda: package.grade(["greedy"], positions="nowhere.jsonl")),
    ("solve --random 3 --plies 50", lambda: package.solve_random(3, plies=[50])),
    # positions
    ("move nobody", lambda: package.move("nobody")),
    ("move greedy 4444444", lambda: package.move("greedy", "4444444")),
    ("move greedy 1212121", lambda: package.move("greedy", "1212121")),
    ("eval 44 --heuristic smart", lambda: package.evaluate("44", ["smart"])),
    ("order 44 --ordering center", lambda: package.order("44", ["center"])),
    ("perft 65", lambda: package.perft(65)),
    # strength
    ("elo 1 2 3.5", lambda: plugin("counts").elo([1, 2, 3.5])),
    ("elo 1 2", lambda: plugin("counts").elo([1, 2])),
    ("elo nowhere.sqlite", lambda: plugin("counts").elo("nowhere.sqlite")),
    ("sprt 1 2 3 --elo0 3 --elo1 2", lambda: plugin("counts").sprt([1, 2, 3], 3, 2)),
    ("rate latest", lambda: plugin("counts").rate("latest")),
    ("diff nowhere.sqlite nowhere.sqlite", lambda: plugin("diff").diff("nowhere.sqlite", "nowhere.sqlite")),
]


def bare(line):
    """Return what a line says, without the command and with keywords in place of options."""
    line = re.sub(r"^arena( \w+)?: ", "", line.strip())
    line = re.sub(r"^Invalid value for '(?:--)?(\w+)': it is", lambda found: f"{found[1].lower()} is", line)
    return re.sub(r"--([a-z][a-z-]*)", lambda found: KEYWORDS.get(found[1], found[1]).replace("-", "_"), line)


@pytest.mark.parametrize(("words", "call"), MISTAKES, ids=[words for words, _ in MISTAKES])
def test_a_mistake_reads_the_same_from_the_command_line_and_from_python(arena, tmp_path, words, call):
    if "--sandbox" in words:
        needed("bwrap")
    (tmp_path / "labels.txt").write_text("4453 2\n")
    done = arena(*words.split())
    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    with pytest.raises(InputError) as raised:
        call()
    assert bare(done.err) == str(raised.value)
    assert (tmp_path / "labels.txt").read_text() == "4453 2\n"
    assert [path.name for path in tmp_path.iterdir()] == ["labels.txt"]


KEYWORDS = {"of": "population"}
"""Keywords that are called otherwise than their options."""
