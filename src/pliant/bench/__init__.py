"""Benchmarks: ``run(**options)`` of each module yields (name, value, unit) rows, which ``pliant bench NAME`` prints."""
