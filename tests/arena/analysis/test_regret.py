import json

import pytest
from audited import audit_all, stored_small
from click.testing import CliRunner
from hand_made import frames
from scipy.stats import spearmanr

from agents.errors import InputError
from arena.analysis.audit import whole
from arena.analysis.regret import Regret, predictions, regrets
from arena.analysis.standings import standings
from arena.cli.commands.show import command
from arena.records import Interval
from arena.statistics.trend import rank_correlation


@pytest.fixture
def run(tmp_path):
    """Audited games of a small board in which both agents throw something away."""
    path = tmp_path / "run.sqlite"
    stored_small(path, ["114334314224132", "112443431343", "11211222334", "113314312322"])
    audit_all(path)
    return path


def test_regret_is_the_points_that_the_average_move_lost_by_third_of_the_board(run):
    read = frames(run)
    moves = whole(read)
    assert [row.agent for row in regrets(read)] == [row.agent for row in standings(read)]
    for row in regrets(read):
        own = [move for move in moves.itertuples() if move.agent == row.agent]
        lost = [(move.value - move.after) / 2 for move in own]
        assert row.moves == len(own)
        assert row.regret.value == pytest.approx(sum(lost) / len(lost))
        phases = [
            [one for one, move in zip(lost, own, strict=True) if move.ply * 3 // 16 == place] for place in range(3)
        ]
        told = [row.beginning, row.middle, row.end]
        assert told == [pytest.approx(sum(each) / len(each)) if each else None for each in phases]
    assert any(row.regret.value > 0 for row in regrets(read))


def test_a_run_without_an_audit_is_refused_with_what_audits_it(tmp_path):
    path = tmp_path / "run.sqlite"
    stored_small(path, ["114334314224132"])
    assert regrets(frames(path)) == []
    result = CliRunner().invoke(command, [str(path), "--regret"])
    assert isinstance(result.exception, InputError)
    assert f"arena audit {path}" in str(result.exception)


def test_show_has_regret_beside_elo(run):
    printed = CliRunner().invoke(command, [str(run), "--regret", "--wide"]).stdout
    assert all(word in printed for word in ("Elo", "regret", "beginning", "middle", "end", "random", "greedy"))
    document = json.loads(CliRunner().invoke(command, [str(run), "--regret", "--json"]).stdout)
    assert [row["agent"] for row in document["regret"]] == [row.agent for row in standings(frames(run))]
    assert document["rank_correlations"] == []  # of two agents


def row(agent, elo, regret, pool=1):
    return Regret(pool, agent, Interval(elo, None, None), False, 10, Interval(regret, None, None), None, None, None)


def test_less_regret_and_a_higher_rating_are_a_rank_correlation_of_1_in_each_pool():
    good = [row("a", 90.0, 0.01), row("b", 20.0, 0.02), row("c", -110.0, 0.3)]
    bad = [row("d", -90.0, 0.01, 2), row("e", 20.0, 0.02, 2), row("f", 110.0, 0.3, 2)]
    few = [row("g", 90.0, 0.01, 3), row("h", 20.0, 0.02, 3)]
    assert {pool: each.value for pool, each in predictions([*good, *bad, *few]).items()} == {
        1: pytest.approx(1.0), 2: pytest.approx(-1.0),
    }  # fmt: skip


def test_the_rank_correlation_is_scipys_and_its_interval_the_published_one():
    one, other = [1.0, 2.0, 2.0, 5.0, 4.0, 9.0, 7.0], [3.0, 1.0, 4.0, 4.0, 8.0, 7.0, 7.5]
    found = rank_correlation(one, other)
    assert found.value == pytest.approx(spearmanr(one, other).statistic)
    assert found.low < found.value < found.high < 1.0
    assert rank_correlation([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]) is None
    # By hand: 0.5 of 28 pairs, z = 0.5493, error = 1.96 sqrt(1.125 / 25) = 0.4158
    half = Interval(0.5, 0.1327, 0.7467)
    chosen = [float(number) for number in range(28)]
    assert rank_correlation(chosen, chosen[:3] + chosen[3:][::-1]).high < half.high
