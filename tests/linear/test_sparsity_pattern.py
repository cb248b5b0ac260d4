"""Patterns of matrices after a change of some cells: what is taken over from before, and what a rebuild finds."""

import gc
import weakref

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energy.damping.damping_energy import StiffnessDamping
from pliant.linear.matrix.block_matrix import BlockGather, BlockMatrix
from pliant.linear.matrix.sparsity_pattern import Pattern, Sums, joined_pattern, renewed_pattern
from pliant.runtime.device import Device
from pliant.solve.objective.loose_cells import LooseCells

PAIRS = [(i, j) for i in range(4) for j in range(i, 4)]
FIELDS = ("keys", "rows", "columns", "row_start", "diagonal")
LISTS = ("targets", "mirrors", "halves", "lists")


def equal(one, other, names) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def split(tets: np.ndarray, first: int, count: int, random: np.random.Generator, times: int) -> tuple[np.ndarray, int]:
    """Some corners of tets on nodes ``first`` … ``count`` of their own."""
    tets = tets.copy()
    for v in random.choice(np.arange(first, count), times, replace=False):
        rows, corners = np.nonzero(tets == v)
        some = random.random(len(rows)) < 0.5
        tets[rows[some], corners[some]] = count
        count += 1
    return tets, count


@pytest.mark.parametrize("layout", [(10, 1), (1, 384)])
def test_renewed_patterns_and_lists_are_those_of_a_rebuild(layout):
    random = np.random.default_rng(4)
    mesh = pl.tet_grid((2.0, 1.0, 1.0), (8, 4, 2), 6)
    n = len(mesh.vertices)
    one, other = random.permuted(mesh.tets, axis=1), mesh.tets + n  # two bodies, the corners of one in any order
    pattern = Pattern(2 * n, [one, other])
    sums = [Sums(pattern, cells, PAIRS, layout) for cells in (one, other)]
    first, second = (0, n), (n, 2 * n)
    for _ in range(4):
        new_one, last = split(one, *first, random, 3)
        shift = last - first[1]
        numbers = np.arange(pattern.count)
        numbers[second[0] :] += shift
        new_other, end = split(other + shift, second[0] + shift, second[1] + shift, random, 2)
        cells = [new_one, new_other]
        after = renewed_pattern(pattern, numbers, end, cells)
        anew = Pattern(end, cells)
        assert after.renewal is not None and after.renewal.kept.mean() > 0.5 and equal(after, anew, FIELDS)
        lists = [Sums(after, own, PAIRS, layout, before) for own, before in zip(cells, sums)]
        assert all(equal(own, Sums(anew, c, PAIRS, layout), LISTS) for own, c in zip(lists, cells))
        pattern, sums, one, other = after, lists, new_one, new_other
        first, second = (0, last), (last, end)


def test_cells_without_some_corners_and_cells_that_come_and_go():
    random = np.random.default_rng(5)
    mesh = pl.tet_grid((1.0, 1.0, 1.0), (6, 6, 6), 6)
    n, pairs = len(mesh.vertices), [(0, 1), (0, 2), (1, 2)]
    springs = np.stack([np.arange(20), np.arange(20) + 40], axis=1)
    triangles = np.where(random.random((40, 3)) < 0.2, -1, mesh.boundary_triangles[:40])
    before = Pattern(n, [mesh.tets, springs])
    lists = Sums(before, triangles, pairs, (3, 1))
    tets, count = split(mesh.tets, 0, n, random, 2)
    for some in (springs[:4], springs[::-1], np.concatenate([springs, springs + 1])):
        after, anew = renewed_pattern(before, np.arange(n), count, [tets, some]), Pattern(count, [tets, some])
        assert after.renewal is not None and equal(after, anew, FIELDS)
        assert equal(Sums(after, triangles, pairs, (3, 1), lists), Sums(anew, triangles, pairs, (3, 1)), LISTS)
    assert renewed_pattern(before, np.arange(n), count, [tets]).renewal is None  # another number of groups


