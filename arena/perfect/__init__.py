"""Perfect play: solved positions, audits and grades."""
