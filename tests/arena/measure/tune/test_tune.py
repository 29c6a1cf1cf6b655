import json
import math
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

import arena as package
from agents.board import Board, Rules
from agents.errors import InputError
from agents.players.searcher import Searcher
from arena.measure.grade import Exercise, sample, solve
from arena.measure.tune import optimiser, tuning
from arena.measure.tune.confirmation import Match, Terms, confirm, unused
from arena.measure.tune.goals import Games, Moves, Scores
from arena.measure.tune.optimiser import Enough, maximise
from arena.measure.tune.outcome import Held, verdict
from arena.measure.tune.state import State
from arena.measure.tune.task import Task
from arena.measure.tune.tuning import Tuning
from arena.play.openings import shuffled
from arena.statistics.sequential import Sprt

SMALL = Rules(5, 4)
START = "windows(1,10,100,1000)"
TASK = Task(START, depth=2, positions=60, evaluations=12, openings="plies:4", optimiser="scipy", rules=SMALL)


class Answering:
    """A search with set answers: by the position, a column or a score."""

    def __init__(self, columns=(), scores=()):
        self.columns, self.scores = dict(columns), dict(scores)

    def new_game(self, seed):
        pass

    def choose(self, board, limits):
        return type("Answer", (), {"column": self.columns.get(board, 0), "score": self.scores.get(board)})


def test_moves_are_good_or_not():
    exercises = [Exercise(Board.from_moves(text), (1, 0, -1)) for text in ("1", "2", "3")]
    agent = Answering({exercises[0].board: 0, exercises[1].board: 1, exercises[2].board: 0})
    assert Moves(exercises)(agent).tolist() == [1.0, 0.0, 1.0]


def test_a_loss_does_not_depend_on_the_unit_of_the_heuristic_and_is_least_for_the_truth():
    boards = sample(60, 1, range(4, 12), SMALL)
    exercises = [Exercise(board, (place % 3 - 1,)) for place, board in enumerate(boards)]
    right = {each.board: 10 * each.scores[0] + 1 for each in exercises}
    noisy = {each.board: 10 * each.scores[0] + 17 * (place % 2) for place, each in enumerate(exercises)}
    best, worse, large = (
        Scores(exercises)(Answering(scores=scores)).mean()
        for scores in (right, noisy, {board: 1000 * score for board, score in noisy.items()})
    )
    assert worse < best < 0.0
    assert large == pytest.approx(worse, abs=1e-6)
    assert Scores(exercises)(Answering()).mean() == pytest.approx(-math.log(2.0))  # knows nothing


def test_what_a_point_is_worth_is_fitted_to_the_positions_that_are_not_proven():
    said, ends = [-30, -10, 0, 5, 20, 40, -7, 999_990], [-1, 1, 0, -1, 1, 1, 0, 1]
    boards = [Board.from_moves(str(column)) for column in (1, 2, 3, 4, 5, 6, 7, 11)]
    exercises = [Exercise(board, (-2, end, None)) for board, end in zip(boards, ends, strict=True)]
    points, won = np.array(said[:7], float), (np.array(ends[:7]) + 1) / 2

    def losses(worth):
        return np.log1p(np.exp(points * worth)) - won * points * worth

    best = min(np.geomspace(0.001, 1.0, 4001), key=lambda worth: losses(worth).mean())
    assert 0.01 < best < 0.1
    found = Scores(exercises)(Answering(scores=dict(zip(boards, said, strict=True))))
    assert found.tolist() == pytest.approx([*-losses(best), -np.log1p(np.exp(-12.0))], abs=1e-3)


def test_one_wrong_proof_costs_no_more_than_the_logit_says():
    board = Board.from_moves("1")
    losses = Scores([Exercise(board, (-1,))])(Answering(scores={board: 999_990}))
    assert losses.tolist() == pytest.approx([-12.0], abs=1e-4)


def test_games_against_itself_are_even():
    agents = [Searcher(depth=2), Searcher(depth=2)]
    assert set(Games(shuffled("plies:4", 1, SMALL)[:6], agents[1])(agents[0]).tolist()) == {0.5}


@pytest.mark.parametrize("name", ["cmaes", "scipy"])
def test_an_optimiser_finds_a_peak_and_asks_the_same_again(name):
    if name == "cmaes":
        pytest.importorskip("cmaes")

    def asked(most):
        points = []

        def value(point):
            if len(points) == most:
                raise Enough
            points.append(tuple(point))
            return -((point[0] - 1.7) ** 2) - (point[1] + 0.4) ** 2

        maximise(value, [1.0, 1.0], name, 3)
        return points

    points = asked(400)
    assert points[0] == (1.0, 1.0)
    assert min(math.dist(point, (1.7, -0.4)) for point in points) < 0.1
    assert asked(50) == points[:50]


def test_an_optimiser_that_is_not_installed_is_told_and_the_other_does(monkeypatch):
    monkeypatch.setattr(optimiser, "default", lambda: "scipy")
    assert replace(TASK, optimiser="scipy") == TASK
    with pytest.raises(InputError, match="cmaes is not installed"):
        replace(TASK, optimiser="cmaes")


