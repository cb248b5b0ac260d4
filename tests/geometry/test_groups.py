"""Named groups of meshes: from Gmsh files, through copies and files, to holds, loads and materials."""

import dataclasses
import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main
from pliant.errors import InputError, PliantWarning

LONG = 0.4
BAR = pl.tet_grid((LONG, 0.1, 0.1), (8, 2, 2))


def gmsh(tmp_path, names: str = '4\n3 1 "steel"\n3 2 "foam"\n2 1 "clamp"\n2 2 "load"\n', name: str = "bar.msh") -> str:
    """A bar as Gmsh writes it: tets of two volumes, triangles of the two ends, and corners without a name."""
    faces = BAR.boundary_faces
    ends = [faces[(np.abs(BAR.vertices[faces][:, :, 0] - x) < 1e-9).all(axis=1)] for x in (0.0, LONG)]
    right = BAR.vertices[BAR.tets].mean(axis=1)[:, 0] > LONG / 2
    rows = [(2, tag, face) for tag, own in zip((1, 2), ends) for face in own]
    rows += [(15, 7, [0])] + [(4, 1 + int(r), tet) for r, tet in zip(right, BAR.tets)]
    lines = [f"{i} {kind} 2 {tag} {tag} {' '.join(str(n + 1) for n in own)}" for i, (kind, tag, own) in enumerate(rows, 1)]
    points = [f"{i} {' '.join(map(repr, map(float, p)))}" for i, p in enumerate(BAR.vertices, 1)]
    section = f"$PhysicalNames\n{names}$EndPhysicalNames\n" if names else ""
    path = tmp_path / name
    path.write_text(
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{section}$Nodes\n{len(points)}\n" + "\n".join(points)
        + f"\n$EndNodes\n$Elements\n{len(lines)}\n" + "\n".join(lines) + "\n$EndElements\n"
    )  # fmt: skip
    return str(path)


def same(one: pl.meshes.Group, other: pl.meshes.Group) -> bool:
    parts = [(getattr(one, part), getattr(other, part)) for part in ("nodes", "faces", "cells")]
    return one.name == other.name and all((a is None) == (b is None) and (a is None or np.array_equal(a, b)) for a, b in parts)


def test_physical_names_become_groups(tmp_path):
    mesh = pl.read(gmsh(tmp_path))
    X = mesh.vertices
    assert set(mesh.groups.names) == {"steel", "foam", "clamp", "load", "point 7"}
    assert np.array_equal(mesh.groups["clamp"].nodes, np.flatnonzero(X[:, 0] < 1e-9))
    assert np.array_equal(mesh.groups["load"].nodes, np.flatnonzero(X[:, 0] > LONG - 1e-9))
    assert len(mesh.groups["load"].faces) == 8 and mesh.groups["load"].cells is None
    assert np.array_equal(mesh.groups["foam"].cells, np.flatnonzero(mesh.regions == 1))
    assert mesh.groups["point 7"].nodes.tolist() == [0]
    with pytest.raises(InputError, match=r"no group 'clamb' \(did you mean 'clamp'\?\); the mesh has"):
        mesh.groups["clamb"]
    assert "with groups" in repr(mesh)


@pytest.mark.parametrize("copy", ["msh", "msh text", "npz", "moved"])
def test_groups_survive_files_and_copies(tmp_path, copy):
    mesh = pl.read(gmsh(tmp_path))
    if copy == "moved":
        other = mesh.translated((1, 2, 3)).scaled(2.0).rotated((0, 0, 1), 30)
    else:
        path = str(tmp_path / f"again.{copy[:3]}")
        pl.write(mesh, path, text=copy == "msh text")
        other = pl.read(path)
        assert np.array_equal(other.vertices, mesh.vertices) and np.array_equal(other.regions, mesh.regions)
    assert set(other.groups.names) >= set(mesh.groups.names) - {"point 7"}
    assert all(same(mesh.groups[name], other.groups[name]) for name in ("steel", "foam", "clamp", "load"))


def test_ten_node_tets_keep_groups_with_the_vertices_on_edges(tmp_path):
    mesh = pl.read(gmsh(tmp_path))
    ten = mesh.quadratic()
    assert np.array_equal(ten.groups["clamp"].nodes, np.flatnonzero(ten.vertices[:, 0] < 1e-9))
    assert ten.groups["clamp"].faces.shape == (8, 6)
    assert all(same(mesh.groups[name], ten.linear().groups[name]) for name in ("steel", "clamp", "load"))
    pl.write(ten, str(tmp_path / "ten.msh"))
    again = pl.read(str(tmp_path / "ten.msh"))
    assert np.array_equal(again.groups["clamp"].nodes, ten.groups["clamp"].nodes)


def test_a_format_without_groups_says_what_is_left_out(tmp_path):
    mesh = pl.read(gmsh(tmp_path))
    with pytest.warns(PliantWarning, match=r"vtu has no place for groups; .*'clamp'.* are left out, npz and msh keep them"):
        pl.write(mesh, str(tmp_path / "bar.vtu"))


