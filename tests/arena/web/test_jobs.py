"""Jobs of a page: what the server hears of their processes, and how it ends them; the processes are shells here."""

import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agents.errors import InputError
from arena.web import tournaments
from arena.web.tournaments import TournamentProcess

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs a shell and /proc")


@pytest.fixture
def shell(monkeypatch):
    """Let a job be a script of a shell, which is told the words and where to write."""
    kept, asked = subprocess.Popen, []

    def script(text):
        def started(command, **given):
            asked.append(command)
            return kept(["/bin/sh", "-c", text], **given)

        monkeypatch.setattr(tournaments.subprocess, "Popen", started)
        return asked

    return script


def say(line):
    return f"echo {shlex.quote(line)}"


def test_a_job_says_where_its_run_is_and_what_happens_until_it_ends(shell):
    lines = ["read words", """[ "$words" = '{"rounds": 1}' ] || exit 1""", say('{"file": "a/b.sqlite"}')]
    lines += [say('{"said": "one"}'), "read rest", say('{"said": "two"}'), say('{"other": 1}')]
    asked = shell("\n".join(lines))
    job = TournamentProcess({"rounds": 1})
    assert asked == [[sys.executable, "-P", "-m", "arena.web.job"]]
    assert (str(job.file), job.running) == ("a/b.sqlite", True)
    job.stop()
    assert not job.running
    hears(job, "two")
    assert str(job.file) == "a/b.sqlite", "later lines say nothing of it"


def hears(job, words):
    """Wait until a job's last words are heard, which a thread reads."""
    for thread in tournaments.threading.enumerate():
        if getattr(thread, "_target", None) == job._read:
            thread.join(10)
    assert job.said == words
    assert job.process.stdout.closed


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (['{"error": "it is wrong"}'], "it is wrong"), (['{"said": "not yet"}', '{"error": "late"}'], "late"), ([], ""),
        (['{"said": "a warning"}'], "a warning"),
    ],
)  # fmt: skip
def test_a_job_that_cannot_begin_says_why(shell, lines, words):
    shell("\n".join(["read words", *map(say, lines)]))
    with pytest.raises(InputError) as caught:
        TournamentProcess({})
    assert str(caught.value) == (words or "the tournament ended before its first game")


def test_a_job_that_does_not_end_is_killed_with_all_that_it_has_started(shell, monkeypatch):
    monkeypatch.setattr(tournaments, "PATIENCE", 0.05)
    shell('trap "" INT TERM HUP\nsleep 600 <&- >&- &\necho "{\\"file\\": \\"$!\\"}"\nwhile :; do wait; sleep 600; done')
    job = TournamentProcess({})
    child = int(str(job.file))
    assert job.running
    job.stop()
    assert not job.running
    until = time.monotonic() + 20
    while not gone(child):
        assert time.monotonic() < until


def gone(child):
    """Return whether a process has ended, be it that nobody has asked how."""
    try:
        return Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
