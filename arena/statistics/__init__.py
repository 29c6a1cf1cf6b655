"""Pure functions of counts and records: which agent is stronger, and how sure that is.

intervals     an interval as one value; that of a score, of a proportion; equivalence; Holm's test
pairing       one pairing: Elo, normalized Elo and likelihood of superiority from 3 or 5 counts, and a sentence of it
sprt          the sequential test, and the strength after it has stopped a match
pool          the games of a pool, summed; ratings, Bradley-Terry ratings of them with intervals
means         a mean of all values or of the middle ones, a ratio of times
isotonic      the place of a player on a ladder of players

Nothing here reads a file or prints. scipy, which takes half a second to import, is imported where it is used, and its
small functions without the rest of it: direct.
"""
