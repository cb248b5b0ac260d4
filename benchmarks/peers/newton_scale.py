"""Cloth stacks and piles of `pliant bench contact` by Newton's VBD (pip install newton): the same meshes, the same judge.

    python benchmarks/peers/newton_scale.py [pile:25x5 cloth:5x20 …] [--substeps 10] [--iterations 10] [--device cuda]

Bodies are built from those of Pliant's scene: nodes, elements, Lamé's parameters, density, velocities, planes and balls.
"""

import argparse
import time

import newton
import numpy as np
import warp as wp

import pliant as pl
from pliant.bench.contact_scenes import SCENES
from pliant.bench.judge import Judge, Verdict

STIFFNESS, RADIUS = (
    1e4,
    {"pile": 1e-3, "cloth": 2.5e-3},
)  # N/m of a point that touches, and the distance at which they do [m]


def model(sim: pl.Simulation, name: str, device: str) -> newton.Model:
    """The bodies of a scene and its obstacles, which are planes but for the ball of the cloth."""
    friction = sim.scene.contact.friction
    builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=tuple(sim.scene.gravity))
    shape = newton.ModelBuilder.ShapeConfig(mu=friction)
    nowhere, upright = wp.vec3(0.0, 0.0, 0.0), wp.quat_identity()
    for obstacle in sim.scene.obstacles:
        if name == "cloth":
            builder.add_shape_sphere(-1, xform=wp.transform(wp.vec3(0.0, 0.0, 0.1), upright), radius=0.1, cfg=shape)
        else:
            normal = obstacle.shape.gradient(np.zeros((1, 3)))[0]
            builder.add_shape_plane(plane=(*map(float, normal), float(obstacle.shape(np.zeros((1, 3)))[0])), cfg=shape)
    for body in sim.scene.bodies:
        young, poisson = float(body.material.young), float(body.material.poisson)
        mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
        at = {"pos": nowhere, "rot": upright, "scale": 1.0, "vel": wp.vec3(*map(float, body.velocity))}
        at |= {"vertices": [wp.vec3(*map(float, X)) for X in body.shape.rest], "particle_radius": RADIUS[name]}
        density, elements = float(body.material.density), np.asarray(body.shape.nodes).ravel().tolist()
        if name == "cloth":
            thick = float(body.shape.thickness)
            bends = young * thick**3 / (12 * (1 - poisson**2))
            membrane = {"tri_ke": mu * thick, "tri_ka": lam * thick, "tri_kd": 0.0, "edge_ke": bends, "edge_kd": 0.0}
            builder.add_cloth_mesh(indices=elements, density=density * thick, **at, **membrane)
        else:
            builder.add_soft_mesh(indices=elements, density=density, k_mu=mu, k_lambda=lam, k_damp=0.0, **at)
    builder.color()
    made = builder.finalize(device=device)
    made.soft_contact_ke, made.soft_contact_kd, made.soft_contact_mu = STIFFNESS, 0.0, friction
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=["pile:25x5", "cloth:5x20"])
    parser.add_argument("--substeps", type=int, default=10)
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    for asked in options.scenes:
        name, _, size = asked.partition(":")
        case = SCENES[name]
        sim = case.make(*map(int, size.split("x")))
        dt, look, worst = sim.integrator.dt, Judge.of(sim), Verdict()
        given = model(sim, name, options.device)
        pipeline = newton.CollisionPipeline(given, broad_phase="nxn", soft_contact_gap=0.01)
        solver = newton.solvers.SolverVBD(
            given, iterations=options.iterations, particle_enable_self_contact=True, collision_pipeline=pipeline,
            particle_self_contact_margin=2 * RADIUS[name], particle_self_contact_gap=RADIUS[name], rigid_compliant_alm=True,
        )  # fmt: skip
        states, control, taken, tops = [given.state(), given.state()], given.control(), [], []
        for _ in range(round(case.seconds / dt)):
            begun = time.perf_counter()
            for _ in range(options.substeps):
                states[0].clear_forces()
                solver.step(states[0], states[1], control, None, dt / options.substeps)
                states.reverse()
            x = states[0].particle_q.numpy().astype(float)
            taken.append(1e3 * (time.perf_counter() - begun))
            worst = worst.worse(look.look(x, sim.scene.obstacles))
            tops.append(x[:, 2].max())
        times = np.array(taken[2:])  # the first compile
        tenth = ", ".join(f"{top:.3f}" for top in tops[5::6])
        print(
            f"Newton {newton.__version__}, {asked}, {options.substeps} x {options.iterations} iterations: "
            f"{times.mean():.3g} ms a step, {times.max():.3g} at worst; {worst}; top every tenth of a second {tenth} m",
            flush=True,
        )


if __name__ == "__main__":
    main()
