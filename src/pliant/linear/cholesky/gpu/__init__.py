"""Numeric factorisation and triangular solves on a GPU, level by level."""
