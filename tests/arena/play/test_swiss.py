import pytest

from agents.board import Outcome
from arena.play.swiss import Swiss


@pytest.mark.parametrize("seed", range(4))
def test_who_rests_stands_as_one_who_drew_all_of_its_games(seed):
    outcomes = {}
    stages = Swiss(3, 2, seed, 1).stages(outcomes)
    stage = next(stages)
    [rests] = {0, 1, 2} - {job.first for job in stage.jobs}
    outcomes |= {job.key: Outcome.DRAW for job in stage.jobs}
    with pytest.raises(StopIteration) as end:
        next(stages)
    assert end.value.value[-1] == rests
