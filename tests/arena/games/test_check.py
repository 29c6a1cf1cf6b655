from dataclasses import replace
from types import SimpleNamespace as Row

import pytest

from agents.agent import Limits
from agents.board import STANDARD, Board, Rules
from agents.errors import InputError, Unavailable
from agents.failure import TIME, Failure
from agents.process_agent import ProcessLimits, Source
from arena.games import check
from arena.games.check import Checked
from arena.games.endings import WrongEnding
from arena.games.entrants import ProcessSpec
from arena.games.referee import Fault
from arena.records import MoveRecord

SMALL = Rules(4, 4)


class Agent:
    """Stands for an agent in a process of its own: plays the first column that it may, unless it is told otherwise."""

    output = about = ""

    def __init__(self, choose=lambda board, turn: board.legal_moves()[0], *, begins=True):
        self.answer, self.begins, self.turns, self.seeds, self.closed = choose, begins, 0, [], False

    def prepare(self, rules):
        if self.begins is None:
            raise Failure("crashed (SIGSEGV)", "exit code 3")

    def new_game(self, seed):
        self.seeds.append(seed)
        if not self.begins:
            raise Failure("crashed (SIGSEGV)", "exit code 3")

    def choose(self, board, limits):
        self.turns += 1
        return self.answer(board, self.turns)

    def close(self):
        self.closed = True


@pytest.fixture
def checked(monkeypatch):
    def run(agent, rules=SMALL, seconds=None, **more):
        monkeypatch.setattr(check, "start", lambda *_: agent)
        spec = ProcessSpec("mine", "mine.py:Mine", {}, Source("python", ("mine.py", "Mine"), "."), ProcessLimits())
        check.check(found := Checked("mine"), spec, Limits(seconds=seconds), 0.1, rules, **more)
        return found

    return run


def test_an_agent_is_asked_twice_and_in_the_mirror_on_two_hundred_positions(checked):
    agent = Agent()
    found = checked(agent)
    assert (found.agent, found.ok, found.problems, found.positions) == ("mine", True, [], 200)
    assert (agent.turns, agent.seeds, agent.closed) == (600, [1] * 10, True)
    assert (found.deterministic, found.mirrored) == (True, False)
    assert 0.0 < found.ms_median <= found.ms_max


def test_who_answers_otherwise_when_asked_again_is_not_deterministic(checked):
    found = checked(Agent(lambda board, turn: board.legal_moves()[-1 if turn == 2 else 0]))
    assert (found.ok, found.deterministic) == (True, False)


def test_who_plays_the_mirrored_move_on_the_mirrored_board_is_mirrored(checked):
    turned = Agent(lambda board, turn: board.legal_moves()[-1 if turn % 3 == 0 else 0])
    assert (checked(turned).mirrored, checked(turned).deterministic) == (True, True)
    for first, then, mirrored in ((0, -1, True), (0, 0, False), (-1, -1, False)):  # one answer is enough to tell
        agent = Agent(lambda board, turn, ends=(first, then): board.legal_moves()[
            ends[turn % 3 == 0] if turn < 10 else -1 if turn % 3 == 0 else 0])  # fmt: skip
        assert checked(agent).mirrored is mirrored


def test_after_five_equal_faults_it_is_asked_no_more_and_they_are_said_once(checked):
    agent = Agent(lambda board, turn: 9)
    found = checked(agent)
    assert (found.ok, found.positions, len(found.problems), agent.turns) == (False, 0, 1, 5)
    assert found.problems[0].startswith("on the empty board: illegal move: answered 9")
    assert found.problems[0].endswith("; after 5 such faults it was asked no more")
    assert (found.ms_median, found.ms_max, found.deterministic, agent.closed) == (None, None, None, True)


def test_one_whose_first_answer_never_comes_is_asked_once_unless_a_time_was_set(checked):
    def hang(board, turn):
        raise Failure(TIME, "no answer")

    agent, later, limited = Agent(hang), Agent(lambda board, turn: hang(board, turn) if turn > 3 else 0), Agent(hang)
    assert checked(agent).problems == ["on the empty board: out of time: no answer; after this it was asked no more"]
    assert agent.turns == 1
    assert checked(later).problems[0].endswith("out of time: no answer; after 5 such faults it was asked no more")
    assert checked(limited, seconds=1.0).positions == 0
    assert (later.turns, limited.turns) == (8, 5)


