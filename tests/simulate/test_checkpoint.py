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
    contact = pl.Contact(friction=0.4, response=pl.contact.Penalty())
    return pl.Scene([slider, held], [ground, pl.sphere(0.1, (0, 0, -0.1))], contact=contact)


def states(sim: pl.Simulation) -> list[np.ndarray]:
    return [getattr(sim.state, name).numpy().copy() for name in sim.state.FIELDS]


def advance(sim: pl.Simulation, steps: int) -> None:
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report.why


def identical(a: pl.Simulation, b: pl.Simulation) -> bool:
    same = all(np.array_equal(p, q) for p, q in zip(states(a), states(b)))
    return same and a.t == b.t and a.state.steps == b.state.steps


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("integrator", [pl.ImplicitEuler(), pl.BDF2(), pl.Newmark(dt=0.01, beta=0.3, gamma=0.6)])
def test_resumes_bit_for_bit_with_contact_friction_and_a_grab(tmp_path, integrator, precision):
    straight = pl.Simulation(landing(), integrator, precision=precision)
    handle = straight.grab(3, (1.3, 0.1, 1.2), body=1)
    advance(straight, 10)
    assert np.any(straight.world["contact"][0].limit.numpy() > 0)  # friction is at work when it is saved
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
    "sum": SOFT + pl.laws.Fibres(stiffness=1e4, direction=(1, 2, 3)) + pl.laws.Muscle(direction=(0.3, 0.1, -1), activation=0.4),
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
    rope = pl.Springs(pl.meshes.rod((0, 0, 0), (0, 0, 0.5), 5), radius=0.01)
    away = SHAPE.translated((2, 0, 0))
    ball = pl.Membrane(pl.meshes.sphere(0.1, 1), 0.003, bending=False)
    bodies = [
        pl.Body(cloth, pl.Corotated(young=1e5), pinned=[0, 3], damping=pl.Damping(mass=0.2, viscosity=1.0)),
        pl.Body(rope, pl.Corotated(young=1e6), effects=pl.Hold(lambda X: X[:, 2] > 0.49, by=pl.hold.Springs(500.0))),
        pl.Body(
            ball,
            pl.NeoHookean(young=1e5),
            effects=[pl.Hold([0], by=pl.hold.Rigidly("xz")), pl.Hold([5]), pl.Pressure(50.0)],
        ),
        pl.Body(
            away,
            SOFT,
            pinned=lambda X: X[:, 2] < 1e-6,
            surface=away.boundary,
            effects=[pl.Load((0, 0, 1), lambda X: X[:, 2] > 0.19), pl.Traction((1, 0, 0), lambda X: X[:, 0] > 2.19)],
        ),
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
    return pl.Scene(pl.Body(SHAPE, SOFT, effects=pl.Hold([0, 1, 2, 3], motion=lambda X, t: X + np.array([0, 0, t]))))


def test_functions_of_time_ask_for_the_scene(tmp_path):
    sim = pl.Simulation(moving())
    advance(sim, 2)
    sim.save(tmp_path / "a.npz")
    with pytest.raises(pl.errors.InputError, match=r"a\.npz: Hold\.motion \(a function\) could not be stored .* scene=…"):
        pl.Simulation.load(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz", scene=moving())
    advance(sim, 2)
    advance(again, 2)
    assert identical(sim, again)


@pytest.mark.parametrize(
    "scene, words",
    [
        (
            pl.Scene(pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), SOFT)),
            r"has body 0 \(8 nodes\); expected .*body 0 \(27 nodes\)",
        ),
        (pl.Scene(pl.Body(SHAPE, SOFT), pl.plane(0)), "do not both have 'contact'"),
    ],
)
def test_another_scene_is_refused(tmp_path, scene, words):
    pl.Simulation(moving()).save(tmp_path / "a.npz")
    with pytest.raises(pl.errors.InputError, match=words):
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
        (lambda p: edited(p, format="other"), "not a checkpoint"),
        (lambda p: edited(p, version=99), "version 99; this pliant reads version 3: use a newer pliant"),
        (lambda p: edited(p, scene={"class": "Popen", "with": {"args": "ls"}}), "damaged"),
        (lambda p: edited(p, scene={"class": "Scene", "with": {"bodies": []}}), "expected one Body or more"),
        (lambda p: edited(p, steps="many"), "damaged"),
        (lambda p: edited(p, version=-5), "not a checkpoint"),
        (lambda p: edited(p, version=True), "not a checkpoint"),
        (lambda p: edited(p, version=1), "version 1; this pliant reads version 3: use the pliant that wrote it"),
        (lambda p: edited(p, time=float("nan")), "time is nan; expected a finite number"),
        (lambda p: edited(p, time=float("inf")), "time is inf; expected a finite number"),
        (lambda p: edited(p, time=-1), "time is -1; expected a finite number"),
        (lambda p: edited(p, time=True), "time is True; expected a finite number"),
        (lambda p: edited(p, steps=-1), "steps is -1; expected a whole number"),
        (lambda p: edited(p, next_handle=1e300), "next_handle is 1e[+]300; expected a whole number"),
        (lambda p: edited(p, precision="f16"), "expected 'f32' or 'f64'"),
    ],
)
def test_bad_files_give_one_sentence(tmp_path, saved, make, words):
    path = tmp_path / "bad.npz"
    path.write_bytes(make(saved))
    with pytest.raises(pl.errors.InputError, match=words) as caught:
        pl.Simulation.load(path)
    assert "\n" not in str(caught.value) and "bad.npz" in str(caught.value)


