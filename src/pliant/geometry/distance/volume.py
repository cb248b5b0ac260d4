"""Volumes: regular grids of numbers, such as scans and segmentations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from ...arguments import checks
from ...arguments.checks import FAR, floats
from ...arguments.typing_fields import Array, Vector
from ...errors import InputError

LABELS = 4096  # most different values that are listed as labels


@dataclass(frozen=True, eq=False)
class Volume:
    """Samples (voxels) on a regular grid: sample (i, j, k) lies at ``origin + axes @ (spacing · (i, j, k))``.

    Lengths are in metres: readers of medical formats scale their millimetres by 1e-3. Files that name their frame are
    turned so that x points to the patient's right, y forward and z to the head.
    """

    values: Array  # (nx, ny, nz) numbers of any type
    spacing: Array  # (3,) distance between samples along each axis [m]; one number for all three may be given
    origin: Array = (0.0, 0.0, 0.0)  # (3,) position of values[0, 0, 0] [m]
    axes: Array = field(default_factory=lambda: np.eye(3))  # (3, 3) columns: unit directions of the three indices

    def __post_init__(self):
        try:
            values = np.array(self.values)
        except Exception:  # rows that differ in length, and whatever the methods of a stranger's class raise
            values = np.zeros(0, object)
        if values.dtype.kind not in "biuf":
            raise InputError("the values of a Volume cannot be read as numbers; expected an (nx, ny, nz) array")
        if values.ndim != 3 or min(values.shape) < 1:
            raise InputError(f"the values of a Volume have shape {values.shape}; expected (nx, ny, nz), none of them 0")
        values = values.astype(np.uint8) if values.dtype.kind == "b" else values
        if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
            values = values.astype(np.float32 if values.dtype.itemsize < 4 else np.float64)
        values = values.astype(values.dtype.newbyteorder("="), copy=False)
        spacing, origin, axes = floats(self.spacing), floats(self.origin), floats(self.axes)
        spacing = np.full(3, spacing) if spacing.ndim == 0 else spacing.copy()
        if spacing.shape != (3,) or not np.all((spacing > 1 / FAR) & (spacing < FAR)):
            raise checks.refusal("the spacing of a Volume", self.spacing, "three positive numbers of metres")
        if origin.shape != (3,) or not np.all(np.abs(origin) < FAR):
            raise checks.refusal("the origin of a Volume", self.origin, "three numbers of metres")
        lengths = np.linalg.norm(axes, axis=0) if axes.shape == (3, 3) and np.all(np.abs(axes) < FAR) else np.zeros(1)
        if not np.all(np.abs(lengths - 1.0) < 1e-3) or abs(np.linalg.det(axes)) < 1e-3:
            expected = "a (3, 3) matrix whose columns are independent and of length 1"
            raise checks.refusal("axes of a Volume", self.axes, expected)
        for name, array in (("values", values), ("spacing", spacing), ("origin", origin.copy()), ("axes", axes / lengths)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __repr__(self) -> str:
        samples, step = (" × ".join(f"{n:.4g}" for n in numbers) for numbers in (self.values.shape, 1e3 * self.spacing))
        return f"Volume({samples} samples of {self.values.dtype}, {step} mm apart)"

    @classmethod
    def from_affine(cls, values: np.ndarray, affine: np.ndarray) -> Volume:
        """From a 4 × 4 (or 3 × 4) matrix that takes indices to positions [m], as imaging programs keep it."""
        affine = floats(affine)
        if affine.shape not in ((3, 4), (4, 4)) or not np.all(np.abs(affine) < FAR):
            raise checks.refusal("affine", affine, "a 4 × 4 matrix of finite numbers")
        spacing = np.linalg.norm(affine[:3, :3], axis=0)
        return cls(values, spacing, affine[:3, 3], affine[:3, :3] / np.maximum(spacing, 1e-300))

    @property
    def affine(self) -> np.ndarray:
        """(4, 4) matrix that takes indices to positions [m]."""
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = self.axes * self.spacing, self.origin
        return matrix

    @property
    def voxel(self) -> float:
        """Volume of one voxel [m³]."""
        return float(np.prod(self.spacing) * abs(np.linalg.det(self.axes)))

    @property
    def bounds(self) -> np.ndarray:
        """(2, 3) lower and upper corner of a box around the samples [m]."""
        ends = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) * (np.array(self.values.shape) - 1)
        corners = self.origin + (ends * self.spacing) @ self.axes.T
        return np.stack([corners.min(axis=0), corners.max(axis=0)])

    def labels(self) -> dict[int, int]:
        """How many voxels each label has, 0 included; none where the values are not whole, or too many differ."""
        if self.values.dtype.kind == "f" and not np.all(np.isfinite(self.values) & (np.abs(self.values) < 2**53)):
            return {}
        if self.values.dtype.kind == "f" and np.any(self.values != np.floor(self.values)):
            return {}
        values, counts = np.unique(self.values, return_counts=True)
        return {int(v): int(n) for v, n in zip(values, counts)} if len(values) <= LABELS else {}

    def at(self, points: np.ndarray, labels: Sequence[int] | None = None) -> np.ndarray:
        """(n,) values of the samples nearest to (n, 3) points [m]; beyond the grid those at its border.

        With ``labels`` only samples that have one of them count, however far the nearest is.
        """
        points = checks.points("points", points)
        index = np.linalg.solve(self.axes, (points - self.origin).T).T / self.spacing
        index = np.rint(np.clip(index, 0, np.array(self.values.shape) - 1)).astype(np.int64)
        found = self.values[tuple(index.T)]
        if labels is None:
            return found
        chosen = self.having(labels)
        far = np.flatnonzero(~chosen[tuple(index.T)])
        if not len(far):
            return found
        from scipy.ndimage import binary_erosion
        from scipy.spatial import cKDTree

        skin = np.argwhere(chosen & ~binary_erosion(chosen))  # what is nearest from outside lies on it
        places = self.origin + (skin * self.spacing) @ self.axes.T
        found = found.copy()
        found[far] = self.values[tuple(skin[cKDTree(places).query(points[far])[1]].T)]
        return found

    def having(self, labels: Sequence[int]) -> np.ndarray:
        """(nx, ny, nz) whether a sample has one of some labels; each of them must be there."""
        wanted = checks.floats(labels)
        if wanted.ndim != 1 or not wanted.size or not np.isfinite(wanted).all():
            raise checks.refusal("labels", labels, "a list of numbers")
        if len(np.unique(wanted)) < len(wanted):
            raise InputError(f"labels are {checks.shown(labels)}; expected each of them once")
        missing = wanted[~np.isin(wanted, self.values)]
        if len(missing):
            known = ", ".join(str(k) for k in [k for k in self.labels() if k][:12]) or "many"
            raise InputError(f"no voxel has the label {missing[0]:g}; the labels are {known}")
        return np.isin(self.values, wanted)

    def translated(self, offset: Vector) -> Volume:
        """A copy moved by ``offset`` [m]."""
        return replace(self, origin=self.origin + checks.vector("offset", offset))

    def rotated(self, axis: Vector, degrees: float) -> Volume:
        """A copy turned about an axis through the origin."""
        from scipy.spatial.transform import Rotation

        angle = np.deg2rad(checks.number("rotation angle in degrees", degrees))
        turn = Rotation.from_rotvec(checks.direction("rotation axis", axis) * angle).as_matrix()
        return replace(self, origin=turn @ self.origin, axes=turn @ self.axes)

    def scaled(self, factor: float) -> Volume:
        """A copy scaled about the origin by one positive factor, such as 0.001 for a file in millimetres."""
        factor = checks.positive("scale factor", factor)
        return replace(self, spacing=self.spacing * factor, origin=self.origin * factor)


@dataclass(frozen=True)
class VolumeReport:
    """The findings of ``inspect`` about a Volume."""

    shape: tuple[int, int, int]
    type: str
    spacing: tuple[float, ...]  # [m]
    lower: tuple[float, ...]  # corner of a box around the samples [m]
    upper: tuple[float, ...]  # [m]
    range: tuple[float, float] | None  # smallest and largest finite value
    labels: dict[int, float]  # label → its volume [m³], 0 left out; empty where the values are no labels
    problems: tuple[str, ...] = ()
    kind: str = "Volume"

    @property
    def ok(self) -> bool:
        """Whether nothing needs mending."""
        return not self.problems

    def as_dict(self) -> dict:
        """Every finding by name, ready for JSON."""
        return asdict(self) | {"ok": self.ok}

    def __str__(self) -> str:
        size = " × ".join(f"{b - a:.4g}" for a, b in zip(self.lower, self.upper))
        corners = " … ".join("(" + ", ".join(f"{x:.4g}" for x in c) + ")" for c in (self.lower, self.upper))
        rows = [
            (self.kind, " × ".join(map(str, self.shape)) + f" voxels of type {self.type}"),
            ("spacing", " × ".join(f"{1e3 * s:.4g}" for s in self.spacing) + " mm"),
            ("bounds", f"{size} m, {corners} m"),
            ("range", "no finite value" if self.range is None else "{:.6g} … {:.6g}".format(*self.range)),
        ]
        shown = list(self.labels.items())[:20]
        rows += [("labels" if i == 0 else "", f"{k}: {1e6 * v:.4g} ml") for i, (k, v) in enumerate(shown)]
        if len(self.labels) > len(shown):
            rows.append(("", f"and {len(self.labels) - len(shown)} more"))
        rows.append(("problems", self.problems[0] if self.problems else "none"))
        return "\n".join(f"{name:<12}{value}" for name, value in rows)


def volume_report(volume: Volume) -> VolumeReport:
    """Shape, spacing, range and labels of a Volume."""
    finite = volume.values[np.isfinite(volume.values)] if volume.values.dtype.kind == "f" else volume.values.ravel()
    problems = []
    if finite.size < volume.values.size:
        problems.append(f"{volume.values.size - finite.size:,} of {volume.values.size:,} values are not finite")
    elif finite.min() == finite.max():
        problems.append(f"every value is {finite[0]:g}; expected at least two different ones")
    lower, upper = (tuple(map(float, corner)) for corner in volume.bounds)
    labels = {k: n * volume.voxel for k, n in volume.labels().items() if k != 0}
    if volume.values.dtype.kind != "f" and len(labels) > 256:
        labels = {}  # grey values rather than labels
    return VolumeReport(
        tuple(volume.values.shape), volume.values.dtype.name, tuple(map(float, volume.spacing)), lower, upper,
        (float(finite.min()), float(finite.max())) if finite.size else None, labels, tuple(problems),
    )  # fmt: skip
