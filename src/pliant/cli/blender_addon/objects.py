"""Conversion of Blender objects to meshes and of motions back."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from pathlib import Path

from .exchange import Job, Problem, pinned_points, program, scene_text, write_pc2, write_ply

RESULT = "Pliant"  # name of the modifier, and how names of shape keys begin
FIRST = "pliant_first_frame"  # kept with the shape keys


def evaluated(context, thing):
    """World points [m] (n, 3), triangles (m, 3), and the numbers of the points in its group of pins."""
    import numpy as np

    scale = unit(context.scene)
    shape = thing.evaluated_get(context.evaluated_depsgraph_get())
    mesh = shape.to_mesh()
    try:
        points = np.empty(3 * len(mesh.vertices))
        mesh.vertices.foreach_get("co", points)
        mesh.calc_loop_triangles()
        corners = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
        mesh.loop_triangles.foreach_get("vertices", corners)
        pins = []
        if thing.pliant.pins:
            group = thing.vertex_groups.get(thing.pliant.pins)
            if group is None:
                raise Problem(f"{thing.name} has no vertex group {thing.pliant.pins!r}; choose another for its pins")
            has = lambda v: any(g.group == group.index and g.weight > 0.5 for g in v.groups)
            pins = [v.index for v in mesh.vertices if has(v)]
            if not pins:
                raise Problem(f"no vertex of {thing.name} has a weight above 0.5 in the group {group.name!r}")
    finally:
        shape.to_mesh_clear()
    world = np.array(shape.matrix_world)
    points = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
    if not len(corners) or not np.all(np.isfinite(points)):
        raise Problem(f"{thing.name} has no faces, or vertices at no place; expected a mesh")
    return scale * points, corners.reshape(-1, 3), pins


def unit(scene) -> float:
    """Metres in one unit of Blender."""
    return scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0


def later(thing) -> list:
    """The modifiers that come after the result: subdivisions at the end, of which a render may have more levels."""
    kept = [m for m in thing.modifiers if m.name != RESULT]
    first = len(kept)
    while first and kept[first - 1].type in ("SUBSURF", "MULTIRES"):
        first -= 1
    return kept[first:]


def own_keys(thing) -> list:
    keys = thing.data.shape_keys
    return (
        [key for key in keys.key_blocks if key.name.startswith(f"{RESULT} ") and key.name[len(RESULT) :].strip().isdigit()]
        if keys
        else []
    )


@contextlib.contextmanager
def at_rest(context, things):
    """The first frame, without earlier results and without subdivisions that come after them."""
    scene, before = context.scene, context.scene.frame_current
    hidden = [m for thing in things for m in thing.modifiers if m.show_viewport and (m.name == RESULT or m in later(thing))]
    muted = [key for thing in things for key in own_keys(thing) if not key.mute]
    for modifier in hidden:
        modifier.show_viewport = False
    for key in muted:
        key.mute = True
    try:
        scene.frame_set(scene.frame_start)
        yield
    finally:
        for modifier in hidden:
            modifier.show_viewport = True
        for key in muted:
            key.mute = False
        scene.frame_set(before)


def check(thing, keys: bool) -> None:
    """Refuse what the motion could not be brought back onto."""
    stays = [m for m in thing.modifiers if m.name != RESULT and m not in later(thing)]
    for modifier in stays:
        if modifier.show_viewport != modifier.show_render:
            raise Problem(
                f"{thing.name}: the modifier {modifier.name!r} is on in the viewport or in renders only, where the number "
                "of vertices may differ; switch it on or off in both"
            )
        if modifier.type == "SUBSURF" and modifier.levels != modifier.render_levels:
            raise Problem(f"{thing.name}: give the modifier {modifier.name!r} as many levels in renders as in the viewport")
    if keys and any(m.show_viewport for m in stays):
        raise Problem(f"{thing.name} has modifiers, which would act on shape keys again; choose Mesh cache, or apply them")
    if keys and thing.data.shape_keys and len(thing.data.shape_keys.key_blocks) > 1 + len(own_keys(thing)):
        raise Problem(f"{thing.name} has shape keys of its own, which would add to the motion; choose Mesh cache")


def put_cache(context, thing, local, first: int) -> None:
    """Write (frames, n, 3) places of an object, seen from itself, to a file that a Mesh Cache modifier plays."""
    import bpy

    clear(thing)
    saved = bool(bpy.data.filepath)
    folder = Path(bpy.path.abspath(context.scene.pliant.folder)) if saved else Path(bpy.app.tempdir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{bpy.path.clean_name(thing.name)}.pc2"
        write_pc2(file, local)
    except OSError as error:
        raise Problem(f"the cache cannot be written to {folder}: {error.strerror or error}") from None
    after = later(thing)
    cache = thing.modifiers.new(RESULT, "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = bpy.path.relpath(str(file)) if saved else str(file)
    cache.frame_start, cache.interpolation = first, "LINEAR"
    if after:
        place = [m.name for m in thing.modifiers].index(after[0].name)
        with context.temp_override(object=thing, active_object=thing):
            bpy.ops.object.modifier_move_to_index(modifier=cache.name, index=place)


def put_keys(context, thing, local, first: int) -> None:
    """A shape key for each of (frames, n, 3) places of an object, seen from itself, each at 1 in its own frame."""
    import bpy

    clear(thing)
    if len(thing.data.vertices) != local.shape[1]:
        raise Problem(f"{thing.name} has {len(thing.data.vertices)} vertices now, and had {local.shape[1]}; simulate again")
    if thing.data.shape_keys is None:
        thing.shape_key_add(name="Basis")
    thing.data.shape_keys[FIRST] = first
    edit = bpy.context.preferences.edit
    usual, edit.keyframe_new_interpolation_type = edit.keyframe_new_interpolation_type, "LINEAR"
    try:
        for number, places in enumerate(local):
            key = thing.shape_key_add(name=f"{RESULT} {number:04d}", from_mix=False)
            key.data.foreach_set("co", places.astype("f4").ravel())
            for frame, value in ((number - 1, 0.0), (number, 1.0), (number + 1, 0.0)):
                if 0 <= frame < len(local):
                    key.value = value
                    key.keyframe_insert("value", frame=first + frame)
    finally:
        edit.keyframe_new_interpolation_type = usual


def clear(thing) -> bool:
    """Take an earlier result away; whether there was one."""
    there = False
    for modifier in [m for m in thing.modifiers if m.name == RESULT and m.type == "MESH_CACHE"]:
        thing.modifiers.remove(modifier)
        there = True
    for key in own_keys(thing):
        at = thing.data.shape_keys.get(FIRST, 0) + int(key.name[len(RESULT) :])
        for frame in (at - 1, at, at + 1):
            with contextlib.suppress(RuntimeError):  # where somebody took it away
                key.keyframe_delete("value", frame=frame)
        thing.shape_key_remove(key)
        there = True
    return there


class Task:
    """The selected objects on their way through pliant and back; objects are known by name, which undo does not change."""

    def __init__(self, context, path: str):
        given = context.scene.pliant
        chosen = [o for o in context.selected_objects if o.type == "MESH"]
        walls = [
            o for o in context.view_layer.objects
            if o.type == "MESH" and o not in chosen and any(m.type == "COLLISION" for m in o.modifiers)
        ]  # fmt: skip
        if not chosen:
            raise Problem("no mesh is selected; select the objects to simulate")
        command = program(path)
        self.keys = given.result == "KEYS"
        for thing in chosen:
            check(thing, self.keys)
        render = context.scene.render
        self.fps, self.first = render.fps / render.fps_base, context.scene.frame_start
        self.frames = max(1, round(given.seconds * self.fps))
        folder = Path(tempfile.mkdtemp(prefix="pliant-"))
        try:
            with at_rest(context, [*chosen, *walls]):
                bodies = [self._body(context, thing, folder, i) for i, thing in enumerate(chosen)]
                obstacles = [self._wall(context, thing, folder, i) for i, thing in enumerate(walls)]
            self.names, self.counts = [o.name for o in chosen], [body.pop("count") for body in bodies]
            gravity = context.scene.gravity if context.scene.use_gravity else (0, 0, 0)
            text = scene_text(
                bodies, obstacles, self.frames, self.fps, given.steps, floor=given.floor, gravity=[float(g) for g in gravity],
                friction=round(given.friction, 6), device=given.device, exact=given.quality == "EXACT",
            )  # fmt: skip
            (folder / "scene.toml").write_text(text, encoding="utf-8")
            self.job = Job(command, folder)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _body(self, context, thing, folder: Path, number: int) -> dict:
        import numpy as np

        points, triangles, pins = evaluated(context, thing)
        write_ply(folder / f"body{number}.ply", points, triangles)
        own, long = thing.pliant, float(np.ptp(points, axis=0).max())
        values = {name: getattr(own, name) for name in ("kind", "preset", "young", "poisson", "density")}
        edge = float(f"{long / own.fineness:.6g}") if own.fineness else None
        if pins and own.kind == "SOLID":
            pins = pinned_points(points, triangles, pins, 0.7 * (edge or long / 48))  # finer than tets ever are
        thickness = own.thickness * unit(context.scene)
        places = {"pins": pins, "count": len(points)}
        return values | places | {"name": thing.name, "file": f"body{number}.ply", "edge": edge, "thickness": thickness}

    def _wall(self, context, thing, folder: Path, number: int) -> dict:
        import numpy as np

        points, triangles, _ = evaluated(context, thing)
        write_ply(folder / f"wall{number}.ply", points, triangles)
        return {"name": thing.name, "file": f"wall{number}.ply", "spacing": float(np.ptp(points, axis=0).max()) / 48}

    def bring_back(self, context) -> str:
        """Put the motion onto the objects; returns what was done."""
        import numpy as np

        places = self.job.result() / unit(context.scene)
        parts = np.split(places, np.cumsum(self.counts)[:-1], axis=1)
        things = [context.scene.objects.get(name) for name in self.names]
        missing = [name for name, thing in zip(self.names, things) if thing is None]
        if missing:
            raise Problem(f"there is no {missing[0]!r} any more; its motion has no place to go to")
        worlds = self._worlds(context, things)
        for i, thing in enumerate(things):
            back = np.linalg.inv(worlds[:, i])
            local = np.einsum("fij,fnj->fni", back[:, :3, :3], parts[i]) + back[:, None, :3, 3]
            if self.keys:
                put_keys(context, thing, local, self.first)
            else:
                put_cache(context, thing, local, self.first)
        return f"{len(places)} frames for {', '.join(self.names)}"

    def _worlds(self, context, things):
        """(frames, objects, 4, 4) where objects are in each frame, which is what the motion must be seen from."""
        import numpy as np

        still = not any(o.animation_data or o.parent or len(o.constraints) for o in things)
        if still:
            return np.repeat(np.array([[o.matrix_world for o in things]]), self.frames + 1, axis=0)
        before, found = context.scene.frame_current, []
        for frame in range(self.frames + 1):
            context.scene.frame_set(self.first + frame)
            found.append([np.array(o.evaluated_get(context.evaluated_depsgraph_get()).matrix_world) for o in things])
        context.scene.frame_set(before)
        return np.array(found)
