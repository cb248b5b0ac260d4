"""The barrier: its derivatives, its symmetries, and that nothing ever crosses it."""

import numpy as np
import pytest
import warp as wp
from pliant.meshes import box, sphere

import pliant as pl
from pliant.contact.barrier.barrier_energy import BarrierContact
from pliant.contact.detect.edge_crossings import crossings
from pliant.contact.pairs.contact_surface import Surface, joined
from pliant.energy.base import Step
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import edges_of
from pliant.runtime.device import Device

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)


def near_surface(mixed: bool) -> tuple[Surface, np.ndarray]:
    """A ball over a box, not aligned with it, some pairs near; ``mixed``: points that are mixtures of nodes."""
    ball, table = sphere(0.4, 1), box((1.3, 1.1, 0.4))
    turn = np.linalg.qr(np.random.default_rng(7).normal(size=(3, 3)))[0]
    upper = ball.vertices @ turn.T + [0.11, 0.07, 0.635]
    surfaces, first = [], 0
    for vertices, triangles in ((table.vertices, table.triangles), (upper, ball.triangles)):
        n = len(vertices)
        own = np.arange(n)[:, None] + first
        nodes, weights = own, np.ones((n, 1))
        if mixed:  # between a node and its neighbour in number
            nodes = np.concatenate([own, np.roll(own, 1, axis=0)], axis=1)
            weights = np.tile([0.95, 0.05], (n, 1))
        rest = np.einsum("pk,pkx->px", weights, vertices[nodes - first])
        surfaces.append(
            Surface(nodes, weights, triangles, edges_of(triangles), np.zeros(n, int), np.full(n, 0.02), np.zeros(n), rest,
                    np.array([False]))
        )  # fmt: skip
        first += n
    return joined(surfaces), np.concatenate([table.vertices, upper])


def energy_at(mixed: bool, precision: str = "f64") -> tuple[BarrierContact, np.ndarray]:
    surface, x = near_surface(mixed)
    device = Device("cpu", precision)
    energy = BarrierContact(device, surface, np.full(surface.count, 1e4), 0.25, len(x))
    at = device.array(x, device.types.position)
    energy.begin(Step(at, 0.0))
    return energy, x


def gradient(energy: BarrierContact, x: np.ndarray) -> np.ndarray:
    types = energy.device.types
    out = energy.device.zeros(len(x), types.vec3)
    energy.gradient(energy.device.array(x, types.position), out)
    return out.numpy().astype(float)


@pytest.mark.parametrize("friction", [0.0, 0.4], ids=["smooth", "rough"])
@pytest.mark.parametrize("mixed", [False, True], ids=["nodes", "mixtures"])
def test_gradient_and_tangent_are_derivatives(mixed, friction):
    energy, x = energy_at(mixed)
    if friction:
        energy.friction, energy.slip, at = friction, 5e-4, energy.device.array(x, energy.device.types.position)
        energy.begin(Step(at, 0.0, rate=2.0, start=at))  # slips below 0.5 mm are held with less
        at = energy.device.array(x + np.random.default_rng(12).uniform(-1e-3, 1e-3, x.shape), energy.device.types.position)
        energy.accept(at, 0.0)
        assert np.linalg.norm(energy.kept_slip.numpy()[: energy.kept], axis=1).max() == pytest.approx(energy.slip)
        energy.begin(Step(at, 0.0, rate=2.0, start=at))
        x = at.numpy()
        x = x + np.random.default_rng(11).uniform(-1, 1, x.shape) * np.where(np.arange(len(x)) % 2, 1e-4, 5e-3)[:, None]
    vec3, array = energy.device.types.vec3, energy.device.array
    rng = np.random.default_rng(8)
    assert np.count_nonzero(np.linalg.norm(gradient(energy, x), axis=1)) > 10
    for _ in range(4):
        d = rng.normal(size=x.shape)
        h = 1e-7
        slope = (energy.value(array(x + h * d, vec3)) - energy.value(array(x - h * d, vec3))) / (2 * h)
        assert slope == pytest.approx(float((gradient(energy, x) * d).sum()), rel=1e-5)
        out = energy.device.zeros(len(x), vec3)
        energy.tangent(array(x, vec3), array(d, vec3), out)
        change = (gradient(energy, x + h * d) - gradient(energy, x - h * d)) / (2 * h)
        np.testing.assert_allclose(out.numpy(), change, atol=1e-4 * np.abs(change).max())


