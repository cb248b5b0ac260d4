"""Plastic bodies against closed forms, and what every flow keeps: volume, rotation, and that it only ever takes energy."""

from functools import partial

import numpy as np
import pytest

import pliant as pl
from pliant.energy.base import Step
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.plasticity.plastic_energy import PlasticEnergy
from pliant.runtime.device import Device

from .cases import Samples, rotations

YOUNG, POISSON, YIELD, HARDENING = 2.0e5, 0.3, 400.0, 2.0e4
INNER = pl.StableNeoHookean(young=YOUNG, poisson=POISSON, density=1000)
LAW = pl.Plastic(INNER, yield_stress=YIELD, hardening=HARDENING)
BOX = pl.tet_grid((0.1, 0.04, 0.05), (2, 1, 1))
TANGENT = YOUNG * HARDENING / (YOUNG + HARDENING)


def side(axis, end):
    return lambda X: np.abs(X[:, axis] - getattr(X[:, axis], end)()) < 1e-9


def bar(course, law=LAW, dt=0.01, shape=BOX, scheme=pl.QuasiStatic, load=None, **options):
    """A bar that is free to thin; its end goes to ``course(t)`` times its length, or is pulled by ``load`` [Pa]."""

    def motion(X, t):
        return X + np.array([0.1 * course(t), 0, 0])

    ends = [pl.Hold(side(0, "min"), by=pl.hold.Rigidly("x"))]
    if load is None:
        ends += [pl.Hold(side(0, "max"), motion, by=pl.hold.Rigidly("x"))]
    else:
        ends += [pl.Traction((load, 0, 0), side(0, "max"))]
    rest = getattr(shape, "rest", getattr(shape, "vertices", None))
    flat = [axis for axis in (1, 2) if np.ptp(rest[:, axis]) < 1e-9]
    ends += [pl.Hold(side(a, "min") if a not in flat else True, by=pl.hold.Rigidly("xyz"[a])) for a in (1, 2)]
    return pl.Simulation(pl.Scene([pl.Body(shape, law, effects=ends)], gravity=(0, 0, 0)), scheme(dt=dt), **options)


class Driven:
    """Unit tets, or other elements, whose F is given: flows from step to step as a body does."""

    def __init__(self, law, count, place="cpu", precision="f64"):
        samples = Samples(INNER, count, 3, precision, place)
        self.place, self.volume = samples._positions, samples.volume
        self.energy = PlasticEnergy(samples.device, samples.elastic.elements, law)
        self.matrix, self.t = samples._matrix, 0.0

    def stress(self, x):
        out = self.energy.device.zeros(x.shape[0], self.energy.device.types.vec3)
        self.energy.gradient(x, out)
        return self.matrix(out)

    def step(self, F, dt=1.0):
        """P at the end of a step, as the step sees it."""
        x = self.place(F)
        self.t += dt
        self.energy.begin(Step(x, self.t, lasts=dt))
        P = self.stress(x)
        self.energy.accept(x, self.t)
        assert np.allclose(self.stress(x), P, atol=1e-4 * np.abs(P).max()), "the state has the stress of its step"
        return P

    @property
    def Fp(self):
        return self.energy.Fp.numpy()[0]

    @property
    def alpha(self):
        return self.energy.alpha.numpy()[0]


def path(count, steps, seed=0, size=0.4):
    """(steps, count, 3, 3) F along random curves from 1, with a turn of the principal axes on the way."""
    rng = np.random.default_rng(seed)
    A, B = (size * rng.standard_normal((count, 3, 3)) for _ in range(2))
    s = np.linspace(0, 1, steps + 1)[1:, None, None, None]
    F = np.eye(3) + np.sin(2 * s) * A + s**2 * B
    good = (np.linalg.det(F) > 0.2).all(axis=0)
    return F[:, good]


