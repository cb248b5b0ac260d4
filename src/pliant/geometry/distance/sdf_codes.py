"""Operation codes of signed distance programs."""

SPHERE, BOX, CAPSULE, CYLINDER, TORUS, PLANE, GRID, UNION, INTERSECTION, COMPLEMENT = range(10)
CODE, NUMBERS = 5, 17  # whole numbers and reals of one instruction
DEPTH = 8  # places on the evaluation stack
