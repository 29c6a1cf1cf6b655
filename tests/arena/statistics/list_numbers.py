"""Every number that a table prints, as a list for docs/statistics.md: `tests/arena/statistics/list_numbers.py`.

The columns are those of the lists in files `tables.py` and `*_tables.py`; what they rest on stands in the table below.
"""

import importlib
import re
from pathlib import Path

from arena.table.rows import Column, Whole

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "statistics.md"
BEGIN, END = "<!-- made by tests/arena/statistics/list_numbers.py -->\n", "<!-- end -->\n"


def columns():
    """Return the tables that have each column, by its header and the fields that its cells are made of."""
    found = {key: list(tables) for key, tables in MADE.items()}
    files = [file for name in ("*tables.py", "models.py") for file in (ROOT / "arena").rglob(name)]
    for path in sorted(file for file in files if file.parent.name != "study"):  # verdicts are words
        module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for name, listed in vars(module).items():
            of = ""
            for column in listed if isinstance(listed, list) else ():
                if isinstance(column, Column) and isinstance(column.of, (str, Whole)):
                    if isinstance(column.of, str):
                        of = f"{column.of} {column.beside}".strip()
                    else:
                        of = f"{of} ends" if of.split(" ")[0] == column.of.field else f"{column.of.field} whole"
                    tables = found.setdefault((column.header, of), [])
                    table = TABLES.get(f"{path.stem}.{name}") or TABLES[name]
                    tables += [] if table in tables else [table]
    return found


