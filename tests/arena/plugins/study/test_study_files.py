"""What studies' files declare, block by block, and how each mistake is refused."""

from types import SimpleNamespace

import pytest

from agents.errors import InputError
from arena.plugins.study import file, job
from arena.plugins.study.file import read_study
from arena.plugins.study.parts import Session

pytestmark = pytest.mark.usefixtures("here")


AGENTS = """
g = "greedy"
r = "random"
a = "alphabeta:depth=1..2"
b = "alphabeta:heuristic=parity,depth=1..2"
n = "minimax:depth=1,heuristic=parity|zero"
class = "class/"
one = "one"
list = "list.toml"
bot = "bot.py"
"""
LISTED = """
[[agent]]
name = "quick"
spec = "alphabeta:depth=2"
nodes = 90
[[agent]]
name = "slow"
spec = "greedy"
"""
BOT = "def choose(board):\n    return board.legal_moves()[0]\n\n\ndef value(own, opp):\n    return own & 1\n"


def text(*blocks, title='title = "T"', agents=AGENTS):
    return "\n".join([title, f"[agents]{agents}" if agents else "", *blocks])


def games(*lines, name=""):
    return "\n".join(["[[games]]", *([f'name = "{name}"'] if name else []), *lines])


def claims(*checks):
    return "\n".join(f'[[claims]]\ncheck = "{check}"' for check in checks)


