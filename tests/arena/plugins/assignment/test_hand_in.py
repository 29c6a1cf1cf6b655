"""What is measured of a hand-in, with stand-ins for its processes: what is asked of it, and what each answer means."""

import functools
import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from needs import needs
from own_search import SEARCH
from scripted import raiser

from agents.agent import Limits, prepare
from agents.board import STANDARD, Board
from agents.errors import InputError
from agents.failure import Failure
from agents.process_agent import ProcessLimits
from arena.depth.agreement import Answers
from arena.depth.cost import Cost, cost
from arena.games.check import Checked
from arena.games.endings import endings, exact
from arena.games.entrants import attended, entrants, specs_of
from arena.games.entries import Entry
from arena.games.referee import Fault
from arena.games.searches import sample
from arena.perfect.exercises import Exercise
from arena.perfect.grading import Grade
from arena.plugins.assignment import counted, hand_in, job, site
from arena.plugins.assignment.hand_in import Finding
from arena.plugins.assignment.marks import HandInNumbers, Pruning
from arena.records import Interval, MoveRecord, Termination

WHOLE = SEARCH.format(author="Ada", weight=3, cuts="alpha >= beta")
PLAIN = "def choose(board, limits):\n    return board.legal_moves()[0]\n"
CLASS = "class {}:\n    def choose(self, board, limits):\n        return 3\n\n\n"
VALUES = "def evaluate(own, opp):\n    return 0\n"
FILES = {
    "whole": WHOLE,
    "plain": PLAIN,
    "named": CLASS.format("My_Alpha_Beta2") + CLASS.format("AlphaBetaLater") + CLASS.format("PlainMiniMax") + VALUES,
    "valued": CLASS.format("AlphaBeta") + VALUES,
    "bare": CLASS.format("AlphaBeta"),
    "deep": "class Bot:\n    def __init__(self, depth=4):\n        self.depth = depth\n\n"
            "    def choose(self, board, limits):\n        return 3\n",
    "least": CLASS.format("Minimax") + VALUES + VALUES.replace("evaluate", "count"),
}  # fmt: skip


@pytest.fixture
def specs(tmp_path):
    """The hand-ins of a folder, by name."""
    folder = tmp_path / "class"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text)
    return {each.text.rpartition("/")[2]: each for each in entrants([folder])}


SEARCHES = {
    "whole": {"alphabeta": "AlphaBeta", "minimax": "Minimax"}, "plain": {},
    "named": {"alphabeta": "My_Alpha_Beta2", "minimax": "PlainMiniMax"}, "valued": {"alphabeta": "AlphaBeta"},
    "bare": {"alphabeta": "AlphaBeta"}, "deep": {"alphabeta": "Bot"}, "least": {"minimax": "Minimax"},
}  # fmt: skip
"""The classes of a file that search, by what they are; one whose constructor takes a depth is an alpha-beta."""


@pytest.mark.parametrize("name", FILES)
def test_the_searches_of_a_file_are_found_by_the_names_of_its_classes(specs, tmp_path, name):
    impatient = ProcessLimits(start_timeout=3.0, memory=200)
    file = tmp_path / "class" / f"{name}.py"
    made = hand_in._searches(replace(specs.get(name, specs["plain"]), process_limits=impatient), file)
    ours = {kind: made.pop(kind) for kind in [*made] if made[kind].kind == kind}
    assert {kind: (spec.text, spec.origin.words) for kind, spec in ours.items()} == (
        {"minimax": ("our minimax with its evaluate", (f"minimax:compiled=no,heuristic={file}:evaluate",))}
        if name == "valued" else {}
    )  # fmt: skip
    assert {kind: spec.kind for kind, spec in made.items()} == {
        kind: f"{file}:{which}" for kind, which in SEARCHES[name].items()
    }
    for spec in made.values():
        assert (spec.process_limits, spec.origin.folder) == (impatient, str(file.parent))
    has_values = "def evaluate" in FILES[name]
    assert hand_in.heuristic_of(file) == (f"{file}:evaluate" if has_values else None)


