from pathlib import Path

import pytest

from agents.jit.compiler import JIT
from arena.cli import cli
from arena.cli import commands as offered
from arena.cli.hints import GONE, INSTEAD, instead_of, meant
from arena.plugins import offers


def test_the_bare_command_prints_its_help(arena):
    bare = arena()
    assert (bare.code, bare.err) == (0, "")
    assert bare.out == arena("--help").out
    assert "Play a tournament" in bare.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tournament", "no command 'tournament': arena run is what does it"),
        ("stats", "no command 'stats': arena show is what does it"),
        ("Leaderboard", "no command 'Leaderboard': arena show is what does it"),
        ("help", "no command 'help': arena --help is what does it"),
        ("player", "no command 'player': arena play is what does it"),
        ("shwo", "'shwo': did you mean show?"),
        ("eval 12 --depth 3", "no option '--depth': nothing is searched here; arena move alphabeta:depth=4 MOVES"),
        ("run greedy --depth 4", "no option '--depth': it belongs into an agent's spec, as in alphabeta:depth=4"),
        ("order 12 --depth 3", "no option '--depth': nothing is searched here; arena move alphabeta:depth=4 MOVES"),
        ("order 12 --nodes 3", "arena order: No such option"),
        ("perft -3", "arena perft: no option '-3': depths cannot be negative"),
        ("show -3", "arena show: no option '-3': numbers cannot be negative"),
        ("run --bogus", "arena run: No such option"),
        ("--bogus", "arena: No such option"),
    ],
)
def test_what_is_meant_is_suggested_before_what_has_near_letters(arena, words, said):
    answer = arena(*words.split())
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


@pytest.mark.parametrize(("option", "setting"), [
    ("--depth", "depth=4"), ("--nodes", "nodes=10000"), ("--seconds", "seconds=0.1"),
    ("--heuristic", "heuristic=smart-aware"), ("--order", "order=centre"),
])  # fmt: skip
def test_a_setting_of_a_search_is_shown_in_a_spec_by_all_commands_that_take_an_agent(option, setting):
    for command in ("run", "move", "play", "grade", "uci", "engine"):
        assert instead_of(command, option).endswith(f"alphabeta:{setting}"), command


@pytest.mark.parametrize(("command", "option", "ways"), [
    ("run", "--jobs", ["-j N"]), ("run", "--workers", ["-j N"]), ("compare", "--jobs", ["-j N"]),
    ("compare", "--workers", ["-j N"]), ("run", "--why", ["arena depths", "--why"]),
    ("compare", "--why", ["arena depths", "--why"]), ("run", "--times", ["arena depths", "arena compare"]),
    ("compare", "--times", ["always"]), ("verify", "--against", ["arena run pons:COMMAND perfect --audit"]),
    ("run", "--disguise", ["llm:MODEL;prompt=FILE"]), ("run", "--strict", ["arena check FOLDER"]),
    ("run", "--isolate", ["without an option"]), ("compare", "--budget", ["--games N", "--resume FILE --budget 1h"]),
    ("compare", "--anchor", ["arena show FILE --anchor HEURISTIC=ELO"]), ("show", "--faults", ["--table faults"]),
    ("show", "--blunders", ["--table blunders"]), ("run", "--fail-on-faults", ["--fail-if faults"]),
    ("show", "--regret", ["arena audit FILE"]), ("replay", "--solve", ["arena solve MOVES", "arena serve"]),
    ("compare", "--heuristic", ["arena compare smart-aware powers-of-ten"]),
    ("replay", "-1", ["the numbers of games cannot be negative"]), ("run", "-1", ["numbers cannot be negative"]),
])  # fmt: skip
def test_a_hint_has_the_way_to_what_an_option_is_typed_for(command, option, ways):
    hint = instead_of(command, option)
    assert [way in hint for way in ways] == [True] * len(ways)


