"""Pages of stored runs."""

import dataclasses
import html
import os
import re
import sqlite3
import time
from contextlib import closing

import pytest
from changed import connect
from hand_made import audit_of, run_of
from served import client_of

from arena.plugins.serve import runs
from arena.plugins.serve.runs import state, tables
from arena.store import live

EVIL = "bots/<script>window.caught=1</script>.py"


def test_the_start_page_lists_the_runs_and_their_pages_answer(client):
    assert 'href="/run/a.sqlite"' in client.get("/").text
    pages = (client.get("/run/a.sqlite").text for _ in range(60))  # each waits half a second for the tables
    assert 'style="' not in next(page for page in pages if "Standings" in page)
    assert 'data-ply="0"' in client.get("/run/a.sqlite/game/1").text
    assert 'data-ply="7"' not in client.get("/run/a.sqlite/game/1").text
    assert client.get("/run/a.sqlite/game/9").status_code == 400


def test_the_page_of_a_run_of_a_folder_within_leads_to_its_games_and_report(client, folder, monkeypatch):
    (folder / "week 1").mkdir()
    (folder / "a.sqlite").rename(folder / "week 1" / "b.sqlite")
    monkeypatch.setattr(runs, "PATIENCE", 0.0)
    waiting = client.get("/run/week%201/b.sqlite/report")
    [back] = [html.unescape(link) for link in re.findall(r'href="(/run/[^"]*)"', waiting.text)]
    assert (waiting.headers.get("refresh"), client.get(back).status_code) == ("2", 200)
    links = [link for link in re.findall(r'href="(/run/[^"]*)"', client.get(back).text) if "b.sqlite" in link]
    assert any("report" in link for link in links)
    assert {client.get(html.unescape(link)).status_code for link in links} == {200}


def test_without_a_folder_the_runs_of_the_current_one_and_of_its_results_are_served(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for name in ("results", "results/more", "other"):
        (folder / name).mkdir()
        run_of(folder / name / "b.sqlite", ["greedy", "random"], [(0, 1, 0, "1")])
    served = runs.Runs()
    assert sorted(map(served.name, served.stored())) == ["a.sqlite", "results/b.sqlite", "results/more/b.sqlite"]


def test_on_the_page_of_a_game_agents_are_called_as_on_the_page_of_its_run(folder):
    agents = [f"{kind},heuristic=zero" for kind in ("minimax:depth=2", "alphabeta:depth=2", "minimax:depth=3")]
    played = "1", "1122334", (5, 7, 5, 7, 5)
    run_of(folder / "c.sqlite", agents, [(0, 1, 0, *played), (1, 2, 0, *played)])
    with client_of(folder) as client:
        texts = [client.get(f"/run/c.sqlite/game/{number}").text for number in (1, 2)]
    for text, depth in zip(texts, (2, 3), strict=True):
        for label in (f"minimax:depth={depth}", "alphabeta:depth=2"):
            assert f"{label} plays column" in text


def test_a_blunder_is_counted_and_explained_as_in_the_terminal(arena, client, folder):
    rows = [(1, ply, 1, -1 if ply == 4 else 1, 7, 3, "1 2 3") for ply in range(2, 7)]
    path = audit_of(folder / "a.sqlite", rows)
    text = client.get("/run/a.sqlite/game/1").text
    row = re.search(r'<tr data-ply="4" class="blunder">.*?</tr>', text, re.DOTALL)[0]
    assert "<td>4</td>" in row
    assert "a win becomes a loss; kept by 1, 2, 3" in row
    assert "ply 4: column 3, win to loss" in arena("games", path, "--blunders", "--wide").out
    assert "Blunder: a win becomes a loss; kept by 1, 2, 3." in text


def test_nodes_that_an_agent_does_not_report_are_a_dash(client, folder):
    run_of(folder / "silent.sqlite", ["greedy", "random"], [(0, 1, 0, "1", "1122334", (0, 7, 0, 7, 0))])
    cells = re.findall(r"<tr data-ply.*?</tr>", client.get("/run/silent.sqlite/game/1").text, re.DOTALL)
    assert ["<td>7</td>" in row for row in cells[2:]] == [False, True, False, True, False]
    assert ["<td>-</td>" in row for row in cells[2:]] == [True, False, True, False, True]


@pytest.mark.parametrize("number", ["9" * 19, "9" * 5000, "x", "0-1-99"])
def test_what_is_no_number_of_a_game_is_a_bad_question(client, number):
    answer = client.get(f"/run/a.sqlite/game/{number}")
    assert answer.status_code == 400
    assert "a.sqlite has no game" in answer.text


def test_a_damaged_run_is_named_on_its_page(client, folder):
    with closing(sqlite3.connect(folder / "a.sqlite")) as file:
        file.execute("UPDATE run SET plan = json_set(plan, '$.rules.columns', 0)")
        file.commit()
    answer = client.get("/run/a.sqlite")
    assert answer.status_code == 400
    assert "a.sqlite" in answer.text


def test_an_impossible_game_is_named_on_the_page_of_a_game(client, folder):
    with closing(sqlite3.connect(folder / "a.sqlite")) as file:
        file.execute("UPDATE game SET termination = 'x' WHERE id = 2")
        file.commit()
    answer = client.get("/run/a.sqlite/game/1")
    assert answer.status_code == 400
    assert "a.sqlite, game 2: it is damaged: no game ends by" in answer.text


@pytest.mark.parametrize("path", ["/run/b.sqlite", "/run/../a.sqlite", "/run/%2e%2e/secret", "/static/../server.py"])
def test_nothing_else_can_be_opened(client, path):
    answer = client.get(path)
    assert (answer.status_code, 'href="/"' in answer.text) == (404, True)


def test_one_file_is_served_alone(folder):
    run_of(folder / "b.sqlite", ["greedy", "random"], [(0, 1, 0, "1")])
    with client_of(folder / "b.sqlite") as client:
        assert "a.sqlite" not in client.get("/").text
        assert client.get("/run/a.sqlite").status_code == 404
        assert client.get("/run/b.sqlite").status_code == 200


def test_a_folder_that_is_not_there_yet_has_no_runs(tmp_path):
    with client_of(tmp_path / "results") as client:
        assert "No run is stored here yet" in client.get("/").text


def test_hostile_names_stay_text(tmp_path):
    path = run_of(tmp_path / "a.sqlite", ["greedy", "random"], [(0, 1, 0, "0", "112233", (5, 7, 5, 7))])
    with connect(path) as database:
        database.execute("UPDATE agent SET name = ? WHERE id = 1", (EVIL,))
        database.execute("UPDATE game SET detail = ?, termination = 'exception'", (EVIL,))
    database.close()
    with client_of(tmp_path) as client:
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
    with connect(path) as database:
        database.execute("UPDATE run SET planned = 3")
    database.close()
    assert state(path)["playing"] is None
    game = live.GameInProgress("greedy", "random", "445", 1.5)
    live.write(path, [game])
    assert state(path)["playing"] == [dataclasses.asdict(game)]
    for broken in ("", "[", '[{"first": 1}]', "3"):
        live.beside(path).write_text(broken)
        assert state(path)["playing"] is None
    live.write(path, [game])
    os.utime(live.beside(path), (1, 1))
    assert state(path)["playing"] is None
    live.end(path)
    assert [each.name for each in folder.iterdir()] == ["a.sqlite"]
