import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import pytest


def serve(*words):
    """Start the command in a process of its own; return it and the address that it prints."""
    code = "import sys; from arena.cli import main; sys.argv[0] = 'arena'; main()"
    process = subprocess.Popen([sys.executable, "-c", code, "serve", *words], stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    return process, re.match(r"http://\S+/", line)[0]


@pytest.mark.skipif(sys.platform == "win32", reason="sends Ctrl-C as a signal")
def test_it_prints_its_address_and_ends_with_ctrl_c(tmp_path):
    process, address = serve(str(tmp_path), "--port", "0")
    try:
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address) as answer:
            assert b"No run is stored here yet" in answer.read()
    finally:
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert "Traceback" not in rest


@pytest.mark.skipif(sys.platform == "win32", reason="sends Ctrl-C as a signal")
def test_ctrl_c_ends_a_search_that_runs(tmp_path):
    process, address = serve(str(tmp_path), "--port", "0")
    question = b'{"agent": "alphabeta:depth=40", "moves": ""}'
    headers = {"Origin": address.rstrip("/"), "Content-Type": "application/json"}
    asked = urllib.request.Request(f"{address}api/move", question, headers)
    failed = []

    def ask():
        try:
            urllib.request.urlopen(asked, timeout=30)
        except urllib.error.HTTPError as error:
            with error:
                failed.append(error.code)
        except OSError as error:
            failed.append(str(error))

    waiting = threading.Thread(target=ask)
    waiting.start()
    try:
        time.sleep(1)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)  # the search would go on for days
        waiting.join()
    assert failed


def test_another_address_than_the_loopback_says_what_that_means(tmp_path):
    process, _ = serve(str(tmp_path), "--port", "0", "--host", "0.0.0.0")
    try:
        assert process.stderr.readline().startswith("warning: anyone who reaches this address")
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_a_taken_port_is_one_line(arena):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = arena("serve", "--port", taken.getsockname()[1])
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "cannot listen on 127.0.0.1:" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["/no/such/folder"], "arena: there is no folder or file /no/such/folder\n"),
        (["--port", "70000"], "it is a whole number from 0 to 65535, not 70000"),
        (["--host", "256.1.1.1", "--port", "0"], "cannot listen on 256.1.1.1:0"),
        (["--host", "0.0.0.0", "--agent", "greedy"], "--agent and --files are for this machine alone"),
        (["--host", "::", "--files"], "but other machines can reach ::"),
    ],
)
def test_bad_input_is_one_line(arena, words, message):
    done = arena("serve", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err
