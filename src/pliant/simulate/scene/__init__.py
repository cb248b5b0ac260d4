"""Scenes: bodies, their layout, and energies on a device."""
