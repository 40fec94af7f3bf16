"""Two servers that add up reports which neither of them sees: a demonstration."""
