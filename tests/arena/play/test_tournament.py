import time
from dataclasses import asdict
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.board import Rules
from agents.errors import InputError
from arena.play import ledger
from arena.play.field import Field
from arena.play.isolation import Isolation
from arena.play.plan import DEFAULT_FIELD, Plan, invited
from arena.play.tournament import Run, workers
from arena.play.workers import InProcess, Processes
from arena.store.store import Store

ODD = Path(__file__).parents[2] / "data" / "odd_agents.py"


def timeless(path):
    """Return all that is stored of the games but their times."""
    with Store.read(path) as store:
        games = store.select(
            "SELECT id, key, first, second, opening, moves, result, termination, detail FROM game ORDER BY key"
        )[1]
        keys = {game[0]: game[1] for game in games}
        moves = store.select("SELECT game, ply, column, depth, nodes, score FROM move")[1]
        searches = store.select("SELECT game, ply, depth, nodes, score, column FROM search")[1]
    return (
        [game[1:] for game in games],
        sorted((keys[row[0]], *row[1:3], repr(row[3:])) for row in moves),
        sorted((keys[row[0]], *row[1:3], repr(row[3:])) for row in searches),
    )


def played(plan, path, executor=None, games=None):
    """Play a run, or only its first `games`."""
    count = 0

    def progress():
        nonlocal count
        count += 1
        if count == games:
            raise KeyboardInterrupt

    run = Run.begin(plan, path)
    with run.store:
        if games is None:
            run.play(executor or InProcess(), progress)
        else:
            with pytest.raises(KeyboardInterrupt):
                run.play(executor or InProcess(), progress)
    return path


def resumed(path, executor=None):
    run = Run.resume(path)
    with run.store:
        run.play(executor or InProcess())
    return path


FIELD = ("random", "greedy", "random", "minimax:depth=2,heuristic=zero")
PLAN = Plan(FIELD, rounds=2, seed=5, nodes=200)


def test_a_run_plays_every_game_of_its_plan_once(tmp_path):
    games, moves, searches = timeless(played(PLAN, tmp_path / "run.sqlite"))
    assert [game[0] for game in games] == sorted(job.key for job in PLAN.jobs())
    assert len(games) == 6 * 2 * 2
    assert len(moves) == sum(len(game[4]) - 4 for game in games)
    assert len(searches) >= len(moves)


def test_a_run_with_any_number_of_workers_is_the_same_run(tmp_path):
    here = timeless(played(PLAN, tmp_path / "here.sqlite"))
    assert timeless(played(PLAN, tmp_path / "there.sqlite", Processes(2))) == here


@pytest.mark.parametrize("games", [1, 7, 23])
def test_a_run_that_was_stopped_is_resumed_to_the_same_end(tmp_path, games):
    whole = timeless(played(PLAN, tmp_path / "whole.sqlite"))
    path = played(PLAN, tmp_path / "stopped.sqlite", games=games)
    with Store.read(path) as store:
        before = store.select("SELECT * FROM game ORDER BY id")[1]
    assert len(before) == games
    assert timeless(resumed(path)) == whole
    with Store.read(path) as store:
        assert store.select("SELECT * FROM game ORDER BY id")[1][:games] == before


def test_a_complete_run_is_resumed_by_doing_nothing(tmp_path):
    path = played(PLAN, tmp_path / "run.sqlite")
    before = timeless(path)
    assert timeless(resumed(path)) == before


def test_another_seed_is_another_run(tmp_path):
    other = Plan(FIELD, rounds=2, seed=6, nodes=200)
    assert timeless(played(PLAN, tmp_path / "one.sqlite")) != timeless(played(other, tmp_path / "other.sqlite"))


def test_the_seed_decides_the_games_and_not_only_the_openings(tmp_path):
    games = []
    for seed in (1, 2, 1):
        plan = Plan(("random", "random"), rounds=1, openings="plies:0", seed=seed)
        games.append(timeless(played(plan, tmp_path / f"{len(games)}.sqlite")))
    assert games[0] == games[2] != games[1]


