"""One SQLite file a run."""
