"""The orderings, one a file; `agents.specs.parts` has their names.

An ordering is a function `score(own, opp, column)`, higher first, ties centre first. One that depends on the board
comes from a factory `make(rules)`, which may return the columns in their order instead where that never changes.
"""
