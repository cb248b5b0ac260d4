"""What the viewer's loop shows: frames, sliders, cuts, scenes at real-time settings, and where it goes back to."""

import json
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.errors import PliantWarning
from pliant.material.base import Parameter
from pliant.view.live_loop import Loop
from pliant.view.protocol.messages import Command, Snapshot, pack_frame
from pliant.view.realtime import Quick, quickened, said
from pliant.view.scene.scene_description import slider
from pliant.view.scene.surface_fields import Range, Surfaces, softest

from .clients import simulation, unpacked


def test_frames_keep_positions_to_a_65535th_of_the_box():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(101, 3)).astype(np.float32) * [1, 20, 0.001]
    held = ((7, True, np.array([1.0, 2, 3]), np.array([4.0, 5, 6]), 8.0),)
    poses, contacts = rng.normal(size=(2, 4, 4)), rng.normal(size=(3, 6))
    values = np.linspace(-1, 3, 101)
    shot = Snapshot(5, 2, 1.25, True, x.astype(np.float32), values, 0.0, 2.0, held, poses, contacts)
    found = unpacked(pack_frame(shot))
    assert np.all(np.abs(found["x"] - x) <= found["span"] / 65535)
    assert (found["number"], found["epoch"], found["time"], found["running"]) == (5, 2, 1.25, True)
    assert found["held"][0]["target"] == [4, 5, 6] and found["held"][0]["pinned"] and found["held"][0]["force"] == 8
    assert np.allclose(found["poses"], poses[:, :3], atol=1e-6) and np.allclose(found["contacts"], contacts, atol=1e-6)
    assert found["colours"][0] == 0 and found["colours"][-1] == 255 and found["colours"][50] == 128
    flat = unpacked(pack_frame(Snapshot(1, 1, 0.0, False, np.ones((3, 3), np.float32))))
    assert np.allclose(flat["x"], 1.0) and flat["colours"] is None and not flat["running"]


def test_surfaces_and_fields_are_those_of_the_simulation():
    sim = simulation()
    for _ in range(10):
        sim.step()
    surfaces = Surfaces(sim)
    assert np.allclose(surfaces.positions(), sim.bodies[0].surface, atol=1e-6)
    stretched = pl.Simulation(pl.Scene([pl.Body(pl.tet_grid((1, 1, 1), (2, 2, 2)), pl.Corotated(young=1e3))], gravity=(0, 0, 0)))
    stretched.x = stretched.x * [1.5, 0.9, 0.8]
    fields = Surfaces(stretched)
    assert np.allclose(fields.values("stretch"), 1.5, atol=1e-6)
    assert np.allclose(fields.values("volume ratio"), 1.5 * 0.9 * 0.8, atol=1e-6)
    density = stretched.energies()["elastic"] / 1.0
    assert np.allclose(fields.values("energy density"), density, rtol=1e-5)
    assert np.allclose(fields.values("stress"), stretched.stress()[stretched.skins[0].parents[:, 0]], rtol=1e-5)


def test_the_colour_scale_widens_at_once_and_narrows_slowly():
    scale = Range("speed", 1.0)
    low, high = scale.fit(np.linspace(0, 5, 1000))
    assert low == 0 and 4.8 < high < 5
    assert 0.9 * high < scale.fit(np.zeros(1000))[1] < high
    signed = Range("volume ratio", 1.0).fit(np.array([0.8, 1.0, 1.05] * 50))
    assert signed == pytest.approx((0.8, 1.2))


def test_what_rounding_leaves_of_stress_takes_no_colour():
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), pl.StableNeoHookean(young=1e5, poisson=0.25, density=1000.0))
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)))
    scale = Range("stress", 1.0, softest(sim))
    assert scale.fit(np.full(100, 1e-7)) == (0.0, pytest.approx(1e-5 * 4e4))
    assert scale.fit(np.full(100, 50.0)) == (0.0, pytest.approx(50.0))


