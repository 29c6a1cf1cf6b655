"""Lines for people: their width, what is made harmless in them, where they go, and the code an error ends with."""

import gc
import io
import os
import signal
import sys

import click
import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from arena import __main__ as program
from arena import cli
from arena.cli import output
from arena.cli.output import Output
from arena.cli.positions import Positions
from arena.cli.signals import as_ctrl_c

LONG = "one two three four five six"


class Stream(io.StringIO):
    """A stream that may be a terminal, and may be gone."""

    def __init__(self, terminal=False, gone=False):
        super().__init__()
        self.terminal, self.gone = terminal, gone

    def isatty(self):
        return self.terminal

    def write(self, text):
        if self.gone:
            raise BrokenPipeError
        return super().write(text)


@pytest.fixture
def streams(monkeypatch):
    """A function that puts streams in the place of stdout and stderr, and returns them; terminals have 12 columns."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **__: os.terminal_size((12, 24)))

    def put(*, out=False, err=False, gone=False):
        monkeypatch.setattr(sys, "stdout", Stream(out))
        monkeypatch.setattr(sys, "stderr", Stream(err, gone))
        return sys.stdout, sys.stderr

    return put


WRAPPED = "one two\nthree four\nfive six\n"


@pytest.mark.parametrize("out", [False, True])
@pytest.mark.parametrize("err", [False, True])
def test_a_line_is_as_wide_as_the_terminal_that_shows_it(streams, out, err):
    stdout, stderr = streams(out=out, err=err)
    Output.of().say(LONG)
    Output.of().say(LONG, err=False)
    assert stderr.getvalue() == (WRAPPED if err else f"{LONG}\n")
    assert stdout.getvalue() == (WRAPPED if out else f"{LONG}\n")


@pytest.mark.parametrize(("columns", "width"), [("20", 20), ("0", 12), ("-5", 12), ("x", 12), ("", 12), ("٣", 3)])
def test_the_variable_comes_before_the_terminal_if_it_is_a_width(streams, monkeypatch, columns, width):
    stdout, _ = streams(out=True)
    monkeypatch.setenv("COLUMNS", columns)
    assert Output.of().width() == width
    assert Output.of().width(stdout) == width
    assert Output.of().width(Stream()) == (width if width != 12 else None)
    assert Output.of(wide=True).width() is None
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.delenv("COLUMNS")
    assert Output.of().width() is None


def test_control_characters_of_names_reach_no_terminal_and_lines_stay_lines(streams):
    _, stderr = streams()
    Output.of().say("an \x1b[1magent\nanother\tone")
    Output.of().warn("a \x1b[2Jname")
    Output.of().above_bar("above \x07 a bar")
    assert stderr.getvalue() == (
        "an \\x1b[1magent\nanother\\tone\nwarning: a \\x1b[2Jname\nabove \\x07 a bar\n"
    )  # fmt: skip


def test_warnings_and_lines_above_a_bar_are_wrapped_and_stay_away_from_stdout(streams):
    stdout, stderr = streams(err=True)
    Output.of().warn("it may be so")
    Output.of().above_bar(LONG)
    assert stderr.getvalue() == f"warning: it\nmay be so\n{WRAPPED}"
    assert stdout.getvalue() == ""


def failed(text, cause=None):
    """Return an error with the output of an agent's process as its cause has it."""
    error = InputError(text)
    error.__cause__ = cause
    return error


class BrokenAgentError(Exception):
    """Has the output of a process."""

    def __init__(self, output):
        super().__init__("it failed")
        self.output = output


def test_agents_that_were_left_out_are_told_with_the_end_of_their_output(streams):
    stdout, stderr = streams()
    said = "".join(f"line {number}\n" for number in range(12)) + "\n \n"
    deep = failed("x", failed("y", BrokenAgentError(said)))
    assert output.output_of(deep) == said
    assert output.output_of(None) == output.output_of(failed("z")) == output.output_of(BrokenAgentError("")) == ""
    assert Output.of().left_out([deep, failed("nothing said"), failed("little", BrokenAgentError("last\n"))]) == 2
    assert stderr.getvalue().splitlines() == [
        "left out: x", "the end of its output:", *(f"    line {number}" for number in range(2, 12)),
        "left out: nothing said", "left out: little", "the end of its output:", "    last",
    ]  # fmt: skip
    assert stdout.getvalue() == ""
    assert Output.of().left_out([]) == 0


