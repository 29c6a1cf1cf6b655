"""What agents are asked in a grading, and what their answers come to."""

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from agents.agent import Analysis, Limits
from agents.board import Board, Rules
from agents.errors import InputError
from agents.failure import Failure
from agents.language.player import LanguageModel
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import expand, parse
from arena.games.entrants import entrants
from arena.perfect import figures, grading, tables
from arena.perfect.exercises import sample, solve
from arena.perfect.grading import Candidate, Grading, ReferenceLadder, answers, candidates
from arena.records import Interval
from arena.table.labels import Labels
from arena.table.picture import COLOURS

SMALL = Rules(5, 4)


@pytest.fixture(scope="module")
def exercises():
    return solve(sample(24, 2, range(6, 17), SMALL), 1, 1)


class Scripted:
    """Plays the legal column at the place that it is told, or a function of the board says; keeps all questions."""

    def __init__(self, place=0, *, nodes=5):
        self.place, self.nodes, self.asked, self.closed = place, nodes, [], 0

    def prepare(self, rules):
        self.asked.append(f"prepare {rules}")

    def new_game(self, seed):
        self.asked.append(seed)

    def choose(self, board, limits):
        self.asked.append((board.text, limits.depth))
        legal = board.legal_moves()
        place = self.place if isinstance(self.place, int) else self.place(board)
        return Analysis(legal[place % len(legal)], 0, 1, self.nodes * board.ply)


class Apart(Scripted, SubprocessAgent):
    """The same as a process agent without a process, which fails from its n-th answer on."""

    output, _process = "", None

    def __init__(self, place=0, *, fails=10**9):
        super().__init__(place)
        self.fails = fails

    def choose(self, board, limits):
        if len(self.asked) > self.fails:
            raise Failure("crashed (SIGSEGV)", "exit code 3")
        return super().choose(board, limits)

    def close(self):
        self.closed += 1


class Model(Scripted, LanguageModel):
    """The same as a language model, which makes no legal reply in some positions, or has a random move drawn."""

    def choose(self, board, limits):
        found = super().choose(board, limits)
        if board.ply % 4 == 1:
            extra = {"seconds": 0.25 * board.ply, "replies": []}
            raise Failure("illegal move", "no column", extra=extra)
        return replace(found, extra={"drawn": board.ply % 4 == 2, "seconds": 0.5})


def graded(exercises, named, *, faults=None, **more):
    """Return the rows of agents, given as (name, depth, agent), the errors, and how often progress was told."""
    who = [Candidate(parse("llm:x") if isinstance(agent, Model) else parse("random"), name, depth,
                     Limits(depth=depth)) for name, depth, agent in named]  # fmt: skip
    steps = []
    found = Grading(exercises, 3, **more).grades(who, [agent for *_, agent in named], lambda: steps.append(1), faults)
    return list(found), [str(each) for each in faults or ()], len(steps)


def column_of(agent, board):
    """Return what a scripted agent counts as having played, None where a model made no move of its own."""
    if isinstance(agent, Model) and board.ply % 4 in {1, 2}:
        return None
    legal = board.legal_moves()
    return legal[agent.place % len(legal)]


def share(kept):
    return sum(kept) / len(kept)


