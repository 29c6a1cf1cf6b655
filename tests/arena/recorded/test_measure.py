"""What the measurements make of inputs in which every branch, side and denominator matters, as it was recorded."""

import json
from dataclasses import replace
from statistics import NormalDist

from recorded import holds, plain, tried
from transcript import DATA as FILES

from agents.agent import Analysis, Iteration
from agents.board import STANDARD, Board, Rules
from agents.specs.registry import parse
from arena.comparison import plan as comparison
from arena.comparison import timing
from arena.depth import agreement
from arena.depth import cost as depths
from arena.games import check
from arena.games.check import Checked
from arena.games.plan import Plan
from arena.perfect import exercises
from arena.perfect.grading import Candidate, Grade, ReferenceLadder, chance, grade
from arena.plugins.assignment import marks
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.explain.blunders import worst
from arena.plugins.study import claims
from arena.records import Interval, MoveRecord
from arena.store.run_file import Store
from arena.tournament.frames import Frames

PRINTED = FILES / "printed"
SMALL = Rules(5, 4)
EXERCISES = [
    exercises.Exercise(Board.from_moves(moves, SMALL), scores)
    for moves, scores in (
        ("33", (0, 0, -1, 1, 0)), ("3322", (-1, -2, -1, -2, -1)), ("1111", (None, 3, 2, 0, -1)), ("12345", (0,) * 5),
        ("334455", (2, 2, 4, -3, 0)), ("1", (-3, -1, -2, -3, -1)), ("122", (1, 0, 0, 0, -1)),
    )
]  # fmt: skip


def answered(columns, nodes=7):
    return [
        MoveRecord(each.board.ply, column, 0.01 * (place + 1), column - 2, 2, nodes * place, (column, 1))
        for place, (each, column) in enumerate(zip(EXERCISES, columns, strict=True))
    ]


ONE, OTHER = answered((3, 0, 1, 2, 2, 1, 0)), answered((0, 1, 4, 2, 3, 0, 4), 9)
GIVEN = [agreement.Answers(each.board, 2 + place % 2, one, other) for place, (each, one, other) in
         enumerate(zip(EXERCISES, ONE, OTHER, strict=True))]  # fmt: skip


def test_grades(request):
    model = Candidate(parse("llm:x"), "llm:x", None)
    agent, found = Candidate(parse("alphabeta:depth=2"), "alphabeta", 2), {}
    found["one"] = grade(agent, EXERCISES, ONE)
    found["one against other"] = grade(agent, EXERCISES, ONE, OTHER)
    found["other against one"] = grade(agent, EXERCISES, OTHER, ONE)
    found["a model that is silent once"] = grade(model, EXERCISES, [ONE[0]._replace(column=-1), *ONE[1:]])
    found["chance"] = chance(EXERCISES)
    found["chance where nothing is clear-cut"] = chance(EXERCISES[3:4])
    found["exercises"] = [(each.score, sorted(each.good), sorted(each.perfect), each.legal, each.clear_cut)
                          for each in EXERCISES]  # fmt: skip
    found["drawn"] = [each.text for each in exercises.sample(8, 3, range(3, 9), SMALL)]
    ladder = ReferenceLadder(
        (1, 3, 5), tuple(tuple((place + rung) % 4 < rung for place in range(40)) for rung in (1, 2, 3))
    )
    for share in range(6):
        own = [(place * 3 + 1) % 5 < share for place in range(40)]
        found[f"on the ladder with {share} of 5"] = tried(ladder.plays_like, own)
    holds("measure-grades", plain(found), request)


