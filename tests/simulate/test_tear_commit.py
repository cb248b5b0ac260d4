"""Tearing: when and where bodies come apart, and that everything on them goes on."""

import numpy as np
import pytest
from scipy.spatial import Delaunay

import pliant as pl
from pliant.cut.split import parts, split

LAW = pl.StableNeoHookean(young=1e6, poisson=0.3)
STILL = pl.QuasiStatic(dt=1.0, solver=pl.Newton(linear=pl.linear.Direct()))
STRETCH = 0.02  # a step


def pulled(shape, length, *effects, axis=0, law=LAW, scheme=STILL, precision="f64", device="cpu", plane=False, rate=STRETCH):
    """A body whose ends are drawn apart along an axis, free to become thinner."""
    letter, way = "xyz"[axis], length * rate * np.eye(3)[axis]
    ends = [
        pl.Hold(lambda X: X[:, axis] < 1e-9, by=pl.hold.Rigidly(letter)),
        pl.Hold(lambda X: X[:, axis] > length - 1e-9, lambda X, t: X + t * way, pl.hold.Rigidly(letter), name="end"),
        pl.Hold(lambda X: (np.abs(X) < 1e-9).all(axis=1)),
    ]
    if plane:
        ends.append(pl.Hold(True, by=pl.hold.Rigidly("z")))
        ends.append(pl.Hold(lambda X: X[:, 0] > X[:, 0].max() - 1e-9, by=pl.hold.Rigidly("x")))
        ends.pop(2)
    body = pl.Body(shape, law, effects=[*ends, *effects])
    return pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), scheme, device, precision)


def bar(kind):
    if kind == "tets":
        return pl.Tets(pl.tet_grid((1.0, 0.3, 0.3), (6, 2, 2)))
    if kind == "sheet":
        return pl.Membrane(pl.cloth_grid((1.0, 0.4), (8, 3)), 1e-3, bending=False)
    return pl.Springs(pl.meshes.rod((0, 0, 0), (1, 0, 0), 8), radius=1e-3)


@pytest.mark.parametrize("kind", ["tets", "sheet", "thread"])
@pytest.mark.parametrize("by", ["stretch", "stress"])
def test_a_bar_bears_what_it_is_said_to_bear(kind, by):
    """All of it is stretched alike: it holds to the last step before the limit, and tears in the first one beyond it."""
    young = pl.LinearElastic(young=1e6, poisson=0.3) if kind == "tets" else pl.Corotated(young=1e6, poisson=0.0)
    limit = {"stretch": 1.09} if by == "stretch" else {"stress": 0.09 * 1e6}
    sim = pulled(bar(kind), 1.0, pl.Tearing(**limit), law=young)
    before = len(sim.x)
    k, report = 0, None
    while k < 7 and not (report and report.torn):
        k, report = k + 1, sim.step()
        assert report.kept, report.why
    assert k in (5, 6) if by == "stress" else k == 5  # σ = E ε (1 + ε) of a bar that keeps its width
    assert len(sim.x) > before and report.torn == 1 and "torn at 1" in str(report)


def apart(sim):
    """How many pieces the body is in."""
    nodes = sim.scene.bodies[0].shape.nodes
    return len(np.unique(parts(np.pad(nodes, ((0, 0), (0, 4 - nodes.shape[1])), mode="edge"))))


def test_a_bar_is_pulled_apart():
    sim = pulled(bar("tets"), 1.0, pl.Tearing(stretch=1.05))
    mass = sim.world.mass.sum()
    tets = len(sim.scene.bodies[0].shape.nodes)
    for _ in range(40):
        assert sim.step().kept
        if apart(sim) > 1:
            break
    assert apart(sim) == 2
    assert sim.world.mass.sum() == pytest.approx(mass, rel=1e-12) and len(sim.scene.bodies[0].shape.nodes) == tets
    mesh = sim.scene.bodies[0].shape.mesh
    assert mesh.volumes.min() > 0


NOTCH, WIDTH, HEIGHT = 0.3, 1.0, 0.6


