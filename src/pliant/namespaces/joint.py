"""Joints: ball, hinge, slider, weld, motors and tendons, ``Scene(joints=[…])``."""

from pliant.arguments.argument_errors import published
from pliant.effects.joints.joint_effects import Ball, Hinge, Motor, Slider, Tendon, Weld

__all__ = ["Ball", "Hinge", "Motor", "Slider", "Tendon", "Weld"]

published(__name__)