def test_sliders_span_what_a_parameter_may_be():
    young = slider("young", Parameter("Pa", "stiffness", 0.0), 1e4)
    assert (young["low"], young["high"], young["log"]) == (1e2, 1e6, True)
    poisson = slider("poisson", Parameter("", "ratio", -1.0, 0.5), 0.4999)
    assert poisson["low"] > -1 and poisson["high"] == 0.4999 and not poisson["log"]
    activation = slider("activation", Parameter("", "share", 0.0, 1.0, open=False), 0.0)
    assert (activation["low"], activation["high"]) == (0.0, 1.0)
    high = slider("high", Parameter("", "limit", 1.0, np.inf, open=False), 1.2)
    assert high["low"] == 1.0 and high["high"] >= 2.0


def test_a_muscle_has_a_slider_for_its_activation():
    law = pl.StableNeoHookean(young=1e4) + pl.laws.Muscle(peak_stress=1e4)
    loop = Loop(pl.Simulation(pl.Scene([pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), law)])))
    assert loop.state["bodies"][0].keys() == {
        "young",
        "poisson",
        "peak_stress",
        "activation",
        "optimal_stretch",
        "density",
    }
    loop._obey(Command("set", {"body": 0, "name": "activation", "value": 0.5}))
    assert loop.state["note"][1] == "" and float(loop.sim.scene.bodies[0].material.terms[1].activation) == 0.5
    loop._obey(Command("set", {"body": 0, "name": "activation", "value": 1.5}))
    assert "activation" in loop.state["note"][1] and float(loop.sim.scene.bodies[0].material.terms[1].activation) == 0.5


def test_a_body_that_tears_has_a_slider_for_what_it_bears():
    """Pulled by a tenth it holds, until the slider says that it bears less; what has torn is drawn, and the slider goes on."""
    sheet = pl.Membrane(pl.cloth_grid((0.6, 0.4), (6, 4)), thickness=1e-3, bending=False)
    ends = [
        pl.Hold(lambda X: X[:, 0] > 0.599, motion=lambda X, t: X + np.array([min(t, 0.06), 0, 0])),
        pl.Tearing(stretch=[1.5] * 48),
    ]
    body = pl.Body(sheet, pl.StableNeoHookean(young=1e6), pinned=lambda X: X[:, 0] < 1e-9, effects=ends)
    loop = Loop(pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.03)))
    loop.begin()
    assert loop.state["bodies"][0]["tear stretch"] == pytest.approx(1.5)
    assert [loop.sim.step().torn for _ in range(3)] == [0, 0, 0]
    loop._obey(Command("set", {"body": 0, "name": "tear stretch", "value": 1.05}))
    assert loop.state["note"][1] == "" and loop.state["bodies"][0]["tear stretch"] == pytest.approx(1.05)
    before = len(loop.sim.x)
    assert loop.sim.step().torn and len(loop.sim.x) > before
    loop._obey(Command("set", {"body": 0, "name": "tear stretch", "value": 1.0}))
    assert "larger than 1" in loop.state["note"][1]
    with pytest.raises(pl.errors.InputError, match="expected a Tearing"):
        loop.sim.set(0, tearing=1.2)


def test_a_slider_moves_the_mean_of_what_differs_from_place_to_place():
    mesh = pl.tet_grid((1, 1, 1), (1, 1, 1))
    law = pl.StableNeoHookean(young=np.linspace(1e4, 3e4, len(mesh.tets)))
    loop = Loop(pl.Simulation(pl.Scene([pl.Body(mesh, law)])))
    loop._obey(Command("set", {"body": 0, "name": "young", "value": 4e4}))
    assert np.allclose(loop.sim.scene.bodies[0].material.young, np.linspace(2e4, 6e4, len(mesh.tets)))
    assert loop.state["bodies"][0]["young"] == pytest.approx(4e4)


def test_positions_that_are_not_finite_stop_it_and_are_not_sent():
    loop = Loop(simulation())
    loop.begin()
    good = loop.latest
    x = loop.sim.state.x.numpy().copy()
    x[3:5] = np.nan
    loop.sim.state.x.assign(x)
    loop._publish()
    assert not loop.running and loop.latest is good
    assert "surface vertices have no finite position at t = 0.000 s" in loop.state["trouble"]
    loop._obey(Command("reset", {}))
    loop._publish()
    assert loop.running and loop.latest is not good and loop.state["trouble"] == ""


