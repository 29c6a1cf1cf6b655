"""The hunt for the last processes of an agent, and its limits in a sandbox, on a machine that is made up."""

import io
import signal
from types import SimpleNamespace

import pytest

from agents.processes import launch

MARKED = b"A=b\0CONNECT4_ARENA_PROCESS=4f\0"


class Machine:
    """Processes by their environment, or the error of reading it; some beget another as they are killed."""

    def __init__(self, environments, heirs=()):
        self.environments, self.heirs, self.log, self.looks = environments, dict(heirs), [], 0
        self.path = SimpleNamespace(exists=lambda path: self.log.append(path) or True)

    def killpg(self, group, number):
        self.log.append(("group", group, number))
        raise ProcessLookupError

    def listdir(self, path):
        self.looks += 1
        return ["self", *map(str, self.environments)]

    def kill(self, number, sign):
        self.log.append((number, sign))
        del self.environments[number]
        self.environments |= self.heirs.pop(number, {})

    def read(self, path):
        found = self.environments[int(path.split("/")[2])]
        if isinstance(found, Exception):
            raise found
        return found


def hunt(monkeypatch, mark, environments, **rest):
    machine = Machine(environments, **rest)
    monkeypatch.setattr(launch, "os", machine)
    monkeypatch.setattr(launch, "_read", machine.read)
    launch.kill(55, mark)
    return machine


def test_what_carries_the_mark_is_killed_until_there_is_none_and_nothing_else_is(monkeypatch):
    others = {2: PermissionError(), 3: ProcessLookupError(), 4: b"CONNECT4_ARENA_PROCESS=4f0\0", 5: b"X" + MARKED[4:]}
    machine = hunt(monkeypatch, "4f", others | {7: MARKED, 8: b"", 9: MARKED}, heirs={9: {11: MARKED}})
    killed = [(number, signal.SIGKILL) for number in (7, 9, 11)]
    assert machine.log == [("group", 55, signal.SIGKILL), "/proc/self/environ", *killed]
    assert machine.looks == 3


def test_without_a_mark_its_group_alone_is_killed(monkeypatch):
    machine = hunt(monkeypatch, "", {7: b"CONNECT4_ARENA_PROCESS=\0"})
    assert (machine.log[0], machine.looks) == (("group", 55, signal.SIGKILL), 0)


def test_the_hunt_ends_after_a_second(monkeypatch):
    moments = iter([5.0, 5.0, 5.5, 5.9, 6.0])
    monkeypatch.setattr(launch, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    machine = hunt(monkeypatch, "4f", dict.fromkeys((7, 8), MARKED), heirs={
        7: {9: MARKED}, 8: {10: MARKED}, 9: {11: MARKED}, 10: {12: MARKED}, 11: {13: MARKED}, 12: {14: MARKED},
    })  # fmt: skip
    assert machine.looks == 3


def test_in_a_sandbox_few_files_are_open_and_it_is_the_first_to_end_where_memory_does(monkeypatch):
    opened, limits = {}, {}
    resource = SimpleNamespace(
        RLIMIT_CORE="core", RLIMIT_FSIZE="file", RLIMIT_DATA="data", RLIMIT_NOFILE="files", RLIM_INFINITY=-1,
        getrlimit=lambda kind: (9, 1 << 30 if kind == "files" else -1),
    )  # fmt: skip

    def setrlimit(kind, pair):
        if kind == "file":
            raise ValueError("not here")
        limits[kind] = pair

    def open_file(path, mode):
        opened[path, mode] = io.StringIO()
        opened[path, mode].close = lambda: None
        return opened[path, mode]

    resource.setrlimit = setrlimit
    monkeypatch.setattr(launch, "resource", resource)
    monkeypatch.setattr(launch, "open", open_file, raising=False)
    launch.confine(5 << 20, sandbox=True)
    assert limits == {"core": (0, 0), "data": (5 << 20,) * 2, "files": (64, 64)}
    assert {place: file.getvalue() for place, file in opened.items()} == {("/proc/self/oom_score_adj", "w"): "1000"}


@pytest.mark.parametrize("length", [0, 5, 1 << 16, (1 << 16) + 3])
def test_all_of_an_environment_is_read_and_its_file_closed(monkeypatch, length):
    file, closed = io.BytesIO(b"x" * length), []
    monkeypatch.setattr(launch, "os", SimpleNamespace(
        open=lambda path, flags: (path, flags), read=lambda descriptor, most: file.read(most), O_RDONLY=0,
        close=closed.append,
    ))  # fmt: skip
    assert launch._read("/proc/7/environ") == b"x" * length
    assert closed == [("/proc/7/environ", 0)]
