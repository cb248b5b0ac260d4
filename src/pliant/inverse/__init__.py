"""Inverse problems: gradients of runs, observations, fits."""

from ..arguments.argument_errors import published
from .fitting.fit import coarse_to_fine
from .fitting.fit_result import Bootstrap, Fit
from .fitting.free_parameters import Free
from .fitting.gradient_check import GradientCheck, check_gradient, gradient
from .fitting.identifiability import Identifiable, identifiable
from .fitting.optimisers import LBFGS, BarzilaiBorwein, GaussNewton, MultiStart
from .fitting.spatial_prior import Smooth, TotalVariation
from .gradients.adjoint import Adjoint, Gradient
from .gradients.run_function import Motion
from .observations.alignment import aligned
from .observations.clouds import Clouds
from .observations.depth_images import Camera, DepthImages
from .observations.level_sets import LevelSets, SparsePoints
from .observations.markers import Markers, UnlabelledMarkers
from .observations.node_positions import NodePositions
from .observations.observation import BoundObservation, Observation, Residual
from .observations.observation_set import ObservationSet
from .observations.pin_forces import PinForces
from .observations.readers import Tracks, read_clouds, read_depths, read_markers
from .observations.robust_loss import GemanMcClure, Huber, Loss, Quadratic
from .observations.synthetic_scans import photographed, scanned

__all__ = [
    "LBFGS", "Adjoint", "BarzilaiBorwein", "Bootstrap", "BoundObservation", "Camera", "Clouds", "DepthImages", "Fit",
    "Free", "GaussNewton", "GemanMcClure", "Gradient", "GradientCheck", "Huber", "Identifiable", "LevelSets", "Loss",
    "Markers", "Motion", "MultiStart", "NodePositions", "Observation", "ObservationSet", "PinForces", "Quadratic",
    "Residual", "Smooth", "SparsePoints", "TotalVariation", "Tracks", "UnlabelledMarkers", "aligned", "check_gradient",
    "coarse_to_fine", "gradient", "identifiable", "photographed", "read_clouds", "read_depths", "read_markers",
    "scanned",
]  # fmt: skip

published(__name__)
