from arena.measure.verify import SearchEffort, savings
from arena.report.render import write
from arena.report.tables.quality import verify_table


def effort(search, variant, heuristic, nodes, minimax):
    return SearchEffort("", search, variant, heuristic, 4, 10, nodes, minimax)


EFFORTS = [
    effort("minimax", "alone", "zero", 1000, 1000),
    effort("alphabeta:order=centre", "alone", "zero", 200, 1000),
    effort("alphabeta:order=centre", "table", "zero", 150, 1000),
    effort("minimax", "alone", "smart-aware", 1000, 1000),
    effort("alphabeta:order=centre", "alone", "smart-aware", 100, 1000),
    effort("alphabeta:order=centre", "table", "smart-aware", 50, 1000),
]


def test_a_share_is_of_plain_minimaxs_nodes_over_all_heuristics():
    rows = savings("Compiled", EFFORTS)
    assert [(row.search, row.variant, row.nodes, row.minimax, row.share) for row in rows] == [
        ("minimax", "alone", 2000, 2000, 1.0),
        ("alphabeta:order=centre", "alone", 300, 2000, 0.15),
        ("alphabeta:order=centre", "table", 200, 2000, 0.1),
    ]


def test_a_search_is_a_line_and_a_variant_a_column():
    lines = write([verify_table(savings("Compiled", EFFORTS))], "plain").splitlines()
    assert lines[0] == "Compiled: share of plain minimax's 2,000 nodes, depth 4"
    assert [line.split() for line in lines[1:]] == [
        ["search", "alone", "table"],
        ["-" * 22, "-" * 7, "-" * 6],
        ["minimax", "100.0", "%", "-"],
        ["alphabeta:order=centre", "15.0", "%", "10.0", "%"],
    ]
