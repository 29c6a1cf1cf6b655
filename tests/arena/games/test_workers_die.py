"""What becomes of a game whose worker dies, and of a run whose workers cannot play."""

import multiprocessing
import os
import signal
import time
from dataclasses import replace

import pytest
from samples import BAD, ODD_HEURISTICS
from worker_games import odd, played_in, records_of, setting

from agents.board import Board, Outcome
from agents.errors import InputError
from agents.process_agent import ProcessLimits
from agents.specs.registry import parse
from arena.games.formats import jobs, round_robin
from arena.games.workers import Processes
from arena.records import Job, Termination

pytestmark = pytest.mark.process


@pytest.mark.parametrize(("name", "termination"), [("Dies", "left (exit code 3)"), ("Killed", "crashed (SIGKILL)")])
def test_a_stranger_that_ends_its_process_loses_that_game_alone(name, termination):
    games = jobs(round_robin(3), 1)
    field = setting("greedy", odd(name), odd("Leftmost"))
    field = replace(field, sources=tuple(spec.source() if spec.has_process else None for spec in field.specs))
    records = records_of(Processes(2), field, games)
    assert set(records) == set(games)
    faults = [job for job in games if records[job].fault is not None]
    assert len(faults) >= 2
    for job in faults:
        record = records[job]
        assert 1 in (job.first, job.second)
        assert record.outcome is (Outcome.SECOND_WINS if job.first == 1 else Outcome.FIRST_WINS)
        assert record.termination == termination


def test_the_games_of_dead_workers_are_left_open_while_the_others_are_played():
    games = jobs(round_robin(3), 1)
    records = played_in(Processes(2), setting("greedy", odd("Killed"), "random"), games)
    found = []
    with pytest.raises(InputError, match=r"^4 games are left open: .*a worker died in game 0-1-0 \(signal SIGKILL\)"):
        found.extend(str(record.job) for record in records)
    assert sorted(found) == ["0-2-0", "2-0-0"]


def test_a_stranger_under_which_two_workers_died_has_lost_the_game():
    source = parse(f"{BAD}:KillsItsParent").source()
    field = replace(setting("greedy", odd("Leftmost")), sources=(None, source))
    record = next(played_in(Processes(1), field, [Job(0, 1, 0)]))
    assert (record.termination, record.outcome) == ("worker killed", Outcome.FIRST_WINS)
    assert record.detail == "2 workers died while it was thinking (signal SIGKILL)"


def test_a_stranger_that_stops_its_referee_twice_has_lost_the_game(monkeypatch):
    monkeypatch.setattr("arena.games.workers.SLACK", 0.1)
    source = parse(f"{BAD}:StopsItsParent").source()
    field = setting("greedy", odd("Leftmost"))
    field = replace(field, sources=(None, source), process_limits=ProcessLimits(start_timeout=1.0), openings=(Board(),))
    [record] = records_of(Processes(1), field, [Job(1, 0, 0)]).values()
    assert (record.termination, record.outcome) == ("worker killed", Outcome.SECOND_WINS)


def test_a_killed_worker_is_replaced_and_leaves_only_the_game_that_it_played_open():
    field, games, where = setting(odd("Slow"), odd("Leftmost")), jobs(round_robin(2), 3), Processes(1)
    records = played_in(where, field, games)
    played = [next(records).job]
    while not where.live_games():
        time.sleep(0.001)
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(InputError, match=r"^a game is left open: a worker died in game .* \(signal SIGKILL\)$"):
        played.extend(record.job for record in records)
    assert len({*played}) == len(played) == len(games) - 1


def test_what_a_worker_cannot_play_is_told():
    nothing = f"minimax:depth=1,heuristic={ODD_HEURISTICS}:missing"
    with pytest.raises(InputError, match="has no function or class 'missing'"):
        list(played_in(Processes(1), setting("random", nothing), jobs(round_robin(2), 1)))
    assert not multiprocessing.active_children()


def test_a_mistake_of_our_own_in_a_worker_is_not_hidden():
    games = [replace(job, opening=99) for job in jobs(round_robin(2), 1)]
    with pytest.raises(RuntimeError, match="IndexError"):
        list(played_in(Processes(1), setting("random", "greedy"), games))


def test_processes_that_cannot_start_are_no_fault_of_the_agents(monkeypatch):
    monkeypatch.setattr("arena.games.workers._work", print)
    with pytest.raises(InputError, match=r"worker processes die before they play a game \(exit code 0\)"):
        list(played_in(Processes(1), setting("random", "greedy"), jobs(round_robin(2), 1)))


def test_a_worker_that_dies_between_two_games_is_no_fault_of_those_who_played_the_first(tmp_path):
    (tmp_path / "dies.py").write_text("import os\nos._exit(3)\n")
    dies = f"minimax:depth=1,heuristic={tmp_path / 'dies.py'}:evaluate"
    records = played_in(Processes(1), setting("random", "greedy", dies), [Job(0, 1, 0), Job(2, 0, 1)])
    assert next(records).termination is Termination.LINE
    with pytest.raises(InputError, match=r"worker processes die before they play a game \(exit code 3\)"):
        next(records)
