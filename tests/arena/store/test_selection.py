"""Every choice among games of each kind: finished, faulty, audited in part."""

import itertools

from hand_made import AGENTS, DRAW, FIRST, GAMES, SECOND, audit_of, decisions, stored

from arena.records import FaultRecord, GameRecord, Job, Termination
from arena.store import queries
from arena.store.queries import Selection
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
    return path


NAMES = ("agent", "opponent", "result", "faults", "blunders")


def chosen(store, agent, opponent, result, faults, blunders):
    """Return the games that meet all conditions, looked at one by one."""
    found, audited = [], {}
    for game, ply, value, after, *_ in AUDITED:
        audited.setdefault(game, []).append((ply, value, after))
    for number, first, second, moves, outcome, fault in played(store):
        whole = len(audited.get(number, ())) >= moves
        for side in (0, 1) if agent is not None else (0,):
            mine, other = ((first, second), (second, first))[side]
            wins = {"1-0": "win", "0-1": "loss"}.get(outcome, "draw")
            wins = wins if side == 0 else {"win": "loss", "loss": "win"}.get(wins, wins)
            lost = [ply for ply, value, after in audited.get(number, ()) if after < value]
            if (
                (agent is None or mine == agent)
                and (opponent is None or opponent in ((other,) if agent is not None else (first, second)))
                and (result is None or wins == result)
                and (not faults or (fault and (agent is None or wins == "loss")))
                and (not blunders or (whole and [ply for ply in lost if agent is None or ply % 2 == side]))
            ):
                found.append(number)
                break
    return found


def played(store):
    """Yield the games of the run: number, players, decisions, result, and whether it ended by a fault."""
    faults = {str(each) for each in Termination if each.is_fault}
    for row in store.rows(
        "SELECT id, first - 1, second - 1, (SELECT count(*) FROM move WHERE game = game.id), result, termination "
        "FROM game ORDER BY id"
    ):
        yield *row[:5], row[5] in faults


def test_every_choice_of_games_is_what_one_finds_by_looking_at_each(tmp_path):
    with Store.read(run(tmp_path / "run.sqlite")) as store:
        for given in itertools.product(
            (None, 0, 2), (None, 1), (None, "win", "draw", "loss"), (False, True), (False, True)
        ):
            where = queries.matching(
                **dict(zip(("agent", "opponent", "result", "faults", "blunders"), given, strict=True))
            )
            games = [row[0] for rows in Selection(store, where).rows(3) for row in rows]
            assert games == chosen(store, *given), given
            assert len(games) == Selection(store, where).count()


def test_the_columns_of_chosen_games_are_their_rows_of_those_of_all_games(tmp_path):
    def rows(*where):
        columns = query(store, *where)
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    with Store.read(run(tmp_path / "run.sqlite")) as store:
        last = store.count_games()
        for query in (queries.games, queries.moves, queries.replies, queries.searches):
            whole = rows()
            for numbers in ({99}, {last}, {1, 6, 8}, {*range(1, last + 1)}):
                assert rows(queries.numbered(numbers)) == [
                    row for row in whole
                    if row["game"] in numbers and (query is not queries.searches or row["depth"] > 0)
                ]  # fmt: skip
            assert len({row["game"] for row in whole}) == {queries.games: last, queries.replies: 1}.get(query, last - 4)
