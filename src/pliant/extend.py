"""What one needs to write a law, element, energy, effect, scheme or solver of one's own, and the types that calls return."""

from . import math3
from .device import Device, family
from .effects.base import OnBody
from .effects.layout import Layout, Part, Prescribed
from .elements.base import Elements
from .energy import capabilities
from .energy.base import Energy, OnElements, Step
from .energy.majorised import Majorised
from .energy.pressed import Pressed
from .geometry.inspect import MeshReport
from .integrate.base import Implicit
from .integrate.explicit import Explicit
from .integrate.state import State
from .integrate.tableau import Row, Tableau
from .linear.operator import Operator
from .linear.preconditioners import Preconditioner
from .linear.system import LinearResult, LinearSolver, System
from .material.base import Elastic, Material, Parameter
from .material.isotropic import Isotropic
from .simulate.bodies import BodyView
from .simulate.conservative import Conservativeness, check_conservative
from .simulate.contact_table import ContactTable, Patch
from .simulate.events import Event
from .simulate.modes import Modes
from .simulate.muscles import MuscleView
from .simulate.run import Chapter, Moment, Prop, Skin
from .solve.line_search import Point
from .solve.objective import Objective
from .solve.report import TOLERANCE, Report
from .solve.solution import Solution, Solver
from .view.viewer import Viewer

__all__ = [
    "TOLERANCE",
    "BodyView",
    "Chapter",
    "Conservativeness",
    "ContactTable",
    "Device",
    "Elastic",
    "Elements",
    "Energy",
    "Event",
    "Explicit",
    "Implicit",
    "Isotropic",
    "Layout",
    "LinearResult",
    "LinearSolver",
    "Majorised",
    "Material",
    "MeshReport",
    "Modes",
    "Moment",
    "MuscleView",
    "Objective",
    "OnBody",
    "OnElements",
    "Operator",
    "Parameter",
    "Part",
    "Patch",
    "Point",
    "Preconditioner",
    "Prescribed",
    "Pressed",
    "Prop",
    "Report",
    "Row",
    "Skin",
    "Solution",
    "Solver",
    "State",
    "Step",
    "System",
    "Tableau",
    "Viewer",
    "capabilities",
    "check_conservative",
    "family",
    "math3",
]
