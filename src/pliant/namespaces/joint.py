"""Joints of bodies, ``Scene(joints=[…])``: ball, hinge, slider and weld, motors that drive them, tendons over pulleys."""

from pliant.arguments.argument_errors import published
from pliant.effects.joints.joint_effects import Ball, Hinge, Motor, Slider, Tendon, Weld

__all__ = ["Ball", "Hinge", "Motor", "Slider", "Tendon", "Weld"]

published(__name__)
