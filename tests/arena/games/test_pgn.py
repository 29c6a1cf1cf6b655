"""PGN as the format allows it, and as programs write it."""

import pytest

from agents.board import Board, Rules
from agents.errors import InputError
from arena.games import pgn

WON = "P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4"
TAGS = '[Event "x"]\n[White "a"]\n[Black "b"]\n\n'
GAMES = {
    "plain": f"{TAGS}1. P@d1 P@d2 2. P@e1 P@c1 *",
    "a comment whose next line begins with a bracket": TAGS + "1. P@d1 {wrapped\n[%eval 0.3] on} P@d2 2. P@e1 P@c1 *",
    "each ply with its number": "1. P@d1 1. \u2026 P@d2 2. P@e1 2. ... P@c1",
    "glued dots": "1.P@d1 1...P@d2 2.P@e1 2... P@c1 *",
    "numbers without dots": "1 P@d1 P@d2 2 P@e1 P@c1",
    "no numbers": "P@d1 P@d2 P@e1 P@c1",
    "short drops": "1. @d1 d2 2. P@e1! @c1?!",
    "lines that begin with %": f"% a remark [x]\n{TAGS}1. P@d1 P@d2\n%eval {{\n2. P@e1 P@c1 *",
    "a comment to the end of the line": f"{TAGS}1. P@d1 P@d2 ; [no tag] {{\n2. P@e1 P@c1 *",
    "variations": f"{TAGS}1. P@d1 (1. P@a1 {{)}} P@b1 (1... P@c1)) P@d2 $14 2. P@e1 $1 P@c1 !? *",
    "variations within others": "1. P@d1 (1. P@a1 (P@b1 (P@b2)) P@c1 (P@f1) P@g1) P@d2 (P@a2) 2. P@e1 P@c1 (P@a3)",
    "variations with tags and results": f'{TAGS}P@d1 (P@a1 1-0 [White "c"] * (0-1) P@b1) P@d2 P@e1 P@c1 *',
    "a variation that ends twice": f"{TAGS}1. P@d1 (P@a1)) P@d2 ) 2. P@e1 (P@a1) P@c1 *",
    "Windows": f"{TAGS}1. P@d1 P@d2 2. P@e1 P@c1 *".replace("\n", "\r\n"),
    "Macs of old": f"{TAGS}1. P@d1 P@d2 2. P@e1 P@c1 *".replace("\n", "\r"),
    "escapes": '[White "a \\"b\\" ]"]\n\n1. P@d1 P@d2 2. P@e1 P@c1 *',
    "a mark": f"\ufeff{TAGS}1. P@d1 P@d2 2. P@e1 P@c1 *",
}


def test_a_folder_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match=f"{tmp_path} cannot be read"):
        pgn.read_text(tmp_path)


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "games.pgn"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_a_game_is_read_as_the_format_allows(tmp_path, text):
    [game] = pgn.games(write(tmp_path, text))
    assert (game.start.text, game.board.text, game.result) == ("", "4453", "*")


def test_games_are_told_with_their_first_lines_their_tags_and_where_they_begin(tmp_path):
    text = (
        '\n{of\nold}\n[White "a"]\n\n[Black "b"]\n[Result "1-0"]\n\n1. P@d1\nP@d2 1-0\n\n1. P@a1\n0-1 P@b1\n\n'
        '[White "c"]\n[Variant "5x4"]\n\nP@e1 ({x\ny})\n* [FEN "7/7/7/7/3p3/3P3 w - - 0 2"]\n[White "d"]\n'
    )
    assert [
        (game.line, game.tags, str(game.board.rules), game.start.text, game.board.text, game.result, game.began)
        for game in pgn.games(write(tmp_path, text))
    ] == [
        (4, {"White": "a", "Black": "b", "Result": "1-0"}, "7x6x4", "", "44", "1-0", True),
        (12, {}, "7x6x4", "", "1", "0-1", True),
        (13, {}, "7x6x4", "", "2", "*", True),
        (15, {"White": "c", "Variant": "5x4"}, "5x4x4", "", "5", "*", True),
        (20, {"FEN": "7/7/7/7/3p3/3P3 w - - 0 2", "White": "d"}, "7x6x4", "44", "44", "*", False),
    ]


def test_games_without_tags_end_at_their_results(tmp_path):
    found = list(pgn.games(write(tmp_path, "1. P@d1 P@d2 1-0 1. P@a1 0-1\n\n1. P@b1 1/2-1/2 1. P@c1")))
    assert [(game.board.text, game.result) for game in found] == [
        ("44", "1-0"), ("1", "0-1"), ("2", "1/2-1/2"), ("3", "*"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('[Result "0-1"]\n\nP@d1', "0-1"), ('[Result "0-1"]\n\nP@d1 *', "0-1"), ('[Result "0-1"]\n\nP@d1 1-0', "1-0"),
        ('[Result "½-½"]\n\nP@d1', "1/2-1/2"), ('[Result "?"]\n\nP@d1', "*"), (f"{WON} *", "1-0"),
    ],
)  # fmt: skip
def test_a_result_stands_behind_the_moves_or_in_a_tag_or_follows_from_them(tmp_path, text, result):
    [game] = pgn.games(write(tmp_path, text))
    assert game.result == result