def test_rows_of_several_agents_and_depths(exercises):
    ladder = ReferenceLadder(
        (1, 2), (tuple(place % 3 == 0 for place in range(24)), tuple(place % 3 > 0 for place in range(24)))
    )
    faults, broken, late = [], Apart(2, fails=30), Apart(1, fails=0)
    field = [
        ("a", 2, Scripted(0)), ("a", 3, Scripted(1, nodes=0)), ("b", 2, Apart(1)), ("b", 3, broken), ("b", 4, late),
        ("c", None, Scripted(-1)), ("c", 3, Scripted(2)), ("d", 2, Model(0)), ("a", None, Scripted(0)),
        ("e", None, Scripted(-2)),
    ]  # fmt: skip
    rows, said, steps = graded(exercises, field, faults=faults, ladder=ladder)
    assert [agent.closed for *_, agent in field if isinstance(agent, Apart)] == [1, 1, 0]
    assert late.asked == []  # one that failed is not started again for further depths
    assert said == ["agent 'random' on 3354152131221324: exit code 3"]
    assert steps == 206  # eight agents answered 24 each, and one 14 before it failed
    agents = [agent for *_, agent in field if agent not in (broken, late)]
    assert [(row.agent, row.depth) for row in rows] == [(name, at) for name, at, agent in field if agent in agents]
    cut = [each for each in exercises if len(each.good) < len(each.board.legal_moves())]
    for row, agent in zip(rows, agents, strict=True):
        columns = {each.board.text: column_of(agent, each.board) for each in exercises}
        good, perfect = ([columns[each.board.text] in getattr(each, name) for each in exercises]
                         for name in ("good", "perfect"))  # fmt: skip
        assert (row.good.value, row.perfect.value) == pytest.approx((share(good), share(perfect)))
        assert (row.positions, row.clear_cut) == (24, len(cut))
        assert row.clear_good.value == pytest.approx(share([columns[each.board.text] in each.good for each in cut]))
        assert row.clear_good.low < row.clear_good.value < row.clear_good.high
        assert row.plays_like.low is None or row.plays_like.low <= row.plays_like.value
    silent = sum(each.board.ply % 4 in {1, 2} for each in exercises)
    assert [row.unanswered for row in rows] == [None] * 5 + [silent, None, None]
    mean = share([each.board.ply for each in exercises]) * 5
    assert [row.nodes for row in rows if row.agent == "a"] == [pytest.approx(mean), None, pytest.approx(mean)]
    references = [None, None, rows[0], None, rows[1], rows[0], None, rows[6]]  # the first agent at the same depth
    for row, reference in zip(rows, references, strict=True):
        gain = None if reference is None else pytest.approx(row.clear_good.value - reference.clear_good.value)
        assert (row.gain and row.gain.value) == gain
    left, said, _ = graded(exercises, [("b", 2, Apart(0, fails=0)), ("c", 2, Scripted(1))], faults=[])
    assert ([row.agent for row in left], said) == (["c"], ["agent 'random' on 111323: exit code 3"])


def test_without_a_list_of_faults_and_in_this_process_they_are_raised(exercises):
    with pytest.raises(InputError, match=r"agent 'random' on \d+: exit code 3"):
        graded(exercises, [("b", 2, Apart(0, fails=9))])
    agent = Scripted(0)
    agent.choose = lambda board, limits: 9
    with pytest.raises(InputError, match=r"agent 'random' on \d+: answered 9"):
        graded(exercises, [("b", 2, agent)], faults=[])


def test_what_an_agent_is_asked_and_what_of_its_answers_counts(exercises):
    some, done = exercises[:9], []
    candidate = Candidate(parse("llm:x"), "llm:x", None, Limits(depth=4))
    agent = Model(1)
    given = answers(candidate, agent, some, 10, lambda: done.append(1))
    asked = [(each.board.text, 4) for each in some]
    assert agent.asked == ["prepare 5x4x4", 10, asked[0], *[step for number, each in enumerate(asked, start=11)
                                                           for step in (number, each)]]  # fmt: skip
    assert len(done) == 9
    assert [each.column == -1 for each in given] == [each.board.ply % 4 in {1, 2} for each in some]
    silent = next(place for place, each in enumerate(some) if each.board.ply % 4 == 1)
    assert (given[silent].seconds, given[silent].nodes) == (0.25 * some[silent].board.ply, 0)
    broken = Model(0)
    broken.choose = lambda board, limits: 1 // 0
    with pytest.raises(InputError, match="agent 'llm:x' on "):
        answers(candidate, broken, some, 1)
    with pytest.raises(InputError, match="agent 'llm:x' on the empty board: "):
        answers(candidate, broken, [replace(some[0], board=Board(some[0].board.rules))], 1)


