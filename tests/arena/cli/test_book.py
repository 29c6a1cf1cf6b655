from dataclasses import replace

import pytest
from click.testing import CliRunner
from needs import needed

from agents.board import Board
from agents.errors import InputError
from agents.solver import deep_book as module
from arena.cli.commands.book import command
from arena.measure import book as measure

needed("bitbully_databases")


def check(*words):
    return CliRunner().invoke(command, ["--check", "-j", "1", "--table", "1", *words], standalone_mode=False)


@pytest.fixture
def short(monkeypatch, tmp_path):
    """A book of eight entries, which are lost or won soon, with one that is wrong; in a folder of its own."""
    whole = module.deep_book()
    places = [place for place in range(0, 4_000_000, 1000) if abs(whole.scores[place]) > 13][:8]
    book = replace(whole, codes=whole.codes[places], scores=whole.scores[places].copy())
    book.scores[3] -= 1
    monkeypatch.setattr(measure, "deep_book", lambda: book)
    monkeypatch.chdir(tmp_path)
    return book


def test_a_wrong_entry_is_listed_with_moves_that_lead_to_it(short):
    result = check()
    assert result.return_value == 1
    listed, counted = result.stdout.splitlines()
    assert counted == "1 wrong of 8 entries"
    moves, told = listed.split(": ")
    board = Board.from_moves(moves)
    assert (board.own, board.opp) == module.position_of(int(short.codes[3]))
    assert told == f"{short.scores[3]} is stored, {short.scores[3] + 1} is true"


def test_what_is_solved_is_not_solved_again(short, monkeypatch):
    assert check("--sample", "5").return_value is not None
    monkeypatch.setattr(measure.DeepCheck, "_solve", None)
    assert check("--sample", "5").exception is None
    assert check().exception is not None


def test_options_of_the_other_kind_are_refused(short):
    assert isinstance(check("--plies", "4").exception, InputError)
    alone = CliRunner().invoke(command, ["--sample", "5"], standalone_mode=False)
    assert "--sample needs --check" in str(alone.exception)
    assert len(short.codes) == 8