@pytest.mark.parametrize("mixed", [False, True], ids=["nodes", "mixtures"])
def test_projected_tangent_is_positive_and_equals_its_blocks(mixed):
    from pliant.linear.matrix.block_matrix import BlockMatrix

    energy, x = energy_at(mixed)
    device, vec3 = energy.device, energy.device.types.vec3
    at = device.array(x, device.types.position)
    full, diagonal = BlockMatrix(device, len(x), [energy.cells()]), BlockMatrix(device, len(x), [])
    for matrix in (full, diagonal):
        energy.attach(matrix)
        energy.blocks(at, matrix)
    rng = np.random.default_rng(9)
    for _ in range(3):
        d = device.array(rng.normal(size=x.shape), vec3)
        out, product = device.zeros(len(x), vec3), device.zeros(len(x), vec3)
        energy.tangent(at, d, out, project=True)
        full.multiply(1.0, d, product)
        np.testing.assert_allclose(out.numpy(), product.numpy(), atol=1e-9 * np.abs(out.numpy()).max())
        assert (out.numpy() * d.numpy()).sum() >= 0
    if not mixed:  # else nodes that share a point are coupled, and a diagonal keeps only what a node has with itself
        np.testing.assert_allclose(diagonal.values.numpy(), full.values.numpy()[full.diagonal], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("mixed", [False, True], ids=["nodes", "mixtures"])
def test_the_matrix_has_the_whole_tangent_where_it_is_not_projected(mixed):
    """Of points over faces, edges and corners, of crossing edges and of friction that slips."""
    from pliant.linear.matrix.block_matrix import BlockMatrix

    energy, x = energy_at(mixed)
    x[8:] += (0.5, 0.4, 0.0)  # over a corner of the box
    device, vec3 = energy.device, energy.device.types.vec3
    energy.friction, energy.slip, at = 0.4, 5e-4, device.array(x, device.types.position)
    energy.begin(Step(at, 0.0, rate=2.0, start=at))
    presses = energy.press.numpy()[: energy.near.count] > 0
    assert set(np.count_nonzero(energy.near.weight.numpy()[: energy.near.count][presses], axis=1)) == {2, 3, 4}
    at = device.array(x + np.random.default_rng(11).uniform(-5e-3, 5e-3, x.shape), device.types.position)
    matrix = BlockMatrix(device, len(x), [energy.cells()])
    energy.attach(matrix)
    energy.blocks(at, matrix, project=False)
    rng = np.random.default_rng(10)
    for _ in range(3):
        d = device.array(rng.normal(size=x.shape), vec3)
        out, product, positive = (device.zeros(len(x), vec3) for _ in range(3))
        energy.tangent(at, d, out)
        energy.tangent(at, d, positive, project=True)
        matrix.multiply(1.0, d, product)
        size = np.abs(out.numpy()).max()
        np.testing.assert_allclose(product.numpy(), out.numpy(), atol=1e-6 * size)
        assert np.abs(out.numpy() - positive.numpy()).max() > 0.05 * size


def test_a_landing_with_many_contacts_takes_few_iterations():
    """Askew, at 2 m/s in steps of 1/60 s, with friction: without how normals turn, and without a tangent of friction that lies
    above its energy, the worst step takes 32."""
    above = pl.tet_grid((0.15, 0.15, 0.08), (6, 6, 3), origin=(-0.075, -0.075, 0)).rotated((0.1, 0.2, 1), 11)
    above = above.translated((0.01, 0.005, 0.084 - above.vertices[:, 2].min()))
    below = pl.tet_grid((0.2, 0.2, 0.08), (8, 8, 3), origin=(-0.1, -0.1, 0))
    bodies = [pl.Body(below, SOFT, pinned=lambda X: X[:, 2] < 1e-9), pl.Body(above, SOFT, velocity=(0, 0, -2.0))]
    contact = pl.Contact(friction=0.3, response=pl.contact.Barrier(reach=2.5e-3))  # a tenth of an edge
    sim = pl.Simulation(pl.Scene(bodies, contact=contact), pl.ImplicitEuler(1 / 60))
    reports = [sim.step() for _ in range(4)]
    assert all(report.converged for report in reports) and max(report.contacts for report in reports) > 200
    assert max(report.iterations for report in reports) <= 18


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_forces_keep_momentum_and_turn_with_the_bodies(precision):
    energy, x = energy_at(False, precision)
    g = gradient(energy, x)
    eps = {"f32": 2e-4, "f64": 1e-11}[precision] * np.abs(g).max()
    np.testing.assert_allclose(g.sum(axis=0), 0, atol=eps)
    np.testing.assert_allclose(np.cross(x, g).sum(axis=0), 0, atol=eps)
    turn = np.linalg.qr(np.random.default_rng(10).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    moved = x @ turn.T + [3.0, -2.0, 1.0]
    energy.begin(Step(energy.device.array(moved, energy.device.types.position), 0.0))
    np.testing.assert_allclose(gradient(energy, moved), g @ turn.T, atol=20 * eps)


def _cube(size, cells, at, **more) -> pl.Body:
    return pl.Body(pl.tet_grid((size,) * 3, (cells,) * 3, origin=at), SOFT, **more)


def _crossings(simulation: pl.Simulation) -> int:
    contact = next(energy for energy in simulation.world.objective.energies if energy.name == "barrier")
    surface, x = contact.surface, simulation.state.x.numpy().astype(float)
    return len(crossings(Device("cpu", "f64"), surface, np.einsum("pk,pkx->px", surface.weights, x[surface.nodes])))


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_a_body_rests_on_another(precision):
    below = _cube(0.2, 2, (0, 0, 0), pinned=lambda X: X[:, 2] < 1e-9, name="below")
    above = _cube(0.1, 2, (0.06, 0.04, 0.22), name="above", velocity=(0, 0, -1))
    scene = pl.Scene([below, above], contact=pl.Contact(response=pl.contact.Barrier()))
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision)
    for _ in range(30):
        report = simulation.step()
        assert report.kept
        assert _crossings(simulation) == 0
    assert report.contacts >= 9 and 0 < report.worst_gap < 0.1 * 0.05 and report.friction_loss == 0
    x = simulation.state.x.numpy()
    assert len(simulation.device._recorded) < 150  # launches of matrices that are no more are not kept
    assert 0.19 < x[27:, 2].min() < 0.21
    assert np.abs(simulation.state.v.numpy()).max() < 0.2


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_friction_on_a_slope_is_coulombs(friction):
    angle = np.radians(15.0)
    turned = lambda mesh: mesh.rotated((0, 1, 0), 15.0)
    stiff = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0)
    slope = pl.Body(
        turned(pl.tet_grid((0.6, 0.2, 0.05), (4, 2, 1), origin=(0, 0, -0.05))),
        stiff,
        pinned=lambda X: X[:, 0] > -1,
        name="slope",
    )
    cube = pl.Body(turned(pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(0.08, 0.05, 0.003))), stiff, name="cube")
    law = pl.Contact(friction=friction, response=pl.contact.Barrier(reach=0.004))
    simulation = pl.Simulation(pl.Scene([slope, cube], contact=law), pl.ImplicitEuler(1 / 100))
    down = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    speeds, loss, start = [], 0.0, simulation.x[-27:].mean(axis=0)
    for _ in range(40):
        report = simulation.step()
        assert report.kept and report.worst_gap > 0
        loss += report.friction_loss
        speeds.append(float(simulation.state.v.numpy()[-27:].mean(axis=0) @ down))
    gained = (speeds[-1] - speeds[19]) / 0.2
    slides = 9.81 * (np.sin(angle) - friction * np.cos(angle))
    if slides > 0:
        assert gained == pytest.approx(slides, rel=0.03)
        way = (simulation.x[-27:].mean(axis=0) - start) @ down
        assert loss == pytest.approx(friction * 9.81 * np.cos(angle) * way, rel=0.05)  # of a cube of 1 kg
    else:
        assert abs(speeds[-1]) < 1e-6  # no creep


