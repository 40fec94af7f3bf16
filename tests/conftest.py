"""Hypothesis everywhere: the same examples on every run, and no limit of time for one."""

from hypothesis import settings

settings.register_profile("house", derandomize=True, deadline=None, database=None)
settings.load_profile("house")
