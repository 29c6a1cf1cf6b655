"""What travels to a cluster's workers: an agent's files, but not a program."""

import asyncio
from dataclasses import replace
from pathlib import Path

from agents.process_agent import Source
from agents.specs.registry import parse
from arena.plugins.cluster.cluster import begin_run, bundle_of

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
