import asyncio
import contextlib
import dataclasses
import html
import os
import re
import socket
import sqlite3
import threading
import time

import pytest
from hand_made import run_of
from starlette.testclient import TestClient

from agents.board import Board
from agents.errors import InputError
from agents.registry import KINDS, LEVELS
from arena.store import now
from arena.web import listening, runs, searching
from arena.web.guard import HEADERS, hosts
from arena.web.live import state, tables
from arena.web.opponents import LARGEST, allowed, forms
from arena.web.server import application
from arena.web.texts import Texts

ADDRESS = "http://127.0.0.1:8000"
EVIL = "bots/<script>window.caught=1</script>.py"


@pytest.fixture
def folder(tmp_path):
    games = [(0, 1, 0, "1", "1122334", (5, 7, 5, 7, 5)), (1, 0, 0, "1", "1122334", (5, 7, 5, 7, 5))]
    run_of(tmp_path / "a.sqlite", ["greedy", "random"], games)
    return tmp_path


@pytest.fixture
def client(folder):
    with TestClient(application(folder, hosts("127.0.0.1", 8000)), base_url=ADDRESS) as found:
        yield found


def ask(client, path, document, origin=ADDRESS):
    return client.post(path, json=document, headers={"Origin": origin})


@pytest.mark.parametrize("path", ["/", "/play", "/tree", "/run/a.sqlite", "/static/play.js", "/nowhere"])
def test_every_answer_carries_the_policy(client, path):
    answer = client.get(path)
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "'unsafe-inline'" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:9", "127.0.0.1", ""])
def test_another_name_for_this_server_is_turned_away(client, host):
    assert client.get("/", headers={"Host": host}).status_code == 403


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


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /api/move HTTP/1.1\r\n%s\r\n\r\n{"])
def test_a_connection_that_keeps_the_server_waiting_is_closed(folder, monkeypatch, begun):
    monkeypatch.setattr(listening, "LAGGARD", 0.3)
    with socket.socket() as ears:
        ears.bind(("127.0.0.1", 0))
        ears.listen()
        port = ears.getsockname()[1]
        server = listening.server(application(folder, hosts("127.0.0.1", port)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [ears]})
        thread.start()
        try:
            head = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            with socket.create_connection(("127.0.0.1", port), timeout=30) as slow:
                slow.sendall(begun.replace(b"%s", head.encode() + b"Content-Length: 99") if b"%s" in begun else begun)
                assert slow.recv(100) == b""
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9", ""])
def test_posts_from_other_sites_are_turned_away(client, origin):
    assert ask(client, "/api/move", {"agent": "greedy"}, origin).status_code == 403


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


def test_an_agent_answers_with_what_it_thought(client):
    told = ask(client, "/api/move", {"agent": "medium", "moves": "44"}).json()
    assert told["column"] in range(1, 8)
    assert (told["depth"], told["pv"][0]) == (4, told["column"])
    assert told["nodes"] > 7


def test_chance_depends_on_the_seed_and_the_ply_alone(client):
    question = {"agent": "easy", "moves": "44", "seed": 5}
    assert ask(client, "/api/move", question).json()["column"] == ask(client, "/api/move", question).json()["column"]


def test_play_goes_on_after_a_four_where_most_fours_win(client):
    question = {"agent": "greedy", "board": "7x6x4:most-fours", "moves": "1727374"}
    assert ask(client, "/api/move", question).json()["column"] == 7
    assert ask(client, "/api/move", question | {"board": "7x6x4"}).status_code == 400
    refused = ask(client, "/api/truth", question)
    assert (refused.status_code, refused.json()["error"]) == (
        400, "the solver knows the standard rules alone, not most-fours"
    )  # fmt: skip


def test_the_truth_is_each_columns_exact_score(client):
    assert ask(client, "/api/truth", {"moves": "44"}).json() == {"columns": [-3, -3, -2, 1, -2, -3, -3], "score": 1}
    assert ask(client, "/api/truth", {"moves": "444444"}).json()["columns"][3] is None
    assert ask(client, "/api/truth", {"board": "4x4x3", "moves": "1"}).json()["columns"] == [-3, -4, -1, -4]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"agent": "greedy", "moves": "48"}, "column 8 does not exist"),
        ({"agent": "greedy", "moves": "1212121"}, "already over"),
        ({"agent": "greedy", "board": "4x4x3", "moves": "5"}, "column 5 does not exist"),
        ({"agent": "greedy", "board": "10x5x4"}, "at most 9 columns"),
        ({"agent": "greedy", "board": "9x9x4"}, "does not fit"),
        ({"agent": "greedy", "board": [7, 6]}, "is not COLUMNSxROWS"),
        ({"agent": "nobody"}, "no built-in agent 'nobody'"),
        ({"moves": ["4"]}, "not a column"),
        ([], "no JSON object"),
        ({"agent": "x" * 5000}, "too long"),
    ],
)
def test_a_bad_question_gets_one_line(client, document, message):
    answer = ask(client, "/api/move", document)
    assert answer.status_code == 400
    assert message in answer.json()["error"]


