"""Soft blocks on a floor, on a slope, on one another and in a pile: MuJoCo (pip install mujoco), beside pliant_contact.py."""

import argparse

import mujoco
from blocks import CELLS, DAMPING, FRICTION, MASS, POISSON, SCENES, SIZE, YOUNG, gravity, report

RADIUS = 0.001  # of a point, by which MuJoCo keeps them away from each other [m]


def model(name: str, dt: float) -> mujoco.MjModel:
    blocks, lean = SCENES[name]
    made, space, count = "", SIZE / CELLS, CELLS + 1
    for i, block in enumerate(blocks):
        made += f"""
    <flexcomp name="block{i}" type="grid" dim="3" count="{count} {count} {count}" spacing="{space} {space} {space}"
              pos="{block.x} {block.y} {block.z + RADIUS + SIZE / 2}" euler="0 0 {block.turned}" radius="{RADIUS}" mass="{MASS}">
      <elasticity young="{YOUNG}" poisson="{POISSON}" damping="{DAMPING}"/>
      <contact selfcollide="none" condim="3" friction="{FRICTION} 0 0"/>
    </flexcomp>"""
    return mujoco.MjModel.from_xml_string(f"""
<mujoco>
  <option timestep="{dt}" integrator="discrete" gravity="{" ".join(map(str, gravity(lean)))}" cone="elliptic"/>
  <size memory="200M"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1" friction="{FRICTION} 0 0"/>{made}
  </worldbody>
</mujoco>""")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=[])
    parser.add_argument("--dt", type=float, default=0.002)
    parser.add_argument("--seconds", type=float, default=3.0)
    options = parser.parse_args()
    for name in options.scenes or SCENES:
        given = model(name, options.dt)
        data = mujoco.MjData(given)
        report(
            f"MuJoCo {mujoco.__version__}, {name}", options.dt, options.seconds,
            step=lambda given=given, data=data: mujoco.mj_step(given, data),
            at=lambda data=data: data.flexvert_xpos.copy(),
            depth=lambda data=data: max(0.0, -min(data.contact.dist[: data.ncon], default=0.0)),
        )  # fmt: skip


if __name__ == "__main__":
    main()
