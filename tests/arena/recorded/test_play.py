"""What referees, folders and the tests of a match make of what they are given: whole records, on every kind of input.

What is recorded proves nothing of being right; the other tests of this room do. Here nothing changes unseen.
"""

import functools
import hashlib
import itertools
from pathlib import Path

import numpy as np
from recorded import holds, plain, tried
from scripted import Awkward, Leftmost, Middle, Scripted, leftmost, play, raiser
from walked import walked

from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Outcome, Rules
from agents.errors import InputError, PlainError
from agents.failure import Failure
from arena.games import entries, object_agent, openings
from arena.games.field import Setting
from arena.games.formats import jobs, of_name, pairings_of, replay
from arena.games.formats_by_results import pair_up
from arena.games.object_agent import ObjectAgent
from arena.games.referee import Conditions, Fault, as_json, decide, play_game
from arena.games.run import RunningSprt, Tokens
from arena.games.time_control import TimeControl
from arena.plugins.cluster.cluster import CodeBundle, difference
from arena.records import Job
from arena.statistics.sprt import Sprt

ONE = Iteration(1, 8, 0.1, 5, 4)
EXTRAS = (
    None, {}, {"a": 1, "b": [None, 2.5]}, {"a": float("nan")}, {"a": {1}}, {"a": "ü" * 9}, {1: 2}, 7, "text",
    {"a": "x" * 40_000}, {"a": "x" * 70_000}, {"a": Awkward()},
)  # fmt: skip
ANSWERS = {
    "a column": 3,
    "a numpy column": np.int64(3),
    "all of it": Analysis(3, 7, 2, 9, (3, 2), (ONE, Iteration(2, 50, 0.4, 7, 3)), {"a": 1}),
    "numpy numbers": Analysis(np.int8(3), np.float32(2.5), np.int16(4), np.uint8(9), np.array([3, 1]), [ONE]),
    "a score as text": Analysis(3, "seven"),
    "a score that is none and an extra that is none": Analysis(3, float("nan"), extra=5),
    "a score beyond a word": Analysis(3, 1 << 70),
    "a score that is none and an extra": Analysis(3, "seven", extra={"a": 1}),
    "a score and an extra that is none": Analysis(3, 7, extra=5),
    "a score of no letters": Analysis(3, ""),
    "a score of no columns": Analysis(3, []),
    "a score of no columns, and an extra of none": Analysis(3, [], extra=0),
    "a score of nought and an extra without anything": Analysis(3, 0, extra={}),
    "a depth that is none": Analysis(3, depth=None),
    "nodes that are half": Analysis(3, nodes=1.5),
    "a score of False": Analysis(3, False),
    "an iteration before its time": Analysis(3, iterations=(Iteration(1, 1, -0.1, 0, 1),)),
    "an iteration of text": Analysis(3, iterations=("one",)),
    "iterations without end": Analysis(3, iterations=itertools.repeat(ONE)),
    "all is remarked": Analysis(3, "seven", 43, 9, (), (ONE, Iteration(43, 1, 0.1, 0, 3)), extra=5),
    "the score of a loss": Analysis(3, -1_000_000),
    "the best score": Analysis(3, 1_000_000),
    "a score beyond a win": Analysis(3, -1_000_001),
    "a depth of the board": Analysis(3, depth=42),
    "a depth beyond the board": Analysis(3, depth=43),
    "nodes": Analysis(3, nodes=10**11),
    "nodes beyond the time": Analysis(3, nodes=10**14),
    "all beyond": Analysis(3, 1 << 40, 99, 1 << 60, extra=[]),
    "iterations beyond": Analysis(
        3, 1, 1, 1, (), (ONE, Iteration(43, 1, 0.1, 0, 3), Iteration(2, 1, 9.0, 0, 3), Iteration(2, 10**15, 0.1, 0, 3),
                         Iteration(2, 1, 0.1, 1 << 40, 3), Iteration(2, 1, 0.1, None, 3)),
    ),
    "iterations about as long as the move": Analysis(
        3, iterations=tuple(Iteration(1, 8, seconds, 5, 4) for seconds in (0.25, 0.26, 0.34, 0.36)),
    ),
    "iterations of as many nodes as may be": Analysis(
        3, 1, 2, 349 * 10**9, iterations=(Iteration(1, 349 * 10**9, 0.1, 0, 0), Iteration(42, 351 * 10**9, 0.1, 0, 0)),
    ),
    "a column of its line beyond the board": Analysis(3, pv=(0, 6, 7)),
    "a line of 64": Analysis(3, pv=(0,) * 64),
    "a line of 65": Analysis(3, pv=(0,) * 65),
    "256 iterations": Analysis(3, iterations=(ONE,) * 256),
    "257 iterations": Analysis(3, iterations=(ONE,) * 257),
    "an iteration of a column that is none": Analysis(3, iterations=(Iteration(1, 1, 0.0, 0, 7),)),
    "an iteration at no time": Analysis(3, iterations=(Iteration(1, 1, float("inf"), 0, 1),)),
    "an iteration of True": Analysis(3, iterations=(Iteration(True, 1, 0.0, 0, 1),)),
    "a line below": Analysis(3, pv=(-1,)),
    "a depth below": Analysis(3, depth=-1),
    "nodes of True": Analysis(3, nodes=True),
    "a full column": 0,
    "no column": 7,
    "below": -1,
    "True": True,
    "nothing": None,
    "text": "3",
    "long text": "x" * 500,
    "odd": Awkward(),
    "an error": raiser(ValueError("one\ntwo \x1b[31m")),
    "an error of ours": raiser(PlainError("plain\nmore")),
    "a failure": raiser(Failure("gave up", "at once\n\x07", traceback="t\x07", output="o\x07", extra={"a": 1})),
    "a failure alone": raiser(Failure("out of time", "")),
}  # fmt: skip