def test_a_cycle_of_pull_and_push_is_the_closed_form(place):
    """Yield stress, slope of hardening and residual strain of a bar that is pulled, let go and pushed, to 1 %."""
    top = 6e-3
    sim = bar(lambda t: top * np.interp(t, [0, 1, 2], [0, 1, -0.2]), dt=0.05, device=place)
    strain, stress = [], []
    for _ in range(40):
        report = sim.step()
        assert report.kept and report.converged, report.why
        strain.append(float(np.mean(sim.x[side(0, "max")(sim.world.rest), 0])) / 0.1 - 0.5)
        stress.append(sim.field("stress xx").mean())
    strain, stress = np.array(strain), np.array(stress)
    strain -= strain[19] - top
    slope, offset = np.polyfit(strain[8:20], stress[8:20], 1)
    assert slope == pytest.approx(TANGENT, rel=0.01)
    assert offset == pytest.approx(YIELD * (1 - TANGENT / YOUNG), rel=0.01)  # both lines meet at the yield stress
    alone = strain[19] - stress[19] / YOUNG
    assert alone == pytest.approx((top - YIELD / YOUNG) * YOUNG / (YOUNG + HARDENING), rel=0.01)
    zero = np.interp(0.0, -stress[19:29], strain[19:29])
    assert zero == pytest.approx(alone, rel=0.01), "what is left where no force is"
    back = -(YIELD + HARDENING * alone)  # the yield stress on the way back, grown by what flowed before
    strain, stress, most = strain[19:], stress[19:], stress[19]
    pushed = strain < alone + back / YOUNG
    assert pushed.any() and np.allclose(stress[~pushed], YOUNG * (strain[~pushed] - alone), atol=0.01 * most)
    line = back + TANGENT * (strain[pushed] - (alone + back / YOUNG))
    assert np.allclose(stress[pushed], line, rtol=0.01)


def test_creep_has_its_rate():
    """Under a constant stress α̇ = (σ − σ_y)/(3μ τ); α comes to (σ − σ_y)/H as 1 − e^(−t H/(3μ τ))."""
    stiff, tau, pull = INNER.replaced(young=2e7), 2.0, 500.0  # so that the area hardly changes
    mu, hardening = float(stiff.mu), 2e6
    flows = bar(None, pl.Plastic(stiff, YIELD, creep_time=tau), dt=0.05, load=pull)
    seen = []
    for _ in range(4):
        assert flows.step().kept
        seen.append(flows.field("plastic strain").mean())
    rate = np.diff(seen) / 0.05
    assert np.allclose(rate, (pull - YIELD) / (3 * mu * tau), rtol=0.01)

    stops = bar(None, pl.Plastic(stiff, YIELD, hardening, creep_time=tau), dt=0.5, load=pull)
    wait, end = 3 * mu * tau / hardening, (pull - YIELD) / hardening
    for k in range(1, 41):
        assert stops.step().kept
        euler = end * (1 - (1 + 0.5 / wait) ** -k)
        assert stops.field("plastic strain").mean() == pytest.approx(euler, rel=0.02)


def test_a_bar_held_at_its_length_relaxes_in_three_mu_over_young():
    """σ̇ = −E α̇ with α̇ = (σ − σ_y)/(3μ τ): the stress beyond yield falls to 1/e in τ 3μ/E."""
    tau = 2.0
    sim = bar(lambda t: 5e-3, pl.Plastic(INNER, YIELD, creep_time=tau), dt=0.02)
    seen = []
    for _ in range(160):
        assert sim.step().ok
        seen.append((sim.t, sim.field("stress xx").mean() - YIELD))
    t, beyond = np.array(seen).T
    lasts = np.interp(-beyond[0] / np.e, -beyond, t) - t[0]
    assert lasts == pytest.approx(tau * 3 / (2 * (1 + float(INNER.poisson))), rel=0.02)


def test_beyond_the_limit_it_is_elastic_again():
    limit = 4e-3
    sim = bar(lambda t: 0.02 * t, pl.Plastic(INNER, YIELD, HARDENING, limit=limit), dt=0.1)
    alpha, stress = [], []
    for _ in range(10):
        assert sim.step().kept
        alpha.append(sim.field("plastic strain").mean())
        stress.append(sim.field("stress xx").mean())
    assert alpha[1] < 0.9 * limit and limit < alpha[-1] < 1.05 * limit
    assert (stress[-1] - stress[-2]) / 2e-3 == pytest.approx(YOUNG, rel=0.03)


def test_flow_keeps_the_volume(place):
    driven = Driven(LAW, path(60, 200).shape[1], place)
    for F in path(60, 200):
        driven.step(F)
    assert driven.alpha.min() > 0.1
    assert np.abs(np.linalg.det(driven.Fp) - 1).max() < 1e-10


@pytest.mark.slow
def test_flow_keeps_the_volume_in_single_precision():
    driven, exact = Driven(LAW, path(60, 50).shape[1], precision="f32"), Driven(LAW, path(60, 50).shape[1])
    for F in path(60, 50):
        driven.step(F)
        exact.step(F)
    assert np.abs(np.linalg.det(driven.Fp) - 1).max() < 1e-10
    assert np.abs(driven.Fp - exact.Fp).max() < 2e-4 and np.abs(driven.alpha - exact.alpha).max() < 2e-4