def test_what_holds_turns_with_the_bodies():
    """Slips of pairs are kept by the frame of their second side: after a turn of all, friction pulls as it did, turned."""
    energy, x = energy_at(False)
    energy.friction, energy.slip, array = 0.4, 5e-4, energy.device.array
    at = array(x, energy.device.types.position)
    energy.begin(Step(at, 0.0, rate=2.0, start=at))
    slid = x + np.where(np.arange(len(x)) < 8, 0.0, 3e-4)[:, None] * [1.0, 0.5, 0.0]
    energy.accept(array(slid, energy.device.types.position), 0.0)
    turn = np.linalg.qr(np.random.default_rng(10).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    pulls = []
    for q in (np.eye(3), turn):
        place, energy.friction = slid @ q.T, 0.4
        energy.begin(Step(array(place, energy.device.types.position), 0.0, rate=2.0,
                          start=array(place, energy.device.types.position)))  # fmt: skip
        rough = gradient(energy, place)
        energy.friction = 0.0
        pulls.append((rough - gradient(energy, place)) @ q)
    assert np.abs(pulls[0]).max() > 1.0
    np.testing.assert_allclose(pulls[1], pulls[0], atol=1e-9 * np.abs(pulls[0]).max())


def test_a_stack_that_falls_converges():
    law = pl.StableNeoHookean(young=1e4, poisson=0.3, density=1000.0)
    grids = [pl.tet_grid((0.1,) * 3, (2, 2, 2), origin=(0.01 * k, 0.005 * k, 0.02 + 0.14 * k)) for k in range(3)]
    bodies = [pl.Body(grid.rotated((0, 0, 1), 10.0 * k), law) for k, grid in enumerate(grids)]
    contact = pl.Contact(friction=0.5, response=pl.contact.Barrier())
    simulation = pl.Simulation(pl.Scene(bodies, [pl.plane(z=0.0)], contact=contact), pl.ImplicitEuler(1 / 100))
    reports = [simulation.step() for _ in range(50)]
    assert all(report.kept and report.converged for report in reports)
    assert max(report.contacts for report in reports) > 30


def _shot(speed, **settings):
    """A bullet of 2 cm and the sheet that it flies at."""
    sheet = pl.Body(
        pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)), thickness=0.001),
        pl.StableNeoHookean(young=1e7, poisson=0.3, density=1000.0),
        pinned=lambda X: (np.abs(X[:, :2] - 0.1) > 0.099).any(axis=1), name="sheet",
    )  # fmt: skip
    bullet = pl.Body(
        pl.tet_grid((0.02,) * 3, (1, 1, 1), origin=(0.08, 0.07, 0.03)),
        pl.StableNeoHookean(young=1e8, poisson=0.3, density=1000.0), velocity=(0, 0, -speed), name="bullet",
    )  # fmt: skip
    scene = pl.Scene([sheet, bullet], gravity=(0, 0, 0), contact=pl.Contact(response=pl.contact.Barrier()))
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 1000, **settings))


