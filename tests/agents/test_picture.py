import re
from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from agents.board import Board, Rules
from agents.picture import FILLS, svg


def circles(board):
    return [each.attrib for each in ET.fromstring(svg(board)).iter("{http://www.w3.org/2000/svg}circle")]


@pytest.mark.parametrize("board", [Board(), Board.from_moves("44455554221"), Board.from_moves("11,2", Rules(11, 4))])
def test_a_picture_has_a_circle_for_each_cell_in_the_colour_of_its_disc(board):
    wanted = [FILLS[".XO"[cell]] for row in board.grid() for cell in row]
    assert [each["fill"] for each in circles(board)] == wanted


@pytest.mark.parametrize(("moves", "rings"), [("", {}), ("44", {"2": 1}), ("1212121", {"4": 4})])
def test_the_last_move_has_a_ring_and_a_four_wider_ones(moves, rings):
    assert Counter(each["stroke-width"] for each in circles(Board.from_moves(moves)) if "stroke" in each) == rings


def test_columns_are_numbered_below_the_board_which_a_notebook_shows():
    text = Board.from_moves("10,11", Rules(11, 4))._repr_svg_()
    assert re.findall(r">(\d+)</text>", text) == [str(column) for column in range(1, 12)]


def test_a_whole_picture_stays():
    assert svg(Board.from_moves("121", Rules(2, 3, 3))) == (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" width="72" height="128" viewBox="0 0 72 128">'
        '<rect width="72" height="108" rx="6" fill="#2b5fa8"/>'
        '<circle cx="18" cy="18" r="14" fill="#f1f0ea"/><circle cx="54" cy="18" r="14" fill="#f1f0ea"/>'
        '<circle cx="18" cy="54" r="14" fill="#f4bd1c" stroke="#fff" stroke-width="2"/>'
        '<circle cx="54" cy="54" r="14" fill="#f1f0ea"/>'
        '<circle cx="18" cy="90" r="14" fill="#f4bd1c"/><circle cx="54" cy="90" r="14" fill="#d9402f"/>'
        '<text x="18" y="124" text-anchor="middle" font-size="13" fill="#888">1</text>'
        '<text x="54" y="124" text-anchor="middle" font-size="13" fill="#888">2</text></svg>'
    )
