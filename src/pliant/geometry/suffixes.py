"""Endings of the files that ``read`` knows, for help texts: this room imports nothing."""

MESHES = ("obj", "stl", "ply", "off", "glb", "gltf", "msh", "vtu", "node", "ele", "veg", "npz")
VOLUMES = ("nii", "nii.gz", "nrrd", "nhdr", "vti", "npz")
