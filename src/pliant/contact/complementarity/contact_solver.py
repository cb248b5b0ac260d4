"""Contact by complementarity: Signorini's and Coulomb's laws, forces as unknowns.

Signorini: a gap is never negative, a force never pulls, and one of the two is zero. Coulomb: friction of a sticking contact is
at most μ times the normal force; that of a slipping one equals it, against the slip. There is no contact stiffness, no creep:
a sticking contact does not move. The energy here represents the computed forces in sums of forces.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import warp as wp
from scipy import sparse

from ...arguments import checks
from ...arguments.typing_fields import Becomes
from ...energy.base import Energy, Step
from ...energy.capabilities import Constraint, OfStep, Reacting, Thing, Touching
from ...energy.contact_forces import Pressed
from ...energy.contact_totals import FAR, add_contacts
from ...energy.memory import Memory, Parents, Remembers
from ...energy.obstacles.obstacle_energy import Obstacle
from ...errors import InputError
from ...linear.krylov.stale_factor import StaleFactor
from ...linear.matrix.system import System
from ...runtime.device import Device
from ...runtime.vectors import Vectors
from ..intersection.surface_pieces import Pieces
from ..pairs.contact_surface import Surface
from ..pairs.growable import GrowableArrays
from ..pairs.point_pairs import places
from .accelerated_jacobi import AcceleratedJacobi
from .contact_compliance import Delassus, Dense, SelectedInverse
from .gauss_seidel import Forces, solve_contacts
from .gauss_seidel_kernels import SLIDES, TOUCHES
from .joint_constraints import FIRST, Slide, Weld
from .matrix_free import MatrixFree, MatrixFreeOperator
from .narrow_phase import NarrowPhase, Rows
from .needle import Needle, name_of_tip
from .patch_contacts import PatchPhase

NEARLY = 0.99  # of the friction limit, from which a contact counts as slipping
DEEP = 0.5  # gaps of penetration from which a missed contact counts
FEW = 100  # contacts up to which all are taken, closing or not
HALF = 0.5  # of the closing contacts: if more of them pushed before, these are tried alone first
CLOSE = 100.0  # tolerances within which a solution keeps the laws of contact


@dataclass(frozen=True)
class Complementarity:
    """Contact between bodies, with themselves and with obstacles by Signorini's and Coulomb's laws, whose forces are unknowns.

    They stay ``gap`` [m] apart from each other, None for a hundredth of the usual edge. Forces are swept by Gauss–Seidel until
    no contact moves by more than ``tolerance`` gaps, ``sweeps`` times at most. A factor of the bodies' matrix serves ``refresh``
    steps: with more than 1, conjugate gradients make up for its age, and contacts give way as the older bodies did.
    ``recursions`` repeats directions and forces within each linearisation, each time where the last forces lead.
    ``joints`` are welds, slides and needles, solved with the contacts; ``compliance`` says how the matrix of contacts is made.
    With ``patches`` bodies of tets meet where their surfaces intersect, a contact for each patch as Intersection() finds them,
    in place of points, faces and edges, and may overlap at the start; connected bodies then have no self-contact.
    It is for ``Newton()``: ``Newton(iterations=1)`` linearises once in a step, for real time. Pairs are
    looked for on the way of a step's free motion and on that with forces; that nothing ever crosses is what Barrier() promises.
    """

    gap: float | None = None
    tolerance: float = 1e-4
    sweeps: int = 1000
    refresh: int = 1
    recursions: int = 1
    joints: Becomes[Sequence[Weld | Slide | Needle], tuple[Weld | Slide | Needle, ...]] = ()
    compliance: SelectedInverse | Dense | MatrixFree = field(default_factory=SelectedInverse)
    patches: bool = False

    CHANGES: ClassVar[tuple[str, ...]] = ("tolerance", "sweeps", "recursions")  # in a running simulation

    def __post_init__(self):
        if self.gap is not None:
            checks.positive("Complementarity(gap=…)", self.gap, "metres, or None")
        checks.positive("Complementarity(tolerance=…)", self.tolerance, "times the gap")
        checks.whole("Complementarity(sweeps=…)", self.sweeps)
        checks.whole("Complementarity(refresh=…)", self.refresh)
        checks.whole("Complementarity(recursions=…)", self.recursions)
        checks.flag("Complementarity(patches=…)", self.patches)
        joints = tuple(self.joints) if isinstance(self.joints, list | tuple) else (self.joints,)
        if not all(isinstance(joint, Weld | Slide | Needle) for joint in joints):
            raise checks.refusal(
                "Complementarity(joints=…)", self.joints, "contact.Weld(…), contact.Slide(…) and contact.Needle(…)"
            )
        object.__setattr__(self, "joints", joints)
        if not isinstance(self.compliance, SelectedInverse | Dense | MatrixFree):
            raise checks.refusal(
                "Complementarity(compliance=…)",
                self.compliance,
                "contact.SelectedInverse(), contact.Dense() or contact.MatrixFree()",
            )


class ComplementarityContact(Constraint, Touching, Reacting, OfStep, Remembers, Energy):
    """The contacts of a surface over ``count`` nodes, and the forces last found for them.

    The gradient is minus those forces; the energy is that of a constant force from the state of ``push`` on.
    """

    name = "contact"

    def __init__(
        self, device: Device, surface: Surface, obstacles: Sequence[Obstacle], law: Complementarity, gap: float,
        count: int, friction: float = 0.0, pieces: Pieces | None = None,
    ):  # fmt: skip
        super().__init__(device)
        self.law, self.count, self.friction, self.gap = law, count, float(friction), float(gap)
        self.exact = Device(device.name, "f64", device.threads)  # contact is in double precision, as positions are
        self._host = Device("cpu", "f64", device.threads)  # where names and forces are remembered
        self._told, self._bounds = GrowableArrays(self.exact), self.exact.zeros(2, wp.int32)
        given = (self.exact, surface, gap, count, obstacles)
        self.detector = NarrowPhase(*given) if pieces is None else PatchPhase(*given, pieces)
        self.vectors = Vectors(device, count)
        self.pull, self._way = self.vectors.new(), self.vectors.new()
        self.before = self.vectors.new()  # nodal forces of the last contact forces [N]
        self._since = self.vectors.positions()
        self.names, self.forces = np.zeros((0, 4), np.int32), np.zeros((0, 3))
        self._rows: Rows | None = None  # of these forces, once a step has computed them
        self.held_nodes: list[slice] = []  # of each joint, the nodes of the body that it holds
        self._given, self._given_by = self.vectors.new(), None  # the motion that they caused, and by which factor
        self._kept: dict[str, object] = {}
        self._at_once = AcceleratedJacobi(device)
        self.age = 0  # steps since the factor was made
        self._factor: StaleFactor | None = None
        self._restored: wp.array | None = None  # values of the matrix for its refactorisation

    # --- life

    def begin(self, step: Step) -> None:
        self.pull.zero_()
        if step.start is None:
            return
        self.detector.begin(step.start, step.origin)
        self.detector.known = self.names
        if any(obstacle.motion is not None for obstacle in self.detector.obstacles):
            self.detector.place(step.begun, step.time)
        for joint in self.detector.joints:
            joint.begin(self.detector.start, step.begun, step.time)

    def accept(self, x: wp.array, time: float) -> None:
        self.age += 1

    @property
    def memory(self) -> Memory:
        """The last forces, in the world's frame, and their contacts: the warm start of the next step."""
        array = self._host.array
        kept = {"contacts": array(self.names.T, wp.int32), "forces": array(self.forces.T, wp.float64)}
        if self.law.joints:
            states = [np.insert(joint.state, 0, i, axis=1) for i, joint in enumerate(self.detector.joints)]
            kept["inserted"] = array(np.concatenate(states).T, wp.float64)
        if self.law.refresh > 1:
            none = self._factor is None and self._restored is None
            values = self._restored if self._restored is not None else None if none else self._factor.values
            blocks = self.device.zeros((0, 3, 3), self.device.types.real) if none else _numbers(values, 3, 3)
            kept |= {"age": array([self.age], wp.int32), "matrix": blocks, "pulled": _numbers(self.before, 3)}
        return kept

    def recall(self, memory: Memory) -> None:
        if "contacts" in memory:
            self.names, self.forces = memory["contacts"].numpy().T.copy(), memory["forces"].numpy().T.copy()
            self._rows = None
        self._given_by = None
        if "inserted" in memory:
            inserted = memory["inserted"].numpy().T
            for i, joint in enumerate(self.detector.joints):
                joint.recall(inserted[inserted[:, 0] == i, 1:])
        if "pulled" in memory:
            self.before.assign(memory["pulled"].numpy().astype(self.device.types.numpy))
        if "matrix" in memory:
            values, self._factor = memory["matrix"].numpy(), None
            self.age = int(memory["age"].numpy()[0])
            self._restored = self.device.array(values, self.device.types.mat33) if len(values) else None

    def carried(self, nearest: np.ndarray, count: int, parents: Parents) -> Memory:
        return {}  # other points have other names

    def check(self, saved: dict[str, np.ndarray], count: int) -> None:
        names, forces = (np.asarray(saved.get(name, ())) for name in ("contacts", "forces"))
        if names.ndim != 2 or names.dtype.kind != "i" or len(names) != 4:
            raise ValueError(f"contacts is {names.dtype} of shape {names.shape}; expected int32 of shape (4, c)")
        if self.law.joints:
            inserted = np.asarray(saved.get("inserted", ()))
            nodes = inserted[1:5] if inserted.ndim == 2 and len(inserted) == 9 else np.full(1, np.nan)
            if not np.isfinite(inserted).all() or not ((nodes >= 0) & (nodes < count)).all():
                raise ValueError(f"inserted has shape {inserted.shape}; expected (9, p), with nodes of the scene")
        if self.law.refresh > 1:
            age, matrix = (np.asarray(saved.get(name, ())) for name in ("age", "matrix"))
            if age.shape != (1,) or matrix.ndim != 3 or matrix.shape[1:] != (3, 3) or not np.isfinite(matrix).all():
                raise ValueError(f"matrix has shape {matrix.shape}; expected (m, 3, 3), finite, and one age")
            pulled = np.asarray(saved.get("pulled", ()))
            if pulled.shape != (count, 3) or not np.isfinite(pulled).all():
                raise ValueError(f"pulled has shape {pulled.shape}; expected ({count}, 3), finite")
        if forces.shape != (3, names.shape[1]) or forces.dtype.kind != "f" or not np.isfinite(forces).all():
            raise ValueError(f"forces has shape {forces.shape}; expected (3, {names.shape[1]}), finite")

    # --- for solvers

    def find(self, x: wp.array, d: np.ndarray | None = None, trusted: bool = True) -> Rows:
        """The contacts with nodes at x and motion d (n, 3); ``trusted``: x satisfies the old contacts already."""
        return self.detector.find(x, d, self.friction, trusted)

    def led_to(self, rows: Rows, x: wp.array, motion: np.ndarray, trusted: bool) -> Rows | None:
        """All contacts, if a motion (n, 3) from x under the forces of ``rows`` violates others; None if not."""
        detector = self.detector
        if not detector.several:
            return None
        found = detector.find(x, motion, self.friction, trusted)
        late = np.flatnonzero(places(found.name, rows.name) < 0)
        gaps = found.gaps(self.device.read(x) + motion)[3 * late]
        if (gaps < -DEEP * detector.gap).any():
            return found
        detector.kept = rows
        return None

    def warm(self, rows: Rows) -> np.ndarray:
        """(3c,) warm start: the last forces of these contacts, in their frames; 0 for new ones."""
        world = np.vstack([self.forces, np.zeros((1, 3))])[places(rows.name, self.names)]
        local = np.einsum("cij,cj->ci", rows.frames, world)
        lone = rows.kind == TOUCHES
        local[lone & (local[:, 0] < 0)] = 0.0
        return local.reshape(-1)

    def closing(self, rows: Rows, gaps: np.ndarray, start: np.ndarray) -> np.ndarray:
        """(c,) the active set for forces (3c,), ``start`` being the last ones: all contacts where they are few, those
        that pushed or hold where these are most of what closes with these gaps (3c,), or else all that close."""
        if rows.count <= FEW:
            return np.ones(rows.count, bool)
        pushed = (start[::3] > 0) | (rows.kind != TOUCHES)
        closing = pushed | (gaps[::3] < 0)
        return pushed if np.sum(pushed) > HALF * np.sum(closing) else closing

    @property
    def is_fresh(self) -> bool:
        """Whether every system gets a factor of its own."""
        return self.law.refresh == 1

    def factor(self, system: System, first: bool) -> StaleFactor | None:
        """The factor for a system, the ``first`` of a step or not; None if it is not positive definite."""
        aged = system.keep(StaleFactor, lambda: StaleFactor(system))
        known = aged is self._factor or self._restored is not None
        self._factor = aged
        if self._restored is not None and len(self._restored) == len(aged.values):
            usable = aged.restore(system, self._restored)
        elif self.is_fresh or not known or (first and self.age >= self.law.refresh):
            usable, self.age = aged.take(system), 0
        else:
            usable = aged.usable
        self._restored = None
        return aged if usable else None

    def compliance(self, inverse: object, rows: Rows) -> Delassus | MatrixFreeOperator:
        """W (3c, 3c): the derivative of gaps and slips by forces [m/N]; on a GPU it stays there."""
        return self.law.compliance.matrix(self._kept, inverse, rows)

    def solve(self, W: Delassus | MatrixFreeOperator, rows: Rows, b: np.ndarray, start: np.ndarray) -> Forces:
        """Forces for gaps and slips b (3c,) without them: contact after contact on the CPU, all at once on a GPU
        and where W is not built."""
        enough, law = self.enough, (rows.kind, rows.friction, rows.bound)
        if isinstance(W, Delassus) and W.device.is_cpu:
            alone = self.detector.counted
            return solve_contacts(self.exact, W, b, *law, start, self.law.sweeps, enough, alone=alone)
        return self._at_once.solve(W, b, *law, start, self.law.sweeps, enough)

    def unsettled(self, answer: Forces) -> str:
        """A remark where sweeps ended before convergence; empty where forces converged."""
        if answer.change <= self.enough:
            return ""
        return f"; contact forces still change by {answer.change:.1e} m after {answer.sweeps} sweeps"

    def push(self, rows: Rows, force: np.ndarray, x: wp.array) -> None:
        """Let forces (3c,) act from x on: their nodal forces are in ``pull``."""
        world = np.einsum("cij,ci->cj", rows.frames, force.reshape(-1, 3))
        self.names, self.forces, self._rows = rows.name, world, rows
        self.pull.assign(rows.pulled(force).astype(self.device.types.numpy))
        self.vectors.copy(self.pull, self.before)
        self.vectors.copy(x, self._since)
        self._given_by = None

    def keep_motion(self, factor: StaleFactor, d: wp.array) -> None:
        """Remember the motion d that the forces of ``push`` caused by a factor."""
        self.vectors.copy(d, self._given)
        self._given_by = (factor, factor.made)

    def motion_before(self, factor: StaleFactor, out: wp.array) -> wp.array:
        """The motion by this factor under the last forces; ``out`` is its buffer."""
        if self._given_by == (factor, factor.made):
            return self._given
        factor.corrected(self.before, out)
        return out

    def release(self) -> None:
        """Let no force act; the last ones are kept."""
        self.pull.zero_()

    def contacts(self, x: wp.array) -> Pressed:
        """Contacts of the last forces, wherever nodes are."""
        rows = self._known()
        if rows is None:
            return Pressed.all_of([])
        own = np.flatnonzero((rows.kind == TOUCHES) & (rows.name[:, 0] >= 0))  # joints are below
        rows, force = rows.chosen(own), self.forces[own]
        normal = np.einsum("cj,cj->c", force, rows.normal)[:, None] * rows.normal
        gap = np.einsum("cj,cj->c", rows.normal, rows.mixture @ self.device.read(x)) - rows.surface
        found = Pressed.of(*_padded(rows.mixture), normal, force - normal, gap, rows.normal)
        pushed = np.flatnonzero(np.any(force != 0, axis=1))
        obstacle = np.where(rows.name[pushed, 1] < 0, -1 - rows.name[pushed, 1], -1)
        return replace(found, obstacle=obstacle)

    def _known(self) -> Rows | None:
        """The contacts of the last forces; a checkpoint does not hold them."""
        if self._rows is None and len(self.names):
            raise InputError(
                "contact.Complementarity() computes forces in a step, and a checkpoint holds only their sums; make a step first"
            )
        return self._rows

    def joint_force(self, number: int) -> np.ndarray:
        """(3,) force of joint ``number`` on its body, or on the first of two [N]; of a needle, on its body."""
        return self.forces[self._of_joint(number)].sum(axis=0)

    def _of_joint(self, number: int) -> np.ndarray:
        return np.flatnonzero(np.isin(self.names[:, 0], (FIRST - number, name_of_tip(number))))

    def joint_middle(self, number: int, x: wp.array) -> np.ndarray:
        """(3,) the mean of the points that it holds [m], the origin where it holds none."""
        own, nodes = self._of_joint(number), self.held_nodes[number]
        return (self._rows.mixture[own][:, nodes] @ x.numpy()[nodes]).mean(axis=0) if len(own) else np.zeros(3)

    def reactions(self, x: wp.array) -> Iterator[tuple[Thing, np.ndarray]]:
        rows = self._known()
        mixture = sparse.csr_matrix((0, len(x))) if rows is None else rows.mixture
        for o in range(len(self.detector.obstacles)):
            own = np.flatnonzero((self.names[:, 0] >= 0) & (self.names[:, 1] == -1 - o))
            yield ("obstacle", o), -(mixture[own].T @ self.forces[own])
        for number, nodes in enumerate(self.held_nodes):
            own = self._of_joint(number)
            out = np.zeros((len(x), 3))
            out[nodes] = -(mixture[own][:, nodes].T @ self.forces[own])
            yield ("joint", number), out

    def slack(self, rows: Rows, force: np.ndarray, x: np.ndarray) -> float:
        """The largest violation [m] of the contact laws with nodes at x (n, 3)."""
        if not rows.count:
            return 0.0
        gap, force = rows.gaps(x).reshape(-1, 3), force.reshape(-1, 3)
        touches, pushes = rows.kind == TOUCHES, force[:, 0] > 0
        normal = np.where(touches & ~pushes, np.maximum(-gap[:, 0], 0.0), np.abs(gap[:, 0]))
        normal[rows.kind == SLIDES] = 0.0
        slip, held = gap[:, 1:], force[:, 1:]
        most = rows.friction * np.maximum(force[:, 0], 0.0)
        size, speed = np.linalg.norm(held, axis=1), np.linalg.norm(slip, axis=1)
        slips = touches & (size >= NEARLY * most)  # turned frames take a little from a force
        against = slip + speed[:, None] * held / np.where(size > 0, size, 1.0)[:, None]
        miss = np.where(slips, np.where(most > 0, np.linalg.norm(against, axis=1), 0.0), speed)
        return float(np.max(np.maximum(normal, miss)))

    def touch(self, x: wp.array, out: wp.array) -> None:
        """Pushing contacts, the least distance of nearby surfaces, and the work of friction."""
        rows = self.detector.kept
        if rows is None or not rows.count:
            return
        now = rows.mixture @ self.device.read(x)
        force, slips = self.warm(rows).reshape(-1, 3), rows.gaps_of(now).reshape(-1, 3)[:, 1:]
        apart = np.einsum("ij,ij->i", rows.normal, now) - rows.surface
        pushes = (force[:, 0] > 0) & (rows.kind == TOUCHES)
        loss = np.where(rows.kind == TOUCHES, -np.einsum("ij,ij->i", force[:, 1:], slips), 0.0)
        gap = np.where(pushes, apart, FAR)
        put = self._told.put
        self._bounds.assign(np.array([0, rows.count], np.int32))
        add_contacts(self.exact, self._bounds, put("gap", gap, wp.float64), put("loss", loss, wp.float64), out)

    @property
    def enough(self) -> float:
        """The change of a gap [m] below which forces have converged."""
        return self.law.tolerance * self.gap

    @property
    def close(self) -> float:
        """The slack [m] at which a solution counts as one."""
        return CLOSE * self.law.tolerance * self.gap

    # --- as an energy

    @property
    def recordable(self) -> tuple:
        return ()

    def evaluate(self, x: wp.array, out: wp.array) -> None:
        self.vectors.apart(x, self._since, self._way)
        self.sums.add_to(out, -1.0, self.sums.kernels.dot_chunk, self.pull, self._way)

    def gradient(self, x: wp.array, out: wp.array) -> None:
        self.vectors.move(out, -1.0, self.pull, out)


def _numbers(array: wp.array, *shape: int) -> wp.array:
    """An array of vectors or matrices as one of numbers, in the same memory."""
    seen = wp.array(ptr=array.ptr, dtype=array.dtype._wp_scalar_type_, shape=(len(array), *shape), device=array.device)
    seen._ref = array  # as long as the view is used
    return seen


def _padded(mixture: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """(c, k) nodes and weights of the rows of a sparse matrix; 0 where a row has fewer."""
    counts = np.diff(mixture.indptr)
    there = np.arange(counts.max(initial=1)) < counts[:, None]
    nodes, weights = np.zeros(there.shape, int), np.zeros(there.shape)
    nodes[there], weights[there] = mixture.indices, mixture.data
    return nodes, weights
