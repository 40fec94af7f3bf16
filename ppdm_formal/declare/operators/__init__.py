"""What an operator is: its domain, prior, views, law and matrix."""
