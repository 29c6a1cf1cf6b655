"""What is told of heuristics that met: rows, sentences, tables."""

import json
import re
from dataclasses import replace

import pytest
from changed import connect
from command import STYLES
from hand_made import FIRST, SECOND, frames, pairs_of, run_of, stored

from arena.comparison.plan import Level, fielded, spec
from arena.comparison.ratings import comparison
from arena.comparison.tables import compared, comparison_parts
from arena.records import Termination
from arena.store.schema import TIMING
from arena.table.cells import agent_label
from arena.table.render import write
from arena.table.rows import plain
from arena.tournament.pairings import tally

SEARCH = "alphabeta:order=centre"
FRESH = "; a fresh run of about"
TELLS = "would tell 30 Elo from none, at 80 % power"
DEPTHS = [Level("depth", "2"), Level("depth", "3")]
HEURISTICS = ("smart-aware", "powers-of-ten", "zero")
GAMES = [
    *pairs_of("11", "1=", "11", one=0, two=1),
    *pairs_of("10", "==", "01", one=1, two=2),
    *pairs_of("00", "00", "00", one=0, two=2),
    *pairs_of("00", "0=", "10", one=3, two=4),
    (3, 5, 0, "1"),
]


def asked(heuristics=HEURISTICS):
    return {"search": SEARCH, "levels": fielded(heuristics, SEARCH, DEPTHS)}


def found_in(path, games=GAMES, heuristics=HEURISTICS, **plan):
    agents = [spec(SEARCH, heuristic, level) for level in DEPTHS for heuristic in heuristics]
    return comparison(frames(run_of(path, agents, games, comparison=asked(heuristics), **plan)))


def test_a_row_for_each_level_and_pairing_that_has_a_pair(tmp_path):
    rows = found_in(tmp_path / "run").pairings
    assert [(row.at, row.heuristic, row.against, row.counts) for row in rows] == [
        ("depth 2", "smart-aware", "powers-of-ten", (0, 0, 0, 1, 2)),
        ("depth 2", "smart-aware", "zero", (3, 0, 0, 0, 0)),
        ("depth 2", "powers-of-ten", "zero", (0, 0, 3, 0, 0)),
        ("depth 3", "smart-aware", "powers-of-ten", (1, 1, 1, 0, 0)),
    ]
    assert [row.pairs for row in rows] == [3, 3, 3, 3]
    assert [row.games for row in rows] == [6, 6, 6, 6]


def test_each_level_is_rated_as_a_pool_of_its_own(tmp_path):
    rows = found_in(tmp_path / "run").ratings
    assert [row.at for row in rows] == ["depth 2"] * 3 + ["depth 3"] * 3
    for level in ("depth 2", "depth 3"):
        elo = [row.elo.value for row in rows if row.at == level]
        assert elo == sorted(elo, reverse=True)
        assert sum(row.elo.value for row in rows if row.at == level and not row.marked) == pytest.approx(0.0, abs=1e-6)
    score = {(row.at, row.heuristic): row.score for row in rows}
    assert score["depth 2", "smart-aware"] == pytest.approx(5.5 / 12)
    assert score["depth 3", "smart-aware"] == pytest.approx(2.5 / 7)


def test_distinct_games_of_a_heuristic_are_those_of_its_pairings(tmp_path):
    games = [(0, 1, 0, "1", "1212"), (1, 0, 0, "0", "1212"), (0, 2, 0, "0", "1212"), (2, 0, 0, "1", "1213")]
    found = found_in(tmp_path / "run", games)
    distinct = {row.heuristic: row.distinct for row in found.ratings if row.at == "depth 2"}
    assert distinct == {"smart-aware": 3, "powers-of-ten": 1, "zero": 2}
    assert [(row.games, row.distinct) for row in found.pairings] == [(2, 1), (2, 2)]
    assert [re.search(r" pairs?, (\d) distinct\)", row.verdict)[1] for row in found.pairings] == ["1", "2"]