def notched(kind, n=20):
    """A sheet with a slit along its middle, and the length of its edges: even, with its nodes shaken, and without any order."""
    h, random = WIDTH / n, np.random.default_rng(3)
    mesh = pl.cloth_grid((WIDTH, HEIGHT), (n, round(n * HEIGHT)))
    V, T = mesh.vertices.copy(), mesh.triangles
    slit = (np.abs(V[:, 1] - HEIGHT / 2) < 1e-9) & (V[:, 0] < NOTCH + 1e-9)
    rim = (V[:, 0] < 1e-9) | (V[:, 0] > WIDTH - 1e-9) | (V[:, 1] < 1e-9) | (V[:, 1] > HEIGHT - 1e-9)
    inner = ~(slit | rim)
    if kind == "shaken":
        V[inner, :2] += random.uniform(-0.25, 0.25, (inner.sum(), 2)) * h
    if kind == "unordered":
        points = list(V[~inner, :2])
        while len(points) < len(V):  # each the best of forty
            some = random.uniform([h / 2, h / 2], [WIDTH - h / 2, HEIGHT - h / 2], (40, 2))
            away = np.linalg.norm(some[:, None] - np.array(points)[None], axis=2).min(axis=1)
            points.append(some[np.argmax(away)])
        V = np.pad(np.array(points), ((0, 0), (0, 1)))
        T = Delaunay(V[:, :2]).simplices
        T = T[np.cross(V[T[:, 1]] - V[T[:, 0]], V[T[:, 2]] - V[T[:, 0]])[:, 2] > 1e-6]
        slit = (np.abs(V[:, 1] - HEIGHT / 2) < 1e-9) & (V[:, 0] < NOTCH + 1e-9)
    edges = pl.TriMesh(V, T).edges
    T, origin = split(T, len(V), edges[slit[edges].all(axis=1)])
    return pl.TriMesh(V[origin], T), h


@pytest.mark.parametrize("kind", ["even", "shaken", "unordered"])
def test_the_tear_of_a_notched_sheet_goes_straight(kind):
    """To the other side, within one row of elements of the line of the notch."""
    mesh, h = notched(kind)
    sim = pulled(pl.Membrane(mesh, 1e-3, bending=False), HEIGHT, pl.Tearing(stretch=1.1), axis=1, plane=True, rate=0.004)
    sim.x, sim.t = sim.x * [1.0, 1.048, 1.0], 12.0
    triangles, area = len(mesh.triangles), mesh.areas.sum()
    for _ in range(60):
        report = sim.step()
        assert report.kept, report.why
        X = sim.scene.bodies[0].shape.rest
        if apart(sim) > 1:
            break
    torn = X[len(mesh.vertices) :]
    assert apart(sim) == 2 and torn[:, 0].max() == pytest.approx(WIDTH)
    assert np.abs(torn[:, 1] - HEIGHT / 2).max() <= 1.001 * h
    shape = sim.scene.bodies[0].shape
    assert len(shape.nodes) == triangles and shape.mesh.areas.sum() == pytest.approx(area, rel=1e-12)


def test_toughness_holds_a_tear_back():
    """The elements around a node must have the energy of the new faces."""
    loose = pulled(bar("sheet"), 1.0, pl.Tearing(stretch=1.05))
    tough = pulled(bar("sheet"), 1.0, pl.Tearing(stretch=1.05, toughness=1e9))
    enough = pulled(bar("sheet"), 1.0, pl.Tearing(stretch=1.05, toughness=1.0))
    torn = [[sim.step().torn for _ in range(3)] for sim in (loose, tough, enough)]
    assert torn[0][-1] and not any(torn[1]) and torn[2] == torn[0]


def test_strengths_of_regions_and_noise():
    """The weak part tears; the same seed tears in the same place, bit for bit."""
    mesh = pl.tet_grid((1.0, 0.3, 0.3), (6, 2, 2))
    middle = mesh.vertices[mesh.tets].mean(axis=1)[:, 0]
    weak = pl.TetMesh(mesh.vertices, mesh.tets, regions=((middle > 0.5) & (middle < 0.67)).astype(int))
    sim = pulled(pl.Tets(weak), 1.0, pl.Tearing(stretch=(1.5, 1.03)))
    while not sim.step().torn:
        pass
    where = sim.scene.bodies[0].shape.rest[len(mesh.vertices) :, 0]
    assert np.all((where > 0.49) & (where < 0.68))
    places = []
    for seed in (1, 1, 2):
        one = pulled(bar("sheet"), 1.0, pl.Tearing(stretch=1.05, noise=0.2, seed=seed))
        for _ in range(4):
            one.step()
        places.append(one.x)
    assert np.array_equal(places[0], places[1]) and (
        places[1].shape != places[2].shape or not np.array_equal(places[1], places[2])
    )


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_runs_checkpoints_holds_loads_and_grabs_go_on(precision, tmp_path):
    """In motion, with wind and a hand on it; a run has chapters, and a checkpoint goes on bit for bit."""
    sheet = pl.Membrane(pl.cloth_grid((0.6, 0.4), (9, 6)), 3e-4)
    effects = [
        pl.Wind((6.0, 0.5, 3.0)),
        pl.Load((2.5, 0, 0), lambda X: X[:, 0] > 0.59),
        pl.Tearing(stretch=1.02, noise=0.1),
    ]
    body = pl.Body(sheet, pl.Corotated(young=2e5, density=500.0), pinned=lambda X: X[:, 0] < 1e-9, effects=effects)
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=8))
    sim = pl.Simulation(pl.Scene(body), scheme, precision=precision)
    sim.grab(30, (0.4, 0.1, 0.1), stiffness=5.0)
    run = sim.run(8 / 60)
    torn = sum(report.torn for report in run.reports)
    assert torn and len(run.chapters) > 1 and all(report.kept for report in run.reports)
    shape = sim.scene.bodies[0].shape
    pinned = np.flatnonzero(shape.rest[:, 0] < 1e-9)
    assert np.array_equal(sim.x[pinned], shape.rest[pinned]) and sim.hands.points
    file = str(tmp_path / "torn.npz")
    sim.save(file)
    again = pl.Simulation.load(file)
    for _ in range(6):
        assert sim.step().torn == again.step().torn
    assert np.array_equal(sim.x, again.x) and np.array_equal(sim.v, again.v)


