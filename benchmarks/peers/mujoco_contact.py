"""Soft blocks on a floor, on a slope and on one another: MuJoCo (pip install mujoco), beside pliant_contact.py.

Prints the CPU time of a step, how deep points are in what they touch at the end, and the creep over the last second.
"""

import time

import mujoco
import numpy as np

SIZE, COUNT, YOUNG, MASS = 0.1, 4, 1e5, 1.0
SCENES = {"drop": (1, 0.0), "slope": (1, 20.0), "stack": (3, 0.0)}  # blocks, and the lean of the floor [degrees]
START = {"drop": 0.011}  # m above the floor; 1 mm in the others
RADIUS = 0.001  # of a point, by which MuJoCo keeps them away from each other


def model(name: str, dt: float) -> mujoco.MjModel:
    blocks, lean = SCENES[name]
    g = 9.81 * np.array([np.sin(np.radians(lean)), 0.0, -np.cos(np.radians(lean))])
    made, space = "", SIZE / (COUNT - 1)
    for i in range(blocks):
        z = START.get(name, 0.001) + RADIUS + SIZE / 2 + i * (SIZE + 2 * RADIUS + 0.001)
        made += f"""
    <flexcomp name="block{i}" type="grid" dim="3" count="{COUNT} {COUNT} {COUNT}" spacing="{space} {space} {space}"
              pos="0 0 {z}" euler="0 0 {7 * i}" radius="{RADIUS}" mass="{MASS}">
      <elasticity young="{YOUNG}" poisson="0.3" damping="0.002"/>
      <contact selfcollide="none" condim="3" friction="0.5 0 0"/>
    </flexcomp>"""
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{dt}" integrator="discrete" gravity="{g[0]} {g[1]} {g[2]}" cone="elliptic"/>
  <size memory="200M"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1" friction="0.5 0 0"/>{made}
  </worldbody>
</mujoco>""")


def main(dt: float = 0.002, seconds: float = 3.0) -> None:
    for name in SCENES:
        given = model(name, dt)
        data = mujoco.MjData(given)
        spent, before = 0.0, None
        for k in range(round(seconds / dt)):
            begin = time.process_time()
            mujoco.mj_step(given, data)
            spent += time.process_time() - begin
            if k == round((seconds - 1.0) / dt):
                before = data.flexvert_xpos.copy()
        x = data.flexvert_xpos
        depth = max(0.0, -min((data.contact.dist[i] for i in range(data.ncon)), default=0.0))
        creep = np.linalg.norm(x - before, axis=1).max()
        kept = "finite" if np.isfinite(x).all() and np.abs(x).max() < 10 else "lost"
        print(
            f"MuJoCo {mujoco.__version__}, {name}: {1e3 * spent * dt / seconds:.2f} ms a step of {1e3 * dt:.0f} ms, "
            f"depth {1e3 * depth:.3f} mm, creep {1e3 * creep:.4f} mm/s, top {x[:, 2].max():.4f} m, {kept}",
            flush=True,
        )


if __name__ == "__main__":
    main()
