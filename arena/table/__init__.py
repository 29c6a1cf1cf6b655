"""Rows and their columns, formats of cells, names that fit, styles and pictures."""
