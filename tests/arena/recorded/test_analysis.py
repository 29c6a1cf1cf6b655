"""Every table of the analysis, each number in full, over runs that hold what runs rarely do.

The runs are made here, without an agent: self-play, agents that never met, uneven numbers of games, faults of every
kind on either side, games that are audited in part, searches that tell nothing, random moves of a language model. The
numbers are recorded; the other tests of this room say by hand-made runs what they should be.
"""

import itertools
import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from changed import connect
from hand_made import audit_of, decision, stored
from recorded import RECORDED, holds, plain, tried

from agents.board import Outcome
from agents.errors import InputError
from arena.comparison import ratings
from arena.perfect import kept as audit
from arena.plugins.diff import difference
from arena.plugins.language import models as language
from arena.records import Termination
from arena.store.run_file import Store
from arena.store.schema import EXTRA, LOAD, TIMING
from arena.tournament import effort, faults, games, pairings, pool, sweep
from arena.tournament import frames as reading
from arena.tournament.frames import Frames
from arena.tournament.rounds import openings, rounds
from arena.tournament.standings import counts, crosstable, standings, start

pytestmark = pytest.mark.compiles

AGENTS = (
    "minimax:depth=2", "alphabeta:depth=2,order=centre", "alphabeta:depth=3,order=centre",
    "alphabeta:depth=5,order=centre", "random", "alphabeta:seconds=0.02", "llm:a", "llm:b", "greedy",
)  # fmt: skip
BOARD = {"columns": 5, "rows": 4, "connect": 4}
OPENINGS = (("12", 1), ("3", -1), ("45", 0), ("111", 1), ("24", None), ("5", 1))
SUPERSEDED = "CREATE TABLE superseded AS SELECT * FROM game WHERE id < 4"
"""What version 0.2.0 kept of games that were played again."""
FAULTS = (Termination.ILLEGAL, Termination.EXCEPTION, Termination.TIME)


def games_of(seed, agents, *, met, openings=OPENINGS, faulty=(), shift=0):
    """Return games between agents of rising strength; `met` says which openings two play, and in which colours."""
    chance = random.Random(seed)
    found = []
    for (one, two), (opening, _) in itertools.product(itertools.product(range(agents), repeat=2), enumerate(openings)):
        if not met(one, two, opening):
            continue
        ahead = (one - two) / 3 + 0.2
        drawn = chance.random()
        result = Outcome.DRAW if drawn < 0.2 else Outcome(int(chance.random() > 0.5 + ahead / 4))
        end = Termination.FULL if result is Outcome.DRAW else Termination.LINE
        if one in faulty and opening % 2:
            result, end = Outcome.SECOND_WINS, FAULTS[opening % 3]
        elif two in faulty and opening == 2:
            result, end = Outcome.FIRST_WINS, FAULTS[two % 3]
        text = openings[opening][0]
        begun = len(text)
        text += "".join(str(chance.randrange(1, 6)) for _ in range(4 + (one * 3 + two + opening) % 9))
        moves = []
        for ply in range(begun, len(text)):
            agent = (one, two)[ply % 2]
            depth = 0 if agent in (4, 6, 7) else 1 + agent
            nodes = (
                0 if agent in (4, 7) else (agent + 2) ** (3 + ply % 3) + chance.randrange(40) + shift * (ply % 5 == 0)
            )
            seconds = 0.0004 * (agent + 1) + chance.random() / 50
            steps = [(each, max(nodes - 7 * (depth - each), 1), seconds * each / depth) for each in range(1, depth + 1)]
            moves.append(decision(ply, depth, nodes, seconds, *(steps if agent != 5 else steps[-1:]),
                                  column=int(text[ply]) - 1))  # fmt: skip
        found.append((one, two, opening, text, result, end, tuple(moves)))
    return found


def audited(path, seed, *, part=1.0):
    """Store an audit of the first share of the games, of the last of them half of the moves."""
    chance, rows = random.Random(seed), []
    with Store.read(path) as store:
        made = store.select("SELECT game, ply FROM move ORDER BY game, ply")[1]
    last = max(game for game, _ in made) * part
    for game, ply in made:
        if game > last or (game + 1 > last and ply % 2):
            continue
        value = chance.choice((1, 1, 0, -1))
        after = value - (chance.random() < 0.3) * (value > -1)
        legal = chance.randrange(2, 6)
        keeping = legal if value == -1 else chance.randrange(1, legal + 1)
        rows.append((game, ply, value, after, legal, keeping))
    return audit_of(path, rows)


