"""What each command asks of the jobs, with no option and with all of them."""

import functools
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from needs import needed
from samples import DATA, over

from agents.board import Board, Rules
from agents.errors import InputError
from arena.cli import cli
from arena.cli import commands as offered

ASKED = {
    "arena.plugins.assignment.job": ("assignment",),
    "arena.plugins.explain.job": ("explain", "explain_game"),
    "arena.games.seats": ("player",),
    "arena.plugins.engine.command_uci": ("player",),
    "arena.depth.depths": ("depths",),
    "arena.depth.verify": ("verify", "agreement"),
    "arena.tournament.check": ("check",),
    "arena.position.questions": ("evaluate", "move", "order", "perft"),
    "arena.plugins.tree.job": ("tree",),
    "arena.tournament.runs": ("runs", "games", "replay", "faults", "frames"),
    "arena.plugins.counts.job": ("elo", "sprt"),
    "arena.plugins.counts.ratings": ("rate",),
    "arena.plugins.diff.job": ("diff",),
    "arena.plugins.study.job": ("new", "check", "play", "verify"),
    "arena.tournament.tournaments": ("begin", "resumed", "play"),
    "arena.comparison.compare": ("begin_comparison",),
    "arena.perfect.audit": ("audit",),
    "arena.perfect.grade": ("grade",),
    "arena.perfect.solve": ("solve", "solve_random"),
    "arena.plugins.tune.job": ("tune",),
    "arena.plugins.bridges.kaggle": ("submission",),
    "arena.page.page": ("write",),
    "arena.plugins.serve.server": ("application",),
}
"""The functions that commands ask, by module."""
BEGIN = ("begin", "begin_comparison", "resumed")
"""Those after which a command asks on."""
ISOLATION = {"sandbox": False, "patience": 60.0, "memory": 1024, "debug": "", "nobody": False}
LIMITS, BOARD = "--in-process --sandbox --patience 7 --memory 99 --debug log.txt", "--board 6x5x3 --rules most-fours"
APART = {"sandbox": True, "patience": 7.0, "memory": 99, "debug": "log.txt", "nobody": True}
"""What LIMITS say."""
DEFAULTS = {
    "assignment.assignment": {"progress": "Output.bar", "say": "Output.say", "warn": "Output.warn", "isolation":
        {"sandbox": False, "patience": 10.0, "memory": 1024, "debug": "", "nobody": False}, "out": None, "marks": None,
        "depth": 4, "rounds": None, "seconds": None, "margin": 0.1, "seed": 1, "public": False, "workers": None},
    "perfect.audit": {"workers": None, "progress": "Output.bar"},
    "tournament.check": {"sandbox": False, "progress": "Output.bar", "rules": "7x6x4", "seconds": None, "nodes":
        None, "margin": 0.1, "patience": 60.0, "memory": 1024, "debug": "", "positions": 200},
    "comparison.begin_comparison": {"nodes": None, "seconds": None, "workers": None, "out": None, "isolation":
        ISOLATION, "rules": "7x6x4", "openings": "plies:4", "search": "alphabeta:order=centre", "depth": None, "rounds":
        100, "seed": 1},
    "tournament.play": {"audit": False, "seconds": None, "games": None, "progress": "Output.bar", "say":
        "Output.above_bar", "warn": "Output.warn"},
    "depth.depths": {"openings": None, "why": False, "progress": "Output.bar", "warn": "Output.warn", "isolation":
        ISOLATION, "rules": "7x6x4", "depth": [1, 2, 3, 4, 5, 6, 7, 8], "positions": [], "rounds": 10, "seed": 1,
        "budget": 10.0},
    "position.evaluate": {"heuristics": [], "compiled": True},
    "explain.explain": {"ply": None, "rules": "7x6x4", "progress": "Output.bar"},
    "explain.explain_game": {"ply": None, "agent": None, "progress": "Output.bar"},
    "perfect.grade": {"workers": None, "progress": "Output.bar", "warn": "Output.warn", "isolation": ISOLATION,
        "rules": "7x6x4", "depth": [1, 2, 3, 4, 5, 6], "positions": 500, "seed": 1, "plies": None, "ladder": None},
    "position.perft": {"divide": False, "rules": "7x6x4"},
    "tournament.begin": {"rules": "7x6x4", "openings": "plies:4", "seed": 1, "format": "round-robin", "pairs": [],
        "include_self": False, "nodes": None, "seconds": None, "clock": None, "margin": 0.1, "sprt": None, "out": None,
        "isolation": ISOLATION, "anchor": None, "workers": None, "add": [], "replay": [], "warn": "Output.say"},
    "tournament.resumed": {"workers": None, "add": [], "replay": [], "debug": "", "warn": "Output.warn", "say":
        "Output.say"},
    "serve.application": {"agents": [], "sandbox": False},
    "perfect.solve": {"threads": None, "book": True, "found": "command.<locals>.print_row", "columns": False,
        "rules": "7x6x4"},
    "counts.sprt": {"alpha": 0.05, "beta": 0.05, "model": "normalized"},
    "study.play": {"out": None, "workers": None, "progress": "Output.bar", "say": "Output.above_bar", "warn":
        "Output.warn"},
    "study.verify": {"workers": None, "progress": "Output.bar", "say": "Output.above_bar", "warn": "Output.warn"},
    "tune.tune": {"progress": "Output.bar", "rules": "7x6x4", "heuristic": "x", "search": "alphabeta:order=centre",
        "depth": 4, "positions": 4000, "evaluations": 300, "seed": 1, "workers": None},
    "depth.verify": {"heuristics": [], "orderings": [], "progress": "Output.bar", "rules": "7x6x4", "positions": 40,
        "depth": 6, "seed": 1},
}  # fmt: skip
"""What a job gets from a command without options."""
CASES = [
    ("assignment a.py", [("assignment.assignment", "a.py", {})]),
    (("assignment folder --out site --marks m.toml --depth 5 --rounds 6 --seconds 0.5 --margin 0.3 --seed 8 "
     "--public --sandbox --patience 7 --memory 99 --debug log.txt -j 4 -q --json"),
     [("assignment.assignment", "folder", {"isolation": {"sandbox": True, "patience": 7.0, "memory": 99, "debug":
     "log.txt", "nobody": False}, "out": "site", "marks": "m.toml", "depth": 5, "rounds": 6, "seconds": 0.5, "margin":
     0.3, "seed": 8, "public": True, "workers": 4})]),
    ("audit run.sqlite", [("perfect.audit", "run.sqlite", {})]),
    ("audit run.sqlite -j 3 -q", [("perfect.audit", "run.sqlite", {"workers": 3})]),
    ("check a", [("tournament.check", ["a"], {})]),
    (("check a b --seconds 0.5 --nodes 9 --margin 0.4 --sandbox --patience 7 --memory 99 --debug log.txt "
     f"--positions 3 --verbose {BOARD} -q"),
     [("tournament.check", ["a", "b"], {"sandbox": True, "rules": "6x5x3:most-fours", "seconds": 0.5, "nodes": 9,
     "margin": 0.4, "patience": 7.0, "memory": 99, "debug": "log.txt", "positions": 3})]),
    ("compare a b", [("comparison.begin_comparison", ["a", "b"], {}), ("tournament.play", "the run", None, {})]),
    ((f"compare a b c --search minimax --depth 2,4 --openings plies:2 --rounds 3 --seed 4 {BOARD} {LIMITS} "
     "-j 3 --out new.sqlite --games 9 --quiet --plot p.svg --margin-elo 9 --style csv"),
     [("comparison.begin_comparison", ["a", "b", "c"], {"workers": 3, "out": "new.sqlite", "isolation": APART,
     "rules": "6x5x3:most-fours", "openings": "plies:2", "search": "minimax", "depth": [2, 4], "rounds": 3, "seed":
     4}), ("tournament.play", "the run", 3, {"games": 9})]),
    ("compare a b --nodes 5,6 --audit",
     [("comparison.begin_comparison", ["a", "b"], {"nodes": ["5", "6"]}), ("tournament.play", "the run", None,
     {"audit": True})]),
    ("compare a b --seconds 0.5,,2",
     [("comparison.begin_comparison", ["a", "b"], {"seconds": ["0.5", "", "2"]}), ("tournament.play", "the run", None,
     {})]),
    ("compare a b --nodes= --no-store",
     [("comparison.begin_comparison", ["a", "b"], {"nodes": [""], "out": "~/run.sqlite"}), ("tournament.play",
     "the run", None, {})]),
    ("depths a", [("depth.depths", ["a"], {})]),
    ((f"depths a b --depth 2,4 --position 44 --position 4 --budget 3 --seed 4 --rounds 5 {BOARD} --why "
     f"{LIMITS} -q --json"),
     [("depth.depths", ["a", "b"], {"why": True, "isolation": APART, "rules": "6x5x3:most-fours", "depth": [2, 4],
     "positions": ["44", "4"], "budget": 3.0, "seed": 4, "rounds": 5})]),
    ("depths a --openings plies:2", [("depth.depths", ["a"], {"openings": "plies:2"})]),
    ("diff run.sqlite old.sqlite", [("diff.diff", "run.sqlite", "old.sqlite", [], {})]),
    ("diff run.sqlite old.sqlite --agent a --agent b", [("diff.diff", "run.sqlite", "old.sqlite", ["a", "b"], {})]),
    ("elo 1 2 3", [("counts.elo", ["1", "2", "3"], {})]),
    ("elo run.sqlite", [("counts.elo", "run.sqlite", {})]),
    ("elo 1,2,3", [("counts.elo", ["1,2,3"], {})]),
    ("elo [1,2,3]", [("counts.elo", ["[1,2,3]"], {})]),
    ("elo old.csv", [("counts.elo", "old.csv", {})]),
    ("engine a", [("games.player", "a", ISOLATION)]),
    (f"engine a --seed 4 {LIMITS}", [("games.player", "a", APART)]),
    ("eval", [("position.evaluate", [""], {})]),
    ("eval 44 3 --heuristic zero --heuristic b --compiled no --board 6x5",
     [("position.evaluate", ["44", "3"], {"heuristics": ["zero", "b"], "compiled": False})]),
    ("explain 44", [("explain.explain", "44", {})]),
    (f"explain 44 --ply 1 -q {BOARD}", [("explain.explain", "44", {"ply": 1, "rules": "6x5x3:most-fours"})]),
    ("explain run.sqlite 2", [("explain.explain_game", "run.sqlite", "2", {})]),
    ("explain run.sqlite 0-1-1 --ply 3 --agent greedy",
     [("explain.explain_game", "run.sqlite", "0-1-1", {"ply": 3, "agent": "greedy"})]),
    ("games run.sqlite",
     [("tournament.games", "run.sqlite", {"agent": None, "result": None, "limit": None, "opponent": None, "faults":
     False, "blunders": False})]),
    ("games run.sqlite --agent a --opponent b --result loss --faults --blunders --limit 3 --json",
     [("tournament.games", "run.sqlite", {"agent": "a", "result": "loss", "limit": 3, "opponent": "b", "faults": True,
     "blunders": True})]),
    ("grade a", [("perfect.grade", ["a"], {})]),
    (f"grade a b --depth 2,4 --positions 9 --seed 4 --plies 3..5 --ladder 1..2 {BOARD} {LIMITS}",
     [("perfect.grade", ["a", "b"], {"isolation": APART, "rules": "6x5x3:most-fours", "depth": [2, 4], "positions": 9,
     "seed": 4, "plies": [3, 4, 5], "ladder": [1, 2]})]),
    ("grade a --positions set.txt", [("perfect.grade", ["a"], {"positions": "set.txt"})]),
    ("list", [("tournament.runs", None, {})]),
    ("list . --json", [("tournament.runs", ".", {})]),
    ("move a", [("position.move", "a", "", {"isolation": ISOLATION})]),
    (f"move a 44 --show-board {LIMITS} {BOARD} --json", [("position.move", "a", "44", {"isolation": APART})]),
    ("order", [("position.order", [""], [], {})]),
    (f"order 44 3 --ordering a --ordering b {BOARD}", [("position.order", ["44"], ["a", "b"], {})]),
    ("perft 3", [("position.perft", 3, "", {})]),
    (f"perft 3 --position 44 --divide {BOARD} --json",
     [("position.perft", 3, "44", {"divide": True, "rules": "6x5x3:most-fours"})]),
    ("play", [("games.player", "medium", {})]),
    ("play a --second", [("games.player", "a", {"isolation": ISOLATION})]),
    (f"play a b {LIMITS} --seed 4", [("games.player", "a", {"isolation": APART})]),
    ("play a b --second", [("games.player", "b", {"isolation": ISOLATION})]),
    ("rate run.sqlite", [("counts.rate", "run.sqlite", {"anchor": None})]),
    ("rate old.csv --anchor a=b=4", [("counts.rate", "old.csv", {"anchor": ["a=b", 4.0]})]),
    ("replay run.sqlite 3", [("tournament.replay", "run.sqlite", "3", {})]),
    ("replay run.sqlite 0-1-2 --ply 3 --json", [("tournament.replay", "run.sqlite", "0-1-2", {})]),
    ("report run.sqlite", [("page.write", "run.sqlite", "report.html", None, {})]),
    ("report run.sqlite --out a.html --title T", [("page.write", "run.sqlite", "a.html", "T", {})]),
    ("run", [("tournament.begin", [], {}), ("tournament.play", "the run", None, {})]),
    ("run a b -j 3 --out new.sqlite --budget 3m --games 9 --quiet",
     [("tournament.begin", ["a", "b"], {"out": "new.sqlite", "workers": 3}), ("tournament.play", "the run", 3,
     {"seconds": 180.0, "games": 9})]),
    (("run a b --openings fair:3 --rounds 4 --seed 5 --format swiss --pair a,b --pair 'a v c,d' "
     f"--include-self --nodes 6 --seconds 0.7 --clock 60+1 --margin 0.2 --sprt elo0=0,elo1=8 {BOARD} "
     f"{LIMITS} --add c --replay d -j 3 --out new.sqlite --budget 3m --games 9 --quiet --fail-if faults "
     "--fail-if H0 --anchor a=5 --style csv --wide"),
     [("tournament.begin", ["a", "b"], {"rules": "6x5x3:most-fours", "openings": "fair:3", "seed": 5, "format":
     "swiss", "pairs": [["a", "b"], ["a", "c,d"]], "include_self": True, "nodes": 6, "seconds": 0.7, "clock": "60+1",
     "margin": 0.2, "sprt": "elo0=0,elo1=8", "rounds": 4, "out": "new.sqlite", "isolation": APART, "anchor": ["a",
     5.0], "workers": 3, "add": ["c"], "replay": ["d"]}), ("tournament.play", "the run", 3, {"seconds": 180.0,
     "games": 9})]),
    ("run --resume run.sqlite",
     [("tournament.resumed", "run.sqlite", [], {}), ("tournament.play", "the run", None, {})]),
    (("run --resume run.sqlite --add c --replay d -j 2 --budget 5m --games 3 --audit --debug log.txt "
     "--fail-if faults --fail-if H1 --anchor a=5 --style csv --wide --table x --json --quiet"),
     [("tournament.resumed", "run.sqlite", [], {"workers": 2, "add": ["c"], "replay": ["d"], "debug": "log.txt"}),
     ("tournament.play", "the run", 2, {"audit": True, "seconds": 300.0, "games": 3})]),
    ("serve --port 0", [("serve.application", None, "hosts.<locals>.is_own", {})]),
    ("serve . --port 0 --host localhost --agent a --agent b --sandbox",
     [("serve.application", ".", "hosts.<locals>.is_own", {"agents": ["a", "b"], "sandbox": True})]),
    ("serve run.sqlite --port 0", [("serve.application", "run.sqlite", "hosts.<locals>.is_own", {})]),
    ("show run.sqlite --table faults", [("tournament.faults", "run.sqlite", {})]),
    ("show run.sqlite --table blunders", [("tournament.games", "run.sqlite", {"blunders": True})]),
    ("show run.sqlite --table moves", [("tournament.frames", "run.sqlite", "moves", {})]),
    ("solve", [("perfect.solve", [""], {})]),
    ("solve 44 - 3 --moves --threads 2 --no-book --board 6x5 -q",
     [("perfect.solve", ["44", "44", "3", "3"], {"threads": 2, "book": False, "columns": True, "rules": "6x5x4"})]),
    ("solve --random 5 --plies 3..5 --seed 4 --threads 2 --board 6x5x3 -q --json",
     [("perfect.solve_random", 5, {"progress": "Output.bar", "plies": [3, 4, 5], "seed": 4, "threads": 2, "rules":
     "6x5x3"})]),
    ("solve 4 --no-book", [("perfect.solve", ["4"], {"book": False})]),
    ("sprt 1 2 3 --elo0 0 --elo1 5", [("counts.sprt", ["1", "2", "3"], 0.0, 5.0, {})]),
    ("sprt 1 2 3 4 5 --elo0 1 --elo1 6 --alpha 0.1 --beta 0.2 --model logistic --json",
     [("counts.sprt", ["1", "2", "3", "4", "5"], 1.0, 6.0, {"alpha": 0.1, "beta": 0.2, "model": "logistic"})]),
    ("study new", [("study.new", "study.toml", {})]),
    ("study new a.toml", [("study.new", "a.toml", {})]),
    ("study check a.toml", [("study.check", "a.toml", {})]),
    ("study play a.toml", [("study.play", "a.toml", {})]),
    ("study play a.toml --out b -j 2 -q", [("study.play", "a.toml", {"out": "b", "workers": 2})]),
    ("study verify a", [("study.verify", "a", {})]),
    ("study verify a -j 2", [("study.verify", "a", {"workers": 2})]),
    ("submission a", [("bridges.submission", "a", "submission.py", {"seed": 1})]),
    ("submission a --out b.py --seed 4", [("bridges.submission", "a", "b.py", {"seed": 4})]),
    ("tree a", [("tree.tree", "a", "", None, {"html": None})]),
    ("tree a 44 --depth 3 --html a.html --lines 9 --board 6x5", [("tree.tree", "a", "44", 3, {"html": "a.html"})]),
    ("tune x", [("tune.tune", {})]),
    (f"tune x --search minimax --depth 2 --positions 9 --evaluations 5 --seed 4 -j 2 {BOARD} -q",
     [("tune.tune", {"rules": "6x5x3:most-fours", "search": "minimax", "depth": 2, "positions": 9, "evaluations": 5,
     "seed": 4, "workers": 2})]),
    ("uci a", [("engine.player", "a", ISOLATION)]),
    (f"uci a --seed 4 {LIMITS}", [("engine.player", "a", APART)]),
    ("verify", [("depth.verify", {})]),
    (("verify --positions 3 --depth 2 --seed 4 --heuristic a --heuristic b --ordering c --ordering d "
     f"{LIMITS} {BOARD} -q"),
     [("depth.verify", {"heuristics": ["a", "b"], "orderings": ["c", "d"], "rules": "6x5x3:most-fours", "positions":
     3, "depth": 2, "seed": 4})]),
    (f"verify a b --positions 3 --depth 2 --seed 4 --heuristic c {LIMITS} --board 6x5",
     [("depth.agreement", ["a", "b"], {"progress": "Output.bar", "rules": "6x5x4", "positions": 3, "depth": 2, "seed":
     4, "heuristics": ["c"], "isolation": APART})]),
    ("show run.sqlite --anchor greedy=5 --table nothing", [("tournament.frames", "run.sqlite", "nothing", {})]),
    ("audit run.sqlite --table ranges", [("perfect.audit", "run.sqlite", {})]),
    ("play greedy --position 44 --delay 2 --board 6x5x4 --rules most-fours",
     [("games.player", "greedy", {"isolation": ISOLATION})]),
    ("tree a 44 --rules most-fours", [("tree.tree", "a", "44", None, {"html": None})]),
    ("eval 44 --show-board --rules most-fours", [("position.evaluate", ["44"], {})]),
    ("order 44 --show-board", [("position.order", ["44"], [], {})]),
    ("solve 44 --show-board --rules most-fours", [("perfect.solve", ["44"], {"rules": "7x6x4:most-fours"})]),
    ("diff run.sqlite old.sqlite --fail-if score<0 --fail-if nodes>1",
     [("diff.diff", "run.sqlite", "old.sqlite", [], {})]),
    ("engine a --board 6x5 --rules most-fours", [("games.player", "a", ISOLATION)]),
    ("solve 44 --cluster here:1 --threads 2", [("perfect.solve", ["44"], {"threads": "here:1, above_bar"})]),
    ("audit run.sqlite -j 2 --cluster here:1", [("perfect.audit", "run.sqlite", {"workers": "here:1, above_bar"})]),
    ("grade a --cluster here:1", [("perfect.grade", ["a"], {"workers": "here:1, above_bar"})]),
    ("run a b --cluster here:1 -j 2",
     [("tournament.begin", ["a", "b"], {"workers": "here:1, above_bar"}), ("tournament.play", "the run",
     "here:1, above_bar", {})]),
    ("compare a b -j 2 --cluster here:1",
     [("comparison.begin_comparison", ["a", "b"], {"workers": "here:1, above_bar"}), ("tournament.play", "the run",
     "here:1, above_bar", {})]),
    ("study play a.toml -j 2 --cluster here:1", [("study.play", "a.toml", {"workers": "here:1, above_bar"})]),
    ("study verify a --cluster here:1", [("study.verify", "a", {"workers": "here:1, above_bar"})]),
    ("elo 3,4,5 1", [("counts.elo", ["3,4,5", "1"], {})]),
    ("play --seed 1 --second", [("games.player", "medium", {})]),
    ("run a b --openings run.sqlite --plies 2",
     [("tournament.begin", ["a", "b"], {"openings": "run.sqlite;plies=2"}), ("tournament.play", "the run", None,
     {})]),
    ("compare a b --openings run.sqlite --plies 2",
     [("comparison.begin_comparison", ["a", "b"], {"openings": "run.sqlite;plies=2"}), ("tournament.play", "the run",
     None, {})]),
    ("depths a --openings run.sqlite --plies 2", [("depth.depths", ["a"], {"openings": "run.sqlite;plies=2"})]),
    ("run mcts random --openings plies:0 --repeat 3",
     [("tournament.begin", ["mcts", "random"], {"openings": "plies:0;repeat=3"}), ("tournament.play", "the run", None,
     {})]),
    ("run a b --no-store",
     [("tournament.begin", ["a", "b"], {"out": "~/run.sqlite"}), ("tournament.play", "the run", None, {})]),
]  # fmt: skip
"""A line, and the jobs that it asks: their names, arguments, and what differs from the defaults."""
LINES = [line for line, _ in CASES]


