"""The public names, by group, and the modules that define them: what editors know, and where ``__init__.py`` finds them."""

# namespaces: modules that hold more names
from . import (
    contact as contact,
    distributed as distributed,
    errors as errors,
    extend as extend,
    inverse as inverse,
    linear as linear,
    study as study,
)
from .namespaces import (
    embedding as embedding,
    gym as gym,
    hold as hold,
    joint as joint,
    laws as laws,
    meshes as meshes,
    muscles as muscles,
    planar as planar,
    plasticity as plasticity,
    quadrature as quadrature,
    refactor as refactor,
    render as render,
    rotations as rotations,
    scenes as scenes,
    schedule as schedule,
    sdf as sdf,
    solver as solver,
)

# shapes
from .geometry.mesh.mesh import TriMesh as TriMesh, TetMesh as TetMesh, EdgeMesh as EdgeMesh, PointCloud as PointCloud
from .geometry.distance.volume import Volume as Volume
from .geometry.distance.sdf import (
    Sdf as Sdf,
    sphere as sphere,
    box as box,
    capsule as capsule,
    cylinder as cylinder,
    torus as torus,
    plane as plane,
)
from .geometry.mesh.primitives import tet_grid as tet_grid, cloth_grid as cloth_grid
from .geometry.tetrahedra.isosurface import surface as surface
from .geometry.tetrahedra.stuffing import tetrahedralise as tetrahedralise
from .geometry.inspection.mesh_inspection import inspect as inspect
from .output.reader import read as read
from .geometry.files import write as write

# materials
from .material.laws.linear import LinearElastic as LinearElastic
from .material.laws.corotated import Corotated as Corotated, FixedCorotated as FixedCorotated, Arap as Arap
from .material.laws.stvk import StVenantKirchhoff as StVenantKirchhoff
from .material.laws.neo_hookean import (
    NeoHookean as NeoHookean,
    StableNeoHookean as StableNeoHookean,
    MooneyRivlin as MooneyRivlin,
)
from .material.laws.ogden import Ogden as Ogden
from .material.laws.valanis_landel import ValanisLandel as ValanisLandel
from .material.laws.dapd_law import Dapd as Dapd
from .material.plasticity.plastic_law import Plastic as Plastic
from .material.laws.presets import preset as preset

# elements
from .elements.tets import Tets as Tets
from .elements.quadratic_tets import QuadraticTets as QuadraticTets
from .elements.hexes import Hexes as Hexes
from .elements.sheets.membrane import Membrane as Membrane
from .elements.springs import Springs as Springs
from .elements.lattice.lattice import Lattice as Lattice

# solvers and integrators
from .solve.newton.newton_solver import Newton as Newton
from .solve.quasi_newton.quasi_newton_solver import QuasiNewton as QuasiNewton
from .solve.quasi_newton.projective_dynamics import ProjectiveDynamics as ProjectiveDynamics
from .solve.mixed.mixed_solver import Mixed as Mixed
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
from .simulate.scene.body import Body as Body, Scene as Scene
from .simulate.simulation import Simulation as Simulation
from .simulate.batch import Batch as Batch
from .simulate.record.run import Run as Run
from .energy.obstacles.obstacle_energy import Obstacle as Obstacle
from .effects.contact.obstacle_contact import Contact as Contact
from .effects.elasticity.holds import Hold as Hold
from .effects.elasticity.damping import Damping as Damping
from .effects.loads import Load as Load, Traction as Traction, Pressure as Pressure
from .effects.wind import Wind as Wind
from .effects.tearing import Tearing as Tearing
from .cut.blade import Blade as Blade
from .simulate.modes import modes as modes

# inverse
from .inverse.fitting.fit import fit as fit

# studies
from .study.sweep import sweep as sweep
from .study.optimisation import optimise as optimise

# output
from .output.export import export as export
from .output.picture import picture as picture, filmstrip as filmstrip, animation as animation
from .output.video import video as video
from .view.pages.replay_page import page as page

# the browser
from .view import view as view
from .view.widget import widget as widget

__version__: str
