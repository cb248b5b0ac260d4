"""Problems whose numbers others have published, solved at default settings: ``python -m benchmarks.published``."""

from . import contact, dynamics, heart, large, linear, shells

PROBLEMS = shells.PROBLEMS + linear.PROBLEMS + large.PROBLEMS + heart.PROBLEMS + contact.PROBLEMS + dynamics.PROBLEMS
