"""Plausibility of a scene: units, steps, initial overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from ..contact.barrier.barrier_energy import Barrier
from ..contact.pairs.pair_law import grips
from ..contact.penalty.penalty_law import Penalty
from ..effects.joints.joint_effects import joined_bodies
from ..geometry.distance.mesh_distance import MeshDistance
from ..geometry.mesh.mesh import TriMesh
from ..integrate.base import Implicit
from ..integrate.explicit import Explicit
from ..integrate.schemes import QuasiStatic
from ..material.base import Elastic, Material, engineering
from .interpenetration_warning import boxes_of, in_common
from .record.run import Skin
from .scene.body import Body, Scene

LIGHT, HEAVY = 2.0, 3e5  # kg/m³: below every foam, and ten times any metal; what is in g/cm³ or g/m³ is there
METAL = 20.0, 1e7  # kg/m³ and Pa: nothing so light is so stiff
FLAT = 3.0  # density · gravity · height / young, from which a body that stands is pressed flat
LONGEST = 50.0  # m, of a soft body on earth
EARTHLY = (1.0, 30.0)  # m/s², where gravity says that lengths are metres
SWING = 6.3  # longest period of a bar that is held at one end, in L²/(h c): 2π/1.875² · √12
MOST = 100  # bodies, and pairs of them, that are looked at
DEEP = 0.01  # of the smaller body, from which two overlap


def doubts(scene: Scene, integrator: Implicit | Explicit, skins: Sequence[Skin], x: np.ndarray) -> tuple[str, ...]:
    """One sentence for each quantity of a scene that is probably not meant so; ``x`` (n, 3) is where its nodes begin [m]."""
    bodies = [pair for pair in zip(scene.names, scene.bodies) if pair[1].shape.material is None]  # rigid ones have their own
    gravity = np.asarray(scene.gravity, float)
    found = (
        _first(_weight(name, body, gravity) for name, body in bodies),
        _first(_density(name, body) for name, body in zip(scene.names, scene.bodies)),
        _first(_size(name, body, gravity) for name, body in bodies),
        _step(integrator, bodies, float(np.linalg.norm(gravity))),
        "" if scene.effects else _overlap(skins, x, scene),
        _thickness(scene),
    )
    return tuple(sentence for sentence in found if sentence)


def _first(sentences: Iterable[str]) -> str:
    """The first sentence, and how many others there are."""
    every = [sentence for sentence in sentences if sentence]
    others = len(every) - 1
    more = f" ({others} other {'body' if others == 1 else 'bodies'} alike)" if others > 0 else ""
    return every[0] + more if every else ""


def _modulus(material: Material) -> float:
    """The largest Young's modulus that laws name [Pa], 0 where none does."""
    named = [law.young if isinstance(law, Elastic) else engineering(*law.moduli)[0] for law in material.terms if law.moduli]
    return max((float(np.max(value)) for value in named), default=0.0)


def _weight(name: str, body: Body, gravity: np.ndarray) -> str:
    modulus, density = _modulus(body.material), float(np.max(body.material.density))
    pull = float(np.linalg.norm(gravity))
    high = float(np.ptp(body.shape.rest @ gravity)) / pull if pull else 0.0
    if not modulus or density * pull * high <= FLAT * modulus:
        return ""
    return (
        f"{name} cannot bear its own weight: density · gravity · height is {density * pull * high:.3g} Pa and young "
        f"{modulus:.3g} Pa ({density:.4g} kg/m³, {high:.2g} m high); is young in Pa?"
    )


def _density(name: str, body: Body) -> str:
    density = np.asarray(body.material.density)
    low, high = float(density.min()), float(density.max())
    light = low < LIGHT or (low < METAL[0] and _modulus(body.material) > METAL[1])
    if not light and high <= HEAVY:
        return ""
    return f"{name} has a density of {low if light else high:g} kg/m³ (water has 1000); is density in kg/m³?"


def _size(name: str, body: Body, gravity: np.ndarray) -> str:
    longest = float(np.ptp(body.shape.rest, axis=0).max())
    if longest <= LONGEST or not EARTHLY[0] < np.linalg.norm(gravity) < EARTHLY[1]:
        return ""
    return f"{name} is {longest:.3g} m long; if its lengths are millimetres, use mesh.scaled(0.001)"


