"""Studies: the file, the language of claims, playing and going on."""

import json
import math
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pandas as pd
import pytest
from changed import connect
from needs import needs

from agents.errors import InputError
from arena.plugins.study import job as study
from arena.plugins.study.claims import Claim, Estimate, Verdict, verdicts
from arena.plugins.study.file import read_study
from arena.records import Interval
from arena.store.run_file import Store
from arena.table.picture import Picture
from arena.tournament.frames import Frames

pytestmark = pytest.mark.usefixtures("here")

SMALL = """
title = "Greedy beats random"
hypotheses = ["greedy is stronger"]

[agents]
a = "greedy"
b = "random"
c = "alphabeta:depth=1..2"

[games]
agents = ["a", "b"]
openings = "plies:2"
rounds = 12

[depths]
agents = ["c"]
depth = "1..3"

[[claims]]
text = "greedy is stronger"
check = "elo('a', 'b') > 0"

[[claims]]
text = "a search to depth 1 visits 8 positions"
check = "states('c', depth=1) == 8"
"""


EVERYTHING = (
    SMALL.replace("[games]", "[[games]]").replace("elo('a', 'b')", "elo('a', 'b', games='games')")
    + """
[[games]]
name = "match"
agents = ["a", "b"]
openings = "plies:4"
sprt = "elo0=0,elo1=100"

[grade]
agents = ["a"]
positions = 8
plies = [32]

[[claims]]
text = "the test finds greedy stronger"
check = "elo('a', 'b', games='match') > 0"

[[claims]]
text = "greedy finds some good moves"
check = "share('a') > 0"
"""
)


