"""Scenes: bodies, their layout, and the energies of all effects on a device."""
