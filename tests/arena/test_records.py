"""A game as a job: how people name it, which seeds its players get, and what ends it."""

import hashlib
import pickle

import pytest

from agents.board import Outcome
from arena.records import DOUBLED, Job, Termination


@pytest.mark.parametrize(
    ("text", "job"),
    [
        ("0-1-3", Job(0, 1, 3)), ("12-0-100", Job(12, 0, 100)), ("00-1-3", Job(0, 1, 3)),
        ("123456789-1-1", Job(123456789, 1, 1)), ("1234567890-1-1", None), ("1-1-1234567890", None), ("1-2", None),
        ("1-2-3-4", None), ("-1-2-3", None), ("1-2-3\n", None), ("1 - 2 - 3", None), ("١-2-3", None), ("", None),
    ],
)  # fmt: skip
def test_a_game_is_named_by_its_players_and_its_opening(text, job):
    assert Job.parse(text) == job
    if job is not None:
        assert Job.parse(str(job)) == job
        assert Job.parse(text).round == 1


def test_a_job_is_the_same_in_whatever_round_it_is_played_and_keeps_it_when_it_is_sent():
    one, other = Job(0, 1, 3, 2), Job(0, 1, 3, 7)
    assert (one == other, len({one, other, Job(1, 0, 3, 2), Job(0, 1, 2, 2)})) == (True, 3)
    sent = pickle.loads(pickle.dumps(other))
    assert (sent, sent.round, str(sent)) == (other, 7, "0-1-3")


def test_each_player_of_each_game_has_a_seed_of_its_own_that_stays():
    digest = hashlib.sha256(b"5/0-1-3").digest()
    assert Job(0, 1, 3, 4).seeds(5) == tuple(int.from_bytes(digest[start : start + 6], "big") for start in (0, 6))
    jobs = [Job(*each) for each in ((0, 1, 3), (1, 0, 3), (0, 1, 4), (0, 2, 3))]
    assert len({seed for job in jobs for run in (5, 6) for seed in job.seeds(run)}) == 16


def test_points_are_the_first_players_and_only_lines_and_full_boards_are_no_faults():
    assert DOUBLED == {Outcome.FIRST_WINS: 2, Outcome.DRAW: 1, Outcome.SECOND_WINS: 0}
    assert [end.value for end in Termination if end.is_fault] == [
        "illegal move",
        "exception",
        "out of time",
        "worker killed",
    ]
    assert [end.value for end in Termination if not end.is_fault] == ["line completed", "board full"]
