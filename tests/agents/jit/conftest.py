import numba
import pytest
from child_compiler import compile_here
from numba.core.dispatcher import Dispatcher

from agents.jit import compiler, user_code


@pytest.fixture(autouse=True)
def compiling(monkeypatch):
    """Compile here also where the program does not: under NUMBA_DISABLE_JIT=1 only its own kernels stay Python."""
    monkeypatch.setattr(Dispatcher, "compile", compile_here)
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    monkeypatch.setattr(compiler, "JIT", True)
    monkeypatch.setattr(user_code, "JIT", True)
