"""From rows to figures: each function draws one kind, with axes that say their units."""
