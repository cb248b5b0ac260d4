"""Export of tuned values as Python and scene file keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..effects.elasticity.muscle_effect import EmbeddedMuscle
from ..effects.tearing import Tearing
from ..material.base import Material
from ..simulate.scene.body import Body, Scene
from ..simulate.simulation import Simulation
from .scene.scene_description import activations, parameters, with_mean

if TYPE_CHECKING:
    from .live_loop import Loop

MOST = 64  # numbers of an array that are written out


class Unwritten(Exception):
    """A value that has no short text: a function, or a long array."""


@cache
def _name(kind: type) -> str:
    """The public name of a class, without the package's; nothing where it has none. What was never asked for is looked into last:
    to import all of the package takes seconds, in which the page would stand still."""
    import pliant

    name = kind.__name__
    if name in pliant._HOME and getattr(pliant, name) is kind:
        return name
    spaces = [space for space in pliant._NAMESPACES if space != "extend"]
    spaces.sort(key=lambda space: f"{pliant.__name__}.{space}" not in sys.modules)
    for space in spaces:
        module = getattr(pliant, space)
        if name in module.__all__ and getattr(module, name) is kind:
            return f"{space}.{name}"
    return ""


def as_python(value: Any) -> str:
    """An expression that makes the value again, with ``pl`` for the package."""
    if isinstance(value, float) and not np.isfinite(value):
        return f'float("{value}")'
    return _written(value, lambda name, given: f"pl.{name}({', '.join(f'{n}={v}' for n, v in given)})", as_python)


def as_toml(value: Any) -> str:
    """The value as a scene file says it."""
    if isinstance(value, bool):
        return str(value).lower()
    return _written(
        value, lambda name, given: f"{{ {name.rpartition('.')[2]} = {{ {', '.join(f'{n} = {v}' for n, v in given)} }} }}", as_toml
    )


def _written(value: Any, call: Callable[[str, list], str], again: Callable[[Any], str]) -> str:
    if isinstance(value, np.ndarray | np.generic):
        if value.size > MOST:
            raise Unwritten
        value = value.tolist()
    if isinstance(value, bool | int | float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)  # which Python and TOML read alike
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(again, value))}]"
    if is_dataclass(value) and _name(type(value)):
        given = [(f.name, getattr(value, f.name)) for f in fields(value) if f.init]
        kept = [(n, again(v)) for (n, v), f in zip(given, (f for f in fields(value) if f.init)) if not _usual(v, f)]
        return call(_name(type(value)), kept)
    raise Unwritten


def _usual(value: Any, field: Any) -> bool:
    """Whether a field of a dataclass has its default, which needs no word."""
    default = field.default_factory() if callable(field.default_factory) else field.default
    if type(default) in (float, int) and np.ndim(value) == 0 and not isinstance(value, str) and value is not None:
        return bool(value == default)
    return value is default or (type(value) is type(default) and not np.ndim(value) and bool(value == default))


@dataclass(frozen=True, eq=False)
class First:
    """Everything that can be tuned, as it was when a simulation was first shown; ``made`` are lines that make it."""

    scene: Scene
    given: Any  # the integrator of the simulation
    integrator: Any  # the one it is shown with
    solver: str
    levels: tuple[dict[str, float], ...]  # activations of the muscles of each body
    made: str = ""

    @classmethod
    def of(cls, sim: Simulation, given: Any, solver: str, made: str = "") -> First:
        """What a simulation has now, whose integrator was ``given`` before a ``solver`` of this name was chosen."""
        levels = tuple(_levels(sim, k) for k in range(len(sim.scene.bodies)))
        return cls(sim.scene, given, sim.integrator, solver, levels, made)

    def restore(self, loop: Loop) -> None:
        """Put all of it back, without a change of time or place."""
        sim = loop.sim
        sim.set(gravity=self.scene.gravity, friction=self.scene.contact.friction)
        for k, (body, old) in enumerate(zip(sim.scene.bodies, self.scene.bodies)):
            before = parameters(old.material)
            values = {n: _fitting(v, before[n][1]) for n, v in _changed(body.material, old.material).items()}
            if values:
                sim.set(body=k, **values)
            if self.levels[k] != _levels(sim, k):
                sim.set(body=k, activation=self.levels[k])
            if _strength(body) != _strength(old):
                sim.set(body=k, tearing=old.of(Tearing)[0])
        sim.integrator, loop.solver = self.integrator, self.solver
        loop.hands.strength = 1.0

    def tuned(self, sim: Simulation) -> dict[str, str]:
        """Python lines and keys of a scene file that turn the scene as it was at first into what it is now."""
        scene, first = sim.scene, self.scene
        head = ["import pliant as pl", *(self.made.splitlines() or ["# sim is the simulation that was shown"])]
        lines, keys, bodies = [], [], []
        if tuple(scene.gravity) != tuple(first.gravity):
            lines.append(f"sim.set(gravity={as_python(list(map(float, scene.gravity)))})")
            keys.append(f"gravity = {as_toml(list(map(float, scene.gravity)))}")
        if scene.contact.friction != first.contact.friction:
            lines.append(f"sim.set(friction={as_python(float(scene.contact.friction))})")
            keys.append(_key("contact", scene.contact))
        if sim.integrator is not self.given:
            lines.append(_line("sim.integrator = ", sim.integrator))
            keys.append(_key("integrator", sim.integrator))
        for k, (body, old) in enumerate(zip(scene.bodies, first.bodies)):
            said = sim.skins[k].name
            name = " ".join(
                "".join(c if c.isprintable() else " " for c in said).split()
            )  # a comment is one line, whoever named the body
            changed, levels = _changed(body.material, old.material), _levels(sim, k)
            if changed:
                written = {n: _value(k, n, v, old.material) for n, v in changed.items()}
                words = ", ".join(f"{n}={text}" for n, text in written.items() if text)
                lines += [f"sim.set(body={k}, {words})  # {name}"] if words else []
                lines += [f"# {n} of {name} is a long array, which has to be copied by hand" for n in written if not written[n]]
                bodies += ["", "[[bodies]]", f"name = {as_toml(said)}", _key("material", list(body.material.terms))]
            if levels != self.levels[k]:
                lines.append(f"sim.set(body={k}, activation={levels!r})  # {name}")
            if _strength(body) != _strength(old):
                lines.append(_line(f"sim.set(body={k}, tearing=", body.of(Tearing)[0], f")  # {name}"))
        toml = ["# these take the place of the same keys of the scene file", *keys, *bodies]
        unchanged = ["# nothing was changed"]
        return {"python": "\n".join([*head, *(lines or unchanged), ""]),
                "toml": "\n".join([*(toml if keys or bodies else unchanged), ""])}  # fmt: skip


def _levels(sim: Simulation, k: int) -> dict[str, float]:
    """Activations of the muscles of a body, but for those that follow a function of time."""
    still = {muscle.name for muscle in sim.scene.bodies[k].of(EmbeddedMuscle) if not callable(muscle.activation)}
    return {m: float(sim.bodies[k].muscles[m].activation) for m in activations(sim, k).values() if m in still}


def _strength(body: Body) -> list[list[float]]:
    """What a body that tears bears."""
    return [np.ravel(t.stretch if t.stress is None else t.stress).tolist() for t in body.of(Tearing)]


def _changed(now: Material, before: Material) -> dict[str, np.ndarray]:
    """Parameters that differ from those before."""
    old = parameters(before)
    return {n: v for n, (_, v) in parameters(now).items() if n in old and not np.array_equal(v, old[n][1])}


def _fitting(now: np.ndarray, before: np.ndarray) -> float | np.ndarray:
    """The value before, or, where a cut has made other elements since, one with its mean."""
    if now.shape == before.shape:
        return before if before.ndim else float(before)
    return with_mean(now, float(before.mean()))


def _value(k: int, name: str, value: np.ndarray, before: Material) -> str:
    """A value as Python; of an array too long to write, as a multiple of what it was, or nothing where it was nothing."""
    try:
        return as_python(value)
    except Unwritten:
        law = next(i for i, term in enumerate(before.terms) if name in term.parameters())
        mean = float(parameters(before)[name][1].mean())
        if mean == 0.0:
            return ""
        factor = float(value.mean()) / mean
        return f"{factor!r} * sim.scene.bodies[{k}].material.terms[{law}].{name}"


def _line(start: str, value: Any, end: str = "") -> str:
    try:
        return start + as_python(value) + end
    except Unwritten:
        return f"# {start.strip(' =')} holds a function or a long array, which has to be copied by hand"


def _key(name: str, value: Any) -> str:
    try:
        one = value[0] if isinstance(value, list) and len(value) == 1 else value
        return f"{name} = {as_toml(one)}"
    except Unwritten:
        return f"# {name} holds a function or a long array, which a scene file cannot say"