def test_a_spec_that_is_the_search_stands_for_it_and_a_program_has_none(specs, tmp_path):
    made = hand_in._searches(specs["deep"], tmp_path / "class" / "least.py")
    assert (made["alphabeta"], made["minimax"].text) == (specs["deep"], f"{specs['deep'].text}:Minimax")
    assert "alphabeta" not in hand_in._searches(specs["plain"], tmp_path / "class" / "least.py")
    assert hand_in._searches(specs["whole"], tmp_path / "whole.exe") == {}
    assert hand_in.heuristic_of(tmp_path / "whole.exe") is None


@pytest.mark.parametrize(("patience", "given"), [(3.0, 60.0), (90.0, 90.0)])
def test_an_agent_of_ours_beside_a_hand_in_is_as_confined_and_has_a_minute_to_start(specs, patience, given):
    spec = replace(specs["valued"], origin=replace(specs["valued"].origin, options=(("depth", 3),)))
    limits = ProcessLimits(start_timeout=patience, sandbox=True)
    made = hand_in._built_in(replace(spec, process_limits=limits), "greedy", "another name")
    assert (made.text, made.kind, made.origin.words, made.origin.options) == ("another name", "greedy", ("greedy",), ())
    assert (made.process_limits.start_timeout, made.process_limits.sandbox) == (given, True)


@needs("bwrap")
def test_the_boards_of_a_hand_in_of_a_folder_are_counted_in_a_sandbox(specs):
    agent = hand_in.watched(replace(specs["whole"], process_limits=ProcessLimits(sandbox=True))).build()
    with attended([agent]):
        prepare(agent, STANDARD, "whole")
        assert agent.choose(Board(STANDARD), Limits()).extra["positions"] > 7


@pytest.mark.parametrize("files", [(), ("whole.py", "part.py")])
def test_a_watched_hand_in_starts_as_it_would_alone_within_the_file_that_counts(specs, monkeypatch, files):
    monkeypatch.setattr(hand_in, "start", lambda *given: given)
    limits, here = ProcessLimits(start_timeout=3.0, memory=200), counted.__file__
    options = (("depth", 3), ("python", "/usr/bin/other"), ("weight", 2))
    spec = replace(specs["whole"], process_limits=limits)
    spec = replace(spec, origin=replace(spec.origin, words=("whole.py", "AlphaBeta"), options=options, files=files))
    watched = hand_in.watched(spec)
    origin, given = watched.build()
    assert (given, origin.words, origin.folder) == (limits, (here, "Counted"), spec.origin.folder)
    assert (watched.text, watched.kind, watched.origin) == (spec.text, spec.kind, spec.origin)
    assert dict(origin.options) == {
        "python": "/usr/bin/other", "words": ["whole.py", "AlphaBeta"], "options": {"depth": 3, "weight": 2},
    }  # fmt: skip
    assert origin.files == ((*files, here) if files else ())
    for other in (replace(spec.origin, protocol="line"), replace(spec.origin, words=("whole.py",))):
        plain = replace(spec, origin=other)
        assert hand_in.watched(plain) is plain


def test_searches_and_a_heuristic_are_found_in_the_files_beside_that_are_imported(specs, tmp_path):
    folder = tmp_path / "class"
    (folder / "plain_search.py").write_text(CLASS.format("Minimax") + CLASS.format("AlphaBeta"))
    (folder / "values.py").write_text(VALUES)
    (folder / "lost.py").write_text("def broken(:\n")
    main = folder / "pruning.py"
    main.write_text("import lost, values\nfrom plain_search import Minimax\n\nclass AlphaBeta(Minimax): ...\n")
    made = hand_in._searches(specs["plain"], main)
    assert {kind: each.kind for kind, each in made.items()} == {
        "alphabeta": f"{main}:AlphaBeta", "minimax": f"{folder}/plain_search.py:Minimax",
    }  # fmt: skip
    assert hand_in.heuristic_of(main) == f"{folder}/values.py:evaluate"


def record(column, score=5, pv=()):
    return MoveRecord(0, column, 0.01, score, 2, 9, pv)


