"""What pages are told of runs that are played and of games; texts that are kept; and searches for pages."""

import asyncio
import contextlib
import json
import threading
from pathlib import Path
from types import SimpleNamespace as Row

import pytest
from changed import connect
from hand_made import audit_of, run_of
from needs import needed
from served import client_of
from starlette.exceptions import HTTPException

from agents.board import Board, Rules
from agents.errors import InputError
from agents.score import in_words
from agents.solver.solver import Stopped
from arena.plugins.serve import game, runs, searching
from arena.plugins.serve.own import Own
from arena.store import live
from arena.store.schema import EXTRA

AGENTS = ["minimax:depth=2,order=centre", "alphabeta:depth=2,order=centre", "random"]
GAMES = [
    (0, 1, 0, "1", "1122334", (5, 7, 5, 7, 5)), (1, 0, 0, "1", "1122334", (5, 0, 5, 7, 5)),
    (0, 2, 1, "1", "1213141", (5, 7, 5, 7, 5)), (2, 0, 1, "0", "12123242", (1, 2, 3, 4, 5, 6)),
    (1, 2, 0, "1", "1122334", (5, 7, 5, 7, 5)), (2, 1, 0, "=", "", ()),
]  # fmt: skip


@pytest.fixture
def path(tmp_path):
    """A run of three agents, audited, that is not whole yet."""
    found = run_of(tmp_path / "a.sqlite", AGENTS, GAMES, openings=("11", "12"), planned=8)
    audit_of(found, [(1, 2, 1, -1, 7, 2, "1 2"), (1, 3, 1, 1, 7, 7, None),
                     (4, 5, 1, 0, 7, 1, "4")])  # fmt: skip
    connection = connect(found)
    with connection:
        connection.execute("UPDATE game SET nanoseconds = 1000000000, moment = 0")
        connection.execute(EXTRA)
        connection.execute("""INSERT INTO extra VALUES (1, 2, '{"reply": "so be it", "status": "ok"}')""")
    connection.close()
    return found


def test_a_run_tells_its_state_and_the_games_in_hand(path):
    state = runs.state(path)
    assert (state["played"], state["planned"], state["done"], state.get("playing")) == (6, 8, False, None)
    live.write(path, [live.GameInProgress(AGENTS[0], AGENTS[2], "445", 1.5)])
    [playing] = runs.state(path)["playing"]
    assert (playing["first"], playing["second"], playing["moves"]) == (AGENTS[0], AGENTS[2], "445")


def test_a_game_is_found_by_its_number_and_by_who_played_it(path):
    for number, moves in (("1", "1122334"), ("0-1-0", "1122334"), ("4", "12123242"), ("2-0-1", "12123242")):
        assert runs.runs.replay(path, number).game.moves == moves
    with pytest.raises(InputError, match="no game"):
        runs.runs.replay(path, "9")


def test_pages_of_a_run_have_the_policy_of_pages_and_say_where_nothing_is_finished(path, tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "_report", lambda path: f"a report of {path.name}")
    with client_of(tmp_path) as client:
        for address in ("/run/a.sqlite/game/4", "/run/a.sqlite/report"):
            answer = client.get(address)
            assert (answer.status_code, "default-src" in answer.headers[runs.POLICY]) == (200, True)
            policy = dict(part.split(" ", 1) for part in answer.headers[runs.POLICY].split("; "))
            inline = "'unsafe-inline' " * address.endswith("report")
            assert (policy["style-src"], policy["script-src"]) == (f"{inline}'self'", "'self'")
    run_of(tmp_path / "none.sqlite", AGENTS, [])
    assert "No game is finished yet." in runs.tables(tmp_path / "none.sqlite")


def test_the_page_of_a_game_has_its_moves_scores_depths_and_what_is_said_of_each(path):
    document = runs._document(runs.runs.replay(path, "1"), str.upper)
    first, second = (name.upper() for name in AGENTS[:2])
    said = document.pop("said")
    assert document == {
        "rules": {"columns": 7, "rows": 6, "connect": 4, "most_fours": False}, "game": 1, "first": first,
        "second": second, "moves": [0, 0, 1, 1, 2, 2, 3], "scores": [None, None, 0, 0, 0, 0, 0],
        "depths": [None, None, 1, 1, 1, 1, 1],
        "blunders": [2], "opening": 2,
    }  # fmt: skip
    assert said[:2] == ["opening: plays column 1."] * 2
    assert said[2].splitlines()[0] == f"{first} plays column 2. Blunder: a win becomes a loss; kept by 1, 2."
    assert said[2].splitlines()[1:] == ["status ok", "reply: so be it"]
    assert said[3:] == [
        f"{second} plays column 2.", f"{first} plays column 3.", f"{second} plays column 3.",
        f"{first} plays column 4.", "1-0, line completed.",
    ]  # fmt: skip


