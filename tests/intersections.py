"""Whether bodies of a run intersect, frame by frame: every edge against every face, in double precision, and how deep."""

import numpy as np

from pliant.contact.detect.edge_crossings import crossings, least_way
from pliant.contact.pairs.contact_surface import Surface, joined
from pliant.runtime.device import Device
from tests.contact.test_detection import surface_of

SAMPLES = 6  # along each edge of a face, where faces are held against obstacles


def outlines(run) -> Surface:
    """The drawn surfaces of all bodies as one."""
    return joined([surface_of(s.of(run.rest), s.triangles) for s in run.skins if len(s.triangles)])


def places(run, x: np.ndarray) -> np.ndarray:
    """(p, 3) where the points of those surfaces are with nodes at x."""
    return np.concatenate([s.of(x) for s in run.skins if len(s.triangles)])


def crossing_frames(run) -> list[tuple[int, float]]:
    """Frames in which an edge passes through a face, each with how far apart they had to be moved at least [m]."""
    device, surface, found = Device("cpu", "f64"), outlines(run), []
    for frame, x in enumerate(run.positions):
        at = places(run, x)
        pairs = crossings(device, surface, at)
        if len(pairs):
            found.append((frame, max(least_way(at[surface.edges[e]], at[surface.triangles[f]]) for e, f in pairs)))
    return found


def depths_in_obstacles(run, obstacles) -> tuple[float, float]:
    """The deepest that points, and that faces between them, are inside an obstacle in any frame [m]; negative for a gap."""
    i, j = np.meshgrid(np.arange(SAMPLES + 1), np.arange(SAMPLES + 1))
    inner = i + j <= SAMPLES
    shares = np.stack([i[inner], j[inner], SAMPLES - i[inner] - j[inner]], axis=1) / SAMPLES
    surface, points, faces = outlines(run), -np.inf, -np.inf
    for time, x in zip(run.times, run.positions):
        at = places(run, x)
        between = np.einsum("sk,fkx->fsx", shares, at[surface.triangles]).reshape(-1, 3)
        for obstacle in obstacles:
            pose = obstacle.pose(float(time))
            depth, of_faces = (-obstacle.shape((p - pose[:3, 3]) @ pose[:3, :3]) for p in (at, between))
            points, faces = max(points, depth.max()), max(faces, of_faces.max())
    return float(points), float(faces)
