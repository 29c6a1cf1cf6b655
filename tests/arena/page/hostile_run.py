"""A run whose names and faults would be scripts."""

from changed import update
from hand_made import audit_of, run_of

from arena.store.run_file import Store

EVIL = "</script><img src=x onerror='window.caught=1'>{{ 7*7 }}"
WON, LOST = "1212121", "12131313"


def hostile(path):
    """Store two games of two agents with a hostile fault, audited, and return the path.

    The first player of game 2 blundered at ply 4.
    """
    games = [(0, 1, 0, "1", WON, (5, 6, 7, 8, 9)), (1, 0, 0, "0", LOST, (5, 6, 7, 8, 9, 10))]
    run_of(path, ["greedy", "random"], games, openings=("12",))
    plies = [(game, ply) for game, moves in ((1, WON), (2, LOST)) for ply in range(2, len(moves))]
    rows = [(*each, 1, -1 if each == (2, 4) else 1, 7, 3, "1 2 3") for each in plies]
    with Store.resume(audit_of(path, rows)) as store:
        update(store, "UPDATE agent SET name = ? WHERE id = 2", EVIL)
        update(store, "UPDATE game SET termination = 'exception', detail = ? WHERE id = 2", EVIL)
    return path
