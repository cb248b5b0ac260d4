"""USD in: axis, unit, transforms, quads, texture points, colours, materials and names, from stages written by usd-core."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant.geometry.files import sandbox

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
    with pytest.raises(pl.errors.InputError, match="USD could not read it"):
        pl.read(tmp_path / "bad.usda")
    (tmp_path / "none.usda").write_text("#usda 1.0\n")
    with pytest.raises(pl.errors.InputError, match="holds no visible mesh"):
        pl.read(tmp_path / "none.usda")
    with pytest.raises(pl.errors.InputError, match="usda is read but not written"):
        pl.write(pl.meshes.box((1, 1, 1)), tmp_path / "a.usda")


@pytest.mark.parametrize("count", [2, pytest.param(60, marks=pytest.mark.slow)])
def test_a_damaged_stage_is_a_sentence(place, tmp_path, count):
    """A byte that is no text raised UnicodeDecodeError, one of an array Tf.ErrorException where a value was asked for."""
    (tmp_path / "bad.usda").write_bytes(b'#usda 1.0\ndef Mesh "\xff\xfe" { \x80 = }\n')
    with pytest.raises(pl.errors.InputError, match="USD could not read it"):
        pl.read(tmp_path / "bad.usda")
    data, rng = place.read_bytes(), np.random.default_rng(5)
    refused = 0
    for k in range(count):
        damaged = bytearray(data)
        for at in rng.integers(8, len(data), 1 + k % 3):
            damaged[at] = rng.integers(256)
        file = tmp_path / f"{k}{place.suffix}"  # USD remembers files by their names
        file.write_bytes(damaged)
        for reader in (pl.read, pl.scenes.read):
            try:
                reader(file)
            except pl.errors.InputError as error:
                refused += 1
                assert "\n" not in str(error)
    assert refused >= count / 3


def multiplied(levels: int, more: str = "") -> str:
    """Ten children that refer to the next, and so on, down to a triangle."""
    child = 'def "c%d" (\nreferences = </L%d>\n%s) {}\n'
    text = "#usda 1.0\n"
    for i in range(levels):
        text += f'def Xform "L{i}" {{\n' + "".join(child % (j, i + 1, more) for j in range(10)) + "}\n"
    points = "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]"
    return f'{text}def Mesh "L{levels}" {{\n{points}\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n}}\n'


@pytest.mark.alone
@pytest.mark.parametrize("more, levels", [
    ("", 5), pytest.param("", 9, marks=pytest.mark.slow), pytest.param("instanceable = true\n", 5, marks=pytest.mark.slow),
])  # fmt: skip
def test_references_that_multiply_are_refused(tmp_path, more, levels, monkeypatch):
    (tmp_path / "few.usda").write_text(multiplied(2, more))
    assert len(pl.read(tmp_path / "few.usda").triangles) == 100 + 10 + 1
    (tmp_path / "many.usda").write_text(multiplied(levels, more))
    monkeypatch.setattr(sandbox, "PATIENCE", 5.0)
    start = time.monotonic()
    for reader in (pl.read, pl.scenes.read):
        with pytest.raises(pl.errors.InputError, match=r"usdcat --flatten|USD did not end|USD takes more than the limit"):
            reader(tmp_path / "many.usda")
    assert time.monotonic() - start < 30


def test_physics_is_told(place):
    stage = Usd.Stage.Open(str(place))
    UsdPhysics.RigidBodyAPI.Apply(stage.GetPrimAtPath("/world/flag"))
    stage.Save()
    with pytest.warns(pl.errors.PliantWarning, match="physics of flag"):
        pl.read(place)