def test_steps_against_a_tenth_of_them():
    """The error of a path whose axes turn is that of implicit Euler: it falls as the step does."""
    ends = {}
    for steps in (5, 10, 50, 100, 400):
        every = path(40, steps, size=0.15)
        driven = Driven(LAW, every.shape[1])
        for F in every:
            P = driven.step(F)
        ends[steps] = P
    size = np.abs(ends[400]).max()
    coarse, fine = (np.abs(ends[n] - ends[10 * n]).max() / size for n in (5, 10))
    assert coarse < 0.15 and fine < 0.6 * coarse
    assert np.abs(ends[50] - ends[400]).max() < 0.25 * np.abs(ends[10] - ends[400]).max()


def test_one_straight_step_is_as_good_as_many():
    """Along a stretch whose axes stand still the return mapping has no error: a step of any size ends at the same place."""
    log = np.array([0.3, -0.1, -0.25])
    ends = []
    for steps in (1, 10):
        driven = Driven(LAW, 1)
        for k in range(1, steps + 1):
            P = driven.step(np.diag(np.exp(log * k / steps))[None])
        ends.append(P)
    tau = ends[1][0] @ np.diag(np.exp(log))
    dev = tau - np.trace(tau) / 3 * np.eye(3)
    assert np.sqrt(1.5 * np.sum(dev**2)) == pytest.approx(YIELD + HARDENING * driven.alpha[0], rel=1e-9)
    assert np.allclose(ends[0], ends[1], rtol=2e-3, atol=1e-3 * np.abs(tau).max())


def test_a_turned_body_flows_alike():
    every = path(30, 8)
    count = every.shape[1]
    still, turned, laid = (Driven(LAW, count) for _ in range(3))
    Q = rotations(count, 3)
    for k, F in enumerate(every):
        R = rotations(count, 10 + k)  # another in every step
        P = still.step(F)
        assert np.allclose(turned.step(R @ F), R @ P, atol=1e-7 * np.abs(P).max())
        assert np.allclose(laid.step(F @ Q), P @ Q, atol=1e-7 * np.abs(P).max())  # the rest shape turned, as of an isotropic law
    assert np.allclose(turned.alpha, still.alpha, rtol=1e-9) and np.allclose(laid.alpha, still.alpha, rtol=1e-9)


def test_energy_is_only_ever_taken():
    """Flow releases what it takes: ψ_e after it + Y Δα + ½ H Δα² is no more than ψ_e before it, in every step of any size."""
    out = path(40, 12, size=0.2)
    every = np.concatenate([out, out[::-2]])
    driven = Driven(LAW, out.shape[1])

    def stored(F):
        return driven.energy.element_values(driven.place(F)).astype(float) / driven.volume

    for F in every:
        driven.energy.begin(Step(driven.place(F), driven.t))
        before, alpha = stored(F), driven.alpha.copy()
        driven.step(F)
        more = driven.alpha - alpha
        taken = (YIELD + HARDENING * alpha + 0.5 * HARDENING * more) * more
        assert (more >= 0).all() and (stored(F) + taken <= before + 1e-9 * before.max()).all()
    assert (driven.alpha > 0.05).all()


def test_below_yield_it_is_the_law():
    rng = np.random.default_rng(1)
    F = np.eye(3) + 2e-4 * rng.standard_normal((50, 3, 3))
    plastic, elastic = Driven(LAW, 50), Samples(INNER, 50)
    assert np.allclose(plastic.step(F), elastic.stress(F), rtol=1e-12, atol=1e-9)
    assert not plastic.alpha.any() and np.array_equal(plastic.Fp, np.broadcast_to(np.eye(3), (50, 3, 3)))


@pytest.mark.parametrize("dimension", [3, 2, pytest.param(1, marks=pytest.mark.slow)])
def test_derivatives(dimension):
    """Forces and tangents of a step that flows, in solids, sheets and threads."""
    F = path(40, 1)[0]
    count, dF = len(F), np.random.default_rng(2).standard_normal((len(F), 3, 3))
    dF[:, :, dimension:] = 0
    samples, h = Samples(LAW, count, dimension), 1e-6
    slope = (samples.energy(F + h * dF) - samples.energy(F - h * dF)) / (2 * h)
    assert np.allclose(np.einsum("nij,nij->n", samples.stress(F), dF), slope, atol=1e-7 * np.abs(slope).max())
    change = (samples.stress(F + h * dF) - samples.stress(F - h * dF)) / (2 * h)
    assert np.allclose(samples.tangent(F, dF), change, atol=1e-6 * np.abs(change).max())
    assert np.linalg.eigvalsh(samples.stiffness(F, True)).min() > -1e-7 * YOUNG