@pytest.mark.parametrize("speed", [30.0, 300.0])
def test_a_bullet_does_not_pass_a_sheet(speed):
    simulation = _shot(speed)
    for _ in range(3):
        assert simulation.step().kept
        assert _crossings(simulation) == 0


def test_a_step_of_fifty_bullets_is_halved_until_it_is_not_long_for_them():
    simulation = _shot(1000.0)
    report = simulation.step()
    assert report.kept and report.splits > 8 and _crossings(simulation) == 0


@pytest.mark.parametrize("pairs", [4, 60])
def test_motions_that_bring_more_pairs_than_have_room_are_shortened(pairs, monkeypatch):
    """The matrix of what a whole motion sweeps may be larger than memory; the step ends where it would have."""

    def landed():
        below = _cube(0.2, 4, (0, 0, 0), pinned=lambda X: X[:, 2] < 1e-9)
        above = _cube(0.1, 3, (0.043, 0.057, 0.21), velocity=(0, 0, -3.0))
        sim = pl.Simulation(pl.Scene([below, above], contact=pl.Contact(response=pl.contact.Barrier())), precision="f64")
        (energy,) = (e for e in sim.world.objective.energies if isinstance(e, BarrierContact))
        most, whole = [], energy.candidates.write

        def counted(*args):
            found = whole(*args)
            if args[0] is not args[1]:  # of motions
                most.append(energy.candidates.count)
            return found

        monkeypatch.setattr(energy.candidates, "write", counted)
        assert all(sim.step().kept for _ in range(4)) and not _crossings(sim)
        return sim.x, max(most)

    x, before = landed()
    monkeypatch.setattr("pliant.contact.detect.neighbour_list.ENTRIES", 16 * pairs)
    again, after = landed()
    assert after < before
    np.testing.assert_allclose(again, x, atol=1e-6)


