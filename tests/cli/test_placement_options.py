"""A file that is y up and in centimetres stands upright at its size in ``view``, ``run``, ``mesh`` and Python."""

import argparse

import numpy as np
import pytest

import pliant as pl
from pliant.cli import run as run_command
from pliant.cli.common.placement_options import guessed
from pliant.cli.inputs.shape_file import solids_of
from pliant.cli.main import main
from pliant.cli.view import from_mesh
from pliant.errors import InputError

SIDES = np.array([20.0, 60.0, 10.0])  # [cm], y up
UPRIGHT = [0.2, 0.1, 0.6]  # [m]


def options(file, *given: str) -> argparse.Namespace:
    """What ``pliant run`` makes of its arguments."""
    parser = argparse.ArgumentParser()
    run_command.arguments(parser)
    return parser.parse_args([str(file), *given])


@pytest.fixture
def file(tmp_path):
    tall = pl.meshes.box(SIDES)
    pl.write(tall, tmp_path / "tall.obj")
    return tmp_path / "tall.obj"


def sides(shape) -> np.ndarray:
    return np.ptp(shape.bounds, axis=0)


def test_it_stands_upright_at_its_size_everywhere(file, tmp_path, capsys):
    assert sides(pl.read(file, up="y", unit="cm")) == pytest.approx(UPRIGHT)
    (found,) = solids_of(pl.read(file), options(file, "--up", "y", "--unit", "cm", "--edge", "0.05"))
    assert sides(found.drawn) == pytest.approx(UPRIGHT) and found.spacing == 0.05
    assert dict(found.rows)["size"].startswith("200 × 100 × 600 mm, in cm")
    assert main(["mesh", str(file), str(tmp_path / "out.ply"), "--up", "y", "--unit", "cm"]) == 0
    assert sides(pl.read(tmp_path / "out.ply")) == pytest.approx(UPRIGHT)
    assert "tall.obj is 0.2 × 0.1 × 0.6 m, y up" in capsys.readouterr().out
    seen = from_mesh(file, up="y", unit="cm", edge=0.1)
    assert np.ptp(seen.bodies[0].surface, axis=0) == pytest.approx(UPRIGHT, abs=1e-6)
    said = capsys.readouterr().err
    assert "tall.obj is 0.2 × 0.1 × 0.6 m, y up, in cm (--up, --unit and --size say otherwise)" in said


@pytest.mark.parametrize("up", ["x", "-x", "y", "-y", "z", "-z"])
def test_the_axis_that_is_up_becomes_z_and_nothing_is_mirrored(up, tmp_path):
    axis, sign = "xyz".index(up[-1]), -1 if up[0] == "-" else 1
    shape = pl.meshes.box((1, 2, 3))
    pl.write(shape, tmp_path / "box.off")
    turned = pl.read(tmp_path / "box.off", up=up)
    assert turned.vertices[:, 2] == pytest.approx(sign * shape.vertices[:, axis], abs=1e-12)
    assert turned.volume == pytest.approx(shape.volume)


def test_gltf_is_y_up_by_itself(tmp_path):
    pl.write(pl.meshes.box((1, 2, 3)), tmp_path / "box.glb")
    assert sides(pl.read(tmp_path / "box.glb", up="y")) == pytest.approx([1, 2, 3])
    assert sides(pl.read(tmp_path / "box.glb", up="z")) == pytest.approx([1, 3, 2])  # z of the file, which holds y up


def test_sizes_and_guesses(file, tmp_path):
    assert sides(pl.read(file, size=0.3)).max() == pytest.approx(0.3)
    assert sides(pl.read(file, unit=0.5)).max() == pytest.approx(30.0)
    assert guessed(0.3, "a.obj")[0] == 1.0 and guessed(60.0, "a.obj")[0] == 0.001
    assert guessed(1e6, "a.obj")[0] == pytest.approx(2e-7) and guessed(60.0, "a.usda")[0] == 1.0
    pl.write(pl.Volume(np.ones((3, 4, 5), np.uint8), 0.01), tmp_path / "scan.nrrd")
    for wrong in ({"up": "w"}, {"unit": "miles"}, {"unit": -1.0}, {"size": 0.0}, {"unit": "m", "size": 1.0}):
        with pytest.raises(InputError):
            pl.read(file, **wrong)
    with pytest.raises(InputError):
        pl.read(tmp_path / "scan.nrrd", unit="mm")
    turned = pl.read(tmp_path / "scan.nrrd", up="y")
    assert sides(turned) == pytest.approx([0.02, 0.04, 0.03])
    with pytest.raises(InputError, match="expected one of them"):
        solids_of(pl.read(file), options(file, "--scale", "2", "--unit", "cm"))
    assert main(["view", str(file), "--unit", "cm", "--size", "1", "--no-open"]) == 2


