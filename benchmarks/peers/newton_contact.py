"""Soft blocks on a floor, on a slope, on one another and in a pile: Newton (pip install newton), beside pliant_contact.py."""

import argparse

import newton
import numpy as np
import warp as wp
from blocks import CELLS, DAMPING, FRICTION, MASS, POISSON, SCENES, SIZE, YOUNG, gravity, report

MU, LAM = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
STIFFNESS, RADIUS = 1e4, 0.001  # N/m of a point that touches, and the distance at which they do [m]


def model(name: str, device: str) -> newton.Model:
    blocks, lean = SCENES[name]
    builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=gravity(lean))
    builder.add_ground_plane(cfg=newton.ModelBuilder.ShapeConfig(mu=FRICTION))
    for block in blocks:
        turn = wp.quat_from_axis_angle(wp.vec3(0.0, 0.0, 1.0), float(np.radians(block.turned)))
        corner = wp.vec3(block.x, block.y, block.z + RADIUS) + wp.quat_rotate(turn, wp.vec3(-SIZE / 2, -SIZE / 2, 0.0))
        builder.add_soft_grid(
            pos=corner, rot=turn, vel=wp.vec3(0.0, 0.0, 0.0), dim_x=CELLS, dim_y=CELLS, dim_z=CELLS,
            cell_x=SIZE / CELLS, cell_y=SIZE / CELLS, cell_z=SIZE / CELLS, density=1.0, k_mu=MU, k_lambda=LAM, k_damp=DAMPING,
            particle_radius=RADIUS,
        )  # fmt: skip
    builder.color()
    masses = np.array(builder.particle_mass)
    builder.particle_mass = list(masses * MASS * len(blocks) / masses.sum())  # a block weighs what it does elsewhere
    made = builder.finalize(device=device)
    made.soft_contact_ke, made.soft_contact_kd, made.soft_contact_mu = STIFFNESS, 0.0, FRICTION
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=[])
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    for name in options.scenes or SCENES:
        given = model(name, options.device)
        pipeline = newton.CollisionPipeline(given, broad_phase="nxn", soft_contact_gap=0.01)
        solver = newton.solvers.SolverVBD(
            given, iterations=options.iterations, particle_enable_self_contact=len(SCENES[name][0]) > 1,
            particle_self_contact_margin=2 * RADIUS, particle_self_contact_gap=RADIUS, collision_pipeline=pipeline,
            rigid_compliant_alm=True,
        )  # fmt: skip
        states, control = [given.state(), given.state()], given.control()

        def step(solver=solver, states=states, control=control) -> None:
            states[0].clear_forces()
            solver.step(states[0], states[1], control, None, options.dt)
            states.reverse()

        report(
            f"Newton {newton.__version__}, {name}, {options.iterations} iterations", options.dt, options.seconds, step,
            at=lambda states=states: states[0].particle_q.numpy().astype(float),
            depth=lambda states=states: max(0.0, RADIUS - float(states[0].particle_q.numpy()[:, 2].min())),
        )  # fmt: skip


if __name__ == "__main__":
    main()
