"""Words: what is said of results, in sentences."""
