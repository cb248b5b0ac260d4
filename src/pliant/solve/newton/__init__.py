"""Newton's method: Hessian, forcing term, direction, constraints."""