def test_no_more_than_five_different_problems_are_said(checked):
    agent = Agent(lambda board, turn: turn + 9)
    found = checked(agent)
    assert (found.positions, len(found.problems), agent.turns) == (0, 5, 5)
    assert [problem.partition("answered ")[2][:2] for problem in found.problems] == ["10", "11", "12", "13", "14"]


def test_it_is_asked_on_as_many_positions_as_wanted(checked):
    steps = []
    assert checked(Agent(), positions=3, progress=lambda: steps.append(1)).positions == 3
    assert checked(Agent(), positions=70).positions == 70
    assert len(steps) == 3


@pytest.mark.parametrize("turn", range(7, 10))
def test_mirrored_answers_are_compared_with_the_first_and_a_remark_of_any_is_told(checked, monkeypatch, turn):
    def decide(agent, board, conditions):
        agent.turns += 1
        column = [1, 2, board.rules.columns - 2][(agent.turns - 1) % 3]
        return MoveRecord(board.ply, column, 0.1, remark="odd" * (agent.turns == turn))

    monkeypatch.setattr(check, "decide", decide)
    found = checked(Agent(), positions=4)
    assert (found.deterministic, found.mirrored, found.ok) == (False, True, True)
    assert found.problems == [f"after {check.boards(SMALL, 4)[2].text}: odd"]