def with_program(saved, change) -> bytes:
    """The archive with the program of its second obstacle, a ball, made into another."""
    with np.load(saved) as archive:
        scene = json.loads(bytes(archive["about"]))["scene"]
    program = scene["with"]["obstacles"]["tuple"][1]["with"]["shape"]["with"]["program"]
    program["tuple"] = change(program["tuple"])
    return edited(saved, scene=scene)


def other(step: dict, **given) -> dict:
    return {"class": "Instruction", "with": step["with"] | given}


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda p: p * 64, "leaves 64 shapes"),
        (lambda p: p * 400, "leaves 400 shapes"),
        (lambda p: p * 3_000, "leaves 3000 shapes"),
        (lambda p: p * 9 + [other(p[0], op=7, shape={"tuple": []})] * 8, "9 deep"),
        (lambda p: [other(p[0], op=7, shape={"tuple": []})], "combines 2 shapes where 0 are left"),
        (lambda p: [other(p[0], op=99)], "op is 99"),
        (lambda p: [other(p[0], op=6)], "expected 3 finite numbers"),
        (lambda p: [other(p[0], shape={"tuple": []})], "expected 1 finite numbers"),
        (lambda p: [], "has 0 instructions"),
    ],
)
def test_programs_of_obstacles_are_checked(tmp_path, saved, change, words):
    """A program that would overrun the stack of a kernel never reaches one."""
    path = tmp_path / "bad.npz"
    path.write_bytes(with_program(saved, change))
    with pytest.raises(pl.errors.InputError, match=words):
        pl.Simulation.load(path)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("target", np.zeros((0, 1))),
        ("target", np.zeros((4, 1))),
        ("target", np.full((3, 1), np.nan)),
        ("stiffness", np.array([np.nan])),
        ("stiffness", np.array([-1.0])),
        ("weight", np.ones((2, 1))),
        ("nodes", np.full((8, 1), 54)),
        ("nodes", np.full((8, 1), -1)),
        ("nodes", np.zeros((9, 1), int)),
        ("nodes", np.zeros((8, 1))),
        ("length", np.array([9])),
        ("length", np.array([0])),
        ("length", np.array([1, 1])),
        ("handle", np.array([-1])),
    ],
)
def test_grabs_are_checked(tmp_path, name, values):
    sim = pl.Simulation(landing())
    sim.grab(0, (0.1, 0.2, 0.3), stiffness=5.0)
    sim.save(tmp_path / "good.npz")
    assert pl.Simulation.load(tmp_path / "good.npz").hands.points[0][2] == 5.0
    with np.load(tmp_path / "good.npz") as archive:
        arrays = {key: archive[key] for key in archive.files}
    assert f"memory.grab.{name}" in arrays
    np.savez(tmp_path / "bad.npz", **arrays | {f"memory.grab.{name}": values})
    with pytest.raises(pl.errors.InputError, match=r"bad\.npz: the saved memory of 'grab' does not fit"):
        pl.Simulation.load(tmp_path / "bad.npz")


