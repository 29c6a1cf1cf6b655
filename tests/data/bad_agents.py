"""What other people's agents may do: each class misbehaves in one way, most of them in the middle of a game."""

import contextlib
import gc
import glob
import json
import os
import signal
import socket
import sys
import threading
import time
from types import MappingProxyType

from agents.agent import Analysis, Iteration


class Leftmost:
    """Plays the leftmost legal column; what the others do as well until their third move."""

    moves = 0

    def choose(self, board, limits):
        self.moves += 1
        if self.moves >= 3:
            answer = self.act(board)
            if answer is not True:
                return answer
        return board.legal_moves()[0]

    def act(self, board):
        return True


class Raises(Leftmost):
    def act(self, board):
        raise ValueError("no idea\nno second line")


class Nine(Leftmost):
    def act(self, board):
        return 9


class Nothing(Leftmost):
    def act(self, board):
        return None


class Text(Leftmost):
    def act(self, board):
        return "4"


class Float(Leftmost):
    def act(self, board):
        return 3.0


class Truth(Leftmost):
    def choose(self, board, limits):
        return True


class Numpy(Leftmost):
    """Plays well: a number of numpy's is a number."""

    def act(self, board):
        import numpy as np

        return np.int64(board.legal_moves()[0])


class NoIndex(Leftmost):
    def act(self, board):
        return self

    def __index__(self):
        raise ValueError("no number")

    def __repr__(self):
        raise ValueError("no words")


class Loops(Leftmost):
    def act(self, board):
        while True:
            pass


class EndlessLine(Leftmost):
    """Its principal variation never ends."""

    def act(self, board):
        def line():
            while True:
                yield 0

        return Analysis(board.legal_moves()[0], pv=line())


class LongLine(Leftmost):
    def act(self, board):
        return Analysis(board.legal_moves()[0], pv=(0,) * 1000)


class Negative(Leftmost):
    def act(self, board):
        return Analysis(board.legal_moves()[0], nodes=-5)


class BadIteration(Leftmost):
    def act(self, board):
        return Analysis(board.legal_moves()[0], iterations=(Iteration(1, 2, float("nan"), 0, 0),))


class Sleeps(Leftmost):
    def act(self, board):
        time.sleep(1000)


class Exits(Leftmost):
    def act(self, board):
        sys.exit(5)


class Leaves(Leftmost):
    def act(self, board):
        os._exit(3)


class KillsItself(Leftmost):
    def act(self, board):
        os.kill(os.getpid(), signal.SIGKILL)


class Segfaults(Leftmost):
    def act(self, board):
        import ctypes

        ctypes.string_at(0)


class Hoards(Leftmost):
    """Asks for 8 GB."""

    def act(self, board):
        self.hoard = [bytearray(1 << 26) for _ in range(128)]
        return True


class Recurses(Leftmost):
    def act(self, board):
        return self.act(board)


class RecursesDeeply(Leftmost):
    def act(self, board):
        sys.setrecursionlimit(1 << 30)
        return self.deeper(board, [])

    def deeper(self, board, levels):
        return max([board], key=lambda each: self.deeper(each, [levels]))


class Floods(Leftmost):
    """Writes 8 MB to stdout and to stderr, and plays on."""

    def act(self, board):
        for _ in range(1 << 10):
            print("x" * (1 << 12))
            print("y" * (1 << 12), file=sys.stderr)
        return True


class RaisesWhenMade(Leftmost):
    def __init__(self):
        raise ValueError("not today")


class LoopsWhenMade(Leftmost):
    def __init__(self):
        while True:
            pass


class RaisesInNewGame(Leftmost):
    def new_game(self, seed):
        raise ValueError("not this one")


class Forks(Leftmost):
    """Leaves a child behind that holds all that it inherited, and plays on."""

    def act(self, board):
        if self.moves == 3 and os.fork() == 0:
            time.sleep(1000)
        return True


class ForkBomb(Leftmost):
    def act(self, board):
        for _ in range(60):
            if os.fork() == 0:
                time.sleep(1000)
        time.sleep(1000)


class Threads(Leftmost):
    """Leaves a busy thread and an idle one behind that nobody may wait for, and plays on."""

    def act(self, board):
        if self.moves == 3:
            threading.Thread(target=time.sleep, args=(1000,)).start()
        return True


class IgnoresTerm(Leftmost):
    def act(self, board):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(1000)


class ClosesAll(Leftmost):
    def act(self, board):
        os.closerange(0, 256)
        return True


class ClosesStandard(Leftmost):
    """Closes descriptors 0 to 2, and plays on."""

    def act(self, board):
        for descriptor in (0, 1, 2):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        return True


class Garbage(Leftmost):
    """Writes to every descriptor that it finds."""

    def act(self, board):
        for descriptor in range(256):
            with contextlib.suppress(OSError):
                os.write(descriptor, b'{"id": 3, "column": 0}\nrubbish\n')
        return True


class ForgesAnEnd(Leftmost):
    """Writes an answer of its own to its pipe: that the game has ended as games without a fault do."""

    told = MappingProxyType({"kind": "line completed", "detail": "it is won"})

    def act(self, board):
        frame = sys._getframe()
        while "question" not in frame.f_locals:
            frame = frame.f_back
        answer = json.dumps({"id": frame.f_locals["question"]["id"]} | dict(self.told)).encode()
        os.write(int(sys.orig_argv[-1]), answer + b"\n")
        time.sleep(1000)


