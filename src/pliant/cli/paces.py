"""Real-time settings of the examples for which the usual ones are not the best, as ``benchmarks/examples.py`` measured them."""

from ..contact.penalty import Penalty
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
    "fibre_cube_drop": Quick(ONCE),
    "from_a_scan": Quick(ONCE),
    "newtons_cradle": Quick(TEN, dt=1 / 240),
    "scenes/curtain": Quick(QuasiNewton(iterations=10, window=0)),
    "strain_limited_cloth": Quick(ONCE),
    "swinging_curtain": Quick(QuasiNewton(iterations=10, window=0)),
    "thumbprint": Quick(ONCE),
}
