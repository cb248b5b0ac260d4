"""Blender add-on: simulates the selected objects with pliant and brings the motion back onto them.

Blender's Python is not the one that pliant is installed in, so pliant runs as a program of its own: objects go to it as
files with a scene, and a point cache comes back. ``pliant blender`` writes this folder as one file to install, with
the place of pliant filled in. The panel is in the sidebar (N) of the 3D view.
"""

from __future__ import annotations

import importlib
import time

from . import exchange, objects

if "bpy" in locals():  # another version was installed while Blender runs
    exchange, objects = importlib.reload(exchange), importlib.reload(objects)

try:
    import bpy
    from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
except ModuleNotFoundError:  # outside Blender, where only the files are of use
    bpy = None

bl_info = {
    "name": "Pliant",
    "author": "the authors of pliant",
    "description": "Soft bodies: simulate objects and get the motion back",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Pliant",
    "category": "Physics",
}
EVERY = 0.2  # [s] between two looks at the program
KINDS = [
    ("SOLID", "Solid", "Filled with tets; small holes do not matter"),
    ("SHEET", "Sheet", "The faces themselves, as cloth or skin of a thickness"),
]
# identifier, name, description; the values are pliant's
PRESETS = [(name, name.capitalize(), f"Young's modulus {young:,.0f} Pa") for name, young in exchange.PRESETS.items()]
PRESETS += [(exchange.OWN, "Own values", "Young's modulus, Poisson's ratio and density")]
RESULTS = [
    ("CACHE", "Mesh cache", "A file that a modifier plays; works together with other modifiers"),
    ("KEYS", "Shape keys", "A key for each frame, inside the .blend; for objects without modifiers"),
]
QUALITIES = [
    ("QUICK", "Quick", "Eight iterations a step, in 32 bits: for looks of solid bodies"),
    ("EXACT", "Exact", "Steps solved to a thousandth of the forces, in 64 bits: two to three times the work"),
]
DEVICES = [("cpu", "CPU", "All threads"), ("cuda", "CUDA", "An NVIDIA GPU")]
_types = bpy.types if bpy else None
_Group = _types.PropertyGroup if bpy else object
_Operator = _types.Operator if bpy else object
_Panel = _types.Panel if bpy else object
_Preferences = _types.AddonPreferences if bpy else object


class PliantBody(_Group):
    """What an object is made of."""

    kind: EnumProperty(name="Body", items=KINDS, default="SOLID")
    preset: EnumProperty(name="Material", items=PRESETS, default="silicone 00-30")
    young: FloatProperty(name="Young's modulus [Pa]", default=1e4, min=1.0, soft_max=1e8)
    poisson: FloatProperty(name="Poisson's ratio", default=0.45, min=0.0, max=0.49)
    density: FloatProperty(name="Density [kg/m³]", default=1000.0, min=1.0)
    fineness: IntProperty(
        name="Tets along the longest side", description="0: as many as thin parts need", default=0, min=0, max=100
    )
    thickness: FloatProperty(name="Thickness", default=0.002, min=1e-6, unit="LENGTH", precision=4)
    pins: StringProperty(name="Pins", description="Vertices of this group stay where they are in the first frame")


class PliantScene(_Group):
    """What all objects have in common."""

    floor: BoolProperty(name="Floor at z = 0", default=True)
    friction: FloatProperty(name="Friction", default=0.5, min=0.0, soft_max=1.0)
    seconds: FloatProperty(
        name="Seconds", description="From the first frame on, at the scene's frame rate", default=2.0, min=0.01
    )
    steps: IntProperty(name="Steps in a frame", default=3, min=1, max=100)
    quality: EnumProperty(name="Quality", items=QUALITIES, default="EXACT")
    device: EnumProperty(name="Device", items=DEVICES, default="cpu")
    result: EnumProperty(name="Result", items=RESULTS, default="CACHE")
    folder: StringProperty(name="Caches", subtype="DIR_PATH", default="//pliant/")


class PliantPreferences(_Preferences):
    """Where pliant is."""

    bl_idname = __package__
    program: StringProperty(
        name="pliant",
        description="The program, or the Python that it is installed in; empty: as the add-on was written, or on the path",
        subtype="FILE_PATH",
    )

    def draw(self, context):
        self.layout.prop(self, "program")
        try:
            self.layout.label(text="runs " + " ".join(exchange.program(self.program)))
        except exchange.Problem as problem:
            self.layout.label(text=str(problem), icon="ERROR")


def _program(context) -> str:
    known = context.preferences.addons.get(__package__)
    return known.preferences.program if known else ""


