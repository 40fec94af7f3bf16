"""Coalitions: what data providers earn together, and how to divide it (Evf02 section 5)."""