@pytest.mark.parametrize("down, shortened", [(0.05, False), (0.3, True)])
def test_pairs_are_those_of_the_motion_that_is_left_when_it_is_shortened(down, shortened, monkeypatch):
    """Up to twice the pairs that are there already nothing is shortened, and all of them are found."""
    monkeypatch.setattr("pliant.contact.detect.neighbour_list.SKIN", 0.05)  # few are around
    energy, x = energy_at(False)
    device = energy.device
    d = np.zeros_like(x)
    d[8:, 2] = -down  # the ball, towards the table
    at, way = (device.array(values, device.types.position) for values in (x, d))
    ends = [device.zeros(energy.surface.count, device.types.position) for _ in range(2)]

    def number(share):
        """Pairs on that share of the way of the points."""
        for place, own in zip((x, x + share * d), ends):
            energy.carrier.carry(device.array(place, device.types.position), own)
        return energy.neighbours.number(*ends, 2 * energy.neighbours.skin)

    here, there = number(0.0), number(1.0)
    assert here < there and (there > 2 * here) == shortened
    monkeypatch.setattr("pliant.contact.detect.neighbour_list.ENTRIES", 16)
    out = device.array([[1.0, 0.0]], wp.float64)
    energy.safe(at, way, out)
    share = energy.neighbours.share
    assert (share < 1) == shortened and 0 < out.numpy()[0, 0] <= share
    assert energy.neighbours.covers or energy.near.count == number(share) <= 2 * here


def test_parts_of_a_sheet_do_not_cross():
    cloth = pl.cloth_grid((0.3, 0.1), (12, 4))
    body = pl.Body(
        pl.Membrane(cloth, thickness=0.002), pl.StableNeoHookean(young=1e5, poisson=0.3, density=300.0),
        effects=[
            pl.Hold(lambda X: X[:, 0] < 1e-9, by=pl.hold.Rigidly()),
            pl.Hold(lambda X: X[:, 0] > 0.2999, lambda X, t: X - np.array([0.4 * t, 0.0, 0.1 * t]), by=pl.hold.Rigidly()),
        ],
    )  # fmt: skip
    scene = pl.Scene([body], contact=pl.Contact(response=pl.contact.Barrier()))
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 50))
    for _ in range(20):
        assert simulation.step().kept
        assert _crossings(simulation) == 0


def test_what_intersects_at_the_start_is_refused():
    """With the bodies, the place, and how deep: a corner of the ham is 7 cm from the nearest side of the cheese."""
    bodies = [_cube(0.2, 2, (0, 0, 0), name="cheese"), _cube(0.2, 2, (0.1, 0.13, 0.07), name="ham")]
    whom, where = r"(ham and cheese|cheese and ham)", r"\[0\.\d+, 0\.\d+, 0\.\d+\]"
    for response in (pl.contact.Barrier(), pl.contact.Complementarity()):
        with pytest.raises(InputError, match=rf"{whom} intersect at the start, near {where}, up to 0\.07 m deep; \d+ edges"):
            pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=response)))


