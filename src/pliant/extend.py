"""Base classes and types for extensions, and types that calls return."""

from .effects.base import OnBody
from .effects.effect_layout import Layout, Part, Prescribed
from .elements.base import Elements
from .energy import capabilities
from .energy.base import Energy, OnElements, Step
from .energy.contact_forces import Pressed
from .energy.quadratic_bound import Majorised
from .geometry.inspection.mesh_inspection import MeshReport
from .integrate.base import Implicit
from .integrate.explicit import Explicit
from .integrate.state import State
from .integrate.tableau import Row, Tableau
from .linear.matrix.operator import Operator
from .linear.matrix.system import LinearResult, LinearSolver, System
from .linear.preconditioner.preconditioners import Preconditioner
from .material.base import Elastic, Material, Parameter
from .material.isotropic import Isotropic
from .runtime import math3
from .runtime.device import Device, family
from .simulate.modes import Modes
from .simulate.record.body_view import BodyView
from .simulate.record.contact_table import ContactTable, Patch
from .simulate.record.events import Event
from .simulate.record.muscle_view import MuscleView
from .simulate.record.run import Chapter, Moment, Prop, Skin
from .simulate.scene.conservative_forces import Conservativeness, check_conservative
from .solve.objective.report import TOLERANCE, Report
from .solve.objective.solution import Solution, Solver
from .solve.objective.step_objective import Objective
from .solve.search.line_search import Point
from .view.viewer import Viewer

__all__ = [
    "TOLERANCE", "BodyView", "Chapter", "Conservativeness", "ContactTable", "Device", "Elastic", "Elements", "Energy",
    "Event", "Explicit", "Implicit", "Isotropic", "Layout", "LinearResult", "LinearSolver", "Majorised", "Material",
    "MeshReport", "Modes", "Moment", "MuscleView", "Objective", "OnBody", "OnElements", "Operator", "Parameter", "Part",
    "Patch", "Point", "Preconditioner", "Prescribed", "Pressed", "Prop", "Report", "Row", "Skin", "Solution", "Solver",
    "State", "Step", "System", "Tableau", "Viewer", "capabilities", "check_conservative", "family", "math3",
]  # fmt: skip
