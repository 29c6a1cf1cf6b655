"""Turns rows into text, CSV, LaTeX and HTML."""
