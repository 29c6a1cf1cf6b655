"""What a figure shows, as numbers and texts."""

import numpy as np
from recorded import plain


def near(value):
    return np.round(np.asarray(value, dtype=float), 4).tolist()


def seen(picture):
    """Return what a picture shows: of each of its axes the scales, labels, lines, bars, marks, texts."""
    axes = picture.axes()
    found = {"title": picture.title, "inches": picture.inches, "legend": list(picture.legend)}
    for number, each in enumerate(axes.get_figure().axes):
        found[str(number)] = {
            "labels": [each.get_xlabel(), each.get_ylabel(), each.get_title(loc="left")],
            "scales": [each.get_xscale(), each.get_yscale()],
            "limits": [near(each.get_xlim()), near(each.get_ylim())],
            "ticks": [[tick.get_text() for tick in axis.get_ticklabels()] for axis in (each.xaxis, each.yaxis)],
            "lines": [
                [str(line.get_label()), line.get_color(), line.get_marker(), line.get_linestyle(),
                 near(line.get_xydata())]
                for line in each.lines
            ],
            "bars": [near(patch.get_extents().transformed(each.transData.inverted()).bounds) for patch in each.patches],
            "marks": [[near(marks.get_offsets()), near(marks.get_facecolor())] for marks in each.collections],
            "texts": [[mark.get_text(), near(mark.get_position())] for mark in each.texts],
            "images": [near(image.get_array()) for image in each.images],
        }  # fmt: skip
    return plain(found)