SOME = 'agents = ["g", "r"]'
MET = games('agents = ["g", "r", "a"]', name="all"), games('agents = ["g", "a"]', name="few")
FILES = {
    "everything": text(
        games('openings = "plies:2"', "rounds = 3", "seed = 4"),
        "[depths]", "[grade]",
        title='title = " All of it "\nauthors = ["A", "B"]\nhypotheses = ["H"]\nrules = "5x4"',
    ),
    "a table of games": text("[games]", SOME, "nodes = 9", "seconds = 1", "margin = 0.5", 'rules = "6x5"'),
    "the rules of a block": text(games(SOME), games(SOME, 'rules = "4x4"', name="s"), title='title="T"\nrules="5x4"'),
    "names of blocks": text(games(SOME), games(SOME), games(SOME, name="third"), games(SOME)),
    "a format": text(games(SOME, 'format = "gauntlet"', "include_self = true")),
    "isolation": text(games(SOME), "[isolation]", "sandbox = false", "patience = 3", 'debug = "lines"', "memory = 99"),
    "files of openings": text(games(SOME, 'openings = "mine.txt"'), "[depths]", 'openings = "sub/mine.txt"'),
    "equal": text(games('agents = ["a", "b", "g"]', 'pairs = "equal"')),
    "equal with several that vary": text(games('agents = ["a", "b", "n", "g"]', 'pairs = "equal"')),
    "equal with one that has none first": text(games('agents = ["g", "a", "r"]', 'pairs = "equal"')),
    "equal of none": text(games('agents = ["a", "n"]', 'pairs = "equal"')),
    "equal of one name": text(games('agents = ["a"]', 'pairs = "equal"')),
    "pairs": text(games('pairs = [["a", "b:depth=1"], ["g", "r"], ["a:depth=1", "b"], ["g", "g"], ["class", "g"]]')),
    "pairs of one": text(games('pairs = [["g", "g"]]')),
    "pairs of none": text(games("pairs = []")),
    "pairs of all": text(games(SOME, 'pairs = "all"')),
    "pairs of nobody": text(games('pairs = [["a", "x"]]')),
    "pairs of three": text(games('pairs = [["a", "b", "g"]]')),
    "pairs of texts": text(games('pairs = ["a", "b"]')),
    "pairs of no list": text(games('pairs = "some"')),
    "pairs and a format": text(games('pairs = "equal"', 'format = "swiss:2"')),
    "pairs and others": text(games('pairs = "equal"', "include_self = true")),
    "a test": text(games(SOME, 'sprt = "elo0=0,elo1=30"')),
    "depths": text("[depths]", 'agents = ["a", "n", "g"]', "depth = [1, 3]", 'positions = ["", "33"]', "budget = 2.5"),
    "depths of a range": text("[depths]", 'agents = ["a"]', 'depth = "2..4"', 'openings = "fair:4"', "rounds = 2"),
    "depths of a depth": text("[depths]", 'agents = ["a:depth=2"]', "depth = 5", "seed = 3", 'rules = "5x4"'),
    "depths of an empty range": text("[depths]", 'agents = ["a"]', 'depth = "3..2"'),
    "depths of a truth": text("[depths]", 'agents = ["a"]', "depth = true"),
    "depths of numbers and a truth": text("[depths]", 'agents = ["a"]', "depth = [2, false]"),
    "depths of no number": text("[depths]", 'agents = ["a"]', "depth = []"),
    "depths of a wide range": text("[depths]", 'agents = ["a"]', 'depth = "1..100"'),
    "depths of a list of ranges": text("[depths]", 'agents = ["a"]', 'depth = ["1..2"]'),
    "a grade of a half depth": text("[grade]", "depth = [1.5]"),
    "depths of nobody": text("[depths]", 'agents = ["x"]'),
    "a grade": text("[grade]", 'agents = ["g", "class"]', "positions = 9", "plies = [8]", "seed = 2", 'depth = "1..2"'),
    "a grade of plies that are texts": text("[grade]", 'plies = ["8"]'),
    "a grade of all": text("[grade]", 'rules = "5x4"'),
    "a grade of openings": text("[grade]", 'openings = "plies:2"'),
    "a list of grades": text("[[grade]]", "positions = 3"),
    "claims": text(
        *MET, "[depths]", 'agents = ["a", "b"]', "[grade]", 'agents = ["a", "g"]',
        '[[claims]]\ncheck = "score(\'a\', games=\'all\') > 0.5"\ntext = "t"\nsource = "s"\npublished = 0.5',
        claims("elo('g', 'r') > 0", "nodes('a:depth=1', games='few') < 9",
               "states('b', depth=2) > states('a', depth=1)", "share('a:depth=2') > share('g', of='good')",
                "wins('a', games='few') > 1"),
    ),
    "no title": text(games(SOME), title=""),
    "a blank title": text(games(SOME), title='title = "  "'),
    "a title that is none": text(games(SOME), title="title = 3"),
    "authors that are none": text(games(SOME), title='title = "T"\nauthors = "A"'),
    "authors that are numbers": text(games(SOME), title='title = "T"\nauthors = [3]'),
    "nothing measured": text(),
    "no agents": text(games("rounds = 2"), agents=""),
    "no agents of a block": text(games("agents = []")),
    "no agents of a grade": text("[grade]", agents=""),
    "an agent that is none": text(games(), agents="\ng = 3"),
    "an agent of an ill name": text(games(), agents='\n"a/b" = "greedy"'),
    "an agent of a long name": text(games(), agents=f'\n{"a" * 41} = "greedy"'),
    "an unknown agent": text(games(), agents='\ng = "greedi"'),
    "a folder without agents": text(games(), agents='\ng = "empty/"'),
    "a folder with a broken one": text(games(), agents='\ng = "broken/"'),
    "two of one name": text(games(SOME, name="x"), games(SOME, name="x")),
    "one named as the depths": text(games(SOME, name="depths"), "[depths]"),
    "a block of an ill name": text(games(SOME, name="a:b")),
    "a block that is none": text("games = 3", agents=""),
    "blocks that are none": text("games = [3]", agents=""),
    "depths that are none": text("depths = 3", agents=""),
    "an unknown table": text("[gamess]"),
    "an unknown key": text(games(SOME, "round = 3")),
    "a number that is a text": text(games(SOME, 'rounds = "3"')),
    "a truth that is a number": text(games(SOME, "include_self = 1")),
    "a number of nodes that is half": text(games(SOME, "nodes = 1.5")),
    "a claim of no key": text(games(SOME), "[[claims]]", 'chek = "1"'),
    "a claim that is none": text(games(SOME), title='title = "T"\nclaims = [3]'),
    "a claim of two runs": text(*MET, claims("elo('g', 'a:depth=1') > 0")),
    "a claim of two runs and a claim": text(*MET, claims("elo('g', 'r') > 0", "score('g') > 0")),
    "a claim of no such games": text(*MET, claims("elo('g', 'r', games='fee') > 0")),
    "a claim of a part of another kind": text(*MET, "[depths]", "[grade]", claims("elo('g', 'r', games='grade') > 0")),
    "a claim of others": text(*MET, claims("elo('g', 'r', games='few') > 0")),
    "a claim of who do not meet": text(games('pairs = [["g", "r"], ["g", "a"]]'), claims("elo('r', 'a:depth=1') > 0")),
    "a claim of several": text(*MET, claims("elo('a', 'g', games='all') > 0")),
    "a claim of a missing table": text(*MET, claims("states('a', depth=1) > 0")),
    "a claim whose second side has no table": text(*MET, claims("score('g', games='all') > share('g')")),
    "a claim whose second side has no agent": text(games(SOME), claims("nodes('g') > nodes('x')")),
    "a claim of another depth": text("[depths]", 'agents = ["a"]', "depth = 2", claims("states('a', depth=3) > 0")),
    "a claim of a depth by default": text("[depths]", 'agents = ["a"]', claims("states('a', depth=8) > 0")),
    "a claim beyond the depths": text("[depths]", 'agents = ["a"]', claims("states('a', depth=9) > 0")),
    "a claim of who is not graded": text("[grade]", 'agents = ["g"]', claims("share('r') > 0")),
    "a second claim": text(games(SOME), claims("elo('g', 'r') > 0", "elo('g', 'x') > 0")),
}  # fmt: skip
EVERYBODY = (
    "g r a:depth=1 a:depth=2 b:depth=1 b:depth=2 n:heuristic=parity n:heuristic=zero "
    "class:left class:right one list:quick list:slow bot"
)
AT_DEPTHS = "g r a b n:heuristic=parity n:heuristic=zero class:left class:right one list:quick list:slow bot"
"""Of depth tables, which ask each search at depths of its own."""
REFUSED = {
    "equal of none": ("[games] games", "no two agents of different"),
    "equal of one name": ("[games] games", "no two agents of different"),
    "pairs of one": ("[games] games", "pairs name no two different"),
    "pairs of none": ("[games] games", "pairs name no two different"),
    "pairs of nobody": ("[games] games", "'x': there are"),
    "pairs of three": ("[games] games", "pairs are 'all', 'equal' or"),
    "pairs of texts": ("[games] games", "pairs are 'all', 'equal' or"),
    "pairs of no list": ("[games] games", "pairs are 'all', 'equal' or"),
    "pairs and a format": ("[games] games", "pairs name the pairings; leave"),
    "pairs and others": ("[games] games", "pairs name the pairings; leave"),
    "depths of an empty range": ("[depths]", "depth is a number, a"),
    "depths of a truth": ("[depths]", "depth is a number, a"),
    "depths of numbers and a truth": ("[depths]", "depth is a number, a"),
    "depths of no number": ("[depths]", "depth is a number, a"),
    "depths of a wide range": ("[depths]", "depth is a number, a"),
    "depths of a list of ranges": ("[depths]", "depth is a number, a"),
    "a grade of a half depth": ("[grade]", "depth is a number, a"),
    "depths of nobody": ("[depths]", "'x': there are"),
    "a grade of plies that are texts": ("[grade]", "plies is a list of"),
    "a grade of openings": ("[grade]", "'openings': there are"),
    "a list of grades": ("", "grade is a table, not"),
    "no title": ("", "a study has a title"),
    "a blank title": ("", "a study has a title"),
    "a title that is none": ("", "title is a text, not"),
    "authors that are none": ("", "authors is a list of"),
    "authors that are numbers": ("", "authors is a list of"),
    "nothing measured": ("", "nothing is measured: a study"),
    "no agents": ("[games] games", "there are no agents: name"),
    "no agents of a block": ("[games] games", "there are no agents: name"),
    "no agents of a grade": ("[grade]", "there are no agents: name"),
    "an agent that is none": ("[agents]", "g: it is a text"),
    "an agent of an ill name": ("[agents]", "a/b: 'a/b' is no name"),
    "an agent of a long name": ("[agents]", f"{'a' * 41}: "),
    "an unknown agent": ("[agents]", "'greedi': did"),
    "a folder without agents": ("[agents]", "empty holds no agent"),
    "a folder with a broken one": ("[agents]", "broken/bad.py, line 1"),
    "two of one name": ("[[games]]", "two of them have one"),
    "one named as the depths": ("[[games]]", "two of them have one"),
    "a block of an ill name": ("[games] a:b", "'a:b' is no name: letters"),
    "a block that is none": ("", "games is a table, or"),
    "blocks that are none": ("[games] games", "it is a table of"),
    "depths that are none": ("", "depths is a table, not"),
    "an unknown table": ("", "'gamess': did you"),
    "an unknown key": ("[games] games", "'round': did you"),
    "a number that is a text": ("[games] games", "rounds is a whole number"),
    "a truth that is a number": ("[games] games", "include_self is true or false"),
    "a number of nodes that is half": ("[games] games", "nodes is a whole number"),
    "a claim of no key": ("claim 1", "'chek': did you"),
    "a claim that is none": ("claim 1", "it is a table of"),
    "a claim of two runs": ("claim 1", "several runs: add games='all' or games='few'"),
    "a claim of two runs and a claim": ("claim 2", "g play in several runs"),
    "a claim of no such games": ("claim 1", "'fee': did you"),
    "a claim of a part of another kind": ("claim 1", "'grade'"),
    "a claim of others": ("claim 1", "g and r do not"),
    "a claim of who do not meet": ("claim 1", "r and a:depth=1 do not"),
    "a claim of several": ("claim 1", "'a' stands for several agents"),
    "a claim of a missing table": ("claim 1", "states is taken from [depths]"),
    "a claim whose second side has no table": ("claim 1", "share is taken from [grade]"),
    "a claim whose second side has no agent": ("claim 1", "'x'"),
    "a claim of another depth": ("claim 1", "[depths] has no depth 3"),
    "a claim beyond the depths": ("claim 1", "[depths] has no depth 9"),
    "a claim of who is not graded": ("claim 1", "[grade] 'r'"),
    "a second claim": ("claim 2", "[games] 'x'"),
}
"""Where a mistake is, and how the line that refuses it begins."""
DECLARED = {
    "everything": [
        ("games", EVERYBODY, {"rules": "5x4", "openings": "plies:2", "rounds": 3, "seed": 4}),
        ("depths", AT_DEPTHS, {}),
        ("grade", EVERYBODY, {}),
    ],
    "a table of games": [
        ("games", "g r", {"nodes": 9, "seconds": 1, "margin": 0.5, "rules": "6x5"}),
    ],
    "the rules of a block": [
        ("games", "g r", {"rules": "5x4"}),
        ("s", "g r", {"rules": "4x4"}),
    ],
    "names of blocks": [
        ("games", "g r", {}),
        ("games-2", "g r", {}),
        ("third", "g r", {}),
        ("games-4", "g r", {}),
    ],
    "a format": [
        ("games", "g r", {"format": "gauntlet", "include_self": True}),
    ],
    "isolation": [
        ("games", "g r", {}),
    ],
    "files of openings": [
        ("games", "g r", {"openings": "mine.txt"}),
        ("depths", AT_DEPTHS, {"openings": "sub/mine.txt"}),
    ],
    "equal": [
        (
            "games",
            "a:depth=1 b:depth=1 g a:depth=2 b:depth=2",
            {
                "pairs": (
                    "a:depth=1 v b:depth=1, a:depth=1 v g, a:depth=2 v b:depth=2, a:depth=2 v g, "
                    "b:depth=1 v g, b:depth=2 v g"
                )
            },
        ),
    ],
    "equal with one that has none first": [
        (
            "games",
            "g a:depth=1 a:depth=2 r",
            {"pairs": "g v a:depth=1, g v a:depth=2, g v r, a:depth=1 v r, a:depth=2 v r"},
        ),
    ],
    "equal with several that vary": [
        (
            "games",
            "a:depth=1 b:depth=1 g a:depth=2 b:depth=2 n:heuristic=parity n:heuristic=zero",
            {
                "pairs": (
                    "a:depth=1 v b:depth=1, a:depth=1 v g, a:depth=2 v b:depth=2, a:depth=2 v g, "
                    "b:depth=1 v g, b:depth=2 v g, n:heuristic=parity v g, n:heuristic=zero v g"
                )
            },
        ),
    ],
    "pairs": [
        (
            "games",
            "a:depth=1 b:depth=1 a:depth=2 g r b:depth=2 class:left class:right",
            {
                "pairs": (
                    "a:depth=1 v b:depth=1, a:depth=2 v b:depth=1, g v r, a:depth=1 v b:depth=2, "
                    "class:left v g, class:right v g"
                )
            },
        ),
    ],
    "pairs of all": [
        ("games", "g r", {}),
    ],
    "a test": [
        ("games", "g r", {"sprt": "elo0=0,elo1=30"}),
    ],
    "depths": [
        (
            "depths",
            "a n:heuristic=parity n:heuristic=zero g",
            {"depth": [1, 3], "positions": ["", "33"], "budget": 2.5},
        ),
    ],
    "depths of a range": [
        ("depths", "a", {"depth": [2, 3, 4], "openings": "fair:4", "rounds": 2}),
    ],
    "depths of a depth": [
        ("depths", "a", {"depth": [5], "seed": 3, "rules": "5x4"}),
    ],
    "a grade": [
        ("grade", "g class:left class:right", {"positions": 9, "plies": [8], "seed": 2, "depth": [1, 2]}),
    ],
    "a grade of all": [
        ("grade", EVERYBODY, {"rules": "5x4"}),
    ],
    "claims": [
        ("all", "g r a:depth=1 a:depth=2", {}),
        ("few", "g a:depth=1 a:depth=2", {}),
        ("depths", "a b", {}),
        ("grade", "a:depth=1 a:depth=2 g", {}),
    ],
    "a claim of a depth by default": [
        ("depths", "a", {}),
    ],
}
"""The parts of a study: the name of each, its agents, and its settings."""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with all that the files name; the current folder is another."""
    folder = tmp_path / "study"
    files = dict.fromkeys(("class/left.py", "class/right.py", "one/only.py", "bot.py"), BOT)
    files |= {"list.toml": LISTED, "broken/bad.py": "def choose(:\n", "broken/good.py": BOT, "empty/x.txt": ""}
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return folder


def settings_of(part):
    """Return the settings of a part, with its pairs as a text."""
    pairs = part.settings.get("pairs")
    return dict(part.settings) | ({} if pairs is None else {"pairs": ", ".join(map(" v ".join, pairs))})


@pytest.mark.parametrize("name", REFUSED)
def test_a_mistake_in_a_study_is_named_with_its_place(place, name):
    (place / "study.toml").write_text(FILES[name])
    with pytest.raises(InputError) as raised:
        read_study(place / "study.toml")
    where, words = REFUSED[name]
    assert str(raised.value).startswith("study.toml: " + f"{where}: " * bool(where))
    assert words in str(raised.value)
    assert "--" not in str(raised.value)


@pytest.mark.parametrize("name", DECLARED)
def test_a_study_declares_its_parts_with_their_agents_and_settings(place, name):
    (place / "study.toml").write_text(FILES[name])
    parts = read_study(place / "study.toml").parts
    assert [(part.name, " ".join(part.agents), settings_of(part)) for part in parts] == DECLARED[name]


def test_names_have_letters_digits_blanks_and_a_few_signs_and_begin_with_a_letter_or_a_digit(place):
    for name in ("a", "a" * 40, "7x6", "a b", "a+b.c-d_e", "é"):
        assert list(file._agents(name, "greedy", place)) == [name]
    for name in ("", "a" * 41, "_a", " a", "-a", ".a", "+a", "a:b", "a,b", "a/b", "a\n"):
        with pytest.raises(InputError, match="is no name: letters, digits, blanks"):
            file._agents(name, "greedy", place)


def test_a_study_has_its_title_authors_hypotheses_and_isolation(place):
    (place / "study.toml").write_text(FILES["everything"])
    study = read_study(place / "study.toml")
    assert (study.title, study.authors, study.hypotheses, study.text) == (
        "All of it", ("A", "B"), ("H",), FILES["everything"]
    )  # fmt: skip
    assert (study.folder, list(study.agents)) == (place, EVERYBODY.split())
    (place / "study.toml").write_text(FILES["isolation"] + "\n[grade]")
    isolation = {"sandbox": False, "patience": 3, "debug": "lines", "memory": 99}
    assert [part.isolation for part in read_study(place / "study.toml").parts] == [isolation] * 2


def test_a_run_of_a_study_is_begun_with_the_settings_of_its_block_and_tells_what_it_warns_of(place, monkeypatch):
    begun = []
    monkeypatch.setattr("arena.tournament.tournaments.begin", lambda *words, **named: begun.append((*words, named)))
    (place / "study.toml").write_text(FILES["everything"])
    session = Session(3, "arena study play", progress=False, say=print, warn=str)
    [games, *_] = read_study(place / "study.toml").parts
    games.begin(place / "runs" / "a.sqlite", session)
    [(agents, settings, named)] = begun
    assert (agents, settings) == (list(games.agents.values()), games.settings)
    assert named == {
        "out": place / "runs" / "a.sqlite", "isolation": games.isolation, "workers": 3, "command": "arena study play",
        "warn": str,
    }  # fmt: skip
    assert (place / "runs").is_dir()


def test_a_file_that_is_none_or_cannot_be_read_is_named(place):
    (place / "binary.toml").write_bytes(b"\xff\xfe")
    (place / "broken.toml").write_text("title = [")
    for name, words in {
        "none": "there is no file",
        "binary": "cannot be read as TOML",
        "broken": "cannot be read as TOML: ",
    }.items():
        with pytest.raises(InputError, match=words):
            read_study(place / f"{name}.toml")


def test_agents_are_read_from_the_folder_of_the_study_wherever_it_is_kept(place):
    (place / "study.toml").write_text(FILES["everything"])
    families = read_study(place / "study.toml").families
    assert [(each.name, each.spec, each.nodes) for each in families["list"].values()] == [
        ("list:quick", "alphabeta:depth=2", 90), ("list:slow", "greedy", None)
    ]  # fmt: skip
    assert {each.folder for each in families["g"].values()} == {str(place)}
    (place / "kept").mkdir()
    (place / "kept" / "study.toml").write_text(FILES["files of openings"])
    kept = read_study(place / "kept" / "study.toml", place)
    assert {str(each.folder) for each in kept.families["bot"].values()} == {str(place)}
    assert [part.settings for part in kept.parts] == [settings for *_, settings in DECLARED["files of openings"]]


def test_each_quantity_of_a_claim_is_taken_from_its_part(place):
    (place / "study.toml").write_text(FILES["claims"])
    study = read_study(place / "study.toml")
    sources = {claim.check: [study.source(each)[0].name for each in claim.quantities] for claim in study.claims}
    assert sources == {
        "score('a', games='all') > 0.5": ["all"], "elo('g', 'r') > 0": ["all"],
        "nodes('a:depth=1', games='few') < 9": ["few"], "states('b', depth=2) > states('a', depth=1)": ["depths"] * 2,
        "share('a:depth=2') > share('g', of='good')": ["grade"] * 2, "wins('a', games='few') > 1": ["few"],
    }  # fmt: skip
    first = study.claims[0]
    assert (first.number, first.text, first.source, first.published) == (1, "t", "s", "0.5")


def test_how_a_study_was_first_played_is_told_the_same_when_it_goes_on(tmp_path):
    study = SimpleNamespace(text="title = 'A'", digest="a1", agents={}, folder=tmp_path)
    (tmp_path / "played").mkdir()
    begun = job._signed(study, tmp_path / "a.toml", tmp_path / "played", "arena study play a.toml")
    assert (begun["file"], begun["digest"], begun["command"]) == ("../a.toml", "a1", "arena study play a.toml")
    assert job._signed(study, tmp_path / "a.toml", tmp_path / "played", "again") == begun
