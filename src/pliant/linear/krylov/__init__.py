"""Krylov methods: conjugate gradients, GMRES, symmetric QMR."""
