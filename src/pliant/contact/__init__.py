"""Contact between surfaces: detection, penalty, barrier, complementarity, intersections."""

from ..arguments.argument_errors import published
from ..elements.rigid import Inertia, Rigid
from .automatic import Automatic
from .barrier.barrier_energy import Barrier
from .complementarity.contact_compliance import Dense, SelectedInverse
from .complementarity.contact_solver import Complementarity
from .complementarity.joint_constraints import Slide, Weld
from .complementarity.matrix_free import MatrixFree
from .complementarity.needle import Needle
from .detect.parting import Parting
from .intersection.intersection_energy import Intersection
from .pairs.pair_law import Anisotropic, Pair
from .penalty.penalty_law import Penalty

__all__ = [
    "Anisotropic", "Automatic", "Barrier", "Complementarity", "Dense", "Inertia", "Intersection", "MatrixFree",
    "Needle", "Pair", "Parting", "Penalty", "Rigid", "SelectedInverse", "Slide", "Weld",
]  # fmt: skip

published(__name__)
