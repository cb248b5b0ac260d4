"""Contact response of a scene that names none."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from ...contact.automatic import Automatic
from ...contact.barrier.barrier_energy import Barrier
from ...contact.penalty.penalty_law import Penalty
from ...effects.contact.obstacle_contact import Contact
from ...effects.elasticity.holds import Hold
from ...effects.tearing import Tearing
from ...errors import InputError
from ...solve.newton.newton_solver import Newton
from .body import Scene

# what of a Contact() the barrier has not, not alone, or adds energy to at long steps
OF_SPRINGS = ("stiffness", "hardness", "smoothing", "fallback", "restitution")


def answering(scene: Scene, barrier: Barrier | None) -> Scene:
    """The scene with that barrier for its Automatic() response, or with springs."""
    law = scene.contact
    if not isinstance(law.response, Automatic) or law.response.barrier == barrier:
        return scene
    made = copy(scene)  # which was checked, and has said its warnings
    object.__setattr__(made, "contact", replace(law, response=replace(law.response, barrier=barrier)))
    return made


def why_springs(scene: Scene, integrator: Any) -> str:
    """Why a scene has springs whatever its bodies are like where it begins; nothing where they may have the barrier."""
    law, solver = scene.contact, getattr(integrator, "solver", integrator)
    given = [name for name in OF_SPRINGS if getattr(law, name) != getattr(Contact(), name)]
    if given:
        return f"Contact({given[0]}=…) needs springs"
    if replace(law.response, barrier=None) != Automatic():
        return "Automatic(…) was given values of springs"
    if not isinstance(solver, Newton):
        return f"{type(solver).__name__}() takes no barrier"
    if solver.iterations is not None or solver.line_search is None:  # a pile sinks slowly, or ends at a gap of nothing
        return f"Newton({'line_search=None' if solver.iterations is None else 'iterations=…'}) need not converge"
    if any(body.of(Tearing) for body in scene.bodies):
        return "a body tears"
    driven = [*scene.obstacles, *(hold for body in scene.bodies for hold in body.of(Hold))]
    if any(one.motion is not None for one in driven):  # they would move in parts of a step, as bodies give way
        return "obstacles or held nodes move"
    return "" if len(scene.bodies) > 1 else "there is one body"


def built(scene: Scene, integrator: Any, build: Callable[[Scene], None], resumes: bool) -> tuple[Scene, str]:
    """Build a scene with the response that it has; the scene as it was built, and why it has springs where those were chosen.

    What the barrier refuses where a scene begins is built with springs. One that ``resumes`` from a checkpoint keeps what was
    chosen for it.
    """
    springs = answering(scene, None)
    if type(scene.contact.response) is not Automatic:
        build(scene)
        return scene, ""
    why = why_springs(springs, integrator)
    if why and resumes and scene is not springs:
        raise InputError(f"{why}, and the checkpoint has contact.Barrier(); expected an integrator with Newton()")
    if resumes:
        build(scene)
        return scene, "it began with springs" if scene is springs else ""
    if not why:
        try:
            chosen = answering(scene, Barrier())
            build(chosen)
            return chosen, ""
        except InputError as refused:
            why = str(refused)
    build(springs)
    return springs, why


def said(scene: Scene, why: str) -> str:
    """How bodies touch each other, and why by springs where those were chosen; nothing where they do not."""
    response = scene.contact.at_work.response
    if response is None or (isinstance(response, Automatic) and len(scene.bodies) < 2):
        return ""
    name = Penalty.__name__ if isinstance(response, Automatic) else type(response).__name__
    return f"{name}, since {why}" if why else name