@pytest.mark.parametrize(
    "shift", [(0, 0, 0.2), (0.03, 0.04, 0.2), (0.2, 0, 0.2)], ids=["face to face", "shifted", "edge to edge"]
)
@pytest.mark.parametrize("response", [pl.contact.Barrier(), pl.contact.Complementarity()], ids=["Barrier", "rows"])
def test_what_touches_at_the_start_is_refused(shift, response):
    """A barrier has no gap to begin with: it would press without bounds, or nothing would move. Where forces are found, no way
    leads from one to the other: the upper one sank in by a quarter of its height, or the first step found no end."""
    bodies = [_cube(0.2, 2, (0, 0, 0), name="cheese"), _cube(0.2, 2, shift, name="ham")]
    with pytest.raises(InputError, match=r"(ham and cheese|cheese and ham) touch at the start, near .*; move them apart"):
        pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=response)))
    bodies[1] = _cube(0.2, 2, np.add(shift, (0, 0, 1e-4)), name="ham")
    assert pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=response))).step().kept


RESPONSES = (pl.contact.Penalty(), pl.contact.Barrier(), pl.contact.Complementarity())


@pytest.mark.parametrize("response", RESPONSES, ids=lambda response: type(response).__name__)
def test_what_lies_in_the_same_place_is_refused(response):
    """No edge of one passes through a face of the other, and nothing pushed: they stayed where they were for ever."""
    cheese = _cube(0.2, 2, (0, 0, 0), name="cheese")
    for ham in (_cube(0.2, 2, (0, 0, 0), name="ham"), _cube(0.2, 3, (0, 0, 0), name="ham")):
        with pytest.raises(InputError, match=r"(ham lies inside cheese|cheese lies inside ham) at the start; move it out"):
            pl.Simulation(pl.Scene([cheese, ham], contact=pl.Contact(response=response)))
    half = _cube(0.2, 2, (0, 0, 0.1), name="ham")  # its faces lie in those of the other
    scene = pl.Scene([cheese, half], contact=pl.Contact(response=response))
    if isinstance(response, pl.contact.Penalty):
        simulation = pl.Simulation(scene)
        assert all(simulation.step().kept for _ in range(4))
        assert np.diff([body.x[:, 2].mean() for body in simulation.bodies]) > 0.11  # of 0.1
    else:
        with pytest.raises(InputError, match=r"intersect at the start, near .*, up to 0\.0\d+ m deep; move the bodies apart"):
            pl.Simulation(scene)


def test_what_lies_in_another_body_is_refused_and_in_a_hollow_is_not():
    inside = _cube(0.04, 1, (0.08, 0.08, 0.08), name="stone")
    for response in RESPONSES:
        contact = pl.Contact(response=response)
        with pytest.raises(InputError, match="stone lies inside cheese at the start; move it out"):
            pl.Simulation(pl.Scene([_cube(0.2, 2, (0, 0, 0), name="cheese"), inside], contact=contact))
        grid = pl.tet_grid((0.2, 0.2, 0.2), (5, 5, 5))
        middle = np.abs(grid.vertices[grid.tets].mean(axis=1) - 0.1).max(axis=1) < 0.06
        used, tets = np.unique(grid.tets[~middle], return_inverse=True)
        hollow = pl.Body(pl.TetMesh(grid.vertices[used], tets.reshape(-1, 4)), SOFT, name="hollow")
        small = _cube(0.02, 1, (0.09, 0.09, 0.09), name="stone")
        assert pl.Simulation(pl.Scene([hollow, small], contact=contact)).step().kept


