"""What a study asks of its parts, what these ask of the jobs that play and measure, and what is said of them."""

import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace as Row

import pytest
from scripted import raiser

from agents.errors import InputError
from arena.depth.cost import Cost, cost
from arena.games.entries import Entry
from arena.page.page import Section
from arena.plugins.study import job, parts, tables
from arena.plugins.study.claims import Claim, Estimate, Quantity, Verdict
from arena.plugins.study.differences import Difference
from arena.plugins.study.file import Study, read_study
from arena.plugins.study.parts import Games, Measurement, Session
from arena.records import Interval
from arena.store.connection import Lock
from arena.store.writing import write_json
from arena.table.measured import Measured
from arena.table.rows import plain

ASKED = {"workers": 3, "command": "arena study play s.toml", "progress": True, "say": print, "warn": str}


class Part:
    """Stands for a part of a study: keeps where it was played, and by whom."""

    kind = "games"

    def __init__(self, name, *clocked):
        self.name, self.by_clock, self.played = name, clocked, []

    def play(self, folder, session):
        self.played.append((folder, session))

    def section(self, folder):
        return Section(self.name, f"The part {self.name}", [f"played in {folder.name}"])

    def clocked(self, _):
        return list(self.by_clock)

    def differences(self, old, new):
        return [Difference(self.name, "" if old == new else "elsewhere", "moves", "1", "2")], 3


@pytest.fixture
def declared(tmp_path, monkeypatch):
    """The parts of a study, what it asks for of its file, and what it said."""
    played, read, said = (Part("one"), Part("two", "a", "b")), [], []
    study = Study("Its title", ("Ann", "Bob"), ("H",), "title = 'T'", tmp_path, {}, played, ())
    monkeypatch.setattr("arena.plugins.study.file.read_study", lambda *words: read.append(words) or study)
    return played, read, said, {**ASKED, "say": said.append}


def test_the_parts_of_a_study_are_played_and_played_again_as_it_is_asked(declared, tmp_path):
    played, read, said, asked = declared
    out = tmp_path / "out"
    assert job.play(tmp_path / "s.toml", out, **asked).folder == out
    assert [part.played for part in played] == [[(out, Session(**asked))]] * 2
    page = (out / "report.html").read_text(encoding="utf-8")
    for text in ("Its title", "A study of 0 agents and 0 claims by Ann, Bob", ASKED["command"], "The part two"):
        assert text in page, text
    again = job.verify(out, **asked)
    assert said == ["1 of 2: one", "2 of 2: two", "again: one"]
    assert (again.games, again.remarks) == (3, ("two is not played again: a, b move by the clock",))
    assert again.rows == [Difference("one", "elsewhere", "moves", "1", "2")]
    assert [len(part.played) for part in played] == [2, 1]
    assert played[0].played[1][1] == Session(**asked)
    assert read == [(tmp_path / "s.toml",), (out / "study.toml", tmp_path)]


def test_a_study_is_played_beside_its_file_in_whose_folder_its_parts_find_their_files(declared, tmp_path, monkeypatch):
    played, _, _, asked = declared
    (home := tmp_path / "home").mkdir()
    (elsewhere := tmp_path / "elsewhere").mkdir()
    at, study = [], Study("T", (), (), "t", home, {}, tuple(played), ())
    monkeypatch.setattr("arena.plugins.study.file.read_study", lambda *_: study)
    monkeypatch.setattr(Part, "planned", lambda part, *_: at.append((part.name, Path.cwd())), raising=False)
    monkeypatch.setattr(Part, "agents", {}, raising=False)
    monkeypatch.setattr(Part, "play", lambda part, *_: at.append((part.name, Path.cwd())))
    monkeypatch.chdir(elsewhere)
    job.check("../home/s.v2.toml")
    folder = job.play("../home/s.v2.toml", **asked).folder
    job.verify(folder, **asked)
    assert at == [("one", home), ("two", home), ("one", home), ("two", home), ("one", home)]
    assert (folder, Path.cwd(), [*elsewhere.iterdir()]) == (Path("../home/s.v2"), elsewhere, [])
    assert "A study of 0 agents and 0 claims<" in (home / "s.v2" / "report.html").read_text(encoding="utf-8")
    with Lock(home / "s.v2" / "study.json"), pytest.raises(InputError):
        job.play("../home/s.v2.toml", **asked)
    assert len(at) == 5


