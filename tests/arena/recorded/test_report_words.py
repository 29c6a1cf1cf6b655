"""What is said in words: explanations and lines of runs played otherwise, and names."""

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace as Row

import pandas as pd
from recorded import holds, plain, tried
from transcript import DATA

from agents.board import Board, Rules
from arena.plugins.explain import story as explained
from arena.plugins.explain.explain import MOST_NODES, Explanation
from arena.records import Interval
from arena.statistics.pairing import Basis
from arena.table import labels
from arena.tournament import tables as runs
from arena.tournament.frames import Frames

STANDARD, SMALL = Rules(), Rules(5, 4)


def explanation(moves="", wins="", **changes):
    return Explanation(**{"ply": 3, "column": 5, "before": 1, "after": -1, "keepers": "3 6", "positions": 1234,
                          "kind": "forced line" if wins else "search", "moves": moves, "wins": wins, "plies": None,
                          "depth": None} | changes)  # fmt: skip


LINES = {
    "at once": explanation("", "2"), "at once in two columns": explanation("", "2 6", keepers="4"),
    "a short line": explanation("3", "2 6"), "three moves": explanation("1 2 7", "1 4 7", plies=5),
    "a long line": explanation("1 2 1 1 7 1 2", "2", plies=9), "stacked": explanation("2 2", "2"),
    "by search": explanation("4 3 4", plies=35, depth=36), "beyond the bound": explanation("4 3", positions=MOST_NODES),
    "a draw": explanation("4 3 4", after=0, keepers="1 2 7", depth=9), "of the book": explanation("4", positions=0),
}  # fmt: skip


def test_reasons_of_every_kind(request):
    found = {}
    for rules, moves in ((STANDARD, "4455"), (STANDARD, "445"), (Rules(7, 4), "4455")):
        board = Board.from_moves(moves, rules)
        for name, row in LINES.items():
            lines = explained.lines(replace(row, ply=board.ply - 1), board)
            found[f"{name} after {moves} on {rules}"] = lines
    board = Board.from_moves("4455")
    for belief, whose in itertools.product(((-100, 2), (27, None), (None, 4), (0, 1), (999_995, 6)), ("", "your")):
        for name in ("by search", "a draw", "a short line"):
            found[f"{name}, {belief} {whose}"] = explained.lines(LINES[name], board, belief, whose)[1]
    won = Board.from_moves("112233", Rules(4, 4))
    found["to the end"] = explained.reason(explanation("4", plies=1, ply=5), won)
    holds("report-reasons", plain(found), request)


def test_stories(request):
    found, board = {}, Board.from_moves("44556")
    first, last = LINES["by search"], replace(LINES["at once"], ply=4)
    force, drawn = replace(LINES["three moves"], ply=4), replace(LINES["a draw"], ply=4)
    for rows in ((), (first,), (last,), (force,), (drawn,), (replace(first, plies=None),), (first, last, drawn)):
        for value, fault in itertools.product((1, 0, -1), ("", "out of time")):
            kinds = [f"{row.ply} {row.kind} {row.after}" for row in rows]
            found[f"{kinds} from {value}, {fault}"] = explained.story(board, rows, value, fault)
    won = Board.from_moves("1212121")
    found["won"] = explained.story(won, [explanation("4 3", ply=6)], 0)
    holds("report-stories", plain(found), request)


FIELD = Frames.read(DATA / "printed" / "field.sqlite")
MATCH = Frames.read(DATA / "printed" / "match.sqlite")
COMPARED = Frames.read(DATA / "printed" / "comparison.sqlite")
PLANS = {
    "plies": {"openings": "plies:3", "population": 100}, "all": {"openings": "plies:3", "population": 8},
    "fair": {"openings": "fair:6", "population": 5000}, "pairs of fair": {"openings": "fair:6:pairs"},
    "a file": {"openings": "/a/folder/book.txt", "population": None}, "other plies": {"openings": "plies:x"},
    "unknown": {"openings": "plies:4", "population": None, "seed": 9}, "swiss": {"format": "swiss:3"},
    "gauntlet": {"format": "gauntlet"}, "one pairing": {"pairs": [["random", "greedy"]]},
    "two pairings": {"pairs": [["random", "greedy"], ["greedy", "mine.py"]], "format": "gauntlet"},
    "nodes": {"nodes": 5000}, "seconds": {"seconds": 0.25, "margin": 0.125},
    "both": {"nodes": 10, "seconds": 3, "margin": 1}, "most fours": {"rules": {"columns": 5, "rows": 4, "connect": 3,
                                                                              "most_fours": True}},
    "another format": {"format": "mine.py:Mine"},
    "a test": {"sprt": "elo0=-5,elo1=12.5,alpha=0.01,beta=0.1"}, "a clock": {"clock": "60+1"},
    "entries": {"isolation": {"entries": [
        None, {"name": "greedy", "folder": "/x/y", "nodes": 1000, "seconds": 0.5},
        {"name": "mine.py", "folder": "/x/y", "nodes": None, "seconds": None},
        {"name": "random", "folder": "/x", "nodes": 1234567, "seconds": None}]}},
}  # fmt: skip


