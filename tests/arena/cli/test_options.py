"""What the options that several commands share hand to a command, and how they are refused and listed."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from agents.board import Rules
from agents.errors import InputError
from arena.cli import options
from arena.cli.options import Command, Group, GroupedCommand, gathered, typed_options, with_options
from arena.cli.output import Output


def handed(*decorators, args=(), **settings):
    """Return what a command with these options gets for a command line."""
    got = {}
    command = click.command("try", cls=settings.pop("cls", Command), **settings)(
        with_options(*decorators)(lambda **values: got.update(values))
    )
    command.main([*args], standalone_mode=False)
    return got


TYPED = (
    click.option("--include-self", is_flag=True), click.option("--seed", type=int, default=1),
    click.option("--concurrency", "-j", "workers", type=int, default=4), click.option("--add", multiple=True),
    click.option("--long/--short", "form", default=True), click.option("--out"), click.argument("files", nargs=-1),
)  # fmt: skip


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("", {}), ("--seed 1", {"seed": 1}), ("-j3 a b", {"concurrency": 3}), ("--concurrency 4", {"concurrency": 4}),
        ("--include-self", {"include-self": True}), ("--short", {"long": False}), ("--long", {"long": True}),
        ("--add b --add a", {"add": ("b", "a")}), ("-- --seed", {}), ("--out=", {"out": ""}),
        ("--out x a --seed 0", {"seed": 0, "out": "x"}),
    ],
)  # fmt: skip
def test_what_is_typed_is_told_by_its_first_name_a_default_value_too(line, typed):
    command = click.command("try", cls=Command)(with_options(*TYPED)(lambda **_: None))
    assert typed_options(command.make_context("try", line.split())) == typed
    assert [param.name for param in command.params] == [
        "include_self", "seed", "workers", "add", "form", "out", "files"
    ]  # fmt: skip


def test_options_are_gathered_into_an_argument_beside_the_others_and_the_context():
    def spoken(*, name: str, seed: int, more: str = "none"):
        return f"{name} {seed} {more}"

    class_of = click.option("--class", "name", default="a")

    @click.command("try", cls=Command)
    @with_options(gathered("words", spoken, class_of), click.option("--seed", type=int), click.option("--rest"))
    @click.pass_context
    def command(ctx, **values):
        return ctx.info_name, values

    told = command.main(["--seed", "3", "--class", "b", "--rest", "x"], "program", standalone_mode=False)
    assert told == ("program", {"words": "b 3 none", "rest": "x"})
    assert command.main([], "program", standalone_mode=False)[1] == {"words": "a None none", "rest": None}


@pytest.mark.parametrize("kind", [Command, Group])
def test_an_option_typed_twice_is_refused_and_does_not_disturb_the_completion_of_a_line(kind):
    command = kind("try", params=[click.Option(["--seed", "-s"], type=int), click.Option(["--add"], multiple=True)])
    for line in ("--seed 1 --seed 1", "-s 1 --seed 2", "--add a -s1 -s2"):
        with pytest.raises(click.UsageError, match=r"^--seed / -s can be given only once$"):
            command.make_context("try", line.split())
        assert command.make_context("try", line.split(), resilient_parsing=True).params["seed"] in {1, 2}
    assert command.make_context("try", ["--add=b", "--add=a", "-s2"]).params == {"add": ("b", "a"), "seed": 2}


def test_the_groups_of_a_help_are_the_first_or_all_in_their_order_and_hide_what_is_hidden(capsys):
    command = GroupedCommand(
        "try", groups={"First": "--two --one", "Second": "--four --three"},
        params=[click.Option([f"--{name}"], help=name.upper(), hidden=name == "four")
                for name in ("one", "two", "three", "four")],
    )  # fmt: skip
    run = CliRunner().invoke
    short, whole, again = (run(command, line).output.split("\n\n", 1)[1] for line in ("--help", "--help-all", "--help"))
    assert short == again
    titles = [line for line in whole.splitlines() if line and line[0] != " "]
    assert titles == ["First:", "Second:", "Other options:"]
    assert [line.split()[0] for line in whole.splitlines() if line.startswith("  -")] == [
        "--two", "--one", "--three", "--help", "--help-all",
    ]  # fmt: skip
    assert short == "".join(part + "\n\n" if part.startswith("First") else part for part in whole.split("\n\n")[::2])
    context = command.make_context("try", ["--help-all"], resilient_parsing=True)
    assert context.params == dict.fromkeys(("one", "two", "three", "four"))
    assert capsys.readouterr().out == ""


ALL = (options.tables_options, options.quiet_option, options.plot_options("bars", "lines"))


@pytest.mark.parametrize(
    ("decorators", "line", "output"),
    [
        (ALL, "", Output.of()), (ALL, "--style csv --table x", Output.of(style="csv", table="x")),
        (ALL, "--json --style csv --wide -q", Output.of(style="json", wide=True, quiet=True)),
        (ALL, "--plot a.svg --figure lines", Output.of(plot=Path("a.svg"), figure="lines")),
        (ALL, "--plot a.pdf", Output.of(plot=Path("a.pdf"))),
        ([options.json_option], "--json", Output.of(style="json")),
        ([options.output_options], "--style latex --wide", Output.of(style="latex", wide=True)),
        ([options.games_options], "--style pgn", Output.of(style="pgn")),
        ([options.json_option, options.quiet_option], "--quiet", Output.of(quiet=True)),
    ],
)  # fmt: skip
def test_all_that_is_said_of_printing_is_one_argument(decorators, line, output):
    assert handed(*decorators, args=line.split()) == {"output": output}


@pytest.mark.parametrize(
    ("line", "said"),
    [("--figure lines", "--figure lines needs --plot FILE"), ("--plot a.svg --figure line", "did you mean lines"),
     ("--plot a.svg --figure x", "bars, lines"), ("--figure bars", "--plot FILE")],
)  # fmt: skip
def test_a_figure_is_one_of_the_commands_and_needs_a_file(line, said):
    with pytest.raises(InputError, match=said):
        handed(*ALL, args=line.split())


@pytest.mark.parametrize(("figures", "first"), [(["bars"], False), (["bars", "lines"], True)])
def test_the_help_lists_the_figures_and_which_is_the_default_where_there_are_several(figures, first):
    command = click.command("try", cls=Command)(options.plot_options(*figures)(lambda **_: None))
    said = " ".join(CliRunner().invoke(command, "--help").output.split())
    assert f": {', '.join(figures)}." in said
    assert ("[default: the first there is]" in said) == first


@pytest.mark.parametrize(("decorator", "games"), [(options.games_options, True), (options.tables_options, False)])
def test_only_games_are_written_as_pgn(decorator, games):
    command = click.command("try", cls=Command)(decorator(lambda **_: None))
    assert ("pgn" in CliRunner().invoke(command, "--help").output) == games
    assert (CliRunner().invoke(command, "--style pgn").exit_code == 0) == games


def test_agents_of_files_and_commands_live_as_the_options_say():
    usual = {"sandbox": False, "patience": 60.0, "memory": 1024, "debug": "", "nobody": False}
    assert handed(options.isolation_options) == {"isolation": usual}
    line = "--sandbox --patience 0.5 --memory 64 --debug log.txt --in-process"
    assert handed(options.isolation_options, args=line.split()) == {
        "isolation": {"sandbox": True, "patience": 0.5, "memory": 64, "debug": "log.txt", "nobody": True}
    }
    hasty = gathered("isolation", options.apart, options.limits_options(10.0))
    assert handed(hasty) == {"isolation": usual | {"patience": 10.0}}
    with pytest.raises(click.NoSuchOption):
        handed(hasty, args=["--in-process"])


@pytest.mark.parametrize(
    ("line", "rules"),
    [("", Rules()), ("--board 5x4", Rules(5, 4)), ("--rules most-fours", Rules(most_fours=True)),
     ("--board 6x5x3 --rules most-fours", Rules(6, 5, 3, most_fours=True)), ("--rules standard", Rules()),
     ("--board 8x7:most-fours", Rules(8, 7, most_fours=True))],
)  # fmt: skip
def test_a_board_and_a_variant_are_rules(line, rules):
    assert handed(options.board_option, args=line.split()) == {"rules": rules}


def test_openings_have_one_text_of_all_their_options_and_workers_the_names_of_their_command(tmp_path):
    book = tmp_path / "book.txt"
    book.write_text("44\n")
    openings = click.option("--openings", default="plies:4")
    once, often = options.openings_option(openings), options.openings_option(openings, repeated=True)
    assert handed(often, args=["--repeat", "2"]) == {"openings": "plies:4;repeat=2"}
    line = ["--openings", str(book), "--plies", "3", "--repeat", "5"]
    assert handed(often, args=line) == {"openings": f"{book};plies=3;repeat=5"}
    assert handed(once, args=line[:4]) == {"openings": f"{book};plies=3"}
    with pytest.raises(click.NoSuchOption):
        handed(once, args=line)
    assert handed(options.concurrency_option("Many."), args=["-j", "2"]) == {"workers": 2}
    assert handed(options.concurrency_option("Many.", "--threads"), args=["--threads", "2"]) == {"workers": 2}
    with pytest.raises(click.NoSuchOption):
        handed(options.concurrency_option("Many.", "--threads"), args=["--concurrency", "2"])
    assert (handed(options.seed_option()), handed(options.seed_option(), args=["--seed", "0"])) == (
        {"seed": 1}, {"seed": 0}
    )  # fmt: skip
