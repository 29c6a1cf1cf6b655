from dataclasses import asdict, replace
from pathlib import Path

import pytest

from agents.agent import Limits
from agents.errors import InputError
from agents.process_agent import ProcessLimits, Source
from agents.specs.registry import parse
from arena.games.entries import Entry
from arena.games.isolation import Isolation, anchored, kept_apart
from arena.games.plan import Plan
from arena.games.setup import setting_of

BOT = "class Bot:\n    def choose(self, board, limits):\n        return 0\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "mine.py").write_text("def evaluate(own, opp):\n    return 0\n")
    return str(tmp_path)


def source(isolation, place=0, text="greedy"):
    return isolation.source(place, isolation.spec(place, text))


def test_our_own_agents_play_in_the_worker_and_others_apart(folder):
    plain = Isolation(folder=folder)
    assert source(plain) is None
    assert source(plain, text="bot.py:Bot").folder == folder
    assert source(Isolation(folder=folder, everyone=True)).words == ("greedy",)
    assert source(Isolation(folder=folder, nobody=True), text="bot.py:Bot") is None
    assert source(Isolation(folder=folder, nobody=True), text="cmd:python3 -c pass").protocol == "cmd"


@pytest.mark.parametrize(
    ("given", "limits"),
    [({"nodes": 50}, Limits(nodes=50)), ({"seconds": 0.5}, Limits(seconds=0.5)),
     ({"environment": (("A", "b"),)}, Limits())],
)  # fmt: skip
def test_what_an_entry_asks_for_itself_holds_in_a_process_of_its_own(folder, given, limits):
    entry = Entry("mine", "greedy", folder, files=("x",), **given)
    found = source(Isolation(entries=(None, entry)), 1)
    assert (found.limits, found.environment, found.files) == (limits, given.get("environment", ()), ("x",))
    assert (found.folder, found.words) == (folder, ("greedy",))


def test_an_entry_that_asks_for_nothing_plays_as_its_spec_does(folder):
    entries = (
        Entry("one", "greedy", folder),
        Entry("two", f"alphabeta:depth=1,heuristic={folder}/mine.py:evaluate", folder),
    )
    isolation = Isolation(entries=entries)
    assert source(isolation) is None
    spec = isolation.spec(1, "two")
    assert spec.parameters["heuristic"] == f"{folder}/mine.py:evaluate"
    assert isolation.source(1, spec).folder == folder
    assert source(Isolation(entries=entries, everyone=True)).folder == folder


def test_where_an_agent_lives_follows_from_who_asked_for_it_and_all_that_it_asks_for(folder, monkeypatch):
    monkeypatch.setenv("KEY", "of the caller")
    bot, own = "bot.py:Bot", "alphabeta:depth=1,heuristic=mine.py:evaluate"
    entries = {
        "own": Entry("own", bot, folder, own=True),
        "own plain": Entry("own plain", own, folder, own=True, nodes=7, environment=(("A", "b"),), files=("x",)),
        "file": Entry("file", bot, folder, files=("x",)),
        "heuristic": Entry("heuristic", own, folder),
        "passes": Entry("passes", "greedy", folder, pass_environment=("KEY",)),
        "command": Entry("command", "cmd:python3 -c pass", folder, (("A", "b"),), 7, 0.5),
        "plain": Entry("plain", "greedy", folder),
    }
    found = {}
    for label, terms in (("strangers", {}), ("everyone", {"everyone": True}), ("nobody", {"nobody": True})):
        lives = Isolation(folder="/run", entries=tuple(entries.values()), **terms)
        for place, name in enumerate(entries):
            made = lives.source(place, lives.spec(place, name))
            found[f"{label} {name}"] = made and (made.folder, made.environment, made.limits.nodes, made.files)
    apart = (folder, (), None, ())
    assert found == {
        "strangers own": apart, "everyone own": apart, "nobody own": None,
        "strangers own plain": None, "everyone own plain": apart, "nobody own plain": None,
        "strangers file": (folder, (), None, ("x",)), "everyone file": (folder, (), None, ("x",)), "nobody file": None,
        "strangers heuristic": apart, "everyone heuristic": apart, "nobody heuristic": None,
        "strangers passes": (folder, (("KEY", "of the caller"),), None, ()),
        "everyone passes": (folder, (("KEY", "of the caller"),), None, ()), "nobody passes": None,
        "strangers command": (folder, (("A", "b"),), 7, ()), "everyone command": (folder, (("A", "b"),), 7, ()),
        "nobody command": (folder, (("A", "b"),), 7, ()),
        "strangers plain": None, "everyone plain": apart, "nobody plain": None,
    }  # fmt: skip


