"""Suffixes of the files that ``read`` knows, for help texts; imports nothing."""

MESHES = ("obj", "stl", "ply", "off", "glb", "gltf", "usd", "usda", "usdc", "usdz", "msh", "vtu", "node", "ele", "veg", "npz")
VOLUMES = ("nii", "nii.gz", "nrrd", "nhdr", "mha", "mhd", "dcm", "vti", "npz")
