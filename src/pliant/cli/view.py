"""Simulate a body live in the browser, where the mouse grabs and pulls it.

An example by name, a scene file, or a mesh or volume file: a mesh is filled with tets and dropped on a floor, or hung
by its top with --hang. A run that was written as .npz is replayed. Without a name it is the demo. The page has a
menu of all examples. Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..arguments.progress import status
from ..errors import InputError, did_you_mean
from .common import label_options, placement_options
from .common.paths import existing
from .common.terminal import print_json, start
from .inputs import cloth_file, file_solids, robot_file
from .inputs.file_solids import FINENESS

if TYPE_CHECKING:
    from ..simulate.record.run import Run
    from ..simulate.simulation import Simulation
    from ..solve.objective.report import Report
    from ..view.realtime import Quick
    from ..view.viewer import Viewer

EXAMPLE = "pliant view drop_on_sphere, or: pliant view liver.stl --hang, or: pliant view ct.nii.gz --label 1"
# azimuth, elevation [degrees] where the usual ones show too little: into the bowls, between the plates
INTO = (-60.0, 40.0)
VIEWS = {"bowl_of_jelly": INTO, "bowl_of_stars": INTO, "crushed_flat": (-60.0, 3.0), "pile_of_a_hundred": INTO}
# where a scene is not only meshed more coarsely in real time
OTHER = {
    "bowl_of_jelly": "twelve bodies", "cloth_stack": "three coarser cloths", "pile_of_a_hundred": "thirty-two blocks",
    "tori_on_pillars": "four rings",
}  # fmt: skip
MESH = ("up", "unit", "size", "edge", "young", "hang", "cloth", *label_options.OPTIONS, "level")  # options for meshes and volumes


@dataclass(frozen=True)
class Maker:
    """A function that makes a simulation, and the lines of Python that do the same."""

    make: Callable[[], Simulation]
    python: str
    notes: list[str] = field(default_factory=list)  # what a file was taken for, once it has been made
    quick: Callable[[], Simulation] | None = None  # the same at real-time settings
    hastened: str = ""  # the lines of Python that do the same as ``quick``
    control: Callable[[Simulation, Report], object] | None = None  # called after each step
    view: tuple[float, float] | None = None  # where to look from: azimuth, elevation [degrees]
    example: str = ""  # which it is, if any

    def __call__(self) -> Simulation:
        return self.make()

    @property
    def speed(self) -> float:
        """Simulated seconds per second of the clock at first: less than 1 for what is too fast for the eye."""
        return 1.0 / _pace(self.example).slower

    @property
    def other(self) -> str:
        """How the scene itself differs at real-time settings."""
        return OTHER.get(self.example, "a coarser mesh") if _pace(self.example).arguments else ""


def _pace(example: str) -> Quick:
    """Its real-time settings, which are looked up only when they are needed."""
    from ..view.realtime import USUAL
    from .common.example_settings import PACES

    return PACES.get(example, USUAL)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", default="demo", help="an example, a scene file, a mesh, a volume or a run (default: demo)"
    )
    parser.add_argument("--port", type=int, help="port to listen on (default: 8600, or any that is free)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser, only print the address")
    parser.add_argument(
        "--accurate", action="store_true", help="of an example or a scene file: its own settings, not those for real time"
    )
    parser.add_argument("--device", help="cpu or cuda (default: that of the scene, or cpu)")
    placement_options.arguments(parser)
    parser.add_argument(
        "--edge",
        type=float,
        help=f"of a mesh: length of the tets' edges [m] (default: 1/{FINENESS} of its longest side, or less)",
    )
    parser.add_argument(
        "--young",
        type=label_options.moduli,
        help="of a mesh: Young's modulus [Pa], or one for each label, 3e3,3e4 (default: a soft one for its size)",
    )
    parser.add_argument("--hang", action="store_true", help="of a mesh: hang it by its top instead of dropping it")
    parser.add_argument("--cloth", action="store_true", help="of a surface: treat it as a sheet that falls over a ball")
    label_options.arguments(parser)
    parser.add_argument("--level", type=float, help="of a volume: the solid is where the grey value is above this")
    robot_file.arguments(parser)


def run(args: argparse.Namespace) -> int:
    import logging

    start()
    from ..output.formats.npz import holds_run
    from ..view.protocol.access import check_port
    from ..view.viewer import view

    check_port(args.port)  # before anything is built

    logging.basicConfig(format="pliant: %(message)s", level=logging.WARNING, stream=sys.stderr)
    if holds_run(args.what):
        return _shown(args, Path(args.what).name, view(_run(args), name=Path(args.what).stem, **_where(args)))
    makers = library(args.device)
    simulation = _chosen(args, makers)
    name = args.what.removesuffix(".py") if args.what.removesuffix(".py") in makers else Path(args.what).name
    with status(f"preparing {name}"):
        begun = simulation() if args.accurate or simulation.quick is None else simulation.quick()
    # what was asked for is in the page's menu as well
    menu = {"library": {name: simulation} | makers, "reader": reader(args.device)}
    return _shown(args, name, view(begun, name=name, quick=not args.accurate, **menu, **_where(args)))


def _where(args: argparse.Namespace) -> dict[str, Any]:
    return {"port": args.port, "host": args.host, "open": not args.no_open, "block": False}


def _run(args: argparse.Namespace) -> Run:
    """The run to replay; options that only concern simulations are refused."""
    from ..output.formats.npz import read_run

    options = ("device", *MESH)
    wrong = [f"--{n}" for n in options if getattr(args, n) not in (None, False)]
    if wrong:
        raise InputError(f"{wrong[0]} is for simulations; {args.what} is a run, which is only replayed")
    return read_run(args.what)


def _shown(args: argparse.Namespace, name: str, viewer: Viewer) -> int:
    """Say where it is, and wait for its end: Ctrl-C, however soon after the address was said."""
    from ..view.protocol.access import is_loopback

    with viewer, contextlib.suppress(KeyboardInterrupt):
        if args.json:
            print_json({"url": viewer.url, "port": viewer.server.port})
        else:
            print(f"{name} is at {viewer.url}\nCtrl-C ends it.")
            if not is_loopback(args.host):
                print("Anybody on the network who has this address can look and pull.")
        sys.stdout.flush()
        viewer.wait()
    return 0


def library(device: str | None = None) -> dict[str, Maker]:
    """Name → function that makes the simulation, for the demo, all scene files and the scripts that can be viewed."""
    from .examples import all_examples

    head, where = "from pliant.cli.view import library", "" if device is None else repr(device)
    lines = lambda name: f"{head}\nsim = library({where})[{name!r}]()"
    hastened = lambda name: f"{head}\nsim = library({where})[{name!r}].quick()"
    makers = {"demo": Maker(lambda: _demo(device), lines("demo"))}
    for name, (file, _) in all_examples().items():
        if file.suffix == ".toml":
            makers[name] = in_real_time(lambda file=file: _scene(file, device), lines(name), hastened(name), name)
        elif file.suffix == ".py" and (functions := _can_be_viewed(file)):
            control = (lambda sim, report, file=file: _module(file).control(sim, report)) if "control" in functions else None
            make = lambda file=file, **given: _script(file, device, **given)
            makers[name] = in_real_time(make, lines(name), hastened(name), name, control)
    return makers


def in_real_time(make: Callable[..., Simulation], python: str, hastened: str = "", name: str = "", control: Any = None) -> Maker:
    """A maker of a scene as it was given, and at real-time settings, chosen for the examples by measurement.

    ``hastened`` are lines of Python for these; without them ``python`` is followed by what quickens it.
    """

    def quick() -> Simulation:
        from ..view.realtime import quickened

        return quickened(make(**(_pace(name).arguments or {})), _pace(name))

    hastened = hastened or f"{python}\nfrom pliant.view.realtime import quickened\nsim = quickened(sim)"
    return Maker(make, python, quick=quick, hastened=hastened, control=control, view=VIEWS.get(name), example=name)


def _can_be_viewed(file: Path) -> set[str]:
    """The functions of a script with one named ``simulation`` that can be called without arguments; else none."""
    import ast

    body = ast.parse(file.read_text(encoding="utf-8")).body
    functions = {part.name: part.args for part in body if isinstance(part, ast.FunctionDef)}
    found = functions.get("simulation")
    return set(functions) if found is not None and len(found.args) == len(found.defaults) else set()


def _chosen(args: argparse.Namespace, makers: dict[str, Maker]) -> Maker:
    """The function that makes what was asked for."""
    from ..importers.scene_reader import is_description

    what = args.what
    file = Path(what)
    for_mesh = [f"--{n}" for n in MESH if getattr(args, n) not in (None, False)]
    joints, robot = robot_file.asked(args), is_description(file)
    if joints and not robot:
        raise InputError(f"--joint is for robots; {what} is none")
    if what in makers or what.removesuffix(".py") in makers or file.suffix == ".toml" or robot:
        if for_mesh:
            raise InputError(f"{for_mesh[0]} is for a mesh file; {what} has its own")
        if what not in makers and what.removesuffix(".py") not in makers:
            existing(file, "a scene file")
        known = makers.get(what) or makers.get(what.removesuffix(".py"))
        return known or (of_robot if robot else of_scene)(file, what, args.device, joints)
    if file.suffix == ".py":
        raise InputError(f"{what} is a script; expected an example by name, or call pl.view(sim) in the script itself")
    if not file.exists() and not file.suffix:
        names = ", ".join(makers)
        raise InputError(f"there is no example {what!r}{did_you_mean(what, makers)}; expected a file, or one of {names}")
    existing(file, "an example by name, a scene file, a mesh or a volume", folder=True)
    options = placement_options.asked(args) | {
        n: getattr(args, n) for n in ("edge", "young", "hang", "cloth", "device", "apart", "level")
    }
    options["label"] = _plainly(label_options.asked(args))
    given = {n: v for n, v in options.items() if v not in (None, False)}
    return of_mesh(file, what, given, aloud=True)


def _plainly(tissues: dict[str, int]) -> int | dict[str, int] | None:
    """One label without a name as a number, none as None."""
    alone = next(iter(tissues.items()), (None, None)) if len(tissues) < 2 else (None, None)
    return alone[1] if not tissues or alone[0] == f"label {alone[1]}" else tissues


def _lines(file: str, device: str | None, more: str = "") -> str:
    """Lines of Python that make the simulation of a scene file."""
    python = "from pliant.cli.inputs.scene_file import read_scene\n"
    return f"{python}sim = read_scene({file!r}, device={device!r}{more}).simulation()"


def of_scene(file: Path, called: str, device: str | None, joints: dict[str, float]) -> Maker:
    """A maker of a scene file; it has no joints."""
    return in_real_time(lambda: _scene(file, device), _lines(called, device))


def of_robot(file: Path, called: str, device: str | None, joints: dict[str, float]) -> Maker:
    """A maker of what another program's file describes; what it was taken for is noted, and printed."""
    notes: list[str] = []

    def make() -> Simulation:
        from .inputs.scene_file import read_scene

        read = read_scene(file, device=device, joints=joints, live=True)
        notes[:] = [f"{line}." for line in read.notes]
        for line in read.notes:
            print(f"pliant: {line}", file=sys.stderr)
        return read.simulation()

    return Maker(make, _lines(called, device, f", joints={joints!r}, live=True"), notes)


