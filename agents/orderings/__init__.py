"""The orderings, one a file; `agents.specs.components` lists their names.

An ordering is a function `score(own, opp, column)`: higher scores first, ties from the centre. A factory `make(rules)`
returns an ordering that depends on the board, or a tuple of all columns for an order that never changes.
"""
