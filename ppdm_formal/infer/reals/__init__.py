"""Reconstruction: the distribution of x from z = x + noise, by EM, by AS, or in a family."""
