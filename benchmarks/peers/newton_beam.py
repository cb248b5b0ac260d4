"""A soft beam clamped at one end sinks under its weight: Newton (pip install newton). Prints the sag of the tip."""

import newton
import warp as wp

YOUNG, POISSON = 5e5, 0.3
MU, LAM = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))


def main(seconds: float = 1.5, dt: float = 1e-3, iterations: int = 20, keep: float = 0.97) -> float:
    """Mean sag of the free end [m] after some seconds; each step keeps a part of the velocities, so that it comes to rest."""
    builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=(0.0, 0.0, -9.81))
    builder.add_soft_grid(
        pos=wp.vec3(0.0, 0.0, 0.0), rot=wp.quat_identity(), vel=wp.vec3(0.0, 0.0, 0.0),
        dim_x=16, dim_y=4, dim_z=4, cell_x=0.025, cell_y=0.025, cell_z=0.025,
        density=1000.0 * 256 / 425, k_mu=MU, k_lambda=LAM, k_damp=0.0, fix_left=True,
    )  # fmt: skip
    builder.color()
    model = builder.finalize(device="cpu")
    solver = newton.solvers.SolverVBD(model, iterations=iterations, rigid_compliant_alm=True)
    now, then, control = model.state(), model.state(), model.control()
    rest = now.particle_q.numpy().copy()
    for _ in range(round(seconds / dt)):
        now.clear_forces()
        solver.step(now, then, control, None, dt)
        now, then = then, now
        now.particle_qd.assign(keep * now.particle_qd.numpy())
    tip = rest[:, 0] > 0.4 - 1e-6
    return float((rest - now.particle_q.numpy())[tip, 2].mean())


if __name__ == "__main__":
    print(f"Newton {newton.__version__}: the tip sinks {1000 * main():.2f} mm")
