"""Bodies as skinned meshes: the nodes that carry a surface are its bones, their weights those of the embedding.

A vertex at rest p = Σ wⱼ Xⱼ follows Σ wⱼ (xⱼ + R (p − Xⱼ)) = Σ wⱼ xⱼ, whatever the rotation R that all bones of a body share:
they take the one that fits best, so that normals turn with the body, and only their places are otherwise animated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError, first_few
from ...simulate.record.run import Skin
from ..raster.frame_shapes import is_rod

BONES = 65_535  # that a file can number
WIDE = 4  # bones of a vertex
OUTSIDE = -1e-6  # least weight that is taken for rounding


@dataclass(frozen=True, eq=False)
class Rig:
    """The bones of one body and what each vertex takes from them."""

    bones: np.ndarray  # (b,) rows of the scene's nodes
    joints: np.ndarray  # (s, 4) numbers of bones
    weights: np.ndarray  # (s, 4) from 0 to 1, each row summing to 1


def rig_of(skin: Skin) -> Rig:
    """The rig of a body, or one sentence about why it has none."""
    if is_rod(skin):
        nodes = np.arange(skin.stop - skin.start)
        parents, weights = nodes[:, None], np.ones((len(nodes), 1))
    else:
        parents, weights = skin.parents, skin.weights
    if parents.shape[1] > WIDE:
        raise InputError(
            f"export(skin=True): vertices of {skin.name!r} follow {parents.shape[1]} nodes each, and a skin has four bones for "
            "each; use bounding_tets or Tets, or skin=False"
        )
    outside = np.flatnonzero(weights.min(axis=1) < OUTSIDE)
    if len(outside):
        raise InputError(
            f"export(skin=True): {len(outside)} of {len(weights)} vertices of {skin.name!r} lie outside of the tets that carry "
            f"them, first {first_few(outside)}, and a skin has no weights below 0; use bounding_tets(surface), or skin=False"
        )
    used, joints = np.unique(parents, return_inverse=True)
    if len(used) > BONES:
        raise InputError(
            f"export(skin=True): {skin.name!r} has {len(used)} nodes, and a skin at most {BONES} bones; use fewer tets, or "
            "skin=False"
        )
    wide = WIDE - parents.shape[1]
    joints = np.pad(joints.reshape(parents.shape), ((0, 0), (0, wide)))
    share = np.pad(np.maximum(weights, 0.0), ((0, 0), (0, wide)))
    share = (share / share.sum(axis=1, keepdims=True)).astype(np.float32)
    share[np.arange(len(share)), share.argmax(axis=1)] += (1 - share.astype(float).sum(axis=1)).astype(np.float32)
    return Rig(used + skin.start, np.where(share > 0, joints, 0).astype(np.uint16), share)


def turns(rest: np.ndarray, frames: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(f, 4) quaternions x, y, z, w of the rotations that fit best from (b, 3) places at rest to (f, b, 3), and (f, 3) their
    centres."""
    from scipy.spatial.transform import Rotation

    centres = frames.mean(axis=1)
    X = rest - rest.mean(axis=0)
    U, _, Vt = np.linalg.svd(np.einsum("fbi,bj->fij", frames - centres[:, None], X))
    flip = np.sign(np.linalg.det(U @ Vt))
    U[:, :, 2] *= np.where(flip == 0, 1.0, flip)[:, None]
    found = Rotation.from_matrix(U @ Vt).as_quat()
    flips = np.cumprod(np.r_[1.0, np.where((found[1:] * found[:-1]).sum(axis=1) < 0, -1.0, 1.0)])
    return found * flips[:, None], centres


def local(frames: np.ndarray, quaternions: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """(f, b, 3) places of bones in the frame of their body: Rᵀ (x − c), with R of the quaternions as 32-bit floats hold them."""
    x, y, z, w = quaternions.astype(np.float32).astype(float).T
    R = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]).transpose(2, 0, 1)  # fmt: skip
    away = frames - centres.astype(np.float32).astype(float)[:, None]
    return np.einsum("fij,fbj->fbi", np.linalg.inv(R), away)


def binds(rest: np.ndarray) -> np.ndarray:
    """(b, 16) inverse matrices of bones at rest, column by column: each takes its place away."""
    matrices = np.tile(np.eye(4), (len(rest), 1, 1))
    matrices[:, :3, 3] = -rest
    return matrices.transpose(0, 2, 1).reshape(len(rest), 16)
