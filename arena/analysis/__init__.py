"""Turns stored records into typed rows."""
