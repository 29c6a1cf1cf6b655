"""Rows of the benchmark: what is asked of an agent, what of its answers counts, and how two rows differ."""

import json
from dataclasses import replace

import pandas as pd
import pytest
from recorded import holds, plain, tried

from agents.agent import Analysis, Limits
from agents.board import Board
from agents.errors import InputError
from agents.players.language import LanguageModel
from arena.measure import benchmark
from arena.measure.benchmark import Benchmarked, BenchmarkSet, Submitted, answers, differences, faults, nodes_to_depth
from arena.measure.exercises import Exercise
from arena.play.entries import Entry
from arena.play.isolation import Isolation
from arena.records import Interval, Termination
from arena.rows import plain as documents

LATE = "54712566226127126621574377157631535"
EXERCISES = [
    Exercise(Board.from_moves(moves), scores) for moves, scores in (
        ("44", (0, 0, 1, 2, 1, 0, 0)), ("1122", (0, 0, 5, -1, 0, 0, 0)), (LATE[:14], (0, -1, -1, 0, 0, 0, 0)),
        (LATE[:18], (-3, -4, 0, 0, 0, 0, 0)), (LATE[:30], (1, 0, 0, 0, 0, 0, 0)),
        ("4", (-1, -2, -1, -2, -1, -1, -1)),
    )
]  # fmt: skip


class Scripted:
    """Answers with what it is told, one after the other, and keeps what it was asked."""

    def __init__(self, *given):
        self.given, self.asked = list(given), []

    def new_game(self, seed):
        self.asked.append(seed)

    def choose(self, board, limits):
        self.asked.append((board.text, limits.depth, limits.seconds, limits.nodes))
        answer = self.given.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Model(Scripted, LanguageModel):
    pass


def test_columns_are_asked_for_in_order_each_with_its_seed():
    drawn = Analysis(4, extra={"drawn": True})
    for kind, last in ((Scripted, 4), (Model, -1)):
        agent, steps = kind(3, ValueError("no"), 9, Analysis(2, 5), drawn, 0), []
        assert answers(agent, EXERCISES, 20, lambda steps=steps: steps.append(1)) == [3, -1, -1, 2, last, 0]
        assert len(steps) == 6
        nothing = (None, None, None)
        assert agent.asked == [step for number, each in enumerate(EXERCISES, start=20)
                               for step in (number, (each.board.text, *nothing))]  # fmt: skip


def test_shares_are_of_all_and_of_each_stage(request):
    found = {}
    for columns in ((3, 2, 0, 2, 0, 0), (0, 3, 1, 0, 1, 1), (-1,) * 6, (2, 2, 3, 3, 0, 6)):
        found[str(columns)] = benchmark.shares_kept(EXERCISES, columns)
    found["one stage"] = benchmark.shares_kept(EXERCISES[:2], (3, 3))
    holds("benchmark-shares", plain(found), request)


BOARDS = [each.board for each in EXERCISES[:4]]


def searched(depth, nodes):
    return Analysis(0, 5, depth, nodes)


@pytest.mark.parametrize(
    ("given", "mean", "asked"),
    [
        ([(4, 10), (4, 20), (4, 30), (4, 60)], 30.0, 4), ([(2, 10), (4, 20), (4, 30), (4, 60)], 110 / 3, 4),
        ([(2, 10), (4, 20), (3, 30), (4, 60)], 40.0, 4), ([(2, 10), (4, 20), (3, 30), (5, 60)], None, 4),
        ([(4, 0), (4, 0), (4, 0), (4, 6)], None, 3), ([(4, 10), None], None, 2),
    ],
)  # fmt: skip
def test_nodes_are_of_searches_to_the_depth_on_half_of_the_boards_at_least(given, mean, asked):
    agent = Scripted(*(ValueError("no") if each is None else searched(*each) for each in given))
    found = nodes_to_depth(agent, BOARDS, 4, 7)
    assert (None if found is None else found.value) == pytest.approx(mean)
    limits = [(board.text, 4, benchmark.ENOUGH, None) for board in BOARDS]
    assert agent.asked == [step for each in limits[:asked] for step in (7, each)]


ROW = Benchmarked(
    "mine", "connect4-arena-1", "10k", Interval(100.0, 50.0, None), True, Interval(0.5, 0.4, 0.6),
    *[Interval(0.25, 0.1, 0.9)] * 3, Interval(300.0, None, None), 36, 2, Interval(90.0, 80.0, 95.0), None, None,
    Interval(70.0, None, 80.0),
)  # fmt: skip
DIGESTS = {"1k": "a" * 64, "10k": "b" * 64, "answers 10k": "c" * 64, "time": "d" * 64}


