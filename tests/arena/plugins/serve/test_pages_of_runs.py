"""What a reader sees on the first page, on the pages of stored runs and on those of their games, without scripts."""

import html
import json
import re
from types import SimpleNamespace as Row

import pytest
from hand_made import FIRST, audit_of, decision, stored
from served import client_of

from arena.plugins.serve import runs
from arena.plugins.serve.game import BOARDS
from arena.records import Termination
from arena.store.folder import StoredRun

ROUTE = "/maze", "served:maze", "The maze", "Walk through it.", ""


@pytest.fixture
def visited(tmp_path, monkeypatch):
    """A function that returns a page of the server of this folder as it is written."""
    monkeypatch.setattr("arena.page.page.offers", lambda _: [Row(row=ROUTE)])

    def visit(address, **options):
        with client_of(tmp_path, **options) as client:
            answer = client.get(address)
        assert answer.status_code == 200, answer.text
        return answer.text

    return visit


def words(text):
    """Return what stands in a part of a page."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text.replace("<wbr>", ""))).split())


def parts(text, tag):
    """Return the words of all elements of a kind."""
    return [words(part) for part in re.findall(rf"<{tag}\b.*?</{tag}>", text, re.DOTALL)]


def state_of(text):
    """Return what a page's script knows of a run or a game."""
    return json.loads(re.search(r'<script type="application/json" id="state"[^>]*>(.*?)</script>', text)[1])


