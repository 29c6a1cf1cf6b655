"""Heuristics compared in the same search."""