def test_what_two_rows_do_not_have_in_common(request):
    one = Submitted(ROW, DIGESTS, {})
    found = {"the same": differences(one, one)}
    other = replace(ROW, agent="yours", kept=Interval(0.5, 0.3, 0.6), games=40, faults=3, elo_1k=None, elo_time=None)
    digests = {**DIGESTS, "1k": "e" * 64, "time": "f" * 64, "files": "0" * 64}
    del digests["10k"]
    changed = Submitted(other, digests, {"python": "4"})
    found["all"], found["turned"] = differences(one, changed), differences(changed, one)
    found["a sample"] = differences(one, changed, sample=True), differences(changed, one, sample=True)
    untimed = Submitted(ROW, {key: each for key, each in DIGESTS.items() if key != "time"}, {})
    found["without times"] = differences(untimed, changed)
    holds("benchmark-differences", plain(found), request)


def test_a_row_is_read_as_it_was_written(tmp_path):
    for row in (ROW, replace(ROW, nodes=None, elo_time=None)):
        Submitted(row, DIGESTS, {"python": "3"}).write(tmp_path / "row.json")
        assert Submitted.read(tmp_path / "row.json") == Submitted(row, DIGESTS, {"python": "3"})
    document = json.loads(text := (tmp_path / "row.json").read_text(encoding="utf-8"))
    assert text == json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    assert document == {**documents([replace(ROW, nodes=None, elo_time=None)])[0], "digests": DIGESTS,
                        "meta": {"python": "3"}}  # fmt: skip
    for text in ("[]", "{", json.dumps({**document, "digests": 3}), json.dumps({**document, "more": 1}),
                 json.dumps({key: each for key, each in document.items() if key != "kept_low"})):  # fmt: skip
        (tmp_path / "row.json").write_text(text)
        with pytest.raises(InputError, match=r"row\.json is no row of arena benchmark: "):
            Submitted.read(tmp_path / "row.json")
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match=rf"^there is no file {path}"):
            Submitted.read(path)
    (tmp_path / "row.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"row\.json is no row of arena benchmark: UnicodeDecodeError"):
        Submitted.read(tmp_path / "row.json")


GAMES = pd.DataFrame(
    [
        ("mine", "random", 1.0, 1, "1234", "1-0", Termination.LINE),
        ("random", "mine", 0.5, 1, "4321", "1/2-1/2", Termination.FULL),
        ("mine", "greedy", 0.0, 1, "4", "0-1", Termination.TIME),
        ("greedy", "mine", 1.0, 2, "44", "1-0", Termination.ILLEGAL),
        ("greedy", "mine", 0.0, 2, "444", "0-1", Termination.EXCEPTION),
        ("mine", "greedy", 0.0, 3, "45", "0-1", Termination.LINE),
        ("random", "mine", 1.0, 3, "46", "1-0", "crashed"),
    ],
    columns=["first", "second", "points", "opening", "moves", "result", "termination"],
)


def test_games_within_a_budget_are_planned_rated_and_told_apart(request):
    frozen = BenchmarkSet.of_name()
    lives = Isolation(patience=3.0, entries=(Entry("mine", "greedy", "/folder", nodes=5, seconds=0.5),))
    plan = frozen.plan("mine", lives)
    openings = plan.openings
    assert openings == str(frozen.folder / "openings.txt")
    found = {
        "plan": {**plan.document(), "openings": ""},
        "faults": faults(GAMES, "mine"),
        "of greedy": faults(GAMES, "greedy"),
    }
    found["rating"] = frozen.rating(GAMES[:4], "mine")
    called = GAMES.replace({"first": {"mine": "random#2"}, "second": {"mine": "random#2"}})
    found["of one called like an anchor"] = tried(frozen.rating, called, "random#2")
    found["set"] = [frozen.name, frozen.seed, frozen.depth, frozen.headline, dict(frozen.budgets), dict(frozen.anchors),
                    len(frozen.openings), [each.board.text for each in frozen.exercises[:5]]]  # fmt: skip
    assert list(frozen.budgets) == ["1k", "10k", "100k", "time"]  # a sample of a row is played within the first
    assert list(frozen.anchors) == [name for name, _ in sorted(frozen.anchors.items(), key=lambda each: each[1])]
    assert replace(frozen, seed=9).plan("mine", lives).seed == 9
    found["within"] = [benchmark.within(lives.entries[0], limits) for limits in (
        Limits(nodes=9), Limits(nodes=3), Limits(seconds=0.02), Limits(seconds=2.0), Limits())]  # fmt: skip
    digests = [benchmark.digest_of_games(games, name) for games, name in (
        (GAMES, "mine"), (GAMES[::-1], "mine"), (GAMES.replace("mine", "x"), "x"), (GAMES, "greedy"),
        (GAMES[1:], "mine"), (GAMES.assign(result="1-0"), "mine"))]  # fmt: skip
    assert digests[0] == digests[1] == digests[2]
    assert len(set(digests)) == 4
    found["digest"] = digests[0], benchmark.digest_of(["a", "b"]), benchmark.digest_of(["b", "a"])
    holds("benchmark-games", plain(found), request)
