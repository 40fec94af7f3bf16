"""The sections of a plan's report, a file each, found by their place."""
