"""The physics of USD: rigid bodies, colliders, masses, gravity and deformables, in metres and z up; and what is left out."""

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main
from pliant.importers.scene_reader import is_description

Usd, UsdGeom, UsdPhysics, UsdShade, Gf, Sdf = (
    pytest.importorskip(f"pxr.{name}") for name in ("Usd", "UsdGeom", "UsdPhysics", "UsdShade", "Gf", "Sdf")
)


def stage(unit=0.01, up="Y"):
    """A stage in centimetres and grams, y up, with gravity."""
    made = Usd.Stage.CreateInMemory()
    UsdGeom.SetStageMetersPerUnit(made, unit)
    UsdGeom.SetStageUpAxis(made, up)
    UsdPhysics.SetStageKilogramsPerUnit(made, 0.001)
    UsdGeom.Xform.Define(made, "/w")
    scene = UsdPhysics.Scene.Define(made, "/w/scene")
    scene.CreateGravityMagnitudeAttr(500.0)
    return made


def put(prim, place=(0, 0, 0), turn=None, scale=None):
    shape = UsdGeom.Xformable(prim)
    shape.AddTranslateOp().Set(Gf.Vec3d(*place))
    if turn is not None:
        shape.AddRotateXYZOp().Set(Gf.Vec3f(*turn))
    if scale is not None:
        shape.AddScaleOp().Set(Gf.Vec3f(*scale))


def collider(made, kind, path, place=(0, 0, 0), turn=None, scale=None, **attributes):
    prim = kind.Define(made, path)
    for name, value in attributes.items():
        prim.GetPrim().GetAttribute(name).Set(value)
    put(prim, place, turn, scale)
    UsdPhysics.CollisionAPI.Apply(prim.GetPrim())
    return prim.GetPrim()


def read(made, folder):
    made.GetRootLayer().Export(str(folder / "scene.usda"))
    return pl.scenes.read(folder / "scene.usda")


def test_bodies_and_obstacles_in_metres_and_z_up(tmp_path):
    made = stage()
    collider(made, UsdGeom.Plane, "/w/floor", axis="Y")
    collider(made, UsdGeom.Cube, "/w/wall", (100, 50, 0), (0, 90, 0), (10, 100, 20), size=1.0)
    box = collider(made, UsdGeom.Cube, "/w/box", (0, 200, 30), scale=(1, 2, 3), size=10.0)
    body = UsdPhysics.RigidBodyAPI.Apply(box)
    body.CreateVelocityAttr(Gf.Vec3f(100, 0, 0))
    body.CreateAngularVelocityAttr(Gf.Vec3f(0, 180, 0))
    UsdPhysics.MassAPI.Apply(box).CreateDensityAttr(2.0)  # g/cm³
    found = read(made, tmp_path)
    assert found.gravity == pytest.approx((0, 0, -5.0)) and not found.left_out and is_description(tmp_path / "scene.usda")
    floor, wall = found.obstacles
    assert np.allclose(floor.shape([[3, 1, 0.2]]), 0.2)
    assert np.allclose(wall.shape([[1, 0, 0.5], [1.1, 0, 0.5], [1, 0.05, 0.5], [1, 0, 1.0]]), [-0.05, 0, 0, 0], atol=1e-9)
    (rigid,) = found.bodies
    assert rigid.name == "box" and np.allclose(rigid.shape.centre, (0, -0.3, 2.0))
    assert np.allclose(np.ptp(rigid.shape.mesh.vertices, axis=0), (0.1, 0.3, 0.2))
    mass = 2000 * 0.1 * 0.2 * 0.3
    assert rigid.shape.lumped(rigid.densities).sum() == pytest.approx(mass)
    assert np.allclose(rigid.shape.inertia, mass / 12 * np.diag([0.13, 0.05, 0.10]))
    assert np.allclose(rigid.velocity, (1, 0, 0)) and np.allclose(rigid.spin, (0, 0, np.pi), atol=1e-6)
    assert np.allclose(found.poses["box"][:3, 3], (0, -0.3, 2.0))


