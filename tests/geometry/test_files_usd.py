"""USD in: axis, unit, transforms, quads, texture points, colours, materials and names, from stages written by usd-core."""

import numpy as np
import pytest

import pliant as pl

Usd, UsdGeom, UsdShade, UsdPhysics, Sdf, Gf = (
    pytest.importorskip(f"pxr.{name}") for name in ("Usd", "UsdGeom", "UsdShade", "UsdPhysics", "Sdf", "Gf")
)


@pytest.fixture(params=["usda", "usdc"])
def place(request, tmp_path):
    stage = Usd.Stage.CreateNew(str(tmp_path / f"a.{request.param}"))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    UsdGeom.Xform.Define(stage, "/world").AddTranslateOp().Set(Gf.Vec3d(100, 0, 0))
    for name, hand in (("flag", "rightHanded"), ("mirrored", "leftHanded")):
        mesh = UsdGeom.Mesh.Define(stage, f"/world/{name}")
        mesh.CreatePointsAttr([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 0)])
        mesh.CreateFaceVertexCountsAttr([4, 3])
        mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3, 1, 4, 2])
        mesh.CreateOrientationAttr(hand)
        st = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "faceVarying")
        st.Set([(i / 8, 0.5) for i in range(7)])
        mesh.CreateDisplayColorPrimvar("vertex").Set([(1, 0, 0)] * 4 + [(0, 1, 0)])
    material = UsdShade.Material.Define(stage, "/world/silk")
    shader = UsdShade.Shader.Define(stage, "/world/silk/surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(0.25, 0.5, 0.75))
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    flag = stage.GetPrimAtPath("/world/flag")
    subset = UsdGeom.Subset.CreateGeomSubset(UsdGeom.Imageable(flag), "one", "face", [1], "materialBind")
    UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)
    hidden = UsdGeom.Mesh.Define(stage, "/world/hidden")
    hidden.MakeInvisible()
    stage.Save()
    return tmp_path / f"a.{request.param}"


def test_a_stage_of_meshes(place):
    mesh = pl.read(place)
    looks = mesh.looks
    assert list(mesh.parts) == ["flag", "mirrored"] and looks.sizes.tolist() == [4, 3, 4, 3]
    assert np.allclose(mesh.bounds, [[1.0, 0.0, 0.0], [1.02, 0.0, 0.01]])  # y up and centimetres to z up and metres
    assert np.allclose(looks.uv[:7], [[i / 8, 0.5] for i in range(7)])
    assert looks.corners[7:11].tolist() == [5, 8, 7, 6] and np.allclose(looks.uv[8], [3 / 8, 0.5])
    assert looks.colours[5].tolist() == [0, 1, 0, 1]
    assert looks.finish.tolist() == [-1, 0, -1, -1] and looks.finishes[0].name == "silk"
    assert np.allclose(looks.finishes[0].colour, (0.25, 0.5, 0.75, 1.0))
    front, back = (part.area_vectors.sum(axis=0) for part in mesh.parts.values())
    assert front[1] < 0 < back[1]


def test_what_was_written_comes_back(place, tmp_path):
    mesh = pl.read(place)
    again = pl.read(pl.export(mesh, tmp_path / "again.usda"))
    for name in ("sizes", "uv", "colours", "part"):
        assert np.allclose(getattr(again.looks, name), getattr(mesh.looks, name)), name
    assert np.allclose(again.vertices, mesh.vertices) and again.looks.parts == mesh.looks.parts


def test_sentences(place, tmp_path):
    for options, words in (({"up": "y"}, "which axis is up"), ({"unit": "cm"}, "what its unit is")):
        with pytest.raises(pl.errors.InputError, match=words):
            pl.read(place, **options)
    (tmp_path / "bad.usda").write_text("#usda 1.0\ndef Mesh {")
    with pytest.raises(pl.errors.InputError, match="USD cannot open it"):
        pl.read(tmp_path / "bad.usda")
    (tmp_path / "none.usda").write_text("#usda 1.0\n")
    with pytest.raises(pl.errors.InputError, match="holds no visible mesh"):
        pl.read(tmp_path / "none.usda")
    with pytest.raises(pl.errors.InputError, match="usda is read but not written"):
        pl.write(pl.meshes.box((1, 1, 1)), tmp_path / "a.usda")


def test_physics_is_told(place):
    stage = Usd.Stage.Open(str(place))
    UsdPhysics.RigidBodyAPI.Apply(stage.GetPrimAtPath("/world/flag"))
    stage.Save()
    with pytest.warns(pl.errors.PliantWarning, match="physics of flag"):
        pl.read(place)
