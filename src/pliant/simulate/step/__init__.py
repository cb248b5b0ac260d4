"""Steps: guess, solve, equilibrium, splitting, restitution."""
