"""Scene description sent once: surfaces, obstacles, sliders, fields."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any

import numpy as np

from ...effects.base import select
from ...effects.elasticity.holds import Hold, Weakly
from ...effects.elasticity.muscle_effect import EmbeddedMuscle
from ...effects.tearing import Tearing
from ...errors import InputError
from ...integrate.base import Implicit
from ...linear.factor.direct import Direct
from ...material.base import Material, Parameter
from ...material.laws.presets import PRESETS, Preset
from ...output.colours import colour as colours
from ...output.colours.units import round_step
from ...output.raster.creases import split_creases
from ...simulate.record.nodal_fields import LABELS
from ...simulate.record.obstacle_surfaces import props_of
from ...simulate.record.run import Prop, Run, Skin
from ...simulate.scene.body import Body
from ...simulate.simulation import Simulation
from ...solve.newton.newton_solver import Newton
from ...solve.quasi_newton.quasi_newton_solver import QuasiNewton
from .surface_fields import TWO_SIDED, Surfaces

AS_GIVEN = "as given"
WORDS = {"young": "Young's modulus", "poisson": "Poisson's ratio"}  # names that say too little by themselves
ACTIVATION = Parameter("", "share of a muscle's peak stress", 0.0, 1.0, open=False)
TEARS = {
    "tear stretch": Parameter("", "stretch beyond which elements come apart", 1.001),
    "tear stress": Parameter("Pa", "von Mises stress beyond which elements come apart", 0.0),
}
HELD = 300  # held vertices of a body that are marked
QUICK = "quasi-Newton × 10"
SOLVERS = {
    QUICK: QuasiNewton(iterations=10),
    "quasi-Newton × 30": QuasiNewton(iterations=30),
    "Newton × 1, direct": Newton(iterations=1, linear=Direct()),
    "Newton, direct": Newton(linear=Direct()),
    "Newton, PCG": Newton(),
}


@cache
def documentation() -> str:
    """Where the documentation of the installed package is, as its metadata say; nothing while they do not."""
    try:
        lines = metadata("pliant").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    places = {name: url for name, _, url in (line.partition(", ") for line in lines)}
    return next((url for name in ("Documentation", "Homepage") if (url := places.get(name, "")).startswith("https://")), "")


def solvers(sim: Simulation) -> list[str]:
    """Names of the solvers that can take a step of this simulation."""
    return [AS_GIVEN, *(name for name in SOLVERS if isinstance(sim.integrator, Implicit) and _takes(sim, name))]


def _takes(sim: Simulation, name: str) -> bool:
    """Whether the solver of this name can minimise what the simulation has."""
    try:
        resolved(name, sim.integrator).check(sim.world.objective)
    except InputError:
        return False
    return True


def slider(name: str, parameter: Parameter, value: float) -> dict[str, Any]:
    """Ends and kind of a slider: over the allowed interval where it is finite, else a hundredfold each way."""
    low, high = parameter.lower, parameter.upper
    log = math.isinf(high) and low == 0.0
    if log:
        value = value if value > 0 else 1e3
        low, high = value / 100, value * 100
    elif math.isfinite(low) and math.isfinite(high):
        inset = 0.01 * (high - low) if parameter.open else 0.0
        low, high = min(low + inset, value), max(high - inset, value)
    else:
        low = low if math.isfinite(low) else value - 10 * max(abs(value), 1.0)
        high = low + max(2.0, 4 * (value - low))
    label = WORDS.get(name, name.replace("_", " "))
    described = {"name": name, "label": label, "unit": parameter.unit, "meaning": parameter.meaning}
    return described | {"low": low, "high": high, "log": log}


def parameters(material: Material) -> dict[str, tuple[Parameter, np.ndarray]]:
    """Every parameter that one number can change; where several laws of a sum share a name, that of the first."""
    parameters: dict[str, tuple[Parameter, np.ndarray]] = {}
    for law in material.terms:
        for name, value in law.parameters().items():
            value = np.asarray(value, dtype=float)
            if name not in parameters and value.ndim <= 1:
                parameters[name] = (law.PARAMETERS[name], value)
    density = parameters.pop("density", None)
    return parameters if density is None or not np.any(density[1]) else parameters | {"density": density}


def preset_values(material: Material, preset: Preset) -> dict[str, float | np.ndarray]:
    """The parameters of a material with the means of a preset; empty where it has no Young's modulus."""
    known = parameters(material)
    if "young" not in known:
        return {}
    return {n: with_mean(known[n][1], v) for n, v in preset.values.items() if n in known}