def test_the_state_of_a_run_names_agents_without_what_all_have(path):
    live.write(path, [live.GameInProgress(*["alphabeta:depth=2,order=centre"] * 2, "445", 1.5)])
    with connect(path) as database:
        database.execute("UPDATE agent SET name = 'greedy:depth=2,order=centre' WHERE id = 3")
    database.close()
    state = runs.state(path)
    assert [(game["game"], game["first"], game["second"]) for game in state["games"]][-3:] == [
        (3, "minimax", "greedy"), (2, "alphabeta", "minimax"), (1, "minimax", "alphabeta")
    ]  # fmt: skip
    assert [(game["first"], game["second"]) for game in state["playing"]] == [("alphabeta", "alphabeta")]


def test_the_last_fifteen_games_of_a_run_are_told(path, monkeypatch):
    asked = []
    document = {"agents": [], "games": [], "playing": []}
    monkeypatch.setattr(runs.runs, "state", lambda *given: asked.append(given) or dict(document))
    assert (runs.state(path), asked) == ({"games": [], "playing": []}, [(path, 15)])


def test_own_agents_are_offered_on_the_first_page_and_a_run_tells_how_far_it_is(path, tmp_path):
    own = [f"alphabeta:depth={depth}" for depth in range(1, 8)]
    with client_of(tmp_path, agents=own) as client:
        text = client.get("/").text
        for words in ('href="/play?second=alphabeta%3Adepth%3D6"', "The page Play has all 7 of your agents.",
                      "<strong>6</strong> of 8 games", "unfinished", '<progress max="8" value="6"',
                      f"In {tmp_path.resolve()}, newest first."):  # fmt: skip
            assert words in text, words
        assert "depth%3D7" not in text
        run = client.get("/run/a.sqlite").text
    assert "6 of 8 games" in run
    assert 'href="/run/a.sqlite/game/6"' in run


def test_a_report_is_named_after_its_file_and_loads_what_it_needs(monkeypatch):
    monkeypatch.setattr(runs.report, "page", lambda *given, **more: (given, more))
    assert runs._report(Path("a/b.sqlite")) == ((Path("a/b.sqlite"), "b.sqlite"), {"whole": False})


