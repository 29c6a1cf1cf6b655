"""What tests do on a machine on which nothing else is installed, and how `.ci/run` holds that they run on another."""

import os
import re
import subprocess
import sys
from pathlib import Path

import needs
import pytest

ROOT = Path(__file__).parents[1]


def test_programs_and_packages_are_asked_for_by_one_helper():
    asking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("*.py")
        if re.search(r"\.importorskip\(|shutil\.which\(", path.read_text(encoding="utf-8"))
    }
    assert asking == {"tests/support/needs.py"}


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    for name, package in needs.PROGRAMS.items():
        if name != "bwrap":  # which is found once
            assert needs.missing(name) == f"needs {package}"
    assert needs.missing("no_such_package") == "needs the package no_such_package"
    assert needs.missing("pytest") == ""
    mark = needs.needs("npm", "pytest", "no_such_package").mark
    assert mark.args == (True,)
    assert mark.kwargs["reason"] == "needs npm (Debian: apt-get install npm); needs the package no_such_package"
    with pytest.raises(pytest.skip.Exception, match="needs the package no_such_package"):
        needs.needed("no_such_package")


@pytest.mark.process
def test_no_test_fails_for_want_of_a_sandbox(tmp_path):
    (tmp_path / "sh").symlink_to("/bin/sh")
    tests = ["test_mistakes_both_ways.py", "games/test_check.py", "tournament/test_command_strangers.py"]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", *(f"tests/arena/{test}" for test in tests)]
    done = subprocess.run(
        [*command, "-k", "mistake or checks or search_of_a_comparison"],
        cwd=ROOT, env=os.environ | {"PATH": f"{tmp_path}"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "needs bubblewrap (Debian: apt-get install bubblewrap)" in done.stdout


REPORT = "<testsuites><testsuite>{}</testsuite></testsuites>"
CASE = '<testcase classname="tests.test_a" name="{}">{}</testcase>'
SKIPPED = '<skipped type="pytest.skip" message="{}"/>'


def test_a_test_that_is_skipped_everywhere_fails_the_integration(tmp_path):
    reports = {
        "bare": CASE.format("one", SKIPPED.format("needs npm")) + CASE.format("two", SKIPPED.format("needs bwrap"))
        + CASE.format("three", "") + CASE.format("four", SKIPPED.format("root may write everywhere")),
        "later": CASE.format("one", "") + CASE.format("two", SKIPPED.format("needs bwrap")),
        "last": CASE.format("two", ""),
    }  # fmt: skip
    for name, cases in reports.items():
        (tmp_path / f"{name}.xml").write_text(REPORT.format(cases))

    def ran(*names):
        files = [tmp_path / f"{name}.xml" for name in names]
        done = subprocess.run([ROOT / ".ci" / "ran", *files], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    counted = "3 tests skipped on a bare machine, {} of them later too, {} without an excuse"
    assert ran("bare", "later") == (1, ["never run: tests.test_a::two: needs bwrap", counted.format(2, 1)])
    assert ran("bare", "later", "last") == (0, [counted.format(1, 0)])


USED = "bash mkdir realpath ln chmod sh python3 cat ls"
"""The programs that `.ci/bare` starts, and some that it keeps."""
LEFT_OUT = {"bwrap", "chromium", "chromium-headless-shell", "google-chrome-stable", "firefox-esr", "npm", "npx", "node",
            "pdflatex"}  # fmt: skip


def test_a_bare_machine_has_no_tool_that_tests_can_do_without(tmp_path):
    """A folder stands for the rest of PATH, where there may be thousands of programs."""
    machine, more, bare = (tmp_path / name for name in ("machine", "more", "bare"))
    for folder in (machine, more):
        folder.mkdir()
    paths = subprocess.run(["bash", "-c", f"type -P {USED}"], capture_output=True, text=True, check=True).stdout
    for path in map(Path, paths.splitlines()):
        (machine / path.name).symlink_to(path)
    for name in (*LEFT_OUT, "cat", "ls"):
        (more / name).write_text("#!/bin/sh\n")
        (more / name).chmod(0o755)
    path = {"PATH": f"{more}:{machine}"}
    subprocess.run([ROOT / ".ci" / "bare", bare], env=os.environ | path, capture_output=True, check=True)
    assert {file.name for file in bare.iterdir()} == set(USED.split())
    assert (bare / "cat").resolve() == (more / "cat").resolve(), "the first of PATH"
