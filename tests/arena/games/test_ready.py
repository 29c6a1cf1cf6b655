"""A worker that starts, and makes agents, while the run's own process does."""

import functools
import multiprocessing
import os
from pathlib import Path

import pytest
import worker_games

from agents.errors import InputError
from agents.process_agent import Source
from agents.processes.agent import SubprocessAgent
from arena.games import field as fields
from arena.games.entrants import attended
from arena.games.field import MOST_RUNNING, Field
from arena.games.plan import Plan
from arena.games.run import Run

OWN = ("alphabeta:depth=1", "greedy", "minimax:depth=1,heuristic=zero")
MINE = "def evaluate(own, opp):\n    return 0\n"


setting = functools.partial(worker_games.setting, openings=())


@pytest.fixture
def alive():
    """How many processes of this one there are, as a function; none is left over."""
    assert not multiprocessing.active_children()
    yield lambda: len(multiprocessing.active_children())
    assert not multiprocessing.active_children()


def test_agents_are_made_ahead_from_the_last_to_the_first_until_a_job_is_wanted():
    for answers, order in (([False] * 3, [2, 1, 0]), ([False, True], [2])):
        field, asked = Field(setting(*OWN)), iter(answers)
        field.ahead(lambda asked=asked: next(asked))
        assert [place for place, _ in field.agents] == order


def test_users_code_and_who_cannot_be_made_are_left_to_the_process_of_the_run(tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text(MINE + f"open({str(tmp_path / 'seen')!r}, 'w')\n")
    field = Field(setting("greedy", f"alphabeta:heuristic={mine}:evaluate", "itu-2012"))
    field.setting.specs[2].parameters["depth"] = "what it cannot be"
    field.ahead(lambda: False)
    assert (0, 0) in field.agents
    assert (1, 0) not in field.agents
    assert not (tmp_path / "seen").exists()


def test_a_run_of_several_processes_hires_one_early_and_all_play(tmp_path, alive):
    run = Run.begin(Plan(OWN, rounds=1), tmp_path / "run.sqlite", jobs=2)
    hired = [worker.process.pid for worker in run.workers.workers]
    assert alive() == len(hired) == 1
    playing = set()
    with run.store:
        players = run.executor(2)
        assert run.play(players, lambda: playing.update(worker.process.pid for worker in players.workers))
        assert len(run.store.played()) == 6
    assert playing >= set(hired)
    assert players.workers == []


def test_one_process_hires_nobody(tmp_path, alive):
    run = Run.begin(Plan(("random", "greedy"), rounds=1), tmp_path / "run.sqlite", jobs=1)
    assert alive() == 0
    run.store.close()


def test_an_agent_that_cannot_be_made_and_a_file_that_cannot_be_written_leave_no_process(tmp_path, alive):
    broken = tmp_path / "broken.py"
    broken.write_text("class Broken:\n    def prepare(self, rules):\n        raise OSError('no room')\n"
                      "    def choose(self, board, limits):\n        return 0\n")  # fmt: skip
    from arena.games.isolation import Isolation

    for agents in (("greedy", f"{broken}:Broken"), (f"{broken}:Broken", "greedy")):
        plan = Plan(agents, rounds=1, isolation=Isolation(nobody=True))
        with pytest.raises(InputError, match="cannot prepare for a 7x6x4 board: "):
            Run.begin(plan, tmp_path / "run.sqlite", jobs=2)
    with pytest.raises(InputError):
        Run.begin(Plan(("random", "greedy"), rounds=1), Path("/dev/null/run.sqlite"), jobs=2)


def test_a_run_that_has_nothing_to_play_sends_the_one_away_that_it_hired(tmp_path, alive):
    run = Run.begin(Plan(("random", "greedy"), rounds=1), tmp_path / "run.sqlite", jobs=2)
    with run.store:
        assert not run.play(run.executor(1), games=0)


def test_ctrl_c_while_agents_are_made_leaves_no_process(tmp_path, alive, monkeypatch):
    def pressed(setting):
        assert alive() >= 1
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.games.run.make_ready", pressed)
    with pytest.raises(KeyboardInterrupt):
        Run.begin(Plan(("random", "greedy"), rounds=1), tmp_path / "run.sqlite", jobs=2)


def test_of_many_processes_those_end_that_have_been_idle_longest(monkeypatch):
    ended = []
    monkeypatch.setattr(SubprocessAgent, "running", True)
    monkeypatch.setattr(SubprocessAgent, "close", lambda agent: ended.append(agent.source.words[0]))
    field = Field(setting(*OWN))
    agents = [SubprocessAgent(Source("cmd", (str(number),), "/")) for number in range(MOST_RUNNING + 2)]
    field.agents = {(place, 0): agent for place, agent in enumerate(agents)}
    field._make_room((agents[0], agents[3]))
    assert ended == ["1", "2"]
    ended.clear()
    field.agents = {(place, 0): agent for place, agent in enumerate(agents[:MOST_RUNNING])}
    field._make_room((agents[0], agents[3]))
    assert ended == []
    field.agents = {(place, 0): agent for place, agent in enumerate(agents)}
    monkeypatch.setattr(SubprocessAgent, "running", property(lambda agent: agent.source.words[0] not in {"1", "4"}))
    field._make_room((agents[0], agents[3]))
    assert ended == [], "those that do not run take no room"
    monkeypatch.setattr(SubprocessAgent, "running", property(lambda agent: agent.source.words[0] != "1"))
    field._make_room((agents[0], agents[3]))
    assert ended == ["2"]


def test_a_worker_keeps_processes_by_the_memory_of_the_machine_and_eight_where_that_is_not_known(monkeypatch):
    for cores, pages, most in ((2, 24 << 18, 64), (2, 4 << 18, 16), (8, 4 << 18, 8)):  # pages of 4 KB
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        monkeypatch.setattr(os, "sysconf", lambda name, pages=pages: 4096 if name == "SC_PAGE_SIZE" else pages)
        assert fields._most_running() == most
    monkeypatch.delattr(os, "sysconf")
    assert fields._most_running() == 8


def test_at_the_end_every_process_of_a_remote_agent_ends_and_what_thinks_here_is_left_alone(monkeypatch):
    ended = []
    monkeypatch.setattr(SubprocessAgent, "close", lambda agent: ended.append(agent.source.words[0]))
    agents = [SubprocessAgent(Source("cmd", (str(number),), "/")) for number in range(3)]
    field = Field(setting(*OWN))
    field.agents = {(0, 0): agents[0], (1, 0): object(), (2, 0): agents[1], (2, 1): agents[2]}
    field.close()
    assert ended == ["0", "1", "2"]
    ended.clear()
    with attended([agents[1], object(), agents[0]]):
        assert ended == []
    assert ended == ["1", "0"]
