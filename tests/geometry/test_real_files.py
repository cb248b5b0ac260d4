"""Every format that read knows, as other libraries write it, and ours in their hands. VTK is large: its tests are slow ones."""

import json
import shutil
import subprocess
from pathlib import Path

import meshio
import nibabel as nib
import nrrd
import numpy as np
import pytest
import trimesh
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

import pliant as pl
from pliant.geometry.files import FORMATS
from pliant.geometry.files.surfaces.usd import SUFFIXES

KINDS = (np.uint8, np.int8, np.int16, np.uint16, np.int32, np.float32, np.float64)
MILLIMETRES = np.diag([1e-3, 1e-3, 1e-3, 1.0])


def place():
    """(4, 4) affine of turned axes and unequal steps [mm]."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))
    affine = np.eye(4)
    affine[:3, :3], affine[:3, 3] = Q * np.sign(np.linalg.det(Q)) * [0.7, 0.8, 1.5], [-10, 20, 30]
    return affine


def voxels(kind):
    return (100 * np.random.default_rng(1).random((5, 6, 7))).astype(kind)


def check(volume, values, affine):
    assert volume.values.dtype == values.dtype and np.array_equal(volume.values, values)
    assert np.abs(volume.affine - affine).max() < 1e-7 * np.abs(affine).max()


@pytest.mark.parametrize("version", [nib.Nifti1Image, nib.Nifti2Image])
@pytest.mark.parametrize("kind", KINDS)
def test_nifti_of_nibabel(kind, version, tmp_path):
    values, affine = voxels(kind), place()
    image = version(values, affine)
    image.header.set_xyzt_units("mm")
    for suffix in ("nii", "nii.gz"):
        nib.save(image, tmp_path / f"a.{suffix}")
        check(pl.read(tmp_path / f"a.{suffix}"), values, MILLIMETRES @ affine)
    turned = version(values, None)  # the quaternion alone
    turned.set_qform(affine, 1)
    turned.set_sform(None, 0)
    turned.header.set_xyzt_units("mm")
    nib.save(turned, tmp_path / "q.nii")
    check(pl.read(tmp_path / "q.nii"), values, MILLIMETRES @ nib.load(tmp_path / "q.nii").affine)


def test_scaled_nifti_and_what_is_refused(tmp_path):
    image = nib.Nifti1Image(voxels(np.int16), place())
    image.header.set_slope_inter(2.0, 3.0)
    image.header.set_xyzt_units("mm")
    nib.save(image, tmp_path / "a.nii")
    check(pl.read(tmp_path / "a.nii"), nib.load(tmp_path / "a.nii").get_fdata(dtype=np.float32), MILLIMETRES @ place())
    backwards = nib.Nifti2Image(voxels(np.int16), place(), nib.Nifti2Header(endianness=">"))
    backwards.header.set_slope_inter(0.5, -1.0)
    backwards.header.set_xyzt_units("micron")
    nib.save(backwards, tmp_path / "two.nii.gz")
    assert nib.load(tmp_path / "two.nii.gz").header.endianness == ">"
    found = nib.load(tmp_path / "two.nii.gz").get_fdata(dtype=np.float32)
    check(pl.read(tmp_path / "two.nii.gz"), found, 1e-3 * MILLIMETRES @ np.diag([1, 1, 1, 1e3]) @ place())
    nib.save(nib.Nifti1Image(np.zeros((3, 4, 5, 12), np.uint8), np.eye(4)), tmp_path / "film.nii")
    with pytest.raises(pl.errors.InputError, match=r"holds 12 volumes, over time or by channel; expected one 3-D volume"):
        pl.read(tmp_path / "film.nii")


@pytest.mark.parametrize("kind", KINDS)
def test_nrrd_of_pynrrd_and_ours(kind, tmp_path):
    values, affine = voxels(kind), place()
    frame = {"space directions": affine[:3, :3].T.tolist(), "space origin": affine[:3, 3].tolist()}
    for encoding in ("raw", "gzip", "ascii"):
        nrrd.write(str(tmp_path / "a.nrrd"), values, {"space": "left-posterior-superior", "encoding": encoding, **frame})
        check(pl.read(tmp_path / "a.nrrd"), values, MILLIMETRES @ np.diag([-1, -1, 1, 1]) @ affine)
    nrrd.write(str(tmp_path / "a.nhdr"), values, {"space": "RAS", **frame})
    check(pl.read(tmp_path / "a.nhdr"), values, MILLIMETRES @ affine)
    nrrd.write(str(tmp_path / "s.nrrd"), values, {"spacings": [1.0, 2.0, 3.0]})
    check(pl.read(tmp_path / "s.nrrd"), values, MILLIMETRES @ np.diag([1.0, 2.0, 3.0, 1.0]))
    pl.write(pl.Volume.from_affine(values, MILLIMETRES @ affine), tmp_path / "ours.nrrd")
    back, head = nrrd.read(str(tmp_path / "ours.nrrd"))
    assert np.array_equal(back, values) and back.dtype == values.dtype
    assert np.abs(head["space directions"].T - affine[:3, :3]).max() < 1e-12
    assert np.abs(head["space origin"] - affine[:3, 3]).max() < 1e-12


def vtk_image(values, affine, cells):
    """VTK's own image with values at its points, or in its cells."""
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonDataModel import vtkImageData

    image = vtkImageData()
    image.SetDimensions(*(np.array(values.shape) + cells).tolist())
    steps = np.linalg.norm(affine[:3, :3], axis=0)
    image.SetSpacing(*steps)
    image.SetOrigin(*affine[:3, 3])
    image.SetDirectionMatrix(*(affine[:3, :3] / steps).ravel())
    array = numpy_to_vtk(values.ravel(order="F"), deep=True)
    array.SetName("v")
    (image.GetCellData() if cells else image.GetPointData()).AddArray(array)
    return image


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mode", ["Ascii", "Binary", "Appended"])
def test_vti_of_vtk(kind, mode, tmp_path):
    from vtkmodules.vtkIOXML import vtkXMLImageDataWriter

    values, affine = voxels(kind), place()
    for cells in (False, True):
        writer = vtkXMLImageDataWriter()
        writer.SetFileName(str(tmp_path / "a.vti"))
        writer.SetInputData(vtk_image(values, affine, cells))
        getattr(writer, f"SetDataModeTo{mode}")()
        assert writer.Write() == 1
        want = affine.copy()
        if cells:  # a value belongs to the middle of its cell
            want[:3, 3] += affine[:3, :3] @ [0.5, 0.5, 0.5]
        check(pl.read(tmp_path / "a.vti"), values, want)


