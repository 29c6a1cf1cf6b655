"""Language models: the table of their replies."""

TABLES = (("models", "models:of_run", "models:document", "replies"),)
SECTIONS = (("models", "Language models", "models:of_run", "replies"),)