def of_mesh(file: Path, called: str, given: dict[str, Any], aloud: bool = False) -> Maker:
    """A maker of what a file holds, whose lines of Python say ``called`` for it; ``given`` are options of ``from_mesh``.

    What the file was taken for is noted without the options of the shell, and printed where it is ``aloud``.
    """
    notes: list[str] = []

    def say(line: str) -> None:
        notes.append(f"{line.partition(' (--')[0]}.")
        if aloud:
            print(line, file=sys.stderr)

    def make() -> Simulation:
        notes.clear()
        return from_mesh(file, **given, say=say)

    words = "".join(f", {n}={v!r}" for n, v in given.items())
    return Maker(make, f"from pliant.cli.view import from_mesh\nsim = from_mesh({called!r}{words})", notes)


def reader(device: str | None) -> Callable[..., Maker]:
    """What reads a file that is dropped on the page, as the file itself would be read by ``pliant view FILE``."""
    from ..output.formats.npz import holds_run

    def read(path: Path, up: str | None = None, unit: str | None = None) -> Maker:
        if path.suffix.lower() == ".toml":
            if up or unit:
                raise InputError(f"{path.name} is a scene, in metres with z up; expected no other axis or unit")
            return in_real_time(lambda: _scene(path, device, kept=True), _lines(path.name, device))
        if holds_run(str(path)):
            raise InputError(f"{path.name} is a run, which is replayed by: pliant view {path.name}")
        given = {n: v for n, v in (("up", up), ("unit", unit), ("device", device)) if v is not None}
        return of_mesh(path, path.name, given)

    return read


