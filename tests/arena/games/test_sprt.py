import shutil
from dataclasses import replace

import pytest
from changed import update
from played import GAMES, grown, play, rows

from agents.board import Outcome
from agents.errors import InputError
from arena.games.formats import jobs
from arena.games.plan import Plan
from arena.games.run import Run, RunningSprt
from arena.games.workers import InProcess, Processes
from arena.records import Job
from arena.statistics.sprt import Sprt
from arena.store.run_file import Store

FIRST, SECOND, DRAW = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW
TEST = "elo0=0,elo1=100,model=logistic"
ONE, TWO = "alphabeta:depth=3,heuristic=powers-of-ten", "alphabeta:depth=1"
PLAN = Plan((ONE, TWO), openings="plies:3", rounds=40, seed=3, sprt=TEST)


def kept(path):
    """Return the stored games, in the order of the plan, and the path of the test."""
    return rows(path, "SELECT key, moves, result FROM game ORDER BY opening, first"), rows(
        path, "SELECT * FROM sprt ORDER BY pairs"
    )


def running(test, rounds, order=((0, 1), (1, 0))):
    return RunningSprt(Sprt.parse(test), [Job(*ends, opening) for opening in range(rounds) for ends in order])


def test_pairs_count_for_agent_one_whatever_its_colour():
    ends = [(FIRST, SECOND), (DRAW, SECOND), (FIRST, FIRST), (DRAW, DRAW), (DRAW, FIRST), (SECOND, FIRST)]
    results = {
        Job(*players, opening): end
        for opening, both in enumerate(ends)
        for players, end in zip(((0, 1), (1, 0)), both, strict=True)
    }
    for order in (((0, 1), (1, 0)), ((1, 0), (0, 1))):
        test = running(TEST, 6, order)
        found = test.update(results)
        assert test.counts == [1, 1, 2, 1, 1]
        assert [pairs for pairs, _ in found] == [1, 2, 3, 4, 5, 6]
        assert found[-1][1] == Sprt.parse(TEST).weigh([1, 1, 2, 1, 1])
        assert not test.decided


def test_a_single_game_is_no_evidence():
    test = running(TEST, 1)
    assert test.update({Job(0, 1, 0): FIRST}) == []
    assert (test.counts, test.counted, test.decided) == ([0] * 5, set(), False)


def test_nothing_is_decided_before_ten_pairs():
    test, results, decided = running("elo0=0,elo1=300", 20), {}, []
    for opening in range(10):
        results |= {Job(0, 1, opening): FIRST, Job(1, 0, opening): SECOND}
        [(_, evidence)] = test.update(results)
        decided.append(test.decided)
    assert decided == [False] * 9 + [True]
    assert evidence.decision == "H1"
    assert test.counted == results.keys()
    assert test.update({Job(0, 1, 10): FIRST, Job(1, 0, 10): SECOND}) == []


def test_games_count_in_the_order_of_the_jobs_whatever_the_order_they_end_in():
    order = jobs([(0, 1)], 2)
    test, results, seen = RunningSprt(Sprt.parse(TEST), order), {}, []
    for place in (2, 0, 3, 1):
        results[order[place]] = DRAW
        seen.append([pairs for pairs, _ in test.update(results)])
    assert seen == [[], [], [], [1, 2]]
    assert test.counted == set(order)