def strained(shape, precision="f64", steps=3, solver=None):
    sim = bar(lambda t: 0.02 * t, shape=shape, dt=1 / steps, precision=precision)
    if solver is not None:
        sim = bar(lambda t: 0.02 * t, shape=shape, dt=1 / steps, scheme=partial(pl.QuasiStatic, solver=solver))
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why
    return sim


SHAPES = {
    "sheet": lambda: pl.Membrane(pl.cloth_grid((0.1, 0.04), (2, 1)), thickness=1e-3, bending=False),
    "thread": lambda: pl.Springs(pl.EdgeMesh([[-0.05, 0, 0], [0.0, 0, 0], [0.05, 0, 0]], [[0, 1], [1, 2]]), radius=1e-3),
    "hexahedra": lambda: pl.Hexes(pl.meshes.HexMesh(*_hexahedron())),
    "lattice": lambda: pl.Lattice(pl.box((0.1, 0.05, 0.05)), 0.05),
    "ten nodes": lambda: pl.QuadraticTets(BOX),
}


def _hexahedron():
    x = np.array([[x, y, z] for z in (0, 0.04) for x, y in ((0, 0), (0.1, 0), (0.1, 0.05), (0, 0.05))], float)
    return x, np.arange(8)[None]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_flows_as_the_solid_bar(shape):
    """One pull along an axis: all of them are in uniaxial stress."""
    solid, other = strained(BOX), strained(SHAPES[shape]())
    alpha = solid.field("plastic strain").mean()
    assert alpha > 0.01 and np.allclose(other.field("plastic strain"), alpha, rtol=2e-3)
    Fp = other.world["elastic"][0].Fp.numpy()
    assert np.abs(np.linalg.det(Fp) - 1).max() < 1e-10


@pytest.mark.parametrize(
    "solver", [pl.QuasiNewton(iterations=500), pl.Newton(linear=pl.linear.Direct()), pl.Newton(hessian=pl.solver.Exact())],
    ids=["quasi-Newton", "direct", "exact"],
)  # fmt: skip
def test_solvers_agree(solver):
    alpha = strained(BOX).field("plastic strain")
    assert np.allclose(strained(BOX, solver=solver).field("plastic strain"), alpha, rtol=1e-4)


def test_a_body_that_moves_loses_energy_and_keeps_a_dent():
    """Thrown against a wall in one step after another of 10 ms: no energy from nowhere, and a shape that stays."""
    block = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, 0.001))
    soft = pl.Plastic(INNER, yield_stress=2e3, hardening=1e4)
    scene = pl.Scene(
        [pl.Body(block, soft, velocity=(0, 0, -3.0))], obstacles=[pl.plane(z=0.0)], gravity=(0, 0, 0),
    )  # fmt: skip
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.005))
    total = []
    for _ in range(40):
        report = sim.step()
        assert report.kept, report.why
        total.append(sum(sim.energies().values()))
    assert np.diff(total).max() < 1e-6 * total[0]
    assert sim.field("plastic strain").max() > 0.02
    Fp = sim.world["elastic"][0].Fp.numpy()
    assert np.abs(np.linalg.det(Fp) - 1).max() < 1e-10


def test_a_batch_flows_as_each_alone():
    scenes = [bar(lambda t, s=s: s * t, dt=0.5).scene for s in (0.01, 0.03)]
    scheme = pl.QuasiStatic(dt=0.5, solver=pl.QuasiNewton(iterations=200))
    batch = pl.Batch(scenes, scheme)
    for _ in range(2):
        assert all(report.kept for report in batch.step())
    for scene, x in zip(scenes, batch.x):
        alone = pl.Simulation(scene, scheme)
        for _ in range(2):
            assert alone.step().kept
        assert np.allclose(alone.x, x, atol=1e-7)


def test_a_cut_leaves_the_flow_where_it_was():
    beam = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2))
    ends = [pl.Hold(side(0, "min")), pl.Load((10.0, 0, 0), side(0, "max"))]
    sim = pl.Simulation(pl.Scene([pl.Body(beam, LAW, effects=ends)], gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0))
    assert sim.step().kept
    (before,) = sim.world["elastic"]
    Fp, alpha, stored = before.Fp.numpy(), before.alpha.numpy(), sim.energies()["elastic"]
    sim.cut(pl.Blade([(0.21, -1, 1), (0.24, 1, 1)], depth=0.95))  # from above, not right through
    (after,) = sim.world["elastic"]
    assert after is not before and alpha.max() > 0.01
    assert np.array_equal(after.Fp.numpy(), Fp) and np.array_equal(after.alpha.numpy(), alpha)
    assert sim.energies()["elastic"] == pytest.approx(stored, rel=0.05) and sim.step().kept
    assert sim.field("plastic strain").max() > alpha.max()