def of(frames, *, agents=None, made=None, **plan):
    """Return a run that was planned, played and made otherwise."""
    kept = frames if agents is None else replace(frames, agents=agents)
    return replace(kept, plan=frames.plan | plan, made=frames.made | (made or {}))


def told(parts):
    """Return the lines of a report, and the titles of its tables."""
    return [part if isinstance(part, str) else f"= {part.title}" for part in parts]


def test_lines_of_runs_that_were_played_otherwise(request):
    session = {
        "begun": "2026-01-02T03:04:05",
        "command": None,
        **{key: FIELD.made[key] for key in ("versions", "machine")},
    }
    sessions = [session, session | {"versions": {"python": "2"}}, session | {"machine": {"system": "Other"}}]
    strangers = FIELD.agents.assign(stranger=[0, 1, 0, 1, 1, 0, 1])
    games = FIELD.games.iloc[:40]
    timed = FIELD.times if len(FIELD.times) else pd.DataFrame(
        {"position": ["1", "1", "12"], "agent": ["greedy"] * 3, "turn": [0, 1, 0], "nodes": [5] * 3,
         "seconds": [1.0, 9.0, 1.0]}
    )  # fmt: skip
    sampled = replace(FIELD, planned=200, totals=FIELD.played(), faults=FIELD.lost(), games=games,
                      moves=FIELD.moves[FIELD.moves["game"].isin(games["game"])])  # fmt: skip
    found = {
        "field": runs.warnings(FIELD), "compared": runs.warnings(COMPARED), "match": runs.warnings(MATCH),
        "looked at": runs.warnings(of(MATCH, looks=[2, 4, 8], sprt=None)),
        "looked at by a test": runs.warnings(of(MATCH, looks=[2])), "sampled": runs.warnings(sampled),
    }  # fmt: skip
    for name, some in {"versions": sessions[:2], "machines": sessions[::2], "both": sessions, "alike": sessions[:1] * 2,
                       "one": sessions[:1]}.items():  # fmt: skip
        found[f"sessions, {name}"] = runs.sessions_line(of(FIELD, made={"sessions": some}))
    for name, frames in {
        "strangers": of(FIELD, agents=strangers), "in-process": of(FIELD, agents=strangers, isolation={"nobody": True}),
        "nobody": FIELD, "isolated": of(FIELD, agents=strangers, isolation={"nobody": False}),
    }.items():  # fmt: skip
        found[f"claims, {name}"] = [runs.claims_line(frames), *runs.language_lines(frames)]
    for name, frames in {
        "late": of(FIELD, seconds=1e-5, margin=0.0), "late in part": of(FIELD, seconds=5e-5, margin=1.0),
        "slowed": replace(FIELD, times=timed),
    }.items():  # fmt: skip
        found[name] = [*runs.time_warnings(frames), runs.taken(frames)]
    played = {
        "match": MATCH, "its test": of(MATCH, sprt="elo0=-5,elo1=12.5"), "limits": of(MATCH, nodes=1000, clock="60+1"),
        "seconds": of(MATCH, seconds=0.5, made={"sessions": sessions}),
        "undecided": replace(MATCH, evidence=MATCH.evidence.iloc[:5]),
    }  # fmt: skip
    for name, frames in played.items():
        found[f"{name}, whole"] = told(runs.whole(frames))
    for anchor in (("random", 500.0), ("greedy", -0.5), ("nobody", 3.0)):
        found[f"anchored to {anchor[0]}"] = tried(lambda anchor=anchor: told(runs.parts(MATCH, anchor)))
    looks = {name: runs.evidence(frames) for name, frames in played.items() if name in ("match", "undecided")}
    found["looks"] = {name: [len(each), each[-1].decision] for name, each in looks.items()}
    document = runs.document(MATCH, ("random", 500.0))
    found["document, anchored to random"] = [[row["agent"], row["elo"]] for row in document["standings"]]
    found["document"] = {key: [type(each).__name__, len(each)] for key, each in document.items() if key != "seed"}
    holds("report-otherwise", plain(found), request)


