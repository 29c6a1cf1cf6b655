"""Control groups: the kernel keeps an agent's limits, also where the watchdog sees nothing, and nothing is left behind.

Hierarchies of version 2 are here folders with the same files, where no kernel gives them to the tests.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hiding import HIDES, agent_of, all_gone
from needs import needs

from agents.agent import Limits
from agents.board import Board, Rules
from agents.remote import groups, limits
from agents.remote.failure import Failure

pytestmark = pytest.mark.process

kept = pytest.mark.skipif(not groups.places(), reason="no control groups can be had here")

WAYS = {way: HIDES[way] for way in ("memfds", "setsid")} | {
    "files": """
    for number in range(30):
        with open(f"/dev/shm/hidden-{os.environ['MARKER'].replace('/', '-')}-{number}", "wb") as file:
            file.write(bytes(10 << 20))
""",
    "queued": """
    import socket
    pairs = []
    for _ in range(30):
        file = os.memfd_create("hidden")
        os.write(file, bytes(10 << 20))
        pairs.append(socket.socketpair())
        socket.send_fds(pairs[-1][0], [b"x"], [file])
        os.close(file)
""",
}
"""Ways to hold memory; the last two are hidden from the watchdog."""


@pytest.fixture
def blind(monkeypatch):
    """A watchdog that counts nothing."""
    monkeypatch.setattr(limits, "usage", lambda leaders: dict.fromkeys(leaders, (1, 1)))


def made():
    """Return the groups that this process has made and not removed."""
    own = f"-{os.getpid()}-"
    return [path for place in groups.places() for path in place.glob("arena-*") if own in path.name]


@kept
@pytest.mark.parametrize("walls", [False, pytest.param(True, marks=needs("bwrap"))])
@pytest.mark.parametrize("way", WAYS)
def test_memory_that_is_hidden_from_the_watchdog_is_limited_by_the_kernel(tmp_path, blind, way, walls):
    if walls and way == "files":
        pytest.skip("a sandbox has no such room")
    agent = agent_of(tmp_path, WAYS[way], patience=15.0, sandbox=walls, memory=200)
    try:
        with pytest.raises(Failure) as raised:
            agent.choose(Board(), Limits())
        assert (raised.value.kind, raised.value.detail) == ("out of memory", "all that it began needs more than 200 MB")
        all_gone(tmp_path)
        assert not made()
    finally:
        for left in Path("/dev/shm").glob(f"hidden-{str(tmp_path).replace('/', '-')}-*"):
            left.unlink()


@kept
def test_a_fork_bomb_stops_at_the_kernels_limit(tmp_path, blind, monkeypatch):
    monkeypatch.setattr(limits, "MOST_ENDED", 8)
    bomb = """
    for number in range(200):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