def test_marks(request, tmp_path):
    numbers = marks.HandInNumbers(
        200, 150, 40, 10, 80, 60, 0.5, (0.3, 0.5, 0.6, 0.7), 9.0, 16, marks.Pruning(3, 156, 0, 7.0, 3.0)
    )
    changes = (
        {}, {"answered": 0}, {"games": 0, "faults": 0}, {"compared": None, "agree": None, "hint": "no class"},
        {"kept": None}, {"kept": 0.9}, {"points": 0.0, "met": 0}, {"pruning": None, "hint": "none"},
        {"pruning": None, "unmeasured": "late"}, {"pruning": marks.Pruning(3, 585, 0, 7.0, 3.0)},
        {"pruning": marks.Pruning(3, 40, 0, 7.0, 3.0)},
    )  # fmt: skip
    found = {str(change): marks.Rule().of(replace(numbers, **change)) for change in changes}
    found["another rule"] = marks.Rule({"strength": 7.0, "runs": 3.0}, 2.0).of(numbers)
    for text in ("depth = 3", "marks = {runs = 1}\ndepth = 9", "marks = {speed = 1}", "marks = {runs = -1}", "x = 1",
                 "marks = {}", "marks = {runs = true}", "marks = 3", "depth = 0.5",
                 "marks = {runs = 40, faster = 60}"):  # fmt: skip
        (tmp_path / "rule.toml").write_text(text)
        found[text] = json.loads(json.dumps(tried(marks.read_rule, tmp_path / "rule.toml")).replace(str(tmp_path), ""))
    share = Interval(0.5, 0.25, 0.75)
    grade = Grade("a", None, 20, share, share, 9, share, share, None, None, None, None, share)
    checked = Checked("a", False, ["x", "time"], 9)
    for name, graded in (("kept", grade), ("nothing clear-cut", replace(grade, clear_good=None)), ("nothing", None)):
        hand_in = Finding("a", "", checked, asked=12, grade=graded, kept_by=[0.25, 0.5], compared=8, agree=6)
        found[f"numbers of a hand-in: {name}"] = hand_in.numbers(5, 2, 3.5, 4), hand_in.problems
    holds("measure-marks", plain(found), request)


def test_costs(request):
    def row(agent, position, depth, nodes=None, seconds=None, share=None, call=None):
        if nodes is None:
            return depths.Cost(agent, position, depth)
        return depths.cost(agent, position, depth, nodes, Interval(seconds, None, None), share, 3, 5, call)

    rows = [
        row("a", "1", 1, 8, 0.001, 1.0, 0.0007), row("a", "2", 1, 7, 0.002, 0.9), row("a", "1", 2, 57, 0.01, 0.5),
        row("a", "2", 2, 40, 0.03), row("a", "1", 3, 300, 0.5, 0.25), row("a", "2", 3), row("b", "1", 2, 0, 0.2),
        row("b", "2", 2, 0, 0.1), row("b", "1", 3, 9, 0.3, 0.1),
    ]  # fmt: skip
    found = {"growth": depths.with_growth(rows), "means": depths.means(rows), "mostly": [r.mostly_call for r in rows]}
    for times in ((), (0.1,), (0.01, 0.05), (0.01, 0.02, 0.09), (1e-6, 0.1, 0.2), (0.1, 0.1, 0.1, 0.4)):
        found[f"after {times}"] = depths.expected(times)
    mine, program = parse("greedy"), parse("cmd:ls")
    for name, asked in (("one depth", [("", 1, (5, 1, 1))]), ("alike", [("", 1, (5, 1, 1)), ("", 2, (5, 1, 1))]),
                        ("one depth of two positions", [("", 2, (5, 1, 2)), ("4", 2, (5, 1, 2))]),
                        ("two depths of one position alike", [("", 1, (5, 1, 1)), ("", 2, (5, 1, 1)),
                                                              ("4", 1, (5, 1, 1)), ("4", 2, (6, 1, 1))]),
                        ("no nodes", [("", 1, (0, 1, 0)), ("", 2, (0, 1, 0))]),
                        ("nodes of some", [("", 1, (5, 1, 1)), ("", 2, (5, 1, 1)),
                                           ("4", 1, (0, 1, 1)), ("4", 2, (0, 1, 1))]),
                        ("obeys", [("", 1, (5, 1, 1)), ("", 2, (9, 1, 2))])):  # fmt: skip
        found[f"unheeded {name}"] = [depths._unheeded(spec, asked) for spec in (mine, program)]
    specs = [parse(text) for text in ("alphabeta:depth=2", "alphabeta:depth=5", "minimax", "greedy")]
    found["left aside"] = [depths.left_aside(specs[start:], [2]) for start in range(4)]
    holds("measure-costs", plain(found), request)