def test_a_folder_that_was_moved_or_signed_otherwise_is_verified_too(declared, tmp_path, monkeypatch):
    _, read, _, asked = declared
    job.play(tmp_path / "s.toml", out := tmp_path / "out", **asked)
    state = json.loads((out / "study.json").read_text())
    write_json(out / "study.json", state | {"file": "../gone/s.toml", "digest": "other"})
    monkeypatch.setattr(job, "_digests", lambda _: {"a": "greedy"})
    first, second, *_ = job.verify(out, **asked).rows
    assert first == Difference("study.toml", "study.toml", "SHA-256", "other", state["digest"])
    assert second == Difference("agents", "a", "SHA-256", "None", "greedy")
    assert read[-1] == (out / "study.toml", out), "its files are looked for beside it"


def test_a_folder_of_something_else_and_one_that_is_not_played_to_its_end_are_refused(declared, tmp_path):
    *_, asked = declared
    (tmp_path / "mine.txt").touch()
    with pytest.raises(InputError, match=r"holds mine\.txt and no study; name another folder with --out$"):
        job.play(tmp_path / "s.toml", tmp_path, **asked)
    with pytest.raises(InputError, match=r"is not played to its end; arena study play continues it$"):
        job.verify(tmp_path)
    with pytest.raises(InputError, match=r"mine\.txt exists; name another file$"):
        job.new(tmp_path / "mine.txt")
    (tmp_path / "course.2024.toml").touch()
    assert job.new(tmp_path / "course.2024") == tmp_path / "course.2024"
    assert (tmp_path / "course.2024").stat().st_size > 0 == (tmp_path / "course.2024.toml").stat().st_size


def test_a_check_counts_the_games_of_each_run_and_those_of_none_that_cannot_be_planned(tmp_path, monkeypatch):
    sessions = []

    def part(name, planned, kind="games"):
        def plan(folder, session):
            sessions.append(session)
            session.warn(f"{name} is planned")
            if planned is None:
                raise InputError(f"{name} is wrong")
            return planned

        return Row(name=name, kind=kind, agents={name: "", "x": ""}, planned=plan)

    parts_of = part("one", 12), part("two", None), part("three", 7), part("depths", None, "depths"), part("four", None)
    claim = Row(text="t", check="c", quantities=("q1", "q2", "q1"))
    study = Row(
        title="T", digest="d", agents={"a": "", "b": ""}, parts=parts_of, claims=[claim], folder=tmp_path,
        source=lambda quantity: (parts_of[int(quantity[1])], ()),
    )  # fmt: skip
    monkeypatch.setattr("arena.plugins.study.file.read_study", lambda _: study)
    checked = job.check("s.toml")
    assert (checked.title, checked.digest, checked.agents) == ("T", "d", ["a", "b"])
    assert checked.runs == [
        {"name": name, "agents": [name, "x"], "games": number}
        for name, number in (("one", 12), ("two", None), ("three", 7), ("four", None))
    ]
    assert checked.claims == [{"text": "t", "check": "c", "of": ["two", "three"]}]
    planned, wrong = "{} is planned", "{} is wrong"
    assert checked.problems == [
        planned.format("one"), planned.format("two"), wrong.format("two"), planned.format("three"),
        planned.format("depths"), wrong.format("depths"), planned.format("four"), wrong.format("four"),
    ]  # fmt: skip
    assert {(session.workers, session.progress) for session in sessions} == {(1, False)}
    study.claims = []
    assert len(job.check("s.toml").problems) == 9


def test_claims_are_judged_by_the_folder_of_each_part(tmp_path):
    asked = []

    def part(name, value):
        def estimates(folder, quantities):
            asked.append((name, folder, quantities))
            return {quantity: Estimate(value, None, name) for quantity in quantities}

        return Row(name=name, estimates=estimates)

    one, two, unasked = part("one", 8.0), part("two", 5.0), part("three", 0.0)
    claims = [Claim.of(1, {"check": "nodes('a') > nodes('b')"}), Claim.of(2, {"check": "nodes('b') > 6"})]
    sources = {"a": (one, ("a",)), "b": (two, ("b", "c"))}
    study = Row(claims=claims, parts=(unasked, one, two), source=lambda quantity: sources[quantity.agents[0]])
    rows = job._judged(study, lambda part: tmp_path / part.name)
    assert asked == [
        ("one", tmp_path / "one", {Quantity("nodes", ("a",)): ("a",)}),
        ("two", tmp_path / "two", {Quantity("nodes", ("b",)): ("b", "c")}),
    ]
    assert [(row.value.value, row.verdict, row.basis) for row in rows] == [
        (3.0, "stands", "one; two"), (5.0, "falls", "two")
    ]  # fmt: skip


