import json
import re
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from hand_made import AGENTS, GAMES, stored
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import LatexCommentNode, LatexEnvironmentNode, LatexWalker

from agents.errors import InputError
from arena.perfect import tables as quality
from arena.table import parts as parts_of_tables
from arena.table import styles
from arena.table.cells import agent_label
from arena.table.parts import Table
from arena.table.render import write
from arena.table.rows import Column
from arena.table.styles import json_document
from arena.tournament import tables as run
from arena.tournament.frames import Frames

NASTY = ["a_b&c%d$e#f{g}~h^i\\j", "<b>x</b>&amp;", "1 < 2 > 0", "± → ← × … µ"]


@dataclass
class Named:
    agent: str
    n: int


class Strict(HTMLParser):
    """Notes the text of a page, and what is opened and never closed."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data.strip())


def read(page):
    found = Strict()
    found.feed(page)
    found.close()
    assert found.open == []
    return found


@pytest.fixture
def parts(tmp_path):
    frames = Frames.read(stored(tmp_path / "run.sqlite", AGENTS, GAMES))
    return [*run.parts(frames), *quality.audit_parts(frames)]


@pytest.fixture
def nasty():
    rows = [Named(name, number) for number, name in enumerate(NASTY)]
    columns = [Column("agent", "agent", agent_label), Column("50 % & more_", "n")]
    return [Table("t", "A & B <C> 50 %", Named, rows, columns), "a line\n<and> another & 5 %"]


@pytest.mark.parametrize("style", ["plain", "github", "latex", "html"])
def test_a_long_table_has_its_first_rows_and_says_how_many_there_are(monkeypatch, nasty, style):
    monkeypatch.setattr(parts_of_tables, "LONGEST", 2)
    text, data = write(nasty, style), write(nasty, "csv")
    first, last = write([replace(nasty[0], rows=nasty[0].rows[:2])], style, whole=False), "a line"
    assert first in text
    assert text.index(first) + len(first) < text.index("the first 2 of 4 rows: --style csv has all") < text.index(last)
    assert data.count("\n") == len(NASTY)
    monkeypatch.setattr(parts_of_tables, "LONGEST", 4)
    assert "rows" not in write(nasty, style)


def test_a_report_in_html_is_a_whole_page_that_says_its_encoding(parts):
    page = write(parts, "html")
    assert page.startswith('<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>')
    found = read(page)
    assert found.tags[:5] == ["html", "head", "meta", "title", "body"]
    assert found.tags.count("table") == write(parts, "plain").count("\n-") > 2
    assert found.tags.count("tr") == 4 + 4 + 4


def test_one_table_in_html_is_no_page(parts):
    for piece in (write(parts, "html", "standings"), write(parts, "html", whole=False)):
        found = read(piece)
        assert not {"html", "head", "body"} & set(found.tags)
        assert "table" in found.tags


def test_html_has_names_as_they_are(nasty):
    text = read(write(nasty, "html")).text
    assert set(NASTY) <= set(text)
    assert {"A & B <C> 50 %", "50 % & more_", "a line", "<and> another & 5 %"} <= set(text)


def tables(text):
    """Return the tables of a LaTeX text, which must hold nothing else but comments."""
    nodes, _, length = LatexWalker(text, tolerant_parsing=False).get_latex_nodes()
    assert length == len(text)
    found = [node for node in nodes if isinstance(node, LatexEnvironmentNode)]
    rest = [node for node in nodes if node not in found and not isinstance(node, LatexCommentNode)]
    assert not "".join(node.latex_verbatim() for node in rest).strip()
    return found


def test_a_report_in_latex_is_tables_and_comments(parts):
    found = tables(write(parts, "latex"))
    assert len(found) == write(parts, "plain").count("\n-")
    for each in found:
        text = each.latex_verbatim()
        assert text.isascii()
        sides = re.match(r"\\begin\{tabular\}\{([lr]+)\}", text)[1]
        rows = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {len(sides) - 1}


def test_latex_has_names_as_they_are(nasty):
    [table] = tables(write(nasty, "latex"))
    rows = [line for line in table.latex_verbatim().splitlines() if line.endswith(r"\\")]
    assert len(rows) == len(NASTY) + 1
    text = LatexNodes2Text().latex_to_text(table.latex_verbatim())
    asked = str.maketrans({"^": None, "µ": "\N{GREEK SMALL LETTER MU}"})  # an accent on nothing is no text
    assert [name for name in NASTY if name.translate(asked) not in text] == []


def test_a_document_has_its_metadata_and_no_sign_that_a_terminal_obeys():
    assert json.loads(json_document([{"a": 1}, {"a": 2}], {"seed": 3})) == [
        {"a": 1, "meta": {"seed": 3}}, {"a": 2, "meta": {"seed": 3}}
    ]  # fmt: skip
    assert json.loads(json_document({"a": 1}, {"seed": 3})) == {"a": 1, "meta": {"seed": 3}}
    assert json_document(["é\u202e\x1b"]) == '[\n  "é\\u202e\\u001b"\n]'
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_document([float("nan")])


def test_a_style_that_is_none_is_refused(monkeypatch):
    def broken():
        raise ImportError("no such module")

    packages = {"broken": SimpleNamespace(load=broken), "wrong": SimpleNamespace(load=lambda: 3, value="a:b")}
    monkeypatch.setattr(styles, "installed", lambda _: packages)
    for name, said in (("plian", "no style 'plian': did you mean plain"),
                       ("broken", "style 'broken' does not import: ImportError: no such module"),
                       ("wrong", "style 'wrong': a:b is not a Style of arena.table.styles")):  # fmt: skip
        with pytest.raises(InputError) as raised:
            styles.find(name)
        assert said in str(raised.value)
    assert styles.known() == ["plain", "github", "csv", "json", "latex", "html", "broken", "wrong"]