def test_a_ladder_is_climbed_by_perfect_moves_of_each_depth(exercises, monkeypatch):
    asked, done = [], []

    def given(candidate, agent, exercises, seed, progress):
        asked.append((candidate.spec.text, candidate.name, candidate.depth, seed))
        progress()
        return answers(candidate, Scripted(candidate.depth), exercises, seed)

    monkeypatch.setattr(grading, "answers", given)
    ladder = ReferenceLadder.climb([1, 4, 2], exercises, 6, lambda: done.append(1))
    assert asked == [(f"alphabeta:depth={depth}",) * 2 + (depth, 6) for depth in (1, 4, 2)]
    assert (ladder.depths, len(done)) == ((1, 4, 2), 3)
    kept = []
    for depth, rung in zip(ladder.depths, ladder.perfect, strict=True):
        legal = [each.board.legal_moves() for each in exercises]
        columns = [moves[depth % len(moves)] for moves in legal]
        assert rung == tuple(column in each.perfect for column, each in zip(columns, exercises, strict=True))
        kept.append(rung == tuple(column in each.good for column, each in zip(columns, exercises, strict=True)))
    assert not all(kept)
    for depths in ([], [3]):
        with pytest.raises(InputError, match="two depths or more"):
            ReferenceLadder.climb(depths, exercises, 1)


def test_a_grading_solves_what_it_does_not_know_and_climbs_where_it_is_asked(exercises):
    boards = [each.board for each in exercises]
    known = {(board.own, board.opp): (9, 9, 9, 9, 9) for board in boards[:3]}
    steps = []
    found = Grading.of(boards, known, 4, 1, lambda: steps.append(1))
    assert [each.scores for each in found.exercises] == [(9,) * 5] * 3 + [each.scores for each in exercises[3:]]
    assert (found.seed, found.ladder, len(steps)) == (4, None, 21)
    climbed = Grading.of(boards[:4], {}, 4, 1, rungs=(1, 2))
    assert climbed.ladder.depths == (1, 2)
    assert climbed.ladder == ReferenceLadder.climb((1, 2), climbed.exercises, 4)


class Obeying(Apart):
    """A process agent that says a depth as it is told to, from the limit."""

    def __init__(self, says, *, prepares=True):
        super().__init__()
        self.says, self.prepares = says, prepares

    def prepare(self, rules):
        super().prepare(rules)
        if not self.prepares:
            raise Failure("crashed (SIGSEGV)", "exit code 3")

    def choose(self, board, limits):
        self.asked.append((board.text, limits.depth))
        return Analysis(0, 0, self.says(limits.depth))


