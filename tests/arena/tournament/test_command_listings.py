"""The commands agents, heuristics and orderings."""

import re

import pytest
from command import STYLES, read_json

from agents.specs.components import HEURISTICS, ORDERINGS, complete
from agents.specs.kinds import KINDS, LEVELS
from arena.tournament.command_agents import ListedAgent, ListedPart, _print_entry


def test_the_agents_are_listed_with_their_parameters(arena):
    rows = read_json(arena("agents", "--json"))
    by_name = {row["name"]: row for row in rows}
    assert set(KINDS) <= set(by_name)
    for name, kind in KINDS.items():
        assert (by_name[name]["summary"], by_name[name]["source"]) == (kind.summary, kind.source)
        assert [each["key"] for each in by_name[name]["parameters"]] == [
            key.replace("_", "-") for key in kind.parameters
        ]
    assert {name: by_name[name]["summary"] for name in LEVELS} == LEVELS
    out = arena("agents").out
    assert all(f"\n{name}: " in f"\n{out}" for name in KINDS)


def test_defaults_that_are_numbers_are_told_as_numbers_and_only_switches_as_on_and_off(arena):
    lines = [" ".join(line.split()) for line in arena("agents").out.splitlines()]
    assert "threads trees that grow at once, each in a thread, and are added up [1]" in lines
    assert "table keep a transposition table [off]" in lines
    assert "pruning alpha-beta, else plain minimax [on]" in lines
    assert "nodes positions to visit at most; deepens [none]" in lines


@pytest.mark.parametrize(
    ("command", "known", "weighted"),
    [("heuristics", HEURISTICS, "windows(one,two,three,four)"), ("orderings", ORDERINGS, "open-windows")],
)
def test_heuristics_and_orderings_are_listed_with_their_sources(arena, command, known, weighted):
    rows = read_json(arena(command, "--json"))
    assert [row["name"] for row in rows] == list(known)
    assert all(row["summary"] and row["source"] for row in rows)
    out = arena(command).out
    assert all(row["name"] in out and row["source"] in " ".join(out.split()) for row in rows)
    assert rows[list(known).index(weighted.partition("(")[0])]["signature"] == weighted
    assert f"\n{weighted}: " in f"\n{out}"


@pytest.mark.parametrize("command", ["heuristics", "orderings"])
def test_the_lines_of_a_list_are_as_wide_as_the_terminal_up_to_100_characters(arena, monkeypatch, command):
    for columns, most in ((60, 60), (200, 100)):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert most - 12 < max(map(len, arena(command).out.splitlines())) <= most


@pytest.mark.parametrize(("command", "name"), [("agents", "bot"), ("heuristics", "worth"), ("orderings", "first")])
def test_what_packages_offer_is_listed_last(arena, monkeypatch, command, name):
    offered = {"agents": {"bot": None}, "heuristics": {"worth": None}, "orderings": {"first": None}}
    monkeypatch.setattr("agents.specs.plugins.installed", lambda group: offered.get(group, {}))
    last = read_json(arena(command, "--json"))[-1]
    assert (last["name"], last["summary"], last["source"]) == (name, "installed", "")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("command", ["agents", "heuristics", "orderings", "eval"])
def test_listings_have_every_style(arena, command, style):
    done = arena(command, "--style", style)
    names = {"agents": KINDS, "heuristics": HEURISTICS, "orderings": ORDERINGS, "eval": complete(HEURISTICS)}[command]
    assert done.code == 0
    assert all(re.search(rf"(^|\W){re.escape(name)}($|[^-\w])", done.out, re.MULTILINE) for name in names)
    assert ("an agent of your own" in done.out) == (command == "agents" and style == "plain")
    assert style == "plain" or command == "eval" or "source" in done.out


def test_an_entry_has_its_source_and_parameters_below_it_in_lines_as_wide_as_asked(capsys):
    defaults = {"depth": 4, "table-size": True, "full": False, "nodes": None}
    parameters = [{"key": key, "default": default, "meaning": "what it is for"} for key, default in defaults.items()]
    _print_entry(ListedAgent("mine", "plays well", "a book", tuple(parameters)), 50)
    assert capsys.readouterr().out.splitlines() == [
        "mine: plays well", "    a book", "    depth        what it is for [4]", "    table-size   what it is for [on]",
        "    full         what it is for [off]", "    nodes        what it is for [none]",
    ]  # fmt: skip
    _print_entry(ListedPart("one", "counts discs in lines", "", "one(a,b)"), 24)
    _print_entry(ListedAgent("two", "plays", "", tuple(parameters[:1])), 28)
    assert capsys.readouterr().out.splitlines() == [
        "one(a,b): counts discs", "    in lines", "two: plays", "    depth        what it is", " " * 17 + "for [4]",
    ]  # fmt: skip