"""
    agent = agent_of(tmp_path, bomb, patience=15.0)
    with pytest.raises(Failure) as raised:
        agent.choose(Board(), Limits())
    told = raised.value.kind, raised.value.detail
    assert told == ("too many processes", "it began more than 40 processes and threads")
    all_gone(tmp_path)
    assert not made()


@kept
def test_an_agent_is_in_its_group_before_it_begins_and_the_group_ends_with_it(tmp_path):
    agent = agent_of(tmp_path, "\n", wait=0)
    bot = tmp_path / "hides.py"
    bot.write_text("groups = open('/proc/self/cgroup').read()\ndef choose(board):\n    return groups.count('arena-')\n")
    assert agent.choose(Board(), Limits()).column == len(groups.places())
    assert len(made()) == len(groups.places())
    agent.close()
    assert not made()


@kept
def test_groups_of_a_process_that_was_killed_are_removed_with_all_in_them(tmp_path):
    begun = (
        "import sys\nfrom pathlib import Path\nfrom hiding import agent_of, SETSID\n"
        "from agents.agent import Limits\nfrom agents.board import Board\n"
        f"agent = agent_of(Path({str(tmp_path)!r}), SETSID, wait=0)\nagent.choose(Board(), Limits())\n"
        "print(*agent._process._control.folders, flush=True)\nsys.stdin.read()\n"
    )
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", begun], env=os.environ | path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        folders = [Path(word) for word in process.stdout.readline().split()]
        assert len(folders) == len(groups.places())
        assert all(folder.is_dir() for folder in folders)
        process.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while any(folder.parent.exists() for folder in folders):
        assert time.monotonic() < until
        time.sleep(0.02)
    all_gone(tmp_path)


@kept
def test_groups_that_dead_processes_left_are_removed_at_the_start_and_those_of_others_are_not(tmp_path):
    with subprocess.Popen(["sleep", "1000"]) as left, subprocess.Popen(["sleep", "1000"]) as dead:
        gone = groups._name(dead.pid)
        dead.kill()
        dead.wait()
        alive = groups._name(left.pid)
        places = groups.places()
        try:
            for place in places:
                (place / gone / "0").mkdir(parents=True)
                (place / alive).mkdir()
                (place / gone / "0" / "cgroup.procs").write_text(str(left.pid))
            assert groups.places.__wrapped__() == places
            assert left.wait(5) == -signal.SIGKILL
            assert not any((place / gone).exists() for place in places)
            assert all((place / alive).exists() for place in places)
        finally:
            left.kill()
            for place in places:
                (place / alive).rmdir()


def test_without_control_groups_what_is_counted_holds(tmp_path, monkeypatch):
    monkeypatch.setattr(groups, "places", tuple)
    agent = agent_of(tmp_path, HIDES["memfds"], patience=15.0)
    with pytest.raises(Failure, match="its processes hold"):
        agent.choose(Board(), Limits())
    all_gone(tmp_path)
    assert groups.in_force() == "memory and processes counted ten times a second, as no control groups can be had"


def test_an_agent_starts_where_the_kernel_refuses_its_group(tmp_path, monkeypatch):
    monkeypatch.setattr(groups, "places", lambda: (tmp_path / "nowhere",))
    agent = agent_of(tmp_path, "\n", wait=0)
    agent.prepare(Rules())
    assert agent.choose(Board(), Limits()).column == 0
    agent.close()


@pytest.mark.parametrize(
    ("file", "lines", "kind"),
    [
        ("memory.events", "low 1\noom 3\noom_kill 1\n", "out of memory"),
        ("memory.oom_control", "under_oom 1\noom_kill 2\n", "out of memory"),
        ("pids.events", "max 4\n", "too many processes"),
        ("memory.events", "oom 3\noom_kill 0\nmax 9\n", None),
        ("pids.events", "max 0\n", None),
    ],
)
def test_what_the_kernel_counts_in_either_version_is_a_fault(tmp_path, file, lines, kind):
    (tmp_path / file).write_text(lines)
    group = groups.ControlGroup(5 << 20, 9)
    group.remove()
    group.folders = (tmp_path / "other", tmp_path)
    found = group.exceeded()
    assert (found and found.kind) == kind


def test_each_version_has_the_limits_in_its_own_files_and_swap_adds_no_memory(tmp_path, monkeypatch):
    expected = {
        "new": {"memory.max": 5 << 20, "memory.swap.max": 0, "memory.oom.group": 1, "pids.max": 9},
        "old": {"memory.limit_in_bytes": 5 << 20, "memory.memsw.limit_in_bytes": 5 << 20},
        "tasks": {"pids.max": 9},
    }

    def make(folder):  # as the kernel does
        folder.mkdir(parents=True)
        for file in expected[folder.parent.parent.name]:
            (folder / file).touch()

    monkeypatch.setattr(groups, "_make", make)
    monkeypatch.setattr(groups, "places", lambda: tuple(tmp_path / place for place in expected))
    group = groups.ControlGroup(5 << 20, 9)
    found = {
        folder.parent.parent.name: {file.name: int(file.read_text()) for file in folder.iterdir()}
        for folder in group.folders
    }
    assert found == expected


def second(folder, controllers="cpu memory pids", enabled="memory pids", members=()):
    """Make a folder with the files of a group of version 2."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.controllers").write_text(controllers)
    (folder / "cgroup.subtree_control").write_text(enabled)
    (folder / "cgroup.procs").write_text("".join(f"{member}\n" for member in members))
    return folder


def test_a_group_is_opened_for_the_groups_in_it(tmp_path, monkeypatch):
    first = tmp_path / "first"
    first.mkdir()
    assert groups._opened(first) == first
    with pytest.raises(FileNotFoundError):
        groups._opened(tmp_path / "none")
    ready = second(tmp_path / "ready")
    assert groups._opened(ready) == ready
    assert (ready / "cgroup.subtree_control").read_text() == "memory pids"
    assert groups._opened(second(ready / "arena-itself", enabled="")) == ready
    new = second(tmp_path / "new", enabled="cpu")
    assert groups._opened(new) == new
    assert (new / "cgroup.subtree_control").read_text() == "+memory +pids"
    monkeypatch.setattr(groups.os, "access", lambda file, how: (file, how) != (ready / "cgroup.procs", os.W_OK))
    with pytest.raises(PermissionError):
        groups._opened(ready)


