"""Jobs beside tournaments: depth tables, grades, audits, comparisons."""