@pytest.mark.parametrize(
    "spec",
    [
        "bot.py", "bot.py:Bot", "./bots", "/etc/passwd", "roster.toml", "cmd:rm -rf /", "uci:engine", "pons:x",
        "theaigames:x", "alphabeta:heuristic=mine.py:evaluate", "alphabeta:order=/tmp/mine.py:score",
        "alphabeta:heuristic=nothing", "alphabeta:compiled=no", "alphabeta:table=on,table-size=4096",
        "perfect:table-size=65536", "alphabeta:depth=31", "minimax:depth=99", "smart-connect4:depth=31",
        "itu-2012:cutoff=31", "alphabeta:nodes=1000000000", "mcts:playouts=1000001", "mcts:seconds=6", "mcts:c=1e9",
        "mcts:c=nan", "alphabeta:depth=2..5", "", "alphabeta:" + "x" * 400,
    ],
)  # fmt: skip
def test_only_built_in_agents_within_bounds_can_be_asked(spec):
    with pytest.raises(InputError):
        allowed(spec)


def test_every_kind_and_level_has_a_form_that_is_allowed():
    assert [form["name"] for form in forms()] == [*LEVELS, *KINDS]
    for form in forms():
        assert allowed(form["name"]).text == form["name"]
        for field in form["fields"]:
            for choice in field["choices"]:
                allowed(f"{form['name']}:{field['key']}={choice}")


def test_every_number_of_every_agent_has_its_cap():
    numbers = {
        (kind, key.replace("_", "-"))
        for kind, each in KINDS.items()
        for key, parameter in each.parameters.items()
        if not parameter.choices and not isinstance(parameter.default, bool)
    }
    for kind, key in numbers:
        allowed(f"{kind}:{key}={LARGEST[key]}")
        with pytest.raises(InputError, match=rf"\b{key}\b"):
            allowed(f"{kind}:{key}={LARGEST[key] + 1}")


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=30", "alphabeta:depth=30,table=on,table-size=64", "smart-connect4:depth=30,pruning=off",
        "mollerhoj:depth=30", "oneil", "itu-2012:cutoff=30", "mcts:playouts=1000000", "perfect",
    ],
)  # fmt: skip
def test_no_question_takes_more_than_some_seconds(monkeypatch, spec):
    monkeypatch.setattr(searching, "SECONDS", 0.2)
    searches = searching.Searches()
    asyncio.run(searches.prepare(Page(closed=False), allowed(spec), Board().rules))
    began = time.monotonic()
    with contextlib.suppress(InputError):
        asyncio.run(searches.move(Page(closed=False), allowed(spec), Board.from_moves("44"), 0))
    assert time.monotonic() - began < 10


class Page:
    """A page that waits, or is closed once it was looked at so often."""

    def __init__(self, *, closed=False, after=0):
        self.closed = closed
        self.after = after

    async def is_disconnected(self):
        self.after -= 1
        return self.closed and self.after < 0


