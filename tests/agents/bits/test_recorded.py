"""Windows, lines and threats as the Python they are written in, on boards of every shape, as they were recorded."""

from as_python import as_python
from recorded import holds, plain, tried
from shapes import BOARDS, positions

from agents.bits import bitboard, windows
from agents.board import Rules
from agents.rules import lines_in, mirrored


def test_windows_lines_and_threats_on_every_board_stay(request):
    found = {}
    helpers = {name: as_python(getattr(windows, name)) for name in ("playable", "threats", "open_windows", "row_cells",
               "column_cells", "all_cells", "window_counts", "exactly", "at_least_one", "holding",
               "open_window_sum")}  # fmt: skip
    lines = {name: as_python(getattr(bitboard, name)) for name in ("has_line", "fours", "line_completers",
             "landing_cells", "position_key")}  # fmt: skip
    for rules in BOARDS:
        size, rows, connect = (rules.columns, rules.rows), rules.rows, rules.connect
        masks = [helpers["all_cells"](*size), *(helpers["row_cells"](row, *size) for row in range(rows))]
        masks += [helpers["column_cells"](column, rows) for column in range(rules.columns)]
        found[f"{rules}"] = [masks, bitboard.anchors(*size, connect), windows.number_of_windows(rules),
                             windows.packed(rules)]  # fmt: skip
        assert masks[0] == rules.cells == sum(masks[1 : rows + 1]) == sum(masks[rows + 1 :])
        worth = [0, *((-3) ** discs + discs for discs in range(1, connect + 1))]
        weighed = (windows.packed(rules), windows.subset_weights(worth))
        for own, opp in positions(rules, 6, seed=2):
            sides = [[helpers["open_windows"](*pair, discs, *size, connect) for discs in range(connect + 1)]
                     for pair in ((own, opp), (opp, own))]  # fmt: skip
            assert helpers["open_window_sum"](own, opp, rows, connect, *weighed) == sum(
                value * (mine - theirs) for value, mine, theirs in zip(worth, *sides, strict=True)
            )
            row = [helpers["playable"](own, opp, *size), helpers["threats"](own, opp, *size, connect)]
            row += [helpers["open_windows"](own, opp, discs, *size, connect) for discs in range(connect + 1)]
            row += [lines["has_line"](own, rows, connect), lines["fours"](own, rows, connect)]
            assert lines["fours"](own, rows, connect) == rules.fours(own)
            assert lines["has_line"](own, rows, connect) == bool(rules.line(own)) == bool(lines_in(own, rows, connect))
            row += [lines["line_completers"](own, rows, connect) & rules.cells & ~(own | opp)]
            row += [
                lines["landing_cells"](own | opp, rules.bottom),
                int(lines["position_key"](own, own | opp, rules.bottom)),
            ]
            row += [mirrored(own, *size), rules.line(own)]
            counts = helpers["window_counts"](own, rows + 1, connect)
            cells = rules.cells
            row += [helpers["exactly"](counts, number, connect) & cells for number in range(connect + 1)]
            row += [helpers["holding"](counts, number) & cells for number in range(connect + 1)]
            row.append(helpers["at_least_one"](counts) & cells)
            found[f"{rules} {own} {opp}"] = row
    found["subsets"] = [windows.subset_weights(given) for given in ([5], [1, 4], [1, 4, 16, 64], [0, 1, 11, 111, 1111],
                        [3, -1, 4, -1, 5, -9, 2, -6, 5])]  # fmt: skip
    found["refused"] = {
        f"{rules} {weights}": tried(windows.check_weights, rules, weights)
        for rules in BOARDS[:3] for weights in ([1], [13043], [-13043], [13044], [-13044], [0, 1 << 30, 5], [18367, 5])
    }  # fmt: skip
    holds("parts-windows", plain(found), request)


def test_open_windows_hold_exactly_so_many_discs_however_long_a_line_is():
    rules = Rules(1, 20, 15)
    for discs in range(16):
        own = (1 << discs) - 1
        found = [as_python(windows.open_windows)(own, 0, number, 1, 20, 15) for number in range(16)]
        held = [min(15, max(0, discs - start)) for start in range(6)]
        assert found == [held.count(number) for number in range(16)]
        assert sum(found) == windows.number_of_windows(rules) == 6
