"""Compressed randomization: a transaction travels as the seed of a generator (EGS03 section 5)."""
