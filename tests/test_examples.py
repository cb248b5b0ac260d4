"""Every example runs for a moment and does what its sentence says."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

from pliant.contact.detect.edge_crossings import least_way
from tests import example_checks, touching_checks
from tests.example_checks import FOLDER, inverted, loaded
from tests.touching_checks import apart

NAMES = sorted(p.stem for p in FOLDER.glob("[!_]*.py"))
CHECKS = vars(example_checks) | vars(touching_checks)


def test_the_force_of_the_needle_grows_evenly_with_depth_and_turns_as_it_is_drawn_out():
    module = loaded("needle")
    run, depth, force = module.measured(1.2)
    assert all(report.kept for report in run.reports)
    deepest = int(np.argmax(depth))
    going, out = np.arange(len(depth)) < deepest, (np.arange(len(depth)) > deepest + 8) & (depth > 0.03)
    going &= depth > 0.01
    (slope, tip), (back, pull) = (np.polyfit(depth[part], force[part], 1) for part in (going, out))
    assert slope == pytest.approx(module.HOLD, rel=0.1) and tip == pytest.approx(module.CUT, abs=0.02)
    line = slope * depth[going] + tip
    assert np.abs(force[going] - line).max() < 0.05 * force.max()
    assert back == pytest.approx(-module.HOLD, rel=0.1) and pull == pytest.approx(0.0, abs=0.02)  # the tip does not pull


@pytest.mark.slow
def test_the_shell_finds_what_the_example_found(tmp_path, monkeypatch, capsys):
    from pliant.cli.main import main

    monkeypatch.chdir(tmp_path)
    module = loaded("fit_to_scans")
    found, _ = module.fitted()
    words = [w for word in module.COMMAND.split()[1:] for w in (map(str, Path().glob(word)) if "*" in word else [word])]
    assert main([*words, "--json"]) == 0
    (number,) = json.loads(capsys.readouterr().out)["numbers"]
    assert number["value"] == pytest.approx(float(found.values[0, "young"]), rel=1e-3)


FITS = {
    "unknown_ground",
    "swinging_torus",
    "hanging_dragon",
    "stiff_lump",
    "raised_limb",
    "fit_to_scans",
}  # their checks ask for what was found
TOUCHING = {
    "bowl_of_jelly", "cloth_over_ball", "cloth_stack", "gripper", "heavy_on_light", "pad_on_ball", "pile_of_a_hundred",
    "rolling_cylinder", "stiff_core", "through_a_ring", "tight_knot", "tori_on_pillars", "tumbling_blocks",
}  # fmt: skip
SECONDS = {
    "hanging_beam": 0.2, "drop_on_sphere": 0.15, "twisting_bar": 0.2, "inflated_shell": 0.3, "hanging_cloth": 0.1,
    "fibre_cube_drop": 0.2, "random_recovery": 1.0, "materials_side_by_side": 0.1, "mesh_to_motion": 0.1,
    "moving_obstacle": 0.2, "muscle_flex": 0.9, "strain_limited_cloth": 0.6, "swinging_curtain": 0.5, "brush": 1.2,
    "twisting_bar_live": 0.5, "spline_materials": 0.6, "stiffness_sweep": 0.3, "from_a_scan": 0.3,
    "lattice_cage": 0.3, "flexing_arm": 0.2, "slices": 0.08, "drawn_bars": 0.5, "squeezed_ring": 0.2, "pressed_seal": 0.2,
    "tumbling_blocks": 0.12, "through_a_ring": 0.12, "cloth_over_ball": 0.05, "bowl_of_jelly": 0.1,
    "cloth_stack": 0.12, "pile_of_a_hundred": 0.15,
    "gripper": 0.7, "needle": 0.2, "tuning_fork": 1.0, "pad_on_ball": 0.35, "rolling_cylinder": 0.25, "stiff_core": 0.2,
    "tori_on_pillars": 0.12, "tight_knot": 0.08, "newtons_cradle": 0.26, "hanging_dragon": 0.2,
    "unknown_ground": 0.2, "swinging_torus": 0.3, "stiff_lump": 1.0, "raised_limb": 0.1, "fit_to_scans": 0.1,
    "bent_spoon": 1.0, "thumbprint": 0.6, "ring_cut_open": 0.4, "opened_liver": 0.22, "crushed_flat": 1.0, "inside_out": 1.3,
    "crushed_can": 0.075, "pulled_bar": 0.04,
    "beam_cut_across": 0.5, "stretched_beam_cut": 0.8, "flag": 0.15, "torn_flag": 0.16, "notched_sheet": 1.0,
    "stacked_cushions": 0.1, "bowl_of_stars": 0.5, "bodies_through_a_torus": 0.2, "rider_on_a_horse": 0.35,
    "creature_on_few_tets": 0.3, "from_mujoco": 0.25, "heavy_on_light": 0.35, "handled_liver": 0.7,
    "hinge_and_motor": 0.6, "tendon_finger": 0.5, "pushed_skates": 0.6,
}  # fmt: skip
BUDGETED = {
    "twisting_bar_live", "spline_materials", "swinging_curtain", "brush", "strain_limited_cloth", "stiffness_sweep",
    "lattice_cage", "slices", "gripper", "needle", "flag", "torn_flag",
    "pad_on_ball", "rolling_cylinder", "tori_on_pillars", "crushed_flat", "inside_out",
    "opened_liver", "bowl_of_stars", "heavy_on_light", "handled_liver",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_example(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = loaded(name)
    run = module.main(seconds=SECONDS[name])
    assert all(report.kept and (report.converged or name in BUDGETED) for report in run.reports)
    assert name == "random_recovery" or inverted(run, len(run) - 1) == 0
    CHECKS[name](*((run, module) if name in FITS else (run,)))
    if name in TOUCHING:
        apart(run, module.simulation())


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TOUCHING))
def test_nothing_intersects_in_any_frame_of_a_whole_example(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    module = loaded(name)
    run = module.main()
    assert all(report.kept for report in run.reports) and run.contacts.max() > 0
    apart(run, module.simulation())


def test_an_edge_through_a_face_is_moved_past_its_nearest_end_or_side():
    face = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert least_way(np.array([[0.1, 0.4, -0.3], [0.1, 0.4, 0.7]]), face) == pytest.approx(0.1)
    assert least_way(np.array([[0.3, 0.3, -0.05], [0.3, 0.3, 0.7]]), face) == pytest.approx(0.05)


@pytest.mark.parametrize("name", NAMES)
def test_example_is_short_and_has_its_picture_and_page(name):
    source = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 80
    about = ast.get_docstring(ast.parse(source))
    assert about.count("\n") == 0 and about.endswith(".")
    docs = FOLDER.parent / "docs"
    assert (docs / "pictures" / f"{name}.png").is_file() and (docs / "examples" / f"{name}.md").is_file()


def test_mesh_to_motion_takes_a_file(tmp_path, monkeypatch):
    import pliant as pl

    monkeypatch.chdir(tmp_path)
    pl.write(pl.meshes.sphere(10.0, 3), "ball.obj")
    run = loaded("mesh_to_motion").main(seconds=0.02, path="ball.obj")
    assert run.skins[0].name == "ball" and np.ptp(run.rest[:, 2]) == pytest.approx(0.2, rel=0.05)