def _demo(device: str | None) -> Simulation:
    import pliant as pl

    from .demo import scene

    return pl.Simulation(scene(), _quick(), device=device or "cpu", precision="f32")


def _quick() -> Any:
    """Steps that a hand can play with: a fixed number of cheap iterations each."""
    import pliant as pl

    return pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=6))


def _scene(file: Path, device: str | None, kept: bool = False) -> Simulation:
    from .inputs.scene_file import read_scene

    return read_scene(file, device=device, kept=kept).simulation()


@cache
def _module(file: Path) -> ModuleType:
    """The script of an example, run once."""
    import importlib.util

    spec = importlib.util.spec_from_file_location(f"pliant_example_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def _script(file: Path, device: str | None, **given: Any) -> Simulation:
    import pliant as pl

    sim = _module(file).simulation(**given)
    if device is None or device == sim.device.name:
        return sim
    return pl.Simulation(sim.scene, sim.integrator, device=device, precision=sim.device.precision)


def from_mesh(
    file: Path | str,
    up: str | None = None,
    unit: str | float | None = None,
    size: float | None = None,
    edge: float | None = None,
    young: float | Sequence[float] | None = None,
    hang: bool = False,
    device: str = "cpu",
    label: int | Sequence[int] | Mapping[str, int] | None = None,
    level: float | None = None,
    apart: bool = False,
    cloth: bool = False,
    say: Callable[[str], object] | None = None,
) -> Simulation:
    """A soft body of what a file holds, above a floor or hanging by its top, ready to be pulled.

    Several labels are regions of one body, or ``apart`` a body each; a surface is filled, or is ``cloth`` itself. ``say`` is
    called with each line about what the file was taken for; these are printed where nobody else listens.
    """
    import numpy as np

    import pliant as pl

    file, tissues = Path(file), label_options.by_name(label)
    shape, scan = pl.read(file, up=up, unit=unit), None
    if isinstance(shape, pl.Volume):
        if tissues and level is not None:
            raise InputError("--label and --level were given together; expected one of them")
        scan = shape
        groups = [{name: value} for name, value in tissues.items()] if apart else [tissues]
        skins = [file_solids.skin(scan, group, level) for group in groups]
    elif tissues or level is not None:
        raise InputError(f"--{'label' if tissues else 'level'} is for a volume; {file} is a mesh")
    elif not isinstance(shape, pl.TriMesh | pl.TetMesh | pl.meshes.HexMesh):
        raise InputError(f"{file} holds a {type(shape).__name__}; expected a surface, tets, hexahedra or a volume")
    else:
        skins, groups = [shape], [{}]
    low = np.min([skin.bounds[0] for skin in skins], axis=0)
    high = np.max([skin.bounds[1] for skin in skins], axis=0)
    long = float((high - low).max())
    factor, words = (1.0, f"in {unit}") if unit is not None else placement_options.guessed(long, file)
    if size is not None:
        factor, words = size / long, "as asked for"
    low, high, long = factor * low, factor * high, factor * long
    say = say or (lambda line: print(line, file=sys.stderr))
    say(placement_options.sentence(file, (low, high), up, words))
    offset = (*-0.5 * (low + high)[:2], (1.0 if hang else 0.5 if cloth else 0.25) * long - low[2])

    def placed(thing: Any) -> Any:
        return (thing if factor == 1.0 else thing.scaled(factor)).translated(offset)

    if cloth:
        if scan is not None or isinstance(young, list | tuple):
            raise InputError(f"--cloth is a surface of one material; {'several moduli' if scan is None else file} were given")
        made = cloth_file.scene(placed(shape), file, edge, young, hang)
        return pl.Simulation(made, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10)), device, "f32")
    soft = label_options.each(young if young is not None else round(float(f"{12 * 1000 * 9.81 * long:.1g}")), tissues)
    stiff = dict(zip(tissues or [file.stem], soft))
    bodies, top = [], float(offset[2] + high[2])
    for skin, group in zip(skins, groups):
        skin = placed(skin)
        fine = isinstance(skin, pl.TriMesh)
        solid = file_solids.filled(skin, edge, say) if fine else skin
        if len(group) > 1:
            solid = file_solids.divided(solid, placed(scan), group, say)
        moduli = [stiff[name] for name in group] or soft
        law = pl.StableNeoHookean(young=moduli[0] if len(moduli) == 1 else moduli, poisson=0.45, density=1000.0)
        bodies.append(
            pl.Body(
                solid, law, surface=skin if fine else None,
                pinned=(lambda X: X[:, 2] > top - 0.06 * long) if hang else None, damping=pl.Damping(stiffness=0.003),
                name=next(iter(group)) if apart else file.stem,
            )
        )  # fmt: skip
    contact = pl.Contact(friction=0.5, response=pl.contact.Penalty() if len(bodies) > 1 else None)
    scene = pl.Scene(bodies, [pl.Obstacle(pl.plane(z=0.0), name="floor")], contact=contact)
    return pl.Simulation(scene, _quick(), device=device, precision="f32")
