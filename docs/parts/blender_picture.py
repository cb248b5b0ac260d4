"""Draws docs/pictures/blender.png inside Blender: ``blender -b --python docs/parts/blender_picture.py -- ADDON.zip OUT.png``.

Blender's monkey with a chequered texture, sent to pliant and back; three frames side by side.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

addon, out = sys.argv[sys.argv.index("--") + 1 :]
FRAMES, SIDE = (1, 10, 24), 260
if bpy.app.version >= (4, 2):
    bpy.ops.extensions.package_install_files(filepath=addon, repo="user_default", enable_on_install=True)
else:
    bpy.ops.preferences.addon_install(filepath=addon)
    bpy.ops.preferences.addon_enable(module="pliant_blender")
for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)


def painted(name, nodes):
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes(material.node_tree, material.node_tree.nodes["Principled BSDF"])
    return material


def chequers(tree, paint):
    place, chequer = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeTexChecker")
    chequer.inputs["Scale"].default_value = 24
    chequer.inputs["Color1"].default_value, chequer.inputs["Color2"].default_value = (
        (0.8, 0.12, 0.06, 1),
        (0.95, 0.75, 0.5, 1),
    )
    tree.links.new(place.outputs["UV"], chequer.inputs["Vector"])
    tree.links.new(chequer.outputs["Color"], paint.inputs["Base Color"])
    paint.inputs["Roughness"].default_value = 0.25


def plain(tree, paint):
    paint.inputs["Base Color"].default_value = (0.55, 0.6, 0.65, 1)


bpy.ops.mesh.primitive_plane_add(size=12)
bpy.context.object.data.materials.append(painted("ground", plain))
bpy.ops.mesh.primitive_monkey_add(size=0.4, location=(0, 0, 0.55), rotation=(-0.35, 0.25, 0.35))
monkey = bpy.context.object
monkey.data.materials.append(painted("chequers", chequers))
smooth = monkey.modifiers.new("smooth", "SUBSURF")
smooth.levels = smooth.render_levels = 2
bpy.ops.object.shade_smooth()
monkey.pliant.preset, monkey.pliant.young = "own values", 1.5e4
scene = bpy.context.scene
scene.pliant.seconds = 1.0
bpy.ops.pliant.simulate()

bpy.ops.object.light_add(type="AREA", location=(-1.2, -1.2, 2.5), rotation=(0.55, -0.35, 0))
bpy.context.object.data.energy, bpy.context.object.data.size = 40, 1.0
bpy.ops.object.camera_add(location=(0, -1.5, 0.42), rotation=(1.5, 0, 0))
scene.camera = bpy.context.object
scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.22, 0.25, 0.3, 1)
scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 24, False
scene.render.resolution_x, scene.render.resolution_y, scene.render.image_settings.file_format = SIDE, SIDE, "PNG"
parts = []
for frame in FRAMES:
    scene.frame_set(frame)
    scene.render.filepath = str(Path(out).with_name(f"frame{frame}.png"))
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(scene.render.filepath)
    parts.append(np.array(image.pixels[:]).reshape(SIDE, SIDE, 4))
    Path(scene.render.filepath).unlink()
whole = bpy.data.images.new("whole", SIDE * len(parts), SIDE)
whole.pixels = np.concatenate(parts, axis=1).ravel().tolist()
whole.filepath_raw, whole.file_format = out, "PNG"
whole.save()
