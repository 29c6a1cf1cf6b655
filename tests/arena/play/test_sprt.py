import json
import re
import sqlite3

import pytest

from agents.board import Outcome
from agents.errors import InputError
from arena.play import sprt
from arena.play.plan import Plan
from arena.play.schedule import jobs
from arena.play.tournament import Run
from arena.play.workers import InProcess, Processes
from arena.statistics.sequential import Sprt
from arena.store.records import GameRecord, Job, Termination
from arena.store.store import Store

FIRST, SECOND, DRAW = Outcome.FIRST_WINS, Outcome.SECOND_WINS, Outcome.DRAW
TEST = "elo0=0,elo1=100,model=logistic"
ONE, TWO = "alphabeta:depth=3,heuristic=powers-of-ten", "alphabeta:depth=1"
PLAN = Plan((ONE, TWO), openings="plies:3", rounds=40, seed=3, sprt=TEST)


def played(path, executor=None, plan=PLAN, stop=None):
    """Play a new run, or continue one, to its end or until Ctrl-C after `stop` games; return the number it played."""
    count = 0

    def progress():
        nonlocal count
        count += 1
        if count == stop:
            raise KeyboardInterrupt

    run = Run.resume(path) if path.exists() else Run.begin(plan, path)
    with run.store:
        if stop is None:
            run.play(executor or InProcess(), progress)
        else:
            with pytest.raises(KeyboardInterrupt):
                run.play(executor or InProcess(), progress)
    return count


def kept(path):
    """Return the stored games, in the order they were stored, and the path of the test."""
    with Store.read(path) as store:
        return (
            store.select("SELECT key, moves, result FROM game ORDER BY id")[1],
            store.select("SELECT * FROM sprt ORDER BY pairs")[1],
        )


def test_pairs_count_for_agent_one_whatever_its_colour():
    test = sprt.Trial(Sprt.parse(TEST))
    ends = [(FIRST, SECOND), (DRAW, SECOND), (FIRST, FIRST), (DRAW, DRAW), (DRAW, FIRST), (SECOND, FIRST)]
    for opening, (as_first, as_second) in enumerate(ends):
        assert not test.see(Job(0, 1, opening), as_first)
        assert test.see(Job(1, 0, opening), as_second)
    assert test.counts == [1, 1, 2, 1, 1]
    assert test.pairs == 6
    assert test.evidence == Sprt.parse(TEST).weigh([1, 1, 2, 1, 1])
    assert not test.decided


def test_a_single_game_is_no_evidence():
    test = sprt.Trial(Sprt.parse(TEST))
    test.see(Job(0, 1, 0), FIRST)
    assert (test.pairs, test.evidence, test.decided) == (0, None, False)


def test_nothing_is_decided_before_ten_pairs():
    test = sprt.Trial(Sprt.parse("elo0=0,elo1=300"))
    decided = []
    for opening in range(10):
        test.see(Job(0, 1, opening), FIRST)
        test.see(Job(1, 0, opening), SECOND)
        decided.append(test.decided)
    assert decided == [False] * 9 + [True]
    assert test.evidence.decision == "H1"


def test_records_come_in_the_order_of_the_jobs_as_soon_as_they_can():
    order = jobs([(0, 1)], 2)
    records = [GameRecord(job.key, "", DRAW, Termination.FULL, "", 0.0, 0.0) for job in order]
    taken = []

    def finish():
        for place in (2, 0, 3, 1):
            taken.append(place)
            yield records[place]

    yielded = [(record.key, len(taken)) for record in sprt.in_order(order, finish())]
    assert yielded == [(order[0].key, 2), (order[1].key, 4), (order[2].key, 4), (order[3].key, 4)]


def test_a_run_stops_at_the_pair_that_decides_it(tmp_path):
    path = tmp_path / "run.sqlite"
    games = played(path)
    stored, evidence = kept(path)
    assert len(stored) == games == 2 * len(evidence) < 80
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
    path = tmp_path / "run.sqlite"
    played(path, plan=Plan((TWO, ONE), openings="plies:3", rounds=40, seed=3, sprt=TEST))
    assert kept(path)[1][-1][4] == "H0"


def test_any_number_of_workers_stops_at_the_same_game(tmp_path):
    played(tmp_path / "here.sqlite")
    played(tmp_path / "there.sqlite", Processes(2))
    assert kept(tmp_path / "there.sqlite") == kept(tmp_path / "here.sqlite")


@pytest.mark.parametrize("stop", [1, 2, 7, 18])
def test_a_test_that_was_interrupted_is_resumed_to_the_same_end(tmp_path, stop):
    played(tmp_path / "whole.sqlite")
    path = tmp_path / "stopped.sqlite"
    assert played(path, stop=stop) == stop
    played(path)
    assert kept(path) == kept(tmp_path / "whole.sqlite")


def test_a_decided_run_does_not_play_on(tmp_path):
    path = tmp_path / "run.sqlite"
    played(path)
    before = kept(path)
    assert played(path) == 0
    assert kept(path) == before