def by_trimesh(**options):
    def written(mesh, path):
        trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False).export(path, **options)

    def found(path):
        mesh = trimesh.load_scene(path, process=False).to_mesh()
        return np.asarray(mesh.vertices)[mesh.faces]

    return written, found


def gltf_by_trimesh():
    """Turned to the y up of glTF by hand; .gltf comes as several files."""

    def written(mesh, path):
        turned = np.stack([mesh.vertices[:, 0], mesh.vertices[:, 2], -mesh.vertices[:, 1]], axis=1)
        scene = trimesh.Scene(trimesh.Trimesh(turned, mesh.triangles, process=False))
        if path.suffix == ".glb":
            path.write_bytes(trimesh.exchange.gltf.export_glb(scene))
        else:
            for name, data in trimesh.exchange.gltf.export_gltf(scene).items():
                (path if name.endswith(".gltf") else path.with_name(name)).write_bytes(data)

    def found(path):
        x = by_trimesh()[1](path)
        return np.stack([x[..., 0], -x[..., 2], x[..., 1]], axis=-1)

    return written, found


def by_meshio(kind, **options):
    def written(mesh, path):
        meshio.write(path, meshio.Mesh(mesh.vertices, [("tetra", mesh.tets)]), file_format=kind, **options)

    def found(path):
        mesh = meshio.read(path)
        return mesh.points[mesh.cells_dict["tetra"]]

    return written, found


# Suffix → how another library writes and reads it.
MESHES = {
    ".obj": by_trimesh(), ".stl": by_trimesh(), ".ply": by_trimesh(), ".off": by_trimesh(), ".glb": gltf_by_trimesh(),
    ".gltf": gltf_by_trimesh(), ".msh": by_meshio("gmsh"), ".vtu": by_meshio("vtu"), ".node": by_meshio("tetgen"),
    ".ele": by_meshio("tetgen"),
}  # fmt: skip
VOLUMES = {".nii", ".nii.gz", ".nrrd", ".nhdr", ".vti"}  # above: nibabel, pynrrd and VTK


