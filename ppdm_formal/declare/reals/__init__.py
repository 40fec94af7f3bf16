"""Operators on real numbers as they are declared: noise added to x, densities, intervals, grids."""
