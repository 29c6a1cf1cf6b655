"""The board as two words: cells, lines, windows."""
