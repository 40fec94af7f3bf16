"""Mining: frequent itemsets and rules, by counting in columns of bits."""
