"""Numba set up once, and the compiling of what users write."""

from agents.jit.lean import load_numba

load_numba()
