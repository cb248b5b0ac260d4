"""Every public constructor and function against a table of bad values: taken, or refused with a sentence, and never a bare error.

What an annotation rules out (text or NaN for a float, 1 for a bool) must be refused. A new public name needs a good call here.
"""

import atexit
import inspect
import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from every import check_every

import pliant as pl
from pliant.errors import LONGEST

PUBLIC = dict(pl._public())  # those of namespaces with that of theirs before it
NAN, INF = float("nan"), float("inf")
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
TETS = pl.tet_grid((1, 1, 1), (1, 1, 1))
HEXES = pl.meshes.hex_box((1, 1, 1), (1, 1, 1))
CLOTH = pl.cloth_grid((1, 1), (1, 1))
ROD = pl.meshes.rod((0, 0, 0), (1, 0, 0), 2)
BALL = pl.sphere(1.0)
SCAN = pl.Volume(np.pad(np.ones((4, 4, 4)), 3), 0.1)
CLOUD = pl.PointCloud((ball := pl.meshes.sphere(1.0, 1)).vertices, ball.vertices)
SOFT = pl.Corotated(young=1e4)
BODY = pl.Body(TETS, SOFT)
SCENE = pl.Scene(BODY)


class Rude:
    """A stranger's object, whose every method raises."""

    def __array__(self, *_, **__):
        raise KeyError("no")

    def __bool__(self):
        raise ValueError("no")

    def __eq__(self, other):
        raise IndexError("no")

    __hash__ = None


def raises(*_, **__):
    raise ZeroDivisionError("mine")


def values() -> dict[str, object]:
    """The bad values, and some that are odd but fine somewhere."""
    seeded = np.random.default_rng(7)
    return {
        "None": None, "True": True, "text": "soft", "empty text": "", "bytes": b"1", "nan": NAN, "inf": INF,
        "-1": -1, "0": 0, "-0.5": -0.5, "10**29": 10**29, "10**400": 10**400, "1e308": 1e308, "1e-320": 1e-320, "1j": 1j,
        "[]": [], "()": (), "ragged": [1, [2, 3]], "{}": {}, "object": object(), "class": dict, "rude": Rude(),
        "function": raises, "numpy": np.float32(2), "numpy int": np.int8(3), "numpy bool": np.True_,
        "matrix": np.full((2, 2), 5.0), "text array": np.array(["a", "b", "c"]), "objects": np.array([None, 1, "a"], object),
        "long": np.zeros(1000), "two": (1.0, 2.0), "nans": (NAN, 0, 0), "huge": (1e308, 0, 0), "mesh": TETS, "sdf": BALL,
        "law": SOFT, "escape": "\x1b[2J\n" * 9, "random": seeded.normal(size=(3, 5)), "set": {1, 2}, "path": Path("none"),
    }  # fmt: skip


