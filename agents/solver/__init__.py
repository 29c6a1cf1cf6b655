"""Perfect play."""
