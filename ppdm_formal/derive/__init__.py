"""Derive: what follows exactly from a declared operator."""
