"""Every heuristic as the Python that it is written in, on boards of every shape, as it was recorded."""

from as_python import as_python
from recorded import holds, plain
from shapes import BOARDS, part_or_refusal, positions

from agents.specs.components import HEURISTICS

WEIGHTS = {"windows": None, "aware": (101, 53, 29, 11, -7, 3), "zugzwang": (1, 10, 100, 3, 7, 31, 2, 5, 1000)}


def texts(rules):
    for name in HEURISTICS:
        given = WEIGHTS.get(name, ())
        given = tuple(3 - 7 * place for place in range(rules.connect)) if given is None else given
        yield f"{name}({','.join(map(str, given))})" if given else name


def test_every_heuristic_on_every_board_stays(request):
    found = {}
    for rules in BOARDS:
        for text in texts(rules):
            function = part_or_refusal("heuristic", text, HEURISTICS, rules, ("own", "opp"))
            if not isinstance(function, str):
                most, evaluate = vars(function).get("most"), as_python(function)
                function = [most, *(evaluate(*discs) for discs in positions(rules, 12))]
            found[f"{rules} {text}"] = function
    holds("parts-heuristics", plain(found), request)
