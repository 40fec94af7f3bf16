"""Noises: laws of numbers that are added to values, one file each, found by their place."""
