"""The agents of one process: how they are made, who moves, what is made of an error, and what plays meanwhile."""

from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from changed import connect
from played import play, played
from scripted import Leftmost, Middle, Scripted, raiser
from worker_games import played_in, setting

from agents.agent import Limits
from agents.board import Board, Outcome, Rules
from agents.errors import InputError, Unavailable
from agents.failure import Failure
from agents.process_agent import ProcessLimits, Source
from agents.processes.agent import SubprocessAgent
from agents.specs.registry import parse
from arena.games import workers
from arena.games.executor import LiveGame
from arena.games.extend import Growth
from arena.games.field import Field, _is_own
from arena.games.isolation import Isolation
from arena.games.object_agent import ObjectAgent
from arena.games.plan import Plan
from arena.games.referee import CONDITIONS, Conditions, Fault, begin, decide, play_game
from arena.games.run import Run, processes
from arena.games.time_control import TimeControl
from arena.games.workers import InProcess, Processes, Worker
from arena.records import Job
from arena.store.machine import machine


def of(*agents, **rest):
    """Return a setting of these objects."""
    names = ("a", "b", "c")
    specs = tuple(ObjectAgent.of(agent, name) for agent, name in zip(agents, names, strict=False))
    return replace(setting(*["greedy"] * len(agents), **rest), specs=specs)


class Down(Leftmost):
    """Cannot answer for now: to prepare, or from a ply on."""

    def __init__(self, when):
        self.when = when

    def prepare(self, rules):
        if self.when == "prepare":
            raise Unavailable("no key")

    def new_game(self, seed):
        if self.when == "new_game":
            raise Unavailable("no line")

    def choose(self, board, limits):
        if self.when == board.ply:
            raise Unavailable(f"too many requests at {board.ply}")
        return super().choose(board, limits)


@pytest.mark.parametrize(
    ("agents", "job", "place", "text"),
    [
        ((Down(3), Middle()), Job(0, 1, 0), None, None),
        ((Down(4), Middle()), Job(0, 1, 0), 0, "too many requests at 4"),
        ((Middle(), Down(5)), Job(0, 1, 0), 1, "too many requests at 5"),
        ((Middle(), Leftmost(), Down(4)), Job(2, 1, 0), 2, "too many requests at 4"),
        ((Middle(), Leftmost(), Down("new_game")), Job(0, 2, 0), 2, "no line"),
        ((Middle(), Down("new_game")), Job(1, 0, 0), 1, "no line"),
        ((Middle(), Leftmost(), Down("prepare")), Job(0, 2, 0), 2, "no key"),
    ],
)
def test_who_cannot_answer_for_now_is_known_by_its_place_and_has_not_lost(agents, job, place, text):
    found = Field(of(*agents)).answer(job)
    if text is None:
        assert found.termination == "line completed"
    else:
        assert (type(found), found.place, str(found)) == (Unavailable, place, text)


def test_an_error_that_is_a_users_comes_as_it_is_and_one_of_ours_with_its_traceback(monkeypatch):
    field = Field(of(Middle(), Leftmost()))
    monkeypatch.setattr(Field, "agent", lambda *given: raiser(InputError("its file is gone"))())
    assert str(field.answer(Job(0, 1, 0))) == "its file is gone"
    monkeypatch.setattr(Field, "agent", lambda *given: raiser(KeyError("so"))())
    found = field.answer(Job(0, 1, 0))
    assert type(found) is RuntimeError
    assert str(found).startswith("Traceback (most recent call last):")
    assert str(found).endswith("KeyError: 'so'\n")


def test_agents_are_made_once_for_the_board_and_an_agent_apart_with_the_limits_of_the_run():
    source, limits = Source("cmd", ("/none",), "/"), ProcessLimits(start_timeout=3.0)
    field = Field(
        replace(setting("greedy", "random", rules=Rules(5, 4)), sources=(None, source), process_limits=limits)
    )
    one, other, twin = field.agent(0, 0), field.agent(1, 0), field.agent(1, 1)
    assert field.agent(0, 0) is one
    assert (type(other), other.source, other.process_limits, other._rules) == (
        SubprocessAgent,
        source,
        limits,
        Rules(5, 4),
    )
    assert twin is not other
    assert not other.running
    assert list(field.agents) == [(1, 0), (1, 1), (0, 0)], "who played last stands last"