def test_each_pairing_has_its_sentence(tmp_path):
    games = [
        *pairs_of(*["10"] * 30, *["11"] * 30, one=0, two=1),
        *pairs_of("11", "11", one=3, two=4),
        *pairs_of("10", "01", one=3, two=5),
    ]
    agents = [spec(SEARCH, heuristic, level) for level in DEPTHS for heuristic in HEURISTICS]
    run = run_of(
        tmp_path / "run",
        agents,
        games,
        openings=[str(number) for number in range(60)],
        population=568,
        comparison=asked(),
    )
    rows = comparison(frames(run)).pairings
    of = "(no variance, 2 pairs, 4 distinct)"
    unseen = "no difference seen between smart-aware and"
    assert [row.verdict for row in rows] == [
        "smart-aware beats powers-of-ten by 191 Elo [140 to 250] at depth 2 (LOS 99.9 %, 60 pairs, 120 distinct).",
        f"{unseen} powers-of-ten: -113 Elo or more at depth 3 {of}{FRESH} 381 pairs {TELLS}.",
        f"{unseen} zero: -274 to +274 Elo at depth 3 {of}{FRESH} 79 pairs {TELLS}.",
    ]


def test_of_many_pairings_those_that_survive_are_marked_and_counted(tmp_path):
    games = [*pairs_of(*["11"] * 12, one=0, two=1), *pairs_of(*["10"] * 5, *["1="] * 7, one=3, two=4)]
    games += pairs_of(*["10"] * 12, one=3, two=5)
    found = found_in(tmp_path / "run", games, openings=[str(number) for number in range(12)], population=30)
    assert [(row.at, row.survives) for row in found.pairings] == [
        ("depth 2", True), ("depth 3", True), ("depth 3", False),
    ]  # fmt: skip
    assert tally(found.pairings).startswith(
        "2 of 3 pairings show a difference; allowing for chance among so many, 2 of them"
    )
    assert tally(found.pairings[:1]) == ""


def test_effort_is_told_by_agent_and_as_a_ratio(tmp_path):
    games = [(0, 1, 0, "1", "111234", (40, 10, 60, 30)), (1, 0, 0, "0", "111235", (20, 50, 20, 50))]
    found = found_in(tmp_path / "run", games)
    assert {row.heuristic: row.nodes_per_move for row in found.ratings[:2]} == {
        "smart-aware": 50.0, "powers-of-ten": 20.0,
    }  # fmt: skip
    assert found.pairings[0].nodes_ratio == pytest.approx(2.5)
    assert found.pairings[0].verdict.endswith(f", smart-aware at 2.5 times the nodes{FRESH} 25 pairs {TELLS}.")


def test_a_sentence_tells_the_nodes_and_not_the_time(tmp_path):
    games = [(0, 1, 0, "1", "111234", (40, 10, 60, 30)), (1, 0, 0, "0", "111235", (20, 50, 20, 50))]
    found = found_in(tmp_path / "run", games, taking=lambda nodes: 1 / nodes)
    assert found.pairings[0].time_ratio.value < 1.0
    assert found.pairings[0].verdict.endswith(f", smart-aware at 2.5 times the nodes{FRESH} 25 pairs {TELLS}.")


def test_where_time_is_to_be_equal_and_was_not_the_sentence_says_who_used_more(tmp_path):
    levels = [Level("seconds", "0.1")]
    fields = fielded(HEURISTICS[:2], SEARCH, levels)
    agents = list(fields["0.1 s"])
    games = [(0, 1, 0, "1", "111234", (134, 100, 134, 100)), (1, 0, 0, "0", "111235", (100, 134, 100, 134))]
    plan = {"comparison": {"search": SEARCH, "levels": fields}}
    [row] = comparison(frames(run_of(tmp_path / "run", agents, games, **plan))).pairings
    assert row.time_ratio.value == pytest.approx(1.34)
    assert ", smart-aware used 1.34 times powers-of-ten's time; a fresh run " in row.verdict


def test_at_each_level_with_a_limit_of_time_the_sentence_says_who_used_more(tmp_path):
    fields = fielded(HEURISTICS[:2], SEARCH, [Level("seconds", "0.1"), Level("seconds", "0.2"), Level("nodes", "50")])
    agents = [agent for names in fields.values() for agent in names]
    games = [
        game
        for place, (more, less) in enumerate(((134, 100), (100, 150), (300, 100)))
        for game in (
            (2 * place, 2 * place + 1, 0, "1", "111234", (more, less, more, less)),
            (2 * place + 1, 2 * place, 0, "0", "111235", (less, more, less, more)),
        )
    ]
    run = run_of(tmp_path / "run", agents, games, comparison={"search": SEARCH, "levels": fields})
    told = [re.findall(r", ([a-z-]+ used [^;]*);", row.verdict) for row in comparison(frames(run)).pairings]
    assert told == [
        ["smart-aware used 1.34 times powers-of-ten's time"], ["powers-of-ten used 1.50 times smart-aware's time"], [],
    ]  # fmt: skip