def test_the_output_of_an_error_that_was_dealt_with_is_nobodys():
    error = InputError("it has no output")
    error.__context__ = BrokenAgentError("of another agent\n")
    assert output.output_of(error) == output.output_of(failed("x", error)) == ""


def raising(error):
    """Return a command line that raises an error."""

    def main(**_):
        raise error

    return main


ENDS = [
    (InputError("two\n  lines \x1b[1m of it"), 2, "arena: two lines \\x1b[1m of it\n"),
    (failed("x", BrokenAgentError("a\nb\n")), 2, "arena: x\nthe end of its output:\n    a\n    b\n"),
    (click.UsageError("no\nsuch"), 2, "arena: no such\n"),
    (click.UsageError("no such", click.Context(click.Command("b"), info_name="arena b")), 2, "arena b: no such\n"),
    (click.NoSuchOption("--depth", ctx=click.Context(click.Command("run"), info_name="arena run")), 2,
     "arena run: no option '--depth': it belongs into an agent's spec, as in alphabeta:depth=4\n"),
    (click.NoSuchOption("--x"), 2, "arena: No such option '--x'.\n"),
    (KeyboardInterrupt(), 130, "arena: interrupted\n"),
    (click.Abort(), 130, "arena: interrupted\n"),
    (PermissionError(13, "Permission denied", "a.sqlite"), 2, "arena: Permission denied: a.sqlite\n"),
    (OSError(28, "No space left on device"), 2, "arena: No space left on device\n"),
    (OSError("of its own"), 2, "arena: of its own\n"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "code", "said"), ENDS, ids=[repr(error)[:30] for error, *_ in ENDS])
def test_each_kind_of_error_ends_in_one_line_and_its_code(monkeypatch, streams, error, code, said):
    monkeypatch.setattr(cli.cli, "main", raising(error))
    stdout, stderr = streams()
    assert cli._run([]) == code
    assert (stdout.getvalue(), stderr.getvalue()) == ("", said)
    streams(gone=True)
    assert cli._run([]) == code
    _, stderr = streams(err=True)
    assert cli._run([]) == code
    assert stderr.getvalue().split() == said.split()
    assert (stderr.getvalue() != said) == (len(said.splitlines()[0]) > 12)


@pytest.mark.parametrize(("result", "code"), [(None, 0), (0, 0), (1, 1), (130, 130), ("text", 0), (False, 0)])
def test_what_a_command_returns_is_the_code_if_it_is_a_number(monkeypatch, result, code):
    monkeypatch.setattr(cli.cli, "main", lambda **_: result)
    assert cli._run([]) == code