@pytest.fixture
def written(tmp_path, monkeypatch):
    # What no test reads of these studies takes half of their time.
    monkeypatch.setattr(Picture, "svg", lambda _, prefix="": f"<svg id={prefix!r}></svg>")

    def write(text, name="small.toml"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A study with a block of each kind, played once; tests copy it before they change it."""
    file = tmp_path_factory.mktemp("study") / "small.toml"
    file.write_text(EVERYTHING, encoding="utf-8")
    return study.play(file, workers=1)


@pytest.fixture
def copied(played, tmp_path):
    """A copy of the small study's file and folder, as another clone has it."""
    shutil.copytree(played.folder.parent, tmp_path / "clone")
    return tmp_path / "clone" / "small"


def test_a_study_is_played_into_a_folder_and_says_what_its_claims_come_to(played):
    assert [row.verdict for row in played.rows] == ["stands", "stands", "stands", "stands"]
    assert played.rows[0].value.low > 0.0
    assert played.rows[1].value.value == 8.0
    assert played.rows[1].p is None


def test_a_sequential_test_and_grades_have_their_numbers(played):
    match, share = played.rows[2:]
    assert match.basis == "score interval, allowing for the stop"
    assert match.value.low > 0.0
    with Store.read(played.folder / "runs" / "match.sqlite") as store:
        assert store.count_games() < store.planned()
    [grade] = json.loads((played.folder / "measured" / "grade.json").read_text())["rows"]
    assert (grade["agent"], grade["positions"], share.value.value) == ("a", 8, grade["clear_good"])


def test_the_folder_of_a_study_has_its_results_and_one_page(played):
    folder = played.folder
    names = {path.name for path in folder.iterdir() if not path.name.endswith("-lock")}
    assert names == {"study.toml", "study.json", "runs", "measured", "verdicts.json", "report.html"}
    page = (folder / "report.html").read_text()
    for text in ("greedy is stronger", "Standings", "Crosstable", "stands", "grade", "<svg"):
        assert text in page, text
    [made] = re.findall(r'id="about">.*?</section>', page, re.DOTALL)
    state = json.loads((folder / "study.json").read_text())
    assert re.findall(r"<dt>(.*?)</dt>", made) == ["Declared", "Played", "With", "On", "Agents"]
    for text in (state["digest"], state["begun"], state["versions"]["numpy"], "a greedy; b random"):
        assert text in made, text


def test_a_study_is_verified_in_another_clone(copied):
    found = study.verify(copied, workers=1)
    assert found.rows == []
    assert found.games == 24 + 22


def spoil(folder, *commands):
    with connect(folder / "runs" / "games.sqlite") as file:
        for command in commands:
            file.execute(command)
    file.close()


def test_another_node_count_verdict_or_measurement_is_found(copied, arena):
    spoil(copied, "UPDATE move SET nodes = nodes + 1")
    verdicts = json.loads((copied / "verdicts.json").read_text())
    verdicts[0]["verdict"] = "falls"
    (copied / "verdicts.json").write_text(json.dumps(verdicts))
    path = copied / "measured" / "depths.json"
    path.write_text(path.read_text().replace('"nodes": 8', '"nodes": 9', 1))
    done = arena("study", "verify", copied, "--json", "-q", "-j", 1)
    found = json.loads(done.out)
    assert done.code == 1
    assert {row["part"] for row in found["differences"]} == {"games", "verdicts.json", "measured/depths"}
    counts = [row for row in found["differences"] if row["part"] == "games"]
    assert ({row["field"] for row in counts}, len({row["place"] for row in counts})) == ({"nodes"}, 24)


@pytest.mark.parametrize("name", ["study.json", "verdicts.json"])
def test_a_folder_with_a_damaged_file_is_refused_in_a_line(copied, name, arena):
    (copied / name).write_text("{")
    done = arena("study", "verify", copied, "-q", "-j", 1)
    line = f"{copied / name} is missing or damaged: {copied} is not played to its end; arena study play continues it"
    assert (done.code, done.err.splitlines()[-1]) == (2, f"arena: {line}")


@pytest.mark.parametrize(("text", "line"), [
    ("[grade]\nagents = ['a']\npositions = 0", "[grade]: positions is a whole number from 1, not 0"),
    ("[grade]\nagents = ['a']\nplies = [99]", "[grade]: positions of a 7x6x4 board have 0 to 41 plies"),
    ("[depths]\nagents = ['a']", "[depths]: agent 'a' has no depth to vary"),
    ("[depths]\nagents = ['c']\ndepth = 99", "[depths]: depth is a whole number from 1 to 64, not 99"),
    ("[depths]\nagents = ['c']\npositions = ['1212121']", "[depths]: position 1212121: the game is already over"),
    ("[depths]\nagents = ['c']\nopenings = 'plies:99'", "[depths]: openings plies:99"),
])  # fmt: skip
def test_a_check_names_what_would_end_a_measurement_before_it_begins(written, text, line):
    blocks = SMALL[: SMALL.index("[depths]")] + text
    assert line in study.check(written(blocks)).problems[0]


BOT = "def choose(board):\n    return board.legal_moves()[{}]\n"


@pytest.mark.process
def test_an_agent_whose_file_changed_since_it_played_is_refused_and_found_in_a_verification(written):
    bot = written(BOT.format(0), "bot.py")
    file = written(SMALL.replace('b = "random"', 'b = "bot.py"').replace("rounds = 12", "rounds = 2"))
    folder = study.play(file, workers=1).folder
    state = (folder / "study.json").read_text()
    assert study.verify(folder, workers=1).rows == []
    bot.write_text(BOT.format(-1))
    with pytest.raises(InputError, match=r"^agent b changed since .*small was first played, on .*: undo the change"):
        study.play(file, workers=1)
    assert (folder / "study.json").read_text() == state, "the digests are of the code that played"
    rows = study.verify(folder, workers=1).rows
    assert {("agents", "b"), ("games", "0-1-0")} <= {(row.part, row.place) for row in rows}
    assert any(row.field == "moves" for row in rows)


def test_a_file_in_place_of_a_folder_is_refused(written):
    file = written(SMALL, "small")
    with pytest.raises(InputError, match=r"small is a file: name a folder with --out$"):
        study.play(file, workers=1)


STRANGERS = """
title = "Strangers"
[agents]
listed = "roster.toml"
class = "class/"
g = "greedy"
[isolation]
sandbox = true
[games]
openings = "plies:2"
rounds = 2
[depths]
agents = ["listed"]
depth = "1..2"
[grade]
agents = ["class", "g"]
positions = 6
plies = [32]
[[claims]]
check = "elo('listed:quick', 'g') > 0"
[[claims]]
check = "score('class') < 0.5"
[[claims]]
check = "share('class:left') < 0.9"
[[claims]]
check = "states('listed:slow', depth=2) > states('listed:slow', depth=1)"
"""
ROSTER = """
[[agent]]
name = "quick"
spec = "alphabeta:depth=2"
[[agent]]
name = "slow"
spec = "alphabeta:depth=3"
nodes = 1000
"""


@needs("bwrap")
@pytest.mark.process
def test_a_roster_and_a_folder_of_strangers_play_in_a_sandbox_and_are_verified_elsewhere(written, tmp_path):
    (tmp_path / "here" / "class").mkdir(parents=True)
    written(ROSTER, "here/roster.toml")
    for name, place in (("left", 0), ("right", -1)):
        text = f"def choose(board):\n    return board.legal_moves()[{place}]\n"
        written(text, f"here/class/{name}.py")
    found = study.play(written(STRANGERS, "here/strangers.toml"), workers=1)
    assert all(row.value is not None for row in found.rows)
    assert found.rows[-1].verdict == "stands"
    digests = json.loads((found.folder / "study.json").read_text())["agents"]
    assert list(digests) == ["listed:quick", "listed:slow", "class:left", "class:right", "g"]
    assert digests["class:left"].startswith("class/left.py:choose SHA-256 ")
    assert str(tmp_path) not in (found.folder / "report.html").read_text()
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    shutil.rmtree(tmp_path / "here")
    assert study.verify(tmp_path / "there" / "strangers", workers=1).rows == []


def test_games_by_the_clock_are_verified_as_far_as_they_can_be(written):
    text = SMALL.replace('a = "greedy"', 'a = "alphabeta:seconds=0.002,deepening=on"').replace(
        "rounds = 12", "rounds = 3"
    )
    folder = study.play(written(text), workers=1).folder
    found = study.verify(folder, workers=1)
    assert found.rows == []
    assert found.remarks == ("games is not played again: a move by the clock",)
    assert found.games == 0


LONG = """
title = "Killed"
[agents]
a = "alphabeta:depth=5"
b = "alphabeta:depth=5,heuristic=parity"
[games]
rounds = 40
[[claims]]
check = "score('a', 'b') > 0.5"
"""


@pytest.mark.process
def test_a_study_that_was_killed_twice_goes_on_and_says_the_same(written):
    file, whole = written(LONG, "killed.toml"), written(LONG, "whole.toml")
    code = "from arena.cli import main\nif __name__ == '__main__':\n    main()"
    for least in (1, 12):
        words = [sys.executable, "-c", code, "study", "play", str(file), "-q", "-j", "1"]
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run = file.with_suffix("") / "runs" / "games.sqlite"
        while games(run) < least and child.poll() is None:
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        assert least <= games(run) <= 80
    again, once = study.play(file, workers=1), study.play(whole, workers=1)
    assert again.rows == once.rows
    stored = [Frames.read(each.folder / "runs" / "games.sqlite").games for each in (again, once)]
    pd.testing.assert_frame_equal(
        *(each.sort_values("key", ignore_index=True)[["key", "moves", "result"]] for each in stored)
    )


def games(path):
    """Return how many games a run holds; 0 while there is no file."""
    if not path.exists():
        return 0
    try:
        with Store.read(path) as store:
            return store.count_games()
    except InputError:  # it is being made
        return 0


def test_an_interval_that_is_open_below_is_shown():
    from arena.plugins.study.tables import verdicts as table
    from arena.table.parts import render

    row = Verdict(1, "", "elo('a', 'b') < 0", Interval(-math.inf, None, -43.2), "stands", 0.001, "", "", "")
    shown = table([row, replace(row, p=0.0009)])
    one, other = render(shown.rows, shown.columns, "plain").splitlines()[-2:]
    assert re.search("open to -43 .* 0.001 ", one)
    assert re.search("open to -43 .* < 0.001 ", other)


def test_a_changed_study_is_refused_and_plays_into_another_folder(written, tmp_path):
    file = written(SMALL)
    folder = study.play(file, workers=1).folder
    written(SMALL.replace("rounds = 12", "rounds = 10"))
    with pytest.raises(InputError, match=r"small\.toml changed since .*small was first played, on .*, --out$"):
        study.play(file, workers=1)
    assert (folder / "study.toml").read_text() == SMALL
    assert study.play(file, tmp_path / "other", workers=1).rows


def test_ranges_are_named_by_what_varies_and_equal_settings_meet(written):
    text = SMALL.replace('b = "random"', 'b = "alphabeta:heuristic=parity,depth=1..2"').replace(
        'agents = ["a", "b"]', 'agents = ["b", "c"]\npairs = "equal"'
    )
    found = read_study(written(text.replace("elo('a', 'b')", "elo('b:depth=2', 'c:depth=2')")))
    assert list(found.agents) == ["a", "b:depth=1", "b:depth=2", "c:depth=1", "c:depth=2"]
    [games, _] = found.parts
    assert games.settings["pairs"] == (("b:depth=1", "c:depth=1"), ("b:depth=2", "c:depth=2"))


def test_a_mistake_in_a_study_is_named_with_what_is_near_in_a_line(written):
    with pytest.raises(InputError) as error:
        read_study(written(SMALL.replace("rounds = 12", "round = 12")))
    assert str(error.value).startswith("small.toml: [games] games: ")
    assert "'round': did you mean rounds" in str(error.value)
    assert "\n" not in str(error.value)


def normal(value, error):
    """Return an estimate whose interval is that of a normal distribution."""
    from arena.statistics.intervals import normal_width

    return Estimate(value, lambda alpha: (value - normal_width(alpha) * error, value + normal_width(alpha) * error), "")


def told(*pairs):
    """Return the verdicts of claims that a quantity is above 0, of which each has a value and an error."""
    claims = [Claim.of(n, {"check": f"nodes('{n}') > 0"}) for n in range(1, len(pairs) + 1)]
    known = {claim.quantities[0]: normal(*pair) for claim, pair in zip(claims, pairs, strict=True)}
    return verdicts(claims, known)


def test_p_is_the_two_sided_chance_of_a_normal_estimate():
    [row] = told((2.5, 1.0))
    assert math.isclose(row.p, math.erfc(2.5 / math.sqrt(2.0)), rel_tol=1e-6)


def test_sums_and_products_take_the_worst_ends_and_share_the_level():
    claim = Claim.of(1, {"check": "nodes('a') < 0.5 * nodes('b')"})
    one, other = claim.quantities
    known = {one: normal(40.0, 1.0), other: normal(100.0, 2.0)}
    shown = claim.shown(known)
    assert math.isclose(shown.value, -10.0)
    assert math.isclose(shown.high, -10.0 + 2.2414 * 2.0, abs_tol=1e-3)  # both at 97.5 %
    assert claim.holds(known, 0.05) is True
    assert claim.holds({**known, one: normal(47.0, 1.0)}, 0.05) is None
    assert claim.holds({**known, one: normal(60.0, 1.0)}, 0.05) is False


def test_a_chain_stands_within_its_bounds_and_falls_outside():
    claim = Claim.of(1, {"check": "0.6 < score('a') < 0.8"})
    [score] = claim.quantities
    assert claim.holds({score: normal(0.7, 0.01)}, 0.05) is True
    assert claim.holds({score: normal(0.9, 0.01)}, 0.05) is False
    assert claim.holds({score: normal(0.79, 0.01)}, 0.05) is None


def test_a_study_checks_itself(written):
    found = study.check(written(SMALL))
    assert found.problems == []
    assert (found.title, found.agents) == ("Greedy beats random", ["a", "b", "c:depth=1", "c:depth=2"])
    assert found.runs == [{"name": "games", "agents": ["a", "b"], "games": 24}]
    assert [(claim["text"], claim["of"]) for claim in found.claims] == [
        ("greedy is stronger", ["games"]), ("a search to depth 1 visits 8 positions", ["depths"])
    ]  # fmt: skip
    many = study.check(written(SMALL[: SMALL.index("[[claims]]")].replace("rounds = 12", "rounds = 1000")))
    assert [run["games"] for run in many.runs] == [None]
    assert many.problems[1:] == ["there are no [[claims]]: nothing will be said to stand or to fall"]
    study.new(written("", "x.toml").with_name("new.toml"))
    assert study.check(file := written("", "x.toml").with_name("new.toml")).problems == [], file


def test_a_name_that_stands_for_several_agents_scores_their_mean(written):
    claims = "".join(
        f"[[claims]]\ncheck = \"{kind}('{who}') > 0\"\n" for kind in ("score", "wins")
        for who in ("c", "c:depth=1", "c:depth=2")
    )  # fmt: skip
    text = SMALL.replace('["a", "b"]', '["b", "c"]').replace("elo('a', 'b')", "elo('c:depth=1', 'b')") + claims
    values = [row.value.value for row in study.play(written(text), workers=1).rows[2:]]
    assert values[0] == pytest.approx((values[1] + values[2]) / 2)
    assert values[3] == pytest.approx((values[4] + values[5]) / 2)
    assert values[4] != values[5]