SMALL = Board.from_moves("4444", Rules(5, 4))


def decided(answer, conditions, board=Board.from_moves("111111")):  # noqa: B008  immutable
    """Return what the referee makes of an answer after a quarter of a second, or the fault."""
    times = itertools.count(9.0, 0.25)
    try:
        made = decide(Scripted(answer), board, conditions, lambda: next(times))
        return [each if not isinstance(each, list) or len(each) < 9 else [len(each), each[-1]] for each in plain(made)]
    except Fault as fault:
        return [
            str(fault.termination),
            fault.detail.partition(" (")[0],
            fault.traceback[-30:],
            fault.output,
            fault.extra,
        ]


def test_what_is_made_of_every_answer_stays(request):
    found = {name: decided(answer, Conditions()) for name, answer in ANSWERS.items()}
    for conditions in (
        Conditions(Limits(seconds=0.2), 0.04), Conditions(Limits(seconds=0.2), 0.06), Conditions(Limits(3, 50, 0.3)),
        Conditions(clock=TimeControl(0.2), margin=0.04), Conditions(clock=TimeControl(0.2, 9.0), margin=0.06),
    ):  # fmt: skip
        found[f"within {conditions}"] = decided(3, conditions)
    small = {
        "a depth of the board": Analysis(4, depth=20), "a depth beyond it": Analysis(4, depth=21), "no column": 5,
        "a line of its columns": Analysis(0, pv=(4, 0)), "a line beyond": Analysis(0, pv=(5,)),
        "iterations": Analysis(2, iterations=(Iteration(20, 1, 0.1, 0, 4), Iteration(21, 1, 0.1, 0, 4))),
        "an iteration beyond": Analysis(2, iterations=(Iteration(1, 1, 0.1, 0, 5),)), "full": 3,
    }  # fmt: skip
    found |= {f"on 5x4 {name}": decided(answer, Conditions(), board=SMALL) for name, answer in small.items()}
    found["extras"] = [[len(text), text[:80], said[:60]] for text, said in map(as_json, EXTRAS)]
    holds("play-answers", found, request)


