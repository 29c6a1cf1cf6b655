"""Tune."""
