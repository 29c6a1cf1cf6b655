"""What a run's file says of its agents, games and plan, and what it refuses to have been played."""

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from changed import update
from hand_made import AGENTS, GAMES, stored

from agents.board import Outcome, Rules
from agents.errors import InputError
from agents.specs.kinds import KINDS
from agents.specs.registry import parse
from arena.records import FaultRecord, Job, Termination
from arena.statistics.sprt import Evidence
from arena.store import findings, queries
from arena.store.digests import changed
from arena.store.extend import delete_games
from arena.store.machine import Load, add_loads
from arena.store.run_file import NewAgent, Store, stored_spec

from .created import DECISIONS, PLAN, created, record, rows

RULES = {"columns": 7, "rows": 6, "connect": 4}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    path = tmp_path_factory.mktemp("kept") / "run.sqlite"
    created(path, games=3).close()
    return path


@pytest.fixture
def run(kept, tmp_path):
    """A copy of a run of three games."""
    return shutil.copy(kept, tmp_path / "run.sqlite")


def test_an_agent_is_found_by_its_name_its_spec_and_the_first_word_of_an_engine(tmp_path):
    named = {
        "Rapfi 0.4": "random", "Rapfi 0.5": "greedy", "Pons by Pascal": "minimax", "greedy": "alphabeta:depth=1",
        "mine": "alphabeta:depth=2", "twin": "mcts", "twin#2": "mcts", "Solo": "alphabeta:depth=3",
    }  # fmt: skip
    agents = [NewAgent(name, parse(spec)) for name, spec in named.items()]
    with Store.create(tmp_path / "run.sqlite", PLAN, 3, 4, agents, []) as store:
        said = {text: store.name_of(text) for text in (
            "mine", "alphabeta:depth=2", "greedy", "minimax", "pons", "Pons", "PONS", "rapfi", "Rapfi 0.5", "twin",
            "mcts", "solo", "Solo", "MINE", "nobody", "", "Pons b", "alphabeta", "mini", "min", "G", "t", "o",
        )}  # fmt: skip
    assert said == {
        "mine": "mine", "alphabeta:depth=2": "mine", "greedy": "greedy", "minimax": "Pons by Pascal",
        "pons": "Pons by Pascal", "Pons": "Pons by Pascal", "PONS": "Pons by Pascal", "rapfi": "rapfi",
        "Rapfi 0.5": "Rapfi 0.5", "twin": "twin", "mcts": "mcts", "solo": "solo", "Solo": "Solo", "MINE": "MINE",
        "nobody": "nobody", "": "", "Pons b": "Pons by Pascal", "alphabeta": "alphabeta", "mini": "Pons by Pascal",
        "min": "min", "G": "G", "t": "t", "o": "o",
    }  # fmt: skip


def test_a_file_a_class_or_the_beginning_of_either_is_the_one_agent_that_it_fits(tmp_path):
    file = tmp_path / "hw.py"
    file.write_text("class Mine:\n    def choose(self, board):\n        return 3\n\n\nclass Other(Mine):\n    pass\n")
    specs = (f"{file}:Mine", f"{file}:Other", "greedy", "alphabeta:depth=2", "alphabeta:depth=4")
    with Store.create(
        tmp_path / "run.sqlite", PLAN, 3, 4, [NewAgent(text, parse(text)) for text in specs], []
    ) as store:
        named = {text: store.name_of(text) for text in (
            "Mine", "hw.py:M", "hw.py", "hw", "Oth", "gr", "alphabeta", "alphabeta:depth=4", "lphabeta:depth=4",
        )}  # fmt: skip
    assert named == {
        "Mine": specs[0], "hw.py:M": specs[0], "hw.py": "hw.py", "hw": "hw", "Oth": specs[1], "gr": "greedy",
        "alphabeta": "alphabeta", "alphabeta:depth=4": specs[4], "lphabeta:depth=4": "lphabeta:depth=4",
    }  # fmt: skip


def test_of_a_single_agent_no_name_is_none_and_its_author_is_that_of_its_kind(tmp_path):
    for name, text, author in (("mcts", "mcts:playouts=9", None), ("random", "random", "Ada")):
        agents = [NewAgent(name, parse(text), author=author)]
        with Store.create(tmp_path / f"{name}.sqlite", PLAN, 3, 4, agents, []) as store:
            assert (store.name_of(""), store.name_of(name[:3])) == ("", name)
            [(stored,)] = store.rows("SELECT author FROM agent")
            assert stored == (author or KINDS[name].source)
            assert stored


