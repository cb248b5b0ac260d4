"""Volumes that other programs wrote, and ours in their hands; where nibabel, pynrrd or VTK is installed."""

import numpy as np
import pytest

import pliant as pl

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


@pytest.mark.parametrize("kind", KINDS)
def test_nifti_of_nibabel(kind, tmp_path):
    nib = pytest.importorskip("nibabel")
    values, affine = voxels(kind), place()
    image = nib.Nifti1Image(values, affine)
    image.header.set_xyzt_units("mm")
    for suffix in ("nii", "nii.gz"):
        nib.save(image, tmp_path / f"a.{suffix}")
        check(pl.read(tmp_path / f"a.{suffix}"), values, MILLIMETRES @ affine)
    turned = nib.Nifti1Image(values, None)  # the quaternion alone
    turned.set_qform(affine, 1)
    turned.set_sform(None, 0)
    turned.header.set_xyzt_units("mm")
    nib.save(turned, tmp_path / "q.nii")
    check(pl.read(tmp_path / "q.nii"), values, MILLIMETRES @ nib.load(tmp_path / "q.nii").affine)


def test_scaled_nifti_and_what_is_refused(tmp_path):
    nib = pytest.importorskip("nibabel")
    image = nib.Nifti1Image(voxels(np.int16), place())
    image.header.set_slope_inter(2.0, 3.0)
    image.header.set_xyzt_units("mm")
    nib.save(image, tmp_path / "a.nii")
    check(pl.read(tmp_path / "a.nii"), nib.load(tmp_path / "a.nii").get_fdata(dtype=np.float32), MILLIMETRES @ place())
    nib.save(nib.Nifti2Image(voxels(np.int16), place()), tmp_path / "two.nii")
    with pytest.raises(pl.InputError, match="not a NIfTI-1 file"):
        pl.read(tmp_path / "two.nii")


@pytest.mark.parametrize("kind", KINDS)
def test_nrrd_of_pynrrd_and_ours(kind, tmp_path):
    nrrd = pytest.importorskip("nrrd")
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_vti_of_vtk(kind, tmp_path):
    pv = pytest.importorskip("pyvista")
    values, affine = voxels(kind), place()
    grid = pv.ImageData(dimensions=values.shape, spacing=(0.7, 0.8, 1.5), origin=affine[:3, 3])
    grid["v"] = values.ravel(order="F")
    grid.direction_matrix = affine[:3, :3] / [0.7, 0.8, 1.5]
    for binary in (True, False):
        grid.save(str(tmp_path / "a.vti"), binary=binary)
        check(pl.read(tmp_path / "a.vti"), values, affine)
    cells = pv.ImageData(dimensions=np.array(values.shape) + 1)
    cells.cell_data["c"] = values.ravel(order="F")
    cells.save(str(tmp_path / "c.vti"))
    shifted = np.eye(4)
    shifted[:3, 3] = 0.5
    check(pl.read(tmp_path / "c.vti"), values, shifted)