def test_energies_that_are_not_finite_stop_it_and_are_no_json(monkeypatch):
    loop = Loop(simulation())
    monkeypatch.setattr(loop.sim, "energies", lambda: {"kinetic": 1.0, "elastic": float("inf"), "total": float("nan")})
    loop._take_statistics()
    assert loop.statistics["energies"] == {"kinetic": 1.0, "elastic": None, "total": None}
    json.dumps([loop.state, loop.statistics], allow_nan=False)
    assert not loop.running and "The energy elastic, total is not finite" in loop.state["trouble"]


def test_other_topology_is_another_scene():
    """As after a cut: the pages get the surfaces anew, and what was chosen stays."""
    loop = Loop(simulation())
    loop._obey(Command("colour", {"name": "stress"}))
    loop._obey(Command("elements", {"value": True}))
    epoch, number = loop.epoch, loop.latest.number
    loop.sim._skins = None  # to be found again
    loop._publish()
    assert loop.epoch == loop.scene[0] == loop.latest.epoch == epoch + 1 and loop.latest.number > number
    assert loop.state["field"] == "stress" and loop.latest.values is not None and loop.latest.nodes is not None


def test_a_cut_while_a_hand_pulls_is_shown_and_the_hand_goes_on():
    """A function of one's own cuts the beam: its surface is sent anew, and the hand keeps the half that it holds."""

    def cut(sim, report):
        if len(sim.x) == 36 and sim.t > 0.04:
            sim.cut(pl.Blade([(0.2, -1, 1), (0.22, 1, 1)], depth=2.0))

    loop = Loop(simulation(), on_step=cut)
    tip = int(np.argmax(loop.sim.bodies[0].surface @ (1, 0, 1)))
    loop.turn([Command("grab", {"hand": 0, "body": 0, "vertices": [tip], "weights": [1.0], "at": [0.6, 0, 0.5]}, 1)], 1.0)
    loop.turn([Command("record", {"value": True})], 1.0)
    epoch = loop.epoch
    for _ in range(12):
        loop.turn([], 0.0)
    loop._publish()
    assert not loop.trouble and len(loop.sim.x) == 40 and loop.epoch == epoch + 1
    assert len(loop.latest.positions) == len(loop.sim.skins[0].parents) and len(loop.hands.held) == 1
    far = loop.sim.world.rest[:, 0] > 0.3
    assert loop.sim.v[far, 0].mean() > 0.1 and np.isfinite(loop.sim.x).all()
    loop.turn([Command("record", {"value": False})], 1.0)
    assert len(loop.recorded.chapters) == 2


def test_a_stroke_of_the_page_cuts_and_is_undone():
    loop = Loop(simulation())
    tip = int(np.argmax(loop.sim.bodies[0].surface @ (1, 0, 1)))
    stroke = {"path": [[0.2, -1.0, 1.0], [0.22, 1.0, 1.0]], "into": [0.0, 0.0, -1.0], "depth": 2.0}
    for _ in range(3):
        loop.turn([], 0.0)
    x, t, epoch = loop.sim.x, loop.sim.t, loop.epoch
    loop.turn([Command("cut", stroke)], 1.0)
    grab = {"hand": 0, "body": 0, "vertices": [tip], "weights": [1.0], "at": [0.6, 0, 0.5]}
    loop.turn([Command("grab", grab, 1), Command("record", {"value": True})], 1.0)
    loop.turn([], 0.0)
    assert loop.state["cuts"] == 1 and len(loop.sim.x) == len(x) + 4 and loop.epoch == epoch + 1
    loop.turn([Command("uncut", {})], 1.0)
    assert loop.state["cuts"] == 0 and np.array_equal(loop.sim.x, x) and loop.sim.t == t
    assert not loop.hands.held and not loop.sim.hands.points and not loop.recorder.on
    loop.turn([], 0.0)
    assert not loop.trouble and loop.epoch == epoch + 2
    loop.turn([Command("uncut", {})], 1.0)
    assert "no cut to undo" in loop.state["note"][1]
    with pytest.warns(PliantWarning, match="nothing was cut"):
        loop.turn([Command("cut", stroke | {"path": [[3.0, -1.0, 1.0], [3.0, 1.0, 1.0]]})], 1.0)
    assert "nothing was cut" in loop.state["note"][1] and loop.state["cuts"] == 0