def test_a_heuristic_of_a_file_goes_by_the_name_that_the_user_typed(tmp_path):
    path = tmp_path / "one.py"
    path.write_text("def evaluate(own, opp):\n    return 0\n")
    rows = found_in(tmp_path / "run", pairs_of("11"), (f"{path}:evaluate", "zero")).pairings
    assert (rows[0].heuristic, rows[0].against) == (f"{path}:evaluate", "zero")


def test_a_comparison_that_has_not_begun_is_empty(tmp_path):
    found = found_in(tmp_path / "run", [])
    assert found.pairings == ()
    json.dumps(plain(found.ratings), allow_nan=False)


@pytest.mark.parametrize("style", STYLES)
def test_every_style_has_both_tables(tmp_path, style):
    found = found_in(tmp_path / "run")
    json.dumps(plain([*found.ratings, *found.pairings]), allow_nan=False)
    tables = [write(comparison_parts(found, SEARCH), style, name) for name in ("ratings", "pairings")]
    for text in tables:
        assert "nan" not in text
        assert "None" not in text
        assert "depth 2" in text
    sentence = "seen between smart-aware and zero: "
    assert "".join([write(comparison_parts(found, SEARCH), style), *tables]).count(sentence) == (
        2 if style == "csv" else 1  # whose first table has the sentences, too
    )


def test_the_pairings_of_the_one_that_the_answer_is_about_come_first(tmp_path):
    met = [("10", 0, 1), ("11", 2, 0), ("11", 2, 1), ("10", 3, 4), ("11", 5, 3), ("11", 5, 4)]
    result = found_in(tmp_path / "run", [game for ends, one, two in met for game in pairs_of(ends, one=one, two=two)])
    [table] = [part for part in comparison_parts(result, SEARCH) if getattr(part, "name", "") == "pairings"]
    assert result.subject == "zero"
    assert [column.write for column in table.columns[1:3]] == [agent_label] * 2
    assert ["zero" in (row.heuristic, row.against) for row in table.rows] == [True] * 4 + [False] * 2


def test_a_report_of_a_comparison_has_its_parts_in_order(tmp_path):
    result = found_in(tmp_path / "run")
    texts = [getattr(part, "name", part) for part in comparison_parts(result, SEARCH)]
    [basis] = {row.basis for row in result.ratings}
    verdicts = [row.verdict for row in result.pairings if result.subject in (row.heuristic, row.against)]
    verdicts += [row.verdict for row in result.pairings if result.subject not in (row.heuristic, row.against)]
    assert texts == [
        f"{result.answer}." if result.answer else "", result.why, "pairings", "\n".join(verdicts),
        tally(result.pairings), result.again, "ratings", f"95 %: {basis}", f"Elo: {result.zero}",
    ]  # fmt: skip
    bare = replace(result, ratings=tuple(replace(row, basis="") for row in result.ratings))
    *_, note, zero = comparison_parts(bare, SEARCH)
    assert (note, zero.partition(" is the mean of ")[0]) == ("", "Elo: 0")
    assert comparison_parts(replace(result, ratings=()), SEARCH)[-1] == ""
    [pairings, ratings] = [part for part in comparison_parts(result, "minimax", "a race") if hasattr(part, "columns")]
    assert (ratings.title, pairings.title) == ("Ratings at each level of minimax", "Pairings")
    [column] = [column for column in pairings.columns if column.of == "time_ratio"]
    assert column.note.endswith(", from a race")


