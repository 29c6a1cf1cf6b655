"""What docs/statistics.md says of intervals and tests is what simulations measure."""

import re
from pathlib import Path

import pytest

from .list_numbers import BEGIN, END, lines
from .simulations import SIMULATIONS

PAGE = (Path(__file__).parents[3] / "docs" / "statistics.md").read_text(encoding="utf-8")
TABLE = {
    name.strip(): (float(nominal), float(measured), int(repetitions))
    for name, nominal, measured, repetitions in re.findall(
        r"^\| ([^|]+) \| ([\d.]+) \| ([\d.]+) \| (\d+) \|$", PAGE, re.MULTILINE
    )
}


def test_the_page_has_a_row_for_each_simulation():
    assert {name: (row[0], row[2]) for name, row in TABLE.items()} == {
        name: (promised, repetitions) for name, (promised, _, repetitions) in SIMULATIONS.items()
    }


def test_the_page_lists_every_column_of_every_table_with_its_method():
    assert PAGE.split(BEGIN)[1].split(END)[0].splitlines() == lines()


@pytest.mark.slow
@pytest.mark.parametrize("name", SIMULATIONS)
def test_a_simulation_measures_what_the_page_says(name):
    promised, simulate, repetitions = SIMULATIONS[name]
    measured = round(100 * simulate(repetitions), 1)
    assert measured == pytest.approx(TABLE[name][1], abs=0.15)
    if not name.startswith(("normal", "plain")) and not name.endswith("each alone"):
        slack = 100 * 3 * (0.05 * 0.95 / repetitions) ** 0.5  # three standard errors of a share
        assert measured >= promised - slack if promised > 50 else measured <= promised + slack
