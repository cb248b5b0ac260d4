"""Soft bodies to pull, squeeze and drop: see README.md. Nothing is compiled or started on import."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what editors and checkers see; at run time each name is found when it is first asked for
    from . import (
        advection as advection,
    )
    from . import (
        after_cut as after_cut,
    )
    from . import (
        contact as contact,
    )
    from . import (
        course as course,
    )
    from . import (
        distributed as distributed,
    )
    from . import (
        embedding as embedding,
    )
    from . import (
        errors as errors,
    )
    from . import (
        extend as extend,
    )
    from . import (
        flow as flow,
    )
    from . import (
        gym as gym,
    )
    from . import (
        hessian as hessian,
    )
    from . import (
        hold as hold,
    )
    from . import (
        inverse as inverse,
    )
    from . import (
        joint as joint,
    )
    from . import (
        linear as linear,
    )
    from . import (
        looks as looks,
    )
    from . import (
        meshes as meshes,
    )
    from . import (
        muscles as muscles,
    )
    from . import (
        planar as planar,
    )
    from . import (
        quadrature as quadrature,
    )
    from . import (
        rotations as rotations,
    )
    from . import (
        scenes as scenes,
    )
    from . import (
        sdf as sdf,
    )
    from . import (
        solver as solver,
    )
    from . import (
        study as study,
    )
    from . import (
        tangents as tangents,
    )
    from . import (
        terms as terms,
    )
    from .cut.blade import Blade as Blade
    from .effects.damping import Damping as Damping
    from .effects.holding import Hold as Hold
    from .effects.loading import Load as Load
    from .effects.loading import Pressure as Pressure
    from .effects.loading import Traction as Traction
    from .effects.obstacles import Contact as Contact
    from .effects.tearing import Tearing as Tearing
    from .effects.wind import Wind as Wind
    from .elements.bounding import bounding_tets as bounding_tets
    from .elements.hexes import Hexes as Hexes
    from .elements.lattice import Lattice as Lattice
    from .elements.membrane import Membrane as Membrane
    from .elements.quadratic_tets import QuadraticTets as QuadraticTets
    from .elements.springs import Springs as Springs
    from .elements.tets import Tets as Tets
    from .energy.obstacles import Obstacle as Obstacle
    from .geometry.files import write as write
    from .geometry.grids import cloth_grid as cloth_grid
    from .geometry.grids import tet_grid as tet_grid
    from .geometry.inspect import inspect as inspect
    from .geometry.isosurface import surface as surface
    from .geometry.mesh import EdgeMesh as EdgeMesh
    from .geometry.mesh import PointCloud as PointCloud
    from .geometry.mesh import TetMesh as TetMesh
    from .geometry.mesh import TriMesh as TriMesh
    from .geometry.sdf import (
        Sdf as Sdf,
    )
    from .geometry.sdf import (
        box as box,
    )
    from .geometry.sdf import (
        capsule as capsule,
    )
    from .geometry.sdf import (
        cylinder as cylinder,
    )
    from .geometry.sdf import (
        plane as plane,
    )
    from .geometry.sdf import (
        sphere as sphere,
    )
    from .geometry.sdf import (
        torus as torus,
    )
    from .geometry.stuffing import tetrahedralise as tetrahedralise
    from .geometry.volume import Volume as Volume
    from .integrate.explicit import CentralDifferences as CentralDifferences
    from .integrate.explicit import SymplecticEuler as SymplecticEuler
    from .integrate.schemes import (
        BDF2 as BDF2,
    )
    from .integrate.schemes import (
        HHT as HHT,
    )
    from .integrate.schemes import (
        ImplicitEuler as ImplicitEuler,
    )
    from .integrate.schemes import (
        ImplicitMidpoint as ImplicitMidpoint,
    )
    from .integrate.schemes import (
        LinearAcceleration as LinearAcceleration,
    )
    from .integrate.schemes import (
        Newmark as Newmark,
    )
    from .integrate.schemes import (
        NewmarkTheta as NewmarkTheta,
    )
    from .integrate.schemes import (
        QuasiStatic as QuasiStatic,
    )
    from .inverse.check import check_gradient as check_gradient
    from .inverse.check import gradient as gradient
    from .inverse.fits import fit as fit
    from .inverse.identifiable import identifiable as identifiable
    from .material.corotated import Arap as Arap
    from .material.corotated import Corotated as Corotated
    from .material.corotated import FixedCorotated as FixedCorotated
    from .material.dapd import Dapd as Dapd
    from .material.linear import LinearElastic as LinearElastic
    from .material.neo_hookean import (
        MooneyRivlin as MooneyRivlin,
    )
    from .material.neo_hookean import (
        NeoHookean as NeoHookean,
    )
    from .material.neo_hookean import (
        StableNeoHookean as StableNeoHookean,
    )
    from .material.ogden import Ogden as Ogden
    from .material.plastic import Plastic as Plastic
    from .material.presets import preset as preset
    from .material.stvk import StVenantKirchhoff as StVenantKirchhoff
    from .material.valanis_landel import ValanisLandel as ValanisLandel
    from .output.export import export as export
    from .output.picture import animation as animation
    from .output.picture import filmstrip as filmstrip
    from .output.picture import picture as picture
    from .output.plot import Chart as Chart
    from .output.read import read as read
    from .output.video import video as video
    from .simulate.batch import Batch as Batch
    from .simulate.body import Body as Body
    from .simulate.body import Scene as Scene
    from .simulate.modes import modes as modes
    from .simulate.run import Run as Run
    from .simulate.simulation import Simulation as Simulation
    from .solve.mixed import Mixed as Mixed
    from .solve.newton import Newton as Newton
    from .solve.projective import ProjectiveDynamics as ProjectiveDynamics
    from .solve.quasi_newton import QuasiNewton as QuasiNewton
    from .study.optimise import optimise as optimise
    from .study.sweep import sweep as sweep
    from .view import view as view
    from .view.page import page as page
    from .view.widget import widget as widget

__version__ = "0.2.0"

# name → module that defines it; this list is the public interface
_HOME = {
    # shapes
    "TriMesh": "geometry.mesh",
    "TetMesh": "geometry.mesh",
    "EdgeMesh": "geometry.mesh",
    "PointCloud": "geometry.mesh",
    "Volume": "geometry.volume",
    "Sdf": "geometry.sdf",
    "sphere": "geometry.sdf",
    "box": "geometry.sdf",
    "capsule": "geometry.sdf",
    "cylinder": "geometry.sdf",
    "torus": "geometry.sdf",
    "plane": "geometry.sdf",
    "tet_grid": "geometry.grids",
    "cloth_grid": "geometry.grids",
    "surface": "geometry.isosurface",
    "tetrahedralise": "geometry.stuffing",
    "inspect": "geometry.inspect",
    "read": "output.read",
    "write": "geometry.files",
    # materials
    "LinearElastic": "material.linear",
    "Corotated": "material.corotated",
    "FixedCorotated": "material.corotated",
    "Arap": "material.corotated",
    "StVenantKirchhoff": "material.stvk",
    "NeoHookean": "material.neo_hookean",
    "StableNeoHookean": "material.neo_hookean",
    "MooneyRivlin": "material.neo_hookean",
    "Ogden": "material.ogden",
    "ValanisLandel": "material.valanis_landel",
    "Dapd": "material.dapd",
    "Plastic": "material.plastic",
    "preset": "material.presets",
    # elements
    "Tets": "elements.tets",
    "QuadraticTets": "elements.quadratic_tets",
    "Hexes": "elements.hexes",
    "Membrane": "elements.membrane",
    "Springs": "elements.springs",
    "Lattice": "elements.lattice",
    "bounding_tets": "elements.bounding",
    # solvers and integrators
    "Newton": "solve.newton",
    "QuasiNewton": "solve.quasi_newton",
    "ProjectiveDynamics": "solve.projective",
    "Mixed": "solve.mixed",
    "ImplicitEuler": "integrate.schemes",
    "ImplicitMidpoint": "integrate.schemes",
    "BDF2": "integrate.schemes",
    "HHT": "integrate.schemes",
    "Newmark": "integrate.schemes",
    "NewmarkTheta": "integrate.schemes",
    "LinearAcceleration": "integrate.schemes",
    "QuasiStatic": "integrate.schemes",
    "CentralDifferences": "integrate.explicit",
    "SymplecticEuler": "integrate.explicit",
    # scenes
    "Body": "simulate.body",
    "Scene": "simulate.body",
    "Simulation": "simulate.simulation",
    "Batch": "simulate.batch",
    "Run": "simulate.run",
    "Obstacle": "energy.obstacles",
    "Contact": "effects.obstacles",
    "Hold": "effects.holding",
    "Damping": "effects.damping",
    "Load": "effects.loading",
    "Traction": "effects.loading",
    "Pressure": "effects.loading",
    "Wind": "effects.wind",
    "Tearing": "effects.tearing",
    "Blade": "cut.blade",
    "modes": "simulate.modes",
    # inverse
    "fit": "inverse.fits",
    "gradient": "inverse.check",
    "check_gradient": "inverse.check",
    "identifiable": "inverse.identifiable",
    # studies
    "sweep": "study.sweep",
    "optimise": "study.optimise",
    # output
    "export": "output.export",
    "picture": "output.picture",
    "filmstrip": "output.picture",
    "animation": "output.picture",
    "video": "output.video",
    "page": "view.page",
    "Chart": "output.plot",
    # the browser
    "view": "view",
    "widget": "view.widget",
}

# modules that hold more names, each beside what it is about
_NAMESPACES = (
    "advection",
    "after_cut",
    "contact",
    "course",
    "distributed",
    "embedding",
    "errors",
    "extend",
    "flow",
    "gym",
    "hessian",
    "hold",
    "inverse",
    "joint",
    "linear",
    "looks",
    "meshes",
    "muscles",
    "planar",
    "quadrature",
    "rotations",
    "scenes",
    "sdf",
    "solver",
    "study",
    "tangents",
    "terms",
)
# names that were here before 0.2 → where they are now: for the message, they are not found by it
_MOVED = {
    "rod_grid": "meshes.rod",
    "net_grid": "meshes.net",
    "sphere_mesh": "meshes.sphere",
    "box_mesh": "meshes.box",
    "torus_mesh": "meshes.torus",
    "sdf_from_mesh": "sdf.from_mesh",
    "sdf_from_volume": "sdf.from_volume",
    "sdf_from_points": "sdf.from_points",
    "spindle": "sdf.spindle",
    "SemiLagrange": "advection.SemiLagrange",
    "Shepard": "advection.Shepard",
    "DirectForward": "advection.DirectForward",
    "Fibres": "terms.Fibres",
    "Muscle": "terms.Muscle",
    "StrainLimit": "terms.StrainLimit",
    "VolumePreservation": "terms.VolumePreservation",
    "Moments": "quadrature.Moments",
    "Averaged": "quadrature.Averaged",
    "Gauss": "quadrature.Gauss",
    "Corners": "quadrature.Corners",
    "Centre": "quadrature.Centre",
    "Trilinear": "embedding.Trilinear",
    "Tricubic": "embedding.Tricubic",
    "PCG": "linear.PCG",
    "Direct": "linear.Direct",
    "BlockJacobi": "linear.BlockJacobi",
    "Jacobi": "linear.Jacobi",
    "Cholesky": "linear.Cholesky",
    "SQMR": "linear.SQMR",
    "Block": "linear.Block",
    "Adaptive": "hessian.Adaptive",
    "Projected": "hessian.Projected",
    "Exact": "hessian.Exact",
    "Armijo": "solver.Armijo",
    "Budget": "solver.Budget",
    "EmbeddedMuscle": "muscles.EmbeddedMuscle",
    "FibreField": "muscles.FibreField",
    "Slice": "looks.Slice",
    "RayCast": "looks.RayCast",
    "Report": "extend.Report",
    "PliantError": "errors.PliantError",
    "InputError": "errors.InputError",
    "StepError": "errors.StepError",
    "Linear": "LinearElastic",
    "Pins": "Hold(where)",
    "Attachment": "Hold(where, by=hold.Springs(stiffness))",
    "Rigid": "contact.Rigid",
    "Tether": "Hold(points, by=hold.Springs(stiffness))",
    "Clamp": "Hold(where, by=hold.Weakly())",
}

__all__ = sorted(_HOME)


if not TYPE_CHECKING:  # which would let checkers take any name for one of the package's

    def __getattr__(name: str) -> Any:
        if name in _NAMESPACES:
            return import_module(f".{name}", __name__)
        if name in _HOME:
            from .calls import explained

            module = import_module(f".{_HOME[name]}", __name__)
            value = explained(getattr(module, name), _public)
            globals()[name] = value
            setattr(module, name, value)
            return value
        if name.startswith("__"):  # what tools ask every module for, again and again
            raise AttributeError(f"module 'pliant' has no attribute {name!r}")
        from .errors import did_you_mean

        known = f"; it is now pliant.{_MOVED[name]}" if name in _MOVED else did_you_mean(name, __dir__())
        raise AttributeError(f"module 'pliant' has no attribute {name!r}{known}")


def _drawn(thing: Any) -> Any:
    from .output.notebook import drawn

    return drawn(thing)


def _offer_pictures() -> None:
    """Have a notebook draw meshes, solids, bodies, scenes, simulations and runs that end a cell."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        images = shell.display_formatter.formatters["image/png"]
        for name in ("TriMesh", "TetMesh", "EdgeMesh", "Sdf", "Volume", "Body", "Scene", "Simulation", "Run"):
            images.for_type_by_name(f"{__name__}.{_HOME[name]}", name, _drawn)
        images.for_type_by_name(f"{__name__}.geometry.hex_mesh", "HexMesh", _drawn)
        images.for_type_by_name(f"{__name__}.simulate.modes", "Modes", _drawn)


if "IPython" in sys.modules:
    _offer_pictures()


def __dir__() -> list[str]:
    return [*__all__, *_NAMESPACES, "__version__"]


def _public() -> list[tuple[str, Any]]:
    """Every public name but those of extend, those of namespaces with that of theirs before it, and what it stands for."""
    package = import_module(__name__)
    flat = [(name, getattr(package, name)) for name in _HOME]
    spaces = [(space, getattr(package, space)) for space in _NAMESPACES if space != "extend"]
    return flat + [(f"{space}.{name}", getattr(module, name)) for space, module in spaces for name in module.__all__]
