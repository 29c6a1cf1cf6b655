"""Pure functions of counts and records: who is stronger, and how sure that is.

pairs        one pairing: Elo, normalized Elo and likelihood of superiority from 3 or 5 counts
sequential   the sequential test that stops a match as soon as it is decided
betting      evidence that one of two is better, which may be looked at at any time
ratings      a pool: Bradley-Terry ratings with intervals, gaps and copies (clones, uncertainty, ranking)
equivalence  whether two are level; holm, which of many differences count
means        a mean of all values or of the middle ones, a ratio of times
stopped      the strength after a sequential test has stopped the match
shares       a share of moves, with an interval for answers that come in groups
trend        Elo per doubling of nodes and per ply
verdict      a pairing in one sentence

Nothing here reads a file or prints. scipy, which takes half a second to import, is imported where it is used, and its
small functions without the rest of it: direct.
"""
