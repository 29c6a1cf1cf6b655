"""An agent whose file does not import."""

import nowhere_to_be_found


class Bot:
    def choose(self, board, limits):
        return nowhere_to_be_found
