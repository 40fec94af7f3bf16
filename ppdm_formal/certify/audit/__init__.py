"""Audits: all claims and measures of a model, decided, and held for every writer."""
