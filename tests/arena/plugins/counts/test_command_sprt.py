import pytest
from command import document
from samples import STATISTICS


@pytest.mark.parametrize("row", STATISTICS["llr"], ids=lambda row: f"{row['counts']} {row['model']}")
def test_what_published_tools_print_is_printed(arena, row):
    test = ["--elo0", row["elo0"], "--elo1", row["elo1"], "--model", row["model"]]
    found = document(arena("sprt", *row["counts"], *test, "--json"))
    assert list(found) == ["llr", "lower", "upper", "decision", "elo", "low", "high"]
    digits = len(str(row["llr"]).split(".")[1])
    assert found["llr"] == pytest.approx(row["llr"], abs=row.get("within", 0.5 * 10**-digits))
    assert (found["lower"], found["upper"]) == pytest.approx((-2.9444, 2.9444), abs=5e-5)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            "0 0 0 0 50 --elo0 0 --elo1 50",
            "LLR 9.0925, bounds [-2.9444, 2.9444]: H1 accepted, 50 normalized Elo rather than 0",
        ),
        (
            "223 9863 21279 10037 246 --elo0 0.5 --elo1 2.5 --model logistic",
            "bounds [-2.9444, 2.9444]: H0 accepted, 0.5 Elo rather than 2.5",
        ),
        ("0 0 0 0 9 --elo0 0 --elo1 300", "not decided, play on"),
        ("3 4 5 --elo0 -10 --elo1 10 --model bayesian", "not decided, play on"),
        ("5 5 5 5 5 --elo0 0 --elo1 50 --alpha 0.01 --beta 0.1", "bounds [-2.2925, 4.4998]"),
    ],
)  # fmt: skip
def test_text_says_which_hypothesis_is_accepted(arena, words, line):
    done = arena("sprt", *words.split())
    assert (done.code, done.err) == (0, "")
    assert line in done.out
    assert len(done.out.splitlines()) == 1 + ("model logistic" in words)


def test_a_strength_that_allows_for_the_stop_stands_below_and_in_the_document(arena):
    words = ["39", "86", "300", "140", "120", "--elo0", "0", "--elo1", "60", "--model", "logistic"]
    found = document(arena("sprt", *words, "--json"))
    assert found["decision"] == "H1"
    line = f"allowing for the stop, {found['elo']:+.1f} Elo, {found['low']:+.1f} to {found['high']:+.1f}"
    assert arena("sprt", *words).out.splitlines()[1] == line
    assert found["low"] < found["elo"] < found["high"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("1 2 3 4 5 --elo0 0", "Missing option '--elo1'"),
        ("1 2 3 4 --elo0 0 --elo1 5", "4 counts given"),
        ("1 2 3 4 x --elo0 0 --elo1 5", "'x' is not a count"),
        ("0 0 0 0 0 --elo0 0 --elo1 5", "all counts are zero"),
        ("1 2 3 4 5 --elo0 5 --elo1 0", "elo0 must be below elo1"),
        ("1 2 3 4 5 --elo0 5 --elo1 5", "elo0 must be below elo1"),
        ("1 2 3 4 5 --elo0 0 --elo1 nan", "elo0 must be below elo1"),
        ("1 2 3 4 5 --elo0 0 --elo1 inf", "must lie within"),
        ("1 2 3 4 5 --elo0 0 --elo1 x", "'x' is not a valid float"),
        ("1 2 3 4 5 --elo0 0 --elo1 5 --alpha 0", "alpha must lie between 0 and 1"),
        ("1 2 3 4 5 --elo0 0 --elo1 5 --model logstic", "'logstic': did you mean logistic?"),
        ("1 2 3 4 5 --elo0 0 --elo1 5 --model bayesian", "takes 3 counts, of games"),
    ],
)
def test_bad_input_is_one_line(arena, words, message):
    done = arena("sprt", *words.split())
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1
