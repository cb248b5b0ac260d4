"""How fast the solvers of one time step converge: ``python -m benchmarks.convergence`` redraws the study of Chapters 5 and 7.

Rooms, in the order in which data passes: ``frame`` (the objective of one step, in NumPy) → ``scenes`` (twisting bar, cube,
curtain) → ``incomplete`` (conjugate gradients, incomplete Cholesky) → ``initial`` (the matrices A⁽⁰⁾) → ``methods`` (L-BFGS
and Newton in one descent loop) → ``studies`` (what is compared) → ``report`` (charts and tables).
"""
