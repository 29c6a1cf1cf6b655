import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest


def serve(*words):
    """Start the command in a process of its own; return it and the address that it prints."""
    code = "import sys; from arena.cli import main; sys.argv[0] = 'arena'; main()"
    process = subprocess.Popen([sys.executable, "-c", code, "serve", *words], stderr=subprocess.PIPE, text=True)
    line = process.stderr.readline()
    return process, re.match(r"http://\S+/", line)[0]


@pytest.mark.skipif(sys.platform == "win32", reason="sends Ctrl-C as a signal")
@pytest.mark.process
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
@pytest.mark.process
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


@pytest.mark.process
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


def test_a_port_is_free_again_after_a_server_ended_and_of_one_server_while_it_runs(arena, started, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as ears:
        port = ears.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as caller:
            ears.accept()[0].close()  # its end of the connection now waits for late packets
            caller.recv(1)
    assert started("--port", port).listening == ("127.0.0.1", port)
    taken = []
    server = SimpleNamespace(run=lambda sockets: taken.append(arena("serve", "--port", sockets[0].getsockname()[1])))
    monkeypatch.setattr("arena.plugins.serve.server.server", lambda _: server)
    arena("serve", "--port", 0)
    [second] = taken
    assert (second.code, "cannot listen on 127.0.0.1:" in second.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["/no/such/folder"], "arena: there is no folder or file /no/such/folder\n"),
        (["--port", "70000"], "it is a whole number from 0 to 65535, not 70000"),
        (["--host", "256.1.1.1", "--port", "0"], "cannot listen on 256.1.1.1:0"),
        (["--host", "0.0.0.0", "--agent", "greedy"], "--agent is for this machine alone"),
        (["--host", "::", "--agent", "bot.py"], "but other machines can reach ::"),
    ],
)
def test_bad_input_is_one_line(arena, words, message):
    done = arena("serve", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


@pytest.fixture
def started(arena, monkeypatch):
    """A function that starts the command in this process, and returns what it serves, opens and prints."""
    found = SimpleNamespace(opened=[])

    def application(place, own, **settings):
        found.place, found.own, found.settings = place, own, settings
        return "an application"

    def server(served):
        def run(sockets):
            found.served, [found.listening] = served, [each.getsockname() for each in sockets]
            with socket.socket(sockets[0].family) as caller:
                caller.connect(found.listening)  # it answers already

        return SimpleNamespace(run=run)

    monkeypatch.setattr("arena.plugins.serve.server.application", application)
    monkeypatch.setattr("arena.plugins.serve.server.server", server)
    monkeypatch.setattr("webbrowser.open", found.opened.append)

    def start(*words):
        done = arena("serve", *words)
        assert (done.code, done.out, found.served) == (0, "", "an application")
        found.address, *found.more = done.err.splitlines()
        return found

    return start


def ipv6():
    """Return whether this machine has the address ::1."""
    try:
        with socket.socket(socket.AF_INET6) as one:
            one.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        pytest.param("::1", "[::1]", marks=pytest.mark.skipif(not ipv6(), reason="no IPv6 here")),
    ],
)
def test_for_this_machine_alone_it_takes_own_agents(started, host, shown):
    found = started("--port", 0, "--host", host, "--open", "--agent", "bot.py", "--sandbox")
    assert found.settings == {"agents": ("bot.py",), "sandbox": True}
    assert found.address == f"http://{shown}:{found.listening[1]}/ (Ctrl-C ends it)"
    assert (found.opened, found.more) == ([f"http://{shown}:{found.listening[1]}/"], [])
    assert found.own(f"{shown}:{found.listening[1]}")
    assert not found.own(f"evil.example:{found.listening[1]}")
    assert not found.own(f"{shown}:1")


def test_for_other_machines_there_is_a_warning(started):
    found = started("--port", 0, "--host", "0.0.0.0")
    assert found.settings == {"agents": (), "sandbox": False}
    assert found.address == f"http://0.0.0.0:{found.listening[1]}/ (Ctrl-C ends it)"
    assert found.more == [
        "warning: anyone who reaches this address can read the runs and start searches on this machine"
    ]
    assert (found.place, found.opened) == (None, [])
    assert found.own(f"192.168.1.5:{found.listening[1]}")


def test_a_folder_or_a_file_of_one_run_is_served(started, tmp_path):
    (tmp_path / "a.sqlite").touch()
    for place in (tmp_path, tmp_path / "a.sqlite"):
        assert started(place, "--port", 0).place == place