def test_an_agent_is_stored_with_all_that_tables_show_of_it(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def choose(self, board):\n        return 3\n")
    agents = [
        NewAgent("a", parse("alphabeta:depth=2,table=on")),
        NewAgent("b", parse(f"{file}:Mine"), stranger=True, author="Ada"),
        NewAgent("c", parse("random"), stranger=True, digest="given"),
        NewAgent("C", parse("minimax:depth=1"), stranger=True),
    ]
    with Store.create(tmp_path / "run.sqlite", PLAN, 7, 4, agents, [], "arena run a b") as store:
        found = store.rows("SELECT name, deterministic, stranger, author, length(digest) FROM agent ORDER BY id")
        assert found == [("a", 1, 0, None, None), ("b", 0, 1, "Ada", 64), ("c", 0, 1, None, 5), ("C", 1, 1, None, None)]
        specs = [(spec.text, spec.kind, stranger) for spec, stranger in store.agents()]
        assert specs == [
            ("alphabeta:depth=2,table=on", "alphabeta", False), (f"{file}:Mine", f"{file}:Mine", True),
            ("random", "random", True), ("minimax:depth=1", "minimax", True),
        ]  # fmt: skip
        parameters = store.agents()[0][0].parameters
        assert {name: parameters[name] for name in ("depth", "table", "table_size", "pvs")} == {
            "depth": 2, "table": True, "table_size": 16, "pvs": False,
        }  # fmt: skip
        assert store.names() == ["a", "b", "c", "C"]
        assert store.rows("SELECT seed, planned, command FROM run") == [(7, 4, "arena run a b")]
        assert store.rows("SELECT count(*), min(begun) = (SELECT created FROM run), min(command) FROM session") == [
            (1, 1, "arena run a b")
        ]


def test_what_a_run_says_of_its_games(run):
    with Store.resume(run) as store:
        assert store.outcomes() == dict.fromkeys((Job(0, 1, 0), Job(1, 0, 0), Job(0, 1, 1)), Outcome.FIRST_WINS)
        assert (store.count_games(), store.last(), store.planned()) == (3, 3, 4)
        store.add(record(Job(1, 0, 1), outcome=Outcome.DRAW))
        assert store.outcomes()[Job(1, 0, 1)] is Outcome.DRAW
        assert (store.count_games(), store.last()) == (4, 4)
        assert not store.is_decided()
        assert not store.is_audited()
        store.add_evidence([(2, Evidence(0.5, -2.0, 3.0, "continue")), (4, Evidence(-2.5, -2.0, 3.0, "H0"))])
        store.add_evidence([(3, Evidence(9.0, -2.0, 3.0, "H1")), (4, Evidence(9.0, -2.0, 3.0, "H1"))])
        store.add_evidence([(6, Evidence(0.25, -2.0, 3.0, "continue"))])
        assert store.rows("SELECT pairs, llr, lower, upper, decision FROM sprt ORDER BY pairs") == [
            (2, 0.5, -2.0, 3.0, "continue"), (4, -2.5, -2.0, 3.0, "H0"), (6, 0.25, -2.0, 3.0, "continue"),
        ]  # fmt: skip
        assert store.is_decided()
        before = store.connection.total_changes
        store.set_planned(4)
        assert store.connection.total_changes == before
        for planned in (9, 6):  # an estimate may be too low, and too high
            store.set_planned(planned)
            assert store.planned() == planned
        findings.begin_audit(store)
        assert store.is_audited()
        store.add()
        assert store.count_games() == 4
        assert [*changed(store.connection, None, ())] == []


def test_a_game_is_stored_with_its_times_its_fault_and_what_was_said(run):
    fault = FaultRecord(2, "44", "Traceback\n  two", "printed", '{"reply": "x"}')
    decisions = (DECISIONS[0]._replace(extra='{"a": 1}'), DECISIONS[1])
    game = replace(
        record(Job(1, 0, 1, 5), decisions=decisions), started=1_750_000_000.0006, seconds=1.2345678905, fault=fault,
        termination=Termination.TIME, detail="late",
    )  # fmt: skip
    with Store.resume(run) as store:
        store.add(game)
    fields = "game, ply, column, depth, nodes, nanoseconds, score"
    assert rows(
        run, "SELECT first, second, opening, moves, result, termination, detail, moment, nanoseconds, round FROM game"
        " WHERE id = 4",
    ) == [(2, 1, 2, "4443", "1-0", "out of time", "late", 1_750_000_000_001, 1_234_567_890, 5)]  # fmt: skip
    assert rows(run, f"SELECT {fields} FROM move WHERE game = 4") == [
        (4, 0, 4, 2, 50, 500_000_000, 7), (4, 1, 3, 0, 1, 250_000_000, None),
    ]  # fmt: skip
    assert rows(run, f"SELECT {fields} FROM iteration WHERE game = 4") == [
        (4, 0, 5, 1, 8, 100_000_000, 5), (4, 0, 4, 2, 50, 400_000_000, 7),
    ]  # fmt: skip
    assert rows(run, "SELECT * FROM fault") == [(4, 2, "44", "Traceback\n  two", "printed")]
    assert rows(run, "SELECT * FROM extra") == [(4, 0, '{"a": 1}'), (4, 2, '{"reply": "x"}')]


FOUR = "1212121"
UNSAID = "its plan does not say on what board it was played"
UNREAD = "its plan cannot be read: "


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ("{}", UNSAID),
        ("[]", UNSAID),
        ('{"rules": 3}', UNSAID),
        ('{"rules": {"columns": 7, "rows": 6, "wide": 4}}', UNSAID),
        ('{"rules": {"columns": 9, "rows": 9, "connect": 4}}', f"{UNREAD}a 9x9 board does not fit"),
        ("[1]", f"{UNREAD}cannot convert dictionary"),
        ("{", f"{UNREAD}Expecting property name"),
        ('{"seed": "one"}', f"{UNREAD}it has words in place of numbers"),
    ],
)
def test_a_plan_without_a_board_is_named_once(run, plan, said):
    with Store.resume(run) as store:
        update(store, "UPDATE run SET plan = ?", plan)
        with pytest.raises(InputError) as raised:
            store.rules()
        assert str(raised.value).startswith(f"{run}: {said}")
        assert str(raised.value).count("run.sqlite") == 1


