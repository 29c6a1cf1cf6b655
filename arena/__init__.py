"""All that it takes to make Connect Four agents meet, and to say who is stronger, how surely, and at what cost."""