@pytest.mark.parametrize(
    ("rules", "moves"), [(Rules(5, 4), "2154"), (Rules(4, 4, 3, most_fours=True), "1212"), (Rules(12, 4), "12,1,12")]
)
def test_a_game_of_another_board_is_read_back(tmp_path, rules, moves):
    board = Board.from_moves(moves, rules)
    [game] = pgn.games(write(tmp_path, pgn.written(board, {}, "*", "budget")))
    assert (game.board, game.board.moves) == (board, board.moves)
    assert (game.start, game.cut(0), game.cut(1)) == (Board(rules), Board(rules), Board(rules).play(board.moves[0]))


def test_texts_in_latin_1_are_read(tmp_path):
    [game] = pgn.games(write(tmp_path, '[White "J\u00f6rg"]\n\nP@d1 {gr\u00f6\u00dfer} *', "latin-1"))
    assert game.tags["White"] == "J\u00f6rg"


def test_a_game_starts_from_its_position_and_is_cut_from_there(tmp_path):
    fen = '[FEN "7/7/7/7/3p3/3P3 w - - 0 2"]\n\n'
    [game] = pgn.games(write(tmp_path, f"{fen}2. P@d3 P@d4 3. P@a1 *"))
    assert (game.board.text, game.cut(1).text, game.cut(0).text, game.cut(9).text) == ("44441", "444", "44", "44441")
    assert [game.board.text for game in pgn.games(write(tmp_path, fen))] == ["44"]


@pytest.mark.parametrize(("text", "message"), [
    ("P@d1 {no end", "line 1: a comment has no }"),
    ("P@d1\n(P@d2", "line 2: a variation has no \\)"),
    ("P@d1\n(P@d2 (P@d3)\n", "line 3: a variation has no \\)"),
    ("P@d1\n\nP@d3 *", "line 3: P@d3 is no legal drop after 4"),
    ("1. e4 e5", "line 1: e4 is no legal drop on the empty board"),
    ("P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4 0-1", "the result is 0-1, but the moves end in 1-0"),
    ('[FEN "8/8 w"]\n\n*', "line 1: a FEN is six ranks"),
    ("P@d1 ]", "line 1: '\\]' is no PGN"),
    ("P@d1\0", "not a text file"),
])  # fmt: skip
def test_what_is_no_game_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        list(pgn.games(write(tmp_path, text)))


def test_a_written_game_is_read_back(tmp_path):
    board = Board.from_moves("1212121")
    names = {"White": 'a "quoted" \\ name', "Black": "alphabeta:depth=4"}
    text = pgn.written(board, names, "1-0", "line completed", opening=2)
    [game] = pgn.games(write(tmp_path, text * 1))
    assert (game.board, game.board.text, game.result) == (board, board.text, "1-0")
    assert {name: game.tags[name] for name in ("White", "Black", "Variant", "Termination", "PlyCount")} == {
        **names, "Variant": "cfour", "Termination": "normal", "PlyCount": "7",
    }  # fmt: skip
    for length in range(60):
        assert max(map(len, pgn.written(board, names, "*", "exception", length * "x").splitlines())) <= 80
    for board in (Board.from_moves("12345671234567"), Board()):
        text = pgn.written(board, names, "*", "exception", "a line\nand  another " + "of many words " * 30, opening=3)
        *full, last = text.partition("\n\n")[2].rstrip("\n").splitlines()
        assert max(map(len, full)) <= 80
        for line, after in zip(full, [*full[1:], last], strict=True):
            assert len(f"{line} {after.split()[0]}") > 80, "a line is as full as it can be"
        assert " ".join([*full, last]).endswith(
            "{exception: a line and another " + "of many words " * 29 + "of many words } *"
        )
    text = pgn.written(Board.from_moves("1212121"), names, "1-0", "line completed", opening=2)
    lost = pgn.written(Board.from_moves("44"), names, "0-1", "illegal move", "column {9}")
    assert '[Termination "rules infraction"]' in lost
    assert [game.result for game in pgn.games(write(tmp_path, text + lost))] == ["1-0", "0-1"]


def test_words_of_an_agent_in_a_comment_are_no_tags(tmp_path):
    said = 'ValueError: [Result "0-1"] } [White "queen"] {'
    text = pgn.written(Board.from_moves("44"), {"White": "a", "Black": "b"}, "1-0", "exception", said)
    assert text.count("[Result ") == text.count("[White ") == 1  # Ordo takes those in comments, too
    [game] = pgn.games(write(tmp_path, text))
    assert (game.tags["White"], game.result) == ("a", "1-0")


@pytest.mark.parametrize(
    ("ended", "word"),
    [
        ("line completed", "normal"), ("board full", "normal"), ("out of time", "time forfeit"),
        ("illegal move", "rules infraction"), ("protocol error", "rules infraction"), ("exception", "abandoned"),
    ],
)  # fmt: skip
def test_a_game_is_written_with_its_tags_its_opening_and_its_end_in_the_words_of_the_format(ended, word):
    rules = Rules(5, 4)
    assert pgn.written(Board.from_moves("443", rules), {"White": "a\n b"}, "0-1", ended, "it [is] so", 1) == (
        f'[White "a b"]\n[Result "0-1"]\n[Variant "{rules}"]\n[PlyCount "3"]\n[Termination "{word}"]\n\n'
        f"1. P@d1 {{the opening ends here}} P@d2 2. P@c1 {{{ended}: it (is) so}} 0-1\n\n"
    )
    assert "{line completed} *\n" in pgn.written(Board(rules), {}, "*", "line completed")
