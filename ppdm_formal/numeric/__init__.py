"""Numeric randomization: noise on real values, the privacy it gives, and what can be recovered."""