def _step(integrator: Implicit | Explicit, bodies: Sequence[tuple[str, Body]], pull: float) -> str:
    """Whether a step passes over everything that happens; schemes without inertia and those with a stability limit may."""
    if isinstance(integrator, QuasiStatic | Explicit) or not bodies:
        return ""
    slowest, name = max((_time(body, pull), name) for name, body in bodies)
    if integrator.dt <= slowest:
        return ""
    return (
        f"a step of {integrator.dt:g} s is longer than any motion: {name} falls by its own size or swings once in "
        f"{slowest:.2g} s; use dt={_rounded(0.1 * slowest):g} or less, or QuasiStatic() for the state of rest"
    )


def _time(body: Body, pull: float) -> float:
    """The longer of two times [s]: to fall by its own size, and the longest period as a bar; infinite where there is neither."""
    sides, modulus = np.ptp(body.shape.rest, axis=0), _modulus(body.material)
    fall = float(np.sqrt(2 * sides.max() / pull)) if pull else 0.0
    swing = 0.0
    if modulus and body.shape.dimension == 3 and sides.min() > 0:
        swing = SWING * float(sides.max() ** 2 / sides.min() * np.sqrt(np.min(body.material.density) / modulus))
    return max(fall, swing) or np.inf


def _rounded(value: float) -> float:
    """The next smaller of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** np.floor(np.log10(value))
    return power * max(digit for digit in (1, 2, 5) if digit * power <= value)


def _overlap(skins: Sequence[Skin], x: np.ndarray, scene: Scene) -> str:
    """Which two bodies are deepest in one another, where springs throw them apart, or nothing parts them."""
    law = scene.contact.at_work
    parts = isinstance(law.response, Penalty)
    if not 1 < len(skins) <= MOST or not (parts or law.response is None) or law.fallback is not None:
        return ""
    boxes = boxes_of(x, [slice(skin.start, skin.stop) for skin in skins])
    sizes = [float(np.ptp(box, axis=0).max()) for box in boxes]
    deepest, which, solids = 0.0, None, {}
    joined = joined_bodies(scene.joints, scene.names)
    apart = grips(law.pairs, law.friction, scene.names, [obstacle.name for obstacle in scene.obstacles], joined).apart
    pairs = [
        (i, j)
        for i, j in combinations(range(len(skins)), 2)
        if in_common(boxes[i], boxes[j]) > DEEP * min(sizes[i], sizes[j]) and (apart is None or not apart[i, j])
    ]
    for i, j in pairs[:MOST]:
        for inner, outer in ((i, j), (j, i)):
            depth = _depth(skins, x, inner, outer, solids)
            if depth > max(deepest, DEEP * min(sizes[i], sizes[j])):
                deepest, which = depth, (i, j)
    if which is None:
        return ""
    one, other = (skins[i].name for i in which)
    return (
        f"{one} and {other} overlap at the start, up to {deepest:.2g} m deep, and "
        + ("are pushed apart; " if parts else "nothing separates them; ")
        + "move them apart, or give "
        + ("Contact(response=None) where they are not to touch" if parts else "Contact() with its default response")
    )


def _thickness(scene: Scene) -> str:
    """Whether sheets may come to lie on one another without the distance that a barrier keeps by itself."""
    law = scene.contact.at_work
    sheets = [name for name, body in zip(scene.names, scene.bodies) if body.shape.dimension == 2 and not body.shape.held_axes]
    if law.response is None or law.thickness or isinstance(law.response, Barrier) or len(sheets) < 2:
        return ""
    return (
        f"{sheets[0]} and {sheets[1]} are sheets that touch at their mid-surfaces, so that their thickness is ignored; give "
        "Contact(thickness=True)"
    )


def _depth(skins: Sequence[Skin], x: np.ndarray, inner: int, outer: int, solids: dict[int, MeshDistance | None]) -> float:
    """How far vertices and middles of faces of one body are inside another [m]; 0 where it has no inside."""
    if outer not in solids:
        faces = skins[outer].triangles
        solid = MeshDistance(TriMesh(skins[outer].of(x), faces)) if len(faces) else None
        solids[outer] = solid if solid is not None and solid.closed else None
    solid = solids[outer]
    if solid is None:
        return 0.0
    points = skins[inner].of(x)
    points = np.concatenate([points, points[skins[inner].triangles].mean(axis=1)]) if len(skins[inner].triangles) else points
    low, high = solid.bounds
    near = points[((points > low) & (points < high)).all(axis=1)]
    return -float(solid(near).min()) if len(near) else 0.0