class PLIANT_OT_simulate(_Operator):
    """Simulate the selected meshes from the first frame on; Esc stops"""

    bl_idname = "pliant.simulate"
    bl_label = "Simulate"
    bl_options = {"REGISTER", "UNDO"}
    running = None  # what the panel shows

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and cls.running is None

    def execute(self, context):
        """Without a window, or called by a script: wait for the end."""
        try:
            self.task = objects.Task(context, _program(context))
        except exchange.Problem as problem:
            return self._refused(problem)
        while not self.task.job.poll()[0]:
            time.sleep(EVERY)
        return self._ended(context)

    def invoke(self, context, event):
        if bpy.app.background:
            return self.execute(context)
        try:
            self.task = objects.Task(context, _program(context))
        except exchange.Problem as problem:
            return self._refused(problem)
        manager = context.window_manager
        self.timer = manager.event_timer_add(EVERY, window=context.window)
        manager.modal_handler_add(self)
        PLIANT_OT_simulate.running = ("starting", 0.0)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self._stop(context)
            self.report({"INFO"}, "the simulation was stopped; nothing has changed")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        ended, text, part = self.task.job.poll()
        PLIANT_OT_simulate.running = (text, part)
        context.workspace.status_text_set(f"Pliant: {text}   Esc stops")
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.tag_redraw()
        if not ended:
            return {"PASS_THROUGH"}
        self._quiet(context)
        return self._ended(context)

    def cancel(self, context):
        """Blender goes, or a file is opened."""
        self._stop(context)

    def _quiet(self, context):
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        PLIANT_OT_simulate.running = None

    def _stop(self, context):
        self._quiet(context)
        self.task.job.close()

    def _ended(self, context):
        try:
            done = self.task.bring_back(context)
        except exchange.Problem as problem:
            return self._refused(problem)
        finally:
            self.task.job.close()
        if context.scene.pliant.result == "CACHE" and not bpy.data.filepath:
            self.report({"WARNING"}, f"{done}; save the .blend and simulate again, or the cache goes when Blender does")
        else:
            self.report({"INFO"}, done)
        return {"FINISHED"}

    def _refused(self, problem):
        self.report({"ERROR"}, str(problem))
        return {"CANCELLED"}


class PLIANT_OT_clear(_Operator):
    """Take the motion off the selected objects"""

    bl_idname = "pliant.clear"
    bl_label = "Clear"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and PLIANT_OT_simulate.running is None

    def execute(self, context):
        done = [objects.clear(thing) for thing in context.selected_objects if thing.type == "MESH"]
        return {"FINISHED"} if any(done) else {"CANCELLED"}


class PLIANT_PT_panel(_Panel):
    """In the sidebar of the 3D view."""

    bl_label = "Pliant"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Pliant"

    def draw(self, context):
        layout, thing, given = self.layout, context.object, context.scene.pliant
        layout.use_property_split = True
        if thing is None or thing.type != "MESH":
            layout.label(text="Select a mesh")
        else:
            own, box = thing.pliant, layout.box()
            box.label(text=thing.name, icon="MESH_DATA")
            box.prop(own, "kind")
            box.prop(own, "preset")
            for name in ("young", "poisson", "density") if own.preset == exchange.OWN else ():
                box.prop(own, name)
            box.prop(own, "fineness" if own.kind == "SOLID" else "thickness")
            box.prop_search(own, "pins", thing, "vertex_groups")
        for name in ("floor", "friction", "seconds", "steps", "quality", "device", "result"):
            layout.prop(given, name)
        if given.result == "CACHE":
            layout.prop(given, "folder")
        if PLIANT_OT_simulate.running is None:
            layout.operator("pliant.simulate", icon="PLAY")
            layout.operator("pliant.clear", icon="X")
        else:
            text, part = PLIANT_OT_simulate.running
            layout.label(text=f"{100 * part:.0f} %, {text}")
            layout.label(text="Esc stops")


CLASSES = (PliantBody, PliantScene, PliantPreferences, PLIANT_OT_simulate, PLIANT_OT_clear, PLIANT_PT_panel)


def register():
    for one in CLASSES:
        bpy.utils.register_class(one)
    bpy.types.Object.pliant = PointerProperty(type=PliantBody)
    bpy.types.Scene.pliant = PointerProperty(type=PliantScene)


def unregister():
    del bpy.types.Scene.pliant, bpy.types.Object.pliant
    for one in reversed(CLASSES):
        bpy.utils.unregister_class(one)
