"""Plans in rounds: items first, then itemsets guessed from them, then those in doubt."""