class Asked:
    """Stands for depth tables and comparisons: answers as it is told, and keeps what it was asked."""

    def __init__(self, monkeypatch, rows=(), told=(), said=(), fails=""):
        self.given, self.rows, self.told, self.said, self.fails = [], rows, told, said, fails
        monkeypatch.setattr(hand_in, "depth_table", self.table)
        monkeypatch.setattr(hand_in, "watched", lambda spec: spec)
        monkeypatch.setattr(hand_in, "answers", self.answers)

    def table(self, specs, depths, boards, budget, *, warn=lambda _: None, nodes=None, **_):
        self.given.append([[each.text for each in specs], list(depths), [each.text for each in boards], budget, nodes])
        for line in self.said:
            warn(line)
        if self.fails == "table":
            raise InputError("it broke the table")
        return self.rows

    def answers(self, reference, search, boards, depths):
        self.given.append([reference.text, search.text, [each.text for each in boards], list(depths)])
        yield from self.told
        if self.fails == "answers":
            raise InputError("it broke at depth 2")


BOARDS = [Board.from_moves(moves) for moves in ("", "4", "44")]
TOLD = [
    Answers(BOARDS[0], 1, record(3), record(3)), Answers(BOARDS[1], 1, record(2), record(4)),
    Answers(BOARDS[2], 1, record(2, 7, (2, 1)), record(2, 6)), Answers(BOARDS[0], 2, record(3), record(3)),
]  # fmt: skip
ROWS = [cost("x:AlphaBeta", "", depth, 7**depth, Interval(0.1, None, None), None, 4, 2) for depth in (1, 2)]


@pytest.mark.parametrize(
    ("name", "more", "said", "compared", "agree", "differs", "costs"),
    [
        ("plain", {}, "nothing was measured: it has no class AlphaBeta", None, None, "", 0),
        ("plain", {}, "returns Analysis(column, score, depth=…, nodes=…)", None, None, "", 0),
        ("bare", {}, "nothing was compared: it has no class Minimax and no function evaluate(own, opp)", None, None, "",
         2),
        ("bare", {"said": ("one row", "no states")}, "; one row; no states", None, None, "", 2),
        ("whole", {}, "whole:AlphaBeta beside whole:Minimax", 12, 10, "after 44 at depth 1", 2),
        ("whole", {"said": ("one row",), "fails": "answers"}, "whole:Minimax; one row", 4, 2, "it broke at depth 2", 2),
        ("whole", {"fails": "answers", "told": TOLD[:1]}, "beside", 1, 1, "it broke at depth 2", 2),
        ("valued", {"fails": "table"}, "it broke the table", None, None, "it broke the table", 0),
        ("deep", {"fails": "table", "said": ("lost",)}, "it broke the table", None, None, "it broke the table", 0),
    ],
)  # fmt: skip
def test_what_was_compared_or_is_missing_is_said(
    specs, tmp_path, monkeypatch, name, more, said, compared, agree, differs, costs
):
    monkeypatch.setattr(hand_in, "reference", list)
    asked = Asked(monkeypatch, **{"rows": ROWS, "told": TOLD, **more})
    finding = Finding(name, "", Checked(name))
    hand_in._search(finding, specs[name], tmp_path / "class" / f"{name}.py", 2)
    assert said in finding.searches
    assert (finding.compared, finding.agree, len(finding.costs)) == (compared, agree, costs)
    assert finding.difference.startswith(differs)
    if name != "plain":
        [table, *answers] = asked.given
        assert table == [[table[0][0]], [1, 2, 3, 4, 5, 6], [""], 2.0, 150_000]
        drawn = [board.text for board in sample(20, 1, STANDARD)]
        assert [(reference[-8:], search[-9:], *more) for reference, search, *more in answers] == (
            [(":Minimax", "AlphaBeta", drawn, [1, 2])] if name == "whole" else []
        )


GRADE = Grade("a", None, 4, *[Interval(0.75, 0.3, 0.9)] * 2, 2, None, None, None, None, None, 7.0,
              Interval(0.1, None, None), plays_like=Interval(-math.inf, None, 2.0))  # fmt: skip
EXERCISES = [Exercise(Board(), (1, 0, 0, 0, 0, 0, 0)), Exercise(Board.from_moves("4"), (0, 0, 0, 0, None, None, None))]


