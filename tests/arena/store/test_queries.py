"""What each query answers of one run that has everything: all rows, all columns, in their order."""

import pytest
from hand_made import DRAW, FIRST, SECOND, stored

from agents.agent import Iteration
from arena.records import FaultRecord, GameRecord, Job, MoveRecord, Termination
from arena.statistics.sprt import Evidence
from arena.store import findings, queries
from arena.store.run_file import Store

AGENTS = ("random", "greedy", "minimax:depth=1")
"""Not in the order of their names."""
RANDOM, GREEDY, MINIMAX = AGENTS
MOVES = (
    MoveRecord(2, 4, 0.5, 7, 2, 57, (), (Iteration(1, 8, 0.125, 5, 6), Iteration(2, 57, 0.375, 7, 4))),
    MoveRecord(3, 1, 0.25, None, 0, 1, extra='{"tries": 2}'),
    MoveRecord(4, 2, 0.125, -3, 3, 9, extra='{"tries": "2"}'),
)
GAMES = [
    (1, 0, 1, "12523", FIRST, Termination.LINE, MOVES),
    (0, 1, 1, "125", SECOND, Termination.TIME, (MoveRecord(2, 4, 1.0, 2, 1, 4),)),
    (2, 2, 0, "4411", DRAW, Termination.FULL, (MoveRecord(2, 0, 0.0, nodes=1), MoveRecord(3, 0, 0.0, nodes=2))),
    (0, 2, 0, "4412", SECOND, Termination.LINE, ()),
    (2, 0, 0, "4412", FIRST, Termination.ILLEGAL, ()),
    (0, 1, 0, "44", SECOND, Termination.TIME, ()),
]
KILLED = GameRecord(
    Job(1, 0, 0, 2), "441", DRAW, Termination.KILLED, "no", 90.5, 2.5, (),
    FaultRecord(3, "441", "Traceback", "it printed", '{"tries": 1}'),
)  # fmt: skip
AUDIT = [
    (1, 2, 1, -1, 7, 1, "1"), (1, 3, 0, 0, 7, 3, "1 2 3"), (1, 4, 1, 0, 6, 1, "3"), (2, 2, 1, 0, 7, 2, "2 4"),
    (3, 2, 0, -1, 7, 6, "1 2 3 4 5 6"),
]  # fmt: skip
"""Of the third game a part."""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Store the games and all that may be measured of them, in an order that no query has."""
    path = tmp_path_factory.mktemp("whole") / "run.sqlite"
    stored(path, AGENTS, GAMES, openings=(("44", 0), ("12", -1)))
    with Store.resume(path) as store:
        store.add(KILLED)
        store.add_evidence([(2, Evidence(0.5, -2.0, 3.0, "H0")), (1, Evidence(0.25, -2.0, 3.0, "continue"))])
        findings.begin_audit(store)
        findings.add_audit(store, AUDIT[::-1])
        findings.set_times(store, [
            ("44", 2, 1, 5, 0.5), ("44", 1, 1, 6, 0.25), ("12", 2, 0, 7, 0.125), ("44", 2, 0, 8, 1.0),
        ])  # fmt: skip
        findings.set_choices(store, [(2, 2, 2, 5, None), (1, 4, 1, 3, 1), (2, 2, 1, 4, 0), (1, 2, 3, 1, 0)])
    return path


@pytest.fixture
def store(path):
    with Store.read(path) as store:
        yield store


EPOCH = "1970-01-01T00:00:00.000+00:00"
WRONG = "it is wrong"
COLUMNS = {
    queries.openings: ("opening moves value", [(1, "44", 0), (2, "12", -1)]),
    queries.evidence: (
        "pairs llr lower upper decision", [(1, 0.25, -2.0, 3.0, "continue"), (2, 0.5, -2.0, 3.0, "H0")],
    ),
    queries.games: (
        "game key first second opening moves result termination detail started seconds round",
        [
            (6, "0-1-0", RANDOM, GREEDY, 1, "44", "0-1", "out of time", WRONG, EPOCH, 1.0, 1),
            (4, "0-2-0", RANDOM, MINIMAX, 1, "4412", "0-1", "line completed", "", EPOCH, 1.0, 1),
            (7, "1-0-0", GREEDY, RANDOM, 1, "441", "1/2-1/2", "worker killed", "no", f"{EPOCH[:14]}01:30.500+00:00",
             2.5, 2),
            (5, "2-0-0", MINIMAX, RANDOM, 1, "4412", "1-0", "illegal move", WRONG, EPOCH, 1.0, 1),
            (3, "2-2-0", MINIMAX, MINIMAX, 1, "4411", "1/2-1/2", "board full", "", EPOCH, 1.0, 1),
            (2, "0-1-1", RANDOM, GREEDY, 2, "125", "0-1", "out of time", WRONG, EPOCH, 1.0, 1),
            (1, "1-0-1", GREEDY, RANDOM, 2, "12523", "1-0", "line completed", "", EPOCH, 1.0, 1),
        ],
    ),
    queries.moves: (
        "game ply agent column depth nodes seconds score",
        [
            (1, 2, GREEDY, 5, 2, 57, 0.5, 7), (1, 3, RANDOM, 2, 0, 1, 0.25, None), (1, 4, GREEDY, 3, 3, 9, 0.125, -3),
            (2, 2, RANDOM, 5, 1, 4, 1.0, 2), (3, 2, MINIMAX, 1, 0, 1, 0.0, None), (3, 3, MINIMAX, 1, 0, 2, 0.0, None),
        ],
    ),
    queries.replies: ("game ply agent extra", [(1, 3, RANDOM, '{"tries": 2}'), (7, 3, RANDOM, '{"tries": 1}')]),
    queries.searches: (
        "game ply agent depth nodes seconds score column",
        [
            (1, 2, GREEDY, 1, 8, 0.125, 5, 7), (1, 2, GREEDY, 2, 57, 0.375, 7, 5), (1, 3, RANDOM, 0, 1, 0.25, None, 2),
            (1, 4, GREEDY, 3, 9, 0.125, -3, 3), (2, 2, RANDOM, 1, 4, 1.0, 2, 5), (3, 2, MINIMAX, 0, 1, 0.0, None, 1),
            (3, 3, MINIMAX, 0, 2, 0.0, None, 1),
        ],
    ),
    queries.audit: (
        "game opening ply agent value after legal keeping",
        [
            (1, 2, 2, GREEDY, 1, -1, 7, 1), (1, 2, 3, RANDOM, 0, 0, 7, 3), (1, 2, 4, GREEDY, 1, 0, 6, 1),
            (2, 2, 2, RANDOM, 1, 0, 7, 2), (3, 1, 2, MINIMAX, 0, -1, 7, 6),
        ],
    ),
    queries.times: (
        "position agent turn nodes seconds",
        [("12", GREEDY, 0, 7, 0.125), ("44", GREEDY, 0, 8, 1.0), ("44", RANDOM, 1, 6, 0.25), ("44", GREEDY, 1, 5, 0.5)],
    ),
    queries.choices: (
        "game ply agent column lost",
        [(1, 2, MINIMAX, 1, 0), (1, 4, RANDOM, 3, 1), (2, 2, RANDOM, 4, 0), (2, 2, GREEDY, 5, None)],
    ),
    queries.pairings: (
        "one two games distinct", [(GREEDY, RANDOM, 4, 4), (MINIMAX, MINIMAX, 1, 1), (MINIMAX, RANDOM, 2, 1)],
    ),
    queries.faults: (
        "first second points termination detail games",
        [
            (RANDOM, GREEDY, 0.0, "out of time", WRONG, 2), (GREEDY, RANDOM, 0.5, "worker killed", "no", 1),
            (MINIMAX, RANDOM, 1.0, "illegal move", WRONG, 1),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("query", COLUMNS, ids=lambda query: query.__name__)
def test_the_columns_of_a_run(store, query):
    columns, (names, rows) = query(store), COLUMNS[query]
    assert [*columns] == names.split()
    assert [*zip(*columns.values(), strict=True)] == rows


def test_the_agents_of_a_run(store):
    agents = queries.agents(store)
    assert [*agents] == ["name", "spec", "kind", "parameters", "deterministic", "stranger", "author", "digest"]
    assert (agents["name"], agents["kind"], agents["deterministic"]) == (
        [*AGENTS],
        [RANDOM, GREEDY, "minimax"],
        [0, 0, 1],
    )
    assert queries.described(store) == [*zip(agents["kind"], agents["parameters"], agents["digest"], strict=True)]
    assert queries.agent_numbers(store) == {RANDOM: 1, GREEDY: 2, MINIMAX: 3}
    assert queries.opening_numbers(store) == [1, 2]
    assert queries.lowest_and_highest(store) == (1, 7)


def test_games_packed_into_numbers_can_be_unpacked(store):
    packed = {moves: number for rows in queries.packed_games(store, 3) for number, moves in rows}
    unpacked = {}
    for moves, number in packed.items():
        places, halves = divmod(number, 3)
        unpacked[moves] = (places // 9, places // 3 % 3, places % 3, halves)
    assert unpacked == {
        "12523": (2, 1, 0, 2), "125": (2, 0, 1, 0), "4411": (1, 2, 2, 1), "4412": (1, 2, 0, 2), "44": (1, 0, 1, 0),
        "441": (1, 1, 0, 1),
    }  # fmt: skip


def test_games_by_their_jobs_and_the_last_ones(store):
    assert queries.games_by_job(store, iter([(2, 1, 2), (1, 2, 2), (3, 3, 2), (9, 9, 9)])) == {
        (1, 2, 2): (2, "125"), (2, 1, 2): (1, "12523"),
    }  # fmt: skip
    assert [queries.number_of_job(store, job) for job in (Job(2, 2, 0), Job(1, 0, 1), Job(2, 1, 0))] == [3, 1, None]
    fields = ("game", "first", "second", "moves", "result", "termination")
    assert queries.latest_games(store, 2) == [
        dict(zip(fields, row, strict=True))
        for row in ((7, GREEDY, RANDOM, "441", "1/2-1/2", "worker killed"),
                    (6, RANDOM, GREEDY, "44", "0-1", "out of time"))
    ]  # fmt: skip
    assert [row["game"] for row in queries.latest_games(store, 99)] == [*range(7, 0, -1)]
    first = queries.Selection(store, queries.matching(faults=True)).first(3)
    assert [row[0] for rows in first.rows(2) for row in rows] == [2, 5, 6]
    assert (first.count(), first.first(1).count(), queries.Selection(store).count()) == (3, 1, 7)


def test_faults_have_their_reports_by_who_lost(store):
    assert queries.fault_reports(store) == [
        (2, RANDOM, RANDOM, "out of time", WRONG, "125", "", ""),
        (5, RANDOM, RANDOM, "illegal move", WRONG, "4412", "", ""),
        (6, RANDOM, RANDOM, "out of time", WRONG, "44", "", ""),
        (7, RANDOM, RANDOM, "worker killed", "no", "441", "Traceback", "it printed"),
    ]  # fmt: skip


def test_value_is_lost_in_games_that_are_audited_to_their_end(store):
    assert queries.lost_value(store) == {1: [(2, 1, -1), (4, 1, 0)], 2: [(2, 1, 0)]}
    assert [queries.lost_value(store, game) for game in (1, 2, 3, 4)] == [
        {1: [(2, 1, -1), (4, 1, 0)]}, {2: [(2, 1, 0)]}, {}, {},
    ]  # fmt: skip


def test_the_moves_of_games_with_what_was_said_and_found_out_of_them(store):
    assert queries.decisions(store, 1) == [
        (2, 5, 7, 2, 57, 0.5, None, 1, -1, 7, 1, "1"),
        (3, 2, None, 0, 1, 0.25, '{"tries": 2}', 0, 0, 7, 3, "1 2 3"),
        (4, 3, -3, 3, 9, 0.125, '{"tries": "2"}', 1, 0, 6, 1, "3"),
    ]
    assert queries.decisions(store, 3)[1] == (3, 1, None, 0, 2, 0.0, *[None] * 6)
    assert queries.decisions(store, 4) == []
    assert queries.extras(store, [1, 7]) == {
        (1, 3): '{"tries": 2}', (1, 4): '{"tries": "2"}', (7, 3): '{"tries": 1}',
    }  # fmt: skip
    assert queries.moves_of(store, [2, 1]) == [
        (1, 2, 7, 57, 0.5, 2), (1, 3, None, 1, 0.25, 0), (1, 4, -3, 9, 0.125, 3), (2, 2, 2, 4, 1.0, 1),
    ]  # fmt: skip
    names = ("game", "ply", "value", "after", "legal", "keeping", "keepers")
    assert queries.audit_of(store, [2, 3]) == {row[:2]: dict(zip(names, row, strict=True)) for row in AUDIT[3:]}


def test_a_run_without_games_and_measurements_has_none(tmp_path):
    stored(tmp_path / "run.sqlite", AGENTS, [])
    with Store.read(tmp_path / "run.sqlite") as store:
        for query in (
            queries.evidence,
            queries.games,
            queries.moves,
            queries.searches,
            queries.pairings,
            queries.faults,
        ):
            assert set(map(len, query(store).values())) == {0}, query
        assert queries.lowest_and_highest(store) == (None, None)
        assert (queries.lost_value(store), queries.audit_of(store, [1]), queries.extras(store, [1])) == ({}, {}, {})
        assert (queries.latest_games(store, 3), queries.fault_reports(store), queries.decisions(store, 1)) == (
            [],
            [],
            [],
        )
        assert [*queries.packed_games(store, 3)] == []


def test_a_sample_of_games_is_the_same_each_time_and_all_where_there_are_no_more(store):
    assert [queries.sample(store, size) for size in (None, 7, 8)] == [queries.ALL] * 3
    for size in (1, 3, 6):
        games = [row[0] for rows in queries.Selection(store, queries.sample(store, size)).rows(9) for row in rows]
        by_hash = sorted(range(1, 8), key=lambda number: number * 2654435761 % 2**32)
        assert games == sorted(by_hash[:size])