def test_an_array_of_a_file_is_not_spread_over_what_was_made_of_it(tmp_path, saved):
    """One row in place of all would be read beyond its end by every kernel."""
    with np.load(saved) as archive:
        arrays = {name: archive[name] for name in archive.files}
    places = {name: a for name, a in arrays.items() if a.shape == (27, 3) and name.startswith("array.")}
    for name, values in places.items():
        np.savez(tmp_path / "bad.npz", **arrays | {name: values[:1]})
        with pytest.raises(pl.errors.InputError):
            pl.Simulation.load(tmp_path / "bad.npz")
    assert places


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
        except pl.errors.InputError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 30


def test_a_mesh_file_is_no_checkpoint(tmp_path):
    pl.write(SHAPE, tmp_path / "mesh.npz")
    with pytest.raises(pl.errors.InputError, match="not a checkpoint"):
        pl.Simulation.load(tmp_path / "mesh.npz")


@pytest.mark.parametrize("path", ["missing.npz", "a.txt", 7, "none/a.npz"])
def test_paths_are_checked(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pl.errors.InputError):
        pl.Simulation.load(path)
    if path != "missing.npz":
        with pytest.raises(pl.errors.InputError):
            pl.Simulation(landing()).save(path)
    assert not list(tmp_path.iterdir())


def test_unknown_options_are_named(saved):
    with pytest.raises(pl.errors.InputError, match=r"load\(devise=…\): unknown option \(did you mean 'device'\?\)"):
        pl.Simulation.load(saved, devise="cpu")


def test_solvers_and_their_budgets_are_kept(tmp_path):
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), pl.Arap(young=1e4))
    for solver in (
        pl.QuasiNewton(iterations=pl.solver.Budget(0.01), line_search=pl.solver.Armijo(shrink=0.4)),
        pl.ProjectiveDynamics(5),
    ):
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(1 / 60, solver))
        sim.step()
        sim.save(tmp_path / "kept.npz")
        assert pl.Simulation.load(tmp_path / "kept.npz").integrator == sim.integrator


def test_what_is_checked_at_the_start_is_the_state_that_is_loaded(tmp_path):
    """A ball comes, live, to where a cube was at rest that has fallen since; and one that stands in comes to where it is now."""
    cube = pl.Body(SHAPE.translated((0, 0, 0.5)), SOFT, name="cube")
    law = pl.Contact(response=pl.contact.Barrier())
    first = pl.Simulation(pl.Scene([cube], [pl.sphere(0.1, (2, 0, 0)), pl.plane(z=0.0)], contact=law))
    advance(first, 17)
    first.reshape(0, pl.sphere(0.1, cube.shape.rest.mean(axis=0)))
    advance(first, 1)
    first.save(tmp_path / "fallen.npz")
    second = pl.Simulation.load(tmp_path / "fallen.npz")
    advance(first, 2)
    advance(second, 2)
    assert identical(first, second)
    with pytest.raises(pl.errors.InputError, match="points of cube are inside or on obstacle"):
        pl.Simulation(first.scene)  # which begins at rest
    there = pl.Scene([cube], [pl.sphere(0.1, first.x.mean(axis=0)), pl.plane(z=0.0)], contact=law)
    with pytest.raises(pl.errors.InputError, match=r"fallen.npz: contact.Barrier\(\): .* points of cube are inside or on"):
        pl.Simulation.load(tmp_path / "fallen.npz", scene=there)
