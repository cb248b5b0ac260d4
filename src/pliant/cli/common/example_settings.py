"""Real-time settings of examples, measured by ``benchmarks/examples.py``."""

from ...contact.penalty.penalty_law import Penalty
from ...linear.factor.direct import Direct
from ...solve.newton.newton_solver import Newton
from ...solve.quasi_newton.factor_after_cut import Bordered
from ...solve.quasi_newton.quasi_newton_solver import QuasiNewton
from ...view.realtime import Quick

ONCE, TEN = Newton(iterations=1), QuasiNewton(iterations=10)
DIRECT = Newton(iterations=1, linear=Direct())
# so that no ball shows between nodes
CLOTH = {"response": Penalty(), "self_contact": True, "thickness": True, "smoothing": 5e-4}

PACES: dict[str, Quick] = {
    "beam_cut_across": Quick(ONCE),
    "bent_spoon": Quick(Newton(iterations=4)),
    "bodies_through_a_torus": Quick(TEN, dt=1 / 100),  # rather than shallow contacts at longer steps
    "bowl_of_jelly": Quick(arguments={"layers": 3}, slower=3),
    "cloth_over_ball": Quick(contact=CLOTH),
    "cloth_stack": Quick(contact=CLOTH, arguments={"layers": 3, "cells": 6}, slower=4),
    "crushed_can": Quick(TEN, dt=1 / 400, arguments={"around": 30, "up": 18}, slower=20),  # a tenth of a second in all
    "crushed_flat": Quick(dt=1 / 120),
    # in equilibrium after each step: shorter ones are only seen sooner
    "drawn_bars": Quick(dt=1 / 20, arguments={"cell": 0.025}),
    "fibre_cube_drop": Quick(ONCE),
    "flag": Quick(arguments={"cells": (32, 24)}),
    "flexing_arm": Quick(DIRECT, arguments={"cell": 0.028}),
    "from_a_scan": Quick(ONCE, arguments={"edge": 0.016}),
    # a boom that comes by 30 mm in a step is thrown off by rigid bodies only where steps are solved well
    "from_mujoco": Quick(Newton(iterations=3, linear=Direct()), slower=8),
    "handled_liver": Quick(QuasiNewton(iterations=6), arguments={"edge": 0.018}),
    "hanging_dragon": Quick(dt=1 / 50),  # the scene's 1/25 s run away after four seconds, with any number of iterations
    "heavy_on_light": Quick(Newton(iterations=3)),  # ten of quasi-Newton creep
    "lattice_cage": Quick(QuasiNewton(iterations=6), arguments={"spacing": 0.026}),
    "materials_side_by_side": Quick(arguments={"cells": (10, 2, 2)}),
    "needle": Quick(arguments={"cells": (10, 4, 4)}),
    # Newmark gains energy where an impact of 4 ms has fewer than four steps
    "newtons_cradle": Quick(DIRECT, dt=1 / 1000, slower=12),
    "pile_of_a_hundred": Quick(arguments={"layers": 2}, slower=6),
    "pulled_bar": Quick(ONCE, dt=1 / 240, arguments={"cells": (16, 4, 4)}, slower=4),
    # which turns: the constant matrix of quasi-Newton takes that for a stretch, and ten iterations hold it back by a seventh
    "rolling_cylinder": Quick(Newton(iterations=3), dt=1 / 120, arguments={"edge": 0.018}),
    "scenes/curtain": Quick(QuasiNewton(iterations=10, window=0)),
    "slices": Quick(arguments={"spacing": 0.0133}),
    "squeezed_ring": Quick(arguments={"around": 24, "across": 2, "deep": 3}),
    "stiff_lump": Quick(dt=1 / 60),
    "stiffness_sweep": Quick(arguments={"cells": (12, 1, 1)}),
    "strain_limited_cloth": Quick(ONCE),
    "swinging_curtain": Quick(QuasiNewton(iterations=10, window=0)),
    "thumbprint": Quick(ONCE, arguments={"cells": (12, 9, 5)}),
    "tori_on_pillars": Quick(arguments={"count": 4}),  # a ring for each pillar
    "torn_flag": Quick(
        QuasiNewton(iterations=4, after_cut=Bordered()), arguments={"cells": (32, 22), "plates": False}
    ),  # so that tears are made in place
    # twenty steps a swing of its tone, of which four are seen in a second
    "tuning_fork": Quick(ONCE, dt=1 / 8800, slower=100),
}