def found_of(spec, monkeypatch, *, answers, problems=(), grades=(GRADE,), rungs=((True, False), (True, True))):
    """Return the finding on a hand-in whose check and grade are these, and all that was asked."""
    asked = []

    def check(checked, spec, limits, margin, rules, positions, progress, answered):
        asked.append(["check", spec.text, limits, margin, rules, positions])
        for each in answers:
            answered(each)
            progress()
        checked.positions = len([each for each in answers if each is not None])
        for each in problems:
            checked.add_fault(each)

    def graded(candidates, agents, progress, faults):
        asked.append(["grade", [(each.name, each.depth) for each in candidates], len(agents), faults])
        progress()
        return iter(grades)

    monkeypatch.setattr(hand_in, "check", check)
    monkeypatch.setattr(hand_in, "_search", lambda found, spec, file, depth: asked.append(["search", file.name, depth]))
    ladder = SimpleNamespace(good=rungs) if rungs else None
    grading = SimpleNamespace(grades=graded, exercises=EXERCISES, ladder=ladder)
    found = hand_in.find(
        spec, "Ada", {"seconds": 0.5, "margin": 0.2, "depth": 3}, grading, lambda: asked.append("step")
    )
    return found, asked


@pytest.mark.parametrize(
    ("more", "problems", "positions", "graded", "kept_by"),
    [
        ({"answers": (3, None, 2), "problems": ("crashed",)}, 1, 2, True, 3),
        ({"answers": (3,), "grades": ()}, 0, 1, True, 0), ({"answers": (3,), "rungs": None}, 0, 1, True, 0),
        ({"answers": (None,), "problems": ("after no move: out of time",)}, 1, 0, False, 0),
        ({"answers": (None, None), "problems": ("crashed", "after 4: out of time")}, 2, 0, False, 0),
        ({"answers": (None, None), "problems": ("after no move: illegal move",)}, 1, 0, False, 0),
    ],
    ids=["all", "no grade", "no ladder", "silent", "crashed, then silent", "lost"],
)  # fmt: skip
def test_a_hand_in_is_checked_graded_and_compared_as_far_as_it_answers(
    specs, monkeypatch, more, problems, positions, graded, kept_by
):
    finding, asked = found_of(specs["whole"], monkeypatch, **more)
    [check, *steps] = asked
    assert check == ["check", "whole", Limits(seconds=0.5), 0.2, STANDARD, 200]
    assert (finding.author, finding.problems, finding.checked.positions) == ("Ada", problems, positions)
    assert (finding.asked, len(finding.kept_by)) == (len(more["answers"]), kept_by)
    if graded:
        grade = ["grade", [("whole", None)], 1, []]
        assert steps == [*["step"] * len(more["answers"]), grade, "step", ["search", "whole.py", 3]]
        assert (finding.grade == GRADE) == (more.get("grades", (GRADE,)) != ())
    else:
        in_time = "nothing was measured: it answered nothing in time, and was asked no more"
        assert (finding.searches == in_time) == ("illegal" not in more["problems"][-1])
        assert steps == ["step"] * len(more["answers"])


@pytest.mark.parametrize("name", ["greedy", None])
def test_a_hand_in_that_answers_is_compared_with_built_in_agents_and_watched(specs, monkeypatch, name):
    asked = []
    monkeypatch.setattr(hand_in, "imports", lambda file: [file.name])
    monkeypatch.setattr(hand_in, "twin", lambda *given: asked.append(given) or name)
    monkeypatch.setattr(hand_in, "_watch", lambda found, spec: asked.append((found.imports, spec.text)))
    for answers in ((3, None), (None, None)):
        found, _ = found_of(specs["whole"], monkeypatch, answers=answers)
        assert (found.imports, found.twin) == (["whole.py"], name or "" if 3 in answers else "")
    assert asked == [([3, None], STANDARD), (["whole.py"], "whole")]


def test_the_search_of_a_hand_in_is_watched_at_each_depth(specs, tmp_path, monkeypatch):
    def table(searches, *_, answered, **__):
        for depth, extra in ((1, '{"positions": 7, "imports": ["arena"]}'), (3, '{"positions": 57}'), (2, "{}")):
            answered(depth, MoveRecord(0, 3, 0.1, extra=extra))
        return [Cost(search, "", 1, nodes=8) for search in searches]

    monkeypatch.setattr(hand_in, "depth_table", table)
    monkeypatch.setattr(hand_in, "watched", lambda spec: f"{spec.text} is watched")
    monkeypatch.setattr(hand_in, "reference", list)
    finding = Finding("bare", "", Checked("bare"))
    hand_in._search(finding, specs["bare"], tmp_path / "class" / "bare.py", 2)
    assert (finding.positions, finding.imports) == ({1: 7, 3: 57, 2: 0}, ["arena"])
    assert [row.agent for row in finding.costs] == ["bare:AlphaBeta is watched"]