def test_a_game_has_the_seeds_and_the_opening_of_its_job():
    heard = []

    class Hears(Leftmost):
        def new_game(self, seed):
            heard.append(seed)

    job = Job(1, 0, 2)
    turns = []
    record = Field(of(Hears(), Hears(), seed=7)).play(job, turns.append)
    assert tuple(heard) == job.seeds(7)
    assert record.moves.startswith("4354")
    assert turns[0].text == "4354"
    assert len(turns) == len(record.decisions)


@pytest.mark.parametrize("ask", [Field.play, Field.answer])
def test_a_game_is_played_by_its_colours_under_the_terms_of_the_run(ask):
    class Told(Leftmost):
        def __init__(self):
            self.limits = set()

        def choose(self, board, limits):
            self.limits.add(limits)
            return super().choose(board, limits)

    late = Conditions(Limits(depth=3, nodes=7, seconds=1e-9), margin=0.0)
    for conditions, fault in ((Conditions(Limits(5, 6, 7.0)), False), (late, True)):
        field, turns = Field(of(Told(), Told(), Told(), conditions=conditions)), []
        record = ask(field, Job(2, 1, 1), turns.append)
        assert (record.job, record.moves[:2], turns[0].text) == (Job(2, 1, 1), "12", "12")
        assert (record.termination == "out of time", len(turns) == 1) == (fault, fault)
        heard = {place: agent.limits for (place, _), agent in field.agents.items()}
        assert heard == {2: {conditions.limits}, 1: set() if fault else {conditions.limits}}


def test_whether_an_agent_asks_a_server_is_known_before_it_does():
    assert setting("greedy", "llm:a@http://x", "random").served
    assert not setting("greedy", "random").served
    assert of(Middle(), Leftmost()).kept == []


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("greedy", True), ("minimax:depth=2", True), ("alphabeta:heuristic=smart-aware,order=centre", True),
        ("alphabeta:heuristic=windows(1,10,100,1000)", True), ("cmd:sh", False),
    ],
)  # fmt: skip
def test_an_agent_is_our_own_with_all_its_parts(text, own, tmp_path):
    assert _is_own(parse(text)) is own
    (tmp_path / "mine.py").write_text(
        "def evaluate(own, opp):\n    return 0\ndef choose(board):\n    return 0\n"
        "def rank(own, opp, column):\n    return 0\n"
    )
    assert not _is_own(parse(f"alphabeta:heuristic={tmp_path}/mine.py:evaluate"))
    for parts in ("", ",heuristic=parity", ",heuristic=windows(1,10,100,1000)"):
        assert not _is_own(parse(f"alphabeta:order={tmp_path}/mine.py:rank{parts}"))
        assert _is_own(parse(f"alphabeta:order=open-windows{parts}"))
    assert not _is_own(parse(f"{tmp_path}/mine.py:choose"))


def test_in_this_process_the_game_and_the_move_that_is_thought_about_are_known(monkeypatch):
    times = iter([100.0, 103.5])
    monkeypatch.setattr(workers.time, "monotonic", lambda: next(times))
    here = InProcess()
    assert (here.live_games(), here.idle()) == ([], True)
    here._think(Job(1, 0, 2), Board.from_moves("435"))
    assert here.live_games() == [LiveGame(Job(1, 0, 2), (3, 2, 4), 3.5)]