def test_the_runs_of_a_server_are_those_of_its_folder_and_have_their_names_alone(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    (tmp_path / "deep").mkdir()
    for name in ("b.sqlite", "results/c.sqlite", "deep/d.sqlite"):
        run_of(tmp_path / name, AGENTS, GAMES[:1], openings=("11", "12"))
    for place, names in (
        (None, ["a.sqlite", "b.sqlite", "results/c.sqlite"]),
        (tmp_path, ["a.sqlite", "b.sqlite", "deep/d.sqlite", "results/c.sqlite"]), (tmp_path / "results", ["c.sqlite"]),
        (tmp_path / "b.sqlite", ["b.sqlite"]), (tmp_path / "no", []),
    ):  # fmt: skip
        shown = runs.Runs(place)
        assert sorted(map(shown.name, shown.stored())) == names
        for word in ("a.sqlite", "b.sqlite", "c.sqlite", "results/c.sqlite", "deep/d.sqlite", ""):
            request = Row(path_params={"name": word})
            if word in names:
                assert shown.name(shown.find(request)) == word
            else:
                with pytest.raises(HTTPException, match="there is no run"):
                    shown.find(request)


def test_events_are_told_of_the_run_that_an_address_names(path, monkeypatch):
    shown = runs.Runs(path.parent)
    asked = []
    monkeypatch.setattr(runs, "events", lambda *given: asked.append(given) or iter(()))
    request = Row(path_params={"name": "a.sqlite"}, is_disconnected=object())
    assert asyncio.run(shown.events(request)).media_type == "text/event-stream"
    assert asked == [(path, shown.tables, request.is_disconnected)]


def test_events_tell_each_change_once(path, monkeypatch):
    monkeypatch.setattr(runs, "PAUSE", 0.001)
    states = iter([{"played": 1, "done": False}] * 2 + [{"played": 2, "done": False}, {"played": 2, "done": True}])
    made = iter(["tables", "tables", None, "other"])
    left = iter([False] * 9)

    async def of(asked, patience):
        assert (asked, patience) == (path, runs.PAUSE)
        return next(made)

    async def gone():
        return next(left)

    def state(asked):
        found = next(states, None)
        if found is None:
            raise InputError("unreadable")
        return found

    async def told(texts):
        return [each async for each in runs.events(path, texts, gone)]

    monkeypatch.setattr(runs, "state", state)
    fresh = Row(of=of, is_fresh=lambda _: True)
    assert [line if line[0] in "r:e" else json.loads(line[6:]) for line in asyncio.run(told(fresh))] == [
        "retry: 2000\n\n", {"played": 1, "done": False, "tables": "tables"}, ": waiting\n\n",
        {"played": 2, "done": False}, {"played": 2, "done": True, "tables": "other"},
        "event: end\ndata: all\n\n",
    ]  # fmt: skip
    left = iter([False, False, True])
    assert asyncio.run(told(fresh)) == ["retry: 2000\n\n", ": unreadable\n\n", ": unreadable\n\n"]


def test_a_text_is_stamped_before_it_is_made_so_that_no_change_is_missed(path, monkeypatch):
    monkeypatch.setattr(runs, "REST", 0.0)
    made = []

    def make(asked):
        made.append(asked)
        if len(made) == 1:
            path.write_bytes(path.read_bytes() + b"\0")
        return f"text {len(made)}"

    async def look():
        texts = runs.Texts(make)
        assert [await texts.of(path), texts.is_fresh(path)] == ["text 1", False]
        assert [await texts.of(path), texts.is_fresh(path), await texts.of(path)] == ["text 2", True, "text 2"]
        assert texts.making == {}

    asyncio.run(look())


def test_the_texts_that_were_made_last_are_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(runs, "KEPT", 2)
    paths = [tmp_path / name for name in "abc"]
    for each in paths:
        each.touch()

    async def look():
        texts = runs.Texts(lambda path: path.name)
        for each in (paths[0], paths[1], paths[0], paths[2]):
            assert await texts.of(each) == each.name
        assert list(texts.kept) == paths[1:]
        assert not texts.is_fresh(paths[0])

    asyncio.run(look())


def test_a_text_rests_as_long_as_it_took(tmp_path, monkeypatch):
    (path := tmp_path / "a").touch()
    clock = Row(monotonic=lambda: clock.now, now=0.0)
    monkeypatch.setattr(runs, "time", clock)
    made = []

    def make(_):
        clock.now += 2.0
        made.append(clock.now)
        return str(len(made))

    async def look():
        texts = runs.Texts(make)
        for later, wanted in ((0.0, "1"), (7.9, "1"), (0.2, "2"), (7.9, "2")):
            clock.now += later
            monkeypatch.setattr(runs, "_stamp", lambda _, now=clock.now: (int(10 * now),))
            assert await texts.of(path) == wanted, later
            assert (later, texts.kept[path].took) == (later, 2.0)

    asyncio.run(look())


# Searches for pages.


class Page:
    """A page that waits until it has been looked at so often."""

    def __init__(self, looks=10**9):
        self.looks = looks

    async def is_disconnected(self):
        self.looks -= 1
        return self.looks < 0


class Seat:
    """Stands for an agent that searches until it is stopped, or answers at once."""

    def __init__(self, answer=None, ends=None):
        self.name, self.answer, self.ends = "bot", answer, ends
        self.stopped = threading.Event()

    def decide(self, _):
        if self.ends is not None:
            assert self.stopped.wait(20)
            if isinstance(self.ends, Exception):
                raise self.ends
            return self.ends
        return self.answer

    def stop(self):
        self.stopped.set()


@pytest.mark.parametrize(
    ("seat", "looks", "found"),
    [
        (Seat(answer=Row(score=None)), 9, Row(score=None)), (Seat(answer=None), 9, "found no move"),
        (Seat(ends=Row(score=5)), 2, Row(score=5)), (Seat(ends=Row(score=None)), 2, "found no move"),
        (Seat(ends=InputError("its process has ended")), 2, "found no move"), (Seat(answer=1), 0, "no longer waits"),
    ],
    ids=["at once", "nothing", "so far", "stopped", "ended", "gone"],
)  # fmt: skip
def test_moves_and_what_comes_of_searches_that_are_stopped(seat, looks, found, monkeypatch):
    monkeypatch.setattr(searching, "GLANCE", 0.001)
    try:
        told = asyncio.run(searching.Searches().decide(Page(looks), seat, Board()))
    except InputError as error:
        told = str(error)
    said = {"found no move": "bot found no move within 6 seconds; give it a smaller depth",
            "no longer waits": "the page no longer waits for the answer"}  # fmt: skip
    assert told == (said[found] if isinstance(found, str) else found)


def test_a_search_is_told_to_stop_until_it_does_where_the_server_ends(monkeypatch):
    monkeypatch.setattr(searching, "GLANCE", 0.001)
    begun, ended, told = threading.Event(), threading.Event(), []

    def work():
        begun.set()
        assert ended.wait(20)

    def stop():
        told.append("stop")
        if len(told) == 5:
            ended.set()

    async def leave():
        task = asyncio.create_task(searching.Searches().answer(Page(), work, stop))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert ended.is_set()


def test_an_own_fault_is_said_as_it_is():
    class Faulty(Seat):
        def decide(self, _):
            raise InputError("bot: illegal move")

    with pytest.raises(InputError, match=r"^bot: illegal move$"):
        asyncio.run(searching.Searches().decide(Page(), Faulty(), Board()))


def test_a_search_ends_when_its_time_is_over_and_not_before(monkeypatch):
    monkeypatch.setattr(searching, "GLANCE", 0.001)
    ticks, seen, told = iter([0.0, 5.9, 6.0, *[6.1] * 10**5]), [], []

    def now():
        seen.append(next(ticks))
        return seen[-1]

    class Noted(Seat):
        def stop(self):
            told.append(seen[-1])
            super().stop()

    monkeypatch.setattr(searching, "time", Row(monotonic=now))
    asyncio.run(searching.Searches().decide(Page(), Noted(ends=Row(score=1)), Board()))
    assert told[0] == 6.1


def test_solvers_of_the_last_boards_are_kept(monkeypatch):
    made, told = [], []

    class Solving:
        def __init__(self, rules):
            self.rules, self.stopped = rules, False
            made.append(rules)

        def resume(self):
            told.append(f"resume {self.rules}")

        def column_scores(self, own, opp):
            if self.rules.columns == 9:
                raise Stopped
            return own, opp

        def stop(self):
            self.stopped = True

    monkeypatch.setattr(searching, "_solver", Solving)
    boards = [Rules(7, 6), Rules(5, 4), Rules(7, 6), Rules(4, 4), Rules(5, 4), Rules(9, 6)]

    async def ask():
        searches = searching.Searches()
        found = [await searches.truth(Page(), Board.from_moves("12", rules)) for rules in boards]
        return found, list(searches.solvers)

    found, kept = asyncio.run(ask())
    asked = [Board.from_moves("12", rules) for rules in boards]
    assert found == [(board.own, board.opp) for board in asked[:-1]] + [None]
    assert made == [boards[0], boards[1], boards[3], boards[1], boards[5]]
    assert kept == [boards[4], boards[5]]
    assert told == [f"resume {rules}" for rules in boards]


def test_what_counts_as_another_compiled_search(monkeypatch):
    monkeypatch.setattr(searching, "MOST_COMPILED", 3)
    monkeypatch.setattr(
        searching, "player", lambda spec: Row(ready=lambda board, seed: told.append((board.rules, seed)))
    )
    told, searches = [], searching.Searches()

    def ask(rules=Rules(), kind="alphabeta", seed=0, **settings):  # noqa: B008  immutable
        spec = Row(kind=kind, resolved=lambda: settings)
        try:
            asyncio.run(searches.prepare(Page(), spec, rules, seed))
        except InputError as error:
            return str(error)[:20]
        return "ready"

    assert ask(heuristic="a", order="b") == "ready"
    assert ask(heuristic="a", order="b", depth=5, seed=7) == "ready"
    assert [ask(heuristic="c", order="b"), ask(heuristic="a", order="c")] == ["ready"] * 2
    assert [ask(Rules(5, 4), heuristic="a", order="b"), ask(kind="x", heuristic="a", order="b")] == [
        "this server has comp"] * 2  # fmt: skip
    assert told == [(Rules(), 0), (Rules(), 7), (Rules(), 0), (Rules(), 0)]
    told.clear()

    async def decide(_, seat, board):
        return board.text

    monkeypatch.setattr(searches, "decide", decide)
    spec = Row(kind="alphabeta", resolved=lambda: {"heuristic": "a", "order": "b"})
    assert asyncio.run(searches.move(Page(), spec, Board.from_moves("445"), 9)) == "445"
    assert told == [(Rules(), 9)]


def test_own_agents_move_by_turns_and_others_by_what_is_allowed(monkeypatch):
    told = []
    made = Row(column=3, score=-7, depth=2, nodes=9, seconds=0.5, pv=(3, 0))

    async def answer(_, work, stop):
        stop()
        return work()

    async def decide(_, seat, board):
        told.append((seat.name, board.text, owned.turn.locked()))
        return made

    async def move(_, spec, board, seed):
        told.append((spec.text, board.text, seed, owned.turn.locked()))
        return made

    owned = Own()
    owned.agents = ["mine.py"]
    monkeypatch.setattr(
        Own, "seat", lambda _, agent: Row(name=agent, ready=lambda board, seed: told.append((board.text, seed)))
    )
    page = game.Play(owned)
    page.searches = Row(answer=answer, decide=decide, move=move)

    def ask(**asked):
        async def stream():
            yield json.dumps(asked).encode()

        return json.loads(asyncio.run(page.move(Row(stream=stream))).body)

    wanted = {"column": 4, "score": in_words(-7), "depth": 2, "nodes": 9, "seconds": 0.5, "pv": [4, 1]}
    assert ask(agent="mine.py", moves="445", seed=5) == wanted
    assert ask(agent="greedy", moves="44", seed=1) == wanted
    assert told == [("445", 8), ("mine.py", "445", True), ("greedy", "44", 3, False)]
    with contextlib.suppress(InputError):
        ask(agent="other.py")
    assert len(told) == 3


def asking(page, way):
    """Return a function that asks a page's method as a page does."""

    def ask(**asked):
        async def stream():
            yield json.dumps(asked).encode()

        return json.loads(asyncio.run(way(Row(stream=stream, is_disconnected=Page().is_disconnected))).body)

    return ask


@pytest.mark.parametrize(
    ("scores", "best"), [((None, -3, 4, None), 4), ((-3, -5), -3), ((-2, 0, None), 0), ((0, 0), 0), (None, None)]
)
def test_the_truth_of_a_position_is_its_best_column(scores, best):
    page = game.Play(Own())

    async def truth(_, board):
        return scores

    page.searches.truth = truth
    if scores is None:
        with pytest.raises(InputError, match="cannot be solved within"):
            asking(page, page.truth)(moves="12")
    else:
        assert asking(page, page.truth)(moves="12") == {"columns": list(scores), "score": best}


def test_a_page_is_told_why_the_last_move_lost_beside_what_its_player_believed(monkeypatch):
    explanations = needed("arena.plugins.explain.job")
    page, told = game.Play(Own()), []
    explained = Row(rows=[1], lines=lambda row: [f"heading {row}", f"reason {row}"])
    monkeypatch.setattr(
        explanations,
        "explain",
        lambda board, *, ply, beliefs: told.append((board.text, ply, beliefs)) or explained,
    )
    ask = asking(page, page.explain)
    assert ask(moves="1234")["lines"][:2] == ["heading 1", "reason 1"]
    ask(moves="1234", score=-100, depth=2)
    ask(moves="1234", score="-100", depth=True)  # which is no belief
    assert told == [("1234", 3, {3: belief}) for belief in ((None, None), (-100, 2), (None, None))]
    explained.rows = []
    assert ask(moves="1212121") == ask(moves="") == {"lines": []}
    assert told[3:] == [("1212121", 6, {6: (None, None)})]


def test_a_tree_is_drawn_to_the_depth_that_is_asked_for_and_no_deeper_than_may_be(monkeypatch):
    served, trees = needed("arena.plugins.tree.served"), []

    async def prepare(_, spec, rules):
        trees.append((spec.text, str(rules)))

    async def answer(_, work, stop):
        return work()

    def tree_page(text, board, depth, bounds, *, whole):
        return f"a page of {text} after {board.text} to {depth}, {whole}"

    monkeypatch.setattr(served, "tree_page", tree_page)
    page = game.Play(Own())
    page.searches = Row(prepare=prepare, answer=answer)
    app = Row(state=Row(play=page))

    def tree(**given):
        return asyncio.run(served.tree(Row(query_params=given, app=app))).body.decode()

    for depth in ("1", "42"):
        told = tree(agent="minimax", moves="44", board="5x4", depth=depth)
        assert told == f"a page of minimax after 44 to {depth}, False"
    assert tree(agent="minimax", moves="44").endswith("to 4, False")
    assert trees == [("minimax", "5x4x4")] * 2 + [("minimax", "7x6x4")]
    for depth in ("43", "0", "", "x", "-1", "٣", "99999"):
        with pytest.raises(InputError, match="depth must be a whole number from 1 to 42"):
            tree(agent="minimax", moves="44", depth=depth)
    with pytest.raises(InputError, match="depth is at most 30"):
        tree(agent="alphabeta:depth=31")
