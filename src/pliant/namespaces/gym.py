"""Tasks for reinforcement learning on a Batch, as Gymnasium's environments: gym.vector(gym.Reach(), 64)."""

from pliant.arguments.argument_errors import published
from pliant.learn.environments import single, vector
from pliant.learn.reach import Reach
from pliant.learn.task import Task

__all__ = ["Reach", "Task", "single", "vector"]

published(__name__)