def test_many_equal_faults_are_told_where_they_were_first_told(checked):
    found = checked(Agent(lambda board, turn: 9 if turn % 2 else turn // 2 + 10))
    assert [" asked no more" in problem for problem in found.problems] == [False] * 5
    found = checked(Agent(lambda board, turn: {1: 9, 2: 10}.get(turn, 9)))
    assert [problem.partition("answered ")[2].partition(" ")[0] for problem in found.problems] == ["9", "10"]
    assert [problem.endswith("after 5 such faults it was asked no more") for problem in found.problems] == [True, False]


def test_an_agent_without_a_process_is_made_and_asked_here_and_tells_why_it_is_not(monkeypatch):
    class Model:
        answers = 0
        rules = None

        def prepare(self, rules):
            self.rules = rules

        def choose(self, board, limits):
            self.answers += 1
            return board.legal_moves()[0]

    model = Model()
    check.check(row := Checked("m"), Row(build=lambda: model, kind="llm"), Limits(), 0.1, SMALL, positions=2)
    assert (row.problems, row.positions, model.answers, model.rules) == ([], 2, 6, SMALL)
    missing = Row(build=lambda: raise_(InputError("there is no key")), kind="llm")
    check.check(row := Checked("m"), missing, Limits(), 0.1, SMALL, positions=2)
    assert row == Checked("m", False, ["does not start: there is no key"])


def test_one_bad_answer_forfeits_and_the_others_still_count(checked):
    found = checked(Agent(lambda board, turn: 9 if turn == 4 else board.legal_moves()[0]))
    assert (found.ok, found.positions, len(found.problems)) == (False, 199, 1)


def test_a_fault_without_a_reason_and_an_agent_that_is_not_there_are_told_in_a_line(checked, monkeypatch):
    def fails(board, turn):
        raise Failure("crashed (SIGSEGV)") if turn == 1 else Unavailable("the service is busy")

    found = checked(agent := Agent(fails))
    assert found.problems == ["on the empty board: crashed (SIGSEGV)", "the service is busy"]
    assert (found.ok, found.positions, agent.turns, agent.closed) == (False, 0, 2, True)


def test_an_agent_starts_within_the_limits_of_its_spec_and_has_the_margin_asked_for(monkeypatch):
    origin = Source("python", ("mine.py", "Mine"), ".")
    given, spec = [], ProcessSpec("mine", "mine.py:Mine", {}, origin, ProcessLimits(7.0, 0.5, 300, sandbox=True))
    monkeypatch.setattr(check, "start", lambda *words: given.append(words) or Agent())
    steps = []
    check.check(found := Checked("mine"), spec, Limits(depth=3, seconds=2.0), 0.25, SMALL, 2, answered=steps.append)
    assert given == [(origin, ProcessLimits(7.0, 0.25, 300, sandbox=True), SMALL)]
    assert (found.positions, steps) == (2, [0, 0])


def raise_(error):
    raise error


def test_who_does_not_start_or_begin_a_game_is_asked_nothing(checked, monkeypatch):
    unable, unwilling = Agent(begins=None), Agent(begins=False)
    assert checked(unable).problems == ["does not start: crashed (SIGSEGV): exit code 3"]
    assert checked(unwilling).problems == ["new_game: crashed (SIGSEGV): exit code 3"]
    monkeypatch.setattr(unable, "prepare", lambda rules: raise_(Failure("crashed", "exit code 3", output="last words")))
    assert checked(unable) == Checked("mine", False, ["does not start: crashed: exit code 3"], output="last words")
    assert unable.turns == unwilling.turns == 0
    assert unwilling.closed


@pytest.mark.parametrize("rules", [STANDARD, SMALL, Rules(5, 4)])
def test_the_positions_go_on_and_are_corners_of_the_game_too(rules):
    boards = list(check.boards(rules, 200))
    assert len(boards) == 200
    assert boards[0] == Board(rules)
    assert all(board.outcome is None for board in boards)
    assert rules.columns * rules.rows - 1 in {board.ply for board in boards}
    if rules == STANDARD:
        assert {"112233", "1122", "44444", "1111112", "12121", "4453"} <= {board.text for board in boards}


@pytest.mark.parametrize(("rules", "first"), [
    (STANDARD, "  112233 1122 44444 4444455555 1111112 12121 4453 54712566226127126621574377157631535333444 57771314"),
    (Rules(5, 4), "  112233 1122 12121 4453 4451432513112253542 5131 444214155153213"),
    (Rules(3, 3, 3), "  1122 13233212 31 1222 313223"),
    (Rules(5, 5, 3), "  1122 44444 4444455555 4453 5131 354 4"),
])  # fmt: skip
def test_a_check_begins_with_those_corners_that_the_board_has_and_in_which_no_line_is_complete(rules, first):
    texts = first[1:].split(" ")
    assert [board.text for board in check.boards(rules, len(texts))] == texts
    assert {board.rules for board in check.boards(rules, len(texts))} == {rules}
    assert [board.text for board in check.boards(rules, 3)] == texts[:3]


def test_a_problem_is_said_once_and_what_only_tells_forfeits_nothing():
    found = Checked("a")
    found.add("slow")
    found.add("slow")
    assert (found.ok, found.problems) == (True, ["slow"])
    found.add_fault("slow")
    assert (found.ok, found.problems) == (False, ["slow"])
    for number in range(1, 7):
        found.add_fault(f"fault {number}", "" if number == 1 else f"output {number}")
    assert found.problems == ["slow", "fault 1", "fault 2", "fault 3", "fault 4"]
    assert found.output == "output 2"


class Speaking(Agent):
    """Prints a line for each answer, takes 1, 2, 3 … ms for them, and has something to say of itself."""

    about = "a net for 4x4"

    @property
    def output(self):
        return f"{self.turns} answers, {len(self.seeds)} games"


SAID = ["a net for 4x4", "after 112233: not kept: much"]
"""What it says of itself, and the first of its remarks."""
COLUMNS = [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 1, 0, 0, 0, 1, 2]
"""The first legal columns in the first positions."""


def first(board, turn):
    return board.legal_moves()[0]


def fails_twice(board, turn):
    if turn in {70, 100}:
        raise Failure(TIME if turn == 70 else "crashed", f"in turn {turn}")
    return first(board, turn)


@pytest.fixture
def told(checked, monkeypatch):
    """A function that checks a speaking agent, and returns what was found and what was asked and told meanwhile."""

    def run(choose, positions=45, **more):
        asked, answers, steps, agent = [], [], [], Speaking(choose)

        def decide(agent, board, conditions):
            asked.append((board.text, conditions.limits.seconds, conditions.margin))
            try:
                column = agent.choose(board, conditions.limits)
            except Failure as failure:
                raise Fault(failure.kind, failure.detail, output=agent.output) from failure
            if not 0 <= column < 4:
                raise Fault("illegal move", f"answered {column}", output=agent.output)
            remark = "not kept: much" if agent.turns in {5, 8} else ""
            return MoveRecord(board.ply, column, 0.001 * agent.turns, remark=remark)

        monkeypatch.setattr(check, "decide", decide)
        found = checked(agent, positions=positions, answered=answers.append, progress=lambda: steps.append(1), **more)
        assert len(steps) == len(answers)
        assert agent.closed
        return found, agent, asked, answers

    return run


def test_an_agent_that_is_well_is_told_with_its_times_its_first_remark_and_its_output(told):
    found, agent, asked, answers = told(first)
    assert found == Checked("mine", True, SAID, 45, 68.0, 135.0, True, False, "135 answers, 3 games")
    assert asked[:4] == [("", None, 0.1)] * 3 + [("112233", None, 0.1)]
    assert (len(asked), len(answers), answers[:26], agent.seeds) == (135, 45, COLUMNS, [1, 1, 1])
    found, _, asked, answers = told(first, positions=2)
    assert found == Checked("mine", True, SAID, 2, 3.5, 6.0, True, False, "6 answers, 1 games")
    assert (len(asked), answers) == (6, [0, 0])
    assert told(lambda board, turn: board.legal_moves()[turn == 5])[0].deterministic is False


def test_after_a_fault_the_agent_is_asked_on_and_its_output_is_that_of_the_fault(told):
    found, agent, asked, answers = told(fails_twice, seconds=2.0)
    problems = [*SAID, "after 242: out of time: in turn 70", "after 2: crashed: in turn 100"]
    assert found == Checked("mine", False, problems, 43, 65.0, 133.0, True, False, "70 answers, 2 games")
    assert {limit for _, *limits in asked for limit in limits} == {2.0, 0.1}
    assert (len(asked), len(answers), agent.seeds) == (133, 45, [1, 1, 1])
    assert [place for place, column in enumerate(answers) if column is None] == [23, 33]


def test_remarks_count_among_the_five_problems_that_end_a_check(told):
    found, _, asked, answers = told(lambda board, turn: 9 + turn if turn % 10 == 0 else first(board, turn))
    places = ("12121", 19), ("241244232413", 29), ("43414", 39)
    problems = [*SAID, *(f"after {moves}: illegal move: answered {column}" for moves, column in places)]
    assert found == Checked("mine", False, problems, 9, 15.0, 29.0, True, False, "10 answers, 1 games")
    assert (len(asked), answers) == (30, [0, 0, 0, None, 1, 0, 0, None, 0, 0, 0, None])
    found, _, asked, answers = told(lambda board, turn: first(board, turn) if turn < 9 else -1)
    again = "after 1122: illegal move: answered -1; after 5 such faults it was asked no more"
    assert found == Checked("mine", False, [*SAID, again], 2, 3.5, 6.0, True, False, "9 answers, 1 games")
    assert (len(asked), answers) == (13, [0, 0, *[None] * 5])


def test_an_agent_that_begins_no_third_game_is_told_with_the_output_of_that(told, monkeypatch):
    def new_game(agent, seed):
        if len(agent.seeds) == 2:
            raise Failure("crashed (SIGSEGV)", "exit code 4", output="its last words")
        agent.new_game(seed)

    monkeypatch.setattr(check, "new_game", new_game)
    found, agent, _, _ = told(first)
    problems = [*SAID, "new_game: crashed (SIGSEGV): exit code 4"]
    assert found == Checked("mine", False, problems, 40, 60.5, 120.0, True, False, "its last words")
    assert agent.seeds == [1, 1]


WRONG = WrongEnding("mine", "12", 2, 5, -1, "a board")


@pytest.mark.parametrize(("value", "right", "said"), [
    (5, -1, "has value 5, but the side to move loses"), (0, 1, "has value 0, but the side to move wins"),
    (-7, 0, "has value -7, but the board fills up: a draw, worth 0"),
])  # fmt: skip
def test_a_wrong_end_says_what_is_right(value, right, said):
    line = str(replace(WRONG, value=value, right=right))
    assert line == f"after 12 at depth 2 mine {said}\na board"


@pytest.mark.parametrize(("kind", "depths", "ok", "asked"), [
    ("greedy", {0, 3}, True, True), ("greedy", {0}, True, False), ("greedy", set(), True, False),
    ("greedy", {3}, False, False), ("llm", {3}, True, False),
])  # fmt: skip
def test_a_search_that_is_well_so_far_is_asked_before_the_end_and_a_wrong_value_forfeits(
    monkeypatch, kind, depths, ok, asked
):
    seen = []

    def judge(found):
        def wrong(spec, boards):
            seen.append((spec.kind, boards))
            if found is InputError:
                raise InputError("no value")
            return found

        monkeypatch.setattr(check, "wrong_ending", wrong)
        row = Checked("mine", ok)
        check._judge(row, Row(kind=kind, parameters={}), SMALL, depths)
        return row

    monkeypatch.setattr(check, "endings", lambda rules, seed: (rules, seed))
    assert judge(None) == judge(InputError) == Checked("mine", ok)
    row = judge(WRONG)
    assert row.problems == (
        ["after 12 at depth 2 it has value 5, but the side to move loses\na board"] if asked else []
    )
    assert row.ok == (ok and not asked)
    assert seen == [(kind, (SMALL, 1))] * 3 * asked
