"""Whether lattice bodies are right: each study is one command that prints a table, and keeps values and pictures where told.

``python -m benchmarks.lattice.orders`` order of convergence of a ball and of a bow-tie at rest under load;
``python -m benchmarks.lattice.tube`` a thin-walled tube, compressed and twisted, on coarse and fine lattices;
``python -m benchmarks.lattice.materials`` tets against lattices for every material.
"""
