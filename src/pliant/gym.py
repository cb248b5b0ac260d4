"""Tasks for reinforcement learning on a Batch, as Gymnasium's environments: gym.vector(gym.Reach(), 64)."""

from .calls import published
from .learn.environments import single, vector
from .learn.reach import Reach
from .learn.task import Task

__all__ = ["Reach", "Task", "single", "vector"]

published(__name__)