def test_a_study_that_was_ended_after_it_wrote_its_file_begins_again_and_one_beside_others_does_not(tmp_path):
    (file := tmp_path / "s.toml").write_text('title = "T"\n[agents]\na = "greedy"\nb = "random"\n[games]\n')
    (folder := tmp_path / "played").mkdir()
    (folder / "study.toml").write_text("title")
    (folder / "study.json-lock").touch()
    study = read_study(file)
    for name in ("z.txt", "b"):
        (folder / name).touch()
        with pytest.raises(InputError, match=rf"{folder} holds {name} and no study"):
            job._signed(study, file, folder, "")
    for name in ("z.txt", "b"):
        (folder / name).unlink()
    state = job._signed(study, file, folder, "begin")
    assert ((folder / "study.toml").read_text(), state["digest"]) == (study.text, study.digest)
    assert state["agents"] == {"a": "greedy", "b": "random"}


def test_all_files_of_an_agent_are_signed_also_those_of_one_name(tmp_path):
    files = {"bot.py": "import one.part, two.part\n\ndef choose(board):\n    return open('w.txt')\n", "w.txt": "1"}
    files |= dict.fromkeys(("one/part.py", "two/part.py", "unused.py"), "x = 0\n")
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    study = Row(agents={"a": Entry("a", "bot.py", str(tmp_path))}, folder=tmp_path)
    whole = Row(agents={"b": Entry("b", f"{tmp_path}/one/part.py:x", str(tmp_path))}, folder=tmp_path)
    assert job._digests(whole)["b"].startswith("one/part.py:x SHA-256 ")
    first, changed = job._digests(study)["a"], {}
    content = [f"{name} {sha256(files[name].encode()).hexdigest()}" for name in sorted({*files} - {"unused.py"})]
    assert first == f"bot.py SHA-256 {sha256(chr(10).join(content).encode()).hexdigest()}"
    for name, text in files.items():
        (tmp_path / name).write_text(f"{text}# changed\n")
        changed[name] = job._digests(study)["a"]
        (tmp_path / name).write_text(text)
    assert len({first, *changed.values()}) == len(files)
    assert changed["unused.py"] == first


