"""Language models in a tournament: what is stored and shown, games that stay open, games at once, and keys."""

import itertools
import json
import re
import subprocess
import sys
import threading

import pytest
from changed import connect
from model_server import failed, said, serving
from needs import needed, needs
from played import rows
from served import client_of

from agents.board import Board, Rules
from agents.errors import InputError
from agents.solver.solver import Solver
from arena.games.plan import Plan
from arena.games.run import Run
from arena.page.page import page
from arena.perfect import audit as auditing
from arena.perfect import grade
from arena.perfect import kept as audit
from arena.perfect import tables as quality
from arena.plugins.language import models as language
from arena.plugins.language.models import language_lines
from arena.store.run_file import Store
from arena.table.labels import Labels
from arena.tournament.faults import fault_reports, faults
from arena.tournament.frames import Frames
from arena.tournament.games import replay
from arena.tournament.standings import standings
from arena.tournament.tournaments import run

pytestmark = needs("httpx")


def played(path, url, *others, options="", **plan):
    """Play a model that answers at a URL against others, and return what is stored."""
    run([f"llm:m@{url};patience=0;retries=1{options}", *others], out=path, **{"rounds": 2, "seed": 3} | plan)
    return Frames.read(path)


def older(path, options, missing):
    """Give the first agent of a stored run options of version 0.2.0, its replies a price, and take a game out."""
    [(told,)] = rows(path, "SELECT parameters FROM agent WHERE id = 1")
    connection = connect(path)
    with connection:
        connection.execute("UPDATE agent SET parameters = ? WHERE id = 1", [json.dumps(json.loads(told) | options)])
        connection.execute("UPDATE extra SET extra = json_insert(extra, '$.price', 0.5)")
        for table, column in (("move", "game"), ("extra", "game"), ("game", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {column} = ?", [missing])
    connection.close()


def legal(body):
    """Reply with the first column that the prompt lists as not full."""
    found = re.search(r"Columns that are not full: (\w+)", body["messages"][-1]["content"])
    return said(f"move: {found[1]}", usage=(100, 10, 4))


@pytest.mark.process
def test_each_move_keeps_its_reply_and_the_tables_count_them(tmp_path):
    path = tmp_path / "run.sqlite"
    with serving(legal) as (url, script):
        frames = played(path, url, "random", "mcts:playouts=20", options=";legal=yes")
    replies = frames.table("replies")
    name = str(frames.agents["name"][0])
    assert len(replies) == len(frames.moves[frames.moves["agent"] == name]) == len(script.requests)
    assert set(replies["status"]) == {"ok"}
    assert set(replies["tokens_reasoning"]) == {4}
    [row] = language.models(frames)
    games = 2 * 2 * 2
    assert (row.agent, row.moves, row.retries, row.faults, row.drawn_moves) == (name, len(replies), 0, 0, 0)
    assert (row.legal_replies, row.tokens_in, row.tokens_reasoning) == (1.0, 100 * len(replies), 4 * len(replies))
    assert row.tokens_per_game == pytest.approx(110 * len(replies) / games)
    with Store.read(path) as store:
        steps = [step for step in replay(store, 1).steps if step.agent == name]
    assert all("status ok" in step.said[0] and step.said[-1].startswith("reply: move:") for step in steps)


@pytest.mark.process
def test_random_moves_are_marked_and_counted(tmp_path):
    with serving(lambda _: said("I pass")) as (url, _):
        frames = played(tmp_path / "run.sqlite", url, "random", options=";illegal=random")
    name = str(frames.agents["name"][0])
    made = int((frames.moves["agent"] == name).sum())
    [row] = language.models(frames)
    assert (row.moves, row.legal_replies, row.drawn_moves, row.faults) == (made, 0.0, made, 0)
    assert f"{made} of the {made} moves" in "\n".join(language_lines(frames))


def passing(body):
    """Reply with no move to each prompt that shows an odd number of discs, and else as `legal` does."""
    found = re.search(r"first: (.*)", "".join(each["content"] for each in body["messages"]))
    return said("I pass") if found and found[1].count(",") % 2 == 0 else legal(body)


@pytest.mark.process
def test_an_audit_leaves_out_random_moves_and_says_how_many(tmp_path):
    path = tmp_path / "run.sqlite"
    with serving(passing) as (url, _):
        played(path, url, "random", options=";illegal=random;legal=yes", rules="5x4")
    auditing.audit(path)
    frames = Frames.read(path)
    name = str(frames.agents["name"][0])
    made, drawn = int((frames.moves["agent"] == name).sum()), int(frames.table("replies")["drawn"].sum())
    assert 0 < drawn < made
    [row] = (row for row in audit.agents(frames) if row.agent == name)
    assert row.moves == made - drawn
    assert sum(row.moves for row in audit.ranges(frames) if row.agent == name) == made - drawn
    assert audit.coverage(frames).drawn == drawn
    assert audit.coverage(frames).moves == len(frames.moves) - drawn
    assert f"left out: {drawn} random moves in place of replies" in quality.audit_parts(frames)[-1]


@pytest.mark.parametrize("illegal", ["forfeit", "random"])
def test_a_grade_counts_positions_without_a_legal_reply_as_missed(illegal):
    """This model plays perfectly where the number of discs is even, and passes where it is odd."""
    rules, solver = Rules(5, 4), Solver(Rules(5, 4), mebibytes=1)

    def answer(body):
        reply = passing(body)
        if reply == said("I pass"):
            return reply
        found = re.search(r"first: (.*)", body["messages"][-1]["content"])
        board = Board.from_moves(found[1].replace(", ", "") if found else "", rules)
        scores = solver.column_scores(board.own, board.opp)
        best = max((column for column in range(5) if scores[column] is not None), key=scores.__getitem__)
        return said(f"move: {best + 1}")

    with serving(answer) as (url, _):
        model = f"llm:m@{url};legal=yes;retries=0;illegal={illegal}"
        graded = grade.grade([model, "random"], positions=24, plies=(4, 5, 6, 7), rules=rules)
    rows_ = {row.agent: row for row in graded.rows}
    odd = sum(each.board.ply % 2 for each in graded.grading.exercises)
    assert 0 < odd < 24
    assert rows_[model].unanswered == odd
    assert rows_[model].perfect.value == pytest.approx(1 - odd / 24)
    assert rows_["random"].unanswered is None
    assert any(
        f" made no legal move in {odd}" in str(part) for part in quality.grade_parts(graded.rows, graded.grading)
    )


@pytest.mark.process
def test_the_longest_replies_are_stored_whatever_signs_they_are_of(tmp_path):
    with serving(lambda _: said("\U0001f600" * 6000)) as (url, _):
        spec = f"llm:m@{url};illegal=random;retries=10"
        run([spec, "random"], out=tmp_path / "run.sqlite", rounds=1)
    replies = Frames.read(tmp_path / "run.sqlite").table("replies")
    assert len(replies) == len(replies[replies["drawn"]]) > 0
    assert set(replies["reply"].str.len()) == {2500}


@pytest.mark.process
def test_a_forfeit_keeps_the_reply_that_lost_the_game(tmp_path):
    with serving(lambda _: said("9")) as (url, _):
        frames = played(tmp_path / "run.sqlite", url, "random")
    assert set(frames.games["termination"]) == {"illegal move"}
    assert list(frames.table("replies")["status"]) == ["illegal"] * 4
    assert set(frames.table("replies")["tries"]) == {2}
    assert next(row for row in standings(frames) if row.agent != "random").faults == 4


@pytest.mark.process
def test_a_reply_that_lost_the_game_is_shown_in_the_last_position(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    with serving(lambda _: said("column 9 it is")) as (url, _):
        played(path, url, "random", rounds=1)
    with Store.read(path) as store:
        found = replay(store, 1)
    assert found.extra["status"] == "unparsable"
    assert "reply: column 9 it is" in found.said
    assert "reply: column 9 it is" in arena("replay", path, 1).out.rpartition("to move")[2]
    assert json.loads(arena("replay", path, 1, "--json").out)["extra"] == found.extra
    assert all(
        "reply: column 9 it is" in text for text in (page(path), client_of(tmp_path).get("/run/run.sqlite/game/1").text)
    )


@pytest.mark.process
def test_faults_by_replies_with_the_same_error_are_one_kind(tmp_path):
    turns = itertools.count()

    def answer(_):
        turn = next(turns)
        return said(f"{turn} or 'so'" if turn % 2 else "9")

    with serving(answer) as (url, _):
        run([f"llm:m@{url};retries=0", "random"], out=tmp_path / "run.sqlite", rounds=2)
    found = {(each.termination, each.detail): each.games for each in faults(Frames.read(tmp_path / "run.sqlite"))}
    assert found == {
        ("unparsable reply", "Your reply does not end with a move."): 2,
        ("illegal move", "replied '9' at try 1: There is no column 9."): 2,
    }
    with Store.read(tmp_path / "run.sqlite") as store:
        reports = {(each.termination, each.detail): each.games for each in fault_reports(store)}
    assert reports == found


@pytest.mark.process
def test_a_model_needs_no_process_of_its_own(arena, tmp_path, monkeypatch):
    """It has its key in a check and in a process of its own, and games stay open where its address fails."""
    monkeypatch.setenv("MY_KEY", "sk-a-secret-key")
    path, roster, apart = tmp_path / "run.sqlite", tmp_path / "roster.toml", {"everyone": True}
    broken = []
    with serving(lambda body: failed(500) if broken else legal(body)) as (url, script):
        model = f"llm:m@{url};legal=yes;key_env=MY_KEY;retries=0;patience=0"
        assert arena("check", model, "--positions", 2).code == 0
        run([model, "random"], out=path, rounds=1, isolation=apart)
        broken.append(1)
        done = arena("check", model, "--positions", 2)
        assert (done.code, "HTTP 500" in done.err) == (1, True)
        with pytest.raises(InputError, match="2 games are left open"):
            run([model, "random"], out=tmp_path / "open.sqlite", rounds=1, isolation=apart)
        roster.write_text(f"name = 'slow'\nspec = '{model}'\nnodes = 9\n")
        with pytest.raises(InputError, match="'slow': a language model has no nodes, seconds or environment"):
            run([str(roster), "random"], out=tmp_path / "slow.sqlite", rounds=1)
    assert {each["Authorization"] for each in script.headers} == {"Bearer sk-a-secret-key"}
    assert len(Frames.read(path).table("replies")) > 2
    assert b"secret-key" not in path.read_bytes()


def test_a_move_is_printed_with_its_reply_and_a_random_one_says_so(arena):
    with serving(lambda _: said("I pass")) as (url, _):
        lines = arena("move", f"llm:m@{url};illegal=random;retries=0", "4453").out.splitlines()
    assert lines[0].startswith("move ")
    assert "status unparsable" in lines[1]
    assert "random move true" in lines[1]
    assert lines[2] == "reply: I pass"


@pytest.mark.process
def test_where_the_address_fails_games_stay_open_and_resume_plays_them(tmp_path):
    path, broken = tmp_path / "run.sqlite", []

    def answer(body):
        return failed(500) if broken else legal(body)

    with serving(answer) as (url, script):
        plan = Plan((f"llm:m@{url};patience=0;legal=yes", "random", "greedy"), rounds=2)
        begun = Run.begin(plan, path)
        with begun.store, pytest.raises(InputError, match=r"\d games are left open: .*HTTP 500"):
            begun.play(begun.executor(1), lambda: broken.append(1))
        others = "SELECT count(*) FROM game WHERE first > 1 AND second > 1"
        assert rows(path, others) == [(4,)], "the others' games are played"
        assert len(script.requests) < 60
        broken.clear()
        again = Run.resume(path)
        with again.store:
            assert again.play(again.executor(1))
    assert rows(path, "SELECT count(*) FROM game") == [(12,)]
    assert rows(path, "SELECT DISTINCT termination LIKE '%repl%' FROM game") == [(0,)]
    assert set(Frames.read(path).table("replies")["status"]) == {"ok"}


@pytest.mark.process
def test_games_at_once_with_a_model_are_as_many_as_were_asked_for(tmp_path):
    three, met = threading.Barrier(3), threading.Event()

    def answer(body):
        if not met.is_set():
            three.wait(60.0)  # the first request is answered only once three have come
            met.set()
        return legal(body)

    with serving(answer) as (url, script):
        one = f"llm:m@{url};patience=0;legal=yes"
        run([one, "random", "greedy"], out=tmp_path / "run.sqlite", rounds=4, workers=3)
    assert script.most_at_once == 3
    assert rows(tmp_path / "run.sqlite", "SELECT count(*) FROM game") == [(24,)]


@pytest.mark.parametrize(
    "options", [{"parallel": 1, "price": None, "disguise": 0}, {"parallel": 8, "price": [1.0, 2.0]}]
)
@pytest.mark.process
def test_a_run_of_an_earlier_version_with_options_that_are_gone_is_read_and_resumed(tmp_path, options):
    path = tmp_path / "run.sqlite"
    with serving(legal) as (url, _):
        played(path, url, "random", options=";legal=yes", rounds=2)
        older(path, options, 4)
        assert len(Frames.read(path).games) == 3
        assert "price" not in Frames.read(path).table("replies")
        again = Run.resume(path)
        with again.store:
            assert again.play(again.executor(1))
    assert rows(path, "SELECT count(*) FROM game") == [(4,)]


@pytest.mark.process
def test_a_run_with_a_disguise_of_an_earlier_version_is_read_but_not_resumed(tmp_path):
    path = tmp_path / "run.sqlite"
    with serving(legal) as (url, _):
        played(path, url, "random", options=";legal=yes", rounds=1)
        older(path, {"disguise": 2}, 2)
        assert len(Frames.read(path).games) == 1
        with pytest.raises(InputError, match=r"plays in a disguise, as version 0\.2\.0 had it"):
            Run.resume(path)


def test_a_cluster_refuses_a_model_whose_games_it_cannot_stop(tmp_path):
    needed("distributed")
    with serving(legal) as (url, script), pytest.raises(InputError, match="cannot stop the games of a model"):
        run([f"llm:m@{url}", "random"], out=tmp_path / "run.sqlite", rounds=1, cluster="127.0.0.1:1")
    assert not script.requests
    assert not (tmp_path / "run.sqlite").exists()


@pytest.mark.process
def test_a_key_is_nowhere_in_the_run_its_report_and_what_was_printed(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEL_KEY", "sk-0123456789")
    echoes = iter([failed(500, "key sk-0123456789"), failed(429, "slow down, sk-0123456789")])

    def answer(body):
        found = next(echoes, None)
        return found or said(
            f"your key sk-0123456789\n{legal(body)[1].decode().split('move: ')[1][0]}", model="sk-0123456789"
        )

    path = tmp_path / "run.sqlite"
    with serving(answer) as (url, script):
        spec = f"llm:m@{url};legal=yes;key_env=MODEL_KEY"
        command = [sys.executable, "-m", "arena", "run", spec, "random", "--rounds", "1", "--out", str(path)]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
    assert all(headers["Authorization"] == "Bearer sk-0123456789" for headers in script.headers)
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir()) + page(path).encode()
    assert b"0123456789" not in written
    assert "0123456789" not in done.stdout + done.stderr
    assert b"your key [key]" in written


@pytest.mark.process
def test_a_replies_table_is_one_of_those_that_are_stored(tmp_path, capfd):
    from arena.cli import cli

    with serving(legal) as (url, _):
        played(tmp_path / "run.sqlite", url, "random", options=";legal=yes", rounds=1)
    cli.main(["show", str(tmp_path / "run.sqlite"), "--table", "replies", "--json"], standalone_mode=False)
    document = json.loads(capfd.readouterr().out)
    assert {
        "game",
        "ply",
        "agent",
        "status",
        "tries",
        "reply",
        "tokens_in",
        "tokens_out",
        "seconds",
        "finish",
        "model",
    } <= set(document[0])


def test_a_model_is_called_by_its_name_and_what_tells_it_from_its_twins():
    one, two = "llm:a/b:7b@http://x/v1;retries=0;prompt=grid", "llm:a/b:7b@http://x/v1;retries=0;prompt=moves"
    assert Labels.among([one, "random"]).texts == {one: "llm:a/b:7b", "random": "random"}
    assert list(Labels.among([one, two, "random"]).texts.values()) == [
        "llm:a/b:7b:prompt=grid", "llm:a/b:7b:prompt=moves", "random",
    ]  # fmt: skip