def test_pruning_is_that_of_the_greatest_depth_that_all_reached(monkeypatch):
    ours = [
        Cost(name, "", depth, branching=base + depth / 10)
        for name, base, most in (("minimax", 7.0, 4), (hand_in.REFERENCE, 3.0, 3))
        for depth in range(1, most + 1)
    ]
    monkeypatch.setattr(hand_in, "reference", lambda: [*ours, Cost("minimax", "", 5), Cost("other", "", 3)])

    def of(*rows):
        costs = [Cost("a", "", depth, nodes=nodes) for depth, nodes in rows]
        return Finding("a", "", Checked("a"), costs=costs, positions={2: 20, 5: 99}).pruning()

    assert of((1, 5), (2, 21), (3, 50), (4, 99), (5, 200)) == Pruning(3, 50, 0, 7.3, 3.3)
    assert of((3, None), (2, 21), (None, 9)) == Pruning(2, 21, 20, 7.2, 3.2)
    assert of((2, 0)) == Pruning(2, 0, 20, 7.2, 3.2)
    assert of((1, 5)) is None
    assert of() is None


def test_remarks_on_one_that_is_well_are_no_problems():
    for ok, problems, many in ((True, ["a remark"], 0), (False, ["x", "y"], 2), (False, [], 0)):
        assert Finding("a", "", Checked("a", ok, problems)).problems == many


def test_our_own_searches_are_measured_on_the_empty_board_once(monkeypatch):
    hand_in.reference.cache_clear()
    asked = Asked(monkeypatch, rows=ROWS)
    monkeypatch.setattr(hand_in, "depth_table", lambda *given: asked.table(*given, warn=None))
    try:
        assert hand_in.reference() is hand_in.reference() is ROWS
    finally:
        hand_in.reference.cache_clear()
    assert asked.given == [[["minimax", "alphabeta:order=centre"], [1, 2, 3, 4, 5, 6], [""], 2.0, None]]


def test_what_alphabeta_keeps_of_clear_cut_positions_stands_beside_what_chance_keeps(specs, monkeypatch):
    rungs = ((False, True), (True, False))
    found, _ = found_of(specs["plain"], monkeypatch, answers=(3,), rungs=rungs)
    assert found.kept_by == [1 / 7, 0.0, 1.0], "of the two exercises only the first is clear-cut"
    assert STANDARD.columns == 7