VALUES = values()
# annotation → values that it rules out wherever it stands alone
RULED_OUT = {
    "float": ("None", "True", "text", "bytes", "nan", "10**400", "1j", "[]", "ragged", "{}", "object", "rude", "two", "law"),
    "int": ("None", "True", "text", "nan", "inf", "-0.5", "10**400", "1j", "[]", "ragged", "object", "rude", "two", "law"),
    "bool": ("None", "text", "nan", "-1", "[]", "object", "rude", "two", "1j"),
    "Sequence[float]": ("True", "text", "nan", "10**29", "ragged", "nans", "huge", "matrix", "text array", "rude", "law"),
    "Sdf": ("None", "True", "text", "nan", "[]", "object", "rude", "law", "mesh"),
    "TriMesh": ("None", "text", "object", "rude", "sdf", "mesh"),
    "str": ("True", "nan", "[]", "object", "rude", "law"),
}  # fmt: skip
# public name → arguments of a call that is fine
GOOD = {
    "TriMesh": {"vertices": CORNERS, "triangles": [[0, 1, 2]], "looks": None},
    "TetMesh": {"vertices": CORNERS, "tets": [[0, 1, 2, 3]], "regions": [0]},
    "EdgeMesh": {"vertices": CORNERS, "edges": [[0, 1]]},
    "PointCloud": {"vertices": CORNERS, "normals": np.ones((4, 3))},
    "Volume": {"values": np.ones((2, 2, 2)), "spacing": 0.1, "origin": (0, 0, 0), "axes": np.eye(3)},
    "tet_grid": {"size": (1, 1, 1), "cells": (1, 1, 1), "tets_per_cell": 5, "origin": (0, 0, 0)},
    "cloth_grid": {"size": (1, 1), "cells": (1, 1), "origin": (0, 0, 0)},
    "meshes.from_labels": {"volume": SCAN, "labels": [1], "edge": 0.2, "grading": 1.0, "smooth": None},
    "meshes.rod": {"start": (0, 0, 0), "end": (1, 0, 0), "segments": 2},
    "meshes.net": {"size": (1, 1), "cells": (2, 2), "bend": True, "origin": (0, 0, 0)},
    "meshes.sphere": {"radius": 1.0, "subdivisions": 1, "centre": (0, 0, 0)},
    "meshes.box": {"size": (1, 1, 1), "centre": (0, 0, 0)},
    "meshes.torus": {"major": 1.0, "minor": 0.3, "segments": 8, "sides": 5, "centre": (0, 0, 0)},
    "Sdf": {"program": BALL.program},
    "sphere": {"radius": 1.0, "centre": (0, 0, 0)},
    "box": {"size": (1, 1, 1), "centre": (0, 0, 0)},
    "capsule": {"start": (0, 0, 0), "end": (1, 0, 0), "radius": 0.1},
    "cylinder": {"start": (0, 0, 0), "end": (1, 0, 0), "radius": 0.1},
    "torus": {"major": 1.0, "minor": 0.3, "centre": (0, 0, 0), "axis": (0, 0, 1)},
    "sdf.spindle": {"start": (0, 0, 0), "end": (1, 0, 0), "radius": 0.1},
    "plane": {"point": (0, 0, 0), "normal": (0, 0, 1)},
    "sdf.from_mesh": {"mesh": ball, "spacing": 0.5},
    "sdf.from_volume": {"volume": SCAN, "label": 1, "smooth": 1.0, "spacing": 0.1},
    "sdf.from_points": {"cloud": CLOUD, "spacing": 0.3, "smooth": 1.5},
    "surface": {"sdf": BALL, "spacing": 0.5},
    "sdf.SemiLagrange": {},
    "sdf.Shepard": {"radius": 2.0},
    "sdf.DirectForward": {"radius": 2.0, "samples": 2, "sharpen": True},
    "tetrahedralise": {"shape": BALL, "edge": 0.5, "grading": 1.0},
    "meshes.bounding_tets": {"surface": pl.meshes.box((1, 1, 1)), "cells": 1, "fit": 0,
                      "touching": pl.meshes.box((1, 1, 1))},
    "inspect": {"mesh": TETS, "sliver_degrees": 1.0, "flat": 1e-9},
    "read": {"path": "none.stl", "limit": 1e6, "up": "y", "unit": "mm", "size": 0.1},
    "write": {"mesh": TETS, "path": "none/a.msh", "text": True},
    "LinearElastic": {"density": 1.0, "young": 1.0, "poisson": 0.3},
    "Corotated": {"density": 1.0, "young": 1.0, "poisson": 0.3, "tangent": pl.rotations.Exact()},
    "Dapd": {"density": 1.0, "young": 1.0, "poisson": 0.3, "rotation": pl.rotations.QR(), "tangent": pl.rotations.Warped()},
    "rotations.Exact": {}, "rotations.Truncated": {}, "rotations.Warped": {}, "rotations.Hybrid": {},
    "rotations.Smooth": {"threshold": 0.1, "push": 1.0, "beyond": 0.0, "power": 2.0}, "rotations.Project": {},
    "rotations.Reflect": {}, "rotations.Polar": {}, "rotations.QR": {}, "rotations.Identity": {},
    "FixedCorotated": {"density": 1.0, "young": 1.0, "poisson": 0.3},
    "Arap": {"density": 1.0, "young": 1.0, "poisson": 0.0},
    "StVenantKirchhoff": {"density": 1.0, "young": 1.0, "poisson": 0.3},
    "NeoHookean": {"density": 1.0, "young": 1.0, "poisson": 0.3},
    "StableNeoHookean": {"density": 1.0, "young": 1.0, "poisson": 0.3},
    "MooneyRivlin": {"density": 1.0, "young": 1.0, "poisson": 0.4, "split": 0.2},
    "Ogden": {"density": 1.0, "young": 1.0, "poisson": 0.3, "exponents": (2.0,), "weights": (1.0,)},
    "Plastic": {"law": pl.Corotated(young=1.0), "yield_stress": 1.0, "hardening": 0.0, "creep_time": 0.0, "limit": 1.0,
                "flow": pl.plasticity.Additive()},
    "refactor.Background": {"steps": 2, "eager": True}, "refactor.Bordered": {"copies": 8},
    "refactor.Kept": {}, "refactor.Updated": {},
    "plasticity.Additive": {}, "plasticity.Multiplicative": {},
    "ValanisLandel": {"density": 1.0, "a": lambda x: x - 1, "stretch": (0.5, 2.0)},
    "laws.Fibres": {"stiffness": 1.0, "direction": (1, 0, 0)},
    "laws.Muscle": {"activation": 0.5, "direction": (1, 0, 0)},
    "laws.StrainLimit": {"density": 1.0, "stiffness": 1.0},
    "laws.VolumePreservation": {"density": 1.0, "stiffness": 1.0},
    "Tets": {"mesh": TETS},
    "QuadraticTets": {"mesh": TETS.quadratic()},
    "Hexes": {"mesh": HEXES, "volume": None},
    "meshes.Looks": {"sizes": [3], "corners": [0, 1, 2], "uv": None, "smooth": None, "colours": None, "finish": None,
                     "finishes": (), "part": None, "parts": ()},
    "meshes.Finish": {"name": "red", "colour": (1, 0, 0, 1), "metallic": 0.0, "roughness": 0.5, "texture": "", "image": None},
    "meshes.Group": {"name": "clamp", "nodes": [0, 1, 2], "faces": [[0, 1, 2]], "cells": [0]},
    "meshes.HexMesh": {"vertices": HEXES.vertices, "hexes": HEXES.hexes, "regions": None},
    "meshes.hex_box": {"size": (1, 1, 1), "cells": (1, 1, 1), "origin": (0, 0, 0)},
    "planar.Triangles": {"mesh": CLOTH, "thickness": 0.01},
    "planar.Squares": {"shape": BALL, "spacing": 0.5, "thickness": 0.01, "origin": (0, 0, 0), "volume": None},
    "planar.PlaneStrain": {}, "planar.PlaneStress": {},
    "Membrane": {"mesh": CLOTH, "thickness": 0.01, "bending": True},
    "Springs": {"mesh": ROD, "radius": 0.01},
    "contact.Rigid": {"shape": ball, "density": 1.0, "mass": None, "stiffness": 1e9, "spacing": None},
    "contact.Inertia": {"mass": 1.0, "centre": (0, 0, 0), "tensor": np.eye(3)},
    "scenes.read": {"path": "none.urdf", "joints": None, "packages": None, "free": True},
    "quadrature.Moments": {"printed": False, "samples": 0},
    "quadrature.Averaged": {"measure": None, "aggregate": False, "incompressible": False},
    "quadrature.Gauss": {}, "quadrature.Corners": {}, "quadrature.Centre": {},
    "embedding.Trilinear": {}, "embedding.Tricubic": {},
    "muscles.FibreField": {"shape": BALL, "spacing": 0.5, "start": (-1, 0, 0), "end": (1, 0, 0)},
    "render.Slice": {"normal": (0, 0, 1), "point": (0, 0, 0)},
    "render.RayCast": {},
    "render.Chart": {"title": "a", "x_label": "a", "y_label": "b", "x_unit": "m", "y_unit": "s", "log_x": False, "log_y": True,
              "size": (64, 40), "series": ()},
    "gym.Reach": {},
}  # fmt: skip
LEFT_OUT = {f"errors.{name}" for name in pl.errors.__all__}  # they take any text
LEFT_OUT |= {
    "inverse.Gradient",
    "inverse.Fit",
    "inverse.GradientCheck",
    "inverse.Identifiable",
}  # made by adjoints, fits and readers
LEFT_OUT |= {
    "inverse.Observation",
    "inverse.Residual",
    "inverse.BoundObservation",
    "inverse.Loss",
}  # what observations of one's own are made of
LEFT_OUT |= {"gym.Task", "gym.vector", "gym.single"}  # derived from, and slow to make: tests/learn
LEFT_OUT |= {"distributed.dask", "distributed.slurm"}  # which ask other machines: tests/test_distributed.py
LEFT_OUT |= {"view", "widget", "Batch"}  # slow to make; tests/view and tests/simulate refuse what cannot be used