def measured():
    """Return what the page says that each simulation measured, by its name."""
    rows = re.findall(r"^\| ([^|]+) \| [\d.]+ \| ([\d.]+) \| \d+ \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(rows)


def method(table, header, field):
    """Return which of METHODS a column of a table rests on, `words` for none. Raises KeyError where it is not known."""
    return KEYS.get((table, field)) or KEYS.get((header, field)) or KEYS[field]


def lines():
    """Return the list as lines of Markdown, one for each column and each method that it has in different tables."""
    rates = measured()
    found = ["| number | tables | method | reference | measured |", "|---|---|---|---|---|"]
    for (header, field), tables in columns().items():
        known = [method(table, header, field) for table in tables]
        for each in dict.fromkeys(known):
            if each == "words":
                continue
            said, reference, pattern = METHODS[each]
            values = [float(rate) for name, rate in rates.items() if pattern and re.match(pattern, name)]
            rate = " to ".join(f"{value:g}" for value in sorted({min(values), max(values)})) if values else "-"
            shown = ", ".join(table for table, name in zip(tables, known, strict=True) if name == each)
            cells = (f"`{header}`", shown, said, reference, rate)
            found.append("| " + " | ".join(cells) + " |")
    return found


def write():
    """Put the list into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    PAGE.write_text(before + BEGIN + "\n".join(lines()) + "\n" + END + rest.split(END)[1], encoding="utf-8")


TABLES = {
    "EFFORT": "effort", "PHASES": "phases", "RUNS": "list", "game_tables.GAMES": "games",
    "VALUES": "eval", "ORDERS": "order", "DIVIDED": "perft", "DEPTHS": "depths", "COUNTED_DEPTHS": "depths --why",
    "KEPT": "audit", "THROWN": "audit", "GRADES": "grade",
    "CHECKED": "check", "SETS": "tune",
    "ROUNDS": "rounds", "MODELS": "models", "STANDINGS": "standings", "SWEEP": "sweep", "RATINGS": "rate",
    "DUELS": "pairings", "HEURISTIC_RATINGS": "compare", "PAIRINGS": "compare",
    "CHANGES": "diff", "AGREEMENT": "verify",
}  # fmt: skip
"""By the name of a list of columns."""
PAIR = r"score interval, \d+ (pairs|of)"
ALL = "Efron 1979; Hesterberg 2015; Liang, Zeger 1986"
METHODS = {
    "counted": ("counted", "-", None),
    "worth": ("computed of one position", "-", None),
    "mean": ("mean, no interval", "-", None),
    "median": ("median, no interval", "-", None),
    "share": ("share of those counted, no interval of its own", "-", None),
    "ratio": ("ratio of two means, no interval", "-", None),
    "given": ("a setting", "-", None),
    "rating": ("Bradley-Terry by maximum likelihood with the first move's worth", "Bradley, Terry 1952", None),
    "rated": (
        "interval of a rating, by the method that --wide names",
        ALL,
        r"ratings, \d+ openings",
    ),
    "gap": ("difference of ratings, by the method that --wide names", ALL, r"gaps, \d+ openings"),
    "gap_los": ("one minus the one-sided p value of that difference", ALL, r"gaps, \d+ openings"),
    "holm": ("Holm's test of all pairs or pairings", "Holm 1979", r"two said to differ of .* by Holm"),
    "score": ("points a game", "-", None),
    "elo": ("Elo of the mean score", "Elo 1978", None),
    "pair": ("score interval over opening pairs", "Wilson 1927", PAIR),
    "los": ("one minus the one-sided p value of the score test", "Wilson 1927", r"LOS beyond 97.5"),
    "nelo": ("distance from a half in standard deviations of a game", "Van den Bergh 2020", None),
    "llr": ("generalised likelihood ratio, in nats", "Van den Bergh 2020", None),
    "time": (
        "mean, pauses left out by the rate of nodes, ± Student's t over openings or positions, within this run",
        "Cochran 1977",
        r"time of \d+ searches",
    ),
    "fastest": ("shortest of many turns", "-", None),
    "median_time": ("median", "-", None),
    "longest": ("maximum", "-", None),
    "turns": ("geometric mean of the positions' ratios, by turns, extremes left out", "Tukey, McLaughlin 1963", None),
    "turned": ("Student's t over positions", "Tukey, McLaughlin 1963", r"ratio of times of 60"),
    "runs": ("the same over the decisions of two runs", "Tukey, McLaughlin 1963", None),
    "branching": ("effective branching factor, b of 1 + b + … + b^depth = nodes", "Russell, Norvig", None),
    "growth": (
        "ratio of sums of nodes, Student's t over openings or positions",
        "Cochran 1977",
        r"ratio of nodes of two depths",
    ),
    "kept": (
        "share of moves, interval clustered by opening",
        "Wilson 1927; Kish 1965; Korn, Graubard 1998",
        r"share of moves",
    ),
    "graded": ("share of positions, interval by Student's t", "Wilson 1927; Korn, Graubard 1998", None),
    "gain": ("difference of two shares or scores of the same openings or positions", "-", None),
    "gained": (
        "Student's t over openings or positions, where all are alike the score test",
        "Wilson 1927",
        r"a neutral",
    ),
    "graded_gain": ("score interval over the clear-cut positions, each answered by both", "Wilson 1927", None),
    "tuned_gain": ("Student's t over questions", "Liang, Zeger 1986", None),
    "step": (
        "difference of the ratings of two neighbouring values, not their sum of errors: both are rated in one pool",
        ALL,
        r"gaps, \d+ openings",
    ),
}
"""What a number rests on, its reference, and the names of the simulations that measured it, as a pattern."""
USES = {
    "words": """
        agent position phase file created command first second moves result termination detail heuristic ordering
        column verdict set decision one two against shown basis at stage difficulty search ok
        deterministic
    """,
    "counted": """
        retries errors tokens_in tokens_out tokens_reasoning
        depth searches agents game plies blunders move games pairs positions
        questions counts round points_one points_two place # points played outcomes faults distinct
        wins_thrown draws_thrown blunder_games won_games won_games_lost clear_cut thrown sequences nodes nodes_before
        values reference_nodes drawn_moves unanswered retries errors tokens_in tokens_out tokens_reasoning
        moves
    """,
    "worth": "mover columns scores",
    "mean": """
        nodes_per_move tokens_per_game first_blunder_mean nodes_old|nodes_new
    """,
    "median": "nodes_median first_blunder_median",
    "share": """
        share cut_share first_move_cut_rate minimax_share kept chance clear_kept clear_chance
        legal_replies good perfect clear_good clear_perfect mirrored same_moves same_nodes start tuned
    """,
    "ratio": "nodes_ratio nodes_per_second nodes_per_second|mostly_call",
    "given": "value",
    "rating": "elo|marked",
    "rated": "elo|marked|ends",
    "gap": "gap|whole",
    "gap_los": "gap_los|basis gap_los",
    "holm": "survives",
    "score": "score score_old|score_new",
    "elo": "elo",
    "pair": "elo|ends",
    "los": "los_score|basis",
    "nelo": "nelo",
    "llr": "llr",
    "time": "ms|whole seconds|whole ms_per_move|whole",
    "fastest": "seconds seconds_before",
    "median_time": "seconds|mostly_call ms_median ms_max",
    "turns": "time_ratio",
    "turned": "time_ratio|ends",
    "runs": "ms",
    "branching": "branching",
    "growth": "growth growth|ends",
    "kept": "kept|ends clear_kept|ends",
    "graded": "clear_good|ends",
    "gain": "gain",
    "gained": "score|ends",
    "tuned_gain": "gain|ends",
    "graded_gain": "gain|whole",
    "step": "step|whole",
}
"""By the method, the fields that columns are made of, blanks within one written as |."""
KEYS = {field.replace("|", " "): name for name, fields in USES.items() for field in fields.split()} | {
    ("games", "move"): "words",
    ("verify", "moves"): "counted",
    ("effort", "nodes"): "mean",
    ("phases", "nodes"): "mean",
    ("grade", "nodes"): "mean",
    ("longest", "ms_max"): "longest",
    ("eval", "first"): "worth",
    ("depths", "score"): "worth",
    ("depths", "move"): "worth",
    ("as first", "first"): "counted",
    ("as second", "second"): "counted",
    ("score", "score"): "score",
    ("gain", "score"): "gain",
    ("nodes ×", "nodes"): "ratio",
    ("points", "each opponent"): "counted",
    ("kept", "each range of plies"): "share",
    ("variant", "each"): "share",
}


MADE = {
    ("points", "each opponent"): ["crosstable"],
    ("kept", "each range of plies"): ["audit"],
    ("games", "played"): ["list"],
    ("variant", "each"): ["verify"],
}
"""Columns that are functions of a row."""


if __name__ == "__main__":
    write()
