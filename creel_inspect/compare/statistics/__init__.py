"""Intervals, tests and sample sizes for scores of the same cases, on statsmodels and scipy."""
