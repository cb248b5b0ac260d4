"""Several labels of a scan at once: which is nearest, and tets with a region for each."""

import numpy as np
import pytest

import pliant as pl


def scan(turned: bool = False) -> pl.Volume:
    """A ball of label 4 inside a shell of label 9, in voxels of 2 mm; label 1 is a cube far away."""
    at = np.stack(np.meshgrid(*[np.arange(24.0)] * 3, indexing="ij"), axis=-1)
    far = np.linalg.norm(at - 13.3, axis=-1)
    values = np.where(far < 5, 4, np.where(far < 9, 9, 0)).astype(np.int16)
    values[:2, :2, :2] = 1
    volume = pl.Volume(values, 0.002, origin=(0.1, -0.2, 0.3))
    return volume.rotated((1, 2, -1), 40.0) if turned else volume


@pytest.mark.parametrize("turned", [False, True])
def test_each_label_is_a_region_of_its_volume(turned):
    volume = scan(turned)
    mesh = pl.meshes.from_labels(volume, [9, 4], edge=0.0045)
    shares = np.bincount(mesh.regions, mesh.volumes)
    core, whole = 4 / 3 * np.pi * 0.01**3, 4 / 3 * np.pi * 0.018**3
    assert shares[1] == pytest.approx(core, rel=0.1) and shares.sum() == pytest.approx(whole, rel=0.03)
    middle = volume.affine[:3] @ [13.3, 13.3, 13.3, 1.0]
    away = np.linalg.norm(mesh.vertices[mesh.tets].mean(axis=1) - middle, axis=1)
    assert away[mesh.regions == 1].max() < 0.0125 and away[mesh.regions == 0].min() > 0.0075


def test_the_nearest_of_some_labels():
    volume = scan()
    far = volume.origin + 0.002 * np.array([[-30.0, 13, 13], [13, 13, 13], [1, 1, 1], [13, 13, 20]])
    assert volume.at(far).tolist() == [0, 4, 1, 9]
    assert volume.at(far, [4, 9]).tolist() == [9, 4, 9, 9] and volume.at(far, [1]).tolist() == [1] * 4
    turned = scan(turned=True)
    moved = turned.affine[:3] @ [1.0, 0.0, 1.0, 1.0]
    assert turned.at(moved[None], [1, 9]).tolist() == [1]
    assert np.linalg.det(turned.axes) == pytest.approx(1.0) and turned.voxel == pytest.approx(8e-9)


@pytest.mark.parametrize(
    "labels, edge, words",
    [
        ([9, 7], 0.004, "no voxel has the label 7; the labels are 1, 4, 9"), ([9, 9], 0.004, "each of them once"),
        ([], 0.004, "a list of numbers"), (9, 0.004, "a list of numbers"),
    ],
)  # fmt: skip
def test_what_is_refused(labels, edge, words):
    with pytest.raises(pl.errors.InputError, match=words):
        pl.meshes.from_labels(scan(), labels, edge)


def test_a_label_that_no_tet_has_is_refused():
    values = np.zeros((20, 20, 20), np.uint8)
    values[3:17, 3:17, 3:17] = 1
    values[10, 10, 10] = 2
    with pytest.raises(pl.errors.InputError, match="label 2 is too thin for any of the"):
        pl.meshes.from_labels(pl.Volume(values, 0.001), [1, 2], edge=0.005)