def test_where_much_has_changed_all_is_made_anew():
    mesh = pl.tet_grid((1.0, 1.0, 1.0), (3, 3, 3), 6)
    n = len(mesh.vertices)
    other = mesh.tets[::-1]
    made = renewed_pattern(Pattern(n, [mesh.tets]), np.arange(n), n, [other])
    assert made.renewal is None and equal(made, Pattern(n, [other]), FIELDS)


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_the_matrix_after_a_cut_equals_a_rebuild(precision, place):
    """Two bodies, the first of which is cut twice, so that the rows of the second are others: bit for bit."""
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (12, 3, 3))
    law = pl.StableNeoHookean(young=2e4)
    given = {"pinned": lambda X: X[:, 0] < 1e-9, "effects": [pl.Damping(stiffness=1e-3)]}
    beams = [pl.Body(mesh.translated((0, y, 0)), law, **given) for y in (0.0, 0.3)]
    apart = pl.Contact(response=None)  # whose pairs would be other cells of the matrix
    sim = pl.Simulation(pl.Scene(beams, contact=apart), device=place, precision=precision)
    sim.step()
    for depth in (0.15, 0.21):
        before = sim.world.objective.matrix()
        memory = before.gathers[0]._flat
        sim.cut(pl.Blade([(0.15, -0.1, 0.2), (0.16, 0.2, 0.2)], depth=depth))
        matrix = sim.world.objective.matrix()
        assert matrix.count > before.count and matrix.gathers[0]._flat is memory
        assert matrix.pattern.renewal is None  # the matrix before is forgotten
        anew = pl.Simulation(sim.scene, device=place, precision=precision)
        made = anew.world.objective.matrix()
        assert equal(matrix.pattern, made.pattern, FIELDS)
        for own, other in zip(matrix.gathers, made.gathers, strict=True):
            assert equal(own.sums, other.sums, LISTS)
        anew.state.x.assign(sim.x)
        for each in (sim, anew):
            each.world.still(each.state.x, 0.0)
        values = [each.world.objective.assemble(each.state.x, True).values.numpy() for each in (sim, anew)]
        assert np.array_equal(*values) and np.abs(values[0]).max() > 0
        memory = sim.world["damping"][0]._kept._flat
        assert sim.step().kept
        assert sim.world["damping"][0].assembly._flat is memory
        for own, other in zip(sim.world["damping"], anew.world["damping"], strict=True):
            assert equal(own.matrix.pattern, other.matrix.pattern, FIELDS)
            assert equal(own.assembly.sums, other.assembly.sums, LISTS)
            assert own.matrix.pattern.renewal is None and own._kept is None


def test_a_matrix_keeps_nothing_of_the_one_before_once_it_has_settled():
    device, cells = Device(), np.array([[i, i + 1, i + 2, i + 3] for i in range(40)])
    old = BlockMatrix(device, 43, [cells])
    gather = BlockGather(device, old, cells, PAIRS)
    new = BlockMatrix(device, 43, [cells], old, np.arange(43))
    after = BlockGather(device, new, cells, PAIRS)
    assert after._flat is gather._flat
    pattern, sums = weakref.ref(old.pattern), weakref.ref(gather.sums)
    new.settle()
    del old, gather
    gc.collect()
    assert pattern() is None and sums() is None