def test_agreement(request):
    found = {"by depth": agreement.by_depth(GIVEN, "one", "other")}
    silent = [replace(each, other=each.other._replace(nodes=0)) for each in GIVEN]
    turned = [replace(each, one=each.other, other=each.one) for each in silent]
    found["without nodes"] = [agreement.by_depth(each, "one", "other") for each in (silent, turned, GIVEN[:1], [])]
    found["first"] = first = agreement.first_difference(GIVEN, "one", "other")
    same = [replace(each, other=each.one._replace(column=4)) for each in GIVEN]
    found["moves alone"] = agreement.first_difference(same, "one", "other")
    found["none"] = agreement.first_difference([replace(each, other=each.one) for each in GIVEN], "one", "other")
    values = ((1, 1), (999_998, 50), (-999_998, 50), (999_998, 999_996), (-50, -999_997), (3, None))
    found["said"] = [str(replace(first, reference_value=right, value=value)) for right, value in values]
    holds("measure-agreement", plain(found), request)


def test_what_is_drawn_and_asked(request, monkeypatch):
    found = {}
    for rules in (STANDARD, SMALL, Rules(3, 3, 3)):
        found[f"checked on {rules}"] = [each.text for each in check.boards(rules, 12)]
    for name in ("field", "match"):
        frames = Frames.read(PRINTED / f"{name}.sqlite")
        for seed in (1, 2):
            plan = Plan(("greedy", "random"), seed=seed)
            found[f"timed in {name}, seed {seed}"] = timing.sample(frames, plan)[::25]
    with Store.read(PRINTED / "field.sqlite") as store:
        for agent in store.names()[:6:2]:
            found[f"worst of {agent}"] = worst(store, agent)
    checked = check.Checked("a")
    for problem in ("x", "y", "x", "z", "u", "v", "w"):
        checked.add_fault(problem, f"printed with {problem}")
    found["findings"] = [getattr(checked, name) for name in check.Checked.__slots__]
    levels = [comparison.Level("depth", "2"), comparison.Level("nodes", "50")]
    ask = {"openings": "plies:2", "rounds": 2, "seed": 4}
    found["compared"] = comparison.plan(["zero", "parity", "windows(1,2,3,4)"], "alphabeta", levels, **ask).document()
    for names, search in ((["zero"], "alphabeta"), (["zero", "zero"], "alphabeta"), (["zero", "greedy"], "alphabeta"),
                          (["zero", "parity"], "alphabeta:depth=2"), (["zero", "parity"], "minimax|alphabeta:pvs=on"),
                          (["zero", "nope"], "alphabeta"), (["zero", "parity"], "alphabeta:heuristic=zero"),
                          ):  # fmt: skip
        found[f"{names} in {search}"] = json.loads(json.dumps(tried(comparison.plan, names, search, levels, **ask)))
    del found["compared"]["isolation"]
    holds("measure-drawn", plain(found), request)


