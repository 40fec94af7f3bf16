"""Benchmarks, one file a question; run them all with `python -m benchmarks`.

Each file has a function `measure()` that gives one Result for each target. Nothing here runs
with the tests.
"""