def activations(sim: Simulation, body: int) -> dict[str, str]:
    """Sliders of the muscles inside a body → their names."""
    return {f"activation of {m.name}": m.name for m in sim.scene.bodies[body].of(EmbeddedMuscle)}


def strength(sim: Simulation, body: int) -> dict[str, np.ndarray]:
    """The slider of a body that tears → what it bears."""
    for tearing in sim.scene.bodies[body].of(Tearing):
        name, given = ("stretch", tearing.stretch) if tearing.stress is None else ("stress", tearing.stress)
        return {f"tear {name}": np.asarray(given, float)}
    return {}


def with_strength(sim: Simulation, body: int, name: str, mean: float) -> Tearing:
    """The tearing of a body with a strength of another mean, stretches being counted from 1."""
    (tearing,), (value,) = sim.scene.bodies[body].of(Tearing), strength(sim, body).values()
    key, base = name.removeprefix("tear "), 1.0 if name == "tear stretch" else 0.0
    return replace(tearing, **{key: base + with_mean(value - base, mean - base)})


def with_mean(value: np.ndarray, mean: float) -> float | np.ndarray:
    """One number, or an array scaled to another mean: bodies of many regions keep their differences."""
    if value.ndim == 0 or value.size == 1 or not value.mean():
        return mean if value.ndim == 0 else np.full(value.shape, mean)
    return value * (mean / value.mean())


def settings(sim: Simulation) -> dict[str, Any]:
    """The values that sliders show now."""
    return {
        "gravity": list(sim.scene.gravity),
        "friction": float(sim.scene.contact.friction),
        "bodies": [
            {name: float(value.mean()) for name, (_, value) in parameters(body.material).items()}
            | {name: sim.bodies[k].muscles[muscle].activation for name, muscle in activations(sim, k).items()}
            | {name: float(value.mean()) for name, value in strength(sim, k).items()}
            for k, body in enumerate(sim.scene.bodies)
        ],
    }


def described(sim: Simulation, surfaces: Surfaces, name: str, examples: list[str]) -> tuple[dict, dict]:
    """The description of a scene, and the arrays that go with it."""
    x = surfaces.positions()
    low, high = x.min(axis=0).astype(float), x.max(axis=0).astype(float)
    size = max(float(np.linalg.norm(high - low)), 1e-6)
    arrays = palettes()
    bodies = [_body(sim, k, x, surfaces, arrays) for k in range(len(sim.skins))]
    poses = [[obstacle.pose(sim.t) for obstacle in sim.scene.obstacles]]
    props = props_of(sim.scene.obstacles, poses, x[None].astype(float))
    moves = [obstacle.motion is not None for obstacle in sim.scene.obstacles]
    sag = 0.35 * size if any(sim.scene.gravity) else 0.0  # what hangs will be lower before long
    props, floor, (low, high) = surroundings(props, moves, (low, high), size, sag, arrays)
    about = {
        "name": name, "bodies": bodies, "props": props, "floor": floor, "box": [low.tolist(), high.tolist()], "size": size,
        "spacing": round_step(size / 4), "dt": float(sim.integrator.dt), "nodes": sim.world.alive,
        "elements": sum(body.shape.count for body in sim.scene.bodies), "triangles": sum(len(s.triangles) for s in sim.skins),
        "fields": [described_field(n, Run.UNITS.get(n, "")) for n in surfaces.names],
        "solvers": solvers(sim), "examples": examples, "contact": bool(sim.world["contact"] or sim.world["body contact"]),
        "presets": [{"name": n, "source": p.source, **p.values} for n, p in PRESETS.items()],
        "integrator": ", contact by ".join(filter(None, (type(sim.integrator).__name__, sim.response.partition(",")[0]))),
        "device": f"{sim.device.name} {sim.device.precision}",
    }  # fmt: skip
    return about, arrays


def described_field(name: str, unit: str) -> dict[str, Any]:
    """What the page has to know of a field."""
    return {"name": name, "label": LABELS.get(name, name), "unit": unit, "two": name in TWO_SIDED}


def palettes() -> dict[str, np.ndarray]:
    """(768,) the colour scales as bytes: from low to high, and to both sides of a neutral value."""
    both = {"scale": colours.scale(256), "two-sided scale": colours.two_sided(256)}
    return {name: np.rint(shades * 255).astype(np.uint8).ravel() for name, shades in both.items()}