@pytest.mark.parametrize("closed", [True, False])
def test_a_search_ends_with_its_page_or_its_time(monkeypatch, closed):
    monkeypatch.setattr(searching, "SECONDS", 60 if closed else 0.2)
    began = time.monotonic()
    with pytest.raises(InputError, match=r"smaller depth|nobody waits"):
        asyncio.run(searching.Searches().move(Page(closed=closed, after=3), allowed("alphabeta:depth=30"), Board(), 0))
    assert time.monotonic() - began < 20


def test_a_tree_ends_with_its_time(client, monkeypatch):
    monkeypatch.setattr(searching, "SECONDS", 0.0)
    monkeypatch.setattr(searching, "GLANCE", 0.001)
    answer = client.get("/tree", params={"agent": "minimax", "depth": "5"})
    assert answer.status_code == 400
    assert re.search("takes too long|finishes no depth", answer.text)


def test_what_is_compiled_for_a_tree_is_compiled_before_its_clock_starts(client, monkeypatch):
    begun = []
    monkeypatch.setattr(searching, "prepare", lambda *given: begun.append(given[-1]))
    monkeypatch.setattr("arena.measure.tree.build.tree", lambda *_: pytest.fail("too early") if not begun else 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.get("/tree", params={"agent": "minimax", "depth": "2"})
    assert begun == ["minimax"]


def test_whoever_has_gone_before_their_turn_costs_nothing():
    with pytest.raises(InputError, match="nobody waits"):
        asyncio.run(searching.Searches().answer(Page(closed=True), pytest.fail, lambda: None))


def test_few_searches_run_at_once():
    async def crowd():
        searches, running, most = searching.Searches(), 0, 0

        def work():
            nonlocal running, most
            running += 1
            most = max(most, running)
            time.sleep(0.05)
            running -= 1

        await asyncio.gather(*(searches.answer(Page(closed=False), work, lambda: None) for _ in range(6)))
        return most

    assert 1 <= asyncio.run(crowd()) <= searching.AT_ONCE


def test_the_start_page_lists_the_runs_and_their_pages_answer(client):
    assert 'href="/run/a.sqlite"' in client.get("/").text
    pages = (client.get("/run/a.sqlite").text for _ in range(60))  # each waits half a second for the tables
    assert 'style="' not in next(page for page in pages if "Standings" in page)
    assert 'data-ply="7"' in client.get("/run/a.sqlite/game/1").text
    assert client.get("/run/a.sqlite/game/9").status_code == 400


@pytest.mark.parametrize("path", ["/run/b.sqlite", "/run/../a.sqlite", "/run/%2e%2e/secret", "/static/../server.py"])
def test_nothing_else_can_be_opened(client, path):
    assert client.get(path).status_code == 404


def test_one_file_is_served_alone(folder):
    run_of(folder / "b.sqlite", ["greedy", "random"], [(0, 1, 0, "1")])
    with TestClient(application(folder / "b.sqlite", hosts("127.0.0.1", 8000)), base_url=ADDRESS) as client:
        assert "a.sqlite" not in client.get("/").text
        assert client.get("/run/a.sqlite").status_code == 404
        assert client.get("/run/b.sqlite").status_code == 200


def test_a_folder_that_is_not_there_yet_has_no_runs(tmp_path):
    with TestClient(application(tmp_path / "results", hosts("127.0.0.1", 8000)), base_url=ADDRESS) as client:
        assert "No run is stored here yet" in client.get("/").text


def test_hostile_names_stay_text(tmp_path):
    path = run_of(tmp_path / "a.sqlite", ["greedy", "random"], [(0, 1, 0, "0", "112233", (5, 7, 5, 7))])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE agent SET name = ? WHERE id = 1", (EVIL,))
        database.execute("UPDATE game SET detail = ?, termination = 'exception'", (EVIL,))
    database.close()
    with TestClient(application(tmp_path, hosts("127.0.0.1", 8000)), base_url=ADDRESS) as client:
        assert html.escape(EVIL) in tables(path).replace("<wbr>", "")
        for address in ("/", "/run/a.sqlite", "/run/a.sqlite/game/1"):
            text = client.get(address).text.replace("<wbr>", "")
            assert EVIL not in text
            assert html.escape(EVIL) in text or "\\u003cscript>" in text


def test_a_finished_run_sends_its_state_once_and_ends(client):
    with client.stream("GET", "/run/a.sqlite/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = [line for line in answer.iter_lines() if line.startswith("data: ")]
    assert '"played": 2' in events[0]
    assert "Standings" in events[-2]
    assert "style=" not in events[-2]
    assert events[-1] == "data: all"


def test_a_tree_is_asked_for_by_address(client):
    page = client.get("/tree", params={"agent": "smart-connect4", "moves": "44", "depth": "3"}).text
    assert 'src="/static/tree.js"' in page
    assert '"nodes":158' in page
    for query in ({"agent": "mcts"}, {"agent": "minimax", "depth": "x"}, {"agent": "minimax", "depth": "9"}):
        assert client.get("/tree", params=query).status_code == 400


def test_a_text_is_made_once_and_again_when_games_were_added(folder, monkeypatch):
    monkeypatch.setattr("arena.web.texts.REST", 0.0)
    path, made = folder / "a.sqlite", []
    texts = Texts(lambda path: made.append(path) or str(len(made)))

    async def look():
        assert [await texts.of(path), await texts.of(path)] == ["1", "1"]
        path.unlink()
        run_of(path, ["greedy", "random"], [(0, 1, 0, "1")])
        assert not texts.is_fresh(path)
        assert await texts.of(path) == "2"

    asyncio.run(look())


def test_a_text_that_takes_long_is_not_waited_for_and_rests(folder):
    path, made = folder / "a.sqlite", []

    def make(path):
        time.sleep(0.3)
        made.append(path)
        return "text"

    async def look():
        texts = Texts(make)
        assert await texts.of(path, 0.01) is None
        assert await asyncio.gather(*(texts.of(path) for _ in range(5))) == ["text"] * 5
        (folder / "a.sqlite-wal").touch()
        assert await texts.of(path) == "text"
        assert not texts.is_fresh(path)

    asyncio.run(look())
    assert len(made) == 1


def test_a_text_that_cannot_be_made_says_why_to_whoever_asks(tmp_path):
    async def look():
        texts = Texts(tables)
        for _ in range(2):
            with pytest.raises(InputError, match="there is no file"):
                await texts.of(tmp_path / "none.sqlite")

    asyncio.run(look())


def test_a_report_that_takes_long_is_waited_for_by_looking_again(client, monkeypatch):
    monkeypatch.setattr(runs, "PATIENCE", 0.0)
    answer = client.get("/run/a.sqlite/report")
    assert answer.headers["refresh"] == "2"
    first = answer.text
    assert 'href="/run/a.sqlite"' in first
    for _ in range(100):
        if 'id="standings"' in (text := client.get("/run/a.sqlite/report").text):
            break
        time.sleep(0.1)
    assert "refresh" not in text


def test_the_games_in_hand_are_told_until_they_are_stale(folder):
    path = folder / "a.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("UPDATE run SET planned = 3")
    database.close()
    assert state(path)["playing"] is None
    game = now.Playing("greedy", "random", "445", 1.5)
    now.write(path, [game])
    assert state(path)["playing"] == [dataclasses.asdict(game)]
    for broken in ("", "[", '[{"first": 1}]', "3"):
        now.beside(path).write_text(broken)
        assert state(path)["playing"] is None
    now.write(path, [game])
    os.utime(now.beside(path), (1, 1))
    assert state(path)["playing"] is None
    now.end(path)
    assert [each.name for each in folder.iterdir()] == ["a.sqlite"]