def test_threads_come_off_where_most_meet():
    net = pl.Springs(pl.meshes.net(size=(1.0, 1.0), cells=(3, 3)), radius=1e-3)
    body = pl.Body(net, pl.Corotated(young=1e6), pinned=[0], effects=[pl.Tearing(stretch=1.001)])
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 60))
    threads, nodes = len(net.nodes), len(net.rest)
    torn = sum(sim.step().torn for _ in range(30))
    shape = sim.scene.bodies[0].shape
    assert torn and len(shape.nodes) == threads and len(shape.rest) == nodes + torn
    assert np.allclose(shape.mesh.lengths, net.mesh.lengths)


def test_what_cannot_tear_says_so():
    with pytest.raises(pl.errors.InputError, match="expected one of stretch"):
        pl.Tearing()
    with pytest.raises(pl.errors.InputError, match="larger than 1"):
        pl.Tearing(stretch=0.9)
    with pytest.raises(pl.errors.InputError, match="does not tear"):
        pl.Body(pl.meshes.hex_box((1, 1, 1), (1, 1, 1)), LAW, effects=[pl.Tearing(stretch=1.2)])
    with pytest.raises(pl.errors.InputError, match="has 3 strengths"):
        pl.Body(bar("sheet"), LAW, effects=[pl.Tearing(stretch=(1.2, 1.3, 1.4))])
    scene = pl.Scene(pl.Body(bar("sheet"), LAW, effects=[pl.Tearing(stretch=1.2)]))
    with pytest.raises(pl.errors.InputError, match="without Tearing"):
        pl.Batch([scene])
    with pytest.raises(pl.errors.InputError, match="without Tearing"):
        pl.inverse.Adjoint(pl.Simulation(scene)).gradient(1, lambda *_: None)


def strip(high, critical, toughness):
    """A long strip between grips with a notch half-way up, drawn apart by ``critical`` times the time, and how much in all."""
    H, mesh = 0.1, pl.cloth_grid((0.4, 0.1), (4 * high, high))
    X, T = np.array(mesh.vertices), np.array(mesh.triangles)
    notch = np.flatnonzero((np.abs(X[:, 1] - H / 2) < 1e-9) & (X[:, 0] < 0.15 - 1e-9))
    number = np.arange(len(X))
    number[notch] = len(X) + np.arange(len(notch))
    above = X[T].mean(axis=1)[:, 1] > H / 2
    T[above] = number[T[above]]
    shape = pl.Membrane(pl.TriMesh(np.concatenate([X, X[notch]]), T), thickness=1e-3)
    grips = pl.Hold(
        lambda X: (X[:, 1] < 1e-9) | (X[:, 1] > H - 1e-9),
        lambda X, t: X + critical * t * np.outer(X[:, 1] - H / 2, [0, 1, 0]),
    )
    body = pl.Body(shape, pl.Corotated(young=1e6, poisson=0.0), effects=[grips, pl.Tearing(stretch=1.0005, toughness=toughness)])
    return pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(dt=0.01))


@pytest.mark.parametrize(
    "high,ratio",
    [(4, 1.02), *(pytest.param(*case, marks=pytest.mark.slow) for case in ((8, 1.30), (16, 1.44), (24, 1.46)))],
)
def test_toughness_is_less_than_the_energy_of_a_tear(high, ratio):
    """G = ½ E ε² H of a long strip when its notch begins to grow, over the toughness; it grows with refinement."""
    toughness = 20.0
    sim = strip(high, np.sqrt(2 * toughness / (1e6 * 0.1)), toughness)
    sim.t = np.sqrt(ratio) - 0.05
    while not (report := sim.step()).torn:
        assert report.ok and sim.t < 1.3
    assert sim.t**2 == pytest.approx(ratio, abs=0.04)
