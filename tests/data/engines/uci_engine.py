"""A small engine that speaks UCI with the variant cfour; its first word says how it misbehaves."""

import re
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
options = {}
heights = [0] * 7


def say(line):
    print(line, flush=True)


def leftmost():
    column = next(column for column in range(7) if heights[column] < 6)
    return f"P@{'abcdefg'[column]}{heights[column] + 1}"


def go(words):
    if FAULT == "sleeps":
        time.sleep(1000)
    if FAULT == "dies":
        sys.exit(7)
    if FAULT == "chatters":
        while True:
            say("info string still thinking")
    assert options == {"VariantPath": "variants.ini", "UCI_Variant": "cfour"}, options
    limit = dict(zip(words[1::2], words[2::2], strict=True))
    drop = leftmost()
    deepest = int(limit.get("depth", 3))
    for depth in range(1, deepest + 1):
        score = "mate -2" if depth == 3 else "cp 17"
        say(f"info depth {depth} seldepth 9 score {score} nodes {10 * depth} nps 1 time 5 pv {drop} P@d1")
    say("info string " + " ".join(words))
    if FAULT == "garbled":
        say("info depth one score cp x pv")
    say(
        {"full": "bestmove P@a9", "none": "bestmove (none)", "empty": "bestmove"}.get(
            FAULT, f"bestmove {drop} ponder P@d2"
        )
    )


for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        say("id name small\noption name VariantPath type string default <empty>\nuciok" if FAULT != "mute" else "")
    elif words[0] == "setoption":
        name, value = re.fullmatch(r"setoption name (.+) value (.+)", line.strip()).groups()
        options[name] = value
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "position":
        heights = [0] * 7
        for drop in words[3:]:
            assert int(drop[3]) == heights["abcdefg".index(drop[2])] + 1, line
            heights["abcdefg".index(drop[2])] += 1
    elif words[0] == "go":
        go(words)
    elif words[0] == "quit":
        break
