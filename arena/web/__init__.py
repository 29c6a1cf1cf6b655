"""Pages in a browser: their templates, styles and scripts, and the server that hands them out."""
