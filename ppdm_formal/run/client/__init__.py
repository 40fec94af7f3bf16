"""Client code: one self-contained file that draws y = R(x) exactly where x lives."""
