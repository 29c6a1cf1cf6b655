"""Variants of a search: further compilations of the same source, in which some module constants are true.

From the plain kernel numba leaves out whatever stands behind such a name before it makes code, which is the same as if
it were not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agents.jit.compiler import jit, specialise

if TYPE_CHECKING:
    from collections.abc import Callable

PARTS = ("try_moves", "value_leaves")
"""The kernels that such a constant changes and that another calls."""


def variant(kernel: Any, signature: object = None, **constants: bool) -> Callable[..., Any]:  # noqa: ANN401  a function of numba's
    """Return a kernel compiled with these constants, and with it its parts; without signature to be inlined."""
    function = getattr(kernel, "py_func", kernel)
    given: dict[str, Any] = {name: True for name, on in constants.items() if on}
    if not given:
        return jit(signature)(function)  # type: ignore[no-any-return]
    name = "-".join(given).lower()
    given |= {
        part: variant(function.__globals__[part], **given) for part in PARTS if part in function.__code__.co_names
    }
    return specialise(function, name, signature, inline=signature is None, **given)  # type: ignore[no-any-return]