def told(value):
    """Return a value that a command passes on as text."""
    if isinstance(value, Board | Rules | Path):
        return re.sub(r".*/arena-\w+/", "~/", str(value.text if isinstance(value, Board) else value))
    if isinstance(value, Mapping):
        return {str(key): "~" if key == "token" and each else told(each) for key, each in value.items()}
    if isinstance(value, list | tuple | Iterator):
        return [told(each) for each in value]
    if isinstance(value, functools.partial):
        return [told(value.func), told(value.keywords)]
    return value.__qualname__ if callable(value) else value


@pytest.fixture
def asked(arena, tmp_path, monkeypatch):
    """A function that runs a command until it asks a job, and returns the jobs: room.name, arguments, keywords."""
    monkeypatch.chdir(tmp_path)
    for name, copy in (("field", "run"), ("later", "old")):
        (tmp_path / f"{copy}.sqlite").write_bytes((DATA / "runs" / f"{name}.sqlite").read_bytes())
    calls, typed = [], []

    def stand_in(name):
        def call(*given, **named):
            assert named.pop("command", typed[0]) == typed[0]
            words = [told(word) for word in [*given, named]]
            keywords = dict(item for word in words if isinstance(word, dict) for item in word.items())
            calls.append((name, *(word for word in words if not isinstance(word, dict)), keywords))
            if name.rpartition(".")[2] not in BEGIN:
                raise InputError("it was asked")
            return "the run"

        return call

    modules = [needed(module) for module in ASKED]  # all, before one imports a stand-in of another
    for module, names in zip(modules, ASKED.values(), strict=True):
        for name in names:
            monkeypatch.setattr(module, name, stand_in(f"{module.__name__.split('.')[-2]}.{name}"))

    monkeypatch.setattr(
        "arena.games.progress.cluster_at", lambda address, say: address and f"{address}, {say.__name__}"
    )

    def run(line):
        calls.clear()
        typed[:] = [f"arena {line}"]
        arena(*shlex.split(line), stdin="44\n\n  3 -1\n")
        return [*calls]

    return run


