"""Cut cells to try the rules on."""

import numpy as np

from pliant.geometry.fragments import CORNERS


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
