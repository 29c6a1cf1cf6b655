"""A bot of the Four in a Row competition that plays the leftmost column, and checks what it is told."""

import sys

settings = {}
field = []
for line in sys.stdin:
    kind, *words = line.split()
    if kind == "settings":
        settings[words[0]] = words[1]
    elif words[:2] == ["game", "field"]:
        field = [row.split(",") for row in words[2].split(";")]
    elif kind == "action":
        assert (len(field), len(field[0])) == (int(settings["field_rows"]), int(settings["field_columns"]))
        discs = sum(cell != "0" for row in field for cell in row)
        assert settings["your_bot"] == f"player{settings['your_botid']}"
        assert int(settings["your_botid"]) == discs % 2 + 1
        print("place_disc", field[0].index("0"), flush=True)
