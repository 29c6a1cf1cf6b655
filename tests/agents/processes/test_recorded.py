"""Conversations with process agents, word by word: what is sent, by when, what is answered, stored and hidden.

A stand-in takes the place of the process, and the clock stands still unless an act waits, so that every deadline is a
number. What is recorded is the whole conversation; the other tests of this room hold it against real processes.
"""

import functools
import json
import signal
import sys
from dataclasses import replace
from pathlib import Path

from recorded import holds, plain

from agents import failure
from agents.agent import Analysis, Iteration, Limits
from agents.board import Board, Rules
from agents.bridges import pettingzoo
from agents.errors import InputError
from agents.failure import MEMORY, TIME, Failure, ended
from agents.process_agent import ProcessLimits, Source
from agents.processes import agent as ours
from agents.processes import child, process, sandbox, uci
from agents.processes.agent import SubprocessAgent
from agents.specs import user_agents

KEY, WORD = "s3cret-key", "pass-word"
NOW = 1000.0


class Stand:
    """Stands in for processes: it gives its lines, and keeps all that happens to it."""

    def __init__(self, *lines):
        self.lines, self.log = [*lines], []

    def begin(self, command, folder, variables, own, limits, *, own_pipe):
        self.log.append(
            ["begin", command[1:-1] if own_pipe else command, folder, variables["ARENA_BOARD"], own, own_pipe]
        )
        return self

    def send(self, line, deadline):
        self.log.append(["send", line, deadline - NOW])

    def receive(self, deadline):
        line = self.lines.pop(0) if self.lines else TIME
        if line in {TIME, MEMORY} or line.startswith(("left", "crashed")):
            raise Failure(line, f"saw {KEY}" if line != TIME else "", traceback=f"in {KEY}")
        return line

    def ask(self, line, deadline):
        self.send(line, deadline)
        return self.receive(deadline)

    def unasked(self):
        self.log.append("unasked")
        return ""

    output = f"noise {KEY} {WORD} {KEY} \x07"

    def taken_output(self):
        return "taken " + self.output

    def pause(self):
        """Has no sandbox."""

    resume = pause

    def kill(self):
        self.log.append("kill")

    def close(self):
        self.log.append("close")


def seen(error):
    """Return what is kept of an error."""
    if isinstance(error, Failure):
        return ["failure", error.kind, error.detail, error.traceback, error.output, error.extra, str(error)]
    return ["refused", str(error), error.output]