def test_one_number_is_left_to_scipy():
    seen = []

    def value(point):
        if len(seen) == 60:
            raise Enough
        seen.append(point[0])
        return -abs(point[0] - 2.0)

    maximise(value, [1.0], "cmaes", 1)
    assert min(abs(x - 2.0) for x in seen) < 0.2


def test_an_optimiser_that_asks_the_same_for_ever_is_left(monkeypatch):
    answered = []

    def insist(value, start, *_):
        with suppress(Enough):
            answered.extend(value(start) for _ in range(2 * tuning.ASKS * TASK.evaluations))

    monkeypatch.setattr(tuning, "maximise", insist)
    train, _ = TASK.sets(1, lambda: None)
    state = State.begin(None, {})
    Tuning(TASK, state).search(train)
    assert (len(state.values), len(answered)) == (1, tuning.ASKS * TASK.evaluations)


def test_games_that_confirm_are_weighed_by_all_of_their_pairs():
    terms = Terms("alphabeta", "elo0=0,elo1=150", "plies:4", 5, 15, 1, SMALL)
    found = confirm(START, "zero", 2, terms, 1)
    assert found.pairs == sum(found.counts) > 2
    evidence = Sprt.parse(terms.test).weigh(found.counts)
    assert (found.llr, found.decision) == (evidence.llr, evidence.decision)


def test_a_weight_that_never_counts_stays_and_common_factors_go():
    tuning = Tuning(TASK, State.begin(None, {}))
    assert tuning.live == [0, 1, 2]  # four in a row end the game
    assert tuning.reduced((10, 100, 1000, 1000)) == (1, 10, 100, 1000)
    assert tuning.reduced((4, 6, 10, 1000)) == (2, 3, 5, 1000)
    assert tuning.reduced((-4, -6, -10, 1000)) == (-2, -3, -5, 1000)


def test_the_best_on_the_training_set_wins_and_of_equals_the_start():
    state = State.begin(None, {})
    tuning = Tuning(TASK, state)
    assert tuning.best() == (1, 10, 100, 1000)
    for text, value in ((START, 0.5), ("windows(1,2,3,4)", 0.5), ("windows(2,3,4,5)", 0.4)):
        state.add(text, value)
    assert tuning.best() == (1, 10, 100, 1000)
    state.add("windows(9,8,7,6)", 0.6)
    assert tuning.best() == (9, 8, 7, 6)


def test_a_tuning_that_stopped_goes_on_as_if_it_had_not(tmp_path):
    whole = State.begin(tmp_path / "whole.jsonl", TASK.document())
    train, _ = TASK.sets(1, lambda: None)
    Tuning(TASK, whole).search(train)
    assert len(whole.values) == 12
    lines = (tmp_path / "whole.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "half.jsonl").write_text("".join([*lines[:6], lines[6][:9]]))  # killed within a line
    half = State.resume(tmp_path / "half.jsonl")
    assert (len(half.values), Task.from_document(half.settings)) == (5, TASK)
    Tuning(TASK, half).search(train)
    assert half.values == whole.values
    assert (tmp_path / "half.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]\n", '{"file": "else"}\n', '{"file": "connect4-arena tuning"}\n{"a": 1}\n']
)
def test_a_file_of_something_else_is_refused(text, tmp_path):
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match="is no file that arena tune --out began"):
        State.resume(path)


def test_training_and_held_out_questions_and_confirmations_share_nothing():
    train, held_out = TASK.sets(1, lambda: None)
    boards = [{each.board for each in part.exercises} for part in (train, held_out)]
    assert all(boards)
    assert boards[0].isdisjoint(boards[1])
    games = Task(START, "games", positions=20, openings="plies:4", optimiser="scipy", rules=SMALL)
    train, held_out = games.sets(1, lambda: None)
    left = unused(games.terms("elo0=0,elo1=10", 50))
    assert set(train.openings).isdisjoint(held_out.openings)
    assert {*train.openings, *held_out.openings}.isdisjoint(left)
    assert len(left) + 20 == len(shuffled("plies:4", 1, SMALL))


def match(depth, decision, elo=20.0):
    return Match(depth, 100, (10, 20, 30, 20, 20), 0.55, elo, 2.0, 40.0, 1.0, 3.0, decision)


GAIN, NOTHING = Held(1000, 0.8, 0.85, 0.05, 0.03, 0.07), Held(1000, 0.8, 0.81, 0.01, -0.01, 0.03)