class Late(InProcess):
    """Ends the first of all games last."""

    def play(self, jobs):
        games = super().play(jobs)
        first = next(games)
        yield from games
        yield first


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Play the match until it is decided, and return its file."""
    return play(Run.begin(PLAN, tmp_path_factory.mktemp("whole") / "run.sqlite"))


@pytest.fixture
def decided(whole, tmp_path):
    """A copy of the file of the decided match."""
    return shutil.copy(whole, tmp_path / "decided.sqlite")


@pytest.mark.parametrize("stop", [1, 30, 78])
def test_games_that_end_out_of_order_are_stored_when_they_end(whole, tmp_path, stop):
    path = play(Run.begin(PLAN, tmp_path / "late.sqlite"), Late(), stop=stop)
    assert len(rows(path, GAMES)) == stop
    assert kept(path)[1] == []
    assert kept(grown(path)) == kept(whole), "a game that comes after the decision is deleted"


def test_a_decision_whose_late_games_a_kill_kept_in_place_stands(whole, tmp_path, monkeypatch):
    def killed(*_):
        raise KeyboardInterrupt

    path = tmp_path / "killed.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr("arena.games.run.delete_games", killed)
        with pytest.raises(KeyboardInterrupt):
            play(Run.begin(PLAN, path), Late())
    assert len(kept(path)[0]) > len(kept(whole)[0])
    assert kept(grown(path)) == kept(whole)


def test_a_run_stops_at_the_pair_that_decides_it(whole):
    stored, evidence = kept(whole)
    assert len(stored) == 2 * len(evidence) < 80
    assert [row[0] for row in evidence] == list(range(1, len(evidence) + 1))
    assert [row[4] for row in evidence] == ["continue"] * (len(evidence) - 1) + ["H1"]
    assert len(evidence) > 10
    assert evidence[-1][1] >= evidence[-1][3]
    assert all(row[1] < row[3] or row[0] < 10 for row in evidence[:-1])
    doubled = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
    counts = [0] * 5
    for (_, _, one), (_, _, two) in zip(stored[::2], stored[1::2], strict=True):
        counts[doubled[one] + 2 - doubled[two]] += 1
    assert evidence[-1][1] == Sprt.parse(TEST).weigh(counts).llr


def test_the_weaker_agent_in_front_is_decided_for_h0(tmp_path):
    run = Run.begin(replace(PLAN, agents=(TWO, ONE)), tmp_path / "run.sqlite")
    assert kept(play(run))[1][-1][4] == "H0"


def test_any_number_of_workers_stops_at_the_same_game(whole, tmp_path):
    assert kept(play(Run.begin(PLAN, tmp_path / "run.sqlite"), Processes(2))) == kept(whole)


@pytest.mark.parametrize("stop", [1, 2, 7, 18])
def test_a_test_that_was_interrupted_is_resumed_to_the_same_end(whole, tmp_path, stop):
    path = play(Run.begin(PLAN, tmp_path / "stopped.sqlite"), stop=stop)
    assert len(rows(path, GAMES)) == stop
    assert kept(grown(path)) == kept(whole)


@pytest.mark.parametrize("where", [InProcess, Late])
def test_a_run_is_whole_where_its_test_is_decided_or_all_is_played(tmp_path, where):
    path = tmp_path / "run.sqlite"
    for run, games, whole in (
        (lambda: Run.begin(PLAN, path), 6, False), (lambda: Run.resume(path), None, True),
        (lambda: Run.resume(path), None, True),
        (lambda: Run.begin(replace(PLAN, rounds=3), tmp_path / "short.sqlite"), None, True),
    ):  # fmt: skip
        with (begun := run()).store:
            assert begun.play(where(), games=games) == whole
    assert kept(path)[1][-1][4] == "H1"
    assert kept(tmp_path / "short.sqlite")[1][-1][4] == "continue"


def test_a_decided_run_does_not_play_on(whole, decided):
    assert kept(grown(decided)) == kept(whole)


def test_evidence_that_a_kill_kept_from_the_file_is_made_up_for(whole, decided):
    with Store.resume(decided) as store:
        update(store, "DELETE FROM sprt WHERE pairs = (SELECT max(pairs) FROM sprt)")
    assert kept(decided) != kept(whole)
    assert kept(grown(decided)) == kept(whole)


def test_a_test_that_runs_out_of_openings_stays_undecided(tmp_path):
    games, evidence = kept(play(Run.begin(replace(PLAN, rounds=5, seed=1), tmp_path / "run.sqlite")))
    assert len(games) == 10
    assert {row[4] for row in evidence} == {"continue"}


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("elo0=0", "needs elo1"),
        ("", "is not of the form key=value"),
        ("elo0=0,elo1=x", "elo1 must be a number"),
        ("elo0=30,elo1=0", "elo0 must be below elo1"),
        ("elo0=0,elo1=30,alpha=0.7,beta=0.4", "must sum to less than 1"),
        ("elo0=0,elo1=30,gamma=1", "'gamma'"),
        ("elo0=0,elo1=30,model=bayesian", "takes 3 counts, of games"),
    ],
)
def test_a_test_that_cannot_be_read_is_refused_before_a_game_is_played(test, message):
    with pytest.raises(InputError, match=message):
        replace(PLAN, sprt=test)


@pytest.mark.parametrize(
    "field",
    [
        {"agents": (ONE, TWO, "random")},
        {"include_self": True},
        {"agents": (ONE, TWO, "random"), "pairs": ((TWO, "random"),)},
        {"agents": (ONE, TWO, "random"), "format": "gauntlet"},
    ],
)
def test_only_a_match_of_two_is_tested(field):
    with pytest.raises(InputError, match="a sequential test takes a match of two agents"):
        replace(PLAN, **field)


def test_two_agents_named_as_a_pair_are_a_match():
    assert replace(PLAN, pairs=((TWO, ONE),)).pairings() == [(1, 0)]
