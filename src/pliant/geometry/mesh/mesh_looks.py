"""Looks of a surface: texture points, colours, materials, names.

Nothing of this moves a body; what draws or writes the surface finds it again. Colours are linear light, 0…1.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...arguments import checks
from ...arguments.short_repr import brief
from ...errors import InputError, first_few

NONE = -1  # no material, no part
_ARRAYS = ("sizes", "corners", "uv", "smooth", "colours", "finish", "part")


def light(srgb: np.ndarray) -> np.ndarray:
    """Linear light of sRGB values in 0…1."""
    srgb = np.asarray(srgb, dtype=float)
    return np.where(srgb <= 0.04045, srgb / 12.92, ((np.maximum(srgb, 0.0) + 0.055) / 1.055) ** 2.4)


def _array(name: str, data: object, kind: type, shape: tuple[int, ...]) -> np.ndarray:
    """A read-only array of numbers of that shape, or a sentence."""
    given = checks.floats(data)
    if given.shape != shape or not np.all(np.isfinite(given)):
        raise InputError(f"Looks({name}=…) has shape {given.shape}; expected finite numbers of shape {shape}")
    if kind is int and (np.any(given != np.floor(given)) or np.any(np.abs(given) >= 2**31)):
        raise InputError(f"Looks({name}=…): not all are whole; expected whole numbers")
    out = given.astype(np.int32 if kind is int else np.float64)
    out.setflags(write=False)
    return out


@dataclass(frozen=True, eq=False)
class Finish:
    """What faces are painted with: a name, a colour (red, green, blue, opacity) and perhaps a picture.

    ``texture`` is the name of the picture's file, ``image`` its bytes (PNG or JPEG) where they were found.
    """

    name: str = ""
    colour: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    metallic: float = 0.0
    roughness: float = 0.5
    texture: str = ""
    image: np.ndarray | None = None  # (bytes,)
    __repr__ = brief

    def __post_init__(self):
        for name in ("name", "texture"):
            checks.instance(f"Finish({name}=…)", getattr(self, name), str, "text")
        colour = checks.floats(self.colour)
        if colour.shape != (4,) or not np.all((colour >= 0) & (colour <= 1)):
            raise checks.refusal("Finish(colour=…)", self.colour, "red, green, blue and opacity in 0…1")
        object.__setattr__(self, "colour", tuple(colour.tolist()))
        for name in ("metallic", "roughness"):
            object.__setattr__(self, name, checks.number(f"Finish({name}=…)", getattr(self, name), 0.0, 1.0))
        if self.image is not None:
            if not isinstance(self.image, np.ndarray) or self.image.dtype != np.uint8 or self.image.ndim != 1:
                raise checks.refusal("Finish(image=…)", self.image, "the bytes of a PNG or JPEG file as np.uint8")
            self.image.setflags(write=False)

    @property
    def kind(self) -> str | None:
        """What the picture is: "image/png", "image/jpeg", or None where there is none that is known."""
        start = b"" if self.image is None else self.image[:8].tobytes()
        return "image/png" if start == b"\x89PNG\r\n\x1a\n" else "image/jpeg" if start[:3] == b"\xff\xd8\xff" else None


@dataclass(frozen=True, eq=False)
class Looks:
    """The faces of a surface as they were drawn, of any number of corners, and what each corner and face has.

    The triangles of the surface are these faces, each cut as a fan around its first corner, in this order. ``uv`` has its origin
    at the lower left of a picture. Corners at one vertex share a normal where their ``smooth`` is equal; None is smooth all over.
    """

    sizes: np.ndarray  # (f,) corners of each face
    corners: np.ndarray  # (c,) their vertices, one face after the other
    uv: np.ndarray | None = None  # (c, 2)
    smooth: np.ndarray | None = None  # (c,) whole numbers
    colours: np.ndarray | None = None  # (c, 4) linear red, green, blue and opacity
    finish: np.ndarray | None = None  # (f,) numbers into ``finishes``, −1 for none
    finishes: tuple[Finish, ...] = ()
    part: np.ndarray | None = None  # (f,) numbers into ``parts``, −1 for none
    parts: tuple[str, ...] = ()  # names of objects
    __repr__ = brief

    def __post_init__(self):
        sizes = checks.floats(self.sizes)
        if sizes.ndim != 1:
            raise checks.refusal("Looks(sizes=…)", self.sizes, "the number of corners of each face")
        sizes = _array("sizes", sizes, int, sizes.shape)
        if np.any(sizes < 3):
            raise InputError(f"{np.count_nonzero(sizes < 3)} faces of Looks have fewer than 3 corners")
        faces, count = len(sizes), int(sizes.sum())
        shapes = {
            "corners": (int, (count,)), "uv": (float, (count, 2)), "smooth": (int, (count,)),
            "colours": (float, (count, 4)), "finish": (int, (faces,)), "part": (int, (faces,)),
        }  # fmt: skip
        object.__setattr__(self, "sizes", sizes)
        for name, (kind, shape) in shapes.items():
            if name == "corners" or getattr(self, name) is not None:
                object.__setattr__(self, name, _array(name, getattr(self, name), kind, shape))
        for name, kind in (("finishes", Finish), ("parts", str)):
            items = getattr(self, name)
            if not isinstance(items, list | tuple) or not all(isinstance(item, kind) for item in items):
                raise checks.refusal(f"Looks({name}=…)", items, f"a tuple of {kind.__name__}")
            object.__setattr__(self, name, tuple(items))
        for name, items in (("finish", self.finishes), ("part", self.parts)):
            numbers = getattr(self, name)
            if numbers is not None:
                bad = np.flatnonzero((numbers < NONE) | (numbers >= len(items)))
                if len(bad):
                    raise InputError(f"Looks({name}=…) names one outside −1…{len(items) - 1}, first at {first_few(bad)}")

    @cached_property
    def starts(self) -> np.ndarray:
        """(f,) the first corner of each face."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def fans(self) -> np.ndarray:
        """(m, 3) the corners of each triangle of the surface."""
        owner = self.owners
        start = self.starts[owner]
        step = np.arange(len(owner)) - (np.cumsum(self.sizes - 2) - (self.sizes - 2))[owner]
        return np.stack([start, start + step + 1, start + step + 2], axis=1)

    @cached_property
    def owners(self) -> np.ndarray:
        """(m,) the face of each triangle of the surface."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes - 2)

    def fits(self, triangles: np.ndarray) -> bool:
        """Whether these are the triangles (m, 3) of its faces."""
        return len(triangles) == len(self.fans) and bool(np.array_equal(self.corners[self.fans], triangles))

    def of(self, faces: np.ndarray) -> Looks:
        """The same of some faces (k,) alone, on the same vertices."""
        sizes, at = self.sizes[faces], self.corners_of(faces)
        own = {n: None if (v := getattr(self, n)) is None else v[at] for n in ("uv", "smooth", "colours")}
        own |= {n: None if (v := getattr(self, n)) is None else v[faces] for n in ("finish", "part")}
        return Looks(sizes, self.corners[at], **own, finishes=self.finishes, parts=self.parts)

    def corners_of(self, faces: np.ndarray) -> np.ndarray:
        """Numbers of the corners of some faces, one face after the other."""
        sizes = self.sizes[faces]
        first = np.repeat(self.starts[faces] - (np.cumsum(sizes) - sizes), sizes)
        return first + np.arange(int(sizes.sum()))

    def arrays(self) -> dict[str, np.ndarray]:
        """All of it as arrays, for files; names and numbers of materials are JSON."""
        arrays = {name: value for name in _ARRAYS if (value := getattr(self, name)) is not None}
        plain = [{n: getattr(f, n) for n in ("name", "colour", "metallic", "roughness", "texture")} for f in self.finishes]
        words = json.dumps({"finishes": plain, "parts": self.parts}).encode()
        arrays["about"] = np.frombuffer(words, np.uint8)
        images = {f"image_{i}": f.image for i, f in enumerate(self.finishes) if f.image is not None}
        return arrays | images

    @staticmethod
    def from_arrays(arrays: dict[str, np.ndarray]) -> Looks:
        """What ``arrays`` gave; what does not fit raises one of the errors of a damaged file."""
        about = json.loads(np.asarray(arrays["about"], np.uint8).tobytes())
        finishes = [Finish(**own, image=arrays.get(f"image_{i}")) for i, own in enumerate(about["finishes"])]
        own = {name: arrays[name] for name in _ARRAYS if name in arrays}
        return Looks(**own, finishes=tuple(finishes), parts=tuple(about["parts"]))


def shared(corners: np.ndarray, numbers: np.ndarray) -> np.ndarray | None:
    """(c,) normals of corners by their numbers, or None where every vertex has one: smooth all over."""
    pairs = np.unique(np.stack([corners, numbers], axis=1), axis=0)
    return None if len(pairs) == len(np.unique(corners)) else np.unique(numbers, return_inverse=True)[1]


def equal_rows(rows: np.ndarray) -> np.ndarray:
    """(n,) a number for each row of floats, the same for equal rows."""
    if not len(rows):
        return np.zeros(0, np.int64)
    keys = np.ascontiguousarray(rows + 0.0)
    return np.unique(keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel(), return_inverse=True)[1]
