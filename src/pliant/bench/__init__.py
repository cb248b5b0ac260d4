"""Benchmarks: each module has ``run(**options)`` that yields (name, value, unit) rows; ``pliant bench NAME`` prints them."""