CHECKS = (
    "elo('a', 'b') > 0", "elo('a', 'b') < 0", "-elo('a', 'b') < 30", "elo('a', 'b') == 20", "wins('a') == 12",
    "wins('a') == 13", "nodes('a') < 0.5 * nodes('b')", "nodes('a') / elo('a', 'b') > 1",
    "score('a') - score('b') >= 0",
    "0.5 < score('a') < 0.7", "0.5 < score('a') < 0.601", "wins('a') * score('a') > 7", "wins('a') + nodes('a') <= 200",
    "nodes('d') > 1", "score('c') > 0", "states('a', depth=3) < 10", "states('a:depth=4') < 10", "share('a') > 0.1",
    "share('a', of='perfect') > 0.1", "0 * nodes('b') == 0", "score('a', 'b', games='x') >= 0.6",
)  # fmt: skip
WRONG = (
    "elo('a') > 0", "elo('a', 'b')", "elo('a', b) > 0", "1 > 0", "print('a') > 0", "elo('a', 'b') ** 2 > 0",
    "share('a', of='x') > 0", "share('a', on='x') > 0", "states('a') > 1", "states('a', depth='2') > 1",
    "states('a', depth=True) > 1", "elo('a', 'b') != 0", "elo('a', 'b') > 1e16",
    "elo('a', 'b') >", "True > elo('a', 'b')",
)  # fmt: skip
SIDES = (
    "nodes('a') > nodes('b')", "nodes('b') - 3 > 1.2 * nodes('a')", "nodes('d') < elo('a', 'b') < nodes('a')",
    "nodes('b') > elo('a', 'b') > nodes('d')", "0.7 < score('a') < 0.601", "0.59 < score('a') < 0.5",
    "30 > nodes('a') > 99", "99 < nodes('a') < 30", "2 * wins('a') == nodes('b') - nodes('a')",
    "1 < wins('a') < 99", "nodes('a') == nodes('a')", "wins('a') / states('a', depth=3) >= 1.34",
    "3 > -wins('a') > -12",
    "elo('a', 'b') * -nodes('d') < nodes('d') / -2", "score('a') < 1e3 / (nodes('a') - nodes('a'))",
)  # fmt: skip
"""Of two and three sides, measured and not, in any order; each alone."""
NAMED = (
    "states('a:depth=4', depth=3) < 10", "states('a:max-depth=4', depth=3) < 10", "states('a:max-depth=4') < 10",
    "states('a:depth=2,order=centre') < 10", "states('a:order=centre,depth=12') < 10", "states('a:depth=x') < 10",
    "states('a.py:A:depth=5') < 10", "states(depth=3) < 10", "share('a', of='good') > 0.1", "share('a') > 0.1",
    "share('a', depth=2) > 0.1", "score('a', games='x') > score('a')", "score('a', 'b', 'c') > 0", "score() > 0",
    "elo('b', 'a') > elo('a', 'b') + elo('b', 'a')", "nodes('a', of='good') > 0", "wins('a', games=3) > 0",
    "nodes(agent='a') > 0", "nodes('a') > 1e15", "nodes('a') > 999_999_999_999_999", "nodes('a') > 1j",
    "nodes('a') > None", "+nodes('a') > 0", "nodes('a') // 2 > 0", "nodes('a') in (1, 2)",
    "nodes('a') > 0 and nodes('d') > 0", "elos('a') > 0", "score('a', b) > 0", "score('a', 3) > 0", "score(*'a') > 0",
    "states('a', 3, depth=2) > 0", "score('a', games=x) > 0", "states('a', depth=-3) > 0", "share('a', **{}) > 0",
    "states('a', depth=2.0) > 0", "states('a', depth=0) > 0", "nodes('') > 0", "nodes(b'a') > 0", "nodes(f'a') > 0",
)  # fmt: skip
"""What each of them measures, or why it measures nothing."""
MEANS = {"elo": (20, 8), "score": (0.6, 0.02), "wins": (12, None), "nodes": (100, 5),
         "states": (9, None), "share": (0.2, 0.1)}  # fmt: skip


def estimate(quantity):
    """A quantity with a normal interval; of `b` it is twice as large, and `c` was not measured."""
    value, error = MEANS[quantity.name]
    value *= 2 if quantity.agents[0] == "b" and quantity.name == "nodes" else 1

    def ends(alpha):
        far = error * -NormalDist().inv_cdf(max(alpha, 1e-300) / 2.0)
        return value - far, value + far

    if quantity.agents[0] == "c":
        return None
    return claims.Estimate(value, None if error is None else ends, f"of {quantity.name}")


def test_claims(request):
    made = [claims.Claim.of(number, {"check": each, "text": each}) for number, each in enumerate(CHECKS, start=1)]
    known = {quantity: estimate(quantity) for claim in made for quantity in claim.quantities}
    found = {"together": claims.verdicts(made, known)}
    found |= {claim.check: claims.verdicts([claim], known) for claim in made}
    found |= {check: tried(claims.Claim.of, 1, {"check": check}) for check in WRONG}
    told = {"text": "in words", "check": CHECKS[0], "source": "a paper", "published": 12}
    made = [claims.Claim.of(3, given) for given in (told, {"check": CHECKS[0]}, {"check": f" {CHECKS[1]}  "})]
    found["told"] = [(each.number, each.text, each.check, each.source, each.published) for each in made]
    found["nothing told"] = tried(claims.Claim.of, 3, {})
    for text in SIDES:
        claim = claims.Claim.of(1, {"check": text})
        found[text] = claims.verdicts([claim], {quantity: estimate(quantity) for quantity in claim.quantities})
    for text in NAMED:
        found[f"named in {text}"] = tried(lambda text=text: claims.Claim.of(2, {"check": text}).quantities)
    holds("measure-claims", plain(found), request, within=1e-6)


class Scripted:
    """A searcher that gives column and score by the discs on the board."""

    def new_game(self, seed):
        pass

    def choose(self, board, limits):
        legal = board.legal_moves()
        score = (board.ply * 37 % 11 - 5) * 10 if board.ply % 5 else 999_990
        return Analysis(legal[board.ply * 3 % len(legal)], score, iterations=(Iteration(1, 1, 0.0, 1, 0),))


class Last(Scripted):
    def choose(self, board, limits):
        return Analysis(board.legal_moves()[-1], 0)