def test_every_format_has_another_reader():
    """But ours, which is NumPy's, and Vega's, of which there is no library; test_files.py writes that by hand.

    test_files_usd.py has stages that pxr writes; MetaImage is written by hand in test_files_mha.py,
    DICOM by pydicom in test_files_dicom.py.
    """
    assert set(MESHES) | VOLUMES | {".npz", ".veg", ".mha", ".mhd", ".dcm", *SUFFIXES} == set(FORMATS)


@pytest.mark.parametrize("suffix", MESHES)
def test_their_file_is_ours_and_ours_theirs(suffix, tmp_path):
    solid = suffix in (".msh", ".vtu", ".node", ".ele")
    mesh = pl.tet_grid((0.3, 0.2, 0.1), (3, 2, 1)) if solid else pl.meshes.sphere(0.1, 2).translated((0.1, 0.2, 0.3))
    cells = "tets" if solid else "triangles"
    want = mesh.vertices[getattr(mesh, cells)]
    write, found = MESHES[suffix]
    write(mesh, tmp_path / f"theirs{suffix}")
    theirs = pl.read(tmp_path / f"theirs{suffix}")
    assert type(theirs) is type(mesh)
    np.testing.assert_allclose(theirs.vertices[getattr(theirs, cells)], want, atol=1e-7)
    assert len(theirs.vertices) == len(mesh.vertices)
    if suffix == ".gltf":  # read only
        return
    pl.write(mesh, tmp_path / f"ours{suffix}")
    np.testing.assert_allclose(found(tmp_path / f"ours{suffix}"), want, atol=1e-7)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("blender") is None, reason="blender is not installed; apt-get install blender python3-numpy")
def test_a_scene_of_blender(tmp_path):
    """Parents, a mirrored child, a bent rig and a shape key: the vertices stand where Blender shows them."""
    script = Path(__file__).with_name("blender_author.py")
    command = [
        shutil.which("blender"),
        "-b",
        "--factory-startup",
        "--python-exit-code",
        "3",
        "--python",
        str(script),
        "--",
    ]
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    want = np.array(json.loads((tmp_path / "made.json").read_text()))
    for name in ("a.glb", "b.gltf", "c.gltf"):
        mesh = pl.read(tmp_path / name)
        assert len(mesh.vertices) == len(np.unique(want.round(6), axis=0))  # seams are joined
        assert cKDTree(want).query(mesh.vertices)[0].max() < 1e-5 and cKDTree(mesh.vertices).query(want)[0].max() < 1e-5
        pairs = mesh.triangles[:, [0, 1, 1, 2]].reshape(-1, 2)
        joined = coo_array((np.ones(len(pairs)), pairs.T), shape=(len(mesh.vertices),) * 2)
        part = connected_components(joined, directed=False)[1][mesh.triangles[:, 0]]
        parts = [pl.TriMesh(mesh.vertices, mesh.triangles[part == k]) for k in np.unique(part)]
        closed = [p.volume for p in parts if pl.inspect(p).watertight]
        assert len(closed) >= 3 and min(closed) > 0  # the mirrored one too


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["obj", "stl", "ply", "glb"])
def test_surfaces_in_vtk(suffix, tmp_path):
    from vtkmodules.util.numpy_support import vtk_to_numpy as array
    from vtkmodules.vtkIOGeometry import vtkGLTFReader, vtkOBJReader, vtkSTLReader
    from vtkmodules.vtkIOPLY import vtkPLYReader

    reader = {"obj": vtkOBJReader, "stl": vtkSTLReader, "ply": vtkPLYReader, "glb": vtkGLTFReader}[suffix]()
    ball = pl.meshes.sphere(0.1, 2)
    pl.write(ball, tmp_path / f"a.{suffix}")
    reader.SetFileName(str(tmp_path / f"a.{suffix}"))
    reader.Update()
    data = reader.GetOutputDataObject(0)
    while not hasattr(data, "GetPolys"):
        data = data.GetBlock(0)
    x, corners = array(data.GetPoints().GetData()), array(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    if suffix == "glb":
        x = np.stack([x[:, 0], -x[:, 2], x[:, 1]], axis=1)
    np.testing.assert_allclose(x[corners], ball.vertices[ball.triangles], atol=1e-7)
