"""The job layer: one function for each job, with plain settings and a progress callback.

The commands, the pages and Python users call the same functions: `tournaments`, `runs`, `games`, `positions`, `truth`,
`measures`, `tuning` and `strength`. They raise InputError with one line, which names settings as options of the command
line. `python` exports the functions to Python users; there the line names keywords.
"""
