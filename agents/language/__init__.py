"""Language models as players: the prompt, the server that answers it, and what counts as a move in a reply."""
