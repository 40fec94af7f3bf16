"""Continuous operators: x + noise, what it shows of a real x, and its law on a grid."""
