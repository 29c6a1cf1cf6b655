"""Tournaments whose games depend on results, played without agents."""


def walked(how, outcome, known=()):
    """Play a course whose games end as `outcome(job)` says; return each stage's round and keys, and the places."""
    outcomes = dict(known)
    stages, told = how.stages(outcomes), []
    while True:
        try:
            stage = next(stages)
        except StopIteration as end:
            return told, end.value
        told.append((stage.round, [job.key for job in stage.jobs]))
        assert stage.jobs
        for job in stage.jobs:
            outcomes[job.key] = outcome(job)
