"""Depth-limited searches, compiled."""
