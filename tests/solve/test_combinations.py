"""Which solver takes which scene: the others refuse it when the simulation is made, and name one that takes it."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError

BAR = pl.tet_grid(size=(0.2, 0.05, 0.05), cells=(4, 1, 1))
SNH, ARAP = pl.StableNeoHookean(young=2e4, poisson=0.4), pl.Arap(young=2e4, density=1000)


def held(shape, law, **options):
    return pl.Body(shape, law, pinned=lambda X: X[:, 0] < X[:, 0].min() + 1e-3, **options)


def lattice(**options):
    solid = pl.Lattice(pl.box((0.2, 0.05, 0.05)), spacing=0.025, volume=pl.quadrature.Averaged(**options))
    return held(solid, pl.NeoHookean(young=2e4, poisson=0.45, density=1000))


SCENES = {
    "tets": lambda: pl.Scene([held(BAR, SNH)]),
    "ten nodes": lambda: pl.Scene([held(BAR.quadratic(), SNH)]),
    "arap of ten nodes": lambda: pl.Scene([held(BAR.quadratic(), ARAP)]),
    "sheet": lambda: pl.Scene([held(pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)), thickness=1e-3), SNH)]),
    "arap": lambda: pl.Scene([held(BAR, ARAP)]),
    "arap damped": lambda: pl.Scene([held(BAR, ARAP, damping=pl.Damping(mass=0.1, stiffness=0.01))]),
    "arap viscous": lambda: pl.Scene([held(BAR, ARAP, damping=pl.Damping(viscosity=1.0))]),
    "arap on a floor": lambda: pl.Scene([held(BAR, ARAP)], obstacles=[pl.plane(z=-0.01)]),
    "arap pressed": lambda: pl.Scene([held(BAR, ARAP, effects=[pl.Pressure(10.0)])]),
    "arap tethered": lambda: pl.Scene([held(BAR, ARAP, effects=[pl.Hold([[0.19, 0.02, 0.02]], by=pl.hold.Springs(10.0))])]),
    "averaged": lambda: pl.Scene([lattice()]),
    "incompressible": lambda: pl.Scene([lattice(incompressible=True)]),
    "tets and averaged": lambda: pl.Scene([lattice(), held(BAR, SNH)]),
}
EVERY = {"Newton", "Direct", "QuasiNewton"}
PROJECTED = EVERY | {"ProjectiveDynamics"}
TAKEN = {
    "tets": EVERY,
    "ten nodes": EVERY,
    "arap of ten nodes": PROJECTED,
    "sheet": EVERY,
    "arap": PROJECTED,
    "arap damped": PROJECTED,
    "arap viscous": EVERY,
    "arap on a floor": EVERY,
    "arap pressed": EVERY,
    "arap tethered": PROJECTED,
    "averaged": EVERY | {"Mixed"},
    "incompressible": {"Mixed"},
    "tets and averaged": EVERY | {"Mixed"},
}
SOLVERS = {
    "Newton": pl.Newton(),
    "Direct": pl.Newton(linear=pl.linear.Direct()),
    "QuasiNewton": pl.QuasiNewton(),
    "ProjectiveDynamics": pl.ProjectiveDynamics(),
    "Mixed": pl.Mixed(),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("scene", SCENES)
def test_solver_and_scene(scene, solver):
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=SOLVERS[solver])
    if solver in TAKEN[scene]:
        assert pl.Simulation(SCENES[scene](), scheme).step().kept
    else:
        with pytest.raises(InputError, match=r"(use|expected).*(QuasiNewton|Newton|Mixed)\(\)"):
            pl.Simulation(SCENES[scene](), scheme)


@pytest.mark.parametrize("solver", SOLVERS)
def test_solver_and_batch(solver):
    scenes, scheme = [SCENES["arap"](), SCENES["arap"]()], pl.ImplicitEuler(dt=1 / 60, solver=SOLVERS[solver])
    if solver in ("QuasiNewton", "ProjectiveDynamics"):
        assert all(report.kept for report in pl.Batch(scenes, scheme).step())
    else:
        with pytest.raises(InputError, match=r"QuasiNewton\(\)|Averaged\(\)"):
            pl.Batch(scenes, scheme)


def test_a_hand_is_refused_when_it_is_put():
    sim = pl.Simulation(SCENES["arap"](), pl.ImplicitEuler(dt=1 / 60, solver=pl.ProjectiveDynamics()))
    with pytest.raises(InputError, match=r"not support grabs.*QuasiNewton\(\)"):
        sim.grab(3, (0.3, 0.0, 0.1))
    assert not sim.hands.points and sim.step().kept


def test_an_explicit_step_refuses_volumes_that_cannot_change():
    with pytest.raises(InputError, match=r"Mixed\(\)"):
        pl.Simulation(SCENES["incompressible"](), pl.SymplecticEuler(dt=1e-5))


@pytest.mark.parametrize("solver", [pl.Newton, pl.QuasiNewton, pl.Mixed, pl.ProjectiveDynamics])
def test_budgets_and_tolerances_are_checked_alike(solver):
    for wrong in (True, 0, -1, 1.5, "ten"):
        with pytest.raises(InputError, match="whole number from 1 to 100000"):
            solver(iterations=wrong)
    for wrong in (True, 0, 1, -1e-3, np.nan, "small"):
        with pytest.raises(InputError, match="between 0 and 1"):
            solver(tolerance=wrong)


def test_plugs_that_do_not_fit_are_refused():
    for wrong in ({"linear": pl.Newton}, {"line_search": True}, {"hessian": 3}):
        with pytest.raises(InputError, match="expected"):
            pl.Newton(**wrong)
    with pytest.raises(InputError, match=r"expected TwoLevel\(\)"):
        pl.linear.PCG(preconditioner=pl.linear.Direct())
    with pytest.raises(InputError, match="assembled=True"):
        pl.linear.PCG(assembled=False, preconditioner=pl.linear.Cholesky())
    with pytest.raises(InputError, match="whole number"):
        pl.linear.PCG(iterations=True)