def test_evidence_that_a_kill_kept_from_the_file_is_made_up_for(tmp_path):
    path = tmp_path / "run.sqlite"
    played(path)
    before = kept(path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("DELETE FROM sprt WHERE pairs = (SELECT max(pairs) FROM sprt)")
    connection.close()
    assert played(path) == 0
    assert kept(path) == before


def test_a_test_that_runs_out_of_openings_stays_undecided(tmp_path):
    path = tmp_path / "run.sqlite"
    games = played(path, plan=Plan((ONE, TWO), openings="plies:3", rounds=5, sprt=TEST))
    assert games == 10
    assert {row[4] for row in kept(path)[1]} == {"continue"}


@pytest.mark.parametrize(
    ("test", "message"),
    [
        ("elo0=0", "needs elo1"),
        ("", "is not of the form key=value"),
        ("elo0=0,elo1=x", "elo1 must be a number"),
        ("elo0=30,elo1=0", "elo0 must be below elo1"),
        ("elo0=0,elo1=30,alpha=0.7,beta=0.4", "must sum to less than 1"),
        ("elo0=0,elo1=30,gamma=1", "no key of a sequential test 'gamma'"),
        ("elo0=0,elo1=30,model=bayesian", "takes 3 counts, of games"),
    ],
)
def test_a_test_that_cannot_be_read_is_refused_before_a_game_is_played(test, message):
    with pytest.raises(InputError, match=message):
        Plan((ONE, TWO), sprt=test)


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
        Plan(**({"agents": (ONE, TWO), "sprt": TEST} | field))


def test_two_agents_named_as_a_pair_are_a_match():
    assert Plan((ONE, TWO), rounds=1, pairs=((TWO, ONE),), sprt=TEST).pairings() == [(1, 0)]


# arena run --sprt


def test_a_run_says_what_was_decided_for_whom_and_shows_it_again(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    words = ["run", ONE, TWO, "--sprt", TEST, "--openings", "plies:3", "-j", 1, "--out", path]
    done = arena(*words)
    assert done.code == 0, done.err
    line = next(line for line in done.out.splitlines() if line.startswith("sequential test"))
    assert line.startswith(f"sequential test of {ONE} against {TWO}, H0 +0 and H1 +100 Elo: H1 accepted after ")
    assert ", bounds [-2.94, 2.94]; " in line
    assert re.search(r"\+\d+ Elo \[.\d+ … .\d+\] allowing for the stop|do not allow for the stop and are biased$", line)
    assert arena("show", path).out == done.out
    document = json.loads(arena("show", path, "--json").out)
    assert [row["pairs"] for row in document["sprt"]] == list(range(1, len(document["sprt"]) + 1))
    assert document["sprt"][-1]["decision"] == "H1"
    assert document["games"]["played"] == 2 * len(document["sprt"])
    again = arena("run", "--resume", path, "-j", 1)
    assert (again.code, again.out) == (0, done.out)


def test_a_test_that_has_played_every_opening_says_the_exact_result(arena, tmp_path):
    words = ["run", "minimax:depth=1", "alphabeta:depth=2", "--sprt", "elo0=0,elo1=1", "--openings", "plies:2", "-j", 1]
    done = arena(*words, "--out", tmp_path / "run.sqlite")
    line = next(line for line in done.out.splitlines() if line.startswith("sequential test"))
    assert "not decided after 25 pairs" in line
    [met] = json.loads(arena("elo", tmp_path / "run.sqlite", "--json").out)
    assert line.endswith(f"; every opening was played: exactly {100 * met['score']:.1f} %, {met['elo']:+.0f} Elo")


def test_a_test_may_use_every_opening_unless_rounds_are_given(arena, tmp_path):
    words = ["run", "greedy", "random", "--sprt", "elo0=0,elo1=400", "--openings", "plies:2", "-j", 1, "--json"]
    document = json.loads(arena(*words, "--out", tmp_path / "all.sqlite").out)
    assert document["games"]["planned"] == 2 * 25
    fair = ["fair:2:pairs" if word == "plies:2" else word for word in words]
    document = json.loads(arena(*fair, "--out", tmp_path / "fair.sqlite").out)
    assert document["games"]["planned"] == 2 * 10  # as many won for the first as for the second player, 5 of each
    document = json.loads(arena(*words, "--rounds", 3, "--out", tmp_path / "three.sqlite").out)
    assert document["games"] == {"played": 6, "distinct": 6, "planned": 6}


def test_an_undecided_test_is_called_undecided(arena, tmp_path):
    words = ["run", ONE, TWO, "--sprt", TEST, "--rounds", 3, "-j", 1, "--out", tmp_path / "run.sqlite"]
    assert "not decided after 3 pairs" in arena(*words).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sprt", "elo0=0"], "arena: a sequential test needs elo1, as in elo0=0,elo1=30"),
        (["random", "--sprt", TEST], "arena: a sequential test takes a match of two agents"),
        (["--sprt", TEST, "--openings", "nothing"], "arena: openings 'nothing'"),
    ],
)
def test_bad_tests_are_one_line_and_leave_no_file(arena, tmp_path, words, message):
    done = arena("run", ONE, TWO, *words, "--out", tmp_path / "run.sqlite")
    assert done.code == 2
    assert done.err.startswith(message)
    assert len(done.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
