"""Operation codes of a signed distance's program, shared by Python, which writes it, and the kernels that run it."""

SPHERE, BOX, CAPSULE, CYLINDER, TORUS, PLANE, GRID, UNION, INTERSECTION, COMPLEMENT = range(10)
CODE, NUMBERS = 5, 17  # whole numbers and reals of one instruction
DEPTH = 8  # places on the evaluation stack
