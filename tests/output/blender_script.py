"""Runs inside Blender: ``blender -b --python blender_script.py -- FOLDER FRAME FPS``.

Imports what lies in the folder and writes ``found.json``: for each file the world places of every object's vertices in that
frame, with modifiers and shape keys.
"""

import json
import sys
from pathlib import Path

import bpy
import numpy

numpy.bool = bool  # the glTF importer of Blender 3.4 uses this name, which its NumPy no longer has
folder, frame, fps = sys.argv[sys.argv.index("--") + 1 :]
folder, frame, fps = Path(folder), int(frame), float(fps)


def fresh():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 24


def places(shown):
    """Object → vertices in the world at a (whole or part) frame."""
    bpy.context.scene.frame_set(int(shown), subframe=shown % 1.0)
    graph, found = bpy.context.evaluated_depsgraph_get(), {}
    for thing in bpy.data.objects:
        if thing.type in ("MESH", "CURVE"):
            shape = thing.evaluated_get(graph)
            mesh = shape.to_mesh()
            world = shape.matrix_world
            found[thing.name] = [tuple(world @ v.co) for v in mesh.vertices]
            found[thing.name + " faces"] = [tuple(p.vertices) for p in mesh.polygons]
    return found


def import_obj(file):
    bpy.ops.wm.obj_import(filepath=str(file), forward_axis="Y", up_axis="Z")


def import_cache(file):
    import_obj(file.with_suffix(".obj"))
    (thing,) = (o for o in bpy.data.objects if o.type == "MESH")
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format, cache.filepath = file.suffix[1:].upper(), str(file)
    cache.frame_start, cache.interpolation = 0.0, "NONE"


def import_new_or_old(new, old, file, **options):
    if new in dir(bpy.ops.wm):
        return getattr(bpy.ops.wm, new)(filepath=str(file), **options)
    return getattr(bpy.ops.import_mesh, old)(filepath=str(file), **options)


HOW = {
    ".pc2": (import_cache, frame),
    ".mdd": (import_cache, frame),
    ".glb": (lambda file: bpy.ops.import_scene.gltf(filepath=str(file)), frame * 24 / fps),
    ".usdc": (lambda file: bpy.ops.wm.usd_import(filepath=str(file)), frame),
    ".obj": (import_obj, 0),
    ".ply": (lambda file: import_new_or_old("ply_import", "ply", file), 0),
    ".stl": (lambda file: import_new_or_old("stl_import", "stl", file), 0),
}
found = {}
for file in sorted(folder.iterdir()):
    if file.suffix in HOW and not (file.suffix == ".obj" and file.with_suffix(".pc2").exists()):
        if file.suffix == ".usdc" and "usd_import" not in dir(bpy.ops.wm):
            continue  # Debian builds Blender without USD
        read, shown = HOW[file.suffix]
        fresh()
        read(file)
        found[file.name] = places(shown)
(folder / "found.json").write_text(json.dumps({"version": bpy.app.version_string, "files": found}))
