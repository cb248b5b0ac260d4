"""Scenes as other programs describe them: robots (URDF), MuJoCo's models (MJCF) and USD with physics."""
