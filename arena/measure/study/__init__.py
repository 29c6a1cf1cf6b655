"""A study: an experiment that one file declares, and what its claims come to."""
