import pytest
from command import STYLES, document
from hand_made import pairs_of, run_of
from samples import STATISTICS

from arena.statistics.pairing import pairing

UNSEEN = "no difference seen between engine one and engine two"
FRESH = "; a fresh run of about"
TELLS = "would tell 30 Elo from none, at 80 % power"


@pytest.mark.parametrize("row", STATISTICS["elo"], ids=lambda row: str(row["counts"]))
def test_what_published_tools_print_is_printed(arena, row):
    found = document(arena("elo", *row["counts"], "--json"))
    assert set(found) >= {"elo", "elo_error", "nelo", "nelo_error", "los"}
    for name, printed in row["printed"].items():
        assert found[name] == pytest.approx(printed, abs=0.0005 if name == "score" else 0.005)


@pytest.mark.parametrize(
    ("counts", "lines"),
    [
        (
            "332 433 498 333 334",
            ["score   48.76 % of 1,930 pairs", "Elo     -8.64", "95 %    -18.96 to +1.70",
             "LOS     5.08 %", "nElo    -9.17 ± 10.96", "basis   score interval",
             "as fastchess prints it: Elo -8.64 ± 10.33, LOS 5.05 %"],
        ),
        ("89 123 76", ["score   47.74 % of 288 games", "as fastchess prints it: Elo -15.69 ± 30.46, LOS 15.53 %"]),
        ("0 0 0 3 2", ["95 %    -13.35 to +485.55", "LOS     96.93 %",
                       "as fastchess prints it: Elo +301.33 ± 178.18, LOS 100.00 %"]),
        ("0 0 0 0 5", ["Elo     -", "95 %    at least +45.91", "LOS     98.73 %", "nElo    -", "basis   no variance",
                       "as fastchess prints it: Elo -, LOS -"]),
        ("5 0 0 0 0", ["95 %    at most -45.91"]),
        ("0 0 5 0 0", ["Elo     +0.00", "95 %    -161.75 to +161.75", "basis   no variance"]),
        ("1 2 4 2 1", [f"{UNSEEN}: -129 to +129 Elo (10 pairs){FRESH} 351 pairs {TELLS}."]),
    ],
)  # fmt: skip
def test_text_tells_elo_its_interval_and_what_that_rests_on(arena, counts, lines):
    out = arena("elo", *counts.split()).out.splitlines()
    assert set(lines) <= set(out)
    assert len(out) == 8


def test_two_engines_within_30_elo_are_level(arena):
    words = ("elo", 10, 20, 90, 20, 10)
    assert arena(*words).out.splitlines()[-1] == "engine one and engine two are level, -25 to +25 Elo (150 pairs)."
    assert document(arena(*words, "--json"))["level"] is True
    assert document(arena("elo", 1, 2, 4, 2, 1, "--json"))["more"] == 351


def test_what_does_not_vary_is_nothing_in_the_document(arena):
    found = document(arena("elo", 0, 0, 0, 0, 5, "--json"))
    assert (found["elo"], found["elo_error"], found["nelo"], found["los"], found["high"]) == (None,) * 5
    assert found["basis"] == "no variance"


@pytest.mark.parametrize("words", [["89,123,76"], ["[89, 123, 76]"], ["89", "123,76"], ["[89,", "123", "76]"]])
def test_counts_may_be_written_as_lists(arena, words):
    assert document(arena("elo", *words, "--json"))["elo"] == pytest.approx(-15.69, abs=0.005)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1", "2"], "arena: 2 counts given: 3 (losses, draws, wins) or 5"),
        (["1", "2", "x"], "arena: 'x' is not a count"),
        (["1", "2", "3.5"], "arena: '3.5' is not a count"),
        (["1", "2", "1" + "0" * 15], "arena: '1000000000000000' is not a count"),
        (["--", "-1", "2", "3"], "arena: '-1' is not a count"),
        (["-1", "2", "3"], "arena elo: no option '-1': counts cannot be negative"),
        (["0", "0", "0"], "arena: all counts are zero"),
        ([], "arena elo: Missing argument"),
        (["nothing.sqlite"], "arena: there is no file nothing.sqlite"),
        ([__file__], "is not the record of a run"),
    ],
)
def test_bad_counts_are_one_line(arena, words, message):
    done = arena("elo", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


# The pairings of a run


@pytest.fixture
def run(tmp_path):
    agents = ["alphabeta:depth=2", "minimax:depth=2", "random"]
    return run_of(tmp_path / "run.sqlite", agents, [*pairs_of("11", "1=", "10", "00"), (0, 2, 0, "1")], population=4)


def test_the_pairings_of_a_run_are_those_of_its_counts(arena, run):
    one, two = document(arena("elo", run, "--json"))
    assert (one["agent"], one["against"], one["counts"]) == ("alphabeta:depth=2", "minimax:depth=2", [1, 0, 1, 1, 1])
    counted = pairing([1, 0, 1, 1, 1], 4)  # of four openings, all that there are
    for key in ("elo", "elo_error", "low", "high", "score", "los_score", "level", "more"):
        assert one[key] == getattr(counted, key), key
    assert (one["pairs"], one["games"], one["distinct"], one["basis"]) == (4, 8, 8, "exact over these openings")
    assert (two["against"], two["pairs"], two["games"], two["elo"]) == ("random", 0, 1, None)


@pytest.mark.parametrize("style", STYLES)
def test_the_pairings_of_a_run_have_every_style(arena, run, style):
    done = arena("elo", run, "--style", style)
    assert (done.code, done.err) == (0, "")
    assert "nan" not in done.out
    assert {"csv": "[1, 0, 1, 1, 1]"}.get(style, "1-0-1-1-1") in done.out


def test_a_run_without_games_has_no_pairings(arena, tmp_path):
    path = run_of(tmp_path / "run.sqlite", ["random", "greedy"], [])
    assert document(arena("elo", path, "--json")) == []
    done = arena("elo", path)
    assert (done.code, done.out) == (0, "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("elo -1 2 3", "arena elo: no option '-1': counts cannot be negative"),
        ("sprt 4 -12 3 --elo0 0 --elo1 5", "arena sprt: no option '-1': counts cannot be negative"),
        ("elo 1 2 3 --off 4", "No such option"),
        ("elo latest", "there is no latest run"),
    ],
)
def test_a_mistake_is_told_in_one_line(arena, here, words, said):
    done = arena(*words.split())
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("elo", "is the distance of the score from a half in standard deviations"),
        ("rate", "Ratings are in Elo, with mean 0"),
        ("sprt", "bayesian, for single games"),
    ],
)
def test_a_help_says_what_its_numbers_mean(arena, name, said):
    assert said in " ".join(arena(name, "--help").out.split())
