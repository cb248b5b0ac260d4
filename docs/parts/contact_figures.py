"""Text of the section on contact of the page of how fast it is; tables that are asked for are made of benchmarks/results."""

SECTION = """## Contact

How each response works: [contact](contact.md). A scene of two blocks with each of them:
[choose contact](choose_contact.md#what-each-costs).

### Contact at every scale

`pliant bench contact` runs scenes of every kind and size with any response and solver: cloth stacks of 2 to 50 layers that fall
on a ball, piles of 4 to 1,000 blocks, a knot, a twisted cloth, an arch at 1.03 and 0.97 of the thickness that it needs, two
cards at 1.02 and 0.98 of the friction that they need, masses of 1 : 100 : 10,000 on one another, a block that slides, two bars
that meet, and two to eight bodies of all kinds at random. `--scene`, `--size`, `--response` and `--budget` choose; `--json`
prints everything: `pliant bench contact --scene pile,cloth --size all --response Barrier,Penalty --budget 60`.

Bodies are judged independently of solvers, from positions and in double precision: a vertex is inside a solid where the surface
winds around it (generalised winding numbers), its depth is the distance from the nearest triangle; an edge that passes through a
face is a crossing, for sheets and threads too; a thread that goes through itself changes its writhe by 2. The error of a step is
its distance from the same step solved to a hundredth of the tolerance, as a share of the motion. In Python:
`pliant.bench.contact_scenes.SCENES["pile"].make(4, 2)` is the simulation of a pile, and `judge(sim)` its verdict.

The least thickness of the arch is found by linear programs over the forces in its joints (Heyman 1966); that of many stones is
0.1075 of the mean radius. Stones and cards begin a hundredth and a thousandth of a millimetre apart, which the default reach of
`Barrier()` follows: it distinguishes 1.03 from 0.97 and 1.02 from 0.98. The small sizes, with `Newton()`, the default solver, and
ten seconds for the steps of each (`python benchmarks/contact_scale.py`, record in
`benchmarks/results/contact_scale.json`; CPU time):

<!-- table: contact at every scale -->
<!-- end -->

`python benchmarks/peers/newton_scale.py` runs piles and cloth stacks of the same meshes by Newton's VBD, where that is
installed, before the same judge.

### Agreement of responses

The largest distance of nodes at the end of a scene, in hundredths of the largest way that a node went, with gaps, reaches and
depths that are small against it (`python benchmarks/contact_agreement.py`; record in
`benchmarks/results/contact_agreement.json`). Steps were chosen so that the models should agree: with steps of 1/50 s instead of
1/500 s the block on the slope ends a quarter of its way elsewhere with one response than with another; friction that lags by a
step would do that. With `--cuda` on an H200 the same scenes agree to 0.5 %, the beam on its bar to 0.04 %.

| scene | motion | barrier – complementarity | barrier – penalty | complementarity – penalty |
|---|---|---|---|---|
| a block dropped on a floor | 10.7 mm | 0.09 % | 0.09 % | 0.01 % |
| a block that sticks on a slope | 6.8 mm | 0.20 % | 0.30 % | 0.37 % |
| a sphere pressed between plates | 19.9 mm | 0.44 % | 0.44 % | 0.01 % |
| a beam that sinks onto a round bar | 54.4 mm | 0.04 % | 0.03 % | 0.02 % |
| a soft block on another | 1.9 mm | 0.24 % | 0.46 % | 0.32 % |
| a soft block on a rigid one | 3.1 mm | 0.28 % | 0.33 % | 0.13 % |

The rest is mostly the gap, which the barrier keeps above the floor as well. Springs have 1 MN/m here; with their default bodies
sink in by 0.1 to 0.8 mm, 1 to 15 % of these motions, and with `Contact(hardness=100, response=contact.Penalty(hardness=100))`
they are within 1.7 % of the others in all six scenes, for no more processor time of `Newton()` (the same record).

**Closed forms** (`pytest -m "slow or not slow" tests/contact/test_closed_forms.py`): with each response a rigid sphere of 0.2 m
rolls down a slope with 5/7 g sin θ and slides with g (sin θ − μ cos θ) within 1 % over 0.3 s at 1/200 s, as a soft block does;
sliding begins within 0.0005 of μ = tan 10°; two elastic spheres touch in Hertz' radius within 3.5 %; a ball of a lattice
presses on a plane with Hertz' force within 3 % (`tests/contact/test_lattices.py`); an arch of 25 rigid stones stands for ten
seconds with `Barrier()`, and with `Complementarity()` in one linearisation of steps of 1/100 s, and falls without friction.

### Many steps

`python -m benchmarks.contact_long` takes 10,000 steps of each scene (record in `benchmarks/results/contact_long.json`, one
thread; `pytest -m slow tests/contact/test_long.py` takes 1,000, or `PLIANT_LONG=10000`). No step failed, and the process neither
grew nor started a thread:

| scene | worst gap | moved between step 1,000 and 10,000 | speed at the end | memory |
|---|---|---|---|---|
| three blocks on one another, `Complementarity()` | 0.00 mm | 0.002 µm | 5e-15 m/s | 313 → 314 MiB |
| the same, `Penalty()` | −0.17 mm | nothing, bit for bit | 2e-15 m/s | 303 → 303 MiB |
| the same, `Barrier()` | +0.90 mm | 0.003 µm | 1e-9 m/s | 299 → 299 MiB |
| twelve bodies of [a bowl](examples/bowl_of_jelly.md), `Barrier()` | +1.42 mm | 0.002 µm | 2e-9 m/s | 303 → 303 MiB |
| [fingers](examples/gripper.md) lift a ball 63 times, `Complementarity()` | −0.50 mm of a gap of 0.5 | – | – | 319 → 319 MiB |

### MuJoCo and Newton

Blocks of 10 cm, 1 kg and 0.1 MPa, of 4³ points, with μ = 0.5: one on a floor, one on a slope, three on one another, eight in a
pile (`python benchmarks/peers/mujoco_contact.py`, MuJoCo 4.0.0 with `integrator="discrete"`; `python
benchmarks/peers/newton_contact.py`, Newton 1.7.0 by vertex block descent with 20 iterations; `python
benchmarks/peers/pliant_contact.py`). CPU time of one thread of an x86 server, all in one run, for a step and for a second of
motion; depth and creep after three seconds:

| scene | | step | CPU time of a step | of a second | depth | creep |
|---|---|---|---|---|---|---|
| dropped by 1 cm on a floor | MuJoCo | 2 ms | 0.82 ms | 0.41 s | 0.94 mm | 0.00 mm/s |
| | Newton | 2 ms | 21 ms | 10 s | 0.16 mm | 0.00 mm/s |
| | `Penalty()` | 10 ms | 0.39 ms | 0.04 s | 0.05 mm | 0.00 mm/s |
| | `Complementarity()`, one linearisation | 10 ms | 7.6 ms | 0.76 s | 0.00 mm | 0.00 mm/s |
| | `Barrier()` | 10 ms | 4.2 ms | 0.42 s | none | 0.00 mm/s |
| on a slope of 20° | MuJoCo | 2 ms | 0.87 ms | 0.44 s | 1.3 mm | 8.7 mm/s |
| | Newton | 2 ms | 18 ms | 9.1 s | 0.21 mm | 4.8 mm/s |
| | `Penalty()` | 10 ms | 0.55 ms | 0.05 s | 0.06 mm | 0.00 mm/s |
| | `Complementarity()`, one linearisation | 10 ms | 5.3 ms | 0.53 s | 0.00 mm | 0.00 mm/s |
| | `Barrier()` | 10 ms | 3.9 ms | 0.39 s | none | 0.00 mm/s |
| three on one another | MuJoCo | 2 ms | 7.5 ms | 3.8 s | 2.9 mm | 0.32 mm/s |
| | Newton | 2 ms | 45 ms | 22 s | 0.54 mm | 0.02 mm/s |
| | `Penalty()` | 10 ms | 5.0 ms | 0.50 s | 0.12 mm | 0.00 mm/s |
| | `Complementarity()`, one linearisation | 10 ms | 20 ms | 2.0 s | 0.00 mm | 0.00 mm/s |
| | `Barrier()` | 10 ms | 23 ms | 2.3 s | none | 0.00 mm/s |
| eight in a pile | MuJoCo | 2 ms | 10 ms | 5.0 s | 4.2 mm | 34 mm/s |
| | Newton | 2 ms | 71 ms | 36 s | 0.39 mm | 3.4 mm/s |
| | `Penalty()` | 10 ms | 27 ms | 2.7 s | 0.18 mm | 0.01 mm/s |
| | `Complementarity()`, one linearisation | 10 ms | 40 ms | 4.0 s | 0.00 mm | 0.01 mm/s |
| | `Barrier()` | 10 ms | 54 ms | 5.4 s | none | 0.01 mm/s |

MuJoCo has its default softness of contact; its friction is a drag on slip and gives way by design. With a step of 2 ms and its
default integrator the block on the slope creeps by 0.8 mm/s. Newton is made for GPUs: on a CPU most of its time goes into
launching kernels. Its depth is that in the floor.

### Contact by springs

Ten iterations of `QuasiNewton()` leave a scaled residual of 0.002 of a block of 15,000 tets that a hand drags over a floor, in
place of 0.05 without the stiffness of contact in the matrix; of three bodies of 3,000 tets that push each other 0.05 in place of
0.26, for 10 to 30 % more processor time. Those three bodies, pushed about by a hand on a floor with steps of 1/30 s, make 38 to
46 steps a second on two x86 cores, 42 to 55 where they pass through each other (`python benchmarks/three_bodies.py`, `--apart`),
and 46 on two ARM cores. A pile of twenty bodies of 1,000 tets each in a bowl makes 104 steps of 1/60 s a second on an H200 while
it lies and 96 on average while it falls, with 1,000 to 1,300 contacts; ten iterations let them sink in by 8 mm as they hit, of
elements of 12 mm, and by 1.6 mm as they lie (`python benchmarks/pile.py --device cuda --solver quasi`, record in
`benchmarks/results/pile.json`). `Contact(self_contact=True)` costs next to nothing for a block of 1,331 nodes, a third more
processor time for a sheet of 961 that falls, with ten iterations of `QuasiNewton()`.

### Contact by complementarity

`W` and forces where the factor stays, CPU time on one ARM core (`python -m benchmarks complementarity` prints them last).
`SelectedInverse()` is the quicker while a factor stays, and no slower but for small blocks where `W` is made for every solve:

| block | contacts | `SelectedInverse()`, W known | W made again | `MatrixFree()` |
|---|---|---|---|---|
| 8 × 8 × 4 cells, 1,215 unknowns | 81 | 16 ms | 35 ms | 26 ms |
| 16 × 16 × 8, 7,803 | 289 | 84 ms | 131 ms | 390 ms |
| 6 × 6 × 24, 3,675 | 49 | 7 ms | 13 ms | 99 ms |
| 24 × 24 × 6, 13,125 | 625 | 429 ms | 648 ms | 654 ms |

The same command has a block of 58,800 unknowns on a floor with 2,262 rows; CPU time of all threads on two ARM cores, time on an
H200 (`python benchmarks/contact_gpu.py` measures the same there), and Table 4.1 of Zeng's thesis (Ryzen 9 5950X and RTX 3080):

<!-- table: stages of contact -->
<!-- end -->

Contacts that were never seen before take 5.4 ms for `W` on the H200, where lists of launches are made for them. A whole step of
a simulation with `refresh` and the factor of a step before takes 0.6 s of CPU time here, and on the H200 12.8 ms while the block
settles (14.2 ms in the mean of twenty, with one new factor among them): a third of it the free motion, 1.9 ms detection, 2.7 ms
forces. `W` of a fixed set of contacts on finer and finer cubes, at the end of longer and longer bars, and of more and more
contacts on one cube:

<!-- table: compliance by size -->
<!-- end -->

Isolated unknowns are not free of the mesh: a path ends in the largest separators. Those of a bar do not change while it grows
away from its contacts: eight times the unknowns take 1.7 times the time on the CPU, where solves take five times. Those of a cube
grow with its cross-section, and from 3,000 to 24,000 unknowns 60 contacts take 15 times the arithmetic, 6.5 times the time on the
CPU and twice on the H200. Entries that are known already cost the same on any mesh.

`python benchmarks/thesis_scenes.py --device cuda` has the nine scenes of Table 4.3 of that thesis with bodies of as many unknowns
(its shapes are not distributed), the median of 30 steps in double precision on an H200 and, as CPU time of both threads, on two
ARM cores, with its own figures on an RTX 3080; a gap of 1 mm, factors that serve four steps; empty cells were not waited for:

<!-- table: scenes of Table 4.3 -->
<!-- end -->

A contact is three rows here; the thesis does not say what it counts. Whole steps of a hanging beam by conjugate gradients, and
its Table 3.5, which was measured on a Core i9-9900K and an RTX 2070 with bodies of as many nodes
(`benchmarks/results/thesis_scenes.json`):

| law and size | assembled, H200 | thesis, GPU | matrix-free, H200 | thesis, GPU | thesis, CPU |
|---|---|---|---|---|---|
| `Corotated`, 10,800 tets | 2.9 ms | 14.6 ms | 14.0 ms | 31.0 ms | 43.2 ms |
| `Corotated`, 16,500 tets | 2.9 ms | 26.5 ms | 14.0 ms | 48.5 ms | 65.7 ms |
| `Corotated`, 24,960 tets | 3.1 ms | 46.8 ms | 16.6 ms | 80.5 ms | 118.3 ms |
| `MooneyRivlin`, 10,800 tets | 2.5 ms | 48.7 ms | 9.2 ms | – | 56.8 ms |
| `MooneyRivlin`, 16,500 tets | 2.2 ms | 77.8 ms | 9.5 ms | – | 89.8 ms |
| `MooneyRivlin`, 24,960 tets | 2.6 ms | 124.5 ms | 13.3 ms | – | 152.1 ms |
| `StVenantKirchhoff`, 10,800 tets | 12.6 ms | 16.6 ms | 13.9 ms | – | 24.2 ms |
| `StVenantKirchhoff`, 16,500 tets | 19.0 ms | 26.5 ms | 15.1 ms | – | 37.4 ms |
| `StVenantKirchhoff`, 24,960 tets | 26.6 ms | 42.9 ms | 15.4 ms | – | 64.7 ms |

The rows of `StVenantKirchhoff` do not measure the solver: its beam buckles, and from step 13 on, within the steps that count,
tets are inside out, 2 at first and 358 of 10,800 after 40 steps, as `report.inverted` counts them. That law resists compression
less and less.

### Intersections

The cost of finding an intersection, as `python benchmarks/intersections.py` prints it on one thread of an ARM core (Neoverse-N1):
two lumpy rings of 102,400 triangles each, 305,400 after they are cut along 1,110 tets, one 10 cm in the other: 995 pairs of
triangles on one curve, 16,752 triangles inside, 115 contacts. Columns are phases; the least milliseconds of seven times:

| | total | BVH | FindITP | MergeIC | FindCP | RayCDG |
|---|---|---|---|---|---|---|
| all of it | 12.0 | 0.6 | 4.8 | 0.8 | 3.3 | 2.5 |
| without trees, every triangle of two tets with every other | 155 | 0.7 | 140 | 0.8 | 3.4 | 10.1 |
| trees down to single triangles | 12.3 | 0.5 | 5.2 | 0.8 | 3.4 | 2.4 |
| triangle by triangle, in place of patches | 54.9 | 0.6 | 20.5 | 0.8 | 30.7 | 2.4 |

With a ninth of the triangles (34,112 after the cut, 362 pairs) the same intersection takes 4.3 ms; 2 cm deep it takes 5.1 ms,
15 cm deep 17.2 ms. On a GPU all of it is one graph, and is read once: 2.4 to 2.9 ms on an H200, which took 14.5 ms when curves
and floods were found on the host; phase by phase, 2.3 ms with a ninth of the triangles and 3.3 ms with all.
"""