def run() -> pl.Run:
    """A run of two moments, made once."""
    if not _made:
        _made.append(pl.Simulation(SCENE, pl.ImplicitEuler(dt=0.01)).run(0.02))
    return _made[0]


_made: list[pl.Run] = []
SOLVED = {"dt": 0.01, "solver": pl.Newton()}
DRAWN = {
    "path": "none/a.png",
    "size": (40, 30),
    "view": (-58.0, 18.0),
    "samples": 1,
    "wire": False,
    "limits": (0.0, 1.0),
    "look": None,
}
CAMERA = pl.inverse.Camera.looking((4, 0.5, 0.5), (0, 0.45, 0.45), (3, 3), focal=9.0)
SEEN = {"frames_per_second": 9.0, "noise": 0.1, "holes": 0.1, "seed": 0, "start": 0.0}
PLACED = {"sigma": 1.0, "delay": 0.0, "rotation": (0, 0, 0), "shift": (0, 0, 0)}
GOOD |= {
    "Lattice": {"shape": BALL, "spacing": 0.9, "quadrature": pl.quadrature.Gauss(),
                "origin": (0, 0, 0), "volume": None, "refine": 1},
    "linear.PCG": {"assembled": True, "iterations": 5}, "linear.Direct": {}, "linear.BlockJacobi": {},
    "linear.Jacobi": {}, "linear.Cholesky": {}, "linear.SparseInverse": {},
    "linear.TwoLevel": {"aggregates": 4},
    "linear.AsyncCholesky": {"steps": 4, "eager": True, "through_cuts": True}, "linear.Block": {},
    "linear.SQMR": {"iterations": 5, "preconditioner": pl.linear.Block()}, "linear.GMRES": {"iterations": 5, "restart": 3},
    "solver.Adaptive": {}, "solver.Projected": {}, "solver.Exact": {},
    "solver.WholeStep": {}, "solver.LinearlyImplicit": {"tolerance": 0.1, "linear": pl.linear.Direct()},
    "solver.Armijo": {"shrink": 0.5, "slope": 0.03, "least": 1e-10},
    "Newton": {"tolerance": 1e-4, "iterations": 5, "hessian": pl.solver.Exact(), "linear": pl.linear.Direct(),
               "line_search": pl.solver.Armijo()},
    "Mixed": {"tolerance": 1e-4, "iterations": 5, "order": 2, "weights": "filled", "definiteness": "adaptive",
             "linear": pl.linear.SQMR(),
              "alpha": 1.0, "line_search": pl.solver.Armijo()},
    "QuasiNewton": {"iterations": 5, "window": 5, "tolerance": 1e-4, "line_search": pl.solver.Armijo(),
                    "after_cut": pl.refactor.Background(), "linear": pl.linear.SparseInverse()},
    "solver.Distance": {"share": 1e-4, "least": 1e-6},
    "solver.Budget": {"seconds": 0.01, "least": 1, "most": 9},
    "ProjectiveDynamics": {"iterations": 5, "tolerance": 1e-4, "linear": pl.linear.SparseInverse()},
    "ImplicitEuler": SOLVED, "ImplicitMidpoint": SOLVED, "BDF2": SOLVED, "QuasiStatic": SOLVED, "HHT": SOLVED | {"alpha": 0.1},
    "Newmark": SOLVED | {"beta": 0.25, "gamma": 0.5}, "NewmarkTheta": SOLVED | {"theta": 0.6},
    "LinearAcceleration": SOLVED | {"check_every": 9}, "SymplecticEuler": {"dt": 1e-4, "check_every": 9},
    "CentralDifferences": {"dt": 1e-4, "check_every": 9},
    "Body": {"shape": TETS, "material": SOFT, "pinned": [0], "surface": CLOTH, "effects": (), "damping": pl.Damping(),
             "velocity": (0, 0, 0), "name": "a"},
    "preset": {"name": "jelly"},
    "modes": {"of": SCENE, "count": 1},
    "Hold": {"where": [0], "motion": None, "by": pl.hold.Rigidly(), "name": "clamp"}, "hold.Rigidly": {"axes": "xyz"},
    "hold.Springs": {"stiffness": 1.0}, "hold.Weakly": {"eta": 1.0},
    "Load": {"force": (0, 0, 1), "where": [0], "course": None},
    "Traction": {"stress": (0, 0, 1), "where": [0], "course": None},
    "Pressure": {"pascals": 1.0, "course": None},
    "Wind": {"velocity": (1.0, 0, 0), "drag": 1.0, "lift": 0.5, "density": 1.2, "where": [0], "course": None},
    "schedule.Table": {"times": [0.0, 1.0], "values": [0.0, 2.0]},
    "schedule.Keyframes": {"times": [0.0, 1.0], "offsets": [[0, 0, 0], [0, 0, 1.0]], "turns": [0.0, 90.0], "axis": (0, 0, 1),
                  "about": (0, 0, 0)},
    "Tearing": {"stretch": 1.2, "stress": None, "toughness": 0.0, "noise": 0.1, "seed": 1, "where": [0]},
    "Blade": {"path": CORNERS[:2], "depth": 0.5, "into": (0, 0, -1)},
    "muscles.EmbeddedMuscle": {"shape": BALL, "fibres": (1, 0, 0), "activation": 0.1, "peak_stress": 3e5,
                       "optimal_stretch": 1.0, "name": "a"},
    "Damping": {"mass": 0.1, "stiffness": 0.1, "viscosity": 0.1},
    "Contact": {"friction": 0.3, "stiffness": 1.0, "smoothing": 0.01, "thickness": False, "response": None,
                "fallback": None, "pairs": [pl.contact.Pair("a", "b")], "restitution": 0.5,
                "self_contact": None, "start": None},
    "contact.Barrier": {"reach": 0.01, "pressure": 1e4, "slip": 1e-5},
    "contact.Complementarity": {"gap": 0.01, "tolerance": 1e-3, "sweeps": 9, "refresh": 2, "recursions": 2, "joints": (),
                                "compliance": pl.contact.Dense(), "patches": False},
    "contact.Intersection": {"stiffness": 1e6, "recovery": 1.0, "damping": 0.01},
    "contact.Anisotropic": {"along": 0.1, "across": 0.5, "direction": (1, 0, 0)},
    "contact.Parting": {"gap": 1e-3},
    "contact.SelectedInverse": {"reuse": True}, "contact.Dense": {}, "contact.MatrixFree": {},
    "contact.Weld": {"one": "a", "points": [(0, 0, 0)], "other": "b"},
    "contact.Needle": {"body": "a", "tip": lambda t: (0, 0, t), "direction": (0, 0, 1), "spacing": 0.1, "friction": 0.1,
                       "hold": 1.0, "cut": 1.0},
    "contact.Slide": {"one": "a", "line": [(0, 0, 0), (0, 0, 1)], "other": "b", "points": [(0, 0, 0)], "friction": 0.1,
                      "hold": 1.0},
    "joint.Ball": {"one": "a", "other": "b", "point": (0, 0, 0), "name": "c", "tolerance": 1e-6, "touch": False},
    "joint.Hinge": {"one": "a", "other": "b", "point": (0, 0, 0), "axis": (0, 0, 1), "limits": (-1.0, 1.0), "motor": None,
                    "name": "c", "tolerance": 1e-6},
    "joint.Slider": {"one": "a", "other": "b", "point": (0, 0, 0), "axis": (0, 0, 1), "limits": (-1.0, 1.0), "motor": None,
                     "name": "c", "tolerance": 1e-6},
    "joint.Weld": {"one": "a", "other": "b", "points": [(0, 0, 0)], "name": "c", "tolerance": 1e-6},
    "joint.Motor": {"torque": 1.0, "target": 0.1, "stiffness": 1.0, "damping": 0.1},
    "joint.Tendon": {"path": [("a", (0, 0, 0)), (1, 0, 0)], "tension": 1.0, "length": None, "name": "c", "tolerance": 1e-6},
    "contact.Pair": {"first": "a", "second": ["b", "c *"], "friction": 0.3, "touch": True},
    "contact.Automatic": {"hardness": 30.0, "reach": 0.01},
    "contact.Penalty": {"hardness": 30.0, "reach": 0.01},
    "Scene": {"bodies": [BODY], "obstacles": (), "gravity": (0, 0, 0), "contact": pl.Contact(), "effects": (), "joints": ()},
    "Obstacle": {"shape": BALL, "motion": None, "name": "a"},
    "Simulation": {"scene": SCENE, "integrator": None, "device": "cpu", "precision": "f64", "threads": 1},
    "inverse.Adjoint": {"sim": pl.Simulation(SCENE), "keep_every": 2, "linear": pl.linear.Direct(), "tolerance": 1e-9},
    "inverse.Free": {"low": 1.0, "high": 2.0, "log": True, "prior": (1.5, 0.1), "spatial_prior": None},
    "inverse.Smooth": {"deviation": 0.1}, "inverse.TotalVariation": {"deviation": 0.1, "rounding": 0.01},
    "inverse.NodePositions": {"positions": np.zeros((2, 8, 3)), "nodes": None, "every": 1, "sigma": 1.0, "delay": 0.0},
    "inverse.Markers": PLACED | {"positions": np.zeros((2, 4, 3)), "times": [0, 1], "at": np.zeros((4, 3)), "names": list("abcd"),
                                 "body": 0, "loss": pl.inverse.Quadratic()},
    "inverse.UnlabelledMarkers": PLACED | {"positions": np.zeros((2, 4, 3)), "times": [0, 1], "at": np.zeros((4, 3)), "body": 0,
                                           "loss": pl.inverse.Quadratic()},
    "inverse.Clouds": PLACED | {"points": [np.zeros((9, 3))], "times": [0], "bodies": [0], "loss": pl.inverse.Quadratic()},
    "inverse.SparsePoints": PLACED | {"points": [np.zeros((9, 3))], "times": [0], "body": 0, "loss": pl.inverse.Quadratic()},
    "inverse.LevelSets": PLACED | {"shapes": [BALL], "times": [0], "spacing": 0.5, "width": 0.5, "body": 0},
    "inverse.Camera": {"size": (3, 2), "focal": 3.0, "pose": np.eye(4), "centre": (1.0, 0.5)},
    "inverse.DepthImages": PLACED | {"images": np.ones((1, 3, 3)), "camera": CAMERA, "times": [0], "bodies": [0],
                                     "loss": pl.inverse.Quadratic()},
    "inverse.PinForces": {"forces": np.ones((1, 3)), "times": [0], "where": [0], "body": 0, "sigma": 1.0, "delay": 0.0},
    "inverse.photographed": {"run": None, "camera": CAMERA} | SEEN, "inverse.scanned": {"run": None, "cameras": [CAMERA]} | SEEN,
    "inverse.read_clouds": {"pattern": "none/*.ply", "frames_per_second": 9.0, "unit": 1.0, "start": 0.0},
    "inverse.read_depths": {"pattern": "none/*.png", "camera": CAMERA, "frames_per_second": 9.0, "unit": 1.0, "start": 0.0},
    "inverse.read_markers": {"path": "none.csv", "frames_per_second": 9.0, "unit": 1.0},
    "inverse.Quadratic": {}, "inverse.Huber": {"width": 0.1}, "inverse.GemanMcClure": {"width": 0.1, "far": 0.1},
    "inverse.aligned": {"seen": np.eye(3), "at": np.eye(3)},
    "inverse.ObservationSet": {"sim": pl.Simulation(SCENE), "observations": pl.inverse.NodePositions(np.zeros((2, 8, 3))),
                               "jacobians": True},
    "inverse.identifiable": {"sim": pl.Simulation(SCENE), "observed": pl.inverse.NodePositions(np.zeros((2, 8, 3))),
                     "free": {(0, "young"): pl.inverse.Free(1e3, 1e7)}},
    "fit": {"sim": pl.Simulation(SCENE), "observed": pl.inverse.NodePositions(np.zeros((2, 8, 3))),
                    "optimiser": pl.inverse.LBFGS(1),
                    "free": {(None, "gravity"): pl.inverse.Free(-10.0, 10.0)}, "keep_every": 1, "checkpoint": None,
                    "confidence": False, "progress": False, "fps": None},
    "inverse.coarse_to_fine": {"sims": [pl.Simulation(SCENE)], "observed": pl.inverse.NodePositions(np.zeros((2, 8, 3))),
                               "optimiser": pl.inverse.LBFGS(1), "free": {(None, "gravity"): pl.inverse.Free(-10.0, 10.0)},
                               "checkpoint": None, "progress": False, "fps": None},
    "inverse.Motion": {"sim": pl.Simulation(SCENE), "free": [(None, "gravity")], "steps": 1, "keep_every": 1},
    "inverse.gradient": {"sim": pl.Simulation(SCENE), "cost": lambda k, x, v: (0.0, None, None), "free": [(None, "gravity")],
                         "steps": 1, "keep_every": 1},
    "inverse.check_gradient": {"sim": pl.Simulation(SCENE), "cost": lambda k, x, v: (0.0, None, None), "steps": 1,
                               "free": [(None, "gravity")], "widths": (1e-3, 1e-4)},
    "inverse.LBFGS": {"iterations": 5, "tolerance": 1e-3},
    "inverse.GaussNewton": {"iterations": 5, "tolerance": 1e-3, "damping": 1e-3},
    "inverse.BarzilaiBorwein": {"iterations": 5, "tolerance": 1e-3, "first": 0.1, "memory": 3},
    "inverse.MultiStart": {"optimiser": pl.inverse.LBFGS(1), "starts": 3, "keep": 2, "seed": 1},
    "export": {"run": None, "path": "none/a.npz", "frames": None, "colour": None, "skin": False},
    "picture": DRAWN | {"run": None, "frame": -1, "colour": None, "title": None},
    "filmstrip": DRAWN | {"run": None, "frames": 2, "colour": None},
    "animation": DRAWN | {"run": None, "fps": 9.0, "colour": None, "title": None},
    "video": DRAWN | {"path": "none/a.mp4", "run": None, "fps": 9.0, "colour": None, "title": None},
    "page": {"run": None, "path": "none/a.html", "colours": None, "title": "a", "fps": 9.0, "view": (-58.0, 18.0), "look": None},
}  # fmt: skip
_TOLD = pl.Simulation(SCENE).frame()
_STUDY = {"make": lambda n: n, "seconds": 1.0, "executor": None, "runs": None}
GOOD |= {
    "Run": {"times": [0.0], "chapters": _TOLD.chapters, "props": (), "energies": {}, "reports": (), "step_seconds": [],
            "dt": 0.0, "wrenches": {}},
    "scenes.Contents": {"path": "a.urdf", "bodies": (BODY,), "obstacles": (pl.Obstacle(BALL),), "gravity": (0, 0, -9.8),
                        "friction": 0.5, "dt": None, "poses": {}, "left_out": ()},
    "inverse.Tracks": {"positions": np.zeros((2, 1, 3)), "times": [0.0, 1.0], "names": ("a",)},
    "inverse.Bootstrap": {"values": {}, "intervals": {}},
    "sweep": _STUDY | {"parameters": {"n": [1, 2]}, "measure": {"same": float}, "store": None, "progress": False},
    "optimise": _STUDY | {"space": {"n": (0.0, 1.0)}, "cost": float, "study": None, "trials": 1},
    "study.LatinHypercube": {"space": {"n": (0.0, 1.0)}, "count": 4, "seed": 1},
    "study.Sobol": {"space": {"n": (0.0, 1.0)}, "count": 4, "seed": 1},
    "study.Random": {"space": {"n": (0.0, 1.0)}, "count": 4, "seed": 1},
    "study.Runs": {"together": 8, "frames_per_second": 30.0, "integrator": None, "device": "cpu", "precision": "f64"},
    "study.page": {"found": "none", "path": "none/a.html", "title": "a"},
    "distributed.processes": {"workers": 1, "gpus": None},
    "distributed.joblib": {"workers": 1, "backend": "threading"},
}  # fmt: skip
OUTPUTS = ("export", "picture", "filmstrip", "animation", "video", "page", "photographed", "scanned")


