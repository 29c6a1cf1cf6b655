"""What travels to a cluster's workers: an agent's files, but not a program."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from agents.errors import InputError
from agents.process_agent import Source
from agents.specs.registry import parse
from arena.plugins.cluster.cluster import CodeBundle, begin_run, bundle_of
from arena.records import Job

from .loopback import BOT, HELPER, setting


def test_files_travel_by_their_digest_and_agents_are_read_from_where_they_are_unpack(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "helper.py").write_text(HELPER)
    spec = f"{tmp_path}/bot.py:choose"
    bundle = bundle_of(setting("greedy", spec, sources=(None, parse(spec).source())))
    assert [Path(path).name for path, _ in bundle.files] == ["bot.py", "helper.py"]
    there = bundle.unpack(tmp_path / "new" / "worker")
    home = tmp_path / "new" / "worker" / f"arena-{bundle.digest}"
    assert there.specs[1].kind == f"{home}{tmp_path}/bot.py:choose"
    assert there.sources[1].words[0] == f"{home}{tmp_path}/bot.py"
    assert there.sources[1].folder == f"{home}{tmp_path}"
    assert bundle.unpack(tmp_path / "new" / "worker") == there
    (tmp_path / "helper.py").write_text(f"{HELPER}\n")
    assert bundle_of(bundle.setting).digest != bundle.digest


def test_programs_do_not_travel_and_have_to_be_there(tmp_path):
    source = Source("cmd", (str(tmp_path / "engine"), "--fast"), str(tmp_path))
    bundle = bundle_of(setting("greedy", "random", sources=(None, source)))
    assert bundle.missing() == [str(tmp_path / "engine")]
    assert asyncio.run(begin_run("a run", bundle, None)) == f"there is no program {str(tmp_path / 'engine')!r}"
    (tmp_path / "engine").write_text("#!/bin/sh\n")
    (tmp_path / "engine").chmod(0o755)
    assert (bundle.files, bundle.missing()) == ((), [])


def test_data_that_an_agent_names_travels_with_it_and_nothing_else_of_its_folder(tmp_path):
    (tmp_path / "bot.py").write_text(
        "import helper\nDATA, BOOK, HERE, ABOVE, NONE = 'weights.txt', 'book', '.', '../secret', 'no.txt\\0'\n" + BOT
    )
    (tmp_path / "helper.py").write_text(f"MORE = 'more.bin'\n{HELPER}")
    (tmp_path / "book").mkdir()
    for name in ("weights.txt", "more.bin", "book/one.txt", "other.txt"):
        (tmp_path / name).write_text(name)
    bundle = bundle_of(setting("greedy", f"{tmp_path}/bot.py:choose"))
    names = {str(Path(path).relative_to(tmp_path)) for path, _ in bundle.files}
    assert names == {"bot.py", "helper.py", "weights.txt", "more.bin", "book/one.txt"}
    bundle.unpack(tmp_path / "worker")
    home = Path(f"{tmp_path}/worker/arena-{bundle.digest}{tmp_path}")
    assert (home / "book" / "one.txt").read_text() == "book/one.txt"


def test_a_word_that_names_no_file_from_the_root_is_no_file_that_travels(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("here.py", "there.py", "own.txt"):
        (tmp_path / name).write_text("")
    words = ("/bin/engine", "here.py", f"{tmp_path}/there.py", f"{tmp_path}/none.py", f"{tmp_path}/own.txt")
    bundle = bundle_of(setting("greedy", "random", sources=(None, Source("cmd", words, str(tmp_path)))))
    assert [path for path, _ in bundle.files] == [f"{tmp_path}/there.py"]
    assert bundle.programs == ("/bin/engine",)


def test_a_program_and_data_that_travel_are_run_from_where_they_are_unpacked(tmp_path):
    for name in ("engine", "book.txt", "run.py"):
        (tmp_path / name).write_text(name)
    words = (f"{tmp_path}/engine", f"{tmp_path}/book.txt", "--fast", f"{tmp_path}/run.py", f"{tmp_path}/gone")
    source = Source("cmd", words, str(tmp_path), files=(f"{tmp_path}/engine", f"{tmp_path}/book.txt"))
    bundle = bundle_of(setting("greedy", "random", sources=(None, source)))
    assert [path for path, _ in bundle.files] == [f"{tmp_path}/{name}" for name in ("book.txt", "engine", "run.py")]
    assert bundle.programs == ()
    home = f"{tmp_path}/worker/arena-{bundle.digest}"
    assert bundle.unpack(tmp_path / "worker").sources[1].words == (
        f"{home}{words[0]}", f"{home}{words[1]}", "--fast", f"{home}{words[3]}", words[4],
    )  # fmt: skip


def test_the_files_that_an_agent_may_read_are_where_it_is_unpacked(tmp_path):
    (tmp_path / "bot.py").write_text("def choose(board):\n    return 0\n")
    (tmp_path / "bot").mkdir()
    for name in ("bot.json", "bot/one.txt"):
        (tmp_path / name).write_text(name)
    files = tuple(f"{tmp_path}/{name}" for name in ("bot.py", "bot.json"))
    source = replace(parse(f"{tmp_path}/bot.py:choose").source(), files=(*files, f"{tmp_path}/bot"))
    bundle = bundle_of(setting("greedy", f"{tmp_path}/bot.py:choose", sources=(None, source)))
    assert {path for path, _ in bundle.files} == {*files, f"{tmp_path}/bot/one.txt"}
    there = bundle.unpack(tmp_path / "worker").sources
    home = f"{tmp_path}/worker/arena-{bundle.digest}"
    assert there[0] is None
    assert there[1].files == tuple(f"{home}{file}" for file in (*files, f"{tmp_path}/bot"))
    assert (there[1].words, there[1].folder) == ((f"{home}{tmp_path}/bot.py", "choose"), f"{home}{tmp_path}")


def test_files_that_parameters_name_are_where_a_worker_unpacks_them_and_those_that_did_not_travel_are_not(tmp_path):
    for name in ("mine.py", "order.py", "bot.py"):
        (tmp_path / name).write_text("def evaluate(own, opp):\n    return 0\ndef choose(board):\n    return 0\n")
    mine, order, bot = (f"{tmp_path}/{name}" for name in ("mine.py", "order.py", "bot.py"))
    specs = (
        parse(f"alphabeta:depth=3,heuristic={mine}:evaluate,order={order}:evaluate"), parse(f"{bot}:choose"),
        parse("greedy"),
    )  # fmt: skip
    field = replace(setting("greedy", "random"), specs=specs)
    bundle = bundle_of(field)
    assert [path for path, _ in bundle.files] == [bot, mine, order]
    there = bundle.unpack(tmp_path / "worker")
    home = f"{tmp_path}/worker/arena-{bundle.digest}"
    assert there.specs == (
        replace(specs[0], parameters={"depth": 3, "heuristic": f"{home}{mine}:evaluate",
                                      "order": f"{home}{order}:evaluate"}),
        replace(specs[1], kind=f"{home}{bot}:choose"), specs[2],
    )  # fmt: skip
    assert Path(f"{home}{mine}").read_bytes() == Path(mine).read_bytes()
    partly = replace(bundle, files=bundle.files[:1]).unpack(tmp_path / "other")
    assert partly.specs[0].parameters == specs[0].parameters
    assert partly.specs[1].kind.startswith(f"{tmp_path}/other/arena-")
    assert replace(there, specs=specs) == field


def test_programs_have_to_be_there_unless_they_travel_and_what_cannot_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "run.py").write_text("#!/bin/sh\n")
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "gone").symlink_to(tmp_path / "book" / "one")
    (tmp_path / "book" / "one").touch()
    sources = (
        Source("cmd", ("/bin/sh", "x"), "/"), Source("uci", ("/none/engine",), "/"), None,
        Source("cmd", (f"{tmp_path}/run.py",), "/"), Source("pons", ("/bin/sh",), "/"),
        Source("python", ("greedy",), "/", files=(f"{tmp_path}/book", f"{tmp_path}/run.py")),
    )  # fmt: skip
    bundle = bundle_of(replace(setting(*["greedy"] * 6), sources=sources))
    assert bundle.programs == ("/bin/sh", "/none/engine")
    assert bundle.missing() == ["/none/engine"]
    assert replace(bundle, programs=(f"{tmp_path}/run.py", "/bin/sh")).missing() == [f"{tmp_path}/run.py"], "not for x"
    names = [path.removeprefix(f"{tmp_path}/") for path, _ in bundle.files]
    assert names == ["book/gone", "book/one", "run.py"]

    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(InputError) as raised:
        bundle_of(replace(setting(*["greedy"] * 6), sources=sources))
    assert str(raised.value) == f"{tmp_path}/book/gone cannot be read: Permission denied"


def test_a_batch_is_named_by_its_first_game_and_its_agents():
    bundle = CodeBundle(setting("greedy", "random", "minimax"), (), ())
    assert bundle.name([Job(2, 0, 3)]) == f"game {Job(2, 0, 3)} between greedy, minimax"
    assert bundle.name([Job(0, 1, 0), Job(1, 0, 0)]) == f"game {Job(0, 1, 0)} and 1 more between greedy, random"