def test_one_body_of_several_colliders_with_a_mass_of_its_own(tmp_path):
    made = stage(1.0, "Z")
    body = UsdGeom.Xform.Define(made, "/w/hammer")
    put(body, (0, 0, 1), (0, 90, 0))
    UsdPhysics.RigidBodyAPI.Apply(body.GetPrim())
    collider(made, UsdGeom.Capsule, "/w/hammer/shaft", axis="Z", radius=0.02, height=0.4)
    collider(made, UsdGeom.Sphere, "/w/hammer/head", (0, 0, 0.3), radius=0.1)
    collider(made, UsdGeom.Cylinder, "/w/hammer/ring", (0, 0, -0.2), scale=(1, 3, 1), axis="Z", radius=0.02, height=0.1)
    mass = UsdPhysics.MassAPI.Apply(body.GetPrim())
    mass.CreateMassAttr(3000.0)
    found = read(made, tmp_path)
    (rigid,) = found.bodies
    assert rigid.shape.lumped(rigid.densities).sum() == pytest.approx(3.0)
    assert 0.2 < rigid.shape.centre[0] < 0.3 and rigid.shape.centre[2] == pytest.approx(1.0)  # near the head, along x
    mass.CreateCenterOfMassAttr(Gf.Vec3f(0, 0, 0.1))
    mass.CreateDiagonalInertiaAttr(Gf.Vec3f(10, 20, 25))
    (rigid,) = read(made, tmp_path).bodies
    assert np.allclose(rigid.shape.centre, (0.1, 0, 1), atol=1e-7)
    assert np.allclose(rigid.shape.inertia, np.diag([0.025, 0.020, 0.010]), atol=1e-7)


def test_meshes_kinematic_bodies_materials_and_what_is_left_out(tmp_path):
    made = stage(1.0, "Z")
    mesh, box = UsdGeom.Mesh.Define(made, "/w/ramp"), pl.meshes.box((1, 1, 1))
    mesh.CreatePointsAttr(box.vertices.tolist())
    mesh.CreateFaceVertexCountsAttr([3] * len(box.triangles))
    mesh.CreateFaceVertexIndicesAttr(box.triangles.ravel().tolist())
    put(mesh, (0, 0, 0.5))
    UsdPhysics.CollisionAPI.Apply(mesh.GetPrim())
    UsdPhysics.MeshCollisionAPI.Apply(mesh.GetPrim()).CreateApproximationAttr("convexHull")
    UsdPhysics.RigidBodyAPI.Apply(mesh.GetPrim()).CreateKinematicEnabledAttr(True)
    material = UsdShade.Material.Define(made, "/w/rubber")
    UsdPhysics.MaterialAPI.Apply(material.GetPrim()).CreateDynamicFrictionAttr(0.8)
    UsdPhysics.MaterialAPI(material.GetPrim()).CreateRestitutionAttr(0.5)
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)
    collider(made, UsdGeom.Cone, "/w/cone")
    UsdGeom.Cube.Define(made, "/w/seen")
    UsdPhysics.RevoluteJoint.Define(made, "/w/hinge")
    UsdPhysics.DriveAPI.Apply(made.GetPrimAtPath("/w/hinge"), "angular")
    UsdPhysics.ArticulationRootAPI.Apply(made.GetPrimAtPath("/w"))
    found = read(made, tmp_path)
    assert not found.bodies and [o.name for o in found.obstacles] == ["ramp"] and found.friction == pytest.approx(0.8)
    assert np.allclose(found.obstacles[0].shape([[0, 0, 0.5], [0, 0, 1.2]]), [-0.5, 0.2], atol=0.02)
    assert set(found.left_out) == {
        "1 articulation root", "1 approximated mesh (the mesh itself is taken)", "1 restitution", "1 Cone collider",
        "1 shape without physics", "1 revolute joint", "1 drive",
    }  # fmt: skip


