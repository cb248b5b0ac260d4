"""Soft bodies to pull, squeeze, drop and cut: see README.md. Nothing is compiled or started on import."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# name → module that defines it; this list is the public interface
_HOME = {
    # shapes
    "TriMesh": "geometry.mesh",
    "TetMesh": "geometry.mesh",
    "EdgeMesh": "geometry.mesh",
    "PointCloud": "geometry.mesh",
    "Volume": "geometry.volume",
    "tet_grid": "geometry.grids",
    "cloth_grid": "geometry.grids",
    "rod_grid": "geometry.grids",
    "net_grid": "geometry.grids",
    "sphere_mesh": "geometry.grids",
    "box_mesh": "geometry.grids",
    "torus_mesh": "geometry.grids",
    "Sdf": "geometry.sdf",
    "sphere": "geometry.sdf",
    "box": "geometry.sdf",
    "capsule": "geometry.sdf",
    "cylinder": "geometry.sdf",
    "torus": "geometry.sdf",
    "spindle": "geometry.sdf",
    "plane": "geometry.sdf",
    "sdf_from_mesh": "geometry.distance",
    "sdf_from_volume": "geometry.volume_distance",
    "sdf_from_points": "geometry.points_distance",
    "surface": "geometry.isosurface",
    "SemiLagrange": "geometry.advection",
    "Shepard": "geometry.advection",
    "DirectForward": "geometry.advection",
    "tetrahedralise": "geometry.stuffing",
    "stuffing_report": "geometry.stuffing",
    "inspect": "geometry.inspect",
    "read": "geometry.files",
    "write": "geometry.files",
    # materials
    "Linear": "material.linear",
    "Corotated": "material.corotated",
    "FixedCorotated": "material.corotated",
    "Arap": "material.corotated",
    "StVenantKirchhoff": "material.stvk",
    "NeoHookean": "material.neo_hookean",
    "StableNeoHookean": "material.neo_hookean",
    "MooneyRivlin": "material.neo_hookean",
    "Ogden": "material.ogden",
    "ValanisLandel": "material.valanis_landel",
    "Fibres": "material.fibres",
    "Muscle": "material.fibres",
    "StrainLimit": "material.projective",
    "VolumePreservation": "material.projective",
    # elements
    "Tets": "elements.tets",
    "Membrane": "elements.membrane",
    "Springs": "elements.springs",
    "Lattice": "elements.lattice",
    "Moments": "elements.quadrature",
    "Averaged": "elements.quadrature",
    "Gauss": "elements.quadrature",
    "Corners": "elements.quadrature",
    "Centre": "elements.quadrature",
    "FibreField": "elements.fibre_field",
    "Trilinear": "elements.embedding",
    "Tricubic": "elements.embedding",
    # solvers and integrators
    "PCG": "linear.pcg",
    "Direct": "linear.direct",
    "SQMR": "linear.sqmr",
    "Block": "linear.block",
    "Newton": "solve.newton",
    "Mixed": "solve.mixed",
    "Adaptive": "solve.newton",
    "Projected": "solve.newton",
    "Exact": "solve.newton",
    "Armijo": "solve.line_search",
    "QuasiNewton": "solve.quasi_newton",
    "Budget": "solve.budget",
    "ProjectiveDynamics": "solve.projective",
    "ImplicitEuler": "integrate.schemes",
    "ImplicitMidpoint": "integrate.schemes",
    "BDF2": "integrate.schemes",
    "Newmark": "integrate.schemes",
    "NewmarkTheta": "integrate.schemes",
    "QuasiStatic": "integrate.schemes",
    "SymplecticEuler": "integrate.symplectic",
    # scenes
    "Body": "simulate.body",
    "Pins": "simulate.body",
    "Clamp": "simulate.body",
    "Attachment": "simulate.body",
    "Tether": "simulate.body",
    "Load": "simulate.body",
    "Traction": "simulate.body",
    "Pressure": "simulate.body",
    "EmbeddedMuscle": "simulate.muscles",
    "Damping": "simulate.body",
    "Contact": "simulate.body",
    "Scene": "simulate.body",
    "Obstacle": "energy.obstacles",
    "Simulation": "simulate.simulation",
    "Batch": "simulate.batch",
    "Run": "simulate.run",
    "Report": "solve.report",
    # output
    "export": "output.export",
    "read_run": "output.formats.npz",
    "picture": "output.picture",
    "filmstrip": "output.picture",
    "animation": "output.picture",
    "video": "output.video",
    "Slice": "output.looks",
    "RayCast": "output.looks",
    "page": "output.page",
    "Chart": "output.plot",
    # the browser
    "view": "view",
    "widget": "view.widget",
    # errors
    "PliantError": "errors",
    "InputError": "errors",
    "StepError": "errors",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    from .errors import did_you_mean

    raise AttributeError(f"module 'pliant' has no attribute {name!r}{did_you_mean(name, __all__)}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
