"""A sandbox gives an agent no privileges, whoever runs the arena."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs

from agents.processes import sandbox

PROBE = """
import ctypes, json, os
libc = ctypes.CDLL(None, use_errno=True)
def opens(path, flags):
    try:
        os.close(os.open(path, flags | os.O_NONBLOCK))
    except OSError:
        return False
    return True
def tree(top):
    return [os.path.join(place, name) for place, _, names in os.walk(top) for name in names]
tops = [name for name in os.listdir("/proc") if not name.isdigit() and not os.path.islink("/proc/" + name)]
files = [path for name in tops for path in tree("/proc/" + name) or ["/proc/" + name] if not os.path.isdir(path)]
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
kinds = {"NEWNS": 0x20000, "NEWUTS": 0x4000000, "NEWIPC": 0x8000000, "NEWUSER": 0x10000000, "NEWPID": 0x20000000,
         "NEWNET": 0x40000000, "NEWCGROUP": 0x2000000}
print(json.dumps({
    "capabilities": [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")],
    "written": [path for path in files if opens(path, os.O_WRONLY)],
    "read": sorted({path.split("/")[2] for path in files if opens(path, os.O_RDONLY)}),
    "namespaces": [name for name, flag in kinds.items() if libc.unshare(flag) == 0],
    "mounts": [kind for kind in ("tmpfs", "proc", "sysfs") if libc.mount(b"x", b"/tmp", kind.encode(), 0, None) == 0],
    "remounts": libc.mount(None, b"/proc/sys", None, 0x1020, None) == 0,
    "unmounts": [path for path in (b"/proc/sys", b"/proc/kcore", b"/proc/bus") if libc.umount2(path, 2) == 0],
}))
"""


def probed(user=()):
    sandbox.bubblewrap.cache_clear()
    system = [word for place in sandbox._SYSTEM for word in ("--ro-bind-try", place, place)]
    base = [] if user else ["--ro-bind", sys.base_prefix, sys.base_prefix]  # it may lie in a folder of this user
    words = [*user, *sandbox.bubblewrap(), *system, *base, *sandbox._CLOSED, "--"]
    python = "/usr/bin/python3" if user else os.path.realpath(sys.executable)
    done = subprocess.run([*words, python, "-c", PROBE], capture_output=True, text=True, check=False, cwd="/")
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


USERS = {"this user": (), "nobody": ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")}


@needs("bwrap")
@pytest.mark.parametrize("user", USERS)
def test_an_agent_in_a_sandbox_has_no_privileges(user):
    if USERS[user] and (os.getuid() != 0 or not Path("/usr/bin/python3").exists()):
        pytest.skip("only root can become another user")
    seen = probed(USERS[user])
    assert seen["capabilities"] == [0] * 5
    assert seen["written"] == seen["namespaces"] == seen["mounts"] == seen["unmounts"] == []
    assert not seen["remounts"]
    assert set(seen["read"]) <= {*sandbox._SHOWN}
    assert {"cpuinfo", "meminfo"} <= set(seen["read"])
