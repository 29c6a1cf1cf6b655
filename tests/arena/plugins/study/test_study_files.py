"""What studies' files declare, block by block, and the line that refuses each mistake, as it was recorded."""

import pytest
from recorded import holds, plain, tried, without

from agents.errors import InputError
from arena.plugins.study.file import read_study

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
    "a claim of others": text(*MET, claims("elo('g', 'r', games='few') > 0")),
    "a claim of who do not meet": text(games('pairs = [["g", "r"], ["g", "a"]]'), claims("elo('r', 'a:depth=1') > 0")),
    "a claim of several": text(*MET, claims("elo('a', 'g', games='all') > 0")),
    "a claim of a missing table": text(*MET, claims("states('a', depth=1) > 0")),
    "a claim of another depth": text("[depths]", 'agents = ["a"]', "depth = 2", claims("states('a', depth=3) > 0")),
    "a claim of a depth by default": text("[depths]", 'agents = ["a"]', claims("states('a', depth=8) > 0")),
    "a claim beyond the depths": text("[depths]", 'agents = ["a"]', claims("states('a', depth=9) > 0")),
    "a claim of who is not graded": text("[grade]", 'agents = ["g"]', claims("share('r') > 0")),
    "a second claim": text(games(SOME), claims("elo('g', 'r') > 0", "elo('g', 'x') > 0")),
}  # fmt: skip


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


def entry(each):
    return [each.name, each.spec, each.folder, each.nodes, each.seconds, each.own, each.roster, each.author]


def told(found):
    """Return a study as plain data, with the part and the agents that each quantity of its claims is taken from."""
    parts = [
        {"kind": part.kind, "agents": [[name, each.name, each.spec, each.nodes] for name, each in part.agents.items()],
         "settings": plain(part.settings), "isolation": plain(part.isolation),
         "name": part.name, "file": str(part.file(found.folder))}
        for part in found.parts
    ]  # fmt: skip
    sources = [
        [claim.number, claim.text, claim.check, claim.source, claim.published,
         [[each.name, found.source(each)[0].name, *found.source(each)[1]] for each in claim.quantities]]
        for claim in found.claims
    ]  # fmt: skip
    said = [found.title, list(found.authors), list(found.hypotheses), str(found.folder)]
    return {"said": said, "parts": parts, "claims": sources}


def test_what_every_file_declares_or_is_refused_for_stays(place, request):
    found = {}
    for name, content in FILES.items():
        (place / "study.toml").write_text(content)
        found[name] = without(tried(lambda: told(read_study(place / "study.toml"))), place.parent)
    (place / "study.toml").write_text(FILES["everything"])
    families = read_study(place / "study.toml").families
    agents = {name: [[own, *entry(each)] for own, each in group.items()] for name, group in families.items()}
    found["agents"] = without(agents, place.parent)
    found["no file"] = without(tried(read_study, place / "none.toml"), place.parent)
    (place / "binary.toml").write_bytes(b"\xff\xfe")
    found["no text"] = without(tried(read_study, place / "binary.toml"), place.parent)
    (place / "kept").mkdir()
    (place / "kept" / "study.toml").write_text(FILES["files of openings"])
    found["a copy"] = without(told(read_study(place / "kept" / "study.toml", place)), place.parent)
    holds("api-studies", found, request)
    (place / "broken.toml").write_text("title = [")
    with pytest.raises(InputError, match=r"broken\.toml cannot be read as TOML: "):
        read_study(place / "broken.toml")