def test_more_rounds_play_the_same_games_first(tmp_path):
    few = Plan(("random", "greedy"), rounds=2)
    many = Plan(("random", "greedy"), rounds=4)
    games = timeless(played(few, tmp_path / "few.sqlite"))[0]
    assert set(games) < set(timeless(played(many, tmp_path / "many.sqlite"))[0])


def test_an_agent_that_is_named_twice_gets_two_names(tmp_path):
    assert PLAN.names() == ["random", "greedy", "random#2", "minimax:depth=2,heuristic=zero"]
    assert Plan(("random",) * 3).names() == ["random", "random#2", "random#3"]
    path = played(Plan(("random", "random"), rounds=1), tmp_path / "run.sqlite")
    with Store.read(path) as store:
        assert store.select("SELECT name, spec FROM agent ORDER BY id")[1] == [
            ("random", "random"),
            ("random#2", "random"),
        ]
        moves = [row[0] for row in store.select("SELECT moves FROM game")[1]]
    assert moves[0] != moves[1]


def test_agents_may_meet_themselves(tmp_path):
    plan = Plan(("random", "greedy"), rounds=2, include_self=True)
    games = timeless(played(plan, tmp_path / "run.sqlite"))[0]
    assert sorted((game[1], game[2]) for game in games) == [(1, 1)] * 2 + [(1, 2)] * 2 + [(2, 1)] * 2 + [(2, 2)] * 2


def test_a_single_agent_meets_only_itself(tmp_path):
    with pytest.raises(InputError, match="a tournament needs two agents; --include-self lets one meet itself"):
        Plan(("random",))
    with pytest.raises(InputError, match="needs two agents"):
        Plan((), include_self=False)
    games = timeless(played(Plan(("random",), rounds=2, include_self=True), tmp_path / "run.sqlite"))[0]
    assert [(game[1], game[2]) for game in games] == [(1, 1)] * 2


def test_in_a_gauntlet_only_the_first_plays_them_all():
    plan = Plan(("random", "greedy", "minimax"), rounds=3, format="gauntlet")
    assert {(job.first, job.second) for job in plan.jobs()} == {(0, 1), (1, 0), (0, 2), (2, 0)}
    assert len(plan.jobs()) == 12


