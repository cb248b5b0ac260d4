"""Gradients of runs: adjoints and forward sensitivities."""
