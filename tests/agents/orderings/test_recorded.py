"""Every ordering as the Python that it is written in, on boards of every shape, as it was recorded."""

from as_python import as_python
from recorded import holds, plain
from shapes import BOARDS, part_or_refusal, positions

from agents.orderings import column_score, open_windows
from agents.rules import Rules
from agents.specs.components import ORDERINGS


def test_every_ordering_on_every_board_stays(request):
    found = {}
    for rules in BOARDS:
        for name in ORDERINGS:
            part = part_or_refusal("ordering", name, ORDERINGS, rules, ("own", "opp", "column"))
            if not isinstance(part, str | tuple):
                score = as_python(part)
                part = [[score(*discs, column) for column in range(rules.columns)] for discs in positions(rules, 8)]
            found[f"{rules} {name}"] = part
        found[f"{rules} apart"] = open_windows.apart(rules)
    holds("parts-orderings", plain(found), request)


def test_runs_around_a_landing_cell_are_walked_in_every_direction(request):
    found = {}
    rules = Rules(9, 6)
    for name, make in {"text": column_score.make, "program": column_score.make_published}.items():
        score = as_python(make(rules))
        found[name] = [[score(own, opp, column) for column in range(9)] for own, opp in positions(rules, 20, seed=5)]
    holds("parts-runs", plain(found), request)
