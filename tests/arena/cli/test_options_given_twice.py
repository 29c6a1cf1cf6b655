"""Every option of every command is repeatable, or is refused when it is repeated."""

import click
import pytest

from arena.cli import cli
from arena.cli import commands as offered


def commands():
    """Return the words and the command of every command, those inside groups included."""
    pairs = [([], cli)]
    for name in offered():
        command = cli.get_command(None, name)
        pairs += [([name], command)]
        pairs += [([name, inner], each) for inner, each in getattr(command, "commands", {}).items()]
    return pairs


@pytest.mark.parametrize(("words", "command"), commands())
def test_an_option_is_repeatable_or_refused_when_it_is_repeated(arena, words, command):
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple:
            continue
        for one in option.opts:
            value = [] if option.is_flag else ["1"]
            done = arena(*words, one, *value, option.opts[0], *value)
            message = f"{' '.join(['arena', *words])}: {' / '.join(option.opts)} can be given only once"
            assert (done.code, " ".join(done.err.split())) == (2, message)


def test_several_anchors_and_both_names_of_an_option_are_refused(arena, unaudited):
    done = arena("show", unaudited, "--anchor", "random=5", "--anchor=greedy=7")
    assert (done.code, done.err) == (2, "arena show: --anchor can be given only once\n")
    done = arena("run", "random", "greedy", "-j2", "--rounds", "1", "--concurrency", "3")
    assert (done.code, done.err) == (2, "arena run: --concurrency / -j can be given only once\n")


def test_a_setting_of_a_sequential_test_is_refused_when_it_is_repeated(arena):
    done = arena("run", "random", "greedy", "--sprt", "elo0=0,elo1=5,elo0=3")
    assert (done.code, "elo0 is given twice" in done.err) == (2, True)
