"""Games: plans, openings, entries, the referee, workers."""
