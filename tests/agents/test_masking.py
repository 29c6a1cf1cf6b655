"""No key shows more than four of its letters, wherever a text was cut and however it was written."""

import base64
import html
import itertools
import json
from urllib.parse import quote, quote_plus

import pytest

from agents.masking import Mask

KEY = "sk-Ab9!x/'Qz\"7\\wé+LmN0pQrStUvWxY2"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM"
WRITTEN = {
    "as it is": str, "repr": repr, "ascii": ascii, "JSON": json.dumps,
    "repr in JSON": lambda key: json.dumps(repr(key)),
    "repr in JSON in JSON": lambda key: json.dumps(json.dumps(repr(key))),
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)), "of PHP": lambda key: json.dumps(key).replace("/", "\\/"),
    "in a dictionary with both quotes": lambda key: repr({"a": key + "'\""}), "URL": quote, "form": quote_plus,
    "a part of a path": lambda key: quote(key, safe=""), "HTML": html.escape,
    "JSON of today": lambda key: json.dumps(key, ensure_ascii=False),
}  # fmt: skip


def shown(text, secret=PLAIN, letters=5):
    """Return the parts of a secret of five letters that stand in a text."""
    return [secret[at : at + letters] for at in range(len(secret) - letters + 1) if secret[at : at + letters] in text]


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("key", [KEY, PLAIN, "a b é/\"<'", "é \\+<"])
def test_a_key_is_hidden_as_every_program_writes_it(written, key):
    mask, write = Mask(["another", key], "mark"), WRITTEN[written]
    text = f"before {write(key)} after"
    assert mask.text(text) == mask.words(text) == f"before {write('mark')} after"
    assert mask.value({text: [text, {"n": text, "m": 5}]}) == {
        mask.text(text): [mask.text(text), {"n": mask.text(text), "m": 5}]
    }


@pytest.mark.parametrize("before", range(6))
def test_a_key_in_base64_is_hidden_at_every_offset(before):
    text = Mask([PLAIN]).text(base64.b64encode(bytes(before) + PLAIN.encode() + b"\xff\xff").decode())
    assert shown(text, base64.b64encode(bytes(before % 3) + PLAIN.encode()).decode()) == []


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("size", range(5, 12))
def test_all_letters_of_base64_that_are_a_keys_alone_are_hidden(encode, size):
    key = "~?>~~?ûÿ~k~~"[:size]
    for before, after in itertools.product(range(6), range(3)):
        begin, end = 8 * before, 8 * (before + len(key.encode()))
        letters = encode(bytes(before) + key.encode() + b"\xff" * after).decode()
        inner = [at for at in range(len(letters)) if begin <= 6 * at and 6 * at + 6 <= end]
        expected = f"a {letters[: inner[0]]}***{letters[inner[-1] + 1 :]} b"
        assert Mask([key]).text(f"a {letters} b") == expected


def test_of_a_key_that_was_cut_anywhere_four_letters_show_at_most():
    mask, text = Mask([PLAIN]), f"0123456789{PLAIN}0123456789"
    for begin in range(len(text)):
        for end in range(begin, len(text) + 1):
            assert shown(mask.text(text[begin:end])) == []
    for end in range(len(PLAIN)):
        assert shown(mask.text(f"answered '{PLAIN[:end]}…', which is no column")) == []
        text = mask.text(f"one… '{PLAIN[:end]}… or {PLAIN[:end]}… or {PLAIN[-8:]}…")
        assert shown(text) == []
        assert text.startswith("one… '")
        assert text.count("…") == 4


@pytest.mark.parametrize("cut", ["{}... (cut)", "key: {}************", "['{}']", "bytearray(b'Bad {}')", "{}… end"])
@pytest.mark.parametrize("key", [KEY, PLAIN])
def test_a_part_that_someone_cut_out_is_hidden_anywhere(cut, key):
    for begin, end in ((0, 8), (0, 20), (9, 31), (len(key) - 8, len(key)), (0, len(key) - 1)):
        for write in (str, repr, json.dumps):
            text = Mask([key]).text("the " + cut.format(write(key[begin:end])) + " of it")
            assert shown(text, key, 8) == []
            assert (text[:4], text[-6:]) == ("the ", " of it")