def held_vertices(body: Body, skin: Skin) -> np.ndarray:
    """Numbers of the surface vertices that the scene holds, or some of them where they are many."""
    X = body.shape.rest
    rest = np.einsum("vp,vpi->vi", skin.weights, X[skin.parents])
    held = np.zeros(len(rest), bool)
    for hold in (effect for effect in body.acting if isinstance(effect, Hold)):
        if hold.points is not None:
            apart = np.linalg.norm(rest[None] - np.asarray(hold.points)[:, None], axis=2)
            held[apart.argmin(axis=1)] = True
        elif isinstance(hold.by, Weakly):
            held |= np.asarray(hold.where(rest), bool) if callable(hold.where) else False
        else:
            nodes = np.zeros(len(X))
            nodes[select(X, hold.where, "held")] = 1.0
            held |= np.einsum("vp,vp->v", skin.weights, nodes[skin.parents]) > 0.5
    found = np.flatnonzero(held)
    return found[:: -(-len(found) // HELD) or 1].astype(np.uint32)


def _body(sim: Simulation, k: int, x: np.ndarray, surfaces: Surfaces, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    body, first = sim.scene.bodies[k], int(surfaces.first[k])
    sliders = [slider(n, p, float(v.mean())) for n, (p, v) in parameters(body.material).items()]
    sliders += [slider(n, ACTIVATION, 0.0) for n in activations(sim, k)]
    sliders += [slider(n, TEARS[n], float(v.mean())) for n, v in strength(sim, k).items()]
    shown = drawn(sim.skins[k], k, x[first : int(surfaces.first[k + 1])], first, arrays)
    arrays[f"held:{k}"] = held_vertices(body, sim.skins[k])
    about = {"law": body.material.name, "sheet": body.shape.dimension == 2, "sliders": sliders}
    return shown | about | {"preset": bool(preset_values(body.material, PRESETS["rubber"]))}


def drawn(skin: Skin, k: int, x: np.ndarray, first: int, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """How body ``k`` is drawn, whose surface vertices are ``x``, counted from ``first`` in a frame."""
    rod = not len(skin.triangles) and skin.edges is not None
    if rod:
        source, cells, wires = np.arange(len(x)), np.zeros((0, 3)), np.asarray(skin.edges)
    else:
        source, cells, wires = split_creases(x, np.asarray(skin.triangles))
    for what, array in (("source", source), ("cells", cells), ("wires", wires)):
        arrays[f"{what}:{k}"] = np.asarray(array, np.uint32).ravel()
    arrays[f"triangles:{k}"] = np.asarray(skin.triangles, np.uint32).ravel()
    hue = skin.colour or colours.body_colour(k)
    finer = bool(skin.parents.shape[1] > 1)  # its vertices are not nodes
    return {"name": skin.name, "first": first, "count": len(x), "rod": rod, "colour": hue, "finer": finer}


def surroundings(
    props: Sequence[Prop], moves: Sequence[bool], hull: tuple, size: float, sag: float, arrays: dict[str, np.ndarray]
) -> tuple[list[dict], float, tuple[np.ndarray, np.ndarray]]:
    """Obstacles, the height of the floor, and the box in view, which grows downwards by ``sag`` [m]."""
    low, high = hull
    described, floors = [], []
    for i, (prop, moving) in enumerate(zip(props, moves)):
        normals = prop.mesh.area_vectors
        flat = bool(np.all(np.abs(normals[:, :2]).max(axis=1) < 1e-6 * np.abs(normals[:, 2])))
        ground = flat and len(normals) == 2 and not moving
        placed = prop.mesh.vertices @ prop.poses[0][:3, :3].T + prop.poses[0][:3, 3]
        if ground:
            floors.append(float(placed[:, 2].mean()))
        elif np.ptp(placed, axis=0).max() < 3 * size:
            low, high = np.minimum(low, placed.min(axis=0)), np.maximum(high, placed.max(axis=0))
        source, cells, _ = split_creases(prop.mesh.vertices, prop.mesh.triangles)
        arrays[f"prop vertices:{i}"] = prop.mesh.vertices[source].astype(np.float32).ravel()
        arrays[f"prop cells:{i}"] = np.asarray(cells, np.uint32).ravel()
        described.append({"name": prop.name, "ground": ground, "moves": moving})
    if floors:
        floor = max(floors)
        return described, floor, (np.minimum(low, [*low[:2], floor]), high)
    return described, float(low[2]) - 0.35 * size - sag, (low - [0.0, 0.0, sag], high)


def resolved(name: str, given: Implicit) -> Implicit:
    """The integrator ``given`` with the solver of this name."""
    return given if name == AS_GIVEN else replace(given, solver=SOLVERS[name])
