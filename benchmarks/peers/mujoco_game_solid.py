"""A detailed surface on few trilinear cells falls on the ground: MuJoCo's flex (pip install mujoco).

``python benchmarks/peers/mujoco_game_solid.py star.obj [cells] [dt] [seconds]``, with the file and the figures of Pliant from
``python benchmarks/peers/pliant_game_solid.py star.obj``. Prints CPU time of a step and of a second, and how deep vertices go.
"""

import sys
import time

import mujoco

SCENE = """
<mujoco>
  <option timestep="{dt}" integrator="discrete" solver="CG" gravity="0 0 -9.81"/>
  <worldbody>
    <geom type="plane" size="5 5 0.1"/>
    <flexcomp name="star" type="mesh" file="{path}" dim="2" dof="trilinear" cellcount="{cells} {cells} {cells}"
              radius="0.001" mass="{mass}">
      <elasticity young="1e5" poisson="0.4" damping="0.002"/>
      <contact selfcollide="none"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def main(path: str, cells: int = 6, dt: float = 1 / 500, seconds: float = 1.0, mass: float = 97.0) -> None:
    model = mujoco.MjModel.from_xml_string(SCENE.format(path=path, cells=cells, dt=dt, mass=mass))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    deepest, contacts, steps = 0.0, 0, 0
    begin = time.process_time()
    while data.time < seconds:
        mujoco.mj_step(model, data)
        steps += 1
        deepest, contacts = min(deepest, float(data.flexvert_xpos[:, 2].min())), max(contacts, data.ncon)
    spent = time.process_time() - begin
    print(
        f"MuJoCo {mujoco.__version__}: {model.nflexelem} triangles, {model.nv // 3} nodes, dt {1e3 * dt:.2f} ms: "
        f"{1e3 * spent / steps:.2f} ms of CPU a step, {spent / seconds:.2f} s a second; deepest {-1e3 * deepest:.1f} mm, "
        f"at the end {-1e3 * data.flexvert_xpos[:, 2].min():.1f} mm, {contacts} contacts at most"
    )


if __name__ == "__main__":
    main(*(cast(value) for cast, value in zip((str, int, float, float), sys.argv[1:])))