@pytest.mark.parametrize("quadratic", [False, True])
def test_holds_loads_and_materials_by_name_are_those_by_condition(tmp_path, quadratic):
    """One run by names and one by conditions on positions agree bit for bit, and the clamp takes up the traction's force."""
    mesh = pl.read(gmsh(tmp_path))
    mesh = mesh.quadratic() if quadratic else mesh
    stress = (0.0, 0.0, -50.0)
    first = pl.Body(
        mesh,
        pl.StableNeoHookean(young={"foam": 1e5, "steel": 1e6}, density={"steel": 2000.0, "foam": 500.0}),
        pinned="clamp",
        effects=[pl.Traction(stress, "load")],
    )
    second = pl.Body(
        mesh,
        pl.StableNeoHookean(young=[1e6, 1e5], density=[2000.0, 500.0]),
        pinned=lambda X: X[:, 0] < 1e-9,
        effects=[pl.Traction(stress, lambda X: X[:, 0] > LONG - 1e-9)],
    )
    sims = [pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic()) for body in (first, second)]
    for sim in sims:
        assert sim.step().ok
    assert np.array_equal(sims[0].x, sims[1].x) and np.abs(sims[0].x - sims[0].world.rest).max() > 1e-5
    assert sims[0].force("pinned") == pytest.approx(np.array(stress) * 0.1**2, abs=1e-6)
    sims[0].set(young={"steel": 2e6, "foam": 2e5})
    assert sims[0].scene.bodies[0].material.young.tolist() == [2e6, 2e5]
    sims[0].save(str(tmp_path / "a.npz"))
    assert pl.Simulation.load(str(tmp_path / "a.npz")).scene.bodies[0].shape.mesh.groups["clamp"].name == "clamp"


def test_groups_that_are_no_regions_give_values_by_element(tmp_path):
    mesh = pl.read(gmsh(tmp_path))
    halves = [pl.meshes.Group(n, BAR.tets[own].ravel(), cells=np.flatnonzero(own)) for n, own in (
        ("low", BAR.vertices[BAR.tets].mean(axis=1)[:, 2] < 0.05), ("high", BAR.vertices[BAR.tets].mean(axis=1)[:, 2] >= 0.05)
    )]  # fmt: skip
    parted = pl.TetMesh(mesh.vertices, mesh.tets, mesh.regions, groups=halves)
    body = pl.Body(parted, pl.StableNeoHookean(young={"low": 1e5, "high": 2e5}))
    assert body.material.young.shape == (len(mesh.tets),)
    assert np.array_equal(np.flatnonzero(body.material.young == 2e5), halves[1].cells)
    with pytest.raises(InputError, match="not those of one region"):
        pl.write(parted, str(tmp_path / "no.msh"))


def refusals(mesh):
    law = pl.StableNeoHookean(young=1e5)
    lattice = pl.Lattice(pl.sphere(0.1), spacing=0.05)
    return {
        "hold": (lambda: pl.Body(mesh, law, effects=[pl.Hold("clam")]), r"no group 'clam' \(did you mean 'clamp'\?\)"),
        "pinned": (lambda: pl.Body(mesh, law, pinned="wall"), r"Body\(pinned=…\): there is no group 'wall'; the mesh has"),
        "traction": (lambda: pl.Body(mesh, law, effects=pl.Traction((0, 0, 1), "lod")), r"did you mean 'load'\?"),
        "pressure": (lambda: pl.Pressure(10.0, "load"), r"expected Traction\(stress, 'load'\)"),
        "no mesh": (lambda: pl.Body(lattice, law, pinned="clamp"), "Lattice has no named groups"),
        "some cells": (
            lambda: pl.Body(mesh, pl.StableNeoHookean(young={"steel": 1e5})), "in none of 'steel', first .* groups of cells are"
        ),
        "no cells": (
            lambda: pl.Body(mesh, pl.StableNeoHookean(young={"steel": 1e5, "clamp": 1e4})), "'clamp' has no cells"
        ),
        "bad value": (lambda: pl.StableNeoHookean(young={"steel": -1.0}), "expected 0 < young"),
        "no body": (lambda: pl.StableNeoHookean(young={"steel": 1e5}).table(), "names groups of a mesh"),
    }  # fmt: skip


@pytest.mark.parametrize("case", sorted(refusals(BAR)))
def test_what_is_no_group_is_refused_with_those_there_are(tmp_path, case):
    call, words = refusals(pl.read(gmsh(tmp_path)))[case]
    with pytest.raises(InputError, match=words):
        call()


def test_damaged_names_are_refused(tmp_path):
    for names in ('2\n3 1 "steel"\n', '1\n3 one "steel"\n', "1\n3 1 steel\n", '1\n3 1 ""\n'):
        with pytest.raises(InputError, match=r"PhysicalNames|expected a dimension"):
            pl.read(gmsh(tmp_path, names))


