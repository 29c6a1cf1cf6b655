from xml.etree import ElementTree as ET

import pytest
from hand_made import pairs_of, run_of
from samples import DATA

import arena as package
from agents.errors import InputError


@pytest.fixture
def path(tmp_path):
    return run_of(tmp_path / "run.sqlite", ["greedy", "random"], pairs_of("10", "1=", "01", "11"))


def words(path):
    return {element.text for element in ET.parse(path).iter("{http://www.w3.org/2000/svg}text")}


def test_the_first_figure_of_a_run_is_its_standings_and_another_is_named(arena, path, tmp_path):
    done = arena("show", path, "--plot", tmp_path / "a.svg")
    assert done.code == 0
    assert "Standings" in done.out
    assert {"Standings", "greedy", "random"} <= words(tmp_path / "a.svg")
    arena("show", path, "--plot", tmp_path / "b.svg", "--figure", "crosstable")
    assert "Crosstable" in words(tmp_path / "b.svg")


def test_every_command_with_numbers_draws_them(arena, path, tmp_path):
    for number, (words_typed, title) in enumerate(
        [
            (["rate", path], "Standings"),
            (["depths", "greedy", "--depth", "1"], None),
            (["depths", "alphabeta", "--depth", "1..2", "-q"], "States by depth"),
            (["grade", "greedy", "--positions", "5", "--board", "4x4", "-q"], "Grade by depth"),
        ]
    ):
        out = tmp_path / f"{number}.svg"
        done = arena(*words_typed, "--plot", out)
        assert (done.code == 0) == (title is not None)
        assert title is None or title in words(out)


def test_json_stays_one_document_beside_a_figure(arena, path, tmp_path):
    assert arena("show", path, "--json", "--plot", tmp_path / "a.pdf").out.startswith("{")
    assert (tmp_path / "a.pdf").stat().st_size > 1000


@pytest.mark.parametrize(("name", "start"), [("a.PNG", b"\x89PNG"), ("a.Pdf", b"%PDF"), ("a.SVG", b"<?xml")])
def test_the_end_of_its_name_in_small_or_large_letters_is_the_format_of_a_figure(arena, path, tmp_path, name, start):
    done = arena("show", path, "--plot", tmp_path / name)
    assert (done.code, done.err) == (0, f"figure standings written to {tmp_path / name}\n")
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--plot", "a.jpg"], "a figure's name ends in .svg, .png, .pdf"),
        (["--plot", "nosuch"], "a figure's name ends in .svg, .png, .pdf"),
        (["--plot", "nowhere/a.svg"], "nowhere/a.svg cannot be written: there is no folder nowhere"),
        (["--plot", "folder.svg"], "folder.svg cannot be written: it is a folder"),
        (["--plot", "a.svg", "--figure", "standing"], "did you mean standings"),
        (["--plot", "a.svg", "--figure", ""], "no figure '': there are "),
        (["--figure", "standings"], "needs --plot"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused(arena, path, monkeypatch, tmp_path, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    done = arena("show", path, *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (tmp_path / "a.svg").exists()


@pytest.mark.parametrize(
    "words_typed",
    [
        ["depths", "minimax"], ["grade", "greedy"], ["compare", "zero", "parity"], ["rate", "nosuch.csv"],
    ],
)  # fmt: skip
def test_a_wrong_figure_is_refused_before_the_work(arena, monkeypatch, tmp_path, words_typed):
    monkeypatch.chdir(tmp_path)
    for options, message in (
        (["--plot", "a.svg", "--figure", "nosuch"], "'nosuch'"),
        (["--plot", "a"], "a figure's name ends in"),
        (["--plot", "nowhere/a.svg"], "no folder nowhere"),
    ):
        done = arena(*words_typed, *options)
        assert (done.code, done.out) == (2, "")
        assert message in done.err
    assert not list(tmp_path.iterdir())


def test_a_stored_comparison_draws_its_levels_apart(arena, tmp_path):
    run = DATA / "runs" / "comparison.sqlite"
    for figure, shown in (("ratings", {"depth 1", "depth 2"}), ("standings", {"pool 1 of 2", "pool 2 of 2"})):
        assert arena("show", run, "--plot", tmp_path / "a.svg", "--figure", figure).code == 0
        assert shown <= words(tmp_path / "a.svg")


def test_from_python_a_figure_is_axes(path):
    assert package.plot(path).get_title(loc="left") == "Standings"
    assert package.plot(package.load(path), "crosstable").get_xlabel() == "against"
    table = package.depths(["alphabeta:order=centre"], [1, 2])
    assert package.plot(table).get_yscale() == "log"
    with pytest.raises(InputError, match="this table has no figure"):
        package.plot(table[["agent"]])


def test_from_python_a_page_is_written(path, tmp_path):
    written = package.load(path).report(tmp_path / "report.html", "A class")
    assert "<h1>A class</h1>" in written.read_text(encoding="utf-8")
