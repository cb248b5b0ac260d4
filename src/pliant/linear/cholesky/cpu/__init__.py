"""Numeric factorisation and triangular solves on CPU threads."""