def outcome(call, arguments) -> str:
    """ "refused" or "taken"; anything but an InputError of one sentence is let through and fails the test."""
    try:
        call(**arguments)
    except pl.errors.InputError as error:
        assert "\n" not in str(error) and len(str(error)) <= LONGEST
        return "refused"
    return "taken"


def room(name: str) -> str:
    """The folder or module of the package that a public name comes from."""
    return PUBLIC[name].__module__.removeprefix("pliant.").partition(".")[0]


ROOMS = sorted({room(name) for name in GOOD})


def test_no_public_name_escapes():
    assert set(PUBLIC) - GOOD.keys() - LEFT_OUT == set()


@pytest.mark.parametrize("home", ROOMS)
def test_the_good_calls_are(home):
    check_every([name for name in GOOD if room(name) == home], check_good)


def check_good(name: str) -> None:
    arguments = GOOD[name]
    if name.split(".")[-1] in OUTPUTS:
        arguments = arguments | {"run": run()}
    if not any(str(v).startswith("none") for v in arguments.values()):
        assert outcome(PUBLIC[name], arguments) == "taken"


@pytest.mark.parametrize("home", sorted({room(name) for name, good in GOOD.items() if good}))
def test_bad_values(home, tmp_path, monkeypatch):
    def check(case: tuple[str, str]) -> None:
        (folder := tmp_path / "-".join(case)).mkdir()
        monkeypatch.chdir(folder)
        check_values(*case)

    check_every([(name, argument) for name in GOOD if room(name) == home for argument in GOOD[name]], check)


