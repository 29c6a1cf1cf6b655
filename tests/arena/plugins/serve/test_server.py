import socket
import threading
import time
from contextlib import contextmanager

import pytest
from served import ADDRESS, ask

from arena.plugins.serve import server as listening
from arena.plugins.serve.guard import HEADERS, hosts
from arena.plugins.serve.server import application


@pytest.mark.parametrize("path", ["/", "/play", "/tree", "/run/a.sqlite", "/static/play.js", "/nowhere"])
def test_every_answer_carries_the_policy(client, path):
    answer = client.get(path)
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "'unsafe-inline'" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("path", "title", "script"),
    [
        ("/play", "Play", "play.js"), ("/play?moves=44", "Play", "play.js"), ("/run/a.sqlite", "a.sqlite", "run.js"),
        ("/run/a.sqlite/game/2", "Game 2 of a.sqlite", "game.js"),
    ],
)  # fmt: skip
def test_a_page_has_its_title_and_loads_its_script(client, path, title, script):
    text = client.get(path).text
    assert f"<title>{title}</title>" in text
    assert f'src="/static/{script}"' in text
    assert client.get(f"/static/{script}").status_code == 200


def test_a_page_to_play_on_takes_no_position_that_there_is_not(client):
    assert client.get("/play?moves=48").status_code == 400


def test_a_page_of_another_site_may_embed_read_and_hold_nothing(client):
    headers = client.get("/").headers
    for name in ("Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"):
        assert headers[name] == "same-origin"
    assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert {policy[name] for name in ("default-src", "base-uri", "frame-ancestors")} == {"'none'"}
    assert {policy[name] for name in ("script-src", "style-src", "connect-src", "form-action")} == {"'self'"}
    assert (policy["img-src"], headers["Cache-Control"]) == ("'self' data:", "no-store")


@pytest.mark.parametrize("path", ["/", "/play", "/run/a.sqlite", "/static/play.js", "/nowhere"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:9", "127.0.0.1", ""])
def test_another_name_for_this_server_is_turned_away(client, host, path):
    assert client.get(path, headers={"Host": host}).status_code == 403
    embedded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}
    assert client.get(path, headers=embedded).status_code == 403


@pytest.mark.parametrize(
    ("bound", "value", "own"),
    [
        ("0.0.0.0", "192.168.1.5:8000", True), ("0.0.0.0", "localhost:8000", True), ("::", "[fe80::1]:8000", True),
        ("0.0.0.0", "192.168.1.5:9", False), ("0.0.0.0", "evil.example:8000", False), ("0.0.0.0", "", False),
        ("192.168.1.5", "192.168.1.5:8000", True), ("192.168.1.5", "192.168.1.6:8000", False),
        ("127.0.0.1", "192.168.1.5:8000", False),
    ],
)  # fmt: skip
def test_a_server_of_every_address_is_asked_by_numbers_alone(bound, value, own):
    assert hosts(bound, 8000)(value) is own


@contextmanager
def listened(folder):
    """Serve a folder, and yield the port."""
    with socket.socket() as ears:
        ears.bind(("127.0.0.1", 0))
        ears.listen()
        port = ears.getsockname()[1]
        server = listening.server(application(folder, hosts("127.0.0.1", port)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [ears]})
        thread.start()
        try:
            yield port
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /api/move HTTP/1.1\r\n%s\r\n\r\n{"])
def test_a_connection_that_keeps_the_server_waiting_is_closed(folder, monkeypatch, begun):
    monkeypatch.setattr(listening, "LAGGARD", 0.3)
    with listened(folder) as port:
        head = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=30) as slow:
            slow.sendall(begun.replace(b"%s", head.encode() + b"Content-Length: 99") if b"%s" in begun else begun)
            assert slow.recv(100) == b""


def test_a_connection_that_is_to_close_after_its_answer_gets_all_of_it(folder, monkeypatch):
    monkeypatch.setattr(listening, "LAGGARD", 0.1)
    monkeypatch.setattr("arena.tournament.runs.stored", lambda _: time.sleep(1.0) or ([], []))
    with listened(folder) as port, socket.create_connection(("127.0.0.1", port), timeout=30) as patient:
        patient.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: patient.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"\r\nserver:" not in answer.lower(), "it does not say what program it is"
    assert answer.rstrip().endswith(b"</html>")


@pytest.mark.parametrize(("most", "status"), [(2, b"503"), (3, b"200")])
def test_a_server_takes_fewer_connections_at_once_than_its_limit(folder, monkeypatch, most, status):
    monkeypatch.setattr(listening, "AT_ONCE", most)
    with (
        listened(folder) as port,
        socket.create_connection(("127.0.0.1", port), timeout=30),
        socket.create_connection(("127.0.0.1", port), timeout=30) as late,
    ):
        late.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert late.recv(12) == b"HTTP/1.1 " + status


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9", ""])
def test_posts_from_other_sites_are_turned_away(client, origin):
    assert ask(client, "/api/move", {"agent": "greedy"}, origin).status_code == 403


@pytest.mark.parametrize("way", ["move", "truth", "explain"])
def test_what_is_asked_of_agents_is_posted(client, way):
    answer = client.get(f"/api/{way}")
    assert (answer.status_code, answer.json()) == (405, {"error": "Method Not Allowed"})


def test_a_form_of_another_kind_is_turned_away(client):
    assert client.post("/api/move", data={"agent": "greedy"}, headers={"Origin": ADDRESS}).status_code == 403
    assert client.post("/api/move", json={"agent": "greedy"}).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_may_link_here_and_embed_nothing(client, site):
    embedded = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    assert client.get("/tree?agent=minimax", headers=embedded).status_code == 403
    framed = embedded | {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert client.get("/", headers=framed).status_code == 403
    followed = embedded | {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/", headers=followed).status_code == 200