@pytest.mark.parametrize(
    ("held_out", "matches", "sentence"),
    [
        (GAIN, [match(4, "H1")], "tuned(1) is better than start(1) at depth 4: +5.0 [+3.0 to +7.0] points of a"),
        (GAIN, [match(4, "H1")], "1,000 questions held out; in games at depth 4 stronger after 100 pairs, +20 Elo."),
        (GAIN, [match(4, "H0"), match(6, "H1")], "but games do not show that it wins more; in games at depth 4 not "),
        (GAIN, [match(4, "H0"), match(6, "H1")], "after 100 pairs, +20 Elo, at depth 6 stronger after 100 pairs, +20"),
        (GAIN, [match(4, "continue", None)], "games do not show that it wins more; in games at depth 4 not decided"),
        (GAIN, [], "tuned(1) answers better than start(1) at depth 4, +5.0 [+3.0 to +7.0] points of a hundred on"),
        (GAIN, [], "; no game was played."),
        (NOTHING, [match(4, "H1")], "Keep start(1): tuned(1) shows no gain, +1.0 [-1.0 to +3.0] points"),
    ],
)  # fmt: skip
def test_the_verdict_claims_no_more_than_both_show(held_out, matches, sentence):
    assert sentence in verdict("start(1)", "tuned(1)", "moves", 4, held_out, matches)


def test_where_nothing_better_was_found_the_start_is_kept():
    assert verdict("a(1)", "a(1)", "score", 4, NOTHING, []).startswith("Keep a(1): nothing that was tried")


WORDS = ["tune", START, "--depth", 2, "--positions", 60, "--evaluations", 8, "--openings", "plies:4", "--rounds", 6,
         "--board", "5x4", "--optimiser", "scipy", "-j", 1]  # fmt: skip


def test_the_command_tells_both_sets_the_games_and_the_verdict(arena, tmp_path):
    path = tmp_path / "tuned.jsonl"
    result = arena(*WORDS, "--json", "--out", path)
    assert (result.code, result.err) == (0, "")
    found = json.loads(result.out)
    assert {"start", "tuned", "train", "held_out", "verdict"} <= found.keys()
    assert (found["start"], found["tried"]) == (START, 8)
    assert found["train"]["tuned"] >= found["train"]["start"]
    assert len(path.read_text().splitlines()) == 9
    again = arena("tune", "--resume", path, "--rounds", 6, "-j", 1, "--json")
    assert json.loads(again.out) == found
    more = json.loads(arena("tune", "--resume", path, "--evaluations", 10, "--rounds", 0, "--json").out)
    assert (more["tried"], more["confirmation"]) == (10, [])
    shown = arena("tune", "--resume", path, "--rounds", 6, "-j", 1)
    assert found["verdict"] in shown.out
    assert "held out" in shown.out


def test_ctrl_c_tells_the_best_so_far_and_how_to_go_on(arena, monkeypatch, tmp_path):
    path = tmp_path / "tuned.jsonl"
    add, kept = State.add, []

    def tire(self, *words):
        add(self, *words)
        kept.append(words)
        if len(kept) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(State, "add", tire)
    result = arena(*WORDS, "--out", path, "--json")
    assert result.code == 130
    assert result.err == f"interrupted after 4 of 8 heuristics; arena tune --resume {path} goes on\n"
    assert json.loads(result.out)["tried"] == 4
    assert len(path.read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "which heuristic?"),
        (["powers-of-ten"], "has no weights to tune"),
        (["windows"], "its weights are one,two,three,four"),
        ([START, "--start", "1,2,3,4"], "--start goes with a name alone"),
        (["windows", "--start", "1,2"], "there must be 4 weights"),
        ([START, "--by", "luck"], "luck"),
        ([START, "--search", "mcts"], "mcts"),
        ([START, "--search", "alphabeta:depth=3"], "must leave depth open"),
        ([START, "--positions", "3"], "cannot be parted into two sets"),
        ([START, "--positions", "no.jsonl"], "no.jsonl cannot be read"),
        ([START, "--by", "games", "--positions", "9000"], "some must be left to confirm with"),
        ([START, "--sprt", "elo0=5"], "needs elo1"),
        (["--resume", "no.jsonl"], "no.jsonl cannot be read"),
    ],
)
def test_bad_input_is_refused_in_a_line(arena, words, message):
    result = arena("tune", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.count("\n") == 1


def test_from_python_a_tuning_has_fields_and_goes_on_with_its_file(tmp_path):
    path = tmp_path / "tuned.jsonl"
    settings = {
        "depth": 2,
        "positions": 40,
        "evaluations": 5,
        "rounds": 0,
        "rules": "5x4",
        "optimiser": "scipy",
        "out": path,
    }
    found = package.tune(START, by="score", **settings)
    assert found.train.tuned >= found.train.start
    assert package.tune(START, by="score", **settings) == found
    with pytest.raises(InputError, match="other settings"):
        package.tune(START, by="moves", **settings)


def test_solving_weakly_keeps_what_is_good():
    boards = sample(20, 2, range(6, 14), SMALL)
    weak, strong = solve(boards, strong=False), solve(boards)
    assert [each.good for each in weak] == [each.good for each in strong]
    assert {score for each in weak for score in each.scores} <= {1, 0, -1, None}
    assert max(score for each in strong for score in each.scores if score is not None) > 1


def test_openings_after_those_that_were_used_are_left():
    assert len(unused(Terms("", "", "plies:4", 5, 1, 1, SMALL))) == len(shuffled("plies:4", 1, SMALL)) - 5
    assert np.isfinite(len(unused(Terms("", "", "plies:2", 0, 1, 1, SMALL))))
