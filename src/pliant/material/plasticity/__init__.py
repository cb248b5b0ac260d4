"""Plastic laws: additive and multiplicative."""
