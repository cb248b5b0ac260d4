"""Fits: parameters, problems, optimisers, results and their uncertainty."""
