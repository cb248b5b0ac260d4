"""Cut lattice cells to try things on, and what tests measure about them."""

import numpy as np

from pliant.geometry.lattice.fragments import CORNERS, Fragments, triangle_weights


def planes(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit normals and offsets of planes that cut the unit cube."""
    random = np.random.default_rng(seed)
    normal = random.standard_normal((count, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    reach = np.stack([(CORNERS @ normal.T).min(axis=0), (CORNERS @ normal.T).max(axis=0)])
    return normal, reach[0] + random.uniform(0.03, 0.97, count) * (reach[1] - reach[0])


def random_values(count: int, seed: int) -> np.ndarray:
    """Corner values of every kind: random ones, balls out of a corner, and cells that a corner or a face just touches."""
    random = np.random.default_rng(seed)
    rough = random.standard_normal((count, 8))
    centre, radius = random.uniform(-0.5, 1.5, (count, 3)), random.uniform(0.2, 1.0, count)
    balls = radius[:, None] - np.linalg.norm(CORNERS - centre[:, None], axis=2)
    values = np.concatenate([rough, balls, -balls, np.where(random.random((count, 8)) < 0.3, 0.0, rough)])
    return values[(values < 0).any(axis=1)]


def active_nodes(classes) -> np.ndarray:
    """(nx, ny, nz) whether a node is a corner of an active cell."""
    active = np.zeros(classes.phi.shape, bool)
    for corner in CORNERS:
        active[tuple((classes.active_cells + corner).T)] = True
    return active


def surface_weights(fragments: Fragments) -> np.ndarray:
    """(m, 8) ∫ N_i over the surface inside each cell."""
    weights = np.zeros((len(fragments.values), 8))
    np.add.at(weights, fragments.owner, triangle_weights(fragments.triangles))
    return weights


def contains(fragments: Fragments, cells: np.ndarray, xi: np.ndarray, slack: float = 1e-9) -> np.ndarray:
    """(r, p) whether points ξ (r, p, 3) lie in the material of the given cells (r,)."""
    inside = np.all((xi >= -slack) & (xi <= 1 + slack), axis=-1)
    return inside & (fragments.level(cells, xi) <= slack)