@over("case", CASES, lambda case: case[0])
def test_every_option_reaches_its_job_by_its_name(asked, case):
    line, calls = case
    assert asked(line) == [(*words[:-1], {**DEFAULTS.get(words[0], {}), **words[-1]}) for words in calls]


@pytest.mark.parametrize(("line", "error"), [
    ("explain run.sqlite 1 2", "explain takes the moves of one game, or a file and the number of a game"),
    ("run a --no-store --out b", "--no-store keeps nothing, and --out says where; choose one"),
    ("run a b --openings plies:4 --plies 2",
     "--plies 2 cuts the games of a file: --openings FILE, or --openings plies:2"),
    ("play a --position 49", "move 2: column 9 does not exist (1 to 7)"),
])  # fmt: skip
def test_options_that_do_not_go_together_are_refused(arena, line, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sqlite").write_bytes((DATA / "runs" / "field.sqlite").read_bytes())
    done = arena(*shlex.split(line))
    assert (done.code, done.err) == (2, f"arena: {error}\n")


SHARED = {
    "--json", "--style", "--wide", "--quiet", "--table", "--cluster", "--plot", "--figure",
}  # fmt: skip
"""Options that commands do not pass on."""


def test_every_option_is_in_a_case():
    typed = [line.split() for line in LINES]
    used = {(name, word) for words in typed for name in (words[0], " ".join(words[:2])) for word in words}
    missing = []
    for name in offered():
        command = cli.get_command(None, name)
        for inner, each in getattr(command, "commands", {"": command}).items():
            whole = f"{name} {inner}".strip()
            options = [{*each.opts, *each.secondary_opts} for each in each.params if each.param_type_name == "option"]
            options = [names for names in options if not names & SHARED]
            missing += [f"{whole} {min(names)}" for names in options if not {(whole, name) for name in names} & used]
    assert {*missing} <= {"serve --open"}  # a test of its own has it
