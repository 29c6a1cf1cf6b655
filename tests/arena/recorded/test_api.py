"""What functions return and refuse by their keywords, and what options read, as it was recorded."""

import shutil
from pathlib import Path

import click
import pytest
from recorded import holds, plain, tried
from transcript import DATA, unmade

import arena
from agents.errors import InputError
from agents.jit.compiler import JIT
from arena.cli import hints, types
from arena.depth import verify as measures
from arena.games import seats as games
from arena.games import settings
from arena.plugins.counts import job as strength
from arena.position import questions as positions

pytestmark = [pytest.mark.compiles, pytest.mark.usefixtures("here")]

SMALL = "5x4"
FIELD, LATER, COMPARED, MATCH = (f"{name}.sqlite" for name in ("field", "later", "comparison", "match"))
CALLS = (
    ("move", ("minimax:depth=2", "33"), {"rules": SMALL}), ("move", (["greedy"], ""), {}), ("move", ("greedy", 33), {}),
    ("move", ("greedy|random", ""), {}), ("move", ("greedy", "99"), {}), ("move", ("greedy",), {"depth": 3}),
    ("evaluate", (["33", "12"], ["parity", "zero"]), {"rules": SMALL}), ("evaluate", ("33", "parity"), {}),
    ("evaluate", ("33", [len]), {}), ("evaluate", (3,), {}), ("evaluate", ("3", ["parity"]), {"compiled": 1}),
    ("evaluate", ("3", ["parity"]), {"compiled": False, "rules": SMALL}),
    ("order", ("33", ["centre"]), {"rules": SMALL}), ("order", ("33", "centre"), {}),
    ("perft", (3,), {"rules": SMALL}), ("perft", (3, "12"), {"divide": True}),
    ("perft", (65,), {}), ("perft", (True,), {}), ("perft", (0,), {"divide": True}), ("perft", (), {}),
    ("solve", (["121212", "33"],), {"rules": "4x4", "columns": True, "threads": 1}), ("solve", ("33",), {"thread": 1}),
    ("solve", ("33",), {"rules": "4x4", "threads": 1, "book": False}), ("solve", ("",), {"rules": 4}),
    ("solve", ("33",), {"weak": True}), ("solve", ("33",), {"rules": "4x4:most-fours"}),
    ("grade", (["greedy", "alphabeta"], [1, 2]), {"positions": 12, "rules": SMALL, "seed": 2}),
    ("grade", (["alphabeta"],), {"depth": 2, "positions": 9, "rules": SMALL, "ladder": [1, 2]}),
    ("grade", ("greedy",), {}), ("grade", (["greedy"], 0), {}), ("grade", (["greedy"],), {"positions": 0}),
    ("grade", (["greedy"],), {"plies": 12}), ("grade", (["greedy"],), {"positions": "no.jsonl"}),
    ("grade", (["greedy"],), {"seed": -1}), ("grade", (["greedy"],), {"rules": "most-fours", "positions": 5}),
    ("solve_random", (5,), {"rules": SMALL, "seed": 2}), ("solve_random", (0,), {}),
    ("solve_random", (3,), {"plies": [7], "rules": SMALL, "threads": 1}), ("solve_random", (3,), {"seed": -1}),
    ("depths", (["alphabeta", "minimax"], [1, 3]), {"rules": SMALL, "positions": ["33", "12"]}),
    ("depths", (["alphabeta"], 2), {"rules": SMALL, "openings": "plies:2", "rounds": 3, "seed": 2, "why": True}),
    ("depths", (["alphabeta"], "1..2"), {}), ("depths", (["alphabeta"], [0]), {}), ("depths", (["greedy"],), {}),
    ("verify", (), {"positions": 2, "depth": 1, "heuristics": ["zero"], "orderings": ["centre"], "rules": SMALL}),
    ("verify", (), {"positions": 0}), ("verify", (), {"depth": 21}), ("verify", (), {"seed": -1}),
    ("verify", (), {"heuristics": "zero"}), ("verify", (), {"orderings": [3]}),
    ("elo", ([3, 4, 10, 3, 5],), {}), ("elo", ([3, 4, 10],), {}), ("elo", ([3, 4],), {}),
    ("elo", (COMPARED,), {}), ("elo", (MATCH,), {}),
    ("elo", ([1, 2, 3],), {}), ("elo", ([1, True, 3],), {}), ("elo", (["1", "[2,3]"],), {}),
    ("elo", (5,), {}), ("elo", ([1, -2, 3],), {}),
    ("sprt", ([10, 30, 15], 0, 10), {}), ("sprt", ([1, 5, 20, 9, 3], 0.0, 5.0), {"model": "logistic", "alpha": 0.1}),
    ("sprt", ([100, 300, 150], 0, 10), {"model": "bayesian", "beta": 0.2}), ("sprt", ([1, 2, 3], 5, 0), {}),
    ("sprt", ([1, 2, 3], 0, 5), {"alpha": 0.7}), ("sprt", ([1, 2, 3], 0, 5), {"model": "x"}),
    ("rate", (FIELD,), {"anchor": ("greedy", 100)}), ("rate", (LATER,), {}),
    ("rate", (3,), {}),
    ("rate", (FIELD,), {"anchor": ("nobody", 0)}), ("rate", (FIELD,), {"anchor": "greedy=0"}), ("rate", ("none",), {}),
    ("diff", (FIELD, LATER), {}), ("diff", (FIELD, LATER), {"agents": ["greedy"]}), ("diff", (FIELD, MATCH), {}),
    ("diff", (FIELD, LATER), {"agents": "greedy"}), ("diff", (FIELD, LATER), {"agents": ["nobody"]}),
    ("plot", (3,), {}),
    ("plot", (FIELD, "nothing"), {}), ("load", ("none.sqlite",), {}), ("load", (".",), {}),
    ("load", (), {"file": FIELD}),
    ("audit", (FIELD,), {}), ("audit", (LATER,), {"workers": "x"}), ("audit", (3,), {}),
    ("tune", (), {}),
    ("tune", ("windows",), {}), ("tune", ("windows(1,2,3)",), {}),
    ("tune", ("windows(1,2,3,4)",), {"evaluations": 1}), ("tune", ("windows(1,2,3,4)",), {"depth": 65}),
    ("run", (["greedy"],), {}), ("run", ("greedy",), {}), ("run", (["greedy", "random"],), {"round": 3}),
    ("run", (["greedy", "random"],), {"rounds": 2.0}), ("run", (["greedy", "random"],), {"seed": "1"}),
    ("run", (["greedy", "random"],), {"isolation": {"x": 1}}),
    ("run", (["greedy", "random"],), {"isolation": 3}), ("run", (["greedy", "random"],), {"pairs": "greedy"}),
    ("run", (["greedy", "random"],), {"nodes": 0}), ("run", (["greedy", "random"],), {"seconds": 1, "clock": "60"}),
    ("run", (["greedy", "random"],), {"anchor": "x"}), ("run", (["greedy", "random"],), {"include_self": 1}),
    ("run", (["greedy", "random"],), {"resume": "none.sqlite"}), ("run", (["greedy", "random"],), {"margin": -1.0}),
    ("compare", (["zero"],), {}), ("compare", (["zero", "parity"],), {"depth": 1, "nodes": 5}),
    ("compare", ("zero",), {}),
    ("compare", (["zero", "parity"],), {"depth": 0}), ("compare", (["zero", "parity"],), {"search": "greedy"}),
)  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the stored runs, in which calls are made."""
    for name in (FIELD, LATER, COMPARED, MATCH):
        shutil.copy(DATA / "printed" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(value):
    """Return what a function returned as plain data without times."""
    if hasattr(value, "columns") and hasattr(value, "attrs"):
        return {"columns": unmade(plain(value)), "types": sorted({str(each) for each in value.dtypes}),
                "attrs": unmade(plain(value.attrs))}  # fmt: skip
    if isinstance(value, measures.VerifiedSearches):
        return [told(each) for each in value]
    return unmade(plain(value) if hasattr(value, "__dataclass_fields__") or isinstance(value, dict) else repr(value))


def returned(name, *words, **named):
    return told(getattr(arena, name)(*words, **named))


@pytest.mark.skipif(not JIT, reason="the solver takes minutes as plain Python")
@pytest.mark.filterwarnings("ignore")
def test_calls(here, request):
    found = {}
    for name, words, named in CALLS:
        shown = ", ".join([*map(repr, words), *(f"{key}={value!r}" for key, value in named.items())])
        found[f"{name}({shown})"] = tried(returned, name, *words, **named)
    found = {key: value.replace(str(here), "~") if isinstance(value, str) else value for key, value in found.items()}
    holds("api-calls", found, request, within=1e-6)


@pytest.mark.parametrize("name", [FIELD, COMPARED])
def test_results(here, name, request):
    run = arena.load(name)
    tables = ("standings", "crosstable", "effort", "phases", "pairings", "ratings", "games", "moves", "searches")
    found = {"counts": plain(run.counts), "shown": repr(run), "seed": run.meta["seed"]}
    for table in tables:
        rows = tried(lambda each=table: {column: str(kind) for column, kind in getattr(run, each).dtypes.items()})
        found[table] = rows if isinstance(rows, str) else [rows, plain(getattr(run, table).head(8))]
    found["answer"] = tried(lambda: [run.answer, run.verdicts])
    found["audit"] = told(run.audit()) if name == FIELD else None
    for pick in (None, "nothing"):
        found[f"figure {pick}"] = tried(lambda pick=pick: arena.plot(run, pick).get_title(loc="left"))
    found["refused"] = tried(run.report, name)
    holds(f"api-{Path(name).stem}", found, request, within=1e-6)


def test_settings(request):
    calls = {
        "whole": [(7, 1, 9), (0, 1, 9), (10, 1, 9), (True, 0, 9), (1.0, 0, 9), (-1, 0)],
        "depths_of": [(3,), ([1, 64],), ([65],), ("3",), (range(2, 4),), (0,)],
        "rules_of": [("8x7x4",), ("most-fours",), (3,), ("9",)], "listed": [("x", "greedy"), ("x", 3), ("x", (1, 2))],
        "named": [("x", ["a"], "b"), ("x", "a", "b"), ("x", [3], "b")],
        "board_of": [("44", "5x4"), (4, "5x4"), ("9", "5x4")],
        "boards_of": [("44", "5x4"), (["44", "4"], "5x4"), (3, "5x4"), ([3], "5x4")],
    }  # fmt: skip
    calls["whole"] = [("n", *given) for given in calls["whole"]]
    found = {
        f"{name}{given}": tried(lambda call, given: repr(call(*given)), getattr(settings, name), given)
        for name in calls
        for given in calls[name]
    }
    for counts in ([1, 2, 3], ["1 2", "[3, 4]", 5], "1 2 3", 7, ["1e3"], [2.0], ["1" * 16], [None], [1, True, 3]):
        found[f"counts of {counts}"] = tried(strength.counts_of, counts)
    found["limits"] = plain(tried(lambda: [positions.perft(2, "33", rules="5x4").nodes, games.player("greedy").name]))
    holds("api-settings", found, request)


def read(kind, text):
    """Return what an option reads from a text, or what it says."""
    try:
        return repr(kind.convert(text, None, None))
    except (click.BadParameter, InputError) as error:
        return f"{type(error).__name__}: {error}"


def test_options_read(here, request):
    texts = {
        "RANGE": ("6", "1..8", "3,5,7", "7,3", "5..3", "0", "65", "1..64", "x", "", "1..2..3", " 2 , 3 "),
        "DURATION": ("90s", "30m", "2h", "0", "1.5h", "10000001", "1d", "-3"),
        "ANCHOR": ("greedy=0", "a=b=-3.5", "greedy", "=3", "a=x"),
        "STYLE": ("plain", "latx", "json"), "RULES": ("5x4", "5x4x3", "8x7:most-fours", "3", "0x4"),
        "RUN_FILE": ("field.sqlite", "none", "latest", "."), "PATH": ("a/b", ""),
    }  # fmt: skip
    texts |= {name: ("greedy,random", "a v b", "a", "a,b,c", "12", "1000001", "x.jsonl", "1-2-3", "0-1") for name in
              ("PAIR", "POSITIONS", "GAME") if hasattr(types, name)}  # fmt: skip
    found = {}
    for name, each in texts.items():
        found |= {f"{name} {text}": read(getattr(types, name), text).replace(str(here), "~") for text in each}
    for kind in (types.Number(0.5, 2.0), types.Whole(1, 9), types.Whole(0, types.SEEDS), types.PlotType()):
        for text in ("1", "0.5", "3", "nan", "x", "-1", "a.svg", "a.txt", "no/a.png", str(1 << 63)):
            found[f"{kind.name} {getattr(kind, 'max', '')} {text}"] = read(kind, text)
    holds("cli-types", found, request)


def test_hints(request, arena):
    options = ("--depth", "--nodes", "--heuristic", "--order", "--seconds", "-3", "--jobs", "--workers", "--x")
    commands = ("run", "compare", "eval", "order", "move", "play", "audit", "elo", "perft", "replay", "list")
    found = {f"{name} {option}": hints.instead_of(name, option) for name in commands for option in options}
    words = (*hints.MEANT, "rnu", "xyz", "tre", "")
    found |= {
        f"arena {word}": arena(*([word] if word else [])).err for word in words if word not in ("help", "version")
    }
    for line in ("eval greedy", "move 445 greedy", "order centre", "show", "games x --limit 0", "-x",
                 "perft -1", "elo 1 -2 3", "run greedy random --jobs 3", "compare zero parity --heuristic zero",
                 "list --style x"):  # fmt: skip
        done = arena(*line.split())
        found[line] = [done.code, done.err]
    holds("cli-hints", found, request)
