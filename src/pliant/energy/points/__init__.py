"""Energies of nodes and of points that ride on nodes: inertia, springs, joints, grabs."""
