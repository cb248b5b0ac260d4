"""A soft beam clamped at one end sinks under its weight: SOFA with SofaPython3, as a scene for ``runSofa sofa_beam.py``.

Not run by us: SOFA comes as a build of its own, not from PyPI. Names are those of SOFA v25.06.
"""


def createScene(root):  # SOFA looks for this name
    root.gravity = [0.0, 0.0, -9.81]
    root.dt = 0.01
    root.addObject("RequiredPlugin", pluginName=[
        "Sofa.Component.Constraint.Projective", "Sofa.Component.Engine.Select", "Sofa.Component.LinearSolver.Direct",
        "Sofa.Component.Mass", "Sofa.Component.ODESolver.Backward", "Sofa.Component.SolidMechanics.FEM.Elastic",
        "Sofa.Component.StateContainer", "Sofa.Component.Topology.Container.Dynamic",
        "Sofa.Component.Topology.Container.Grid", "Sofa.Component.Topology.Mapping",
    ])  # fmt: skip
    root.addObject("DefaultAnimationLoop")

    beam = root.addChild("beam")
    beam.addObject("EulerImplicitSolver", rayleighStiffness=0.02, rayleighMass=0.0)
    beam.addObject("SparseLDLSolver", template="CompressedRowSparseMatrixMat3x3d")
    beam.addObject("RegularGridTopology", name="grid", n=[17, 5, 5], min=[0, 0, 0], max=[0.4, 0.1, 0.1])
    beam.addObject("MechanicalObject", name="nodes", template="Vec3d")
    beam.addObject("UniformMass", totalMass=4.0)
    beam.addObject("BoxROI", name="clamp", box=[-0.001, -0.001, -0.001, 0.001, 0.101, 0.101])
    beam.addObject("FixedProjectiveConstraint", indices="@clamp.indices")

    tets = beam.addChild("tets")
    tets.addObject("TetrahedronSetTopologyContainer", name="topology")
    tets.addObject("TetrahedronSetTopologyModifier")
    tets.addObject("Hexa2TetraTopologicalMapping", input="@../grid", output="@topology")
    tets.addObject("TetrahedronFEMForceField", topology="@topology", method="large", youngModulus=5e5, poissonRatio=0.3)


def main(seconds: float = 3.0) -> float:
    """Mean sag of the free end [m] after some seconds."""
    import Sofa

    root = Sofa.Core.Node("root")
    createScene(root)
    Sofa.Simulation.initRoot(root)
    rest = root.beam.nodes.rest_position.array().copy()
    for _ in range(round(seconds / root.dt.value)):
        Sofa.Simulation.animate(root, root.dt.value)
    tip = rest[:, 0] > 0.4 - 1e-6
    return float((rest - root.beam.nodes.position.array())[tip, 2].mean())


if __name__ == "__main__":
    print(f"SOFA: the tip sinks {1000 * main():.1f} mm")
