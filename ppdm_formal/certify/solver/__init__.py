"""Solvers: questions in SMT-LIB, and processes that are asked and can be ended."""