def test_agents_of_this_process_are_let_go_after_its_games(monkeypatch):
    here, closed = InProcess(), []
    monkeypatch.setattr(Field, "close", lambda field: closed.append(field.setting))
    games = [Job(0, 1, number) for number in range(3)]
    with here.open(setting("greedy", "random")):
        assert [record.job for record in here.play(games)] == games
    assert closed == [here.players.setting]
    again = InProcess()
    assert len(list(played_in(again, setting("greedy", "random"), games))) == 3
    other = of(Middle(), Leftmost())
    assert [record.moves[4:] for record in played_in(again, other, games[2:])] == ["4141414"], "other agents"
    assert again.players.setting == other


def test_a_worker_may_think_as_long_as_its_game_lasts(monkeypatch):
    clock = Conditions(clock=TimeControl(10.0, 0.5))
    assert clock.longest == 10.0 + 64 * 0.5
    assert Conditions(Limits(seconds=2.0)).longest == 2.0
    assert CONDITIONS.longest is None
    killed = []
    field = replace(setting("greedy", "random", conditions=clock), sources=(None, Source("cmd", ("/none",), "/")),
                    process_limits=ProcessLimits(start_timeout=20.0, margin=0.25))  # fmt: skip
    for seconds in (87.2, 87.3):
        one = Worker(SimpleNamespace(kill=lambda seconds=seconds: killed.append(seconds)), None, None, ())
        monkeypatch.setattr(Worker, "live_game", lambda _, seconds=seconds: LiveGame(Job(1, 0, 0), (), seconds))
        one.end_if_stopped(field)
    assert killed == [87.3]


def test_output_of_a_process_comes_with_its_fault_and_players_rest_after_every_end(monkeypatch):
    class Apart(SubprocessAgent):
        rested = 0
        output = "so \x07"

        def __init__(self, *answers):
            super().__init__(Source("cmd", ("/none",), "/"))
            self.scripted = Scripted(*answers)

        def new_game(self, seed):
            pass

        def choose(self, board, limits):
            return self.scripted.choose(board, limits)

        def stop_pondering(self):
            self.rested += 1

    one, other = Apart(0, 9), Apart(1)
    other.output = "the other's"
    found = play_game(Job(0, 1, 0), (one, other), Board(), (1, 2))
    assert (found.termination, found.fault.output, found.moves) == ("illegal move", "so \\x07", "12")
    assert (one.rested, other.rested) == (1, 1)
    found = play_game(Job(0, 1, 0), (Apart(3), other), Board.from_moves("414141"), (1, 2))
    assert (found.fault, other.rested) == (None, 2)
    found = play_game(Job(0, 1, 0), (other, Apart(9)), Board.from_moves("4"), (1, 2))
    assert (found.fault.output, found.outcome) == ("so \\x07", Outcome.FIRST_WINS)
    with pytest.raises(Fault) as raised:
        decide(Apart(9), Board())
    assert raised.value.output == "so \\x07"
    with pytest.raises(Fault) as raised:
        decide(Apart(raiser(Failure("crashed (SIGSEGV)", "at once", output="its own\x1b"))), Board())
    assert raised.value.output == "its own\\x1b"

    class Late(Apart):
        def new_game(self, seed):
            if seed == 2:
                raise Failure("crashed (SIGSEGV)", "at once", output="its own")
            raise ValueError(f"not with {seed}")

    for seed, output in ((1, "so \\x07"), (2, "its own")):
        with pytest.raises(Fault) as raised:
            begin(Late(), seed)
        assert raised.value.output == output
        found = play_game(Job(0, 1, 0), (other, Late()), Board.from_moves("4"), (9, seed))
        assert (found.fault.output, found.outcome, found.decisions) == (output, Outcome.FIRST_WINS, ())


