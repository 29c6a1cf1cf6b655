import pytest
from hand_made import AGENTS, DRAW, GAMES, frames, stored

from agents.errors import InputError
from arena.store.records import GameRecord, Job, Termination
from arena.store.store import Store


def test_a_run_that_is_being_played_is_shown_at_one_moment(tmp_path, monkeypatch):
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES[:1])
    select = Store.select
    writer = Store.resume(path)

    def selecting(store, query):
        found = select(store, query)
        if "FROM game" in query and store is not writer and len(writer.played()) == 1:
            job = Job(1, 0, 0)
            writer.add((job, GameRecord(job.key, "442", DRAW, Termination.FULL, "", 0.0, 1.0, GAMES[1][6])))
        return found

    monkeypatch.setattr(Store, "select", selecting)
    with writer:
        found = frames(path)
        assert len(writer.played()) == 2
    assert len(found.games) == 1
    assert set(found.moves["game"]) == set(found.searches["game"]) == {1}


def test_a_damaged_run_is_told_in_one_line(tmp_path):
    path = stored(tmp_path / "run.sqlite", AGENTS, GAMES)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"run\.sqlite"):
        frames(path)
