import sqlite3
from contextlib import closing

import pytest
from hand_made import AGENTS, GAMES, stored


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE game SET result = '2-0' WHERE id = 2", "game 2: it is damaged: no such result"),
        ("UPDATE game SET first = 99 WHERE id = 3", "game 3: it is damaged: its agents"),
        ("UPDATE game SET opening = -1 WHERE id = 1", "game 1: it is damaged: its agents, its opening"),
        ("UPDATE run SET plan = '{}'", "its plan does not say on what board"),
    ],
)
@pytest.mark.parametrize("command", ["show", "report"])
def test_a_damaged_file_is_refused_in_one_line(arena, tmp_path, change, message, command):
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES)
    with closing(sqlite3.connect(path)) as run, run:
        run.execute("PRAGMA ignore_check_constraints = ON")
        run.execute(change)
    out = ["--out", tmp_path / "page.html"] if command == "report" else []
    done = arena(command, path, *out)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err