def test_a_stroke_cuts_what_can_be_cut_though_a_rigid_body_is_in_its_way():
    soft = pl.Body(pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1)), pl.StableNeoHookean(young=2e4), name="soft")
    tool = pl.Body(pl.contact.Rigid(pl.meshes.box((0.1, 0.4, 0.1), centre=(0.2, 0.2, 0.5)), density=1000.0), name="tool")
    stroke = {"path": [[0.2, -1.0, 1.0], [0.2, 1.0, 1.0]], "into": [0.0, 0.0, -1.0], "depth": 2.0}
    loop = Loop(pl.Simulation(pl.Scene([tool, soft], gravity=(0, 0, 0))))
    loop.turn([Command("cut", stroke)], 1.0)
    assert loop.state["cuts"] == 1 and not loop.trouble
    loop = Loop(pl.Simulation(pl.Scene([tool], gravity=(0, 0, 0))))
    loop.turn([Command("cut", stroke)], 1.0)
    assert "'tool' is made of Rigid" in loop.state["note"][1] and loop.state["cuts"] == 0


class Both:
    """A scene as given and at real-time settings."""

    python, hastened = "sim = both()", "sim = both.quick()"

    def __init__(self, contact: pl.Contact | None = None):
        self.contact, self.seen = contact, []

    def __call__(self) -> pl.Simulation:
        sim = simulation()
        scene = sim.scene if self.contact is None else replace(sim.scene, contact=self.contact)
        return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 200))

    def quick(self) -> pl.Simulation:
        return quickened(self())

    def control(self, sim: pl.Simulation, report: object) -> None:
        self.seen.append(sim.t)


def test_a_scene_of_the_library_is_shown_at_real_time_settings_until_it_shall_be_accurate():
    both = Both()
    loop = Loop(both.quick(), library={"both": both, "plain": simulation}, name="both", quick=True)
    assert loop.sim.device.precision == "f32" and loop.sim.integrator.dt == 1 / 60 and loop.solver == "as given"
    assert said(loop.sim) == "single precision, steps of 1/60 s, quasi-Newton × 10"
    assert loop.first.tuned(loop.sim)["python"].startswith("import pliant as pl\nsim = both.quick()\n")
    loop._obey(Command("accurate", {"value": True}))
    assert loop.sim.device.precision == "f64" and loop.sim.integrator.dt == 1 / 200 and loop.accurate
    assert said(loop.sim) == "double precision, steps of 1/200 s, Newton to convergence"
    assert loop.solver == "as given" and "sim = both()\n" in loop.first.tuned(loop.sim)["python"]
    assert loop._tried().kept and both.seen == [1 / 200]
    loop._obey(Command("example", {"name": "plain"}))
    assert loop.solver == "quasi-Newton × 10" and loop.control is None  # as before, where there is nothing to choose
    loop._obey(Command("accurate", {"value": False}))
    assert loop.accurate and "no settings for real time" in loop._note[1]


def test_springs_take_the_place_of_a_barrier_and_sheets_get_a_thickness():
    quick = Both(pl.Contact(friction=0.4, response=pl.contact.Barrier())).quick()
    assert quick.scene.contact == pl.Contact(friction=0.4, response=pl.contact.Penalty(), self_contact=True)
    sheet = pl.Body(pl.Membrane(pl.cloth_grid((0.1, 0.1), (2, 2)), thickness=1e-3), pl.StableNeoHookean(young=1e5))
    scene = pl.Scene([sheet], contact=pl.Contact(response=pl.contact.Barrier()))
    touch = quickened(pl.Simulation(scene)).scene.contact
    assert touch == pl.Contact(response=pl.contact.Penalty(), self_contact=True, thickness=True)
    still = quickened(pl.Simulation(scene, pl.QuasiStatic(dt=0.01, solver=pl.Newton(linear=pl.linear.Direct()))))
    assert still.integrator == pl.QuasiStatic(dt=0.01, solver=pl.Newton(linear=pl.linear.Direct()))
    alone = quickened(pl.Simulation(pl.Scene([sheet]), pl.BDF2(dt=0.1)))  # nothing touches
    assert alone.integrator == pl.BDF2(dt=0.1, solver=pl.Newton(iterations=1)) and alone.device.precision == "f32"
    found = pl.Contact(friction=0.4, response=pl.contact.Complementarity())
    assert isinstance(Both(found).quick().scene.contact.response, pl.contact.Penalty)
    block = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), pl.StableNeoHookean(young=1e4), name="block")
    needle = pl.contact.Needle("block", lambda t: np.array([t - 0.01, 0.05, 0.05]), (1, 0, 0), spacing=0.01)
    pierced = pl.Scene([block], contact=pl.Contact(response=pl.contact.Complementarity(joints=[needle])))
    kept = quickened(pl.Simulation(pierced, pl.ImplicitEuler(dt=1 / 50, solver=pl.Newton(iterations=1))))
    assert kept.scene.contact == pierced.contact and kept.integrator.solver == pl.Newton(iterations=1)
    few = quickened(pl.Simulation(pl.Scene([sheet]), pl.ImplicitEuler(solver=pl.QuasiNewton(iterations=5)), precision="f32"))
    assert few.integrator.solver == pl.QuasiNewton(iterations=5)
    chosen = quickened(pl.Simulation(scene), Quick(pl.QuasiNewton(iterations=10), 1 / 30, {"response": None}))
    assert chosen.integrator == pl.ImplicitEuler(dt=1 / 30, solver=pl.QuasiNewton(iterations=10))
    assert chosen.scene.contact.response is None