def test_whole_games_stay(request):
    def game(one, two, opening="", **rest):
        times = itertools.count(9.0, 0.25)
        kept = plain(play(one, two, opening, clock=lambda: next(times), **rest))
        if kept["fault"]:
            kept["fault"]["traceback"] = kept["fault"]["traceback"].splitlines()[-1:]
        kept["detail"] = kept["detail"].partition(" (")[0]
        return kept | {"started": 0}

    class Late(Leftmost):
        def new_game(self, seed):
            raise ValueError(f"not with {seed}")

    def fours(one, two, opening=""):
        kept = plain(
            play_game(Job(0, 1, 0), (one, two), Board.from_moves(opening, Rules(4, 4, most_fours=True)), (1, 2))
        )
        return [kept[key] for key in ("moves", "outcome", "termination", "detail")]

    full = "54712566226127126621574377157631535333444"
    found = {
        "a line": game(Leftmost(), Middle()),
        "a line of the second": game(Middle(), Leftmost(), "71"),
        "a full board": game(Leftmost(), Leftmost(), full),
        "a fault of the first": game(Scripted(0, 9), Leftmost()),
        "a fault of the second": game(Leftmost(), Scripted(None), "4"),
        "no game": game(Leftmost(), Late(), "4"),
        "no game of the other": game(Leftmost(), Late()),
        "most fours": fours(Leftmost(), Middle()),
        "most fours of the second": fours(Middle(), Leftmost()),
        "most fours, a win": fours(Leftmost(), Middle(), "234221121414343"),
        "most fours, a loss": fours(Leftmost(), Middle(), "231442111343224"),
        "most fours with a fault": fours(Leftmost(), Scripted(4), "231442111343224"),
        "a clock that is spent": game(Middle(), Leftmost(), conditions=Conditions(clock=TimeControl(0.4), margin=0.2)),
        "a clock that fills": game(Middle(), Leftmost(), conditions=Conditions(clock=TimeControl(0.3, 1.0))),
    }
    holds("play-games", found, request)


FILES = {
    "ann.py": '"""Ann Lee, 2nd year.\n\nMore."""\ndef choose(board):\n    return 0\n',
    "bob.py": "class Helper:\n    def choose(self, b): pass\nclass Bot:\n    def choose(self, b): pass\n",
    "cat.py": "class A:\n    def choose(self, b): pass\nclass B:\n    def choose(self, b): pass\n",
    "dan.py": "def choose(:\n",
    "eve.toml": 'name = "ann"\nspec = "greedy"\nnodes = 7\nauthor = "Eve\\u0007"',
    "own.py": "def evaluate(own, opp):\n    return 0\n",
    "bob_book.txt": "", "notes.txt": "", "run.sqlite": "", "bot.js": "", "_draft.py": "def choose(board): return 0\n",
    "max_17_assignsubmission_file_/main.py": "def choose(board):\n    return 0\n",
    "max_17_assignsubmission_file_/more.py": "",
    "ned/only.py": "def choose(board):\n    return 0\n",
    "ora/a.py": "def choose(board):\n    return 0\n",
    "ora/b.py": "def choose(board):\n    return 0\n",
    "pat/main.py": "def choose(:\n",
    "ann/agent.py": "def choose(board):\n    return 0\n",
    "docs/readme.txt": "",
}  # fmt: skip


ROSTER = """
[[agent]]
name = "low"
spec = "greedy"
[[agent]]
name = "low"
command = "./run -v 'a b'"
folder = "class"
protocol = "uci"
environment = {A = 1, B = "c"}
seconds = 2
[[agent]]
name = "far"
spec = "class/ann.py"
[[agent]]
name = "bad"
spec = "greedy"
nodes = 0
"""


