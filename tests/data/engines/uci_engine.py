"""A small engine that speaks UCI with the variant cfour; its first word says how it misbehaves."""

import re
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
INFOS = {
    "garbled": ["info depth one score cp x pv", "info depth 4 score cp 1 pv"],
    "chess": ["info depth 4 score cp 1 nodes 1 time 1 pv e2e4 e7e5", "info depth 4 score cp 1 pv P@a7"],
    "negative": ["info depth -4 score cp 1 pv P@a1", "info depth 4 nodes -1 score cp 1 pv P@a1"],
    "endless": [f"info depth 4 score cp {'9' * 5000} time {'9' * 4000} pv P@a1", "info"],
    "several": [
        "info depth 3 multipv 2 score cp -30 pv P@b1",
        "info depth 4 score cp 86 lowerbound pv P@a1",
        "info depth 4 score cp -90 upperbound nodes 40 pv P@a1",
        "info depth 4 string score cp 5 pv P@a1",
    ],
}
"""What is printed after three good lines, by fault; none of it tells a score."""
LISTED = {
    "chess-alone": ["UCI_Variant type combo default chess var chess var atomic"],
    "stockfish": ["UCI_Chess960 type check default false", "SyzygyPath type string default <empty>"],
    "lists": ["UCI_Variant type combo default chess var chess var cfour-misere"],
}
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
    for line in INFOS.get(FAULT, ()):
        say(line)
    say(
        {"full": "bestmove P@a9", "none": "bestmove (none)", "empty": "bestmove", "changes": "bestmove P@b1"}.get(
            FAULT, f"bestmove {drop} ponder P@d2"
        )
    )
    if FAULT == "twice":
        time.sleep(0.1)
        say("bestmove P@g1")


for line in sys.stdin:
    words = line.split()
    if words[0] == "uci" and FAULT != "mute":
        say("id name small\noption name VariantPath type string default <empty>\noption name Hash Size type spin")
        for option in LISTED.get(FAULT, ()):
            say(f"option name {option}{' var cfour' if FAULT == 'lists' and options else ''}")
        say("uciok")
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
