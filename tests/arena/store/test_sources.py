import importlib.util
from hashlib import sha256

import pytest

from agents.errors import InputError
from agents.specs.registry import parse
from arena.store.sources import digest, files_of, files_of_spec, named_files

BOT = """
import shapes, os
from tools import saw

class Bot:
    def __init__(self, **settings): ...
    def choose(self, board, limits):
        from late import x
        return 0
"""
FILES = {
    "bot.py": BOT,
    "shapes.py": "import bot\n",
    "tools/__init__.py": "",
    "tools/saw.py": "from . import blade\nfrom .. import outside\n",
    "tools/blade.py": "",
    "tools/unused.py": "",
    "late.py": "x = 1\n",
    "unused.py": "",
    "mine.py": "def evaluate(own, opp):\n    return 0\n",
}
READ = ["bot.py", "shapes.py", "tools/__init__.py", "tools/saw.py", "tools/blade.py", "late.py"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        path = tmp_path / "here" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "here"


def bot():
    return digest(parse("here/bot.py:Bot"))


def test_what_is_ours_needs_no_digest():
    assert digest(parse("alphabeta:depth=2,heuristic=zero")) is None


@pytest.mark.parametrize("name", READ)
def test_every_file_that_an_agent_imports_from_its_folder_counts(folder, name):
    before = bot()
    (folder / name).write_text(f"{FILES[name]}\n# changed\n")
    assert bot() != before


@pytest.mark.parametrize("name", sorted(FILES.keys() - READ))
def test_files_that_it_does_not_import_do_not_count(folder, name):
    before = bot()
    (folder / name).write_text("# changed\n")
    (folder.parent / "outside.py").write_text("# beyond its folder\n")
    assert bot() == before


def test_neither_the_folder_s_place_nor_the_parameters_count(folder, tmp_path):
    before = bot()
    folder.rename(tmp_path / "there")
    assert digest(parse("there/bot.py:Bot:daring=1")) == before


def test_a_file_by_another_name_is_another_source(folder):
    before = bot()
    (folder / "late.py").rename(folder / "lately.py")
    (folder / "bot.py").write_text(FILES["bot.py"].replace("late", "lately"))
    assert bot() != before


def test_data_under_another_name_is_another_source(folder):
    (folder / "bot.py").write_text(f'{BOT}BOOK = "book"\n')
    (folder / "book").mkdir()
    (folder / "book" / "first.txt").write_text("4")
    before = bot()
    (folder / "book" / "first.txt").rename(folder / "book" / "second.txt")
    assert bot() != before


@pytest.mark.parametrize("key", ["heuristic", "order"])
def test_a_heuristic_or_an_ordering_in_a_file_counts(folder, key):
    spec = f"alphabeta:depth=2,{key}=here/mine.py:evaluate"
    before = digest(parse(spec))
    assert before is not None
    (folder / "mine.py").write_text(FILES["mine.py"].replace("0", "1"))
    assert digest(parse(spec)) != before


def test_a_file_that_is_not_python_has_a_digest_as_well(folder):
    (folder / "shapes.py").write_text("this is (no Python\n")
    before = bot()
    (folder / "shapes.py").write_bytes(b"\xff\x00")
    assert bot() not in {before, None}


def test_a_parameter_that_only_looks_like_a_file_is_left_alone(folder):
    assert digest(parse("here/bot.py:Bot:name=none.py:x")) == bot()


def test_the_files_that_a_spec_names_are_its_python_files_and_networks(folder):
    (folder / "net.onnx").write_text("")
    named = {
        "here/bot.py:Bot": ["here/bot.py"],
        "minimax:depth=1,heuristic=here/mine.py:evaluate": ["here/mine.py"],
        "onnx:here/net.onnx": ["here/net.onnx"],
        "openspiel:here/bot.py:Bot": ["here/bot.py"],
        "kaggle:here/late.py": ["here/late.py"],
        "alphabeta:depth=2": [],
    }
    if importlib.util.find_spec("pyspiel"):
        named["openspiel:mcts"] = []
    assert {text: named_files(parse(text)) for text in named} == {
        text: [folder.parent / file for file in files] for text, files in named.items()
    }


def test_data_that_a_parameter_names_counts(folder):
    (folder / "weights").mkdir()
    (folder / "weights" / "a.txt").write_text("1")
    (folder / "b.txt").write_text("1")
    for word in ("b.txt", "weights"):
        spec = parse(f"here/bot.py:Bot:data={word}")
        before = digest(spec)
        assert before != bot()
        (folder / word if word == "b.txt" else folder / word / "a.txt").write_text("2")
        assert digest(spec) != before
    found = {path.name for path in files_of_spec(parse("here/bot.py:Bot:data=weights"), str(folder.parent))}
    assert found == {"bot.py", "shapes.py", "__init__.py", "saw.py", "blade.py", "late.py", "a.txt"}


def test_the_files_of_a_command_are_the_words_that_are_files(folder):
    (folder / "engine").touch(0o755)
    (folder / "net work.txt").write_text("")
    spec = parse("cmd:./engine --net 'net work.txt' missing.txt --depth 3;memory=100", str(folder))
    assert files_of_spec(spec, str(folder)) == {folder / "engine", folder / "net work.txt"}
    assert files_of_spec(parse("alphabeta:depth=2"), str(folder)) == set()


def test_data_counts_from_the_folder_of_the_file_that_names_it_and_from_that_of_the_agent(folder):
    (folder / "tools" / "blade.py").write_text('SETS = "near.txt", "far", "../beyond.txt"\n')
    for name in ("tools/near.txt", "far/one/a.txt", "far/__pycache__/b.txt", "beyond.txt", "late.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("1")
    (folder / "tools" / "far").symlink_to(folder.parent)
    files = {path.relative_to(folder).as_posix() for path in files_of(folder / "bot.py")}
    assert files == {*READ, "tools/near.txt", "far/one/a.txt", "beyond.txt"}


def test_a_digest_is_the_same_in_every_version(folder):
    """Whoever changes how digests are computed makes every agent of a stored run a changed one."""
    (folder / "bot.py").write_text("from tools import blade\n")
    (folder / "data.txt").write_text("4")
    spec = "here/bot.py:Bot:heuristic=here/mine.py:evaluate,data=data.txt"
    assert digest(parse(spec)) == "062c23686f6b5525b5a07a6afd68c454b63528a2f2aba98bf461152e323c1cfe"
    checksum = sha256(f"mine.py {sha256((folder / 'mine.py').read_bytes()).hexdigest()}\n".encode()).hexdigest()
    assert digest(parse("alphabeta:depth=2,heuristic=here/mine.py:evaluate")) == checksum


def test_data_outside_of_the_folder_and_long_or_odd_words_do_not_count(folder):
    (folder.parent / "secret.txt").write_text("1")
    words = ("../secret.txt", str(folder.parent / "secret.txt"), "", ".", "a\nb", "x" * 5000)
    assert files_of(folder / "late.py", words) == {folder / "late.py"}


def test_a_file_that_cannot_be_read_is_named(folder, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    spec = parse("here/bot.py:Bot")
    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    with pytest.raises(InputError, match=r"bot\.py cannot be read: Permission denied"):
        digest(spec)
