"""Runs backwards: gradients of a cost of a motion by all that it depends on, and parameters found by them."""

from ..calls import published
from .across import Smooth, TotalVariation
from .adjoint import Adjoint, Gradient
from .check import GradientCheck
from .clouds import Clouds
from .depth import Camera, DepthImages
from .fits import coarse_to_fine
from .forces import PinForces
from .free import Free
from .identifiable import Identifiable
from .level_sets import LevelSets, SparsePoints
from .loss import GemanMcClure, Huber, Loss, Quadratic
from .markers import Markers, UnlabelledMarkers
from .motion import Motion
from .observation import Observation, Residual, Seen
from .observed import Observed
from .optimisers import LBFGS, BarzilaiBorwein, GaussNewton, MultiStart
from .placing import aligned
from .readers import Tracks, read_clouds, read_depths, read_markers
from .result import Bootstrap, Fit
from .simulated import photographed, scanned
from .watch import Watch

__all__ = [
    "LBFGS",
    "Adjoint",
    "BarzilaiBorwein",
    "Bootstrap",
    "Camera",
    "Clouds",
    "DepthImages",
    "Fit",
    "Free",
    "GaussNewton",
    "GemanMcClure",
    "Gradient",
    "GradientCheck",
    "Huber",
    "Identifiable",
    "LevelSets",
    "Loss",
    "Markers",
    "Motion",
    "MultiStart",
    "Observation",
    "Observed",
    "PinForces",
    "Quadratic",
    "Residual",
    "Seen",
    "Smooth",
    "SparsePoints",
    "TotalVariation",
    "Tracks",
    "UnlabelledMarkers",
    "Watch",
    "aligned",
    "coarse_to_fine",
    "photographed",
    "read_clouds",
    "read_depths",
    "read_markers",
    "scanned",
]

published(__name__)
