"""What meshio reads and writes for us: one file each, nothing from elsewhere, within limits of time and memory."""

import io
import os
import subprocess
import sys
import warnings
from pathlib import Path

import h5py
import meshio
import numpy as np
import pytest

from pliant.arguments.atomic_files import sweep
from pliant.cli.inputs.scene_file import read_scene
from pliant.errors import InputError, PliantWarning
from pliant.geometry.files import meshio_formats, read, sandbox, write
from pliant.geometry.mesh.primitives import tet_grid

TETS = tet_grid((1, 0.3, 0.7), (2, 1, 2)).scaled(1 / 3)
SUFFIXES = ("xdmf", "xmf", "inp", "med", "xml")


def test_what_is_written_is_one_file_that_another_process_reads(tmp_path):
    """XDMF had its numbers in a hidden file beside it, which was swept away once its process had ended."""
    code = f"""import pliant as pl
mesh = pl.tet_grid((1, 0.3, 0.7), (2, 1, 2)).scaled(1 / 3)
for suffix in {SUFFIXES}:
    pl.write(mesh, f"a.{{suffix}}")"""
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, timeout=120)
    sweep(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(f"a.{suffix}" for suffix in SUFFIXES)
    for suffix in SUFFIXES:
        mesh = read(tmp_path / f"a.{suffix}")
        assert mesh.tets.tolist() == TETS.tets.tolist(), suffix
        assert np.allclose(mesh.vertices, TETS.vertices, rtol=0, atol=1e-15), suffix


def test_what_meshio_would_spread_over_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(meshio_formats, "_INSIDE", {})
    with pytest.raises(InputError, match=r"meshio writes \.xdmf as 2 files; use vtu or npz"):
        write(TETS, tmp_path / "a.xdmf")
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("name", ["../secret/a.h5", "{folder}/secret/a.h5", "link.h5"])
def test_meshio_opens_nothing_outside_the_folder_of_a_file(name, tmp_path):
    for folder in ("secret", "in"):
        (tmp_path / folder).mkdir()
    meshio.write(tmp_path / "secret" / "a.xdmf", meshio.Mesh(TETS.vertices, [("tetra", TETS.tets)]))
    text = (tmp_path / "secret" / "a.xdmf").read_text()
    (tmp_path / "in" / "link.h5").symlink_to(tmp_path / "secret" / "a.h5")
    (tmp_path / "in" / "a.xdmf").write_text(text.replace("a.h5", name.format(folder=tmp_path)))
    with pytest.raises(InputError, match="expected one in the same folder"):
        read(tmp_path / "in" / "a.xdmf")
    other = "*INCLUDE, INPUT=../secret/b.inp\n"
    meshio.write(tmp_path / "secret" / "b.inp", meshio.Mesh(TETS.vertices, [("tetra", TETS.tets)]))
    (tmp_path / "in" / "b.inp").write_text(other)
    with pytest.raises(InputError, match="expected one in the same folder"):
        read(tmp_path / "in" / "b.inp")
    assert np.array_equal(read(tmp_path / "secret" / "a.xdmf").vertices, TETS.vertices)  # with its data beside it


TECPLOT = 'TITLE = "a"\nVARIABLES = "X", "Y", "Z"\nZONE NODES = 8, ELEMENTS = 5,\nDATAPACKING = BLOCK, ZONETYPE = FETETRAHEDRON\n'


def test_meshio_ends_and_stays_within_memory(tmp_path, monkeypatch):
    """Cut off after its first numbers, a Tecplot file was read for ever; nothing limited the memory."""
    (tmp_path / "cut.dat").write_text(TECPLOT + "0 0 0 0\n")
    with monkeypatch.context() as patched:
        patched.setattr(sandbox, "PATIENCE", 4.0)
        with pytest.raises(InputError, match=r"cut.dat: meshio did not end within 4 s; expected a whole file"):
            read(tmp_path / "cut.dat")
    packed = io.BytesIO()
    with h5py.File(packed, "w") as data:
        data.create_dataset("x", shape=(200_000_000, 3), dtype="f8", chunks=(100_000, 3), compression="gzip", fillvalue=0)
    (tmp_path / "big.h5").write_bytes(packed.getvalue())
    meshio.write(tmp_path / "big.xdmf", meshio.Mesh(TETS.vertices, [("tetra", TETS.tets)]), data_format="XML")
    text = (tmp_path / "big.xdmf").read_text()
    start, end = text.index('Format="XML"'), text.index("</DataItem>")
    (tmp_path / "big.xdmf").write_text(text[:start] + 'Format="HDF">big.h5:/x' + text[end:])
    with pytest.raises(InputError, match=r"more than the limit of 300 MB for .*read\(path, limit=3e\+09\)"):
        read(tmp_path / "big.xdmf")


SCENE = """[[bodies]]
shape = { read = %s }
material = { Corotated = { young = 1e4 } }
[run]
seconds = 0.1
"""


@pytest.mark.parametrize("given", ['"m.vtk"', '"m.usda"', '{ path = "m.vtu", limit = 1e12 }'])
def test_a_scene_from_a_page_reads_formats_that_stay_in_its_folder_and_raises_no_limit(given, tmp_path):
    for name in ("m.vtk", "m.vtu"):
        write(TETS, tmp_path / name)
    (tmp_path / "m.usda").write_text("#usda 1.0")
    file = Path(tmp_path, "s.toml")
    file.write_text(SCENE % '"m.vtu"')
    assert read_scene(file, kept=True).scene.bodies
    file.write_text(SCENE % given)
    with pytest.raises(InputError, match=r"no page takes it; expected such as obj|unknown key 'limit'"):
        read_scene(file, kept=True)


def test_sets_that_are_not_taken_over_are_told(tmp_path):
    nodes = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n"
    file = tmp_path / "a.inp"
    file.write_text(nodes + "*ELEMENT, TYPE=C3D4, ELSET=steel\n1, 1, 2, 3, 4\n*NSET, NSET=clamp\n1, 2\n")
    with pytest.warns(PliantWarning, match=r"its 2 sets, 'clamp', 'steel', are not taken over as groups"):
        mesh = read(file)
    assert mesh.tets.tolist() == [[0, 1, 2, 3]] and not mesh.groups
    file.write_text(nodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read(file)