def rows(text):
    """Return the rows of a table as the words of their cells."""
    lines = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    return [[words(cell) for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", line, re.DOTALL)] for line in lines]


def test_the_page_of_a_game_has_a_row_of_each_move_and_says_how_it_ended(visited, tmp_path):
    agents = "alphabeta:depth=2,order=centre", "minimax:depth=3,order=centre"
    moves = tuple(
        decision(ply, depth, nodes, seconds, column=(3, 3, 2, 2, 1)[ply])._replace(score=score)
        for ply, depth, nodes, seconds, score in (
            (1, 2, 1234, 0.0125, 45), (2, 0, 0, 0.0, None), (3, 1, 57, 1.5, -999_996), (4, 1, 8, 0.1, 0),
        )
    )  # fmt: skip
    won = tuple(decision(ply, 1, 1, 0.1, column=(3, 0, 3, 1, 3, 2, 3)[ply]) for ply in range(1, 7))
    (tmp_path / "a b").mkdir()
    path = stored(tmp_path / "a b" / "c.sqlite", agents, [
        (0, 1, 0, "4142434", FIRST, Termination.LINE, won), (1, 0, 0, "44332", FIRST, Termination.ILLEGAL, moves),
    ], openings=("4",))  # fmt: skip
    audit_of(path, [(2, 1, 1, 1, 7, 2, "1 2"), (2, 2, 0, 0, 7, 7, None), (2, 3, -1, -1, 7, 7, None),
                    (2, 4, 1, 0, 7, 3, None)])  # fmt: skip
    text = visited("/run/a%20b/c.sqlite/game/2")
    first, second = "minimax:depth=3", "alphabeta:depth=2"
    intro = text.partition("</h1>")[2].partition("</header>")[0]
    assert parts(intro, "p") == [f"{first} 1-0 {second}", "illegal move: it is wrong · 5 plies · the run"]
    assert re.findall('class="disc ([a-z]+)"', intro) == ["first", "second"]
    assert "depth=<wbr>3" in intro
    assert re.findall(r'<a (?:class="button[^"]*" )?(?:id="play" )?href="([^"]*)"', text)[-3:] == [
        "/run/a%20b/c.sqlite", "/play", "/maze"
    ]  # fmt: skip
    assert rows(text) == [
        ["ply", "column", "agent", "score", "depth", "nodes", "ms", "value"],
        ["0", "4", "opening", "", "", "", "", ""],
        ["1", "4", second, "+45", "2", "1,234", "12.50", "win"],
        ["2", "3", first, "-", "-", "-", "0.00", "draw"],
        ["3", "3", second, "loss in 4", "1", "57", "1500.00", "loss"],
        ["4", "2", first, "0", "1", "8", "100.00", "a win becomes a draw; kept by 3 of 7 moves"],
    ]
    data = state_of(text)
    assert len(data.pop("said")) == 6
    assert data == {
        "rules": {"columns": 7, "rows": 6, "connect": 4, "most_fours": False}, "game": 2, "first": first,
        "second": second, "moves": [3, 3, 2, 2, 1], "scores": [None, 45, None, -999_996, 0],
        "depths": [None, 2, 0, 1, 1], "blunders": [4], "opening": 1,
    }  # fmt: skip
    body = text.partition("<tbody>")[2]
    assert re.findall('class="disc ([a-z]+)"', body) == ["first", "second", "first", "second", "first"]
    assert re.findall(r'data-ply="(\d)"( class="blunder")?', body)[-2:] == [("3", ""), ("4", ' class="blunder"')]
    assert body.count("depth=<wbr>") == 4
    intro = visited("/run/a%20b/c.sqlite/game/1").partition("</h1>")[2]
    assert parts(intro, "p")[:2] == [f"{second} 1-0 {first}", "line completed · 7 plies · the run"]


AGENTS = [f"alphabeta:depth={depth},order=centre" for depth in range(1, 7)]


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """A function that shows such a run in such a state in the folder."""

    def show(*tables, done, command=None):
        (tmp_path / "a b.sqlite").touch()
        run = StoredRun(
            f"{tmp_path}/a b.sqlite", "2026-01-02T03:04:05+00:00", AGENTS[:2], 1234, 5678, complete=done,
            command=command,
        )  # fmt: skip
        monkeypatch.setattr(runs.runs, "stored", lambda _: ([run], []))
        games = [
            {"game": number, "first": first, "second": second, "result": result, "termination": end}
            for number, first, second, result, end in (
                (1234, *AGENTS[:2], "1-0", "line completed"), (1233, *AGENTS[1::-1], "1/2-1/2", "board full"),
            )
        ]  # fmt: skip
        state = {"agents": AGENTS[:2], "played": 1234, "planned": 5678, "done": done, "games": games, "playing": None}
        monkeypatch.setattr(runs.runs, "state", lambda *_: dict(state))

        async def of(_, __, patience):
            assert patience == 0.5, "of seconds, after which a page comes without the text"
            return tables[0] if tables else None

        monkeypatch.setattr(runs.Texts, "of", of)

    return show


def test_the_page_of_a_run_has_its_progress_and_last_games_and_its_tables_first_once_it_is_done(visited, shown):
    shown("<p>The tables.</p>", done=True, command="arena run a b")
    text = visited("/run/a%20b.sqlite")
    assert words(text.partition("</h1>")[2].partition("</header>")[0]) == "2026-01-02 03:04 UTC · arena run a b"
    assert "1,234 of 5,678 games" in parts(text, "p")
    assert '<progress id="progress" max="5678" value="1234"' in text
    assert rows(text) == [
        ["game", "first", "second", "result", "end"],
        ["1234", "alphabeta:depth=1", "alphabeta:depth=2", "1-0", "line completed"],
        ["1233", "alphabeta:depth=2", "alphabeta:depth=1", "1/2-1/2", "board full"],
    ]
    run, state = "/run/a%20b.sqlite", state_of(text)
    assert [(game["game"], game["first"]) for game in state.pop("games")] == [
        (1234, "alphabeta:depth=1"), (1233, "alphabeta:depth=2")
    ]  # fmt: skip
    assert state == {"played": 1234, "planned": 5678, "done": True, "playing": None}
    assert re.findall(r'(?:href|data-run)="(/run[^"]*)"', text) == [
        f"{run}/report", f"{run}/game/1234", f"{run}/game/1233", run
    ]  # fmt: skip
    assert text.count("<p>The tables.</p>") == 1
    assert "<noscript>" not in text
    assert text.index("The tables.") < text.index("Progress")
    shown("<p>The tables.</p>", done=False)
    text = visited(run)
    assert words(text.partition("</h1>")[2].partition("</header>")[0]) == "2026-01-02 03:04 UTC"
    assert text.index("Last games") < text.index("The tables.")
    assert '<noscript><meta http-equiv="refresh"' in text
    for done in (True, False):
        shown(done=done)
        text = visited(run)
        assert text.count("Computing the tables") == text.count('<noscript><meta http-equiv="refresh"') == 1
    assert f'href="{run}"' in visited(f"{run}/report"), "a page that waits leads back to the run"
    shown("<p>The report.</p>", done=False)
    assert visited(f"{run}/report") == "<p>The report.</p>"


def test_the_first_page_has_a_card_of_each_run_with_up_to_four_of_its_agents(visited, tmp_path, monkeypatch):
    def run(name, agents, played, planned):
        return StoredRun(
            f"{tmp_path}/{name}", "2026-01-02T03:04:05+00:00", agents, played, planned, complete=planned == 4,
            command=None,
        )  # fmt: skip

    many = run("week 1/a.sqlite", AGENTS, 1234, 5678)
    few = run("b.sqlite", ["greedy", "alphabeta:depth=1,order=centre", "random", "oneil"], 4, 4)
    monkeypatch.setattr(runs.runs, "stored", lambda _: ([many, few], []))
    text = visited("/", agents=AGENTS)
    first = f"{' '.join(f'alphabeta:depth={depth}' for depth in range(1, 5))} and 2 more all agents have order=centre"
    cards = re.findall(r'<a class="card run" href="([^"]*)">(.*?)</a>', text, re.DOTALL)
    assert [(address, words(card)) for address, card in cards] == [
        ("/run/week%201/a.sqlite", f"week 1/a.sqlite 2026-01-02 03:04 UTC 1,234 of 5,678 games unfinished {first}"),
        ("/run/b.sqlite", f"b.sqlite 2026-01-02 03:04 UTC 4 of 4 games {' '.join(few.agents)}"),
    ]  # fmt: skip
    assert re.findall("<progress[^>]*>", text) == [
        '<progress max="5678" value="1234" aria-label="Games played of week 1/a.sqlite">'
    ]
    doors = re.findall(r'<a class="card door" href="([^"]*)"><h2>(.*?)</h2><p>(.*?)</p></a>', text)
    assert [address for address, *_ in doors[:6]] == [
        f"/play?second=alphabeta%3Adepth%3D{depth}%2Corder%3Dcentre" for depth in range(1, 7)
    ]  # fmt: skip
    assert [words(title) for _, title, _ in doors[:6]] == [f"Play against {agent}" for agent in AGENTS]
    assert doors[0][1].count("<wbr>") == 4
    assert "has all" not in text, "there is a door for each of six"
    assert [(address, title) for address, title, _ in doors[6:]] == [
        ("/play", "Play"), ("/play?first=medium&amp;second=hard", "Watch"), ("/maze", "The maze")
    ]  # fmt: skip
    assert doors[6][2].endswith(", or against an agent of your own.")
    assert doors[8][2] == "Walk through it."


def test_the_page_to_play_on_offers_boards_and_what_shows_searches_and_an_error_leads_to_the_runs(visited, tmp_path):
    text = visited("/play")
    assert parts(text, "option") == list(BOARDS)
    assert parts(text, "nav") == ["Connect4 Arena Runs Play The maze"]
    assert '<a class="button route" href="/maze">The maze</a>' in text
    assert 'id="speed" min="1" max="20" value="4"' in text
    with client_of(tmp_path) as client:
        error = client.get("/run/none.sqlite").text
    assert parts(error.partition("<main>")[2], "p") == ["there is no run 'none.sqlite'", "All runs"]
    assert error.count('href="/"') == 3
