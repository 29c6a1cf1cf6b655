"""What a run stores, keeps and tells of games that come from an executor of any kind."""

from contextlib import contextmanager, nullcontext

import pytest
from played import rows

from agents.board import STANDARD, Outcome, Rules
from arena.games.executor import LiveGame
from arena.games.extend import Growth
from arena.games.plan import Plan
from arena.games.run import Run
from arena.games.workers import InProcess
from arena.records import FaultRecord, GameRecord, Job, MoveRecord, Termination
from arena.store.machine import Load

PLAN = Plan(("greedy", "greedy", "random"), rounds=1)
USED = '{"tokens_in": 1200, "tokens_out": 30}'


class Elsewhere:
    """Ends every game in a draw after two moves, and keeps what it was asked."""

    def __init__(self, *, here=False):
        self.here, self.asked = here, []

    def open(self, setting):
        self.asked.append([spec.text for spec in setting.specs])
        return nullcontext()

    def play(self, jobs):
        self.asked.append(list(map(str, jobs)))
        for job in jobs:
            moves = (MoveRecord(2, 0, 0.0, extra=USED), MoveRecord(3, 0, 0.0, remark=f"of {job}"))
            fault = FaultRecord(4, "4411", "", "", USED.replace("30", "4")) if job.first else None
            end = Termination.KILLED if job.first else Termination.FULL
            yield GameRecord(job, "4411", Outcome.DRAW, end, "", 0.0, 0.0, moves, fault)

    def idle(self):
        return False

    def live_games(self):
        return [LiveGame(Job(1, 2, 0), (3,), 0.25)]


@pytest.mark.parametrize("here", [False, True])
def test_what_a_run_tells_of_its_agents_is_by_their_names_and_a_load_is_of_this_machine(tmp_path, monkeypatch, here):
    told, stored = [], []

    @contextmanager
    def status(path, names, rules, games):
        told.append((path.name, names, rules, games()))
        yield

    monkeypatch.setattr("arena.games.run.live_status", status)
    monkeypatch.setattr("arena.store.machine.load", lambda: lambda: Load(0.5, 2))
    run, elsewhere = Run.begin(PLAN, tmp_path / "run.sqlite"), Elsewhere(here=here)
    with run.store as store:
        assert run.play(elsewhere, lambda: stored.append(store.count_games()))
        loads = store.rows("SELECT what, others, cores FROM load") if store.has("load") else []
    names = ["greedy", "greedy#2", "random"]
    assert told == [("run.sqlite", names, STANDARD, [LiveGame(Job(1, 2, 0), (3,), 0.25)])]
    assert run.remarks == {"greedy#2": "of 0-1-0", "greedy": "of 1-0-0", "random": "of 0-2-0"}
    assert (run.tokens.count, str(run.tokens)) == (6 * 1230 + 4 * 1204, "12,196 tokens")
    assert elsewhere.asked == [list(PLAN.agents), ["0-1-0", "1-0-0", "0-2-0", "2-0-0", "1-2-0", "2-1-0"]]
    assert (stored[-1], len(stored), loads) == (6, 6, [("games", 0.5, 2)] * here)


def test_games_that_are_left_have_the_numbers_that_they_would_have_had(tmp_path):
    path = tmp_path / "run.sqlite"
    for games, growth in ((2, None), (1, Growth()), (None, Growth(rounds=2))):
        run = Run.begin(PLAN, path) if growth is None else Run.resume(path, growth)
        with run.store:
            assert run.play(InProcess(), games=games) == (games is None)
            assert (run.deleted, run.new) == (0, growth is None)
    keys = [str(job) for job in PLAN.jobs()]
    more = [f"{key[:-1]}1" for key in keys]
    assert rows(path, "SELECT id, key FROM game ORDER BY id") == [*enumerate(keys + more, start=1)]


FEWER = """
from arena.games.formats_by_results import Swiss

class Fewer(Swiss):
    most = 99
"""


@pytest.mark.parametrize("games", [2, None])
def test_of_a_format_that_ends_early_the_games_that_were_played_count_as_planned(tmp_path, games):
    (tmp_path / "own.py").write_text(FEWER)
    plan = Plan(PLAN.agents, rounds=1, rules=Rules(4, 4), format=f"{tmp_path}/own.py:Fewer")
    run = Run.begin(plan, tmp_path / "run.sqlite")
    with run.store as store:
        assert store.planned() == 99
        whole = run.play(Elsewhere(), games=games)
        assert whole == (games is None)
        assert store.planned() == (store.count_games() if whole else 99)
