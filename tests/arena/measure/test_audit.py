import functools
import json
import shutil
import subprocess
import sys
import threading

import pytest
from hand_made import audit_of, decision, frames, stored

from agents.board import Board, Outcome, Rules
from agents.errors import InputError
from agents.solver.solver import Solver
from arena import load, run
from arena.analysis import audit as view
from arena.analysis.audited import AgentDistance
from arena.analysis.replay import replay
from arena.analysis.rows import frame
from arena.measure import solving
from arena.measure.audit import _listed, audit, judge, missing
from arena.measure.solving import Question
from arena.play.plan import Plan
from arena.play.tournament import Run
from arena.play.workers import InProcess
from arena.report import audit as audit_text
from arena.report.styles import STYLES
from arena.store.records import Termination
from arena.store.sqlite import connect
from arena.store.store import Store

SMALL = Rules(4, 4)
AGENTS = ("perfect:table-size=1", "random", "greedy")


@functools.cache
def value(board):
    """Return what a position is worth to the side to move, by plain recursion: 1, 0 or -1."""
    if board.outcome is not None:
        return 0 if board.outcome.winner is None else -1
    return max(-value(board.play(column)) for column in board.legal_moves())


@functools.cache
def score(board):
    """Return the solver's score by plain recursion: the discs that the winner has left, plus one."""
    if board.outcome is not None:
        size = board.rules.columns * board.rules.rows
        return 0 if board.outcome.winner is None else -((size + 2 - board.ply) // 2)
    return max(-score(board.play(column)) for column in board.legal_moves())


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run on a small board, not audited."""
    path = tmp_path_factory.mktemp("audit") / "played.sqlite"
    run = Run.begin(Plan(AGENTS, openings="plies:4", rounds=12, rules=SMALL), path)
    with run.store:
        run.play(InProcess())
    return path


@pytest.fixture(scope="module")
def audited(played):
    """The same run, audited by distance."""
    path = played.with_name("audited.sqlite")
    shutil.copy(played, path)
    audit_all(path, strong=True)
    return path


def audit_all(path, *, strong=False, threads=1, progress=lambda: None):
    with Store.resume(path) as store:
        audit(store, missing(store, strong=strong), Question(SMALL, strong, 1), threads, progress)


def audit_rows(path):
    with Store.read(path) as store:
        return store.select("SELECT * FROM audit ORDER BY game, ply")[1]


def by_agent(path):
    return {row.agent: row for row in view.agents(frames(path))}


def test_a_move_is_judged_by_the_sign_of_its_column():
    assert judge((3, None, -2, 3, 0, 1, -4), 5, strong=True) == (1, 1, 6, 3, 3, 1, 2)
    assert judge((1, None, -1, 1, 0, 1, -1), 4, strong=False) == (1, 0, 6, 3, None, None, None)
    assert judge((None, -2, -5), 2, strong=True) == (-1, -1, 2, 2, -2, -5, 1)
    assert judge((0, -2, 0), 1, strong=True) == (0, -1, 3, 2, 0, -2, 2)


def test_every_stored_row_is_what_plain_recursion_says(audited):
    with Store.read(audited) as store:
        games = dict(store.select("SELECT id, moves FROM game")[1])
    found = audit_rows(audited)
    assert len(found) == len(frames(audited).moves)
    for game, ply, before, after, legal, keeping, best_score, after_score, best, keepers in found:
        board = Board.from_moves(games[game][:ply], SMALL)
        played_board = board.play(int(games[game][ply]) - 1)
        children = [board.play(column) for column in board.legal_moves()]
        assert (before, after) == (value(board), -value(played_board))
        assert (legal, keeping) == (len(children), sum(-value(child) == before for child in children))
        assert keepers == " ".join(str(child.moves[-1] + 1) for child in children if -value(child) == before)
        assert (best_score, after_score) == (score(board), -score(played_board))
        assert best == sum(-score(child) == best_score for child in children)


def test_the_perfect_agent_throws_nothing_away(audited):
    row = by_agent(audited)[AGENTS[0]]
    assert row.clear_cut > 20
    assert row.kept == row.high == row.clear_kept == row.best == 1.0
    assert row.low > 0.9
    assert (row.wins_thrown, row.draws_thrown, row.blunder_games, row.won_games_lost) == (0, 0, 0, 0)
    assert row.points_thrown == row.delay == 0.0


def test_random_moves_are_near_their_chance_level(audited):
    moves = view.whole(frames(audited))
    moves = moves[moves["agent"] == "random"]
    deviation = (moves["chance"] * (1 - moves["chance"])).sum() ** 0.5
    assert deviation > 3
    assert abs(moves["kept"].sum() - moves["chance"].sum()) < 4 * deviation
    row = by_agent(audited)["random"]
    assert row.chance == pytest.approx(moves["chance"].mean())
    assert row.clear_chance == pytest.approx(moves.loc[moves["clear_cut"], "chance"].mean())
    assert row.clear_kept < 0.9 < by_agent(audited)[AGENTS[0]].clear_kept


def test_each_position_is_solved_once_also_for_its_mirror_image(tmp_path):
    path = stored_small(tmp_path / "run.sqlite", ["1122", "4433", "1144"], fault=True)
    with Store.read(path) as store:
        openings = missing(store, strong=False)
    assert [[(position.ply, len(position.moves)) for position in each] for each in openings] == [
        [(3, 2), (2, 3)],
        [(3, 1)],
    ]
    first, mirrored, other = sorted(openings[0][1].moves)
    assert first[2] == mirrored[2] != other[2]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("moves = '1199'", "move 3: column 9 does not exist"),
        ("result = '1-0'", "its result is 1-0, but after its moves it is 0-1"),
        ("termination = 'line completed'", "its result is 0-1, but after its moves it is not over"),
    ],
)
def test_a_game_that_its_moves_cannot_produce_is_refused_by_its_number(tmp_path, change, reason):
    path = stored_small(tmp_path / "run.sqlite", ["1122", "4433"], fault=True)
    with Store.resume(path) as store, store.connection:
        store.connection.execute(f"UPDATE game SET {change} WHERE id = 2")
    with Store.read(path) as store, pytest.raises(InputError, match=f"game 2: {reason}"):
        missing(store, strong=False)


def test_the_moves_of_the_opening_are_not_audited(played):
    with Store.read(played) as store:
        openings = missing(store, strong=False)
        assert len(openings) == 12
        assert min(position.ply for positions in openings for position in positions) == 4
    for positions in openings:
        assert [position.ply for position in positions] == sorted((each.ply for each in positions), reverse=True)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_audit_goes_on_where_it_stopped(played, audited, tmp_path, threads):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    with Store.read(path) as store:
        total = sum(map(len, missing(store, strong=True)))
    done, running = [], threading.active_count()

    def interrupt():
        done.append(None)
        if len(done) == 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audit_all(path, strong=True, threads=threads, progress=interrupt)
    assert threading.active_count() == running
    with Store.read(path) as store:
        assert sum(map(len, missing(store, strong=True))) == total - 40
    audit_all(path, strong=True)
    assert audit_rows(path) == audit_rows(audited)


def test_an_audit_that_an_earlier_version_began_is_finished_with_what_it_did_not_say(audited, tmp_path):
    path = tmp_path / "run.sqlite"
    shutil.copy(audited, path)
    connection = connect(path, write=True)
    with connection:
        connection.execute("ALTER TABLE audit DROP COLUMN keepers")
        connection.execute("DELETE FROM audit WHERE game > 3")
    connection.close()
    with Store.read(path) as store:
        assert all(step.keepers is None for step in replay(store, 1).steps)
    audit_all(path, strong=True)
    assert [row[:-1] for row in audit_rows(path)] == [row[:-1] for row in audit_rows(audited)]
    assert [row for row in audit_rows(path) if row[0] > 3] == [row for row in audit_rows(audited) if row[0] > 3]


def test_only_games_that_are_audited_to_their_end_count(audited, tmp_path):
    path = tmp_path / "run.sqlite"
    shutil.copy(audited, path)
    before = audit_text.document(frames(path))["audited"]
    connection = connect(path, write=True)
    with connection:
        connection.execute("DELETE FROM audit WHERE game = 1 AND ply = (SELECT max(ply) FROM audit WHERE game = 1)")
    connection.close()
    after = audit_text.document(frames(path))["audited"]
    assert after["games"] == before["games"] - 1 == before["games_played"] - 1
    assert after["moves"] < before["moves"] - 1


def test_distances_can_be_asked_for_later(played, audited, tmp_path):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    audit_all(path)
    weak, strong = audit_rows(path), audit_rows(audited)
    assert [row[:6] for row in weak] == [row[:6] for row in strong]
    assert {row[6:9] for row in weak} == {(None, None, None)}
    assert not audit_text.document(frames(path))["audited"]["strong"]
    assert not hasattr(by_agent(path)["random"], "best")
    audit_all(path, strong=True)
    assert audit_rows(path) == strong


def test_what_goes_wrong_in_a_thread_is_raised_and_what_was_found_is_kept(played, tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    answer, asked = Solver.column_scores, []

    def fails_in_time(solver, own, opp, *, weak):
        asked.append(own)
        return answer(solver, own, opp, weak=weak) if len(asked) < 40 else 1 // 0

    monkeypatch.setattr(Solver, "column_scores", fails_in_time)
    with pytest.raises(ZeroDivisionError):
        audit_all(path, threads=2)
    assert audit_rows(path)


def stored_small(path, games, agents=("random", "greedy"), opening="11", *, fault=False):
    """Store games of a small board, by turns from either side, which the first agent wins or the first player loses."""
    end = (Outcome.SECOND_WINS, Termination.ILLEGAL)
    records = [
        (number % 2, 1 - number % 2, number, moves, *(end if fault else (Outcome(number % 2), Termination.LINE)),
         tuple(decision(ply, 0, 0, 0.1, column=int(moves[ply]) - 1) for ply in range(2, len(moves))))
        for number, moves in enumerate(games)
    ]  # fmt: skip
    rules = {"columns": 4, "rows": 4, "connect": 4}
    return stored(path, agents, records, openings=[opening] * len(games), rules=rules)


def test_what_was_thrown_away_is_counted(tmp_path):
    path = stored_small(tmp_path / "run.sqlite", ["11" + "2" * 4, "11" + "3" * 4])  # random wins both
    rows = [  # game, ply, value, after, legal, keeping
        (1, 2, 0, 0, 4, 2),  # random keeps a draw
        (1, 3, 0, -1, 4, 1),  # greedy throws it away
        (1, 4, 1, 1, 4, 3),
        (1, 5, -1, -1, 3, 3),
        (2, 2, 1, 0, 4, 1),  # greedy, now the first player, throws a win away
        (2, 3, 0, 0, 4, 4),
        (2, 4, 0, -1, 4, 3),  # and the draw as well
        (2, 5, 1, 1, 3, 1),
    ]
    audit_of(path, rows)
    greedy, random = by_agent(path)["greedy"], by_agent(path)["random"]
    assert (greedy.moves, greedy.kept, greedy.chance) == (
        4,
        0.25,
        pytest.approx((1 / 4 + 1 + 1 / 4 + 3 / 4) / 4),
    )
    assert (greedy.clear_cut, greedy.clear_kept, greedy.clear_chance) == (3, 0.0, pytest.approx(5 / 12))
    assert (greedy.wins_thrown, greedy.draws_thrown, greedy.points_thrown) == (1, 2, 0.75)
    assert (greedy.blunder_games, greedy.first_blunder_mean, greedy.first_blunder_median) == (2, 2.5, 2.5)
    assert (greedy.won_games, greedy.won_games_lost) == (1, 1)
    assert (random.won_games, random.won_games_lost, random.kept) == (2, 0, 1.0)
    assert random.first_blunder_mean is None
    assert [row.agent for row in view.agents(frames(path))] == ["random", "greedy"]


def test_ranges_of_plies_add_up_to_the_whole(audited):
    spans, whole = view.ranges(frames(audited)), by_agent(audited)
    assert sorted({(span.first, span.last) for span in spans}) == [(0, 13), (14, 27)]
    for agent, row in whole.items():
        own = [span for span in spans if span.agent == agent and span.moves]
        assert sum(span.moves for span in own) == row.moves
        assert sum(span.moves * span.kept for span in own) == pytest.approx(row.moves * row.kept)


@pytest.mark.parametrize("style", STYLES)
def test_the_tables_are_written_in_every_style(arena, audited, style):
    result = arena("audit", audited, "--style", style)
    assert (result.code, result.err) == (0, f"next: arena show {audited} --blunders\n")
    for agent in ("perfect", "random", "greedy"):
        assert agent in result.out
    cells = {"csv": [",1.0,"], "latex": [r"100.0 \%", "% audited games 72 of 72"]}
    assert all(cell in result.out for cell in cells.get(style, ["100.0 %", "audited games 72 of 72", "Thrown away"]))


def test_the_command_audits_prints_and_then_only_prints(arena, played, tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    first = arena("audit", path, "-j", 1, "--table-size", 1, "--json", "-q")
    assert (first.code, first.err) == (0, "")
    document = json.loads(first.out)
    assert [row["agent"] for row in document["agents"]] == [AGENTS[0], *document_order(document)]
    assert document["audited"]["games"] == 72
    monkeypatch.setattr(solving, "solve_all", None)
    assert arena("audit", path, "--json").out == first.out
    shown = json.loads(arena("show", path, "--json").out)
    assert shown["audit"] == document["agents"]
    assert "Value kept" in arena("show", path).out


def document_order(document):
    return sorted({"random", "greedy"}, key=lambda name: -clear_kept(document, name))


def clear_kept(document, name):
    return next(row["clear_kept"] for row in document["agents"] if row["agent"] == name)


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(arena, played, tmp_path, monkeypatch):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    solve = solving.solve_all

    def interrupted(*rest):
        answers = solve(*rest)
        for _ in range(30):
            yield next(answers)
        answers.close()
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "solve_all", interrupted)
    result = arena("audit", path, "-q", "--strong", "-j", 1)
    assert result.code == 130
    assert result.err == f"interrupted; to audit the rest: arena audit --strong {path}\n"
    assert len(audit_rows(path)) >= 30


def test_a_run_can_be_audited_at_once(arena, tmp_path):
    path = tmp_path / "run.sqlite"
    words = ["random", "greedy", "--board", "4x4", "--openings", "plies:4", "--rounds", 2, "-q", "-j", 1]
    result = arena("run", *words, "--audit", "--json", "--out", path)
    assert result.code == 0
    assert {row["agent"] for row in json.loads(result.out)["audit"]} == {"random", "greedy"}
    assert "audit" not in json.loads(arena("run", *words, "--json", "--out", tmp_path / "other.sqlite").out)


def test_a_run_is_audited_from_python(played, audited, tmp_path):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    found = load(path).audit(strong=True)
    assert found.equals(frame(view.agents(frames(audited)), AgentDistance))
    assert audit_rows(path) == audit_rows(audited)


def test_a_comparison_says_what_was_kept(arena, tmp_path):
    words = ["zero", "powers-of-ten", "--depth", 1, "--board", "4x4", "--openings", "plies:4", "--rounds", 3, "-q"]
    found = json.loads(arena("compare", *words, "-j", 1, "--audit", "--json", "--out", tmp_path / "a.sqlite").out)
    agents = by_agent(tmp_path / "a.sqlite")
    kept = {row["heuristic"]: row["kept"] for row in found["ratings"]}
    assert kept == {name: agents[f"alphabeta:order=centre,heuristic={name},depth=1"].kept for name in words[:2]}
    plain = arena("compare", *words, "-j", 1, "--out", tmp_path / "b.sqlite").out
    assert "kept" not in plain


@pytest.mark.parametrize("workers", [0, -1, "2"])
def test_a_number_of_processes_is_a_whole_number_from_one(played, tmp_path, workers):
    with pytest.raises(InputError, match="is no number of processes"):
        load(played).audit(workers=workers)
    with pytest.raises(InputError, match="is no number of processes"):
        run(["random", "greedy"], workers=workers, out=tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()


def test_a_plain_script_without_a_guard_may_audit_on_all_cores(played, tmp_path):
    path = tmp_path / "run.sqlite"
    shutil.copy(played, path)
    script = f"import arena\nprint('begun')\nprint(len(arena.load({str(path)!r}).audit(workers=2)))\n"
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["begun", "3"]


def test_what_is_no_run_is_refused_in_a_line(arena, tmp_path):
    (tmp_path / "text").write_text("no run")
    for path in (tmp_path / "none.sqlite", tmp_path / "text"):
        result = arena("audit", path)
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith("arena: ")
        assert result.err.count("\n") == 1


def test_an_audit_of_a_copy_leaves_the_run_as_it_is(arena, tmp_path):
    run, copy = tmp_path / "run.sqlite", tmp_path / "copy.sqlite"
    assert arena("run", "greedy", "random", "--board", "5x4", "--rounds", 1, "-j", 1, "-q", "--out", run).code == 0
    before = run.read_bytes()
    done = arena("audit", run, "--out", copy, "-q", "-j", 1)
    assert done.code == 0, done.err
    assert run.read_bytes() == before
    with Store.read(run) as one, Store.read(copy) as other:
        assert (one.is_audited(), other.is_audited()) == (False, True)
    again = arena("audit", run, "--out", copy, "-q")
    assert again.code == 2
    assert "copy.sqlite" in again.err
    assert arena("audit", tmp_path / "none", "--out", tmp_path / "new").code == 2
    assert not (tmp_path / "new").exists()


def test_best_columns_are_listed_from_1_and_turned_back_from_a_mirror_image():
    assert _listed((4, 0), 7, mirrored=False) == "1 5"
    assert _listed((4, 0), 7, mirrored=True) == "3 7"
