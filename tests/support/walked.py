"""Tournaments whose games depend on results, played without agents."""


def walked(how, outcome, known=()):
    """Play a tournament whose games end as `outcome(job)` says; return its batches and the places."""
    results = dict(known)
    batches, found = how.batches(), []
    batch = next(batches)
    while True:
        assert batch
        found.append(batch)
        results |= {job: outcome(job) for job in batch}
        try:
            batch = batches.send(results)
        except StopIteration as end:
            return found, end.value
