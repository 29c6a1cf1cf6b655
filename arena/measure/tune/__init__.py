"""Weights of a heuristic fitted to positions whose truth is known, or to games."""