def test_times_have_the_load_of_the_machine_while_they_were_measured(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.store.machine.BUSY", 0.25)
    found_in(tmp_path / "run")
    run = frames(tmp_path / "run")
    loads = [{"what": what, "other_seconds_per_second": others, "cores": 4} for what, others in
             (("games", 3.0), ("times", 4.0))]  # fmt: skip

    def notes():
        shown = replace(run, made=run.made | {"loads": loads})
        tables = [part for part in compared(shown, comparison(shown)) if hasattr(part, "columns")]
        return [column.note.rpartition(", ")[2] for table in tables for column in table.columns
                if column.header in {"time ×", "ms"}]  # fmt: skip

    assert notes() == ["rough: other programs used 3.0 of 4 cores"] * 2
    connection = connect(tmp_path / "run")
    with connection:
        connection.execute(TIMING)
        connection.execute("INSERT INTO timing VALUES ('11', 1, 0, 7, 0.5)")
    connection.close()
    run = frames(tmp_path / "run")
    assert notes() == [f"rough: other programs used {others} of 4 cores" for others in ("4.0", "3.0")]


def test_sentences_survive_a_report_that_is_typeset(tmp_path):
    report = comparison_parts(
        found_in(tmp_path / "run", pairs_of(*["11"] * 10, "10"), openings=[str(n) for n in range(11)]), SEARCH
    )
    assert "(LOS 99.9 %, 11 pairs" in write(report, "plain")
    assert "\n% smart-aware beats powers-of-ten by" in write(report, "latex")
    assert "<p>smart-aware beats powers-of-ten by" in write(report, "html")
    assert "<p>a_b &lt; c#2</p>" in write(["a_b < c#2"], "html")


def test_a_row_looks_from_the_side_that_its_sentence_names_first(tmp_path):
    games = [*pairs_of(*["01"] * 3, *["00"] * 57, one=0, two=1), *pairs_of("00", "0=", one=3, two=4)]
    found = found_in(tmp_path / "run", games, openings=[str(number) for number in range(60)], population=568)
    clear, unclear = found.pairings
    assert (clear.heuristic, clear.against) == ("powers-of-ten", "smart-aware")
    assert clear.verdict.startswith("powers-of-ten beats smart-aware by ")
    assert clear.elo.value > 0
    assert (unclear.heuristic, unclear.against) == ("smart-aware", "powers-of-ten")
    assert unclear.verdict.startswith("no difference seen between smart-aware and powers-of-ten: ")


def broken(path, *sides):
    """Return a comparison of two that each won all games of two openings, by a fault where these sides moved first."""
    agents = {f"alphabeta:depth=2,heuristic={each}": each for each in ("zero", "parity")}
    games = [
        (first, 1 - first, opening, f"{opening + 1}{opening + 1}{first + 1}", FIRST if first == opening % 2 else SECOND,
         Termination.ILLEGAL if first in sides else Termination.LINE, ())
        for opening in range(4) for first in (0, 1)
    ]  # fmt: skip
    plan = {"openings": ("11", "22", "33", "44"), "population": 568, "comparison": {"levels": {"depth 2": agents}}}
    return comparison(frames(stored(path, tuple(agents), games, **plan)))


def test_where_every_game_ended_by_a_fault_nothing_was_compared_and_a_fresh_run_would_not_tell(tmp_path):
    found = broken(tmp_path / "all", 0, 1)
    assert found.pairings[0].more is not None
    said = (
        "every game between zero and parity at depth 2 ended by a fault of parity or zero: illegal move: it is wrong."
    )
    assert (found.void, found.answer, found.again) == ((said,), f"no verdict: {said[:-1]}", "")
    connection = connect(tmp_path / "all")
    for detail, told in (("'it is wrong ' || id", "it is wrong 1"), ("''", "")):
        with connection:
            connection.execute(f"UPDATE game SET detail = {detail}")
        line = said.replace(": it is wrong", f": {told}".removesuffix(": "))
        assert comparison(frames(tmp_path / "all")).void == (line,)
    connection.close()


def test_where_one_of_two_games_ended_by_a_fault_the_others_are_compared(tmp_path):
    found = broken(tmp_path / "half", 0)
    assert (found.void, found.pairings[0].games, found.pairings[0].pairs) == ((), 8, 4)
    assert found.answer.endswith(" at depth 2: zero has 50.0 % of the points in 4 pairs of games, -301 to +301 Elo")
    assert found.again.startswith("more openings may tell (381 tell a difference of 30 Elo): arena compare zero ")


def test_a_heuristic_that_plays_as_another_says_so_by_its_name(tmp_path):
    met = [(one, two, opening, "1") for opening in range(3) for one, two in ((0, 2), (2, 0), (1, 2), (2, 1))]
    games = [(*game, f"{game[2] + 1}{1 + (game[0] == 2)}5") for game in met]  # the third wins, or loses, alike
    found = found_in(tmp_path / "run", games, openings=("1", "2", "3"))
    assert {row.heuristic: row.plays_as for row in found.ratings if row.at == "depth 2"} == {
        "smart-aware": "powers-of-ten", "powers-of-ten": None, "zero": None,
    }  # fmt: skip
