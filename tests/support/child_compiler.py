"""Compiles kernels in processes that end: a process that compiles keeps a megabyte for each kernel."""

import gc
import os
import threading
import warnings

from numba.core import sigutils
from numba.core.dispatcher import Dispatcher

from agents.jit import load_compiler
from agents.jit.cache import DiskCache
from agents.processes import watchdog

compile_here = Dispatcher.compile


def compile_in_child(dispatcher, signature):
    """Compile a function whose code is kept on disk in a copy of this process, and load it from there.

    Numba's tables are filled first, in this process: to fill them takes each copy half a second.
    """
    if _is_alone() and not _is_kept(dispatcher, signature):
        load_compiler()
        dispatcher.targetctx.refresh()
        with warnings.catch_warnings(action="ignore"):  # of threads that libraries have started
            process = os.fork()
        if process == 0:
            _end_with(dispatcher, signature)
        os.waitpid(process, 0)
    return compile_here(dispatcher, signature)


def _is_alone():
    """Return whether no other thread may hold a lock while this process is copied.

    The thread that watches over agents' processes waits, and holds none, while there are no such processes.
    """
    watching = f"({watchdog._rounds.__name__})"
    others = [thread.name for thread in threading.enumerate() if thread is not threading.current_thread()]
    return not others or (not watchdog._any_group.is_set() and all(name.endswith(watching) for name in others))


def _is_kept(dispatcher, signature):
    """Return whether the function needs no child: it is compiled, on disk, or never stored."""
    cache, arguments = dispatcher._cache, tuple(sigutils.normalize_signature(signature)[0])
    if not isinstance(cache, DiskCache) or arguments in dispatcher.overloads or not dispatcher._can_compile:
        return True
    try:
        return cache._cache_file.load(cache._index_key(signature, dispatcher.targetctx.codegen())) is not None
    except Exception:  # noqa: BLE001  whatever is wrong with a file, its code can be compiled
        return False


def _end_with(dispatcher, signature):
    """Compile in the child, which says nothing: what fails will fail in the parent, too."""
    gc.disable()
    Dispatcher.compile = compile_here
    try:
        compile_here(dispatcher, signature)
    finally:
        os._exit(0)
