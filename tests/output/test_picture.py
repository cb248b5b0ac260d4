"""Pictures: the right thing in the right place and colour, checked pixel by pixel where that is possible."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from runs import ball, box_tets, swinging_run

import pliant as pl
from pliant.errors import InputError
from pliant.geometry.mesh.mesh import EdgeMesh, TriMesh
from pliant.output.colours import colour as colours
from pliant.output.frames import as_run
from pliant.output.picture import animation, filmstrip, picture
from pliant.output.surface_pictures import SurfaceRenderer

Image = pytest.importorskip("PIL.Image")


def read(path):
    return np.asarray(Image.open(path).convert("RGB"), dtype=float) / 255.0


def staged(thing, colour=None, size=(200, 150), view=(-58.0, 18.0), samples=2, wire=False, limits=None):
    run = as_run(thing)
    return SurfaceRenderer(run, np.arange(len(run)), colour, size, view, samples, wire, limits)


def coverage(image, hue):
    """Share of the pixels whose colour is nearer in direction to ``hue`` than to grey."""
    chroma = image - image.mean(axis=2, keepdims=True)
    wanted = colours.parsed(hue) - colours.parsed(hue).mean()
    return ((chroma @ wanted) > 0.5 * wanted @ wanted).mean()


def test_a_picture_shows_every_body(run, tmp_path):
    image = read(picture(run, tmp_path / "a.png", frame=3, size=(320, 240)))
    assert image.shape == (240, 320, 3)
    for i in range(3):
        assert coverage(image, colours.body_colour(i)) > (0.01 if i < 2 else 0.002)
    corner = image[:20, :20].reshape(-1, 3)
    assert corner.min() > 0.95  # a light, plain backdrop


def test_two_pictures_are_the_same_bit_for_bit(run, tmp_path):
    first = picture(run, tmp_path / "a.png", size=(160, 120)).read_bytes()
    assert picture(run, tmp_path / "b.png", size=(160, 120)).read_bytes() == first


def test_a_narrow_gap_between_bodies_is_dark_but_not_black():
    low = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    bodies = [pl.Body(m, pl.Corotated(young=1e4)) for m in (low, low.rotated((0, 0, 1), 9).translated((0, 0, 0.103)))]
    image = staged(pl.Scene(bodies), size=(240, 240), view=(-70, 15)).render(0)
    darkest = image.max(axis=2).min()  # by its brightest channel: what is lit at all keeps its hue
    assert 0.3 < darkest < 0.5


def test_a_ball_covers_its_disc():
    stage = staged(ball(0.1, 40), size=(240, 240), view=(0, 0))
    inside = coverage(stage.render(0), colours.body_colour(0))
    # The fit keeps margins; from the camera's own numbers the ball's outline is a circle of known radius.
    distance = np.linalg.norm(stage.camera.eye)
    radius = np.tan(np.arcsin(0.1 / distance)) / stage.camera.half / 2
    assert inside == pytest.approx(np.pi * radius**2, rel=0.04)


def test_nearer_hides_farther():
    far = TriMesh([[-1, 1, 0], [1, 1, 0], [1, 1, 2], [-1, 1, 2]], [[0, 1, 2], [0, 2, 3]])
    near = TriMesh([[-1, -1, 0], [1, -1, 0], [1, -1, 2], [-1, -1, 2]], [[0, 1, 2], [0, 2, 3]])
    a, b = as_run(far), as_run(near)
    both = a.changed(
        positions=np.concatenate([a.positions, b.positions], 1), rest=np.concatenate([a.rest, b.rest]),
        velocities=np.concatenate([a.velocities, b.velocities], 1),
        skins=(a.skins[0], replace(b.skins[0], start=4, stop=8)),
    )  # fmt: skip
    image = staged(both, view=(-90, 5)).render(0)
    middle = image[60:90, 80:120]
    assert coverage(middle, colours.body_colour(1)) == 1.0
    image = staged(both, view=(90, 5)).render(0)
    assert coverage(image[60:90, 80:120], colours.body_colour(0)) == 1.0


def test_colours_follow_the_scale(run):
    limits = (0.0, 1.0)
    low = staged(run.changed(fields={"stress": np.zeros(run.positions.shape[:2])}), "stress", limits=limits)
    high = staged(run.changed(fields={"stress": np.ones(run.positions.shape[:2])}), "stress", limits=limits)
    ends = colours.scale(2)
    for stage, end in ((low, ends[0]), (high, ends[1])):
        text = "#" + "".join(f"{round(v * 255):02x}" for v in end)
        assert coverage(stage.render(4), text) > 0.08


def test_limits_leave_out_a_towering_corner(run):
    stress = np.full(run.positions.shape[:2], 100.0)
    stress[:, 0] = 1e6
    stage = staged(run.changed(fields={"stress": stress}), "stress")
    assert stage.limits == (0.0, pytest.approx(100.0)) and stage.largest == 1e6


def test_wire_darkens_edges_only_on_bodies(run):
    plain, wired = staged(run).render(0), staged(run, wire=True).render(0)
    change = (plain - wired).max(axis=2)
    assert (change > 0.05).mean() > 0.01
    body = coverage(plain, colours.body_colour(0)) + coverage(plain, colours.body_colour(1))
    assert (change > 0.02).mean() < 1.6 * body


def test_the_floor_takes_a_shadow_and_a_grid(run):
    lone = run.changed(props=())
    with_floor, without = staged(run).render(0), staged(lone).render(0)
    below = with_floor[110:, :]
    assert below.std() > 0.01  # grid lines and shadow
    assert without[140:, :10].std(axis=(0, 1)).max() < 0.02  # no grid in a corner without a floor
    shaded = staged(lone, view=(-58, 50)).render(0)
    backdrop = staged(lone.changed(skins=lone.skins[2:]), view=(-58, 50)).render(0)
    assert (backdrop.mean(axis=2) - shaded.mean(axis=2) > 0.08).mean() > 0.05


def test_creases_stay_sharp_and_curves_smooth():
    def shades(thing, view):
        """Number of clearly different greys along the middle row of the body."""
        image = staged(thing, size=(240, 180), view=view, samples=1).render(0)
        row = image[90]
        row = row[np.ptp(row, axis=1) > 0.25]
        return np.abs(np.diff(row.mean(axis=1)))

    box = shades(box_tets((2, 2, 2), (0.1, 0.1, 0.1)), (-60, 0))
    assert box.max() > 0.04 and np.sort(box)[-4] < 0.02  # one step, at the edge
    sphere = shades(ball(0.1, 12), (0, 0))
    assert np.sort(sphere)[-6] < 0.03  # no steps at the facets


def test_rods_and_meshes_can_be_drawn(tmp_path):
    rod = EdgeMesh([[0, 0, 0], [0.5, 0, 0.2], [1, 0, 0]], [[0, 1], [1, 2]])
    image = read(picture(rod, tmp_path / "rod.png", size=(160, 120)))
    assert 0.002 < coverage(image, colours.body_colour(0)) < 0.1
    image = read(picture(box_tets(), tmp_path / "tets.png", size=(160, 120), title="A box of tets"))
    assert coverage(image, colours.body_colour(0)) > 0.05


def test_a_plane_behind_the_eye_is_cut_and_not_smeared():
    wide = TriMesh([[-500, 0, -500], [500, 0, -500], [0, 0, 900]], [[0, 1, 2]])
    run = swinging_run(frames=1)
    from pliant.simulate.record.run import Prop

    stage = staged(run.changed(props=(Prop("wall", wide, np.eye(4)[None]),)), view=(-90, 10))
    image = stage.render(0)
    assert np.isfinite(image).all()
    assert coverage(image, colours.body_colour(2)) > 0.002  # the rod is before the wall
    assert coverage(image, colours.body_colour(1)) < 0.001  # the cloth is behind it


def test_a_body_without_shape_is_refused(tmp_path):
    cloud = TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [])
    with pytest.raises(InputError, match="nothing to draw"):
        picture(cloud, tmp_path / "a.png")


def test_filmstrip_is_as_wide_as_its_moments(run, tmp_path):
    image = read(filmstrip(run, tmp_path / "strip.png", frames=3, size=(120, 100), colour="displacement"))
    assert image.shape == (100, 360, 3)
    assert np.abs(image[:, :120] - image[:, 120:240]).max() > 0.2


def test_animation_plays_in_a_real_reader(run, tmp_path):
    file = animation(run, tmp_path / "moving.png", fps=10, size=(160, 120), samples=1)
    moving = Image.open(file)
    assert moving.n_frames == 13 and moving.info["loop"] == 0
    stage = SurfaceRenderer(run, np.arange(13), None, (160, 120), (-58.0, 18.0), 1, False, None)
    for k in (0, 6, 12):
        moving.seek(k)
        shown = np.asarray(moving.convert("RGB"), dtype=float) / 255.0
        truth = stage.render(k)
        assert np.abs(shown - truth)[20:90].mean() < 0.012  # what was kept from before is still right


def test_animation_stays_small(tmp_path):
    moving = swinging_run(frames=17, seconds=0.8)
    file = animation(moving, tmp_path / "moving.apng", samples=1, colour="stress")
    assert file.stat().st_size < 2.5e6 * 0.8 / 3.0  # three seconds of 480 × 360 stay below 2.5 MB


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"path": "a.jpg"}, "ending in .png"),
        ({"colour": "strss"}, "did you mean 'stress'"),
        ({"frame": 99}, "no frame 99"),
        ({"size": (0, 10)}, "size is"),
        ({"size": 640}, "size is"),
        ({"view": (0, 90)}, "elevation between"),
        ({"view": "front"}, "elevation between"),
        ({"samples": 0}, "samples is 0"),
        ({"colour": "stress", "limits": (3, 1)}, "low < high"),
        ({"run": 3}, "cannot draw or write a int"),
    ],
)
def test_bad_requests_leave_nothing(run, tmp_path, options, says):
    path = tmp_path / options.pop("path", "a.png")
    with pytest.raises(InputError, match=says):
        picture(options.pop("run", run), path, **options)
    assert list(tmp_path.iterdir()) == []


def test_broken_runs_are_refused(run, tmp_path):
    broken = run.positions.copy()
    broken[3, 5] = np.nan
    for change, says in (
        ({"positions": broken}, "1 of 13 frames hold positions that are not finite, first at 3"),
        ({"skins": ()}, "no bodies"),
        ({"fields": {"stress": np.zeros(3)}}, "field 'stress' has shape"),
        ({"times": np.zeros(0)}, r"expected \(0, "),
        ({"energies": {"kinetic": np.zeros(2)}}, "energy 'kinetic' has shape"),
    ):
        with pytest.raises(InputError, match=says):
            picture(run.changed(**change), tmp_path / "a.png")
    with pytest.raises(InputError, match="no frames"):
        picture(run.selected(np.zeros(0, int)), tmp_path / "a.png")
    with pytest.raises(InputError, match="raise fps"):
        animation(run, tmp_path / "a.png", fps=0.1)
    assert list(tmp_path.iterdir()) == []


def test_fields_of_both_signs_have_no_hue_where_nothing_is(tmp_path):
    sheet = ball(0.5)
    run = as_run(sheet)
    run = replace(run, chapters=(replace(run.chapters[0], fields={"pressure": run.positions[:, :, 2].copy()}),))
    stage = staged(run, "pressure", view=(0.0, 0.0), size=(120, 120))
    image = stage.render(0)
    top, middle, bottom = (image[int(120 * row), 60] for row in (0.25, 0.5, 0.75))
    assert top[0] > top[2] + 0.1 and bottom[2] > bottom[0] + 0.1  # red above, blue below
    assert np.ptp(middle) < 0.12
    both, one = colours.ramp("pressure", (-1.0, 3.0)), colours.ramp("pressure", (0.0, 3.0))
    assert np.array_equal(one, colours.scale(256)) and np.array_equal(colours.ramp("height", (-1, 1)), one)
    assert np.ptp(both[64]) < 0.06 and both[0] == pytest.approx(colours.two_sided(256)[85], abs=1e-9)  # a third as far as 3
    run = replace(run, chapters=(replace(run.chapters[0], fields={"volume ratio": 1 + 0.1 * run.positions[:, :, 2]}),))
    assert staged(run, "volume ratio").limits == pytest.approx((0.95, 1.05), abs=2e-3)


def test_parameters_of_materials_are_drawn_by_region(tmp_path):
    import pliant as pl

    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 1, 1))
    right = mesh.vertices[mesh.tets].mean(axis=1)[:, 0] > 0.2
    law = pl.StableNeoHookean(young=[1e4, 5e4], poisson=0.3, density=[900.0, 1200.0])
    body = pl.Body(replace(mesh, regions=right.astype(int)), law)
    sim = pl.Simulation(pl.Scene([body]))
    young, X = sim.field("young"), mesh.vertices[:, 0]
    assert young[X < 0.19] == pytest.approx(1e4) and young[X > 0.21] == pytest.approx(5e4)
    assert np.all((young >= 1e4 - 1e-6) & (young <= 5e4 + 1e-6)) and sim.at([(0.35, 0.05, 0.05)], "density") == 1200
    for i, thing in enumerate((body, sim.scene, sim)):
        path = pl.picture(thing, tmp_path / f"{i}.png", colour="young", size=(200, 150))
    images = [read(tmp_path / f"{i}.png") for i in range(3)]
    assert np.array_equal(images[0], images[1]) and np.array_equal(images[0], images[2]) and path.is_file()
    pl.picture(sim, tmp_path / "stress.png", colour="stress", size=(60, 40))
    with pytest.raises(InputError, match="unknown field 'yuong'"):
        pl.picture(sim, tmp_path / "no.png", colour="yuong")
    with pytest.raises(InputError, match="no field 'stress'"):
        pl.picture(body, tmp_path / "no.png", colour="stress")


def test_names_of_bodies_stand_beside_their_colours(tmp_path):
    law, grids = (
        pl.StableNeoHookean(young=1e4),
        [pl.tet_grid((1, 1, 1), (1, 1, 1), origin=(1.5 * k, 0, 0)) for k in range(10)],
    )
    bodies = [pl.Body(grid, law, name=f"b{k}") for k, grid in enumerate(grids)]
    scene = pl.Scene(bodies)
    drawn = [pl.picture(scene, tmp_path / f"{names}.png", size=(320, 240), names=names) for names in (False, True)]
    assert drawn[0].read_bytes() != drawn[1].read_bytes()
    assert len({colours.body_colour(k) for k in range(20)}) == 20
    with pytest.raises(InputError, match="one hue per body"):
        pl.picture(scene, tmp_path / "c.png", colour="height", names=True)
