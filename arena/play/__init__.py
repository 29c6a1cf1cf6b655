"""Plays a tournament: the plan, the games, and the worker processes."""
