"""Every query of a stored run, on games of each kind: finished, faulty, audited in part, timed, deleted.

What is recorded proves nothing of being right; the other tests of this room do. Here nothing changes unseen.
"""

import itertools

from hand_made import AGENTS, DRAW, FIRST, GAMES, SECOND, audit_of, decisions, stored
from recorded import holds, plain, tried

from arena.records import FaultRecord, GameRecord, Job, Termination
from arena.statistics.sprt import Evidence
from arena.store import findings, queries
from arena.store.extend import delete_games
from arena.store.queries import ALL, NONE, Selection
from arena.store.run_file import Store

MORE = [
    (0, 1, 1, "12345", SECOND, Termination.LINE, decisions((2, 3, 90, 0.5), (3, 1, 8, 0.25), (4, 3, 70, 0.125))),
    (2, 1, 1, "1271", DRAW, Termination.FULL, decisions((2, 0, 1, 0.0))),
    (1, 2, 1, "127", FIRST, Termination.TIME, ()),
    (2, 0, 1, "12", SECOND, Termination.ILLEGAL, ()),
]
AUDITED = [
    (1, 2, 1, -1, 7, 1, "1"),
    (2, 2, 0, 0, 7, 3),
    (7, 2, 0, 0, 7, 2),
    (7, 3, 0, -1, 6, 1),
    (7, 4, 1, 1, 6, 4),
    (8, 2, 1, 0, 7, 1),
]


def run(path):
    """Store the games, and what may be found out about them."""
    names = (*AGENTS, "random")
    games = [*GAMES, *MORE, (3, 0, 0, "4427", FIRST, Termination.LINE, decisions((2, 0, 1, 0.5)))]
    stored(path, names, games, openings=(("44", 0), ("12", -1)), dropped=["random#2"])
    audit_of(path, AUDITED)
    with Store.resume(path) as store:
        fault = FaultRecord(3, "441", "Traceback: one\ntwo", "it printed", '{"reply": "no", "tries": 2}')
        job = Job(1, 0, 1)
        store.add(GameRecord(job, "121", FIRST, Termination.EXCEPTION, "ValueError: no", 5.0, 0.5, (), fault))
        store.add_evidence([(1, Evidence(0.5, -2.9, 2.9, "continue")), (2, Evidence(3.0, -2.9, 2.9, "H1"))])
        findings.set_times(store, [("44", agent, turn, 9 * agent, 0.25) for agent in (1, 3) for turn in (0, 1)])
    return path


def every(store):
    """Return what each query answers."""
    found = {}
    for ask in (queries.agents, queries.openings, queries.evidence, queries.games, queries.moves, queries.replies,
                queries.searches, queries.audit, queries.times, queries.faults,
                queries.agent_numbers, queries.opening_numbers, queries.described,
                queries.fault_reports, queries.lowest_and_highest, queries.lost_value):  # fmt: skip
        found[ask.__name__] = tried(ask, store)
    some = queries.numbered([1, 3, 7, 12])
    for ask in (queries.games, queries.moves, queries.replies, queries.searches):
        found[f"{ask.__name__} of some"] = tried(ask, store, some)
    found["packed"] = plain(queries.packed_games(store, 4))
    found["games of"] = [queries.games_of(store, place) for place in range(4)]
    found["latest"] = [queries.latest_games(store, most) for most in (0, 2)]
    known = queries.games_by_job(store, [(1, 2, 1), (2, 1, 1), (4, 1, 1), (4, 4, 1)])
    found["by job"] = plain(sorted([*key, *value] for key, value in known.items()))
    found["numbers"] = [
        queries.number_of_job(store, Job(*each)) for each in ((0, 1, 0), (1, 0, 1), (3, 0, 0), (3, 3, 0))
    ]
    for number in (1, 2, 7, 12, 99):
        found[f"game {number}"] = plain([queries.decisions(store, number), queries.lost_value(store, number)])
    for ask in (queries.extras, queries.moves_of, queries.audit_of):
        found[f"{ask.__name__}"] = plain(ask(store, [1, 7, 8, 12]))
    return found


def chosen(store):
    """Return the games that each condition selects."""
    found = {}
    for agent, opponent, result, faults, blunders in itertools.product(
        (None, 0, 2), (None, 1), (None, "win", "draw", "loss"), (False, True), (False, True)
    ):
        where = queries.matching(agent=agent, opponent=opponent, result=result, faults=faults, blunders=blunders)
        games = [row[0] for rows in Selection(store, where).rows(3) for row in rows]
        assert len(games) == Selection(store, where).count()
        found[f"{agent} {opponent} {result} {faults} {blunders}"] = games
    lost, second = queries.matching(agent=0, result="loss"), queries.matching(opponent=1)
    wheres = {
        "all": ALL,
        "none": NONE,
        "and": lost & second,
        "sample": queries.sample(store, 5),
    }
    for label, where in wheres.items():
        chosen = Selection(store, where)
        found[label] = [plain(rows) for rows in chosen.rows(5)]
        found[f"first of {label}"] = [[row[0] for row in rows] for rows in chosen.first(2).rows(5)]
    return found


def test_every_query_of_a_run_stays(tmp_path, request):
    with Store.read(run(tmp_path / "run.sqlite")) as store:
        found = {name: value for name, value in every(store).items() if name != "described"}
        assert [len(each) for each in queries.described(store)] == [3] * 4
    holds("store-queries", found, request)


def test_every_choice_of_games_stays(tmp_path, request):
    path = run(tmp_path / "run.sqlite")
    with Store.read(path) as store:
        found = chosen(store)
    with Store.resume(path) as store:
        delete_games(store, [Job(0, 1, 0), Job(2, 0, 1), Job(3, 0, 0)])
        found["then left"] = plain(Selection(store).rows(99))
    holds("store-choices", found, request)