def happens(monkeypatch, protocol, lines, *acts, options=(), limits=Limits(), allowed=ProcessLimits()):  # noqa: B008  read only
    """Return all that happens between an agent and its stand-in: each act with its answer, then the conversation."""
    stand = Stand(*lines)
    clock = [NOW]
    for module in (ours, uci):
        monkeypatch.setattr(module.time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(ours, "Process", stand.begin)
    source = Source(
        protocol, ("/bin/engine", "-q"), "/", options, (("KEY", KEY), ("SHORT", "1234567"), ("OTHER", WORD)), limits
    )
    agent = SubprocessAgent(source, allowed)
    found = []
    for name, *given in acts:
        if name == "wait":
            clock[0] += given[0]
            continue
        act = getattr(agent, name)
        try:
            found.append([name, plain(act(*given) if callable(act) else act), agent.running])
        except (Failure, InputError) as error:
            found.append([name, *seen(error), agent.running])
    said = [agent.name, agent.about, agent.output, agent.taken_output(), agent.may_refuse]
    agent.close()
    monkeypatch.undo()
    return [found, said, stand.log]


def asking(moves="", **limits):
    return ("choose", Board.from_moves(moves), Limits(**limits))


START, GAME, REST = ("prepare", Rules()), ("new_game", 7), ("stop_pondering",)
CLOCK = {"remaining": 5.0, "opponent_remaining": 7.25, "increment": 0.5}
TALKS = {
    "line": ("cmd", ["4", "3 score=7", "2 depth=x", "1"], START, START, GAME, asking("4"), asking("44", seconds=2.0),
    asking()),
    "line late": ("cmd", ["4", "3", TIME, "4", "5"], START, asking("4", seconds=0.5), asking("4", **CLOCK), GAME,
    asking()),
    "line never starts": ("cmd", [TIME, "4"], START, START, asking(), ("prepare", Rules(5, 4)), START),
    "line starts later": ("cmd", ["4", "left (exit code 3)", TIME, "4"], START, asking(), GAME, GAME, asking()),
    "line crashes": ("cmd", ["4", "crashed (SIGSEGV)"], START, asking("12"), asking("12")),
    "line other board": ("cmd", ["4", "2", "1"], START, ("prepare", Rules(5, 4)), ("choose", Board(Rules(5, 4)),
    Limits())),
    "line says hello": ("cmd", ["hello", "4"], START, START, asking()),
    "line other rules": ("cmd", ["4", "4", "4", "2"], START, ("prepare", Rules(most_fours=True)), ("prepare",
    Rules(connect=5)), ("choose", Board(Rules(connect=5)), Limits()), ("choose", Board(Rules(connect=5)), Limits())),
    "pons second board": ("pons", ["121212 18", "121212 18"], START, ("prepare", Rules(5, 4)), ("prepare", Rules(5, 4)),
    ("new_game", 3), START, ("prepare", Rules(most_fours=True))),
    "line says a key": ("cmd", ["4", f"x {KEY}"], START, asking("12")),
    "pons": ("pons", ["121212 18", "41 1", "42 -2", "43 -3", "44 0", "45 -3", "46 1", "47 2"], START, GAME,
    asking("4")),
    "pons wrong": ("pons", ["121212 17"], START, START),
    "pons board": ("pons", [], ("prepare", Rules(5, 4)), ("prepare", Rules(5, 4))),
    "engine": ("uci", ["id name Small One", "option name Hash type spin default 1 min 1 max 9",
                       "option name Ponder type check default false", "uciok", "readyok", "readyok", "readyok",
                       "info depth 1 score cp 3 nodes 9 time 4 pv P@d1 P@d2", "bestmove P@d1 ponder P@d2", "readyok",
                       "info depth 2 score mate 2 nodes 40 time 900 pv P@d3", "bestmove P@d3", "readyok",
                       "bestmove P@a2"],
               START, GAME, asking(), ("wait", 0.5), asking("44", **CLOCK), asking("1", depth=3, nodes=50, seconds=1.5),
               REST),
    "engine stops": ("uci", ["uciok", "readyok", "readyok", "bestmove P@d1 ponder P@d2", "bestmove P@a1", "readyok",
    "readyok"],
                     START, asking(), REST, REST, GAME),
    "engine wrong move": ("uci", ["uciok", "readyok", "readyok", "bestmove P@d9"], START, asking()),
    "engine chats": ("uci", ["uciok", "readyok", "readyok", "debug depth 9 score cp 9 nodes 9 time 9 pv P@a1",
                             "info depth 1 score cp 3 nodes 9 time 4 pv P@d1 P@d2", "info depth 2 score cp 5 nodes 12",
                             "info depth 3 score cp 5 nodes 12 string pv P@g1", "", "info",
                             "info depth 4 score cp 7 lowerbound nodes 12 pv P@g1", "depth 8 score cp 1 pv P@g1",
                             "info depth 5 multipv 2 score cp 7 nodes 12 pv P@g1", "info depth 6 score cp x pv P@g1",
                             "info depth 7 score cp 7 pv P@z1", "bestmove P@d1"],
                     START, asking()),
    "engine mute": ("uci", [], START, START, GAME),
    "python": ("python", [json.dumps(each) for each in (
        {"id": 1, "about": f"ab\x07out {KEY}"}, {"id": 2}, {"id": 3, "column": 3}, {"id": 4, "column": KEY},
        {"id": 5, "column": 1, "score": f"a {KEY}", "depth": 2, "nodes": 3, "pv": [1], "iterations": [[1, 2, 3, 4, 5]],
         "extra": {"a": 1}}, {"id": 6, "kind": "exception", "detail": f"no {KEY}", "traceback": f"t {KEY}"})],
        START, GAME, asking("12", depth=1, nodes=2, seconds=3.0), asking(), asking("1", **CLOCK), asking()),
    "python forges": ("python", ['{"id": 1}', '{"id": 2, "kind": "agent wins"}'], START, asking()),
}  # fmt: skip


def test_every_conversation_stays(monkeypatch, request):
    say = functools.partial(happens, monkeypatch)
    found = {name: say(protocol, lines, *acts) for name, (protocol, lines, *acts) in TALKS.items()}
    found["engine ponders"] = say(*TALKS["engine"][:2], *TALKS["engine"][2:], options=(("Ponder", "true"),))
    found["engine stops to ponder"] = say(
        *TALKS["engine stops"][:1],
        ["option name Ponder type check default false", *TALKS["engine stops"][1]],
        *TALKS["engine stops"][2:],
        options=(("Ponder", "true"),),
    )
    own = Limits(nodes=70, seconds=4.0)
    for limits in (
        Limits(),
        Limits(nodes=9, seconds=2.0),
        Limits(5, 90, 9.0),
        Limits(seconds=1.0, remaining=3.0),
        Limits(remaining=9.0),
    ):
        act = ("choose", Board(), limits)
        found[f"own limits and {limits}"] = say(
            "uci", ["uciok", "readyok", "readyok", "bestmove P@d1"], START, act, limits=own
        )
    tight = ProcessLimits(start_timeout=5.0, margin=0.25, memory=9, sandbox=False)
    found["its own patience"] = say(
        "cmd", ["4", "4", "4"], START, asking(), asking(seconds=2.0), asking(**CLOCK), allowed=tight
    )
    walls = ProcessLimits(sandbox=True)
    for protocol, line in (("cmd", "4"), ("python", '{"id": 1}'), ("uci", "uciok")):
        monkeypatch.setattr(ours, "enclosed", lambda words, source: ["", *words[1:-1], "of", *source.words, ""])
        found[f"{protocol} in a sandbox"] = say(protocol, [line, "readyok"], START, allowed=walls)
    listed = ["option name Hash type spin default 1 min 1 max 9", "option name Ponder type check default false",
              "option name Style type combo default a var a var b c",
              "option name UCI_Variant type combo var cfour"]  # fmt: skip
    for name, value in (("hash", "3"), ("Hash", "10"), ("Hash", "x"), ("Ponder", "true"), ("ponder", "yes"), ("Style",
    "B C"),
                        ("Style", "d"), ("Nobody", "1"), ("UCI_Variant", "chess"), ("Hsh", "1")):  # fmt: skip
        lines = [*listed, "uciok", "readyok", "readyok", "bestmove P@d1 ponder P@d2"]
        found[f"option {name}={value}"] = say("uci", lines, START, asking(seconds=1.0), options=((name, value),))
    holds("processes-talks", plain(found), request)


class Odd(Exception):  # noqa: N818  no error of ours
    def __str__(self):
        raise RuntimeError


def test_faults_in_words_stay(request):
    texts = ("plain", "a\x1b[31mb", "ü\ud800", "tab\tline\n", "x" * 90, "x" * 80, "x" * 81, "'", "")
    codes = (0, 1, 127, -9, -signal.SIGSEGV, -100, 255)
    found = {
        "escaped": [failure.escaped(text) for text in texts], "quoted": [failure.quoted(text) for text in texts],
        "ended": [ended(code) for code in codes],
        "misread": [str(failure.misread(text, word)) for text in texts[:2] for word in ("", "A B")],
        "shown": [failure.safe_repr(each) for each in (1, "x" * 300, None)],
        "failures": [seen(Failure(kind, detail, traceback="t\x07" + "t" * 9000, output="o\x07", extra={"a": 1}))[:3]
                     for kind in ("exception", TIME) for detail in ("", "a\n b\x07", "x" * 600)],
        "traceback": len(Failure("exception", "", traceback="t" * 9000).traceback),
    }  # fmt: skip
    for error in (
        ValueError("one\ntwo"),
        ValueError(),
        Odd(),
        InputError("refused"),
        SyntaxError("bad"),
        KeyError("k"),
    ):
        try:
            raise error  # noqa: TRY301  as in an agent
        except Exception as raised:  # noqa: BLE001  any of these
            text, trace = failure.described(raised)
            found[f"described {type(error).__name__} {len(found)}"] = [
                text.partition(" (test")[0],
                trace.splitlines()[0],
            ]
    try:
        raise InputError("outer") from ValueError("inner")  # noqa: TRY301  likewise
    except InputError as raised:
        found["cause"] = failure.described(raised)[0].partition(" (")[0]
    holds("processes-faults", plain(found), request)


class Number:
    def __index__(self):
        return 5


class Real:
    def __float__(self):
        return 2.5


class Mute:
    def __repr__(self):
        raise RuntimeError


def test_what_a_child_sends_stays(request):
    steps = (Iteration(1, 2, 0.5, 3, 4), Iteration(2, 5, 1.5, None, 6))
    answers = (
        3, None, "4", "x" * 300, 2.5, True, Number(), Real(), Mute(), 1 << 2000, -(1 << 2000), 1 << 1023, [1], 1j,
        Analysis(3), Analysis(3, 7, 2, 9, (3, 4), steps), Analysis("a", Mute(), True, 1.5, range(100)),
        Analysis(3, iterations=(steps[0],) * 300), Analysis(1, extra={"a": [1, 2], "b": {"c": None}}),
        Analysis(1, extra={"a": float("nan")}), Analysis(1, extra={"a": {1}}), Analysis(1, extra={"a": "x" * 70_000}),
        Analysis(1, extra=5), Analysis(1, extra={}),
    )  # fmt: skip
    found = {}
    for number, answer in enumerate(answers):
        sent = child.plain(answer)
        found[f"answer {number}"] = {
            key: value if not isinstance(value, list) or len(value) < 9 else [len(value), value[-1]]
            for key, value in sent.items()
        }
    one = child.Child()
    questions = (
        {"do": "start", "rules": [7, 6, 4, False], "words": ["greedy"], "options": {}}, {"do": "new_game", "seed": 3},
        {"do": "choose", "own": 0, "opp": 0, "moves": [], "limits": [None, None, 1.0]},
        {"do": "choose", "own": 0, "opp": 128, "moves": [1], "limits": [1, 2, 3.0, 4.0, 5.0, 6.0]}, {"do": "nothing"},
        {"do": "start", "rules": [7, 6, 4, False], "words": ["nobody"], "options": {}},
    )  # fmt: skip
    for number, question in enumerate(questions):
        found[f"question {number}"] = {key: value for key, value in one.answer(question).items() if key != "traceback"}
    for error in (
        SystemExit(3),
        SystemExit(),
        SystemExit("no"),
        MemoryError("x"),
        KeyboardInterrupt(),
        RecursionError("deep"),
    ):
        one.agent = type(
            "Raises", (), {"choose": lambda self, board, limits, error=error: (_ for _ in ()).throw(error)}
        )()
        said = one.answer(questions[2])
        found[f"raised {error!r}"] = [said["kind"], said["detail"].partition(" (test")[0]]
    holds("processes-child", plain(found), request)


def choose(board, limits=None):
    return ("choose", board.ply, limits)


def kaggle(observation, configuration):
    return {**observation, **configuration, "attributes": [observation.mark, configuration.inarow]}


def kaggle_alone(obs):
    return obs.board


def two(a, b):
    return (a.ply, b)


def three(a, b, c):
    return None


def all_given(board=None, depth=3):
    return (board and board.ply, depth)


def third(board=None, depth=3, width=5):
    return One(depth)


def maker(depth=1):
    return One(depth)


class One:
    def __init__(self, level=1, **more):
        self.level, self.more = level, more

    def new_game(self, seed):
        self.level = seed

    def choose(self, board):
        return (self.level, self.more, board.ply)


class Two:
    def choose(self, board, limits):
        return limits.seconds


def test_agents_of_every_shape_are_asked_as_they_were(request):
    found = {}
    board = Board.from_moves("4453")
    for shape in (
        choose,
        kaggle,
        kaggle_alone,
        two,
        three,
        all_given,
        third,
        maker,
        One,
        Two,
        dict,
        lambda board: 5,
        lambda: 3,
        print,
        5,
    ):
        for options in ({}, {"level": 4}, {"depth": 2}):
            name = getattr(shape, "__name__", str(shape))
            label = f"{name} {options} {len(found) if name == '<lambda>' else ''}"
            try:
                agent = user_agents.agent_from(shape, f"bot.py:{name}", options)
                if hasattr(agent, "new_game"):
                    agent.new_game(9)
                found[label] = [agent.choose(board, limits) for limits in (Limits(), Limits(1, 2, 0.5))]
            except Exception as error:  # noqa: BLE001  whatever the shape does
                found[label] = f"{type(error).__name__}: {str(error)[:60]}"
    struct = user_agents.Struct(a=1)
    struct.b = 2
    found["struct"] = [struct, struct.a, struct.b, hasattr(struct, "c")]
    late = user_agents._Kaggle(lambda obs, conf: obs.remainingOverageTime)
    late.overage = 3.0
    found["overage"] = [late.choose(board, Limits()), late.new_game(1), late.choose(board, Limits(seconds=1.0))]
    for player in (None, 0, 1):
        found[f"observation {player}"] = pettingzoo.observation(board, player)
    holds("processes-shapes", plain(found), request)


def test_a_sandbox_shows_what_it_showed(tmp_path, monkeypatch, request):
    for name in ("PATH", "LD_LIBRARY_PATH"):
        monkeypatch.setenv(name, "/usr/bin:bin::/bin")
    for name in ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT"):
        monkeypatch.setenv(name, f"{name} of mine")
    for name in ("LD_PRELOAD", "PYTHONPATH", "BASH_ENV", "SECRET"):
        monkeypatch.setenv(name, "evil")
    monkeypatch.setenv("TZ", "")
    found = {"environment": sandbox.environment(), "absolute": sandbox.absolute("/a:b::/c:./d")}
    monkeypatch.setenv("HOME", "/root")
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: ["bwrap", "--walls"])
    monkeypatch.setattr(sandbox, "kernel_directory", lambda: Path("/kernels"))
    monkeypatch.setattr(sandbox.sys, "path", ["/x/site-packages", "/y", "/z/dist-packages"])
    for name in ("bot.py", "other.py"):
        (tmp_path / name).write_text("")
    source = Source("cmd", ("./bot.py", "other.py"), str(tmp_path))
    places = {sys.prefix, sys.base_prefix, str(Path(sys.executable).resolve().parents[1]), str(sandbox._AGENTS)}
    machine = tuple(places - {"/usr"})  # which differ from machine to machine
    for label, each in {"folder": source, "files": replace(source, files=(str(tmp_path / "bot.py"),)),
    "wide": replace(source, folder="/tmp"),
                        "python": replace(source, options=(("python", "/opt/env/bin/python"),))}.items():  # fmt: skip
        command = ["/opt/env/bin/python" if label == "python" else "/bin/none", "x"]
        words = sandbox.enclosed(command, each)
        shown = [
            place
            for place in words
            if not place.startswith(machine)
            and place.startswith((str(tmp_path), "/opt", "/tmp", "/x", "/y", "/z", "/usr", "/etc"))
        ]
        found[label] = [
            words[:2],
            [place.replace(str(tmp_path), "FOLDER") for place in shown],
            words[-6:-2],
            words[-2:],
        ]
    assert process.SECRET == 8
    holds("processes-sandbox", json.loads(json.dumps(plain(found)).replace(str(tmp_path), "FOLDER")), request)