def test_scene_files_and_inspect_know_names(tmp_path, capsys):
    gmsh(tmp_path)
    scene = tmp_path / "bar.toml"
    scene.write_text(
        "gravity = [0, 0, 0]\n[[bodies]]\nshape = { read = \"bar.msh\" }\npinned = \"clamp\"\n"
        "material = { StableNeoHookean = { young = { steel = 1e6, foam = 1e5 } } }\n"
        "effects = [{ Traction = { stress = [0, 0, -50], where = \"load\" } }, { Hold = { where = \"point 7\" } }]\n"
        "[run]\nseconds = 0.1\n"
    )  # fmt: skip
    from pliant.cli.inputs.scene_file import read_scene

    (body,) = read_scene(str(scene)).scene.bodies
    assert body.material.young.tolist() == [1e6, 1e5] and len(body.pinned) == 9
    scene.write_text(scene.read_text().replace('"clamp"', '"clam"'))
    with pytest.raises(InputError, match=r"did you mean 'clamp'"):
        read_scene(str(scene))
    capsys.readouterr()
    assert main(["inspect", str(tmp_path / "bar.msh")]) == 0
    out = capsys.readouterr().out
    assert "groups      clamp: 9 nodes, 8 faces" in out and "steel: " in out and "cells" in out


def test_a_load_on_more_faces_than_the_group_has_warns():
    """Two faces that meet in an edge with all nodes in the group: the third between them is loaded too."""
    tet = pl.TetMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2, 3]])
    group = pl.meshes.Group("two", [0, 1, 2, 3], faces=[[0, 2, 1], [0, 1, 3]])
    mesh = pl.TetMesh(tet.vertices, tet.tets, groups=[group])
    with pytest.warns(PliantWarning, match="loads 2 outer faces besides the 2 of the group"):
        pl.Body(mesh, pl.StableNeoHookean(young=1e5), effects=[pl.Traction((0, 0, 1), "two")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pl.Body(mesh, pl.StableNeoHookean(young=1e5), pinned="two")


def test_whole_number_arrays_of_vtu_are_groups(tmp_path):
    """As meshio writes a file of Gmsh: tags of cells of several dimensions, sets as arrays of 0 and 1, and a result."""
    meshio = pytest.importorskip("meshio")
    known = pl.read(gmsh(tmp_path))
    faces = [known.groups[name].faces for name in ("clamp", "load")]
    material = 3 + known.regions
    held = np.isin(np.arange(len(known.vertices)), known.groups["clamp"].nodes)
    meshio.Mesh(
        known.vertices,
        [("triangle", np.concatenate(faces)), ("tetra", known.tets)],
        cell_data={
            "gmsh:physical": [np.repeat([1, 2], [len(own) for own in faces]), material],
            "soft": [np.zeros(16, np.int8), known.regions.astype(np.int8)],
            "number": [np.arange(16), 16 + np.arange(len(known.tets))],
            "load": [np.ones(16), np.ones(len(known.tets))],
        },
        point_data={"held": held.astype(np.int32), "warmth": known.vertices[:, 0]},
    ).write(tmp_path / "bar.vtu")
    mesh = pl.read(tmp_path / "bar.vtu")
    tags = ["gmsh:physical 3", "gmsh:physical 4", "gmsh:physical surface 1", "gmsh:physical surface 2"]
    assert sorted(mesh.groups.names) == [*tags, "held", "soft", "soft 0"]
    for name, as_known in zip((*tags, "soft", "soft 0"), ("steel", "foam", "clamp", "load", "foam", "steel")):
        assert same(dataclasses.replace(known.groups[as_known], name=name), mesh.groups[name]), name
    assert np.array_equal(mesh.groups["held"].nodes, known.groups["clamp"].nodes)
    body = pl.Body(mesh, pl.Corotated(young={"soft": 1e4, "soft 0": 1e6}), pinned="held")
    assert len(body.shape.mesh.groups) == 7


def test_groups_of_vtu_in_several_pieces_count_from_the_first(tmp_path):
    piece = (
        '<Piece NumberOfPoints="4" NumberOfCells="2"><Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">'
        "0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>"
        '<DataArray type="Int64" Name="connectivity" format="ascii">1 2 3 0 1 2 3</DataArray>'
        '<DataArray type="Int64" Name="offsets" format="ascii">3 7</DataArray>'
        '<DataArray type="UInt8" Name="types" format="ascii">5 10</DataArray></Cells>'
        '<CellData><DataArray type="Int32" Name="tag" format="ascii">%s</DataArray></CellData></Piece>'
    )

    def of(*tags: str) -> pl.TetMesh:
        inside = "".join(piece % tag for tag in tags)
        text = f'<VTKFile type="UnstructuredGrid"><UnstructuredGrid>{inside}</UnstructuredGrid></VTKFile>'
        (tmp_path / "a.vtu").write_text(text)
        return pl.read(tmp_path / "a.vtu")

    mesh = of("7 4", "0 5", "7 4")
    assert sorted(mesh.groups.names) == ["tag 4", "tag 5", "tag surface 7"]
    assert mesh.groups["tag 4"].cells.tolist() == [0, 2] and mesh.groups["tag 5"].nodes.tolist() == [4, 5, 6, 7]
    assert mesh.groups["tag surface 7"].faces.tolist() == [[1, 2, 3], [9, 10, 11]]
    with pytest.raises(InputError, match=r"array 'tag' has 1 numbers; expected 2"):
        of("3")