def test_a_model_asks_for_nothing_of_its_own(monkeypatch):
    monkeypatch.setenv("KEY", "v")
    model = "llm:m@http://x"
    assert Isolation(everyone=True).source(0, parse(model)) is None
    for more, said in (
        ({}, False), ({"author": "Ann"}, False), ({"nodes": 7}, True), ({"seconds": 0.5}, True),
        ({"environment": (("A", "b"),)}, True), ({"pass_environment": ("KEY",)}, True),
    ):  # fmt: skip
        lives = Isolation(entries=(None, Entry("deep", model, "/", **more)))
        if not said:
            assert source(lives, 1) is None
            continue
        with pytest.raises(InputError) as raised:
            source(lives, 1)
        assert str(raised.value) == ("agent 'deep': a language model has no nodes, seconds or environment of its own")


def test_of_agents_that_share_a_folder_each_sees_what_nobody_else_is_named_after(folder):
    for name in ("other.py", "bot.json", "other.json", "bot_2.py"):
        Path(folder, name).write_text(BOT)
    Path(folder, "deep").mkdir()
    Path(folder, "deep", "bot.py").write_text(BOT)
    apart = [parse(f"{name}:Bot", folder).source(folder) for name in ("bot.py", "other.py", "deep/bot.py", "bot.py")]
    known = replace(parse("bot_2.py:Bot", folder).source(folder), files=("its own",))
    given = [None, *apart, known, Source("cmd", ("./x",), folder), parse("greedy").source(folder)]
    files = [each and [Path(path).name for path in each.files] for each in kept_apart(given)]
    mine = ["bot.json", "bot.py"]
    assert files == [None, mine, ["other.json", "other.py"], [], mine, ["its own"], [], []]


def test_an_author_is_the_entrys(folder):
    entries = (None, Entry("one", "greedy", folder, author="Ada"), Entry("two", "greedy", folder))
    assert [Isolation(entries=entries).author(place) for place in range(3)] == [None, "Ada", None]
    assert Isolation().author(0) is None


def test_paths_in_a_spec_count_from_its_folder(folder):
    spec = parse("bot.py:Bot", folder)
    assert anchored(spec, folder).kind == f"{folder}/bot.py:Bot"
    plain = parse("alphabeta:depth=2,heuristic=zero")
    assert anchored(plain, folder) == plain
    (Path(folder) / "own.py").write_text("def score(rules):\n    return lambda own, opp, cell: 0\n")
    assert (
        anchored(parse("alphabeta:order=own.py:score", folder), folder).parameters["order"] == f"{folder}/own.py:score"
    )
    typed = "alphabeta:depth=1,heuristic=mine.py:evaluate"
    assert parse(typed, folder).parameters["heuristic"] == "mine.py:evaluate"
    entries = (Entry("two", typed, folder),)
    assert Isolation(entries=entries).spec(0, "two").parameters["heuristic"] == f"{folder}/mine.py:evaluate"
    with pytest.raises(InputError, match="there is no file"):
        parse(typed, f"{folder}/elsewhere")


def test_isolation_is_read_as_it_was_written_and_lays_down_its_terms(folder):
    entry = Entry("one", "greedy", folder, (("A", "b"),), 5, 0.5, "Ada", ("x",))
    isolation = Isolation(5.0, 256, sandbox=True, folder=folder, entries=(None, entry))
    document = asdict(isolation) | {"entries": [None, entry.document()]}
    known = replace(isolation, entries=(None, replace(entry, environment=(("A", None),))))
    assert Isolation.from_document(document) == known
    assert isolation.process_limits(0.3) == ProcessLimits(5.0, 0.3, 256, sandbox=True)


@pytest.mark.parametrize("sandbox", [True, False])
def test_agents_that_share_a_folder_see_their_own_files_alone_in_a_sandbox(folder, sandbox):
    for name in ("other.py", "bot.json"):
        Path(folder, name).write_text(BOT)
    agents = ("bot.py:Bot", "other.py:Bot", "greedy")
    plan = Plan(agents, isolation=Isolation(sandbox=sandbox, folder=folder))
    setting = setting_of(plan, [plan.isolation.spec(place, text) for place, text in enumerate(agents)], ())
    files = [source and [Path(path).name for path in source.files] for source in setting.sources]
    assert files == ([["bot.json", "bot.py"], ["other.py"], None] if sandbox else [[], [], None])


def test_an_agent_that_has_its_folder_to_itself_sees_all_of_it(tmp_path):
    agents = []
    for name in "ab":
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(BOT)
        agents.append(f"{name}/bot.py:Bot")
    plan = Plan(tuple(agents), isolation=Isolation(sandbox=True, folder=str(tmp_path)))
    setting = setting_of(plan, [plan.isolation.spec(place, text) for place, text in enumerate(agents)], ())
    assert [source.files for source in setting.sources] == [(), ()]
