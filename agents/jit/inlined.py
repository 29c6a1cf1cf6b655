"""Functions that LLVM inlines wherever they are called: compiled up to its own language, and kept on disk in it.

Nobody runs the machine code of such a function, and to make it took a third of the time of a compilation. Where Python
calls one, or a kernel by its address, it is compiled once more as a function by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import binding  # type: ignore[import-untyped]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, CompileResult, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

from agents.jit.disk import DiskCache, Place, cache_of


class _Library(JITCodeLibrary):  # type: ignore[misc]  # numba is typed in part
    """The code of one function, to be linked into that of others and nowhere else."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Raise LookupError: there is no machine code."""
        raise LookupError(name)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]  # likewise
    """Numba's last step, but for machine code."""

    _name = "lowering_to_be_inlined"

    def run_pass(self, state: Any) -> bool:  # noqa: ANN401  numba's
        """Leave the function's code in LLVM's language, under an entry that stands for it and cannot be called."""
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        state.library.finalize()
        lowered = state["cr"]
        entry = object()
        state.targetctx.insert_user_function(entry, lowered.fndesc, [state.library])
        state["cr"] = _LowerResult(lowered.fndesc, lowered.call_helper, cfunc=entry, env=lowered.env)
        return True


class _Pipeline(CompilerBase):  # type: ignore[misc]  # likewise
    """Numba's steps, but for the last one."""

    def define_pipelines(self) -> list[Any]:
        """Return the one way in which such a function is compiled."""
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [(_Lowering if step is NativeLowering else step, told) for step, told in steps.passes]
        steps.finalize()
        return [steps]


class _Place(Place):
    """How such a function is kept on disk."""

    def reduce(self, result: Any) -> Any:  # noqa: ANN401  numba's
        """Return what is to be kept of it."""
        fndesc = result.fndesc
        fndesc.typemap = fndesc.calltypes = None  # they are needed no more, and cannot always be kept
        return result.library.name, result.library._final_module.as_bitcode(), fndesc, result.signature  # noqa: SLF001

    def rebuild(self, context: Any, kept: Any) -> Any:  # noqa: ANN401  numba's
        """Return the function from what was kept."""
        name, code, fndesc, signature = kept
        library = _Library(context.codegen(), name)
        library._final_module = binding.parse_bitcode(code)  # noqa: SLF001
        library._finalize_final_module()  # noqa: SLF001
        known = {"target_context": context, "library": library, "entry_point": object()}
        known |= {"fndesc": fndesc, "signature": signature, "objectmode": False, "lifted": (), "reload_init": []}
        return CompileResult(**{field: known.get(field) for field in CompileResult._fields})


class _Cache(DiskCache):
    """Where it is kept."""

    _impl_class = _Place


def inlined(function: Callable[..., Any], alone: Callable[[], Any]) -> Any:  # noqa: ANN401  numba's
    """Return a function to be inlined; its `alone`, as given, returns the one that is called in its place."""
    kernel = numba.njit(
        nogil=True, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=_Pipeline
    )(function)
    kernel._cache = cache_of(function, _Cache)  # noqa: SLF001  numba has no other place for these
    kernel._insert = lambda *_: None  # noqa: SLF001  what Python could call
    kernel._compile_for_args = lambda *_: alone()  # noqa: SLF001
    kernel.alone = alone
    return kernel
