"""Tournaments: begun and resumed, and the tables of a stored run."""
