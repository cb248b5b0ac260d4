"""Checkpoints: resuming bit for bit, what cannot be stored, and files that are none."""

import io
import json

import numpy as np
import pytest

import pliant as pl

SHAPE = pl.tet_grid((0.2, 0.2, 0.2), (2, 2, 2))
SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4)


def landing() -> pl.Scene:
    """A cube that slides on a tilted plane and a pinned one beside it."""
    slider = pl.Body(SHAPE.translated((0, 0, 0.01)), SOFT, velocity=(1.0, 0.0, 0.0), name="slider")
    held = pl.Body(SHAPE.translated((1, 0, 1)), pl.Corotated(young=1e4), pinned=lambda X: X[:, 0] < 1.001, name="held")
    ground = pl.plane(point=(0, 0, 0), normal=(0.2, 0, 1))
    return pl.Scene([slider, held], [ground, pl.sphere(0.1, (0, 0, -0.1))], contact=pl.Contact(friction=0.4))


def states(sim: pl.Simulation) -> list[np.ndarray]:
    return [getattr(sim.state, name).numpy().copy() for name in sim.state.FIELDS]


def advance(sim: pl.Simulation, steps: int) -> None:
    for _ in range(steps):
        report = sim.step()
        assert report.ok, report.why


def identical(a: pl.Simulation, b: pl.Simulation) -> bool:
    same = all(np.array_equal(p, q) for p, q in zip(states(a), states(b)))
    return same and a.t == b.t and a.state.steps == b.state.steps


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("integrator", [pl.ImplicitEuler(), pl.BDF2(), pl.Newmark(dt=0.01, beta=0.3, gamma=0.6)])
def test_resumes_bit_for_bit_with_contact_friction_and_a_grab(tmp_path, integrator, precision):
    straight = pl.Simulation(landing(), integrator, precision=precision)
    handle = straight.grab(3, (1.3, 0.1, 1.2), body=1)
    advance(straight, 10)
    assert np.any(straight.world.contact.limit.numpy() > 0)  # friction is at work when it is saved
    straight.save(tmp_path / "half.npz")
    resumed = pl.Simulation.load(tmp_path / "half.npz")
    assert type(resumed.integrator) is type(integrator) and resumed.integrator == integrator
    assert resumed.device.precision == precision
    for sim in (straight, resumed):
        advance(sim, 5)
        sim.grab(3, (1.3, 0.2, 1.0), body=1, handle=handle)
        advance(sim, 5)
    assert identical(straight, resumed)
    advance(resumed, 1)
    assert not identical(straight, resumed)


LAWS = {
    "sum": SOFT + pl.Fibres(stiffness=1e4, direction=(1, 2, 3)) + pl.Muscle(direction=(0.3, 0.1, -1), activation=0.4),
    "Ogden": pl.Ogden(young=1e4, poisson=0.4),
    "MooneyRivlin": pl.MooneyRivlin(young=1e4, poisson=0.4, split=0.1),
    "spline": pl.ValanisLandel.neo_hookean_like(1e4, 0.3),
    "per element": pl.StableNeoHookean(young=np.linspace(1e4, 2e4, len(SHAPE.tets)), poisson=0.3),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_come_back_exactly(tmp_path, name):
    sim = pl.Simulation(pl.Scene(pl.Body(SHAPE, LAWS[name])))
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    before, after = sim.scene.bodies[0].material, again.scene.bodies[0].material
    assert [type(t) for t in before.terms] == [type(t) for t in after.terms]
    assert np.array_equal(before.table(), after.table())
    assert np.array_equal(sim.world.mass, again.world.mass)


def test_sheets_threads_loads_and_damping_come_back(tmp_path):
    cloth = pl.Membrane(pl.cloth_grid((0.3, 0.3), (3, 3)), thickness=0.002)
    rope = pl.Springs(pl.rod_grid((0, 0, 0), (0, 0, 0.5), 5), radius=0.01)
    away = SHAPE.translated((2, 0, 0))
    ball = pl.Membrane(pl.sphere_mesh(0.1, 1), 0.003, bending=False)
    bodies = [
        pl.Body(cloth, pl.Corotated(young=1e5), pinned=[0, 3], damping=pl.Damping(mass=0.2, viscosity=1.0)),
        pl.Body(rope, pl.Corotated(young=1e6), attachments=pl.Attachment(lambda X: X[:, 2] > 0.49, 500.0)),
        pl.Body(ball, pl.NeoHookean(young=1e5), [pl.Pins([0], axes="xz"), pl.Pins([5])], loads=[pl.Pressure(50.0)]),
        pl.Body(away, SOFT, pinned=lambda X: X[:, 2] < 1e-6, surface=away.boundary,
                loads=[pl.Load((0, 0, 1), lambda X: X[:, 2] > 0.19), pl.Traction((1, 0, 0), lambda X: X[:, 0] > 2.19)]),
    ]
    sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 1, -5)))
    advance(sim, 2)
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz", threads=1)
    advance(sim, 2)
    advance(again, 2)
    assert identical(sim, again)
    assert again.scene.gravity == (0, 1, -5)