def test_a_path_that_begins_as_a_value_and_a_count_stay():
    mask = Mask(["/home/kim/venv/lib", "12345678901"])
    assert mask.text("(/home/kim/venv/bot.py, line 3): 12345678 n") == "(/home/kim/venv/bot.py, line 3): 12345678 n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 38, 39, 40, 200])
def test_a_key_that_arrives_in_pieces_is_hidden(size):
    mask, text = Mask([PLAIN]), f"one {PLAIN} two {PLAIN}{PLAIN[:20]} three {PLAIN[:9]}".encode()
    arrived, waiting = b"", b""
    for at in range(0, len(text), size):
        data, waiting = mask.feed(waiting, text[at : at + size])
        arrived += data
    assert arrived + mask.end(waiting) == b"one *** two ***abcdefghijklmnopqrst three ***"


@pytest.mark.parametrize(
    ("secrets", "text", "masked"),
    [
        (["abcde"], "x abcde y", "x *** y"),
        (["abcd"], "x abcd y", "x abcd y"),
        (["\n  abcdefgh \n"], "x abcdefgh y", "x *** y"),
        ([" abcd "], "x abcd y", "x***y"),
        (["abcdef\nghijkl"], json.dumps("abcdef\nghijkl"), '"***"'),
        (["abcdef", "abcdefgh"], "x abcdefghij y", "x ***ij y"),
        (["abcdefgh        ijklmnop"], "x         y", "x         y"),
        ([PLAIN], "", ""),
        ([PLAIN], PLAIN[8:12], PLAIN[8:12]),
        ([PLAIN], PLAIN[8:13], "***"),
        ([PLAIN], f"x {PLAIN[8:16]}", "x ***"),
        ([PLAIN], f"{PLAIN[8:16]} y", "*** y"),
        ([PLAIN], f"x {PLAIN[8:15]} y", f"x {PLAIN[8:15]} y"),
        ([PLAIN], f"{PLAIN[:5]} and {PLAIN[-5:]}", f"{PLAIN[:5]} and {PLAIN[-5:]}"),
        ([PLAIN], f"{PLAIN[-5:]} and {PLAIN[:5]}", "*** and ***"),
        (["ab\udcffcdef"], "x ab\udcffcdef ab%FFcdef y", "x *** *** y"),
        (["ab\udcffcdef"], "x YWL/Y2RlZg== y", "x ***g== y"),
    ],
)
def test_of_a_secret_so_much_is_hidden(secrets, text, masked):
    mask = Mask(secrets)
    assert mask.text(text) == masked
    assert mask.value([text, {text: text}]) == [masked, {masked: masked}]


def test_bytes_of_a_secret_are_hidden_and_an_end_that_may_be_one_waits():
    mask = Mask(["ab\udcffcdef"], "#")
    assert mask.feed(b"x ab", b"\xffcdef y ab") == (b"x # y ", b"ab")
    assert [mask.end(waiting) for waiting in (b"", b"ab\xffc", b"ab\xffcd")] == [b"", b"ab\xffc", b"#"]
    assert Mask(["abc"], "#", shortest=3).text("x abc y") == "x # y"
    assert Mask(["ab"], "#", shortest=3).text("x ab y") == "x ab y"


def test_each_line_of_a_key_of_several_lines_is_hidden():
    assert Mask(["-----BEGIN-----\nabcdefgh\nijklmnop\n"]).text("a line is ijklmnop.") == "a line is ***."


def test_a_number_is_no_part_of_a_count_and_stays_in_a_line_of_a_protocol():
    mask = Mask(["10000000"])
    assert mask.text("n 10000000 of 100000001") == "n *** of 100000001"
    assert mask.words("4 nodes=10000000") == "4 nodes=10000000"
    assert Mask([PLAIN]).words(f"4 {PLAIN} {PLAIN}") == "4 *** ***"


def test_without_a_secret_nothing_changes():
    assert Mask(["abcd", ""]).text("abcd…") == "abcd…"
    assert Mask([]).feed(b"", b"abcd") == (b"abcd", b"")