def check_values(name: str, argument: str) -> None:
    call, good = PUBLIC[name], GOOD[name]
    if call.__name__ in OUTPUTS:
        good = good | {"run": run()}
    kind = str(inspect.signature(call).parameters[argument].annotation).replace("np.ndarray", "array")
    bare, taken = [], []
    for label, value in VALUES.items():
        try:
            if outcome(call, good | {argument: value}) == "taken" and label in RULED_OUT.get(kind, ()):
                taken.append(label)
        except Exception as error:
            bare.append(f"{label}: {type(error).__name__}: {str(error)[:60]}")
    assert not bare and not taken, f"{kind}: bare {bare}, taken {taken}"


def mesh_file() -> Path:
    """A file that holds a mesh, made once."""
    file = Path(tempfile.gettempdir(), f"pliant-mesh-{os.getpid()}.obj")
    if not file.exists():
        pl.write(pl.meshes.sphere(1.0, 1), file)
        atexit.register(file.unlink)
    return file


def held(**given) -> object:
    return pl.Simulation(SCENE).grab(0, (0, 0, 1), **given)


TEXTS = ("path", "title", "x_label", "y_label", "x_unit", "y_unit")
SILENT = {  # once taken without a word
    "a huge normal": lambda: pl.plane(normal=(1e300, 0, 0)),
    "no program": lambda: pl.Sdf(()),
    "moduli in two dimensions": lambda: pl.Corotated(young=[[1e4, 1e4]]),
    "text for bend": lambda: pl.meshes.net((1, 1), (2, 2), bend="no"),
    "a hand of nan": lambda: held(handle=NAN),
    "a mesh of all space": lambda: pl.TetMesh(CORNERS * 1e308, [[0, 1, 2, 3]]),
    "a condition that raises": lambda: pl.Body(TETS, SOFT, pinned=raises),
    "a number beside a solid": lambda: BALL | 1,
    "ragged sizes": lambda: pl.box([1, [2, 3]]),
    "true iterations": lambda: pl.Newton(iterations=True),
    **{
        f"{label} for {name}": lambda call=call, value=VALUES[label]: call(value)
        for name, call in {
            "a line search": lambda value: pl.QuasiNewton(line_search=value),
            "the motion of an obstacle": lambda value: pl.Obstacle(BALL, value),
            "the name of an obstacle": lambda value: pl.Obstacle(BALL, None, value),
            "the motion of a hold": lambda value: pl.Hold([0], value),
            "the course of a load": lambda value: pl.Load((0, 0, 1), [0], course=value),
            "the course of a pressure": lambda value: pl.Pressure(1.0, course=value),
            "the course of a wind": lambda value: pl.Wind((1, 0, 0), course=value),
            "an axis": lambda value: pl.read(mesh_file(), up=value),
            "a grab": lambda value: pl.Simulation(SCENE).release(value),
            "what has a force": lambda value: pl.Simulation(SCENE).force(value),
            "what has a torque": lambda value: pl.Simulation(SCENE).torque(value),
            "a field": lambda value: pl.Simulation(SCENE).field(value),
            "a field at points": lambda value: pl.Simulation(SCENE).at([[0.5, 0.5, 0.5]], value),
            "progress": lambda value: pl.Simulation(SCENE).run(0.01, progress=value),
            "success": lambda value: pl.Simulation(SCENE).run(0.01, must_succeed=value),
            "limits": lambda value: pl.picture(run(), "none/a.png", limits=value),
            "names": lambda value: pl.picture(run(), "none/a.png", names=value),
            "a title": lambda value: pl.picture(BALL, "none/a.png", title=value),
            "a title of a film": lambda value: pl.animation(run(), "none/a.png", fps=100.0, title=value),
            "bodies of clouds": lambda value: pl.inverse.Clouds([np.zeros((9, 3))], [0], bodies=value),
            "bodies of images": lambda value: pl.inverse.DepthImages(np.ones((1, 3, 3)), CAMERA, [0], bodies=value),
            "nodes that were observed": lambda value: pl.inverse.NodePositions(np.zeros((2, 8, 3)), nodes=value),
            "nodes of a grip": lambda value: pl.inverse.PinForces(np.ones((1, 3)), [0], where=value),
            "threads": lambda value: pl.Simulation(SCENE, threads=value),
        }.items()
        for label in ("matrix", "object", "rude", "{}", "class")
    },
    **{
        f"{label} for the {argument} of {name}": lambda name=name, argument=argument, label=label: PUBLIC[name](
            **GOOD[name] | {argument: VALUES[label]}
        )
        for name in ("Run", "scenes.Contents", "inverse.Tracks", "inverse.Bootstrap", "render.Chart")
        for argument in GOOD[name]
        for label in ("object", "rude", "text" if argument not in TEXTS else "1j", "1j")
    },
    "no other body of a slide": lambda: pl.contact.Slide("a", [(0, 0, 0), (0, 0, 1)], None, [(0, 0, 0)]),
    **{
        f"{label} of a run": lambda parts=parts: _TOLD.changed(**parts)
        for label, parts in {
            "times of text": {"times": ["now"]},
            "more times than frames": {"times": [0.0, 1.0]},
            "times in rows": {"times": [[0.0]]},
            "seconds of text": {"step_seconds": ["quick"]},
            "flat positions": {"positions": _TOLD.positions[0]},
            "positions of fewer nodes": {"positions": _TOLD.positions[:, 1:]},
            "objects for velocities": {"velocities": _TOLD.velocities.astype(object)},
            "velocities of two frames": {"velocities": np.concatenate([_TOLD.velocities] * 2)},
            "text at rest": {"rest": "straight"},
            "a field of fewer nodes": {"fields": {"stress": np.zeros((1, 3))}},
            "text for fields": {"fields": "stress"},
            "energies of two frames": {"energies": {"kinetic": np.zeros(2)}},
            "forces without moments": {"wrenches": {"floor": np.zeros((1, 3))}},
            "skins that are none": {"skins": ("box",)},
        }.items()
    },
    "as many threads as there are": lambda: pl.Simulation(SCENE, threads=10**9),
    "true threads": lambda: pl.Simulation(SCENE, threads=True),
    "limits that are text": lambda: pl.picture(run(), "none/a.png", limits="ab"),
    "limits in lists": lambda: pl.picture(run(), "none/a.png", limits=[[0], [1]]),
    "a run without end": lambda: pl.Simulation(SCENE).run(1e300),
    "more frames than fit": lambda: pl.Simulation(SCENE).run(1e5),
    "iterations without end": lambda: pl.QuasiNewton(iterations=10**9),
    "a list of words for a force": lambda: pl.Load(["a", "b", "c"], [0]),
}


def test_what_was_taken_or_raised_bare_is_refused():
    check_every(SILENT, check_refused)


def check_refused(name: str) -> None:
    with pytest.raises(pl.errors.InputError):
        SILENT[name]()


def test_whole_numbers_of_any_size_and_scalars_of_numpy_are_numbers():
    assert pl.sphere(10**29).bounds[1, 0] == 1e29
    assert float(pl.StableNeoHookean(young=10**24).young) == 1e24
    assert pl.Contact(friction=np.float32(0.5)).friction == 0.5
    assert pl.Newton(iterations=np.int64(5)).iterations == 5
