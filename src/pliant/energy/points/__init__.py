"""Node and point energies: inertia, springs, joints, grabs."""
