"""Infer: undoing a channel, from randomized reports back to what can be known."""
