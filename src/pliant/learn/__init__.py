"""Reinforcement learning tasks on batches, as Gymnasium environments."""
