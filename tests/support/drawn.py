"""What a figure shows, read from its Axes."""


def texts(labels):
    return [label.get_text() for label in labels]


def told(axes):
    """Return the title, the labels of both axes and their scales."""
    return axes.get_title(loc="left"), axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale(), axes.get_yscale()


def points(axes):
    """Return what each error bar is called, where it stands, and where its whisker begins and ends."""
    shown = []
    for bar in axes.containers:
        line, _, [whisker] = bar.lines
        [ends] = whisker.get_segments()
        shown.append((bar.get_label(), line.get_xydata().tolist(), ends.tolist()))
    return shown


def arrows(axes):
    return [(text.xy, text.xyann) for text in axes.texts]


def curve(line):
    return line.get_xdata().tolist(), list(line.get_ydata())
