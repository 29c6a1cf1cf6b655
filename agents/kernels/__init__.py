"""Jitted code on two integers: everything that searches."""