def test_the_depth_of_sheets_that_cross_is_how_far_they_must_go():
    """Neither has an inside: the standing one ends 2 cm below the level one."""
    level = pl.cloth_grid((0.2, 0.2), (2, 2))
    stands = pl.cloth_grid((0.08, 0.1), (1, 1)).rotated((1, 0, 0), 90.0).translated((0.055, 0.045, -0.02))
    bodies = [
        pl.Body(pl.Membrane(mesh, thickness=0.001), SOFT, name=name) for mesh, name in ((level, "level"), (stands, "stands"))
    ]
    with pytest.raises(InputError, match=r"intersect at the start, near .*, up to 0\.02 m deep"):
        pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=pl.contact.Barrier())))


@pytest.mark.parametrize("solver", [pl.QuasiNewton(), pl.ProjectiveDynamics()], ids=["QuasiNewton", "Projective"])
def test_solvers_that_do_not_look_ahead_are_refused(solver):
    law = pl.Corotated(young=1e4, poisson=0.3)
    scene = pl.Scene([pl.Body(pl.tet_grid((0.1,) * 3, (1, 1, 1)), law)], contact=pl.Contact(response=pl.contact.Barrier()))
    with pytest.raises(InputError, match=r"does not support|expected"):
        pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver))


@pytest.mark.parametrize("scheme", [pl.ImplicitMidpoint, pl.HHT], ids=["ImplicitMidpoint", "HHT"])
def test_schemes_that_go_beyond_what_was_looked_at_are_refused(scheme):
    scene = pl.Scene([_cube(0.1, 1, (0, 0, 0))], contact=pl.Contact(response=pl.contact.Barrier()))
    with pytest.raises(InputError, match=r"extrapolates beyond the solution of a step.*expected ImplicitEuler"):
        pl.Simulation(scene, scheme(1 / 60))


def test_held_nodes_that_would_pass_through_a_body_fail_the_step_and_keep_the_state():
    drop = lambda X, t: X - np.array([0.0, 0.0, 0.5 * t if t < 0.025 else 50 * t])
    press = _cube(0.1, 1, (0.05, 0.05, 0.22), effects=pl.Hold(lambda X: X[:, 2] > -1, drop), name="press")
    below = _cube(0.2, 2, (0, 0, 0), pinned=lambda X: X[:, 2] < 1e-9, name="below")
    scene = pl.Scene([press, below], contact=pl.Contact(response=pl.contact.Barrier()))
    run = pl.Simulation(scene, pl.ImplicitEuler(1 / 100)).run(0.1, must_succeed=False)
    assert (
        len(run) == 3 and not run.reports[-1].kept and "held nodes or obstacles move through another body" in run.reports[-1].why
    )


@pytest.mark.parametrize(
    "other",
    [
        pl.Contact(response=None),
        pl.Contact(thickness=True, response=pl.contact.Barrier()),
        pl.Contact(response=pl.contact.Barrier(0.01)),
    ],
    ids=["no response", "thickness", "reach"],
)
def test_what_the_barrier_cannot_take_over_is_refused(other):
    bodies = [_cube(0.1, 1, (0, 0, 0), name="one")]
    simulation = pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=pl.contact.Barrier())))
    with pytest.raises(InputError, match="cannot change in a running simulation"):
        simulation._adopt(pl.Scene(bodies, contact=other))
    with pytest.raises(InputError, match="cannot change in a running simulation"):
        apart = pl.Scene(bodies, contact=pl.Contact(response=None))
        pl.Simulation(apart)._adopt(pl.Scene(bodies, contact=pl.Contact(response=pl.contact.Barrier())))
    with pytest.raises(InputError, match="cannot become another in a running simulation"):
        pl.Simulation(pl.Scene(bodies))._adopt(pl.Scene(bodies, contact=pl.Contact(response=pl.contact.Barrier())))


@pytest.mark.parametrize("values", [{"reach": 0.0}, {"reach": -1}, {"pressure": 0}, {"pressure": np.nan}])
def test_values_that_make_no_barrier_are_refused(values):
    with pytest.raises(InputError, match="Barrier"):
        pl.contact.Barrier(**values)
