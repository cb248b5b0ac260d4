"""Benchmarks that are run by hand; their results are kept in results/."""
