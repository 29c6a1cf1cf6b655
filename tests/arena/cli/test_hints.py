import pytest

from arena.cli import COMMANDS, cli
from arena.cli.hints import INSTEAD, MEANT


def test_the_bare_command_prints_its_help(arena):
    bare = arena()
    assert (bare.code, bare.err) == (0, "")
    assert bare.out == arena("--help").out
    assert "Play a tournament" in bare.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tournament", "no command 'tournament': arena run is what does it"),
        ("Leaderboard", "no command 'Leaderboard': arena show is what does it"),
        ("help", "no command 'help': arena --help is what does it"),
        ("shwo", "no command 'shwo': did you mean show?"),
        ("eval 12 --depth 3", "no option '--depth': nothing is searched here; arena move alphabeta:depth=4 MOVES"),
        ("run greedy --depth 4", "no option '--depth': it belongs into an agent's spec, as in alphabeta:depth=4"),
        ("run --bogus", "arena run: No such option"),
        ("--bogus", "arena: No such option"),
    ],
)
def test_what_is_meant_is_suggested_before_what_has_near_letters(arena, words, said):
    answer = arena(*words.split())
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err


def test_the_short_option_shows_the_version(arena):
    assert arena("-V").out == arena("--version").out != ""


def test_suggestions_name_what_there_is_for_what_there_is_not():
    assert not MEANT.keys() & COMMANDS.keys()
    assert {meant.split()[0] for meant in MEANT.values()} <= {*COMMANDS, "--help", "--version"}
    for name, option in INSTEAD:
        command = cli.get_command(None, name)
        assert option not in {text for each in command.params for text in each.opts}


def test_every_help_says_where_more_stands(arena):
    for name in COMMANDS:
        assert "\n  More: " in arena(name, "--help").out
