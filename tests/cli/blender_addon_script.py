"""Runs inside Blender: ``blender -b --python blender_addon_script.py -- ADDON.zip FOUND.json``.

Installs the add-on as a person would, sends objects through it and writes what came back.
"""

import json
import sys

import bpy

addon, found = sys.argv[sys.argv.index("--") + 1 :]
if bpy.app.version >= (4, 2):
    bpy.ops.extensions.package_install_files(filepath=addon, repo="user_default", enable_on_install=True)
else:
    bpy.ops.preferences.addon_install(filepath=addon)
    bpy.ops.preferences.addon_enable(module="pliant_blender")


def fresh(scale):
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", scale
    scene.render.fps, scene.render.fps_base, scene.frame_start = 24, 1.0, 5
    scene.frame_set(5)
    return scene


def mesh_of(thing):
    return thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()


def places(thing, frame):
    """Vertices in the world at a frame, with modifiers and shape keys."""
    bpy.context.scene.frame_set(frame)
    world = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world
    return [tuple(world @ v.co) for v in mesh_of(thing).vertices]


def refusal(**options):
    try:
        bpy.ops.pliant.simulate(**options)
    except RuntimeError as error:
        return str(error)
    return ""


def only(*things):
    for thing in bpy.data.objects:
        thing.select_set(thing in things)
    bpy.context.view_layer.objects.active = things[0] if things else None


result = {"version": bpy.app.version_string}

# a bar in centimetres, turned and stretched, with a bevel before and a subdivision after, held at one end
scene = fresh(0.01)
bpy.ops.mesh.primitive_cube_add(size=10.0, location=(3, 4, 50), rotation=(0.3, 0.2, 0.9), scale=(3.0, 1.0, 0.8))
bar = bpy.context.object
group = bar.vertex_groups.new(name="end")
group.add([v.index for v in bar.data.vertices if v.co.x < 0], 1.0, "REPLACE")
bar.modifiers.new("cut corners", "BEVEL").width = 0.5
smooth = bar.modifiers.new("smooth", "SUBSURF")
smooth.levels, smooth.render_levels = 0, 1
bar.data.materials.append(bpy.data.materials.new("paint"))
bar.pliant.preset, bar.pliant.pins = "jelly", "end"
scene.pliant.floor, scene.pliant.seconds = False, 0.5
before = places(bar, 5)
bpy.ops.pliant.simulate()
result["bar"] = {
    "before": before, "first": places(bar, 5), "last": places(bar, 17), "order": [m.name for m in bar.modifiers],
    "weights": [sum(g.weight for g in v.groups) for v in mesh_of(bar).vertices],
    "base": len(bar.data.vertices), "faces": [len(p.vertices) for p in bar.data.polygons], "uv": len(bar.data.uv_layers),
    "materials": [m.name for m in bar.data.materials],
}  # fmt: skip
bpy.ops.pliant.simulate()  # again, from the same start
result["bar"]["again"], result["bar"]["order again"] = places(bar, 17), [m.name for m in bar.modifiers]
scene.pliant.result = "KEYS"
result["keys beside modifiers"] = refusal()
bpy.ops.pliant.clear()
result["bar"]["cleared"] = [m.name for m in bar.modifiers]

# a ball that falls freely and then meets a floor, as shape keys; it slides along, as somebody animated it
scene = fresh(1.0)
bpy.ops.mesh.primitive_uv_sphere_add(segments=16, ring_count=8, radius=0.1, location=(0, 0, 0.5))
ball = bpy.context.object
for frame, x in ((5, 0.0), (29, 1.0)):
    ball.location.x = x
    ball.keyframe_insert("location", frame=frame)
ball.pliant.preset, scene.pliant.floor, scene.pliant.result, scene.pliant.seconds = "rubber", True, "KEYS", 1.0
bpy.ops.pliant.simulate()
result["ball"] = {
    "first": places(ball, 5), "falling": places(ball, 9), "last": places(ball, 29), "keys": len(ball.data.shape_keys.key_blocks),
}  # fmt: skip
bpy.ops.pliant.simulate()
result["ball"]["again"], result["ball"]["keys again"] = places(ball, 29), len(ball.data.shape_keys.key_blocks)
bpy.ops.pliant.clear()
result["ball"]["cleared"] = len(ball.data.shape_keys.key_blocks)

# a sheet over a wall that has a collision modifier, and a soft cube beside it
scene = fresh(1.0)
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(0, 0, 0.1))
bpy.context.object.modifiers.new("Collision", "COLLISION")
bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=0.3, location=(0, 0, 0.25))
sheet = bpy.context.object
sheet.pliant.kind, sheet.pliant.preset, sheet.pliant.thickness = "SHEET", "rubber", 0.002
bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.4, 0, 0.1))
cube = bpy.context.object
cube.pliant.preset, cube.pliant.young, cube.pliant.fineness = "own values", 5e4, 4
only(sheet, cube)
scene.pliant.result, scene.pliant.seconds = "CACHE", 0.4
bpy.ops.pliant.simulate()
result["sheet"], result["cube"] = places(sheet, 14), places(cube, 14)

only()
result["nothing"] = refusal()
only(cube)
name = next(n.module for n in bpy.context.preferences.addons if n.module.endswith("pliant_blender"))
bpy.context.preferences.addons[name].preferences.program = "no/such/pliant"
result["nowhere"] = refusal()
bpy.context.preferences.addons[name].preferences.program = ""
cube.pliant.pins = "gone"
result["no group"] = refusal()
with open(found, "w") as file:
    json.dump(result, file)
