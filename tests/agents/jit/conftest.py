import numba
import pytest

from agents.jit import compiler, user_code


def counted(bits):
    found = 0
    while bits:
        bits &= bits - 1
        found += 1
    return found


@pytest.fixture(autouse=True)
def compiling(monkeypatch):
    """Compile here also where the program does not: under NUMBA_DISABLE_JIT=1 only its own kernels stay Python."""
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 0)
    if not compiler.JIT:
        monkeypatch.setattr(user_code, "popcount", numba.njit(counted))
    monkeypatch.setattr(compiler, "JIT", True)
    monkeypatch.setattr(user_code, "JIT", True)