def test_a_thin_part_gets_finer_tets_or_is_said_to_be_lost(tmp_path, capsys):
    thin = pl.meshes.box((0.3, 0.1, 0.01))
    pl.write(thin, tmp_path / "plate.stl")
    sim = from_mesh(tmp_path / "plate.stl")
    assert "finer than usual" in capsys.readouterr().err
    assert sim.scene.bodies[0].shape.volumes.sum() == pytest.approx(0.3 * 0.1 * 0.01, rel=0.3)


@pytest.mark.parametrize("unit", ["0.01", "1e-2", "1E-2", "cm"])
def test_a_unit_is_a_name_or_a_number_as_people_write_it(file, tmp_path, unit):
    out = tmp_path / "out.ply"
    assert main(["mesh", str(file), str(out), "--up", "y", "--unit", unit]) == 0
    assert sides(pl.read(out)) == pytest.approx(UPRIGHT, rel=1e-6)


def test_a_sheet_and_a_plate_are_told_what_to_do(tmp_path, capsys):
    """No edge fits into a sheet, nor one that there is room for into a thin plate; of a thicker one the option is named."""
    pl.write(pl.cloth_grid((1, 1), (4, 4)), tmp_path / "sheet.obj")
    pl.write(pl.meshes.box((0.3, 0.3, 0.0004)), tmp_path / "plate.stl")
    pl.write(pl.meshes.box((0.3, 0.3, 0.004)), tmp_path / "board.stl")
    pl.write(pl.PointCloud(np.eye(3)), tmp_path / "points.ply")
    for name, words in (
        ("sheet.obj", "is a sheet of 1 × 1 × 0 m without an inside; expected a solid: pliant view FILE --cloth, or run, takes a"),
        ("plate.stl", "a solid of 0.3 × 0.3 × 0.0004 m is so thin that"), ("board.stl", "0.3 × 0.3 × 0.004 m; try --edge 0.00"),
        ("points.ply", "sdf.from_points makes a solid"),
    ):  # fmt: skip
        assert main(["run", str(tmp_path / name), "--spacing", "0.05"]) == 2
        assert words in capsys.readouterr().err
    assert main(["mesh", str(tmp_path / "board.stl"), str(tmp_path / "a.msh"), "--edge", "0.05"]) == 2
    assert "try --edge 0.001" in capsys.readouterr().err
    assert main(["help", "mesh"]) == 0 and "--edge" in capsys.readouterr().out


def test_a_part_in_millimetres_is_taken_so_by_mesh_and_said_by_inspect(tmp_path, capsys):
    part = tmp_path / "part.stl"
    pl.write(pl.meshes.box((10.0, 10.0, 20.0)), part)
    assert main(["mesh", str(part), str(tmp_path / "part.npz"), "--edge", "0.004"]) == 0
    assert "part.stl is 0.01 × 0.01 × 0.02 m, z up, 20 units taken as millimetres" in capsys.readouterr().out
    assert np.allclose(np.ptp(pl.read(tmp_path / "part.npz").vertices, axis=0), (0.01, 0.01, 0.02))
    assert main(["mesh", str(part), str(tmp_path / "same.stl")]) == 0  # another format alone changes no number
    assert np.allclose(np.ptp(pl.read(tmp_path / "same.stl").vertices, axis=0), (10, 10, 20))
    capsys.readouterr()
    assert main(["inspect", str(part)]) == 0
    assert "unit        none in the file; view, run and mesh --edge: 20 units taken as millimetres" in capsys.readouterr().out