def test_the_board_of_a_run_is_that_of_its_plan(run):
    with Store.resume(run) as store:
        update(store, "UPDATE run SET plan = ?", json.dumps({"rules": {"columns": 8, "rows": 7, "connect": 5}}))
        assert store.rules() == Rules(8, 7, 5)


@pytest.mark.parametrize(
    ("version", "message"),
    [(version, rf"written by another version \(format {version}, this one reads 4\)") for version in (0, 5, -1)]
    + [(version, rf"run\.sqlite is a run of format {version}, .*version 0\.2\.0 reads it") for version in (1, 2)],
)
def test_a_file_of_another_version_is_refused_and_an_early_one_is_for_one_that_reads_it(run, version, message):
    with closing(sqlite3.connect(run)) as file:
        file.execute(f"PRAGMA user_version = {version}")
    for way in (Store.read, Store.resume):
        with pytest.raises(InputError, match=message):
            way(run)


def test_a_game_without_a_number_of_its_own_comes_after_the_last(run):
    with Store.resume(run) as store:
        delete_games(store, [Job(0, 1, 0)])
        store.reserve([Job(0, 1, 0)])
        store.add(record(Job(1, 0, 1)), record(Job(0, 1, 0)), record(Job(1, 1, 0)))
        assert (store.count_games(), store.last()) == (5, 5)
        assert [*changed(store.connection, None, ())] == []
    assert rows(run, "SELECT id, key FROM game ORDER BY id") == [
        (1, "0-1-0"), (2, "1-0-0"), (3, "0-1-1"), (4, "1-0-1"), (5, "1-1-0"),
    ]  # fmt: skip


# Findings.


def test_times_alone_replace_those_before_and_their_loads_and_leave_the_loads_of_games(run):
    with Store.resume(run) as store:
        findings.set_times(store, [("44", 1, 0, 5, 0.5), ("44", 2, 0, 6, 0.25)])
        at_once = [("a", "games", Load(0.5, 2)), ("a", "games", Load(0.5, 2)), ("a", "times", Load(1.0, 2))]
        add_loads(store, at_once)
        findings.set_times(store, [("12", 2, 1, 7, 0.125), ("12", 1, 1, 0, 0.0)])  # an agent may report no nodes
    assert rows(run, "SELECT * FROM timing ORDER BY agent") == [("12", 1, 1, 0, 0.0), ("12", 2, 1, 7, 0.125)]
    assert rows(run, "SELECT * FROM load") == [("a", "games", 0.5, 2)] * 2


def test_a_table_of_a_plugin_is_replaced_whole_or_not_at_all(run):
    def failing():
        yield ("c", 3)
        raise KeyError("x")

    findings.keep(run, "lengths", "agent TEXT, length REAL", iter([("b", 2.0), ("a", 1.5)]))
    with Store.read(run) as store:
        assert queries.kept(store, "lengths") == {"agent": ["b", "a"], "length": [2.0, 1.5]}
        assert [*changed(store.connection, None, ())] == []
    findings.keep(run, "lengths", "agent TEXT", [("z",)])
    with pytest.raises(KeyError):
        findings.keep(run, "lengths", "agent TEXT, more INTEGER", failing())
    for name in ("search", "session", "digest", "1st"):
        with pytest.raises(InputError, match=f"^'{name}' is no name"):
            findings.keep(run, name, "a TEXT", [])
    with Store.read(run) as store:
        assert queries.kept(store, "lengths") == {"agent": ["z"]}
        assert (store.count_games(), store.has("digest")) == (3, True)
    findings.keep(run, "lengths", "agent TEXT", [])
    assert rows(run, "SELECT * FROM lengths") == []


