"""Joints of bodies, ``Scene(joints=[…])``: ball, hinge, slider and weld, motors that drive them, tendons over pulleys."""

from .calls import published
from .effects.joints import Ball, Hinge, Motor, Slider, Tendon, Weld

__all__ = ["Ball", "Hinge", "Motor", "Slider", "Tendon", "Weld"]

published(__name__)