@pytest.mark.parametrize(("words", "command"), [
    ("tournament match tourney start simulate battle", "run"), ("runs ls history status", "list"),
    ("leaderboard standings ranking results result table stats crosstable", "show"),
    ("states nodes cost performance speed", "depths"), ("evaluate value score", "eval"),
    ("best bestmove ask choose", "move"), ("watch view", "replay"),
    ("bots players engines algorithms levels", "agents"), ("evaluations evaluators", "heuristics"),
    ("orders sort", "order"), ("plot figure chart", "show FILE --plot"),
    ("test agree", "verify"), ("csv dump", "show FILE --table NAME --style csv"), ("help", "--help"),
    ("version", "--version"),
])  # fmt: skip
def test_words_that_people_type_mean_a_command(words, command):
    assert {meant()[word] for word in words.split()} == {command}


def test_an_option_that_nobody_means_and_a_setting_where_no_agent_plays_have_no_hint():
    assert instead_of("run", "--bogus") is instead_of("show", "--depth") is instead_of("depths", "--why") is None


def test_a_command_that_is_gone_has_the_near_way(arena):
    assert not GONE.keys() & offered().keys()
    assert set(GONE) >= {"merge", "benchmark", "bench", "book", "export", "cite", "label"}
    for name in GONE:
        answer = arena(name, "greedy")
        assert (answer.code, answer.out) == (2, "")
        assert answer.err == f"arena: no such command: {name}; arena {name} is gone: {GONE[name]}\n"


def test_the_short_option_shows_the_version(arena):
    assert arena("-V").out == arena("--version").out != ""


def test_suggestions_name_what_there_is_for_what_there_is_not():
    assert not meant().keys() & offered().keys()
    assert {each.split()[0] for each in meant().values()} <= {*offered(), "--help", "--version"}
    hints = [*INSTEAD, *(offer.row[:2] for offer in offers("HINTS", installed=False))]
    for name, option in hints:
        command = cli.get_command(None, name)
        assert option not in {text for each in command.params for text in each.opts}


def test_every_help_says_where_more_stands(arena):
    for name in offered():
        assert "\n  More: " in arena(name, "--help").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("run smart-aware greedy", "'smart-aware' is a heuristic and no agent: alphabeta:heuristic=smart-aware"),
        ("move windows(1,10,100,1000)", "is a heuristic and no agent: alphabeta:heuristic=windows(1,10,100,1000)"),
        ("move centre", "'centre' is an ordering and no agent: alphabeta:order=centre searches with it"),
    ],
)
def test_a_heuristic_in_an_agents_place_is_told_how_it_plays(arena, words, said):
    assert said in arena(*words.split()).err


@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_what_cannot_be_compiled_names_the_option_of_the_command(arena, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("def evaluate(own, opp):\n    return int(f'{own}' + open)\n")
    assert "; --compiled no runs it as plain Python" in arena("eval", "44", "--heuristic", f"{mine}:evaluate").err
    said = arena("compare", "zero", f"{mine}:evaluate", "--depth", 1, "--rounds", 1, "-j", 1, "--no-store").err
    assert "; --search alphabeta:order=centre,compiled=no runs it as plain Python" in said


@pytest.mark.parametrize("name", sorted({page for offer in offers("COMMANDS") for page in offer.row[4].split(", ")}))
def test_the_pages_that_helps_name_are_there(name):
    assert (Path(__file__).parents[3] / name).is_file()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("orderings", "score(own, opp, column)"),
        ("order", "score(own, opp, column)"),
        ("heuristics", "evaluate(own, opp)"),
        ("move", "a win in n plies is 1000000 - n"),
        ("perft", "Equal positions count as often as they are reached"),
        ("show", "Standings list the strongest first"),
        ("run --help-all", "'A v B'"),
    ],
)
def test_a_help_says_what_its_numbers_and_words_mean(arena, name, said):
    assert said in " ".join(arena(*name.split(), "--help").out.split())