def change(path, *statements):
    connection = connect(path)
    with connection:
        for statement, *rows in statements:
            for script in (statement,) if rows else filter(str.strip, statement.split(";\n")):
                connection.executemany(script, rows[0]) if rows else connection.execute(script)
    connection.close()
    return path


def odd(path, shift=0):
    """Return the run of all that is rare."""
    stored(
        path, AGENTS,
        games_of(
            3, 8, faulty=(4, 5), shift=shift,
            met=lambda one, two, opening: ((one < 6) == (two < 6) and (one + two + opening) % 3 and (
                one != two or one == 1)) or (one, two) == (6, 7) or ((one, two) in {(6, 4), (4, 7), (7, 4)}),
        ),
        openings=OPENINGS, planned=400, rules=BOARD, seconds=None, openings_named="plies:2",
    )  # fmt: skip
    with Store.read(path) as store:
        asked = store.select(
            "SELECT move.game, ply FROM move JOIN game ON game.id = move.game"
            " WHERE (CASE ply % 2 WHEN 0 THEN first ELSE second END) IN (7, 8) ORDER BY 1, 2"
        )[1]
    replies = [
        (game, ply, json.dumps({
            "status": "ok" if number % 4 else "illegal", "tries": 1 + number % 3, "reply": f"move: {number}",
            "tokens_in": None if number % 7 == 3 else 100 + number, "tokens_out": 20 + number % 5, "seconds": 0.5,
            "finish": "stop", "model": "m", "prompt": "0" * 16,
            "drawn": number % 4 == 0, "errors": number % 2,
        }))
        for number, (game, ply) in enumerate(asked)
    ]  # fmt: skip
    times = [
        (f"12{place}", agent, turn, 50 * agent + place, 0.001 * agent * place * (1 + 0.7 * (turn == place % 3)))
        for place, agent, turn in itertools.product(range(1, 9), (2, 3, 4), range(3))
        if (place, agent) != (4, 3)
    ]
    return change(
        path, (EXTRA,), ("INSERT INTO extra VALUES (?, ?, ?)", replies), (TIMING,),
        ("INSERT INTO timing VALUES (?, ?, ?, ?, ?)", times), (LOAD,),
        ("INSERT INTO load VALUES (?, ?, ?, ?)", [("2026", "games", 0.5, 2), ("2026", "games", 0.7, 4),
                                                  ("2026", "times", 1.5, 2)]),
        ("UPDATE game SET detail = 'it took ' || id || '.5 s' WHERE termination = 'out of time'",),
        ("INSERT INTO fault SELECT id, length(moves), moves, 'trace ' || id, 'written' FROM game WHERE detail != ''",),
        ("UPDATE agent SET stranger = 1, author = 'Ada', digest = 'd1' WHERE id IN (5, 6)",),
        ("UPDATE run SET plan = json_set(plan, '$.dropped', json_array('alphabeta:depth=3,order=centre'))",)
        if shift else (SUPERSEDED,),
    )  # fmt: skip


