"""Declare: exact numbers, operators and their laws, noises, claims, the model language."""