def test_claims_rest_on_all_games_of_a_run_and_its_page_on_a_sample_where_they_are_many(tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(parts.Frames, "read", lambda path, **named: read.append((path, named)) or read[-1])
    monkeypatch.setattr(parts.quantities, "of_run", lambda frames, *asked: (frames, *asked))
    part, quantity = Games("x", {}, {}, {}), Quantity("nodes", ("a",))
    whole = tmp_path / "runs" / "x.sqlite", {"most": None}
    assert part.estimates(tmp_path, {quantity: ("a", "b")}) == {quantity: (whole, quantity, ("a", "b"))}
    assert read == [whole]
    monkeypatch.setattr(parts.differences, "clocked", lambda frames: frames)
    assert part.clocked(tmp_path) == whole


def calls(monkeypatch, module, names, result):
    """Return what will be asked of functions of a module, which return a result in their place."""
    asked = []
    for name in names:
        monkeypatch.setattr(
            module, name, lambda *words, name=name, **named: asked.append((name, *words, named)) or result
        )
    return asked


def test_a_run_of_a_study_goes_on_where_its_file_is_there(tmp_path, monkeypatch):
    asked = calls(monkeypatch, parts.tournaments, ("begin", "resumed", "play"), "the run")
    games, session = Games("x", {}, {}, {}), Session(**ASKED)
    games.play(tmp_path, session)
    (file := tmp_path / "runs" / "x.sqlite").touch()
    games.play(tmp_path, session)
    assert [name for name, *_ in asked] == ["begin", "play", "resumed", "play"]
    assert asked[2] == ("resumed", file, {"command": ASKED["command"], "workers": 3, "say": print, "warn": str})
    assert asked[1] == asked[3] == ("play", "the run", 3, {"progress": True, "warn": str})


@pytest.mark.parametrize("kind", ["depths", "grade"])
def test_a_measurement_is_made_once_as_its_block_says(tmp_path, monkeypatch, kind):
    measured = Measured([Cost("a", "", 1)], Cost, {"seed": 1})
    asked = calls(monkeypatch, parts.measures, ["depths"], measured)
    graded = calls(monkeypatch, parts.truth, ["grade"], measured)
    part = Measurement(kind, {"a": "an entry"}, {"seed": 4}, {"patience": 3})
    for _ in range(2):
        part.play(tmp_path, Session(**ASKED))
    settings = {"seed": 4, "isolation": {"patience": 3}, "progress": True, "warn": str}
    assert asked + graded == [(kind, ["an entry"], settings)]
    document = json.loads((tmp_path / "measured" / f"{kind}.json").read_text())
    assert (document["meta"], part.rows(tmp_path)[0]["agent"]) == ({"seed": 1}, "a")
    for damaged in ("[", '{"rows": [1]}', '{"rows": [null]}', '{"rows": 1}', "{}"):
        part.file(tmp_path).write_text(damaged)
        with pytest.raises(InputError, match=r": delete it, and arena study play measures it again$"):
            part.rows(tmp_path)


def test_a_measurement_that_was_interrupted_is_not_kept(tmp_path, monkeypatch):
    calls(monkeypatch, parts.measures, ["depths"], Measured([Cost("a", "", 1)], Cost, {}, interrupted=True))
    with pytest.raises(KeyboardInterrupt):
        Measurement("depths", {}, {}, {}).play(tmp_path, Session(**ASKED))
    assert [*tmp_path.iterdir()] == []


def test_a_measurement_is_tried_with_all_its_agents_up_to_where_it_would_begin(tmp_path, monkeypatch):
    built, asked = [], []

    def begin(entries, *, progress, **settings):
        asked.append((entries, settings))
        progress()
        asked.append("it was measured")

    seat = Row(build=lambda: built.append("a"))
    monkeypatch.setattr(parts, "specs", lambda *given: asked.append(given) or [seat, seat])
    monkeypatch.setattr(parts.measures, "depths", begin)
    part = Measurement("depths", {"a": "an entry"}, {"seed": 4}, {"patience": 3})
    assert part.planned(tmp_path, Session(**ASKED)) is None
    settings = {"seed": 4, "isolation": {"patience": 3}, "warn": str}
    assert (asked, built) == ([(["an entry"], {"patience": 3}, str), (["an entry"], settings)], ["a", "a"])
    seat.build = raiser(InputError("it cannot be built"))
    with pytest.raises(InputError, match=r"^\[depths\]: it cannot be built$"):
        part.planned(tmp_path, Session(**ASKED))


def test_a_mistake_in_the_settings_of_a_part_is_named_with_its_place_by_the_keys_of_the_file(tmp_path, monkeypatch):
    wrong = "choose one of --openings, --max-plies or --seconds-per-move; - and -v stay"
    said = "choose one of openings, max_plies or seconds_per_move; - and -v stay"
    for module, name in ((parts.tournaments, "begin"), (parts.measures, "depths"), (parts.truth, "grade")):
        monkeypatch.setattr(module, name, lambda *_, **__: raiser(InputError(wrong))())
    monkeypatch.setattr(parts, "specs", lambda *_: [])
    session = Session(**ASKED)
    for part, place in (
        (Games("two b", {}, {}, {}), "[games] two b"), (Measurement("depths", {}, {}, {}), "[depths]"),
        (Measurement("grade", {}, {}, {}), "[grade]"),
    ):  # fmt: skip
        with pytest.raises(InputError) as raised:
            part.planned(tmp_path / "new", session)
        assert str(raised.value) == f"{place}: {said}"
    with pytest.raises(InputError) as raised:
        Games("games-2", {}, {}, {}).play(tmp_path, session)
    assert str(raised.value) == f"[games] games-2: {said}"
    with pytest.raises(ValueError, match=r"^--seed$"), parts.within("a place"):
        raise ValueError("--seed")
    with pytest.raises(InputError, match=r"^s\.toml: a: seed and $"), parts.within("s.toml"), parts.within("a"):
        raise InputError("--seed and ")


def test_runs_that_nobody_can_begin_are_named_by_the_keys_of_the_file(tmp_path):
    for lines, said in (
        ('seconds = 1\nclock = "60+1"', "choose one of seconds, for a move, and clock, for a game"),
        ('agents = ["a"]', "include_self lets one meet itself"),
        ('include_self = true\nformat = "swiss"', "lets nobody meet itself; include_self is"),
    ):
        (file := tmp_path / "s.toml").write_text(
            f'title = "T"\n[agents]\na = "greedy"\nb = "random"\n[games]\nname = "few"\n{lines}\n'
        )
        [part] = read_study(file).parts
        with pytest.raises(InputError) as raised:
            part.planned(tmp_path, Session(**ASKED))
        assert str(raised.value).startswith("[games] few: ")
        assert said in str(raised.value)
        assert "--" not in str(raised.value)


def test_sections_have_all_tables_and_figures_of_a_run_and_of_grades(tmp_path, monkeypatch):
    monkeypatch.setattr(parts.Frames, "read", lambda path, **named: (path, named))
    monkeypatch.setattr(parts.tables, "whole", lambda frames: ["whole", frames])
    monkeypatch.setattr(parts, "duels", lambda frames: ["duels", frames])
    monkeypatch.setattr(parts.strength, "pairings_parts", list)
    figure = Row(svg=lambda prefix="": f"<svg of {prefix}>")
    monkeypatch.setattr(parts, "pictures", lambda frames: [figure] * len(frames))
    monkeypatch.setattr(parts.report, "blocks", list)
    frames = tmp_path / "runs" / "x-2.sqlite", {}
    assert Games("x-2", {}, {}, {}).section(tmp_path) == Section(
        "part-x-2", "X-2", ["whole", frames, "duels", frames], ["<svg of x-2->"] * 2
    )
    part = Measurement("grade", {}, {}, {})
    part.file(tmp_path).parent.mkdir()
    write_json(part.file(tmp_path), {"rows": [{"agent": "a"}, {"agent": "b"}]})
    monkeypatch.setattr(parts, "restored", lambda kind, row: (kind.__name__, row["agent"]))
    monkeypatch.setattr(parts.quality, "grade_parts", lambda grades, source: [*grades, source])
    monkeypatch.setattr(parts.perfect_figures, "grades", lambda grades: [figure] * len(grades))
    rows = [("Grade", "a"), ("Grade", "b"), None]
    assert part.section(tmp_path) == Section("part-grade", "Grade", rows, ["<svg of grade->"] * 2)


def test_what_differs_of_a_part_has_its_name_and_the_games_that_were_played_again(tmp_path, monkeypatch):
    old, new = tmp_path / "old", tmp_path / "again"
    monkeypatch.setattr(Games, "frames", lambda _, folder: Row(games=folder.name))
    monkeypatch.setattr(parts.differences, "of_run", lambda name, *runs: [name, *(run.games for run in runs)])
    assert Games("x", {}, {}, {}).differences(old, new) == (["x", "old", "again"], 5)
    monkeypatch.setattr(Measurement, "rows", lambda _, folder: folder.name)
    monkeypatch.setattr(parts.differences, "row_differences", lambda *given: [*given])
    assert Measurement("grade", {}, {}, {}).differences(old, new) == (["measured/grade", "old", "again"], 0)


def test_depths_are_shown_on_the_board_of_the_study_and_of_several_positions_their_means(tmp_path, monkeypatch):
    drawn, part = [], Measurement("depths", {}, {"rules": "5x4"}, {})
    monkeypatch.setattr(parts.depth_figures, "depths", lambda rows, columns: drawn.append(([*rows], columns)) or [])
    part.file(tmp_path).parent.mkdir()
    for positions in (["", "44"], ["44"]):
        rows = [cost("a", each, 2, 57, Interval(0.1, 0.1, 0.1), None, 4, 2) for each in positions]
        write_json(part.file(tmp_path), {"rows": plain(rows)})
        section = part.section(tmp_path)
        assert (section.name, section.title, len(section.blocks[0].lines)) == ("part-depths", "Depths", 1)
    assert [([row.position for row in rows], columns) for rows, columns in drawn] == [
        (["mean of 2"], 5), (["44"], 5)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "basis"),
    [
        ({"openings": "plies:1"}, "mean of 2 drawn positions"), ({"positions": ["", "44"]}, "exact in these positions"),
        ({}, "exact in these positions"),
    ],
)  # fmt: skip
def test_the_depths_of_drawn_openings_stand_for_others(tmp_path, settings, basis):
    part, states = Measurement("depths", {"a": ""}, settings, {}), Quantity("states", ("a",), 2)
    rows = [cost("a", position, 2, 57, Interval(0.1, 0.1, 0.1), None, 4, 2) for position in ("", "44")]
    part.file(tmp_path).parent.mkdir()
    write_json(part.file(tmp_path), {"rows": plain(rows)})
    assert part.estimates(tmp_path, {states: ("a",)})[states].basis == basis


