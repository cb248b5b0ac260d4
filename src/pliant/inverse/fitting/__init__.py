"""Fits: parameters, problems, optimisers, results and how sure they are."""