def test_values_change_while_it_runs():
    sim = strained(BOX)
    alpha = sim.field("plastic strain").mean()
    sim.set(0, yield_stress=1e9, young=3e5)
    assert float(sim.scene.bodies[0].material.law.young) == 3e5
    assert sim.step().kept and sim.field("plastic strain").mean() == pytest.approx(alpha)
    with pytest.raises(pl.errors.InputError, match="yield"):
        sim.set(0, yeld_stress=1.0)


def test_fields_and_exports(tmp_path):
    sim = strained(BOX)
    run = sim.run(seconds=1 / 3, fields=["plastic strain", "stress"])
    assert np.allclose(run.fields["plastic strain"][-1], sim.field("plastic strain"))
    pl.export(run, tmp_path / "bar.pvd")
    assert any(b"plastic strain" in file.read_bytes() for file in tmp_path.rglob("*.vtu"))
    pl.picture(run, tmp_path / "bar.png", colour="plastic strain", size=(80, 60))
    plain = pl.Simulation(pl.Scene([pl.Body(BOX, INNER)]), pl.ImplicitEuler(dt=0.01))
    with pytest.raises(pl.errors.InputError, match="plastic strain"):
        plain.field("plastic strain")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pl.Plastic(1.0, YIELD), "expected a law"),
        (lambda: pl.Plastic(LAW, YIELD), "no flow of its own"),
        (lambda: pl.Plastic(pl.LinearElastic(young=1e4), YIELD), "principal stretches"),
        (lambda: pl.Plastic(INNER + pl.laws.Fibres(stiffness=1e3), YIELD), "principal stretches"),
        (lambda: pl.Plastic(INNER, -1.0), "yield_stress"),
        (lambda: pl.Plastic(INNER, YIELD, hardening=-1.0), "hardening"),
        (lambda: pl.Plastic(INNER, YIELD, limit=0.0), "limit"),
        (lambda: LAW + pl.laws.Fibres(stiffness=1e3), "put the sum inside"),
        (lambda: pl.laws.Fibres(stiffness=1e3) + LAW, "put the sum inside"),
    ],
)  # fmt: skip
def test_refused_laws(make, words):
    with pytest.raises(pl.errors.InputError, match=words):
        make()


CELLS = partial(pl.Lattice, pl.box((0.1, 0.05, 0.05)), 0.025)


@pytest.mark.parametrize(
    ("shape", "solver", "words"),
    [
        (lambda: CELLS(quadrature=pl.quadrature.Centre()), pl.Newton, "springs that do not flow"),
        (lambda: CELLS(volume=pl.quadrature.Averaged()), pl.Newton, "is not ψ₀"),
        (lambda: BOX, pl.Mixed, "averaged volume"),
        (lambda: BOX, pl.ProjectiveDynamics, "use QuasiNewton"),
    ],
)  # fmt: skip
def test_refused_bodies_and_solvers(shape, solver, words):
    with pytest.raises(pl.errors.InputError, match=words):
        pl.Simulation(pl.Scene([pl.Body(shape(), LAW)]), pl.ImplicitEuler(dt=0.01, solver=solver()))


def test_no_adjoint():
    with pytest.raises(pl.errors.InputError, match="depends on the history"):
        pl.inverse.Adjoint(bar(lambda t: 0.0, scheme=pl.ImplicitEuler))


def test_a_state_is_that_of_the_wrapped_law():
    """Between steps nothing flows: energy and stress are those of Fe, whatever the creep still wants."""
    law = pl.Plastic(INNER, YIELD, creep_time=100.0)
    driven, F = Driven(law, 5), np.eye(3) + 0.05 * np.random.default_rng(4).standard_normal((5, 3, 3))
    driven.step(F)
    Fe = F @ np.linalg.inv(driven.Fp)
    elastic = ElasticEnergy(Device("cpu", "f64"), driven.energy.elements, INNER)
    now, then = driven.energy.element_values(driven.place(F)), elastic.element_values(driven.place(Fe))
    assert np.allclose(now, then, rtol=1e-9)