def test_reset_goes_back_to_where_the_simulation_was_when_it_came():
    sim = simulation()
    sim.x = bent = sim.x + np.array([0.0, 0.05, 0.0]) * (sim.x[:, :1] / 0.4) ** 2
    sim.v = moving = np.zeros_like(bent) + np.where(sim.x[:, :1] > 0.1, 0.2, 0.0)
    loop = Loop(sim)
    loop._held = True  # as if nobody had looked at it yet: it is put back after the step that compiles
    loop._step()
    assert loop.sim.t == 0.0 and np.array_equal(loop.sim.x, bent) and np.array_equal(loop.sim.v, moving)
    loop._step()
    assert loop.sim.t > 0.0
    loop._obey(Command("reset", {}))
    assert loop.sim.t == 0.0 and np.array_equal(loop.sim.x, bent) and np.array_equal(loop.sim.v, moving)
    quick = quickened(sim)
    assert np.allclose(quick.x, bent, atol=1e-7) and np.allclose(quick.v, moving, atol=1e-7) and quick.t == 0.0
    stroke = {"path": [[0.2, -1.0, 1.0], [0.2, 1.0, 1.0]], "into": [0.0, 0.0, -1.0], "depth": 2.0}
    loop._obey(Command("cut", stroke))
    loop._step()
    loop._obey(Command("reset", {}))  # other nodes: bent as the others were, and as fast
    rest = loop.sim.world.rest
    assert loop.sim.cuts == 1 and loop.sim.t == 0.0 and len(rest) > len(bent)
    assert np.allclose(loop.sim.x, rest + np.array([0.0, 0.05, 0.0]) * (rest[:, :1] / 0.4) ** 2, atol=1e-3)
    assert np.allclose(loop.sim.v[rest[:, 0] > 0.21, 0], 0.2)
    loop._obey(Command("uncut", {}))
    loop._obey(Command("reset", {}))
    assert np.allclose(loop.sim.x, bent, atol=1e-12) and np.allclose(loop.sim.v, moving, atol=1e-12)


def test_a_page_says_once_that_bodies_pass_through_each_other():
    """Where a scene has no contact between them; not where it has, and not of what overlaps from the start."""
    law, cube = pl.StableNeoHookean(young=1e5), pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    bodies = [pl.Body(cube.translated((0, 0, 0.12 * k)), law, name=name) for k, name in enumerate(["lower", "upper"])]

    def notes(**given) -> str:
        loop = Loop(pl.Simulation(pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], **given)))
        loop._take_statistics()
        assert loop._note == (0, "")
        loop.sim.x = loop.sim.x - np.where(np.arange(16) < 8, 0.0, 0.05)[:, None] * [0, 0, 1]
        loop._take_statistics()
        loop._take_statistics()
        assert loop._note[0] <= 1
        return loop._note[1]

    note = notes(contact=pl.Contact(response=None))
    assert note.startswith("lower and upper may pass through each other") and "Contact()" in note
    assert notes() == notes(contact=pl.Contact(response=pl.contact.Penalty())) == ""
