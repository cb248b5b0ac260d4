"""Observations: clouds, markers, depth images, forces, and their residuals."""
