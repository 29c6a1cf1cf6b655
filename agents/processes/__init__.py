"""Agents that live elsewhere: each in a process of its own, behind a protocol."""