def test_processes_of_this_group_step_aside_into_one_inside_it(tmp_path, monkeypatch):
    folder = second(tmp_path / "full", enabled="", members=[os.getpid()])
    enable, refused = groups._enable, [OSError(16, "Device or resource busy")]

    def busy(place):
        if refused:
            raise refused.pop()
        enable(place)

    monkeypatch.setattr(groups, "_enable", busy)
    assert groups._opened(folder) == folder
    assert (folder / "arena-itself" / "cgroup.procs").read_text() == str(os.getpid())
    assert (folder / "cgroup.subtree_control").read_text() == "+memory +pids"


@pytest.mark.parametrize(
    ("controllers", "members"), [("cpu memory", []), ("", []), ("memory pids", [0]), ("memory pids", [1, "own"])]
)
def test_nobody_steps_aside_where_others_are_in_the_group_or_it_has_no_limits(tmp_path, controllers, members):
    folder = second(
        tmp_path / "full", controllers, members=[os.getpid() if each == "own" else each for each in members]
    )
    with pytest.raises(PermissionError):
        groups._step_aside(folder)
    assert not (folder / "arena-itself").exists()


MOUNTS = """\
20 1 0:19 / /proc rw - proc proc rw
30 1 0:26 / {0}/unified rw,nosuid shared:9 - cgroup2 cgroup2 rw
31 1 0:27 / {0}/memory rw - cgroup cgroup rw,memory
32 1 0:28 /docker/5 {0}/pids rw - cgroup cgroup rw,pids
33 1 0:29 /other {0}/cpu rw - cgroup cgroup rw,cpu,cpuacct
"""


def test_the_groups_of_this_process_are_found_in_what_the_system_mounts(tmp_path, monkeypatch):
    texts = {
        "/proc/self/cgroup": "5:memory:/user/bob\n4:pids:/docker/5/inner\n3:cpu,cpuacct:/else\n0::/session\n",
        "/proc/self/mountinfo": MOUNTS.format(tmp_path),
    }
    monkeypatch.setattr(Path, "read_text", lambda path: texts[str(path)])
    assert groups._own() == {
        "": tmp_path / "unified" / "session",
        "memory": tmp_path / "memory" / "user" / "bob",
        "pids": tmp_path / "pids" / "inner",
    }
    texts["/proc/self/cgroup"] = "0::/../outside\n"
    assert groups._own() == {}


def test_version_2_comes_first_then_both_hierarchies_of_version_1_then_none(tmp_path, monkeypatch):
    own, refused, limits = {}, set(), []

    def make(places, memory, tasks):
        limits.append((memory >> 20 > 0, tasks > 0))
        if refused & {*places}:
            raise PermissionError
        return tuple(place / "new" for place in places)

    monkeypatch.setattr(groups, "_own", lambda: own)
    monkeypatch.setattr(groups, "_opened", lambda place: place)
    monkeypatch.setattr(groups, "_clean", lambda places: None)
    monkeypatch.setattr(groups, "_made", make)
    monkeypatch.setattr(groups, "finish", lambda folders: removed.append([*folders]))
    two, memory, pids = (tmp_path / name for name in ("two", "memory", "pids"))
    removed = []
    found = groups.places.__wrapped__
    assert found() == ()
    own.update({"memory": memory})
    assert found() == ()
    own.update({"pids": pids})
    assert found() == (memory, pids)
    own.update({"": two})
    assert found() == (two,)
    assert removed == [[str(memory / "new"), str(pids / "new")], [str(two / "new")]]
    refused.add(two)
    assert found() == (memory, pids)
    refused.add(pids)
    assert found() == ()
    assert set(limits) == {(True, True)}


@pytest.mark.parametrize(
    ("places", "platform", "phrase"),
    [
        ((Path("/g"),), "linux", "memory and processes limited by control groups"),
        ((), "linux", "memory and processes counted ten times a second, as no control groups can be had"),
        ((), "darwin", "neither memory nor processes limited on this system"),
    ],
)
def test_what_limits_agents_here_is_said(monkeypatch, places, platform, phrase):
    monkeypatch.setattr(groups, "places", lambda: places)
    monkeypatch.setattr(groups.sys, "platform", platform)
    assert groups.in_force() == phrase


