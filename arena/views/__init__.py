"""Records become DataFrames, and DataFrames become text. Nothing here prints."""
