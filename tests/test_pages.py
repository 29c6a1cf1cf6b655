"""Everything that README.md and docs/ show is run here, and prints what they say. `--write-pages` puts it there."""

import re
import shutil

import pytest
from columns import OTHERS, columns_page
from columns import RUN as TABLES

from agents.jit.compiler import JIT
from arena.cli import commands

from .pages import PAGES, ROOT, masked, play

RUN = [page if page.name == "README.md" else pytest.param(page, marks=pytest.mark.docs) for page in PAGES]
"""The whole suite runs what the README shows; what docs/ shows is run when this file is asked for by its name."""


@pytest.mark.skipif(not JIT, reason="a page's commands take minutes as plain Python")
@pytest.mark.parametrize("page", RUN, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_its_commands_print(page, tmp_path, request, arena, monkeypatch):
    """Of the README, which most runs of the suite run, commands run in this process where they can."""
    text = page.read_text(encoding="utf-8")
    shutil.copytree(ROOT / "results", tmp_path / "results")
    monkeypatch.chdir(tmp_path)
    for sample, printed in play(text, tmp_path, arena if page == ROOT / "README.md" else None):
        if request.config.getoption("--write-pages") and masked(printed) != masked(sample.printed):
            text = text.replace(f"$ {sample.command}\n{sample.printed}", f"$ {sample.command}\n{printed}")
        elif not request.config.getoption("--write-pages"):
            assert masked(printed) == masked(sample.printed), f"{sample.command} prints\n{printed}"
    if request.config.getoption("--write-pages"):
        page.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_the_pages_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_index_of_the_documentation_lists_every_page_and_every_command():
    text = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in PAGES} - {"README.md"}
    assert set(re.findall(r"\]\(([a-z]+\.md)\)", text)) == pages
    assert sorted(re.findall(r"^\| `arena (\S+)` \|", text, flags=re.MULTILINE)) == sorted(commands())


def test_the_columns_page_says_what_the_rows_say(request):
    page, text = ROOT / "docs" / "tables.md", columns_page(TABLES | OTHERS)
    if request.config.getoption("--write-pages"):
        page.write_text(text, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == text
