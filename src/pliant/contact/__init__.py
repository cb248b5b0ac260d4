"""Contact between surfaces: what may touch, how near it is, how far it may move, what pushes it apart; rigid bodies."""

from ..calls import published
from ..elements.rigid import Inertia, Rigid
from .barrier import Barrier
from .complementarity import Complementarity
from .compliance import Isolated, Solves
from .intersection import Intersection
from .joints import Slide, Weld
from .needle import Needle
from .pair_law import Anisotropic, Pair
from .parting import Parting
from .penalty_law import Automatic, Penalty
from .unbuilt import Unbuilt

__all__ = [
    "Anisotropic",
    "Automatic",
    "Barrier",
    "Complementarity",
    "Inertia",
    "Intersection",
    "Isolated",
    "Needle",
    "Pair",
    "Parting",
    "Penalty",
    "Rigid",
    "Slide",
    "Solves",
    "Unbuilt",
    "Weld",
]

published(__name__)
