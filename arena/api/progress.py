"""Progress bars from Python, in a terminal and in a notebook."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(unit: str, total: int | None, done: int = 0, *, shown: bool) -> Iterator[Callable[[], object]]:
    """Yield what is to be called after each step; where it is `shown`, a bar on stderr or in the notebook counts them.

    total: steps in all, None where that is not known; done: those before now.
    """
    if not shown:
        yield lambda: None
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets has a plain bar
        from tqdm.auto import tqdm
    with tqdm(total=total, initial=done, unit=f" {unit}", dynamic_ncols=True) as found:
        yield found.update
