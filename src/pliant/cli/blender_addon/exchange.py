"""Exchange with the pliant process: meshes, scenes, programs, point caches."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import time
from pathlib import Path

PROGRAM = ""  # the Python or the program that pliant is run with; ``pliant blender`` fills it in
PRESETS = {"jelly": 1.2e3, "liver": 5.5e3, "foam": 2.8e4, "silicone 00-30": 1.2e5, "rubber": 1.2e6}  # Young's moduli [Pa]
OWN = "own values"  # in place of the name of a preset


def _text(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


class Problem(Exception):
    """What cannot be done, in a sentence."""


def program(given: str) -> list[str]:
    """The command that pliant is started with: what was given, what this file was written by, or what is on the path."""
    given = os.path.expanduser(given.strip())
    for name in [given] if given else [PROGRAM, "pliant"]:  # what somebody asked for is not replaced by something else
        found = shutil.which(name) if name else None
        if found:
            is_python = Path(found).stem.lower().startswith("python")
            return [found, "-m", "pliant.cli.main"] if is_python else [found]
    what = f"{given} is no program" if given else "pliant was not found"
    raise Problem(
        f"{what}: in Preferences > Add-ons > Pliant give the path of pliant, or of the Python that has it "
        "(pip install pliant, then pliant blender writes this add-on with the path in it)"
    )


def write_ply(path: Path, points, triangles) -> None:
    """Write (n, 3) points [m] and (m, 3) triangles as binary PLY."""
    import numpy as np

    head = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\nproperty double x\nproperty double y\n"
        f"property double z\nelement face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = np.empty(len(triangles), dtype=[("count", "u1"), ("corners", "<i4", 3)])
    faces["count"], faces["corners"] = 3, triangles
    path.write_bytes(head.encode() + np.asarray(points, "<f8").tobytes() + faces.tobytes())


def read_pc2(path: Path):
    """(frames, points, 3) places in a point cache."""
    import numpy as np

    data = path.read_bytes()
    mark, _, points, _, _, frames = struct.unpack("<12siiffi", data[:32])
    if mark != b"POINTCACHE2\0" or len(data) != 32 + 12 * points * frames:
        raise Problem(f"{path} is not a whole point cache")
    return np.frombuffer(data, "<f4", offset=32).reshape(frames, points, 3)


def write_pc2(path: Path, places) -> None:
    """Write (frames, points, 3) places as a point cache of one sample a frame."""
    head = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, places.shape[1], 0.0, 1.0, len(places))
    path.write_bytes(head + places.astype("<f4").tobytes())


def pinned_points(points, triangles, pins, spacing: float) -> list:
    """Points [m] that hold a solid: the pinned vertices, and between them all over faces whose every corner is pinned."""
    import numpy as np

    chosen = np.zeros(len(points), bool)
    chosen[pins] = True
    found = [points[chosen]]
    for corner in points[triangles[chosen[triangles].all(axis=1)]]:
        longest = np.linalg.norm(corner - np.roll(corner, 1, axis=0), axis=1).max()
        parts = int(min(max(np.ceil(longest / spacing), 1), 200))
        i, j = np.meshgrid(*[np.arange(parts + 1)] * 2)
        i, j = i[i + j <= parts], j[i + j <= parts]
        found.append(np.stack([i, j, parts - i - j], axis=1) / parts @ corner)
    places = np.concatenate(found)
    kept = np.unique(np.floor(places / (0.5 * spacing)).astype(np.int64), axis=0, return_index=True)[1]
    return places[np.union1d(kept, np.arange(len(found[0])))].tolist()


def body_text(body: dict) -> str:
    """The table of one body: name, file, kind ("SOLID" or "SHEET"), preset or own values, edge or thickness [m], pins.

    Pins are points [m] of a solid, and numbers of vertices of a sheet.
    """
    shape = f"read = {_text(body['file'])}"
    solid = body["kind"] == "SOLID"
    edge = "" if body["edge"] is None else f"edge = {body['edge']!r}"
    step = f"tetrahedralise = {{ {edge} }}" if solid else f"Membrane = {{ thickness = {body['thickness']!r} }}"
    law = f"{{ preset = {_text(body['preset'])} }}"
    if body["preset"] == OWN:
        values = ", ".join(f"{name} = {body[name]!r}" for name in ("young", "poisson", "density"))
        law = f"{{ StableNeoHookean = {{ {values} }} }}"
    lines = ["[[bodies]]", f"name = {_text(body['name'])}", f"shape = {{ {shape}, {step} }}", f"material = {law}"]
    lines += [f"surface = {{ {shape} }}"] if solid else []
    lines += ["damping = { stiffness = 0.003 }"]
    if body["pins"] and solid:
        points = ", ".join(f"[{x!r}, {y!r}, {z!r}]" for x, y, z in body["pins"])
        lines += [f'effects = [{{ Hold = {{ where = [{points}], name = "pins" }} }}]']
    elif body["pins"]:
        lines += [f"pinned = {body['pins']}"]
    return "\n".join(lines)


def scene_text(bodies: list[dict], obstacles: list[dict], frames: int, fps: float, steps: int, **given) -> str:
    """A scene for ``pliant run`` whose point cache has the vertices of all bodies, one after the other, in every frame."""
    floor = ['{ Obstacle = { shape = { plane = { z = 0.0 } }, name = "floor" } }'] if given["floor"] else []
    floor += [
        f"{{ Obstacle = {{ shape = {{ read = {_text(o['file'])}, from_mesh = {{ spacing = {o['spacing']!r} }} }}, "
        f"name = {_text(o['name'])} }} }}"
        for o in obstacles
    ]
    solver = "{ Newton = { tolerance = 1e-3 } }" if given["exact"] else "{ QuasiNewton = 8 }"
    touch = ", response = { Penalty = {} }" if len(bodies) > 1 else ""
    thick = ", thickness = true" if any(body["kind"] == "SHEET" for body in bodies) else ""
    return "\n".join(
        [
            f"gravity = {[float(g) for g in given['gravity']]}",
            f"device = {_text(given['device'])}",
            f"integrator = {{ ImplicitEuler = {{ dt = {1 / (fps * steps)!r}, solver = {solver} }} }}",
            f"precision = {_text('f64' if given['exact'] else 'f32')}",
            f"contact = {{ friction = {given['friction']!r}{thick}{touch} }}",
            f"obstacles = [{', '.join(floor)}]",
            *(body_text(body) for body in bodies),
            "[run]",
            f"seconds = {frames / fps!r}",
            f"frames_per_second = {fps!r}",
            "fields = []",
            "[output]",
            'export = { path = "motion.pc2" }',
            "",
        ]
    )


class Job:
    """``pliant run`` on the scene in a folder, as a program that is looked after by asking it now and then."""

    def __init__(self, command: list[str], folder: Path):
        self.folder, self.log, self.begin = folder, folder / "log.txt", time.monotonic()
        env = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
        env |= {"PLIANT_PROGRESS": "1", "PYTHONIOENCODING": "utf-8"}
        call = [*command, "run", str(folder / "scene.toml"), "--out", str(folder), "--checkpoint", "0"]
        quiet = {"creationflags": subprocess.CREATE_NO_WINDOW} if os.name == "nt" else {}
        try:
            with open(self.log, "wb") as log:
                self.process = subprocess.Popen(
                    call, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=env, **quiet
                )
        except OSError as error:
            raise Problem(f"{command[0]} cannot be started: {error.strerror or error}") from None

    def lines(self) -> list[str]:
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines()

    def poll(self) -> tuple[bool, str, float]:
        """Whether it has ended, what it does, and which part of the steps is done."""
        ended = self.process.poll() is not None
        word, part = "starting", 0.0
        for line in self.lines()[::-1]:
            if line and not line.startswith("pliant:"):
                word, _, count = line.rpartition(" ")
                done, _, total = count.partition("/")
                part = int(done) / int(total) if done.isdigit() and total.isdigit() else 0.0
                word = line
                break
        return ended, f"{word} ({time.monotonic() - self.begin:.0f} s)", part

    def result(self):
        """The places that it computed; what went wrong is a Problem."""
        said = [line.removeprefix("pliant: ") for line in self.lines() if line.startswith("pliant: ")]
        if self.process.returncode or not (self.folder / "motion.pc2").exists():
            text = "\n".join(said or self.lines()[-3:]) or f"pliant ended with code {self.process.returncode}"
            raise Problem(text if "No module named" not in text else f"this Python has no pliant: {text}")
        return read_pc2(self.folder / "motion.pc2")

    def cancel(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        self.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)