def test_who_leaves_its_depth_open_is_asked_at_each_depth(tmp_path, monkeypatch):
    files = {
        "free": "class Free:\n    def choose(self, board, limits): ...\n",
        "made": "class Made:\n    def __init__(self, depth=2): ...\n    def choose(self, board, limits): ...\n",
        "plain": "def choose(board, limits): ...\n",
    }
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in files.items():
        for place in (tmp_path, folder):
            (place / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    depths = {
        "alphabeta": [4, 2], "alphabeta:order=centre,depth=3": [3], "minimax:heuristic=zero": [4, 2],
        "alphabeta:nodes=50": [None], "alphabeta:seconds=1": [None], "mollerhoj": [None], "mollerhoj:depth=2": [2],
        "smart-connect4": [None], "oneil": [None], "random": [None], "perfect": [None], "net:simulations=3": [None],
    }  # fmt: skip
    for text, expected in depths.items():
        rows = candidates(list(expand(text)), [4, 2], SMALL)
        assert [row.depth for row in rows] == expected
        assert [row.spec.parameters.get("depth") for row in rows] == expected
        assert [grading._is_open(spec, SMALL) for spec in expand(text)] == [expected == [4, 2]]
    own = entrants(["free.py", "made.py", "made.py:Made:depth=3", "plain.py", str(folder)])
    assert [grading._is_typed(spec) for spec in own] == [True] * 4 + [False] * 3
    said = {
        "as asked": (lambda depth: depth, [4, 2, 4, 2, 3, 4, 2]), "one ply": (lambda depth: 1, [None, 4, 2, 3, None]),
        "two plies": (lambda depth: 2, [None, 4, 2, 3, None]), "no number": (lambda depth: "x", [None, None, 3, None]),
    }  # fmt: skip
    for says, expected in said.values():
        agents = [Obeying(says) for _ in range(18)]
        made = iter(agents)
        monkeypatch.setattr("arena.games.entrants.start", lambda *_, made=made: next(made))
        rows = candidates(own, [4, 2], SMALL)
        assert [each.depth for each in rows] == [*expected, None, None, None]
        asked = [agent.asked for agent in agents if agent.asked]
        assert {step for agent in asked for step in agent} <= {"prepare 5x4x4", ("", 1), ("", 2)}
        assert all(agent.closed == bool(agent.asked) for agent in agents)
    lost = Obeying(lambda depth: depth, prepares=False)
    monkeypatch.setattr("arena.games.entrants.start", lambda *_: lost)
    assert [each.depth for each in candidates(own[:1], [1, 2], SMALL)] == [None]
    assert (lost.asked, lost.closed) == (["prepare 5x4x4"], 1)
    again = ("alphabeta:depth=2", "alphabeta", "alphabeta:depth=2", "alphabeta:order=centre,depth=2")
    assert [(each.name, each.depth) for each in candidates([*map(parse, again)], [2, 3])] == [
        ("alphabeta", 2), ("alphabeta", 3), ("alphabeta:order=centre", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("own", "other", "better", "worse"),
    [([True] * 9 + [False] * 3, [False] * 6 + [True] * 6, 6, 3), ([False] * 8 + [True] * 2, [True] * 10, 0, 8),
     ([True, False] * 5, [True, False] * 5, 0, 0)],
)  # fmt: skip
def test_a_gain_is_of_the_positions_that_one_kept_and_the_other_did_not(own, other, better, worse):
    gain = grading._gain(own, other)
    assert (gain["better"], gain["worse"]) == (better, worse)
    assert gain["gain"].value == pytest.approx((better - worse) / len(own))
    assert -1 <= gain["gain"].low < gain["gain"].value < gain["gain"].high <= 1


def test_a_gain_needs_a_reference_with_clear_cut_positions():
    assert grading._gain([True], [])["gain"] is None


def test_an_agent_without_a_depth_is_a_horizontal_line_beside_those_with_one():
    good = Interval(0.6, 0.5, 0.7)
    rows = [SimpleNamespace(agent="a", depth=depth, clear_good=good) for depth in (1, 2)]
    [picture] = figures.grades([*rows, SimpleNamespace(agent="b", depth=None, clear_good=good)])
    lines = [(*line.get_xdata(), *line.get_ydata(), line.get_marker()) for line in picture.axes().get_lines()]
    assert (0, 1, 60.0, 60.0, "") in lines, "from the left end to the right"
    alone = [SimpleNamespace(agent=agent, depth=None, clear_good=share) for agent, share in (("b", good), ("c", None))]
    [picture] = figures.grades(alone)
    assert [60.0, 60.0] in [list(line.get_ydata()) for line in picture.axes().get_lines()]
    assert [*picture.legend] == ["b", "c"]


def test_grades_say_what_they_rest_on(exercises):
    rows, *_ = graded(exercises, [("a:x=1,y=2", 2, Scripted(0)), ("b:x=1", 2, Model(0))])
    grades = [*rows, replace(rows[1], agent="c:x=1", unanswered=0)]
    plies, cut = [each.board.ply for each in exercises], sum(each.clear_cut for each in exercises)
    table, *said = tables.grade_parts(grades, Grading(exercises, 3))
    assert [row.agent for row in table.lines] == ["a:x=1,y=2", "b:x=1", "c:x=1", "(any legal move)"]
    assert said == [
        f"24 positions of {min(plies)} to {max(plies)} plies, of which {cut} are clear-cut: a legal move loses value",
        "",
        "gain: percentage points of clear-cut good moves over a:y=2 at the same depth",
        f"b made no legal move in {rows[1].unanswered} positions, which count as wrong",
        "all agents have x=1",
    ]
    _, one, *_, gain, note = tables.grade_parts(rows[:1], Grading(exercises[:1], 3))
    assert (one.partition(" of ")[0], gain, note) == ("1 position", "", "")
    ladder = ReferenceLadder((1, 4, 6), ())
    told = tables.grade_parts([replace(grades[0], plays_like=Interval(3.0, 2.0, 4.0)), grades[2]],
                              Grading(exercises, 3, ladder))  # fmt: skip
    assert told[2].splitlines() == [
        tables.standing(row, Labels.among(["a:x=1,y=2", "c:x=1"]), (1, 4, 6))
        for row in (replace(grades[0], plays_like=Interval(3.0, 2.0, 4.0)), grades[2])
    ]
    assert [("clear-cut" in note, "gain" in note) for note in (table.notes["95 %"], table.notes["gain, 95 %"])] == [
        (True, False), (False, True),
    ]  # fmt: skip
    assert tables.grade_parts(grades, None)[0].rows == grades  # a study keeps the rows alone


@pytest.mark.parametrize(("like", "said"), [
    (None, "a: these positions do not separate the rungs of the ladder"),
    (Interval(math.inf, 8.0, None), ("a is above the highest rung, alphabeta:depth=8, by perfect moves: "
     "wins as soon, and losses as late, as possible")),
    (Interval(-math.inf, None, 1.0), ("a is below the lowest rung, alphabeta:depth=2, by perfect moves: "
     "wins as soon, and losses as late, as possible")),
    (Interval(3.0, 2.5, 4.0), "a plays like alphabeta:depth=3.0 ± 0.8 of the reference ladder"),
    (Interval(3.0, None, 4.0), "a plays like alphabeta:depth=3.0 (or less … 4.0) of the reference ladder"),
    (Interval(3.0, 2.5, None), "a plays like alphabeta:depth=3.0 (2.5 … or more) of the reference ladder"),
])  # fmt: skip
def test_where_an_agent_stands_on_the_ladder_is_said_in_a_sentence(like, said):
    row = SimpleNamespace(agent="a", depth=None, plays_like=like)
    assert tables.standing(row, Labels.among(["a"]), (2, 5, 8)) == said
    row.depth = 3
    assert tables.standing(row, Labels.among(["a"]), (2, 5, 8)) == said.replace("a", "a at depth 3", 1)


def test_a_figure_of_grades_has_a_line_of_shares_in_percent_for_each_agent_over_its_depths():
    rows = [SimpleNamespace(agent=agent, depth=depth, clear_good=None if depth == 9 else Interval(share, share, share))
            for agent, depth, share in (("a", 1, 0.25), ("a", 3, 0.5), ("b", 3, 0.75), ("b", 9, 1.0))]  # fmt: skip
    [picture] = figures.grades(rows)
    axes = picture.axes()
    assert [*axes.get_xticks()] == [1, 3, 9]
    assert axes.get_xlabel() == "depth, plies"
    lines = [(list(line.get_xdata()), list(line.get_ydata())) for line in axes.get_lines()]
    assert ([1, 3], [25.0, 50.0]) in lines
    assert ([3], [75.0]) in lines
    assert (picture.name, picture.title, list(picture.legend)) == ("grades", "Grade by depth", ["a", "b"])
    assert (picture.size, axes.get_ylabel()) == (
        (6.4, 3.2), "clear-cut positions\nanswered well, %, with 95 % interval",
    )  # fmt: skip
    assert [bar.lines[0].get_color() for bar in axes.containers] == list(COLOURS[:2])
    assert list(figures.grades(rows[::-1])[0].legend) == ["b", "a"], "as in the table"


def test_a_figure_of_an_audit_has_the_clear_cut_moves_that_kept_the_value_by_range():
    share = Interval(0.5, 0.25, 0.75)
    rows = [SimpleNamespace(agent=agent, first=first, last=first + 7, clear_kept=kept)
            for agent, first, kept in (("a", 8, share), ("a", 0, share), ("b", 8, None), ("b", 0, share))]  # fmt: skip
    picture = figures.kept(rows, Labels.among("ab"))
    axes = picture.axes()
    assert (picture.name, picture.title, picture.size) == ("kept", "Value kept, by ply", (6.4, 3.2))
    assert (list(picture.legend), list(figures.kept(rows[::-1], Labels.among("ab")).legend)) == (["a", "b"], ["b", "a"])
    assert [bar.lines[0].get_color() for bar in axes.containers] == list(COLOURS[:2])
    assert [[[round(x, 3), y] for x, y in bar.lines[0].get_xydata()] for bar in axes.containers] == [
        [[0.97, 50], [-0.03, 50]], [[0.03, 50]],
    ]  # fmt: skip
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0-7", "8-15"]
    assert axes.get_xlabel() == "ply (discs on the board before the move)"
    assert axes.get_ylabel() == "clear-cut moves that\nkept the value, %, with 95 % interval"
    assert sorted(len(line.get_xdata()) for line in axes.get_lines() if list(line.get_ydata())[:1] == [50.0]) == [1, 2]