def cells_of_two_kinds(n: int, random: np.random.Generator) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Cells that last, and those that come and go: pairs, and pairs of points on edges."""
    lasting = [random.integers(0, n, (2 * n, 3)).astype(np.int32), random.integers(0, n, (n, 4)).astype(np.int32)]
    return lasting, [random.integers(0, n, (m, k)).astype(np.int32) for m, k in ((n // 3, 4), (5, 8))]


def test_a_joined_pattern_is_that_of_a_rebuild():
    random = np.random.default_rng(7)
    for n in (4, 60, 900):
        (first, second), (some, more) = cells_of_two_kinds(n, random)
        lasting = Pattern(n, [first, second])
        for cells in ([first, some, second, more], [first, second, more], [first, second]):
            joined, rebuilt = joined_pattern(lasting, cells), Pattern(n, cells)
            assert equal(joined, rebuilt, FIELDS)
            assert np.array_equal(joined.place, rebuilt.find(lasting.rows, lasting.columns))


def test_a_matrix_is_joined_in_its_own_arrays():
    random, n, device = np.random.default_rng(8), 60, Device()
    (first, second), _ = cells_of_two_kinds(n, random)
    first, second = np.sort(first, axis=1), np.sort(second, axis=1)
    lasting, loose = Pattern(n, [first, second]), np.zeros((1, 4), np.int32)
    cells = [first, second, loose]
    matrix = BlockMatrix(device, n, cells, pattern=joined_pattern(lasting, cells), loose=2000)
    gathers = [
        BlockGather(device, matrix, own, [(i, j) for i in range(k) for j in range(i, k)]) for own, k in ((first, 3), (second, 4))
    ]
    of_loose = BlockGather(device, matrix, loose, PAIRS)
    arrays = (matrix.values, matrix.device_columns, gathers[0].targets)
    for _ in range(3):
        cells = [first, second, *cells_of_two_kinds(n, random)[1]]
        assert matrix.join(joined_pattern(lasting, cells))
        assert (matrix.values, matrix.device_columns, gathers[0].targets) == arrays
        rebuilt = Pattern(n, cells)
        assert equal(matrix.pattern, rebuilt, FIELDS) and of_loose.matrix is None and of_loose not in matrix.gathers
        assert np.array_equal(matrix.device_columns.numpy()[: matrix.entries], rebuilt.columns)
        for own in gathers:
            sums = Sums(rebuilt, own.sums.cells, own.sums.pairs, own.sums.layout)
            assert equal(own.sums, sums, LISTS)
            assert np.array_equal(own.targets.numpy(), sums.targets) and np.array_equal(own.mirrors.numpy(), sums.mirrors)
        rows, columns = lasting.rows[:9], lasting.columns[:9]
        assert np.array_equal(matrix.places_of(lasting, rows, columns), rebuilt.find(rows, columns))
    assert not matrix.join(joined_pattern(lasting, [first, second, random.integers(0, n, (900, 4)).astype(np.int32)]))
    assert equal(matrix.pattern, rebuilt, FIELDS)  # which had no room, and changed nothing


def falling(place: str, precision: str) -> pl.Simulation:
    """A damped sheet, which bends, and blocks that fall through one another's reach, faster than a reach in a step."""
    law = pl.StableNeoHookean(young=3e4, poisson=0.3)
    mesh = pl.tet_grid((0.3, 0.06, 0.06), (15, 3, 3))
    blocks = [pl.Body(mesh.rotated((0, 0, 1), 20 * k).translated((0, 0, 0.065 * k)), law) for k in range(2)]
    cloth = pl.Membrane(pl.cloth_grid((0.3, 0.3), (10, 10), origin=(-0.05, -0.1, 0.15)), thickness=1e-3)
    sheet = pl.Body(cloth, pl.StVenantKirchhoff(young=1e5, poisson=0.3), damping=pl.Damping(stiffness=1e-3))
    scene = pl.Scene([*blocks, sheet], [pl.plane(z=-0.02)], contact=pl.Contact(0.3, response=pl.contact.Barrier()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), device=place, precision=precision)
    sim.state.v.assign(np.tile([0.0, 0.0, -2.0], (len(sim.x), 1)))
    return sim


def places(sim: pl.Simulation) -> list[wp.array]:
    """The arrays that say where energies add to the matrix."""
    energies = sim.world.objective.energies
    damped = [energy._targets for energy in energies if isinstance(energy, StiffnessDamping)]
    assembled = [getattr(energy, "_assembly", None) for energy in energies]
    return damped + [each.targets for each in assembled if each is not None]


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_a_run_with_a_joined_matrix_is_that_with_one_laid_out_again(monkeypatch, place, precision):
    """Bit for bit, although pairs come and go in every step; and in the same arrays, as others would pile up with the recorded
    launches that hold them."""
    joined, held, lay_out = [], [], LooseCells.lay_out

    def watched(*given) -> bool:
        held.append(places(one))
        joined.append(lay_out(*given))
        return joined[-1]

    monkeypatch.setattr(LooseCells, "lay_out", watched)
    one = falling(place, precision)
    reports = [one.step() for _ in range(4)]
    assert sum(joined) > 5 and all(report.kept for report in reports), reports[-1].why
    assert all(before == after for before, after, same in zip(held, held[1:], joined) if same)
    monkeypatch.setattr(LooseCells, "lay_out", lambda *given: False)
    other = falling(place, precision)
    assert [other.step().iterations for _ in range(4)] == [report.iterations for report in reports]
    assert np.array_equal(one.x, other.x)