def test_a_part_says_which_quantities_it_has_not(tmp_path):
    elo, few = Quantity("elo", ("a", "c")), Games("few", dict.fromkeys("abc"), {"pairs": (("a", "b"), ("c", "b"))}, {})
    assert few.refusal(elo, ("a", "c")) == "a and c do not meet in one run"
    assert few.refusal(replace(elo, games="few"), ("a", "c")) == "a and c do not meet in few"
    assert few.refusal(replace(elo, agents=("b", "c")), ("b", "c")) == few.refusal(Quantity("nodes", ("a",)), "a") == ""
    assert Games("all", dict.fromkeys("abc"), {}, {}).refusal(elo, ("a", "c")) == ""
    grade = Measurement("grade", {"a": ""}, {}, {})
    assert grade.refusal(Quantity("share", ("x",)), ("x", "y")) == "[grade] has no x and y"
    assert grade.clocked(tmp_path) == []


def verdict(number, **more):
    return replace(Verdict(number, "it is so", "x > y", None, "stands", None, "", "", ""), **more)


def test_the_page_of_a_study_has_its_hypotheses_its_claims_with_their_sources_and_who_played_it():
    state = {"begun": "1989", "digest": "d1", "command": None, "versions": {"numpy": "2", "numba": "1"},
             "machine": {"cpu": "fast", "gpu": None, "cores": 2}, "agents": {"a": "greedy", "b": "random"}}  # fmt: skip
    rows = [verdict(1), verdict(2, source="Allis, 1988")]
    page = tables.page("A title", "below it", ["first", "second"], rows, [Section("x", "The results")], state)
    for text in ("<h1>A title</h1>", "below it", "Hypothesis: first", "Hypothesis: second",
                 "Claim 2 is from: Allis, 1988", "before the first game, 1989; SHA-256 of the file d1", "by Python",
                 "numpy 2, numba 1", "fast, 2", "a greedy; b random"):  # fmt: skip
        assert text in page, text
    assert "Claim 1 is from" not in page
    assert re.findall(r'<section[^>]* id="([a-z]+)"', page) == ["claims", "x", "about"]
    assert "Claims" not in tables.page("A title", "", [], [], [], state)


def test_a_study_whose_file_or_agents_changed_since_it_was_first_played_is_refused(tmp_path):
    (file := tmp_path / "s.toml").write_text('title = "T"\n[agents]\na = "greedy"\nb = "bot.py"\n[games]\nrounds = 2\n')
    (bot := tmp_path / "bot.py").write_text(first := "def choose(board):\n    return 0\n")
    (folder := tmp_path / "played").mkdir()
    agents = job._signed(study := read_study(file), file, folder, "")["agents"]
    content = f"bot.py {sha256(first.encode()).hexdigest()}"
    assert agents == {"a": "greedy", "b": f"bot.py SHA-256 {sha256(content.encode()).hexdigest()}"}
    bot.write_text(first.replace("0", "1"))
    end = "to go on, or play what is changed into another folder, --out$"
    with pytest.raises(InputError, match=rf"^agent b changed since {folder} was first played, on \d{{4}}-.*: .*{end}"):
        job._signed(study, file, folder, "")
    with pytest.raises(InputError, match=rf"^{file} and agent b changed since "):
        job._signed(replace(study, text="title = 'U'"), file, folder, "")
    bot.write_text(first)
    assert job._signed(study, file, folder, "again")["agents"] == agents
