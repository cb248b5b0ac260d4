"""Effects of materials: elasticity, damping, plasticity, bending, holds."""
