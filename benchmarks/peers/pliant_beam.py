"""A soft beam clamped at one end sinks under its weight: Pliant. Prints the sag of the tip.

``python benchmarks/peers/pliant_beam.py`` prints it also for the meshes and the nodal weights of the other simulators, which
split a cell into other tets and give every node the same mass.
"""

import numpy as np

import pliant as pl


def main(law: type = pl.StableNeoHookean, tets: int = 5, alike: bool = False, up: bool = False, across: int = 4) -> float:
    """Mean sag of the free end at rest [m], with ``across`` cells across.

    ``alike``: the mass of 4 kg shared equally among the nodes; ``up``: the beam turned over, which mirrors its diagonals.
    """
    mesh = pl.tet_grid(size=(0.4, 0.1, 0.1), cells=(4 * across, across, across), tets_per_cell=tets)
    down = np.array([0, 0, 9.81 if up else -9.81])
    share = 4.0 / len(mesh.vertices)
    loads = [pl.Load(share * down, [i]) for i in range(len(mesh.vertices))] if alike else []
    beam = pl.Body(mesh, law(young=5e5, poisson=0.3, density=1000), pinned=lambda X: X[:, 0] < 1e-6, effects=loads)
    sim = pl.Simulation(pl.Scene([beam], gravity=0 * down if alike else down), pl.QuasiStatic(dt=1.0))
    report = sim.step()
    assert report.converged, report.why
    tip = mesh.vertices[:, 0] > 0.4 - 1e-6
    return float(abs((sim.x - mesh.vertices)[tip, 2].mean()))


if __name__ == "__main__":
    print(f"Pliant {pl.__version__}: the tip sinks {1000 * main():.1f} mm")
    print(f"on a mesh twice as fine: {1000 * main(across=8):.1f} mm")
    print(f"with the tets and masses of Newton: {1000 * main(alike=True):.2f} mm")
    print(f"with the tets and masses of MuJoCo: {1000 * main(pl.StVenantKirchhoff, 6, alike=True, up=True):.2f} mm")
