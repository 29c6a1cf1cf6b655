"""The tables of each report, as lists of columns."""
