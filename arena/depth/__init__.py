"""What each depth costs, and searches that should agree."""