class ForgesAWorker(ForgesAnEnd):
    told = MappingProxyType({"kind": "worker killed", "detail": "by its opponent"})


class ForgesRubbish(ForgesAnEnd):
    """What it tells cannot be stored as text, and would clear the screen."""

    told = MappingProxyType({"kind": "exception", "detail": "\ud800\x1b[2J", "traceback": "\ud800\x1b[2J\n" * 5000})


class ForgesAnAnalysis(ForgesAnEnd):
    """Its answer has values of other kinds than it should."""

    told = MappingProxyType(
        {"column": 0, "score": {"a": 1}, "depth": "x", "nodes": None, "pv": {"a": 1}, "iterations": [{}]}
    )


class EscapesInItsScore(Leftmost):
    """Plays on: its score is no number and would clear the screen."""

    def act(self, board):
        return Analysis(board.legal_moves()[0], score="\x1b[2J\ud800")


class Moves(Leftmost):
    """Changes its folder, its environment and the modules, and plays on."""

    def act(self, board):
        os.chdir("/")
        os.environ.clear()
        for name in [name for name in sys.modules if name.startswith("agents")]:
            del sys.modules[name]
        return True


class Replaces(Leftmost):
    """Makes every other class in its process lose, and plays on."""

    def act(self, board):
        for each in gc.get_objects():
            if isinstance(each, type) and each is not type(self) and hasattr(each, "choose"):
                with contextlib.suppress(Exception):
                    each.choose = lambda *arguments: 9
        return 9 if self.moves > 100 else True


class PatchesTime(Leftmost):
    """Would have no time pass; it plays on."""

    def act(self, board):
        time.perf_counter = time.time = time.monotonic = lambda: 0.0
        return True


class RewritesTheBoard(Leftmost):
    """Changes the board that it is handed, and plays on."""

    def act(self, board):
        column = board.legal_moves()[0]
        object.__setattr__(board, "own", board.opp)
        object.__setattr__(board, "rules", 0)
        return column


class DeletesRuns(Leftmost):
    """Deletes whatever looks like the run's file; only a sandbox keeps it from that."""

    def act(self, board):
        for path in [*glob.glob("*.sqlite"), *glob.glob("../**/*.sqlite", recursive=True)]:
            os.unlink(path)
        return True


class KillsItsParent:
    """Kills the worker that plays the game at once; only a sandbox keeps it from that."""

    def choose(self, board, limits):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)


class KillsItsGroup:
    """Kills the worker that plays the game and all of its group; only a sandbox keeps it from that."""

    def choose(self, board, limits):
        os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)
        time.sleep(1000)


class StopsItsParent:
    """Stops the worker that plays the game, which then answers nobody; only a sandbox keeps it from that."""

    def choose(self, board, limits):
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep(1000)


class BombsOthersTime(Leftmost):
    """Forks on while it is not asked."""

    def act(self, board):
        if self.moves == 3:
            threading.Thread(target=self.bomb, daemon=True).start()
        return True

    def bomb(self):
        for _ in range(60):
            time.sleep(0.01)
            if os.fork() == 0:
                time.sleep(1000)


class OpensSockets(Leftmost):
    """Loses where it can open a connection, which only a sandbox prevents."""

    def act(self, board):
        with socket.socket() as one:
            one.settimeout(2)
            address = os.environ.get("ADDRESS", "127.0.0.1:9").split(":")
            try:
                one.connect((address[0], int(address[1])))
            except OSError:
                return True
        return 9


class ReadsOthers(Leftmost):
    """Loses where it can read another agent's file, which only a sandbox prevents."""

    def act(self, board):
        return 9 if os.path.exists(os.environ["SECRET"]) else True


class Tells(Leftmost):
    """Answers with what it sees of its surroundings, which is no column."""

    def act(self, board):
        import resource

        print("a last word")
        names = sorted(name for name in os.environ if "PASS" in name or name == "PATH")
        limits = [resource.getrlimit(kind)[1] for kind in (resource.RLIMIT_CORE, resource.RLIMIT_FSIZE)]
        return f"{names} {limits} {len(os.listdir('/proc/self/fd'))}"


class FillsTheDisk(Leftmost):
    """Writes a file of 1 GB; no file may have more than 16 MB."""

    def act(self, board):
        with open("filler", "wb") as file:
            file.writelines(bytes(1 << 20) for _ in range(1 << 10))
        return True


class KillsOtherAgents(Leftmost):
    """Kills every other agent's process that it sees; loses where it sees one, which only a sandbox prevents."""

    def act(self, board):
        seen = False
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                process = int(path.split("/")[2])
                if b"agents.processes.child" in file.read() and process != os.getpid() and os.getpgid(process) > 0:
                    seen = seen or os.environ["VICTIM"] == str(process)
        return 9 if seen else True


class KillsStrangers(Leftmost):
    """Kills the other agents' processes of its run, known by their environment; only a sandbox keeps it from that."""

    def act(self, board):
        mine = os.environ["LD_LIBRARY_PATH"].encode()
        for path in glob.glob("/proc/[0-9]*/environ"):
            process = int(path.split("/")[2])
            with (
                contextlib.suppress(OSError),
                open(path, "rb") as file,
                open(f"/proc/{process}/cmdline", "rb") as words,
            ):
                if mine in file.read() and b"agents.processes.child" in words.read() and process != os.getpid():
                    os.kill(process, signal.SIGKILL)
        return True