def test_pairings_by_name_replace_those_of_the_format():
    plan = Plan(("random", "greedy", "random"), rounds=1, pairs=(("random#2", "greedy"), ("greedy", "random#2")))
    assert [(job.first, job.second) for job in plan.jobs()] == [(2, 1), (1, 2)]
    with pytest.raises(InputError, match="pair names 'nobody'"):
        Plan(("random", "greedy"), pairs=(("random", "nobody"),)).jobs()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"rounds": -3}, "rounds must be at least 1, not -3"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"seed": 1 << 63}, "seed must be"),
        ({"nodes": 0}, "nodes must be at least 1, not 0"),
        ({"seconds": 0.0}, "seconds must be positive"),
        ({"seconds": -1.0}, "seconds must be positive"),
        ({"seconds": float("nan")}, "seconds must be positive"),
        ({"margin": -0.1}, "margin must not be negative"),
        ({"format": "chess"}, "no format 'chess'"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        Plan(("random", "greedy"), **wrong)


def test_numbers_are_taken_up_to_their_bounds():
    assert Plan(("random", "greedy"), seed=(1 << 63) - 1, rounds=1, nodes=1).seed == (1 << 63) - 1
    assert [Isolation(memory=memory).memory for memory in (64, 1 << 20)] == [64, 1 << 20]
    for memory in (63, (1 << 20) + 1):
        with pytest.raises(InputError, match="memory must be from 64 to 1048576 megabytes"):
            Isolation(memory=memory)


def test_specs_stand_for_several_agents():
    assert invited(["minimax:depth=1..3", "random"])[0] == (
        "minimax:depth=1",
        "minimax:depth=2",
        "minimax:depth=3",
        "random",
    )


def test_the_default_field_is_a_tournament():
    assert len(Plan(invited(DEFAULT_FIELD)[0]).jobs()) == 600


def test_a_plan_comes_back_from_its_document():
    plan = Plan(
        ("random", "greedy"), "plies:3", 4, 9, "gauntlet", (("random", "greedy"),), include_self=True,
        rules=Rules(5, 4, 3), nodes=100, seconds=1.5, margin=0.5,
    )  # fmt: skip
    assert Plan.from_document(plan.document()) == plan
    fields = asdict(plan)
    assert fields["rules"].pop("most_fours") is False  # said only where it is so, as plans without it are older
    assert fields == plan.document()


@pytest.mark.parametrize(
    "damage", [{"agents": None}, {"rules": {"width": 3}}, {"pairs": [1]}, {"colour": "red"}, {"rounds": "many"}]
)
def test_a_document_that_is_damaged_is_refused(damage):
    with pytest.raises(InputError, match="the stored plan cannot be read"):
        Plan.from_document(PLAN.document() | damage)


def test_the_limits_of_a_plan_reach_the_agents(tmp_path):
    run = Run.begin(Plan(("random", "greedy"), nodes=7, seconds=2.5, margin=0.25), tmp_path / "run.sqlite")
    run.store.close()
    assert run.setting.conditions.limits == Limits(nodes=7, seconds=2.5)
    assert run.setting.conditions.margin == 0.25


def test_a_limit_of_nodes_holds(tmp_path):
    searches = timeless(played(PLAN, tmp_path / "run.sqlite"))[2]
    with Store.read(tmp_path / "run.sqlite") as store:
        most = store.select("SELECT max(nodes) FROM move")[1][0][0]
    assert searches
    assert most <= 210


def test_a_run_on_another_board(tmp_path):
    plan = Plan(("greedy", "random"), rounds=2, openings="plies:2", rules=Rules(5, 4, 3))
    path = played(plan, tmp_path / "run.sqlite")
    assert Run.resume(path).setting.rules == Rules(5, 4, 3)
    assert all(set(game[4]) <= set("12345") for game in timeless(path)[0])


@pytest.mark.parametrize("name", ["CannotPrepare", "CannotBeMade", "ExitsWhenMade", "NoChoose", "not_callable"])
def test_what_cannot_play_in_this_process_is_told_before_there_is_a_file(tmp_path, name):
    plan = Plan(("random", f"{ODD}:{name}"), isolation=Isolation(nobody=True))
    with pytest.raises(InputError, match=name):
        Run.begin(plan, tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["CannotPrepare", "CannotBeMade", "ExitsWhenMade", "NoChoose", "not_callable"])
def test_a_stranger_that_cannot_play_loses_its_games(tmp_path, name):
    games = timeless(played(Plan(("random", f"{ODD}:{name}"), rounds=1), tmp_path / "run.sqlite"))[0]
    assert [(game[1], game[5]) for game in games] == [(1, "1-0"), (2, "0-1")]


def test_a_file_without_the_agent_is_told_before_there_is_a_file(tmp_path):
    with pytest.raises(InputError, match="has no class or function 'Gone'"):
        Run.begin(Plan(("random", f"{ODD}:Gone")), tmp_path / "run.sqlite")
    assert list(tmp_path.iterdir()) == []


def test_a_fault_does_not_end_the_tournament(tmp_path):
    plan = Plan(("greedy", f"{ODD}:Raises", f"{ODD}:Rubbish", f"{ODD}:Leftmost"), rounds=1)
    games = timeless(played(plan, tmp_path / "run.sqlite"))[0]
    assert len(games) == 12
    for _, first, second, _, _, result, termination, detail in games:
        if 2 in (first, second) and 3 not in (first, second):
            assert (result, termination) == ("0-1" if first == 2 else "1-0", "exception")
            assert detail.startswith("ValueError: no idea (odd_agents.py, line ")
        if {first, second} == {1, 4}:
            assert (termination, detail) == ("line completed", "")


def test_a_file_of_a_run_in_the_results_is_named_after_the_time(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runs = [Run.begin(Plan(("random", "greedy"), rounds=1)) for _ in range(3)]
    for run in runs:
        run.store.close()
    names = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert len(names) == 3
    assert all(name.startswith("run-2") and name.endswith(".sqlite") for name in names)


def test_as_many_workers_as_processors():
    assert workers(3) == 3
    assert workers(None) >= 1
    for wrong in (0, -1, 1.5):
        with pytest.raises(InputError, match=f"{wrong} is no number of processes: it is a whole number from 1"):
            workers(wrong)


@pytest.mark.parametrize(("told", "found"), [(5, 5), (None, 1)])
def test_where_the_system_tells_no_processors_of_ones_own_there_are_those_of_all_or_one(monkeypatch, told, found):
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: told)
    assert workers(None) == found


def test_a_new_run_that_cannot_play_leaves_no_file_but_an_old_one_stays(tmp_path, monkeypatch):
    path = played(Plan(("random", "greedy"), rounds=2), tmp_path / "old.sqlite", games=1)
    monkeypatch.setattr("arena.play.worker._work", print)
    for run in (Run.begin(Plan(("random", "greedy"), rounds=1), tmp_path / "new.sqlite"), Run.resume(path)):
        with run.store, pytest.raises(InputError, match="worker processes die"):
            run.play(Processes(1))
    assert [each.name for each in tmp_path.iterdir()] == ["old.sqlite"]


class Failing(InProcess):
    def run(self, setting, jobs):
        raise InputError("nothing works")
        yield


@pytest.mark.parametrize(("resumed", "left"), [(False, False), (True, True)])
def test_only_a_new_run_that_played_nothing_leaves_no_file(tmp_path, resumed, left):
    path = tmp_path / "run.sqlite"
    run = Run.begin(Plan(("random", "greedy"), rounds=1), path)
    if resumed:
        run.store.close()
        run = Run.resume(path)
    with run.store, pytest.raises(InputError, match="nothing works"):
        run.play(Failing())
    assert path.exists() is left


class Gathered(InProcess):
    """Has so many games at once."""

    def __init__(self, games):
        super().__init__()
        self.games = games
        self.count = 0

    def idle(self):
        self.count += 1
        return self.count % self.games == 0


def test_games_that_end_together_are_stored_together_and_only_then_told(tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "WAIT", 60.0)
    seen = []
    run = Run.begin(PLAN, tmp_path / "run.sqlite")

    def progress():
        with Store.read(tmp_path / "run.sqlite") as others:
            seen.append(len(others.played()))

    with run.store:
        run.play(Gathered(10), progress)
    assert seen == [10] * 10 + [20] * 10 + [24] * 4


def test_an_interruption_loses_no_game_that_has_ended(tmp_path, monkeypatch):
    ended = []

    def play(field, job, turn, real=Field.play):
        if len(ended) == 7:
            raise KeyboardInterrupt
        ended.append(job.key)
        return real(field, job, turn)

    monkeypatch.setattr(Field, "play", play)
    run = Run.begin(PLAN, tmp_path / "run.sqlite")
    with run.store, pytest.raises(KeyboardInterrupt):
        run.play(Gathered(5))
    with Store.read(tmp_path / "run.sqlite") as store:
        assert store.played() == set(ended)


class Endless(InProcess):
    """Says that there is always another game on its way."""

    def __init__(self, store):
        super().__init__()
        self.store = store
        self.stored = []

    def run(self, setting, stages):
        for number, record in enumerate(super().run(setting, stages)):
            yield record
            self.stored.append(len(self.store.played()))
            if number < 3:
                time.sleep(2 * ledger.WAIT)

    def idle(self):
        return False


def test_no_game_waits_long_for_others_to_be_stored_with(tmp_path):
    run = Run.begin(PLAN, tmp_path / "run.sqlite")
    with run.store:
        executor = Endless(run.store)
        run.play(executor)
        assert len(run.store.played()) == run.store.planned()
    assert executor.stored[:2] == [0, 2]
    assert executor.stored[3] >= 4


def test_games_of_workers_are_stored_at_most_50_ms_after_the_first_of_them_ended(tmp_path):
    run = Run.begin(Plan(("random", "greedy"), rounds=300), tmp_path / "run.sqlite")
    waited = []

    def add(*games, real=run.store.add):
        real(*games)
        waited.append(time.time() - min(record.started + record.seconds for _, record in games))

    with run.store:
        run.store.add = add
        run.play(Processes(2))
    assert len(waited) < 300  # many are stored together
    assert sorted(waited)[len(waited) // 10] < 0.05  # on a machine that may have other work
