"""Benchmarks, each a module that yields rows: ``pliant bench NAME``."""
