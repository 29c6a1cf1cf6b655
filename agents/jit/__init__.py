"""Numba set up once, and the compiling of what users write."""
