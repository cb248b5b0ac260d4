"""Real-time settings of the examples for which the usual ones are not the best, as ``benchmarks/examples.py`` measured them."""

from ..contact.penalty import Penalty
from ..solve.mixed import Mixed
from ..solve.newton import Newton
from ..solve.quasi_newton import QuasiNewton
from ..view.quick import Quick

ONCE, TEN = Newton(iterations=1), QuasiNewton(iterations=10)
CLOTH = {"response": Penalty(itself=True), "thickness": True, "smoothing": 5e-4}  # so that no ball shows between nodes

PACES: dict[str, Quick] = {
    "beam_cut_across": Quick(ONCE),
    "bent_spoon": Quick(Newton(iterations=4)),
    "bodies_through_a_torus": Quick(TEN, dt=1 / 100),  # rather than shallow contacts at longer steps
    "cloth_over_ball": Quick(contact=CLOTH),
    "crushed_flat": Quick(dt=1 / 120),
    "drawn_bars": Quick(dt=1 / 20),  # in equilibrium after each, so that a shorter one is only seen sooner
    "fibre_cube_drop": Quick(ONCE),
    "flexing_arm": Quick(Mixed(iterations=4)),
    "from_a_scan": Quick(ONCE),
    "newtons_cradle": Quick(TEN, dt=1 / 240),
    "scenes/curtain": Quick(QuasiNewton(iterations=10, window=0)),
    "stiff_lump": Quick(dt=1 / 60),
    "strain_limited_cloth": Quick(ONCE),
    "swinging_curtain": Quick(QuasiNewton(iterations=10, window=0)),
    "thumbprint": Quick(ONCE),
    "tuning_fork": Quick(ONCE, dt=1 / 8800),  # twenty a swing of its tone
}
