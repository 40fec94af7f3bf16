"""Parts: what a report is made of, as blocks."""