@pytest.mark.parametrize(
    ("specs", "limits", "jobs", "number"),
    [
        (("greedy", "random"), Conditions(), 7, 7),
        (("greedy", "random"), Conditions(), None, 4),
        (("greedy", "random"), Conditions(Limits(nodes=9)), 7, 7),
        (("greedy", "random"), Conditions(Limits(seconds=1.0)), 7, 4),
        (("greedy", "random"), Conditions(Limits(seconds=1.0)), 3, 3),
        (("greedy", "random"), Conditions(Limits(seconds=1.0)), None, 1),
        (("greedy", "random"), Conditions(clock=TimeControl(9.0)), None, 1),
        (("greedy", "mcts:seconds=1"), Conditions(), 7, 4),
        (("greedy", "mcts:seconds=1"), Conditions(), None, 1),
    ],
)
def test_games_by_the_clock_share_no_processor(monkeypatch, specs, limits, jobs, number):
    monkeypatch.setattr("arena.games.run.cores", lambda jobs: 4 if jobs is None else jobs)
    assert processes(setting(*specs, conditions=limits), jobs) == number
    kept = of(Middle(), lambda board: 0)
    monkeypatch.setattr(ObjectAgent, "travels", False)
    assert processes(kept, jobs) == 1
    monkeypatch.undo()
    for field in (kept, setting(*specs, conditions=limits)):
        with pytest.raises(InputError, match="0 is no number of processes"):
            processes(field, 0)


def test_where_games_are_played_follows_from_how_many_and_from_who_plays(monkeypatch):
    def executor(field, count):
        run = Run(Plan(("greedy", "random")), field, None, new=False)
        found = run.executor(count)
        return "here" if isinstance(found, InProcess) else [found is run.workers, found.count]

    source = Source("cmd", ("/none",), "/")
    plain, model = setting("greedy", "random"), setting("greedy", "llm:m@http://x")
    assert [executor(plain, count) for count in (1, 2)] == ["here", [True, 2]]
    assert [executor(model, count) for count in (1, 2)] == [[True, 1], [True, 2]]
    assert executor(replace(plain, sources=(None, source)), 1) == [True, 1]
    assert executor(replace(plain, sources=(None, None)), 1) == "here"
    monkeypatch.setattr(ObjectAgent, "travels", False)
    assert [executor(of(Middle(), Leftmost()), count) for count in (1, 4)] == ["here", "here"]
    own = Processes(7)
    assert Run(Plan(("greedy", "random")), plain, None, new=True, workers=own).executor(3) is own
    assert own.count == 3


def change(path, statement):
    with closing(connect(path)) as file, file:
        file.execute(statement)


def test_a_run_whose_file_does_not_fit_its_plan_is_refused_and_one_of_another_machine_is_said_to_be(tmp_path):
    path = played(tmp_path / "run.sqlite", "greedy", "random", games=1)
    change(path, "UPDATE session SET machine = json_set(machine, '$.cores', 'many', '$.processor', 'Z80')")
    run, now = Run.resume(path), machine()
    run.store.close()
    said, _, rest = run.warning.removeprefix(f"{path} goes on with ").partition(": ")
    assert rest == "times are not comparable with those before"
    then = {"cores": "many", "processor": "Z80"}
    assert {*said.split(", ")} == {f"{name} {now[name]} (was {then[name]})" for name in then if name in now}
    change(path, "DELETE FROM opening WHERE id = 2")
    with pytest.raises(InputError) as raised:
        Run.resume(path)
    assert str(raised.value) == f"{path}: its plan has other agents or openings than are stored with it"


def test_a_run_that_is_whole_needs_none_of_its_files_and_begins_no_session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kim.py").write_text("def choose(board):\n    return board.legal_moves()[0]\n")
    apart = Isolation(folder=str(tmp_path))
    path = played(tmp_path / "run.sqlite", "greedy", "kim.py", rounds=1, isolation=apart, seconds=9.0, seed=4)
    (tmp_path / "kim.py").unlink()
    run = Run.resume(path, Growth(command="again", debug="talk.txt"))
    assert (run.warning, run.new, run.setting.conditions, run.setting.seed) == ("", False, CONDITIONS, 4)
    assert [spec.kind for spec in run.setting.specs] == ["greedy", "kim.py:choose"]
    assert run.plan.isolation.debug == "talk.txt"
    assert run.store.rows("SELECT count(*) FROM session") == [(1,)]
    play(run)
