"""Itemsets: supports recovered from randomized transactions, and how to choose parameters."""