def test_values_changed_while_running_are_kept(tmp_path):
    sim = pl.Simulation(pl.Scene(pl.Body(SHAPE, SOFT, pinned=[0, 1, 2]), pl.plane(-1)))
    sim.set(young=5e4, gravity=(0, 0, -1.6), friction=0.7)
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert float(again.scene.bodies[0].material.young) == 5e4
    assert again.scene.gravity == (0, 0, -1.6) and again.scene.contact.friction == 0.7


def moving() -> pl.Scene:
    return pl.Scene(pl.Body(SHAPE, SOFT, pinned=pl.Pins([0, 1, 2, 3], motion=lambda X, t: X + np.array([0, 0, t]))))


def test_functions_of_time_ask_for_the_scene(tmp_path):
    sim = pl.Simulation(moving())
    advance(sim, 2)
    sim.save(tmp_path / "a.npz")
    with pytest.raises(pl.InputError, match=r"a\.npz: Pins\.motion \(a function\) could not be stored .* scene=…"):
        pl.Simulation.load(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz", scene=moving())
    advance(sim, 2)
    advance(again, 2)
    assert identical(sim, again)


@pytest.mark.parametrize(
    "scene, words",
    [
        (pl.Scene(pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), SOFT)),
         r"has body 0 \(8 nodes\); expected .*body 0 \(27 nodes\)"),
        (pl.Scene(pl.Body(SHAPE, SOFT), pl.plane(0)), "has other obstacles"),
    ],
)
def test_another_scene_is_refused(tmp_path, scene, words):
    pl.Simulation(moving()).save(tmp_path / "a.npz")
    with pytest.raises(pl.InputError, match=words):
        pl.Simulation.load(tmp_path / "a.npz", scene=scene)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "good.npz"
    pl.Simulation(landing()).save(path)
    return path


def edited(saved, **changes) -> bytes:
    """The archive with some entries of its description replaced."""
    with np.load(saved) as archive:
        arrays = {name: archive[name] for name in archive.files}
    about = json.loads(bytes(arrays["about"])) | changes
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda p: b"", "not a whole .npz archive"),
        (lambda p: b"hello", "not a whole .npz archive"),
        (lambda p: p.read_bytes()[:5000], "not a whole .npz archive"),
        (lambda p: p.read_bytes()[:-30], "not a whole .npz archive"),
        (lambda p: edited(p, format="other"), "no checkpoint"),
        (lambda p: edited(p, version=99), "version 99; this pliant reads up to 1"),
        (lambda p: edited(p, scene={"class": "Popen", "with": {"args": "ls"}}), "damaged"),
        (lambda p: edited(p, scene={"class": "Scene", "with": {"bodies": []}}), "expected one Body or more"),
        (lambda p: edited(p, steps="many"), "damaged"),
        (lambda p: edited(p, precision="f16"), "expected 'f32' or 'f64'"),
    ],
)
def test_bad_files_give_one_sentence(tmp_path, saved, make, words):
    path = tmp_path / "bad.npz"
    path.write_bytes(make(saved))
    with pytest.raises(pl.InputError, match=words) as caught:
        pl.Simulation.load(path)
    assert "\n" not in str(caught.value) and "bad.npz" in str(caught.value)


def test_mutated_files_never_crash(tmp_path, saved):
    random, data, path = np.random.default_rng(5), saved.read_bytes(), tmp_path / "m.npz"
    refused = 0
    for _ in range(60):
        mutated = bytearray(data)
        for at in random.integers(0, len(data), 20):
            mutated[at] = random.integers(256)
        path.write_bytes(mutated)
        try:
            pl.Simulation.load(path)
        except pl.InputError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 30


def test_a_mesh_file_is_no_checkpoint(tmp_path):
    pl.write(SHAPE, tmp_path / "mesh.npz")
    with pytest.raises(pl.InputError, match="no checkpoint"):
        pl.Simulation.load(tmp_path / "mesh.npz")


@pytest.mark.parametrize("path", ["missing.npz", "a.txt", 7, "none/a.npz"])
def test_paths_are_checked(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pl.InputError):
        pl.Simulation.load(path)
    if path != "missing.npz":
        with pytest.raises(pl.InputError):
            pl.Simulation(landing()).save(path)
    assert not list(tmp_path.iterdir())


def test_unknown_options_are_named(saved):
    with pytest.raises(pl.InputError, match=r"load\(devise=…\): unknown option \(did you mean 'device'\?\)"):
        pl.Simulation.load(saved, devise="cpu")


def test_solvers_and_their_budgets_are_kept(tmp_path):
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), pl.Arap(young=1e4))
    for solver in (pl.QuasiNewton(iterations=pl.Budget(0.01), line_search=pl.Armijo(shrink=0.4)), pl.ProjectiveDynamics(5)):
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(1 / 60, solver))
        sim.step()
        sim.save(tmp_path / "kept.npz")
        assert pl.Simulation.load(tmp_path / "kept.npz").integrator == sim.integrator