@pytest.fixture
def unignored():
    """Let no signal be ignored, as after nohup."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("signals", "code"),
    [
        ([signal.SIGTERM], 143), ([signal.SIGHUP], 129), ([signal.SIGINT], 130), ([signal.SIGINT, signal.SIGTERM], 143),
        ([signal.SIGTERM, signal.SIGINT], 143), ([signal.SIGTERM, signal.SIGHUP], 129),
    ],
)  # fmt: skip
def test_the_last_signal_that_is_no_ctrl_c_makes_the_code(monkeypatch, capsys, unignored, signals, code):
    def command(**_):
        for number in signals:
            try:
                signal.raise_signal(number)
            except KeyboardInterrupt:
                continue
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.cli, "main", command)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == code
    assert capsys.readouterr().err == "arena: interrupted\n"


def test_bytes_that_are_no_text_stay_where_they_were(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["arena", "eval", "-", "--heuristic", "zero"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"44\xff53\n"), encoding="utf-8"))
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "arena: line 1: move 3: '\ufffd' is not a column (1 to 7)\n"


@pytest.mark.parametrize(
    ("words", "typed", "found"),
    [
        ((), "", [""]),
        (("44", "3"), "", ["44", "3"]),
        (("-",), "", []),
        (("-",), "44 1\n\n \n\ufeff3\n", ["44", "3"]),
        (("1", "-", "2"), "44\n", ["1", "44", "2"]),
        (("4x",), "", "move 2: 'x' is not a column (1 to 5)"),
        (("4", "4x"), "", "position '4x': move 2: 'x' is not a column (1 to 5)"),
        (("-", "4x"), "4\n", "position '4x': move 2: 'x' is not a column (1 to 5)"),
    ],
)
def test_positions_are_words_and_lines_and_an_error_says_which(monkeypatch, words, typed, found):
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    rules = Rules(5, 4)
    if isinstance(found, str):
        with pytest.raises(InputError) as error:
            list(Positions(words, rules, Output.of()))
        assert str(error.value) == found
    else:
        boards = list(Positions(words, rules, Output.of()))
        assert [(board.text, board.rules) for board in boards] == [(text, rules) for text in found]


def test_a_line_that_cannot_be_read_is_named_and_left_out(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n4\n\n4x\n4 4 5\n33 1\n1212121\n1\n"))
    read = Positions(("-",), Rules(5, 4), Output.of(), over=False)
    assert [board.text for board in read] == ["4", "33", "1"]
    assert read.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "arena: line 4: move 2: 'x' is not a column (1 to 5)",
        "arena: line 5: '4 4 5' is not moves without blanks, and perhaps a score after one blank",
        "arena: line 7: the game is already over (first player won)",
    ]


def test_a_position_of_several_words_is_one(monkeypatch):
    board = Board.from_moves("4453")
    for words in (["7/7/7/7/3p3/2pPP2", "w", "-", "-", "0", "3"], str(board.grid()).split()):
        assert list(Positions(words, Rules(), Output.of())) == [board]


def test_lines_of_a_closed_input_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="stdin is closed"):
        list(Positions(["-"], Rules(), Output.of()))


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        ({"style": "plain", "as_json": False}, ("plain", False, False)),
        ({"style": "plain", "as_json": True}, ("json", True, True)),
        ({"style": "json", "as_json": False}, ("json", True, True)),
        ({"style": "csv", "as_json": True, "table": "x"}, ("json", True, False)),
        ({"style": "csv", "as_json": False, "table": "x"}, ("csv", False, False)),
        ({"style": "latex", "as_json": False}, ("latex", False, False)),
    ],
)
def test_json_is_a_style(given, whole):
    output = Output.of(**given)
    assert (output.style, output.as_json, output.whole) == whole


def test_a_bar_is_shown_in_a_terminal_alone_and_where_nobody_forbids_it(streams):
    streams(err=True)
    bar = Output.of().bar
    with bar("game", 3) as shown, bar("game", 3, hidden=True) as hidden, bar("game", leave=True) as kept:
        assert (bool(shown.disable), shown.total, shown.unit, shown.leave) == (False, 3, "game", False)
        assert hidden.disable
        assert kept.leave
    assert Output.of(quiet=True).bar("game").disable
    streams()
    assert bar("game").disable


@pytest.mark.parametrize(
    ("terminals", "words", "shown"),
    [
        ((True, True), [], True), ((True, False), [], True), ((False, True), [], False), ((False, False), [], False),
        ((True, False), ["--json"], False), ((False, True), ["--json"], True), ((False, False), ["--json"], False),
    ],
)  # fmt: skip
def test_a_game_is_in_colour_where_its_own_stream_is_a_terminal(streams, monkeypatch, terminals, words, shown):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    stdout, stderr = streams(out=terminals[0], err=terminals[1])
    monkeypatch.setattr(sys, "argv", ["arena", "play", "greedy", "--position", "44", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    assert ("\x1b[33m" in (stderr if words else stdout).getvalue()) == shown
    assert "\x1b" not in (stdout if words else stderr).getvalue()


@pytest.mark.parametrize("ignored", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_handlers_of_signals_are_put_back_and_what_was_ignored_stays_so(unignored, ignored):
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    first, hook = signal.getsignal(ignored), sys.unraisablehook
    signal.signal(ignored, signal.SIG_IGN)
    handlers = [signal.getsignal(number) for number in numbers]
    try:
        with as_ctrl_c():
            assert [signal.getsignal(number) in handlers for number in numbers] == [each == ignored for each in numbers]
            assert signal.getsignal(ignored) == signal.SIG_IGN
        assert [signal.getsignal(number) for number in numbers] == handlers
    finally:
        signal.signal(ignored, first)
    assert sys.unraisablehook == hook


def test_a_signal_that_was_ignored_before_the_program_began_stays_ignored(unignored, monkeypatch, capsys):
    interrupt, threshold = signal.getsignal(signal.SIGINT), gc.get_threshold()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    monkeypatch.setattr(sys, "argv", ["arena", "perft", "1"])
    try:
        with pytest.raises(SystemExit):
            program.main()
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) not in {signal.SIG_IGN, signal.SIG_DFL}
    finally:
        signal.signal(signal.SIGINT, interrupt)
        gc.set_threshold(*threshold)
    assert "sequences 7," in capsys.readouterr().out