def test_what_a_folder_holds_stays(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "class"
    for name, text in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    (place / "run").write_text("#!/bin/sh\n")
    (place / "run").chmod(0o755)
    (place / "link.py").symlink_to(place / "ann.py")
    (tmp_path / "empty").mkdir()
    (tmp_path / "all.toml").write_text(ROSTER)

    def of(call, text):
        found = tried(call, text)
        return plain_text(found, str(tmp_path))

    texts = ["class", "class/", "class/:bob", "class/:ned", "class/:max", "class/:dan", "class/:nobody",
             "class/:pat", "all.toml", "all.toml:low", "all.toml:low#2", "all.toml:bad", "all.toml:lo", "empty", "none",
             "none.toml"]  # fmt: skip
    found = {text: of(entries.read_entries, text) for text in texts}
    for name in ("ann.py", "bob.py", "cat.py", "dan.py", "own.py", "notes.txt", "none.py", "ned/only.py"):
        found[f"file {name}"] = of(entries.of_file, Path("class") / name)
    found["invited"] = of(entries.invited, ["greedy", "class/:ann", "minimax:depth=1..2", "all.toml"])
    words = ("class", "class/:x", "all.toml:x", "all.toml", "greedy", "cmd:class/x.toml", "uci:a/:b", " ", "none/:x")
    found["hold entries"] = {word: entries.holds_entries(word) for word in words}
    found["addresses"] = [entries.address(place, "a") for place in ("class", "class/", "all.toml")]
    found["numbered"] = entries.numbered(["a", "b", "a", "a#2", "a", "b"])
    holds("play-entries", found, request)


def plain_text(value, folder):
    """Return plain data without the folder of this test."""
    if isinstance(value, str):
        return value.replace(folder, "FOLDER")
    if isinstance(value, list):
        return [plain_text(each, folder) for each in value]
    return {key: plain_text(each, folder) for key, each in value.items()} if isinstance(value, dict) else value


def test_a_running_test_stays(request):
    games, found = jobs([(0, 1)], 30), {}
    turned = dict(zip(Outcome, (Outcome.SECOND_WINS, Outcome.FIRST_WINS, Outcome.DRAW), strict=True))
    for name, ends in {"wins": "110", "losses": "001", "even": "1=0"}.items():
        results = {}
        for number, job in enumerate(games):
            end = ends[number % 3]
            first = {"1": Outcome.FIRST_WINS, "0": Outcome.SECOND_WINS, "=": Outcome.DRAW}[end]
            results[job] = first if job.first == 0 else turned[first]
        running = RunningSprt(Sprt.parse("elo0=0,elo1=200"), games)
        late = {job: end for job, end in results.items() if job != games[1]}
        steps = [plain(running.update(each)) for each in ({}, late, dict([*results.items()][:9]), results, results)]
        found[name] = [steps, running.counts, running.decided, len(running.left), len(running.counted)]
    holds("play-sprt", found, request)


class Slotted(Middle):
    __slots__ = ("far", "near")
    name = "a slotted one"

    def __init__(self):
        self.far, self._own = float("inf"), 3


class Many(Middle):
    name = "no\nname"

    def __init__(self):
        self.a, self.b, self.c, self._d = (1, [2.5, None]), "text", Middle(), 4
        self.e = float("nan")


def test_agents_of_the_program_itself_stay(request):
    found = {}
    for given, name in ((Middle, None), (Middle(), "mine"), (leftmost, None), (Slotted(), None), (Many(), None)):
        spec = ObjectAgent.of(given, name)
        label = f"{spec.text} {getattr(given, '__name__', type(given).__name__)} {isinstance(given, type)}"
        again = spec.__reduce__()[0](*spec.__reduce__()[1])
        found[label] = [
            spec.text,
            spec.kind.replace(__name__, "HERE"),
            spec.resolved(),
            spec.described(),
            len(spec.digest()),
            spec.travels,
            spec.build().choose(Board(), Limits()),
            again.text,
            again.kind == spec.kind,
            again.resolved(),
            tried(spec.source),
            object_agent.is_absent(spec),
        ]
    for wrong in (5, "greedy", object()):
        found[f"no agent {type(wrong).__name__}"] = tried(ObjectAgent.of, wrong).partition(" at 0x")[0]
    absent = ObjectAgent("mine", "object:here:Mine", {})
    found["absent"] = [object_agent.is_absent(absent), tried(absent.build)]
    two = {"mine": "object:here:Mine", "yours": "object:there:Yours"}
    found["absent two"] = str(object_agent._absent(two))

    def broken():
        raise ValueError("one\ntwo")

    refused = ObjectAgent.of(type("Refused", (Middle,), {"__init__": lambda self: broken()}))
    found["refused"] = tried(refused.build)
    holds("play-objects", plain(found), request)


def test_what_is_spent_and_what_differs_is_said_as_it_was(request):
    tokens, said = Tokens(), []
    for extra in (
        "", '{"a": 1}', '{"tokens_in": 5, "tokens_out": null}', '{"tokens_in": 1200, "tokens_out": 34}',
        '{"tokens_in": null}',
    ):  # fmt: skip
        tokens.add(extra)
        said.append([str(tokens), tokens.count])
    here = {"connect4-arena": "1.0", "numba": "0.60"}
    found = {"spent": said, "differ": [difference(each, here) for each in (ValueError(), {}, here | {"numba": "1"})]}
    specs = [ObjectAgent.of(Middle, name) for name in ("a", "b", "c")]
    bundle = CodeBundle(Setting(tuple(specs), (Board(),), Rules(), 1, Conditions(), ()), (), ("/none", "/bin/sh"))
    name = functools.partial(bundle.name)
    found["named"] = [
        name([Job(2, 0, 0)]),
        name([Job(2, 0, 0), Job(0, 2, 3)]),
        name([Job(0, 1, 0), *jobs([(1, 2)], 4)]),
    ]
    found["missing"] = bundle.missing()
    holds("play-words", plain(found), request)


def dice(text):
    """Return a number from 0 to 1 that depends on a text alone."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / (1 << 32)


def ends_of(strengths, seed):
    """Return who wins a game by dice, the stronger one more often; a tenth of the games are drawn."""

    def outcome(job):
        thrown = dice(f"{seed} {job}")
        chance = 0.45 + strengths[job.first] - strengths[job.second]
        return Outcome.FIRST_WINS if thrown < chance else Outcome.DRAW if thrown < chance + 0.1 else Outcome.SECOND_WINS

    return outcome


def in_short(batch):
    """Return the games of a batch as text: a pairing and its openings, in the round's number."""
    found = {}
    for job in batch:
        found.setdefault(f"{job.round}: {job.first}-{job.second}", []).append(job.opening)
    return [f"{key} {of[0]}..{of[-1]}" for key, of in found.items() if of == [*range(of[0], of[-1] + 1)]]


COURSES = {
    "swiss": (2, 3, 6, 9), "swiss:1": (5,), "swiss:4": (7,), "knockout": (2, 3, 6, 9),
    "round-robin": (2, 4), "gauntlet": (4,),
}  # fmt: skip


def test_courses_that_depend_on_results_stay(request):
    found = {}
    for name, numbers in COURSES.items():
        for agents, seed in itertools.product(numbers, (1, 2)):
            strengths = [dice(f"{name} {seed} {place}") / 3 for place in range(agents)]
            for rounds in (1, 7, 16):
                how = of_name(name, agents, rounds, seed)
                batches, places = walked(how, ends_of(strengths, seed))
                kept = [in_short(batch) for batch in batches]
                assert sum(map(len, batches)) <= how.most
                found[f"{name} {agents} {rounds} {seed}"] = [how.most, places, kept if rounds == 7 else len(kept)]
    holds("play-courses", found, request)


def test_who_is_paired_with_whom_stays(request):
    found = {}
    for agents in (4, 6, 8):
        pairs = list(itertools.combinations(range(agents), 2))
        for seed in range(6):
            standing = sorted(range(agents), key=lambda place, seed=seed: dice(f"{seed} {place}"))
            met, rows = set(), []
            for _ in range(agents // 2):
                rows.append(pair_up(standing, met))
                met |= {frozenset(pair) for pair in rows[-1]}
            found[f"{agents} {seed}"] = rows
            assert len(met) == agents // 2 * (agents // 2) <= len(pairs)
    for met in ([(4, 5)], [(4, 5), (2, 4), (3, 5)], [(4, 5), (2, 4), (2, 5)], [(0, 1), (2, 3), (4, 5)]):
        found[f"six have met {met}"] = pair_up(range(6), {frozenset(pair) for pair in met})
    holds("play-pairs", plain(found), request)


def test_formats_and_what_is_none_of_them_stay(request, tmp_path):
    (tmp_path / "own.py").write_text(
        "def none(agents, include_self): return []\n"
        "def one(agents, include_self): return [('0', 1.0)]\n"
        "def beyond(agents, include_self): return [(0, agents)]\n"
        "def below(agents, include_self): return [(-1, 0)]\n"
        "def twice(agents, include_self): return [(0, 1), (1, 0)]\n"
        "def alone(agents): return []\n"
        "def fails(agents, include_self): return [1]\n"
        "class Fails:\n    number = 0\n    def __init__(self, *given): raise ValueError(f'no\\n{given}')\n"
        "class Plain:\n    most = 3\n    def __init__(self, agents, rounds, seed): self.given = agents, rounds, seed\n"
    )
    own = f"{tmp_path}/own.py:"
    found = {}
    theirs = ("none", "one", "beyond", "below", "twice", "alone", "fails", "nobody")
    for name in ("round-robin", "gauntlet", *(own + each for each in theirs)):
        for agents, itself in ((0, False), (1, False), (1, True), (2, True), (3, False)):
            said = tried(pairings_of, name, agents, include_self=itself)
            found[f"pairings {Path(name).name} {agents} {itself}"] = said
    for name in ("swiss:2", "swiss:", "swiss:-1", "swiss:99", "knockout:3", "Swiss", "round-robin:2",
                 f"{own}Fails", f"{own}Fails:3", f"{own}Plain", f"{own}Plain:3"):  # fmt: skip
        for agents, itself in ((1, False), (3, True), (4, False)):
            said = tried(lambda *given, **named: type(of_name(*given, **named)).__name__, name, agents, 5, 7,
                         include_self=itself)  # fmt: skip
            found[f"format {Path(name).name} {agents} {itself}"] = said
    found["given"] = [of_name(f"{own}Plain", 4, 5, 7).given, of_name("swiss:2", 4, 5, 7), of_name("knockout", 4, 5, 7)]
    how = of_name("knockout", 3, 1, 1)
    whole = {job: Outcome.DRAW for batch in walked(how, lambda job: Outcome.DRAW)[0] for job in batch}
    some = dict([*whole.items()][:3])
    found["replayed"] = [plain_batches(replay(how, results)) for results in ({}, some, whole)]
    holds("play-formats", plain_text(plain(found), str(tmp_path)), request)


def plain_batches(found):
    batches, places = found
    return [[[str(job) for job in batch] for batch in batches], places]


PGN = (
    '[Event "a"]\n[Site "?"]\n\n1. P@d1! P@d2?? 2. @e1+ {so (so) } (2. @a1 (2. @b1)) ; all P@g1\n $3 P@e2# 1-0\n'
    '[FEN "7/7/7/7/7/3P3 b - - 0 1"]\n\nP@d2!? *\n[Event "again"]\n1. P@d1 P@d2 1/2-1/2\n\n[Event "empty"]\n'
)
BOOKS = {
    "plain.txt": "# all\n44 # so\n\n  1 \n44\n7\n", "bom.txt": "\ufeff12\n", "none.txt": "# nothing\n",
    "wrong.txt": "12\n18\n", "over.txt": "\n1212121\n", "games.pgn": PGN, "games.PGN": PGN.replace("P@", "p@"),
    "bad.pgn": '[Event "x"]\n\n\n1. P@d1 P@d3 *\n', "later.pgn": '[Event "x"]\n\nP@d1 *\n\n[Event "y"]\n\nP@d9\n',
    "fens.epd": "7/7/7/7/7/3P3 b - - # so\n\n7/7/7/7/3p3/3P3 w\n", "bad.epd": "7/7/7/7/7/7 w\n\nfour\n",
    "over.epd": "7/7/7/7/ppp4/PPPP3 b\n",
}  # fmt: skip
SETS = ("plies:0", "plies:1", "plies:2", "plies:3", "fair:2", "fair:3", "fair:3:pairs", "fair:4:pairs", "fair:0",
        "plies:9", "plies:x", "plies:", "plies:٣", "fair:2:", "fair:2:pair", "fair:x", "plys:2", "FAIR:2", "none.txt.",
        "fair", ":", "fair:9:pairs")  # fmt: skip


def test_openings_and_what_is_none_of_them_stay(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in BOOKS.items():
        Path(name).write_text(text)
    Path("bytes.txt").write_bytes(b"\xff\xfe1")
    Path("folder.txt").mkdir()

    def drawn(text, rounds, seed, rules):
        boards = openings.draw(text, rounds, seed, rules)
        return [[board.text for board in boards], openings.values(boards), openings.strata(text, rules)]

    found = {}
    for rules in (Rules(), Rules(5, 4), Rules(most_fours=True)):
        for text in (*SETS, *BOOKS, "bytes.txt", "folder.txt"):
            if rules != Rules() and text.startswith(("plys", "FAIR", "none.txt.", ":", "bytes", "folder")):
                continue
            found[f"{rules} {text}"] = tried(drawn, text, 2 if text in BOOKS else 4, 7, rules, errors=InputError)
    found["two seeds"] = [drawn("plies:3", 6, seed, Rules())[0] for seed in (0, 8)]
    found["no boards"] = openings.values([])
    holds("play-openings", found, request)
