from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest

from agents.board import Outcome
from arena.games.executor import LiveGame
from arena.games.run import WAIT, ResultWriter
from arena.records import FaultRecord, GameRecord, Job, MoveRecord


class Stored:
    """Stands for a run's file."""

    def __init__(self):
        self.batches = []

    def add(self, *records):
        self.batches.append([str(record.job) for record in records])

    def played(self):
        return {Job.parse(text) for batch in self.batches for text in batch}


def record(text, *remarks):
    moves = tuple(MoveRecord(ply, 0, 0.0, remark=remark) for ply, remark in enumerate(remarks, start=2))
    return GameRecord(Job.parse(text), "44", Outcome.DRAW, "board full", "", 0.0, 0.0, moves)


@pytest.fixture
def writer():
    clock, told = SimpleNamespace(now=100.0), []
    made = ResultWriter(Stored(), ["a", "b", "c"], lambda: told.append(len(made.ended)), {}, clock=lambda: clock.now)
    return SimpleNamespace(made=made, clock=clock, told=told)


def test_a_game_waits_for_others_no_longer_than_it_may(writer):
    made, clock = writer.made, writer.clock
    assert not made.due()
    made.add(record("0-1-0"))
    clock.now += 0.9 * WAIT
    made.add(record("1-0-0"))  # which has not waited, but the first has
    assert not made.due()
    clock.now = 100.0 + WAIT
    assert made.due()
    made.flush()
    assert (made.due(), made.store.batches) == (False, [["0-1-0", "1-0-0"]])
    assert writer.told == [0, 0]
    made.add(record("0-2-0"))
    assert not made.due()


def test_of_each_agent_the_first_remark_is_kept(writer):
    made = writer.made
    made.add(record("1-2-0", "", "of c", "of b", "later of c"))
    made.add(record("0-1-0", "", "late of b", "of a"))
    made.flush()
    assert made.remarks == {"c": "of c", "b": "of b", "a": "of a"}


def test_whatever_ends_the_block_what_has_ended_is_stored_once(writer):
    made = writer.made
    with suppress(KeyboardInterrupt), made:
        made.add(record("0-1-0"))
        made.store.add(made.ended[0])  # it was just being stored
        made.add(record("1-0-0"))
        raise KeyboardInterrupt
    assert made.store.batches == [["0-1-0"], ["1-0-0"]]
    with made:
        pass
    assert len(made.store.batches) == 2


def test_whose_turn_it_is_follows_from_the_discs():
    job = Job(4, 7, 0)
    assert [LiveGame(job, moves, 0.0).mover for moves in ((), (3,), (3, 3), (3, 3, 1))] == [4, 7, 4, 7]


def test_what_models_have_used_is_counted_of_every_move_also_of_one_that_was_not_made(writer):
    used = '{"tokens_in": 5, "tokens_out": 2}'
    one, made = record("0-1-0", "", ""), writer.made
    moves = (one.decisions[0]._replace(extra=used), one.decisions[1]._replace(extra='{"tokens_out": 1}'))
    fault = FaultRecord(4, "44", "", "", used.replace("5", "1"))
    made.add(replace(one, decisions=moves))
    made.add(replace(one, job=Job(1, 0, 0), decisions=moves[:1], fault=fault))
    made.add(replace(one, job=Job(1, 2, 0), fault=replace(fault, extra='{"tokens_in": null, "tokens_out": null}')))
    assert (made.tokens.count, str(made.tokens)) == (0, "")
    made.flush()
    assert (made.tokens.count, str(made.tokens)) == (7 + 7 + 3, "17 tokens")
    made.tokens.add('{"tokens_in": 1217000, "tokens_out": 17}')
    assert str(made.tokens) == "1,217,034 tokens"
