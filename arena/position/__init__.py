"""Questions about one position."""
