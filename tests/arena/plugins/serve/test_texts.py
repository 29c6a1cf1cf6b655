"""Texts that are made once, and again when games were added."""

import asyncio
import time

import pytest
from hand_made import run_of

from agents.errors import InputError
from arena.plugins.serve.runs import Texts, events, tables


def test_a_text_is_made_once_and_again_when_games_were_added(folder, monkeypatch):
    monkeypatch.setattr("arena.plugins.serve.runs.REST", 0.0)
    path, made = folder / "a.sqlite", []
    texts = Texts(lambda path: made.append(path) or str(len(made)))

    async def look():
        assert [await texts.of(path), await texts.of(path)] == ["1", "1"]
        path.unlink()
        run_of(path, ["greedy", "random"], [(0, 1, 0, "1")])
        assert not texts.is_fresh(path)
        assert await texts.of(path) == "2"

    asyncio.run(look())


def test_a_text_that_takes_long_is_not_waited_for_and_rests(folder):
    path, made = folder / "a.sqlite", []

    def make(path):
        time.sleep(0.3)
        made.append(path)
        return "text"

    async def look():
        texts = Texts(make)
        assert await texts.of(path, 0.01) is None
        assert await asyncio.gather(*(texts.of(path) for _ in range(5))) == ["text"] * 5
        (folder / "a.sqlite-wal").touch()
        assert await texts.of(path) == "text"
        assert not texts.is_fresh(path)

    asyncio.run(look())
    assert len(made) == 1


def test_a_text_that_cannot_be_made_says_why_to_whoever_asks(tmp_path):
    async def look():
        texts = Texts(tables)
        for _ in range(2):
            with pytest.raises(InputError, match="there is no file"):
                await texts.of(tmp_path / "none.sqlite")

    asyncio.run(look())


def test_the_events_of_a_run_end_after_its_last_tables_however_long_these_take(folder, monkeypatch):
    monkeypatch.setattr("arena.plugins.serve.runs.PAUSE", 0.01)

    async def stays():
        return False

    async def told():
        texts = Texts(lambda _: time.sleep(0.2) or "the last tables")
        return [each async for each in events(folder / "a.sqlite", texts, stays)]

    found = asyncio.run(told())
    assert '"tables": "the last tables"' in found[-2]
    assert found[-1].startswith("event: end")