def test_a_group_is_made_again_where_the_one_around_it_has_just_gone_and_none_is_left_half_made(tmp_path, monkeypatch):
    made_in, finished = [], []

    def make(folder):
        made_in.append(folder)
        if len(made_in) == 1:
            raise FileNotFoundError
        if folder.parent.parent.name == "refused":
            raise PermissionError
        folder.mkdir(parents=True)

    monkeypatch.setattr(groups, "_make", make)
    monkeypatch.setattr(groups, "finish", lambda folders: finished.append([*folders]))
    monkeypatch.setattr(groups, "places", lambda: (tmp_path / "one", tmp_path / "two"))
    group = groups.ControlGroup(5 << 20, 9)
    assert [*group.folders] == made_in[1:] == [made_in[0], made_in[2]]
    assert [folder.parent.parent.name for folder in group.folders] == ["one", "two"]
    assert finished == []
    monkeypatch.setattr(groups, "places", lambda: (tmp_path / "one", tmp_path / "refused"))
    assert groups.ControlGroup(5 << 20, 9).folders == ()
    assert finished == [[str(folder) for folder in made_in[3:]]]


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A hierarchy of version 2: a new group has its files, those of a controller where the group around it has it."""
    mkdir = Path.mkdir

    def make(folder, **given):
        there = folder.exists()
        mkdir(folder, **given)
        if not there and (folder.parent / "cgroup.controllers").exists():
            second(folder, enabled="")
            for controller, files in {
                "memory": ("max", "swap.max", "oom.group", "events"),
                "pids": ("max", "events"),
            }.items():
                if f"+{controller}" in (folder.parent / "cgroup.subtree_control").read_text():
                    for file in files:
                        (folder / f"{controller}.{file}").touch()

    second(tmp_path / "own", enabled="+memory +pids")
    monkeypatch.setattr(Path, "mkdir", make)
    monkeypatch.setattr(groups, "places", lambda: (tmp_path / "own",))
    return tmp_path / "own"


def test_in_version_2_the_group_of_this_process_lets_those_of_its_agents_have_limits(kernel, monkeypatch):
    monkeypatch.setattr(groups, "_numbers", iter(range(2)))
    for number in range(2):
        [folder] = groups.ControlGroup(5 << 20, 9).folders
        around = folder.parent
        assert (folder.name, around.parent, around.name) == (str(number), kernel, groups._name(os.getpid()))
        assert (around / "cgroup.subtree_control").read_text() == "+memory +pids"
        assert (folder / "cgroup.subtree_control").read_text() == ""
        assert {file.name: file.read_text() for file in folder.iterdir() if not file.name.startswith("cgroup")} == {
            "memory.max": str(5 << 20), "memory.swap.max": "0", "memory.oom.group": "1", "memory.events": "",
            "pids.max": "9", "pids.events": "",
        }  # fmt: skip


def test_in_version_1_a_group_is_a_folder_in_a_folder_and_one_that_is_there_is_taken(tmp_path):
    for _ in range(2):
        groups._make(tmp_path / "outer" / "inner")
    assert [path.name for path in tmp_path.rglob("*")] == ["outer", "inner"]


def test_groups_of_processes_that_run_no_more_are_removed_and_those_of_other_systems_left(tmp_path, monkeypatch):
    here, finished = groups._name(os.getpid()), []
    namespace = here.split("-")[1]
    names = (here, f"arena-{namespace}-1073741824-5", f"arena-{namespace}-{os.getpid()}-5", "arena-5-1073741824-5", "x")
    for name in names:
        (tmp_path / name / "0").mkdir(parents=True)
        (tmp_path / name / "file").touch()

    def finish(folders):
        finished.extend(folders)
        for folder in folders:
            Path(folder).rmdir()

    monkeypatch.setattr(groups, "finish", finish)
    groups._clean((tmp_path / "none", tmp_path))
    assert sorted(finished) == sorted(f"{tmp_path}/{name}/0" for name in names[1:3])
    for name in names[1:3]:
        (tmp_path / name / "file").unlink()
    groups._clean((tmp_path,))
    assert {path.name for path in tmp_path.iterdir()} == {*names} - {*names[1:3]}


@pytest.mark.parametrize(
    ("text", "number"), [("oom 1\nmax 7\n", 7), ("oom_kill 9\nmax_usage 8\n", 0), ("max 3\nmax 5\n", 3), ("", 0)]
)
def test_a_count_is_that_of_its_name_in_the_first_file_that_has_it(tmp_path, text, number):
    (tmp_path / "events").write_text(text)
    (tmp_path / "later").write_text("max 90\n")
    assert groups._count(tmp_path, ("none", "events"), "max") == number
    assert groups._count(tmp_path, ("events", "later"), "max") == (number or 90)


def test_what_a_group_has_exceeded_is_said_with_its_limit(tmp_path):
    (tmp_path / "memory.events").write_text("oom_kill 0\n")
    (tmp_path / "pids.events").write_text("max 1\n")
    group = groups.ControlGroup.__new__(groups.ControlGroup)
    group.memory, group.tasks, group.folders = (5 << 20) + 9, 44, (tmp_path,)
    assert str(group.exceeded()) == "too many processes: it began more than 44 processes and threads"
    (tmp_path / "memory.events").write_text("oom_kill 1\n")
    assert str(group.exceeded()) == "out of memory: all that it began needs more than 5 MB"
    group.folders = ()
    assert group.exceeded() is None