@pytest.mark.parametrize("drawn", [True, False])
def test_the_ends_of_games_are_compared_too(drawn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(WHOLE if drawn else WHOLE.replace("0 if board.outcome.winner is None else", ""))
    classes = specs_of([(f"own.py:{each}", None, None) for each in ("Minimax", "AlphaBeta")], {"everyone": True})
    finding = Finding("own", "", "")
    hand_in._compare(finding, *classes, [Board()], 2)
    last = endings(STANDARD, 1)
    wrong = 0 if drawn else sum(exact(board) == 0 for board in last)
    assert (finding.compared, finding.agree) == (2 + len(last), 2 + len(last) - wrong)
    assert ("the board fills up: a draw, worth 0\n" in finding.difference) == (not drawn)


@pytest.mark.parametrize(("told", "ends", "agree", "differs"), [
    (TOLD, ["wrong end", None, "other"], 3, "after 44 at depth 1"),
    (TOLD[::3], [None, "wrong end", "other"], 3, "wrong end"),
    (TOLD[::3], [None] * 3, 5, ""),
])  # fmt: skip
def test_alphabeta_is_asked_of_the_ends_of_games_and_named_by_what_differs_first(
    monkeypatch, told, ends, agree, differs
):
    asked = Asked(monkeypatch, told=told)
    monkeypatch.setattr(hand_in, "wrong_endings", lambda search, boards: asked.given.append(search.text) or iter(ends))
    finding = Finding("own", "", Checked("own"))
    hand_in._compare(finding, SimpleNamespace(text="plain"), SimpleNamespace(text="pruned"), BOARDS, 3)
    assert asked.given == [["plain", "pruned", ["", "4", "44"], [1, 2, 3]], "pruned"]
    assert (finding.compared, finding.agree) == (len(told) + 3, agree)
    assert finding.difference.startswith(differs)
    assert re.findall("pruned plays|plain [0-9]", finding.difference) == ["pruned plays", "plain 3"] * ("4" in differs)


def test_of_a_file_with_several_agents_it_is_told_which_one_plays(tmp_path):
    for name, agents in (("one.py", ("Mine",)), ("two.py", ("Helper", "Bot"))):
        (tmp_path / name).write_text("".join(map(CLASS.format, agents)))
        told = []
        job._entries(tmp_path / name, told.append, told.append)
        assert told == [f"of Helper, Bot in two.py Bot plays: {job.RULE}"] * (len(agents) > 1)


def test_points_of_a_hand_in_whose_moves_could_not_be_graded_are_told():
    met = [SimpleNamespace(points=3.5, games=4, opponent="greedy")]
    told = site._strength(SimpleNamespace(grade=None), SimpleNamespace(points=7.0, games=12), met)
    assert told.blocks == [
        "It made 7 points in 12 games: 3.5 of 4 against greedy.", "Its moves could not be graded."
    ]  # fmt: skip


@pytest.mark.parametrize("error", [Failure("crashed"), InputError("no")])
def test_a_hand_in_that_fails_while_it_is_watched_keeps_what_was_noted(specs, monkeypatch, error):
    answers = iter([SimpleNamespace(extra='{"imports": ["arena"]}')])
    monkeypatch.setattr(hand_in, "once", lambda *_: next(answers, None) or raiser(error)())
    monkeypatch.setattr(hand_in, "prepare", lambda *_: None)
    hand_in._watch(finding := Finding("whole", "", Checked("whole")), specs["whole"])
    assert finding.imports == ["arena"]


def test_what_a_hand_in_imports_while_it_plays_is_noted(specs, monkeypatch):
    told, asked, waited = iter([{"imports": []}, *[{}] * 18, {"imports": ["agents.search"]}]), [], []
    agent = SimpleNamespace()
    answer = SimpleNamespace

    def once(*given):
        asked.append(given)
        return answer(extra=json.dumps(next(told)))

    monkeypatch.setattr(hand_in, "watched", lambda spec: SimpleNamespace(build=lambda: agent))
    monkeypatch.setattr(hand_in, "once", once)
    monkeypatch.setattr(hand_in, "prepare", lambda *given: asked.append(given))
    monkeypatch.setattr(hand_in, "attended", lambda agents: waited.append(agents) or attended(agents))
    hand_in._watch(finding := Finding("whole", "", Checked("whole")), specs["whole"])
    assert finding.imports == ["agents.search"]
    boards = sample(20, 1, STANDARD)
    assert asked == [(agent, STANDARD, "whole"), *((agent, board, "whole") for board in boards)]
    assert waited == [[agent]]


@pytest.mark.parametrize(("entrants", "rounds"), [(1, 10), (2, 20), (10, 11), (46, 1)])
def test_a_class_plays_about_2000_games_and_who_is_alone_ten_openings_against_each_of_ours(entrants, rounds):
    able = [Entry(f"a{number}", "greedy", ".", own=True) for number in range(entrants)]
    asked = {"seed": 5, "seconds": 0.5, "margin": 0.2, "depth": 4}
    plan = job._plan(able, None, asked, {"patience": 3.0}, alone=entrants == 1)
    assert (plan.rounds, plan.format) == (rounds, "gauntlet" if entrants == 1 else "round-robin")
    assert (plan.seed, plan.seconds, plan.margin, plan.isolation.patience) == (5, 0.5, 0.2, 3.0)
    ours = "greedy", *(f"alphabeta:depth={depth},order=centre" for depth in (1, 2, 4))
    assert plan.agents == (*(entry.name for entry in able), *ours)
    assert plan.isolation.entries == (*able, None, None, None, None)
    assert job._plan(able, 3, asked, {}, alone=False).rounds == 3


def test_marks_come_from_what_was_found(monkeypatch):
    monkeypatch.setattr(hand_in, "reference", list)
    finding = Finding(
        "a", "", Checked("a", positions=150), 200, grade=replace(GRADE, clear_good=Interval(0.6, None, None)),
        kept_by=[0.3, 0.5], unmeasured="late", compared=80, agree=60, difference="it differs", searches="a beside b",
    )  # fmt: skip
    numbers = HandInNumbers(200, 150, 40, 10, 80, 60, 0.6, (0.3, 0.5), 15.0, 36, None, "late", "a beside b")
    assert finding.numbers(40, 10, 15.0, 36) == numbers
    finding.compared = 0
    assert finding.numbers(40, 10).hint == "it differs"
    finding.difference, finding.grade = "", None
    assert (finding.numbers(40, 10).hint, finding.numbers(1, 1).kept) == ("a beside b", None)


@pytest.mark.parametrize(("rows", "said"), [
    ([ROWS[0], Cost("x", "", 2)], "depth 2 would take more than 2 s or 150,000 positions"), (ROWS, ""),
    ([Cost("x", "", 1), Cost("x", "", 2)], ""),
])  # fmt: skip
def test_a_search_that_is_too_dear_to_be_measured_is_no_fault_of_its_own(specs, tmp_path, monkeypatch, rows, said):
    monkeypatch.setattr(hand_in, "reference", list)
    Asked(monkeypatch, rows=rows)
    finding = Finding("bare", "", Checked("bare"))
    hand_in._search(finding, specs["bare"], tmp_path / "class" / "bare.py", 2)
    assert (finding.unmeasured, len(finding.costs)) == (said, sum(row.nodes is not None for row in rows))


@pytest.mark.parametrize(("ending", "unmeasured"), [(Termination.TIME, "it fails here"), (Termination.ILLEGAL, "")])
def test_a_search_that_fails_by_time_loses_no_marks_by_it(specs, tmp_path, monkeypatch, ending, unmeasured):
    def table(*_, rows, faults, **__):
        error = InputError("it fails here")
        error.__cause__ = Fault(ending, "")
        faults.append(error)
        return rows

    Asked(monkeypatch)
    ours = [Cost(name, "", 2, branching=3.0) for name in hand_in.OURS]
    one = [ROWS[0], Cost("x", "", 2)]
    for rows, known, said in ((one, [], unmeasured), (one, ours, unmeasured), (ROWS, [], unmeasured), (ROWS, ours, "")):
        monkeypatch.setattr(hand_in, "depth_table", functools.partial(table, rows=rows))
        monkeypatch.setattr(hand_in, "reference", functools.partial(list, known))
        finding = Finding("bare", "", Checked("bare"))
        hand_in._search(finding, specs["bare"], tmp_path / "class" / "bare.py", 2)
        assert (finding.unmeasured, finding.searches) == (said, f"{hand_in.ALONE}; it fails here")


def test_an_answer_of_a_watched_hand_in_says_how_many_boards_it_took_and_what_it_imports():
    finding = Finding("a", "", Checked("a"), imports=["agents.solver"])
    assert hand_in._told(MoveRecord(0, 3, 0.1, extra='{"positions": 7, "imports": ["arena"]}'), finding) == 7
    assert hand_in._told(MoveRecord(0, 3, 0.1), finding) == 0
    assert finding.imports == ["agents.solver", "arena"]


def test_a_folder_without_a_hand_in_that_can_play_says_why_and_remarks_are_warned_of(tmp_path, monkeypatch):
    (tmp_path / "bad.py").write_text("def choose(:\n")
    with pytest.raises(InputError, match=r"bad\.py, line 1"):
        job._entries(tmp_path, print, print)
    warned, entry = [], Entry("a", "greedy", ".", own=True)
    monkeypatch.setattr(job, "invited", lambda words: ([], [entry, None], ["late"], [f"a remark on {words}"]))
    assert job._entries(tmp_path, print, warned.append) == ([entry], ["late"])
    assert warned == [f"a remark on {[str(tmp_path)]}"]
