"""Estimation: the distribution of the original values from randomized ones, with error bars."""
