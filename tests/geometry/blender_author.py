"""Runs inside Blender: ``blender -b --python blender_author.py -- FOLDER``.

Writes a scene of parents, mirrors, a bent rig and a shape key as glTF of each kind, and ``made.json`` with the places that
Blender itself shows.
"""

import json
import math
import sys
from pathlib import Path

import bpy
import numpy

numpy.bool = bool  # the glTF exporter of Blender 3.4 uses this name, which its NumPy no longer has
folder = Path(sys.argv[sys.argv.index("--") + 1])
bpy.ops.wm.read_factory_settings(use_empty=True)

bpy.ops.mesh.primitive_monkey_add(location=(1, 2, 3), rotation=(0.3, 0.5, 0.7))
monkey = bpy.context.object
monkey.scale = 0.5, 0.6, 0.7
bpy.ops.mesh.primitive_cone_add(location=(0, 0, 2))
cone = bpy.context.object
cone.parent, cone.scale = monkey, (-0.3, 0.4, 0.5)  # a child, and mirrored

bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=6, location=(-3, 0, 0))
ball = bpy.context.object
ball.shape_key_add(name="rest")
key = ball.shape_key_add(name="tall")
for point in key.data:
    point.co.z *= 2.0
key.value = 0.4

bpy.ops.object.armature_add(location=(0, -3, 0))
rig = bpy.context.object
bpy.ops.object.mode_set(mode="EDIT")
lower = rig.data.edit_bones[0]
upper = rig.data.edit_bones.new("upper")
upper.head, upper.tail, upper.parent = lower.tail, (0, 0, 2), lower
names = [lower.name, upper.name]
bpy.ops.object.mode_set(mode="OBJECT")
bpy.ops.mesh.primitive_cylinder_add(vertices=8, radius=0.3, depth=2, location=(0, -3, 1))
leg = bpy.context.object
bpy.ops.object.transform_apply(location=True)
for name, keep in zip(names, (lambda z: z < 1, lambda z: z >= 1)):
    group = leg.vertex_groups.new(name=name)
    group.add([v.index for v in leg.data.vertices if keep(v.co.z)], 1.0, "REPLACE")
leg.modifiers.new("rig", "ARMATURE").object = rig
leg.parent = rig
leg.matrix_parent_inverse = rig.matrix_world.inverted()
rig.pose.bones["upper"].rotation_mode = "XYZ"
rig.pose.bones["upper"].rotation_euler = (math.radians(40), 0, 0)
bpy.context.view_layer.update()

graph, places = bpy.context.evaluated_depsgraph_get(), []
for thing in bpy.data.objects:
    if thing.type == "MESH":
        shape = thing.evaluated_get(graph)
        places += [tuple(shape.matrix_world @ v.co) for v in shape.to_mesh().vertices]
for kind, name in (("GLB", "a.glb"), ("GLTF_SEPARATE", "b.gltf"), ("GLTF_EMBEDDED", "c.gltf")):
    bpy.ops.export_scene.gltf(filepath=str(folder / name), export_format=kind, export_current_frame=True)
(folder / "made.json").write_text(json.dumps(places))
