"""A soft beam clamped at one end sinks under its weight: MuJoCo (pip install mujoco). Prints the sag of the tip."""

import mujoco

SCENE = """
<mujoco>
  <option timestep="0.004" integrator="discrete" solver="CG" iterations="400" gravity="0 0 -9.81"/>
  <worldbody>
    <flexcomp name="beam" type="grid" dim="3" count="17 5 5" spacing="0.025 0.025 0.025"
              pos="0.2 0.05 0.05" radius="0.001" mass="4">
      <elasticity young="5e5" poisson="0.3" damping="0.02"/>
      <contact selfcollide="none" contype="0" conaffinity="0"/>
      <pin gridrange="0 0 0 0 4 4"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def main(seconds: float = 3.0) -> float:
    """Mean sag of the free end [m] after some seconds."""
    model = mujoco.MjModel.from_xml_string(SCENE)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rest = data.flexvert_xpos.copy()
    while data.time < seconds:
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    tip = rest[:, 0] > 0.4 - 1e-6
    return float((rest - data.flexvert_xpos)[tip, 2].mean())


if __name__ == "__main__":
    print(f"MuJoCo {mujoco.__version__}: the tip sinks {1000 * main():.2f} mm")