def exact(path, **plan):
    """Return a run of agents that repeat their moves, from openings that take turns, audited."""
    agents = AGENTS[:4]
    openings = tuple((str(1 + place % 5) * (1 + place // 5), (1, -1, 0, -1)[place % 4]) for place in range(12))
    stored(
        path, agents,
        games_of(4, 4, met=lambda one, two, opening: one != two and (opening < 11 or one + two != 3),
                 openings=openings),
        openings=openings, rules=BOARD, **{"population": 60, "strata": [30, 30]} | plan,
    )  # fmt: skip
    return audited(path, 4)


def sequential(path):
    """Return a sequential test that has decided."""
    agents = AGENTS[1:3]
    openings = tuple((f"{1 + place % 5}{1 + place // 5}", None) for place in range(16))
    stored(path, agents, games_of(5, 2, met=lambda one, two, opening: one != two, openings=openings),
           openings=openings, rules=BOARD, population=None, sprt="elo0=0,elo1=200,model=logistic")  # fmt: skip
    looks = [(pairs, 0.2 * pairs, -2.9, 2.9, "H1" if pairs == 16 else "continue") for pairs in range(10, 17)]
    return change(path, ("INSERT INTO sprt VALUES (?, ?, ?, ?, ?)", looks))


def heuristics(path):
    """Return a comparison of three heuristics at two depths, of which one pairing ended by faults alone."""
    levels = {
        f"depth {depth}": {
            f"alphabeta:depth={depth},heuristic={each}": each for each in ("zero", "parity", "smart-aware")
        }
        for depth in (2, 3)
    }
    agents = tuple(agent for names in levels.values() for agent in names)
    played = games_of(6, 6, met=lambda one, two, opening: one != two and one // 3 == two // 3)
    played = [
        (one, two, opening, text, Outcome.SECOND_WINS if one == 3 else Outcome.FIRST_WINS, Termination.EXCEPTION, moves)
        if {one, two} == {3, 4} else (one, two, opening, text, result, end, moves)
        for one, two, opening, text, result, end, moves in played
    ]  # fmt: skip
    stored(path, agents, played, openings=OPENINGS, rules=BOARD, comparison={"levels": levels}, rounds=6, seed=4,
           population=60)  # fmt: skip
    return audited(path, 5)


def one_way(path):
    """Return a family of depths, of which the least lost and the greatest won every game against the others."""
    agents = tuple(f"alphabeta:depth={depth}" for depth in range(1, 6))
    played = games_of(8, 5, met=lambda one, two, opening: one != two and abs(one - two) < 3)
    played = [
        (one, two, opening, text, Outcome(int(one < two)), Termination.LINE, moves)
        if {one, two} & {0, 4} else (one, two, opening, text, result, end, moves)
        for one, two, opening, text, result, end, moves in played
    ]  # fmt: skip
    return stored(path, agents, played, openings=OPENINGS, rules=BOARD, population=None)


def to_end(path):
    """Return searches that always reach the end of a game, others that do so at first, and deep ones that never do."""
    played = []
    for one, two, opening in itertools.product(range(3), range(3), range(3)):
        moves = []
        for ply in range(2, 8):
            agent, left = (one, two)[ply % 2], 20 - ply
            depth = left if agent == 0 or (agent == 1 and ply < 5) else 11 + ply % 2 + opening
            steps = [(each, 3**each // (each + agent), 0.001 * each + 0.0001 * ply) for each in range(1, depth + 1)]
            moves.append(decision(ply, depth, *steps[-1][1:], *steps, column=ply % 5))
        text = f"{1 + opening}1" + "".join(str(1 + ply % 5) for ply in range(2, 8))
        played.append((one, two, opening, text, Outcome.DRAW, Termination.FULL, tuple(moves)))
    agents = (*AGENTS[:2], AGENTS[5])
    return stored(path, agents, played, openings=("11", "21", "31"), rules=BOARD, seconds=0.01)


def adaptive(path, name, agents=5, **plan):
    """Return a run of a format in which results decide who meets whom, with every game that it might ask for."""
    stored(
        path, ("greedy", "random", "mcts", "minimax", "alphabeta")[:agents],
        games_of(7, agents, met=lambda one, two, opening: one != two),
        openings=OPENINGS, rules=BOARD, **{"format": name, "rounds": 2, "seed": 3} | plan,
    )  # fmt: skip
    return path


MADE = {
    "odd": lambda path: audited(odd(path), 9, part=0.8),
    "dropped": lambda path: odd(path, shift=9),
    "exact": exact,
    "over all": lambda path: exact(path, population=12, strata=[12]),
    "tested": sequential,
    "heuristics": heuristics,
    "one way": one_way,
    "to the end": to_end,
    "swiss": lambda path: adaptive(path, "swiss"),
    "knockout": lambda path: adaptive(path, "knockout", 4),
    "own format": lambda path: adaptive(path, "mine.py:Own"),
    "in pairs": lambda path: adaptive(path, "knockout", pairs=[[0, 1]]),
}


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    found = {name: make(folder / f"{name.replace(' ', '-')}.sqlite") for name, make in MADE.items()}
    for path in (RECORDED.parent / "printed").glob("*.sqlite"):
        found[path.stem] = Path(shutil.copy(path, folder))
    return found


def first(rows, number):
    """Return the first rows of a table."""
    return [list(row) for row in rows.head(number).itertuples(index=False, name=None)]


def tables(frames):
    """Return what was read, of long tables the first rows and all sums."""
    found = {}
    for name in (
        "agents",
        "openings",
        "games",
        "moves",
        "searches",
        "evidence",
        "audit",
        "times",
        "replies",
    ):
        table = getattr(frames, name)
        sums = table.select_dtypes("number").sum().to_dict()
        found[name] = {"columns": [*table.columns], "number": len(table), "sums": sums, "first": first(table, 6)}
        found[name]["last"] = first(table[-2:], 2)
    found["agents"]["first"] = first(frames.agents, 99)
    found["reported"] = [frames.reported(rows).groupby(rows["agent"]).agg(["count", "sum"]).reset_index()
                         for rows in (frames.moves, frames.searches)]  # fmt: skip
    found["opening of"] = frames.opening_of(frames.moves).groupby(frames.moves["game"]).first().tolist()[:30]
    told = ("planned", "sampled", "population", "winners")
    return found | {name: getattr(frames, name) for name in told} | {
        "load": [frames.load(), frames.load("times")], "lost": frames.lost(),
        "sides": frames.sides().sort_values(["agent", "opponent", "first", "points", "fault"]),
    }  # fmt: skip


def rated(frames, anchor):
    """Return what is said of strength."""
    rated = pool.ratings_of(frames, anchor)
    names = list(rated)
    ends = {}
    for part in pool.parts(frames):
        own = [name for name in names if name in part]
        ends |= {f"{a} - {b}": tried(pool.gap_ends(frames, part), a, b) for a, b in itertools.combinations(own[:3], 2)}
    return {
        "parts": pool.parts(frames), "order": names, "ends": ends,
        "of run": tried(pool.of_run, frames, anchor),
        "standings": standings(frames), "anchored": standings(frames, anchor), "crosstable": crosstable(frames),
        "counts": counts(frames), "start": start(frames),
    }  # fmt: skip


def searched(frames):
    """Return what is said of costs."""
    names = [str(name) for name in frames.agents["name"]]
    found = effort.phases(frames)
    return {
        "effort": effort.effort(frames), "compact": effort.compact(frames), "phases": found,
        "usual": effort.usual(found), "overruns": effort.overruns(frames), "slowed": effort.slowed(frames),
        "limits": [effort.limit(frames, name) for name in names],
        "ratios": [effort.ratio(frames.only((one, two)), one, two) for one, two in itertools.combinations(names, 2)],
        "models": language.models(frames),
    }  # fmt: skip


def met(frames):
    """Return what is said of pairings, and of the matches of a format."""
    found = pairings.duels(frames, 60.0)
    return {
        "duels": found, "one": pairings.duels(frames)[:1], "tally": pairings.tally(found),
        "statistics": [each.statistics for each in found],
        "pairs": pairings.pairs(frames, *frames.agents["name"][:2]) if len(frames.agents) > 1 else None,
        "evidence": pairings.evidence(frames),
        "estimate": pairings.sprt_estimate(frames) if "sprt" in frames.plan else None,
        "rounds": rounds(frames), "openings": openings(frames),
        "faults": faults.faults(frames), "faulty": faults.faulty(frames),
    }  # fmt: skip


def held(frames):
    """Return what an audit says."""
    return {
        "agents": audit.agents(frames), "ranges": audit.ranges(frames) if len(frames.audit) else [],
        "coverage": audit.coverage(frames), "kept": audit.kept(frames),
    }  # fmt: skip


NEW = [*MADE]


def of_each(paths, names, call):
    return {name: tried(lambda name=name: call(Frames.read(paths[name]))) for name in names}


def test_what_is_read_of_a_run_stays(paths, request):
    holds("analysis-frames", of_each(paths, NEW[:6], tables), request)


PLANS = (
    {}, {"seconds": 1.0}, {"clock": "60+1"}, {"population": None}, {"strata": [3, 4]}, {"strata": [5]},
    {"strata": [3, None]}, {"format": "swiss"},
    {"format": "knockout:2"}, {"format": "gauntlet"},
)  # fmt: skip


def test_what_a_plan_leaves_to_chance_stays(paths, request):
    frames, found = Frames.read(paths["exact"]), {}
    for plan in PLANS:
        for sure in (1, 0):
            agents = frames.agents.assign(deterministic=[1, 1, sure, 1])
            other = replace(frames, plan={"population": 60} | plan, agents=agents)
            found[f"{plan} {sure}"] = [other.population, other.winners]
    holds("analysis-plans", plain(found), request)


def test_ratings_of_runs_stay(paths, request):
    found = of_each(paths, NEW, lambda frames: rated(frames, (str(frames.agents["name"].iloc[1]), 1000.0)))
    found["unknown anchor"] = tried(standings, Frames.read(paths["exact"]), ("nobody", 0.0))
    holds("analysis-ratings", found, request, within=1e-6)


def test_costs_of_searches_stay(paths, request):
    holds("analysis-effort", of_each(paths, [*NEW[:6], "to the end"], searched), request)


def test_pairings_rounds_and_faults_stay(paths, request):
    found = of_each(paths, NEW[:6], met)
    found |= of_each(paths, NEW[6:], lambda frames: [rounds(frames), pairings.duels(frames)[:2]])
    holds("analysis-pairings", found, request, within=1e-6)


def test_audits_stay(paths, request):
    found = of_each(paths, ["odd", "exact", "over all", "heuristics", "dropped", "comparison", "field"], held)
    holds("analysis-audit", found, request, within=1e-6)


def test_comparisons_and_sweeps_stay(paths, request):
    found = {}
    for name in ("heuristics", "comparison"):
        frames = Frames.read(paths[name])
        for margin, anchor in ((30.0, None), (400.0, ("zero", 100.0)), (5.0, None)):
            found[f"{name} {margin:g}"] = tried(ratings.comparison, frames, anchor, margin)
    for name in ("odd", "exact", "one way", "field", "comparison"):
        frames = Frames.read(paths[name])
        rows = [row for row in standings(frames) if row.pool == 1]
        found[f"sweep {name}"] = tried(
            lambda frames=frames, rows=rows: sweep.sweep(
                rows, frames.agents, pool.gap_ends(frames, pool.parts(frames)[0])
            )
        )
    holds("analysis-comparison", found, request, within=1e-6)


CONDITIONS = (
    "score<-0.02", "score > 0", "nodes>1.05", "nodes<1", "ms>0.5", "ms<1000", "same_nodes<1", "same-moves<0.99",
    "same_moves>0", "nodes>x", "time<1", "score=1", "score<.5", "nodes<-3",
)  # fmt: skip


def test_differences_of_two_runs_stay(paths, request):
    found = {}
    for one, two in (("odd", "dropped"), ("dropped", "odd"), ("exact", "over all"), ("field", "later"),
                     ("odd", "field"), ("tested", "exact"), ("swiss", "exact")):  # fmt: skip
        old, new = (Frames.read(paths[name]) for name in (one, two))
        label = f"{one} {two}"
        found[label] = tried(difference.changes, old, new)
        if isinstance(found[label], str):
            continue
        rows = difference.changes(old, new)
        found[f"{label} alike"] = [[row.identical, row.other_nodes] for row in rows]
        found[f"{label} named"] = tried(difference.changes, old, new, [rows[0].agent])
        found[f"{label} nobody"] = tried(difference.changes, old, new, ["nobody"])
        for condition in CONDITIONS:
            found[f"{label} {condition}"] = tried(difference.fails, rows, condition)
    holds("analysis-difference", found, request, within=1e-6)


FILTERS = (
    {}, {"agent": "random"}, {"agent": "random", "result": games.GameResult.WIN}, {"result": games.GameResult.LOSS},
    {"result": games.GameResult.DRAW}, {"agent": "random", "result": games.GameResult.LOSS}, {"faults": True},
    {"agent": "random", "faults": True}, {"agent": "minimax:depth=2", "faults": True},
    {"agent": "minimax:depth=2", "opponent": "random"}, {"opponent": "random"}, {"blunders": True},
    {"agent": "random", "blunders": True}, {"agent": "nobody"},
    {"agent": "alphabeta:depth=3,order=centre"},
)  # fmt: skip


def test_games_that_are_asked_for_stay(paths, request):
    found = {}
    for name in ("odd", "dropped"):
        with Store.read(paths[name]) as store:
            for wanted in FILTERS:
                label = f"{name} {wanted}"
                found[label] = tried(
                    lambda store=store, wanted=wanted: [
                        [each.game, each.thrown, each.is_fault]
                        + ([each.first, each.second, each.result, each.termination, each.detail, each.plies,
                            each.blunders and [blunder.text for blunder in each.blunders]]
                           if wanted == FILTERS[1] else [])
                        for each in games.filtered(store, games.Filter(**wanted))
                    ]
                )  # fmt: skip
                found[f"{label}, 3"] = tried(
                    lambda store=store, wanted=wanted: [
                        each.game for each in games.filtered(store, games.Filter(**wanted), 3)
                    ]
                )
            found[f"{name} numbers"] = [
                str(tried(games.number_of, store, each)).replace(str(store.path), "RUN")
                for each in (1, "2", "0-1-1", "9-9-9", "x", "1" * 19, "0-1-99")
            ]
            found[f"{name} one"] = [
                str(tried(games.game, store, each)).replace(str(store.path), "RUN") for each in (1, 0, 9999)
            ]
            found[f"{name} reports"] = tried(faults.fault_reports, store)
    with Store.read(paths["field"]) as store:
        for number in (1, 6, 40):
            replayed = games.replay(store, number)
            found[f"replay {number}"] = tried(
                lambda replayed=replayed: [
                    replayed.opening, replayed.steps, [str(board) for board in replayed.boards[::7]],
                    [[step.said, step.lost] for step in replayed.steps if step.is_blunder],
                ]
            )  # fmt: skip
        found["field reports"] = tried(faults.fault_reports, store)
    folder = str(paths["odd"].parent)
    found = {label: each.replace(folder, "") if isinstance(each, str) else each for label, each in found.items()}
    holds("analysis-games", found, request)


def test_a_large_run_is_read_as_it_was(paths, request, monkeypatch):
    monkeypatch.setattr(reading, "LARGE", 30)
    monkeypatch.setattr(reading, "SAMPLE", 20)
    with pytest.raises(InputError):
        Frames.read(paths["odd"].parent / "none.sqlite")
    found, folder = {}, paths["odd"].parent
    paths = paths | {"all": change(shutil.copy(paths["dropped"], folder / "all"),
                            ("UPDATE run SET plan = json_remove(plan, '$.dropped')",))}  # fmt: skip
    for name in ("dropped", "tested", "all"):
        frames = Frames.read(paths[name])
        found[name] = tried(
            lambda frames=frames: [
                frames.sampled, len(frames.games), frames.played().ends, frames.played().distinct, frames.lost(),
                sorted(frames.games["game"]), counts(frames), crosstable(frames), openings(frames),
                faults.faults(frames), [row.elo for row in standings(frames)], frames.planned,
                [sorted({*map(int, table["game"])}) for table in (frames.replies, frames.searches)],
                [len(table) for table in (frames.replies, frames.times)],
                language.models(frames),
                [[len(part.replies), len(part.times), part.played().agents, faults.faulty(part)]
                 for part in (frames.only({*frames.agents["name"][place::2]}) for place in (0, 1))],
            ]
        )  # fmt: skip
        found[f"{name} undecided"] = tried(lambda name=name: tables(Frames.read(paths[name], decided=False))["moves"])
    old, new = Frames.read(paths["dropped"]), Frames.read(paths["dropped"], whole=True)
    found["difference"] = tried(difference.changes, old, new)
    holds("analysis-large", found, request, within=1e-6)


def test_branching_factors_stay(request):
    searches = ((8, 1), (57, 2), (3.0, 2), (2.9, 2), (1e6, 9), (9, 0), (9, 65))
    holds("analysis-branching", plain({"branching": [effort.branching_factor(*each) for each in searches]}), request)


def test_results_in_a_csv_file_stay(tmp_path, request):
    texts = {
        "pools": "a,b,wins,draws,losses\nx,y,5,1,2\ny,z,3,3,3\nz, x ,1,0,4\n", "no draws": "a,b,wins,losses\nx,y,1,2\n",
        "spaces": "a, b, wins, draws, losses\nx, y, 5, 1, 2\n", "a word": "a,b,wins,draws,losses\nx,y,5,one,2\n",
        "no name": "a,b,wins,draws,losses\n,y,5,1,2\n", "short": "a,b,wins,draws,losses\nx,y,5\n", "nothing": "",
        "apart": "a,b,wins,draws,losses\nx,y,5,1,2\nv,w,1,1,1\n", "negative": "a,b,wins,draws,losses\nx,y,-5,1,2\n",
        "more": "b,a,draws,wins,losses,note\nx,y,5,1,2,q\n",
        "long": "a,b,wins,draws,losses\nx,y,1234567890123456,1,2\n",
    }  # fmt: skip
    found = {}
    for name, text in texts.items():
        path = tmp_path / "results.CSV"
        path.write_text(text, encoding="utf-8")
        said = tried(pool.of_file, path)
        found[name] = said.replace(str(path), "FILE") if isinstance(said, str) else said
    path.write_text(texts["pools"], encoding="utf-8")
    found["anchored"] = tried(pool.of_file, path, ("x", 50.0))
    holds("analysis-csv", found, request, within=1e-5)
