"""A tournament: its plan, its games, and the workers that play them."""
