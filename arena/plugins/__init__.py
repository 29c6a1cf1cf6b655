"""Capabilities that can be deleted, a folder each."""
