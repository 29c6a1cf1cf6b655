"""What a figure shows, as numbers and texts, and what a page has besides its words."""

import json
import re

import numpy as np
from matplotlib.ticker import FixedLocator
from recorded import plain
from transcript import text

from arena.page import page


def near(value):
    return np.round(np.asarray(value, dtype=float), 4).tolist()


def _colours(marks):
    """Return the colours of marks, also of those that a scale gives only when they are drawn."""
    marks.update_scalarmappable()
    return marks.get_facecolor()


def seen(picture):
    """Return what a picture shows: of each of its axes the scales, labels, lines, bars, marks, ends, texts."""
    axes = picture.axes()
    found = {"title": picture.title, "inches": picture.inches, "legend": list(picture.legend)}
    for number, each in enumerate(axes.get_figure().axes):
        found[str(number)] = {
            "labels": [each.get_xlabel(), each.get_ylabel(), each.get_title(loc="left"), each.get_title(loc="right")],
            "scales": [each.get_xscale(), each.get_yscale()],
            "limits": [near(each.get_xlim()), near(each.get_ylim())],
            "ticks": [[tick.get_text() for tick in axis.get_ticklabels()] for axis in (each.xaxis, each.yaxis)],
            "places": [
                near(axis.get_ticklocs()) for axis in (each.xaxis, each.yaxis)
                if isinstance(axis.get_major_locator(), FixedLocator)
            ],
            "lines": [
                [str(line.get_label()), line.get_color(), line.get_marker(), line.get_linestyle(),
                 near(line.get_xydata())]
                for line in each.lines
            ],
            "bars": [
                [near(patch.get_extents().transformed(each.transData.inverted()).bounds), near(patch.get_facecolor())]
                for patch in each.patches
            ],
            "marks": [[near(marks.get_offsets()), near(_colours(marks))] for marks in each.collections],
            "ends": [near(marks.get_segments()) for marks in each.collections if hasattr(marks, "get_segments")],
            "texts": [
                [mark.get_text(), near(mark.get_position()), *([near(mark.xy)] if hasattr(mark, "xy") else [])]
                for mark in each.texts
            ],
            "images": [near(image.get_array()) for image in each.images],
        }  # fmt: skip
    return plain(found)


def page_of(whole):
    """Return the words of a page and what stands in it besides: addresses, anchors, figures and scripts."""
    parts = re.findall(
        r'\b(?:href|src|id|data-name|data-key|class)="[^"]*"', re.sub(r"<style.*?</style>", "", whole, flags=re.DOTALL)
    )
    data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', whole, re.DOTALL)
    modules = [name for name in (*page.MODULES, "tree.js") if page.bundle((name,)) in whole]
    return {
        "words": text(whole),
        "besides": [" ".join(parts[start : start + 12]) for start in range(0, len(parts), 12)],
        "scripts": modules, "loaded": re.findall(r'src="/static/(.*?)"', whole), "data": data and json.loads(data[1]),
    }  # fmt: skip
