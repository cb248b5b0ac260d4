"""The public names, by group, and the modules that define them: what editors know, and where ``__init__.py`` finds them."""

# namespaces: modules that hold more names
from . import (
    advection as advection,
    after_cut as after_cut,
    contact as contact,
    course as course,
    distributed as distributed,
    embedding as embedding,
    errors as errors,
    extend as extend,
    flow as flow,
    gym as gym,
    hessian as hessian,
    hold as hold,
    inverse as inverse,
    joint as joint,
    linear as linear,
    looks as looks,
    meshes as meshes,
    muscles as muscles,
    planar as planar,
    quadrature as quadrature,
    rotations as rotations,
    scenes as scenes,
    sdf as sdf,
    solver as solver,
    study as study,
    tangents as tangents,
    terms as terms,
)

# shapes
from .geometry.mesh import TriMesh as TriMesh, TetMesh as TetMesh, EdgeMesh as EdgeMesh, PointCloud as PointCloud
from .geometry.volume import Volume as Volume
from .geometry.sdf import (
    Sdf as Sdf,
    sphere as sphere,
    box as box,
    capsule as capsule,
    cylinder as cylinder,
    torus as torus,
    plane as plane,
)
from .geometry.grids import tet_grid as tet_grid, cloth_grid as cloth_grid
from .geometry.isosurface import surface as surface
from .geometry.stuffing import tetrahedralise as tetrahedralise
from .geometry.inspect import inspect as inspect
from .output.read import read as read
from .geometry.files import write as write

# materials
from .material.linear import LinearElastic as LinearElastic
from .material.corotated import Corotated as Corotated, FixedCorotated as FixedCorotated, Arap as Arap
from .material.stvk import StVenantKirchhoff as StVenantKirchhoff
from .material.neo_hookean import (
    NeoHookean as NeoHookean,
    StableNeoHookean as StableNeoHookean,
    MooneyRivlin as MooneyRivlin,
)
from .material.ogden import Ogden as Ogden
from .material.valanis_landel import ValanisLandel as ValanisLandel
from .material.dapd import Dapd as Dapd
from .material.plastic import Plastic as Plastic
from .material.presets import preset as preset

# elements
from .elements.tets import Tets as Tets
from .elements.quadratic_tets import QuadraticTets as QuadraticTets
from .elements.hexes import Hexes as Hexes
from .elements.membrane import Membrane as Membrane
from .elements.springs import Springs as Springs
from .elements.lattice import Lattice as Lattice
from .elements.bounding import bounding_tets as bounding_tets

# solvers and integrators
from .solve.newton import Newton as Newton
from .solve.quasi_newton import QuasiNewton as QuasiNewton
from .solve.projective import ProjectiveDynamics as ProjectiveDynamics
from .solve.mixed import Mixed as Mixed
from .integrate.schemes import (
    ImplicitEuler as ImplicitEuler,
    ImplicitMidpoint as ImplicitMidpoint,
    BDF2 as BDF2,
    HHT as HHT,
    Newmark as Newmark,
    NewmarkTheta as NewmarkTheta,
    LinearAcceleration as LinearAcceleration,
    QuasiStatic as QuasiStatic,
)
from .integrate.explicit import CentralDifferences as CentralDifferences, SymplecticEuler as SymplecticEuler

# scenes
from .simulate.body import Body as Body, Scene as Scene
from .simulate.simulation import Simulation as Simulation
from .simulate.batch import Batch as Batch
from .simulate.run import Run as Run
from .energy.obstacles import Obstacle as Obstacle
from .effects.obstacles import Contact as Contact
from .effects.holding import Hold as Hold
from .effects.damping import Damping as Damping
from .effects.loading import Load as Load, Traction as Traction, Pressure as Pressure
from .effects.wind import Wind as Wind
from .effects.tearing import Tearing as Tearing
from .cut.blade import Blade as Blade
from .simulate.modes import modes as modes

# inverse
from .inverse.fits import fit as fit
from .inverse.check import gradient as gradient, check_gradient as check_gradient
from .inverse.identifiable import identifiable as identifiable

# studies
from .study.sweep import sweep as sweep
from .study.optimise import optimise as optimise

# output
from .output.export import export as export
from .output.picture import picture as picture, filmstrip as filmstrip, animation as animation
from .output.video import video as video
from .view.page import page as page
from .output.plot import Chart as Chart

# the browser
from .view import view as view
from .view.widget import widget as widget

__version__: str