def test_deformables_are_known_by_the_names_of_their_schemas(tmp_path):
    made = stage(1.0, "Z")
    tets = pl.tet_grid((1, 1, 1), (1, 1, 1))
    solid = UsdGeom.TetMesh.Define(made, "/w/jelly")
    solid.CreatePointsAttr(tets.vertices.tolist())
    solid.CreateTetVertexIndicesAttr([Gf.Vec4i(*map(int, t)) for t in tets.tets])
    put(solid, (0, 0, 2))
    solid.GetPrim().AddAppliedSchema("OmniPhysicsVolumeDeformableSimAPI")
    material = UsdShade.Material.Define(made, "/w/soft").GetPrim()
    for name, value in (
        ("omniphysics:youngsModulus", 4e6),
        ("omniphysics:poissonsRatio", 0.4),
        ("omniphysics:density", 5e5),
    ):
        material.CreateAttribute(name, Sdf.ValueTypeNames.Float).Set(value)
    UsdShade.MaterialBindingAPI.Apply(solid.GetPrim()).Bind(UsdShade.Material(material))
    cloth = pl.cloth_grid((1, 1), (2, 2))
    sheet = UsdGeom.Mesh.Define(made, "/w/cloth")
    sheet.CreatePointsAttr(cloth.vertices.tolist())
    sheet.CreateFaceVertexCountsAttr([3] * len(cloth.triangles))
    sheet.CreateFaceVertexIndicesAttr(cloth.triangles.ravel().tolist())
    sheet.GetPrim().AddAppliedSchema("OmniPhysicsSurfaceDeformableSimAPI")
    found = read(made, tmp_path)
    jelly, flag = found.bodies
    assert isinstance(jelly.shape, pl.Tets) and np.allclose(jelly.shape.rest[:, 2].min(), 2.0)
    assert float(jelly.material.young) == pytest.approx(4e3) and float(jelly.material.density) == pytest.approx(500)
    assert float(jelly.material.poisson) == pytest.approx(0.4)
    assert isinstance(flag.shape, pl.Membrane) and flag.name == "cloth"
    assert "deformable 'cloth' has no young (100000 Pa is taken)" in found.left_out


def test_stages_without_physics_are_meshes_and_faults_are_told(tmp_path, capsys):
    made = stage()
    UsdGeom.Cube.Define(made, "/w/seen")
    made.GetRootLayer().Export(str(tmp_path / "plain.usda"))
    assert not is_description(tmp_path / "plain.usda") and not is_description(tmp_path / "none.usda")
    body = UsdGeom.Xform.Define(made, "/w/ghost").GetPrim()
    UsdPhysics.RigidBodyAPI.Apply(body)
    assert read(made, tmp_path).left_out == ("1 shape without physics", "1 free body without a shape")
    UsdPhysics.MassAPI.Apply(body).CreateMassAttr(1.0)
    with pytest.raises(pl.errors.InputError, match="expected its centerOfMass and diagonalInertia"):
        read(made, tmp_path)
    with pytest.raises(pl.errors.InputError, match="are for URDF and MJCF"):
        pl.scenes.read(tmp_path / "scene.usda", {"a": 1.0})
    (tmp_path / "broken.usda").write_text("#usda 1.0\n(")
    with pytest.raises(pl.errors.InputError, match="could not read it"):
        pl.scenes.read(tmp_path / "broken.usda")
    made = stage(1.0, "Z")
    UsdPhysics.RigidBodyAPI.Apply(collider(made, UsdGeom.Sphere, "/w/ball", (0, 0, 1), radius=0.1))
    read(made, tmp_path)
    capsys.readouterr()
    assert main(["inspect", str(tmp_path / "scene.usda")]) == 0 and "1 rigid" in capsys.readouterr().out