MODELS = ("llm:one@http://x;t=0;a=1", "llm:one@http://x;t=0;a=2", "llm:two@http://x;t=0", "a:n=1,t=0", "b:t=0")


def test_lines_of_models(request, monkeypatch):
    agents = FIELD.agents.iloc[:5].assign(name=MODELS, kind=["llm", "llm", "llm", "a", "b"])
    drawn = [Row(agent=MODELS[0], drawn_moves=0, moves=9), Row(agent=MODELS[1], drawn_moves=5, moves=1234),
             Row(agent=MODELS[2], drawn_moves=1234, moves=2345)]  # fmt: skip
    monkeypatch.setattr(runs, "models", lambda _: drawn)
    found = {"random moves": runs.language_lines(of(FIELD, agents=agents))}
    monkeypatch.setattr(runs, "models", lambda _: [])
    found["of others"] = runs.language_lines(of(FIELD, agents=agents.iloc[3:]))
    moves = FIELD.moves.assign(nodes=0, score=None)
    some = agents.assign(stranger=[1, 1, 0, 1, 0])
    for name, told in {
        "nodes": {"nodes": 5},
        "scores": {"score": 0},
        "both": {"nodes": 7, "score": -3},
        "none": {},
    }.items():
        rows = moves.assign(agent=[MODELS[n % 4] for n in range(len(moves))])
        for column, value in told.items():
            rows.loc[rows["agent"].isin(MODELS[1:4]), column] = value
        found[f"claims of {name}"] = runs.claims_line(replace(of(FIELD, agents=some), moves=rows))
    holds("report-models", plain(found), request)


def test_the_strength_that_a_test_ends_with(request, monkeypatch):
    found, last = {}, Row(decision="H1", pairs=1200, llr=2.5, lower=-2.25, upper=2.75)
    estimates = {
        "none": None,
        "one": Row(value=25.4, low=5.6, high=40.5),
        "open": Row(value=-25.6, low=None, high=-5.0),
    }
    elos = [each if each is None else Interval(each, None, None) for each in (None, 12.6, math.inf, -math.inf, -0.2)]
    for basis, elo in itertools.product((Basis.EXACT, Basis.SCORE), elos):
        for score, (name, estimate) in itertools.product((0.625, None), estimates.items()):
            asked, met = [], Row(basis=basis, score=score, elo=elo)
            monkeypatch.setattr(runs, "duel", lambda _, *pair, met=met, asked=asked: asked.append(pair) or met)
            monkeypatch.setattr(runs, "sprt_estimate", lambda _, estimate=estimate: estimate)
            key = f"{basis}, {score}, {elo and elo.value}, {name}"
            found[key] = [runs._strength(MATCH, decided=decided) for decided in (True, False)]
            assert asked == [tuple(MATCH.agents["name"][:2])] * 2
    monkeypatch.setattr(runs, "_strength", lambda _, decided: f"; decided {decided}")
    for decision, test in itertools.product(
        ("continue", "H0", "H1"), ("elo0=-5,elo1=12.5", "elo0=0,elo1=10,model=logistic")
    ):
        row = Row(**vars(last) | {"decision": decision})
        labels_of_both = labels.Labels.among(MATCH.agents["name"])
        key = f"{decision} of {test}"
        found[key] = tried(
            lambda test=test, row=row, shown=labels_of_both: runs.evidence_line(of(MATCH, sprt=test), row, shown)
        )
    holds("report-sprt", plain(found), request)


ALONE = ("alphabeta:depth=9", "a/b/one.py:Bot", "a/b/two.py:Bot", "x" * 60, "cmd:./engine",
         "alphabeta:heuristic=parity",
         "minimax:heuristic=smart-aware", "minimax:heuristic=smart-simple,table=on")  # fmt: skip


def test_keys_of_names(request):
    found = {}
    for count in (2, 3, 5, 8):
        forms = labels.shorter(ALONE[:count])
        found[f"of {count}"] = [forms, *(labels.key(form, width).split("\n") for form in forms for width in (30, 200))]
    mixed = {"short": "short", "a long name that stays as it is": "a long name that stays as it is", "one:x=1": "one"}
    found["mixed"] = [labels.key(mixed, width).split("\n") for width in (10, 40, 80)]
    found["none"] = labels.key({"a": "a"}, 30), labels.key({}, 30)
    holds("report-keys", plain(found), request)
