"""Turns rows into figures; each function draws one kind, and its axes state their units."""
