"""Scenes and their simulation: steps, runs, batches, cuts, checkpoints."""
