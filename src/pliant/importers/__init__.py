"""Importers of scenes: robots (URDF), MuJoCo (MJCF), USD."""
