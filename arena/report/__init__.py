"""From rows to text, CSV, LaTeX and HTML."""