def test_what_is_found_out_about_games_begins_where_it_stopped(run):
    audited = (1, 0, 1, 1, 7, 2, "4")
    with Store.resume(run) as store:
        assert findings.finished_games(store)[0] == (1, 1, "4443", "1-0", "line completed")
        store.add(record(Job(1, 0, 1)), record(Job(1, 1, 0)))
        assert [row[:2] for row in findings.finished_games(store)] == [(1, 1), (2, 1), (5, 1), (3, 2), (4, 2)]
        moves = {(game, ply) for game in range(1, 6) for ply in (0, 1)}
        assert findings.unaudited_moves(store) == moves
        findings.begin_audit(store)
        findings.add_audit(store, [audited])
        findings.begin_audit(store)
        assert findings.unaudited_moves(store) == moves - {(1, 0)}
        again = (*audited[:5], 3, "4 5")  # the last one counts
        findings.add_audit(store, [again, (5, 1, 0, 0, 7, 7, "1")])
        assert store.rows("SELECT * FROM audit ORDER BY game") == [again, (5, 1, 0, 0, 7, 7, "1")]
        assert findings.unaudited_moves(store) == moves - {(1, 0), (5, 1)}
        for chosen in ([(1, 0, 1, 3, 0), (1, 0, 2, 4, None)], [(1, 1, 2, 5, 1)], []):
            findings.set_choices(store, chosen)
            assert store.rows("SELECT * FROM choice") == chosen
        assert [*changed(store.connection, None, ())] == []


def test_an_audit_of_an_earlier_version_gets_the_column_that_it_lacks(run):
    with Store.resume(run) as store:
        findings.begin_audit(store)
        findings.add_audit(store, [(1, 0, 1, 0, 7, 2, "4")])
        update(store, "ALTER TABLE audit DROP COLUMN keepers")
        for name in ("score", "after_score", "best"):
            update(store, f"ALTER TABLE audit ADD COLUMN {name} INTEGER")
        findings.begin_audit(store)
        assert [*changed(store.connection, None, ())] == []
        findings.add_audit(store, [(1, 1, 1, 0, 7, 2, "1 2")])
    assert rows(run, "SELECT ply, keepers FROM audit") == [(0, None), (1, "1 2")]


def test_games_that_are_hidden_are_none_of_the_plan(tmp_path):
    for dropped, games in (([], 6), (["random"], 2), ([AGENTS[0], AGENTS[1]], 0), (["nobody"], 6)):
        path = stored(tmp_path / f"{games}{dropped[:1]}.sqlite", AGENTS, GAMES, planned=12, dropped=dropped)
        with Store.read(path) as store:
            assert (store.count_games(), store.planned()) == (games, games + 6)
        with Store.resume(path) as store:
            assert (store.count_games(), store.planned()) == (6, 12)


@pytest.mark.parametrize("name", ["run.sqlite", "./run.sqlite", "link.sqlite"])
def test_a_file_is_named_as_it_was_typed(run, monkeypatch, name):
    monkeypatch.chdir(run.parent)
    Path("link.sqlite").symlink_to("run.sqlite")
    for way in (Store.read, Store.resume):
        with way(Path(name)) as store, pytest.raises(InputError, match=f"^{Path(name)}: no such table: x$"):
            store.rows("SELECT * FROM x")
    assert {path.name for path in run.parent.iterdir()} == {"run.sqlite", "link.sqlite"}


def test_faults_come_by_who_lost_and_without_games_of_agents_that_were_dropped(tmp_path):
    lost = {}
    for number, dropped in enumerate(([], [AGENTS[1]], ["random"], ["nobody"])):
        path = stored(tmp_path / f"{number}.sqlite", AGENTS, GAMES, dropped=dropped)
        with Store.read(path) as store:
            lost[str(dropped)] = [row[:2] for row in queries.fault_reports(store)]
    both = [(5, AGENTS[1]), (3, "random")]
    assert lost == {"[]": both, f"['{AGENTS[1]}']": both[1:], "['random']": [], "['nobody']": both}


@pytest.mark.parametrize(("parameters", "read"), [
    ({"model": "x", "price": 3, "parallel": 2}, {"model": "x"}),
    ({"model": "x", "disguise": ""}, {"model": "x"}),
    ({"model": "x", "disguise": "stones"}, {"model": "x", "disguise": "stones"}),
    ({"table-size": 3}, {"table_size": 3}),
])  # fmt: skip
def test_of_a_language_model_only_what_changes_no_move_is_left_out(parameters, read):
    assert stored_spec("llm:x", "llm", json.dumps(parameters)).parameters == read


def test_other_agents_keep_parameters_of_those_names():
    assert stored_spec("a", "mine.py:A", '{"price": 1, "parallel": 2}').parameters == {"price": 1, "parallel": 2}
