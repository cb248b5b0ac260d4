"""Scenes, and simulations of them: steps, runs, batches, checkpoints."""
