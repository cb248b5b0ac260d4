"""Tasks as Gymnasium's environments: its own checker, seeds, single members that begin anew, and a finger that learns."""

import subprocess
import sys

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError

gymnasium = pytest.importorskip("gymnasium")
CUBE = pl.Tets(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)))


class Lift(pl.gym.Task):
    """A cube held at its lower face, which is moved up and down by up to 2 cm; it ends where it is above 1.9 cm."""

    actions, observations, limit, substeps = 1, 2, 4, 2

    def scene(self, action, member):
        hold = pl.Hold(lambda X: X[:, 2] < 1e-9, motion=lambda X, t: X + np.array([0, 0, 0.02 * action[0]]))
        law = pl.StableNeoHookean(young=1e5 * (1 + member), poisson=0.3)
        return pl.Scene(pl.Body(CUBE, law, effects=[hold], damping=pl.Damping(stiffness=0.01)))

    def goal(self, random):
        return random.uniform(-0.01, 0.01, 1)

    def height(self, now):
        return now.x[:, :, 2].min(axis=1)

    def observe(self, now):
        return np.column_stack([self.height(now), now.goals[:, 0]])

    def reward(self, now):
        return -np.abs(self.height(now) - now.goals[:, 0])

    def ended(self, now):
        return self.height(now) > 0.019


def moves(env, seed, count):
    """What a few random actions lead to."""
    random, found = np.random.default_rng(7), [env.reset(seed=seed)[0]]
    for _ in range(count):
        found += [np.asarray(part) for part in env.step(random.uniform(-1, 1, env.action_space.shape))[:4]]
    return found


@pytest.mark.filterwarnings("ignore:.*Box observation space", "ignore:.*alternative render modes")
def test_the_checker_of_gymnasium_finds_nothing():
    from gymnasium.utils.env_checker import check_env

    env = pl.gym.single(Lift(), render_mode="rgb_array")
    check_env(env)
    assert env.render().shape == (360, 480, 3) and env.render().std() > 5


def test_the_same_seeds_give_the_same_episodes():
    env = pl.gym.vector(pl.gym.Reach(), 3)
    assert isinstance(env, gymnasium.vector.VectorEnv) and env.observation_space.shape == (3, 8)
    first, again, other = moves(env, 5, 3), moves(env, 5, 3), moves(env, 6, 3)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert np.array_equal(first[0][1:, 4:6], other[0][:2, 4:6])  # member i has the seed 5 + i
    assert first[0] in env.observation_space and np.abs(first[-4][:, :2]).max() > 0.05  # tips have moved


def test_each_member_is_what_it_is_alone():
    many, one = pl.gym.vector(Lift(), 2, precision="f64"), pl.gym.single(Lift(), precision="f64")
    seen, _ = many.reset(seed=3)
    alone, _ = one.reset(seed=3)
    for action in (0.5, -0.3):
        seen, rewards, *_ = many.step(np.full((2, 1), action))
        alone, reward, *_ = one.step(np.array([action]))
        assert seen[0] == pytest.approx(alone, abs=1e-7) and rewards[0] == pytest.approx(reward, abs=1e-7)
    assert seen[0, 0] == pytest.approx(-0.006, abs=1e-6)  # held where the action says


def test_members_begin_anew_one_by_one():
    env = pl.gym.vector(Lift(), 3, precision="f64")
    before, _ = env.reset(seed=0)
    seen, _, ended, over, told = env.step(np.array([[1.0], [0.2], [0.2]]))
    assert ended.tolist() == [True, False, False] and not over.any()
    assert told["_final_obs"].tolist() == ended.tolist() and told["final_obs"][0][0] == pytest.approx(0.02, abs=1e-6)
    assert seen[0, 0] == 0 and seen[0, 1] != before[0, 1] and np.array_equal(seen[1:, 1], before[1:, 1])
    batch = env.members.batch
    assert np.array_equal(batch.x[0], CUBE.rest) and not batch.v[0].any() and batch.v[1].any()
    for _ in range(3):
        seen, _, ended, over, told = env.step(np.full((3, 1), 0.2))
    assert over.tolist() == [False, True, True] and not ended.any()  # the first began one step later
    x = batch.x[0]
    env.reset(seed=[None, 9, None], options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(batch.x[0], x) and np.array_equal(batch.x[1], CUBE.rest)
    assert env.members.goals[1] == np.random.default_rng(9).uniform(-0.01, 0.01, 1)


def test_a_scene_of_a_batch_that_begins_anew_moves_as_at_first():
    scenes = [pl.Scene(pl.Body(CUBE, pl.StableNeoHookean(young=young), velocity=(0, 0, 0.1))) for young in (1e4, 3e4)]
    # some carry accelerations, others remember the step before, which there is none of at first: they differ by 5/9 g dt²
    for scheme, near in ((pl.ImplicitEuler, 1e-10), (pl.Newmark, 1e-10), (pl.BDF2, 6e-4)):
        batch = pl.Batch(scenes, scheme(dt=0.01, solver=pl.QuasiNewton(tolerance=1e-10)))
        batch.step()
        first = batch.x
        batch.step()
        other = batch.x[0]
        batch.reset([1])
        assert np.array_equal(batch.x[0], other) and batch.t == pytest.approx(0.02)
        batch.step()
        assert batch.x[1] == pytest.approx(first[1], abs=near)
        with pytest.raises(InputError, match="lie outside"):
            batch.reset([2])
    assert np.array_equal(batch.frame(1).positions[-1], batch.x[1])
    with pytest.raises(InputError, match=r"expected 0 … 1"):
        batch.frame(2)


class Tilt(pl.gym.Task):
    """A cube that hangs free: gravity is 2 m/s² along the action, and its goal upwards."""

    actions, observations, limit, substeps = 1, 1, 4, 3

    def scene(self, action, member):
        return pl.Scene(pl.Body(CUBE, pl.StableNeoHookean(young=1e5)), gravity=(0, 0, -5.0))

    def goal(self, random):
        return random.uniform(1.0, 2.0, 1)

    def observe(self, now):
        return now.x[:, :, 0].mean(axis=1)[:, None]

    reward = lambda self, now: now.goals[:, 0]

    def gravity(self, now):
        return np.column_stack([2 * now.actions[:, 0], 0 * now.goals[:, 0], now.goals[:, 0]])

    def targets(self, now):
        return np.stack([now.x.mean(axis=1) + np.array([0.15, 0, 0])] * 2, axis=1)


def test_gravity_follows_actions_and_goals():
    """Implicit Euler of a free fall: after n steps it is n (n + 1) / 2 g dt² away."""
    env = pl.gym.vector(Tilt(), 3, precision="f64")
    env.reset(seed=4)
    begun, actions = env.members.batch.x, np.array([[1.0], [-0.5], [0.0]])
    env.step(actions)
    went = (env.members.batch.x - begun).mean(axis=1)
    expected = 6 / 60**2 * np.column_stack([2 * actions[:, 0], np.zeros(3), env.members.goals[:, 0]])
    assert went == pytest.approx(expected, abs=1e-9)
    assert env.members.batch.gravity[:, 2] == pytest.approx(env.members.goals[:, 0])


def test_gravity_of_a_batch_changes_while_it_runs(place):
    scenes = [pl.Scene(pl.Body(CUBE, pl.StableNeoHookean(young=1e5)), gravity=(0, 0, g)) for g in (-1.0, -2.0)]
    batch = pl.Batch(scenes, pl.Newmark(dt=0.01, solver=pl.QuasiNewton(tolerance=1e-10)), device=place)
    assert batch.gravity.tolist() == [[0, 0, -1], [0, 0, -2]]
    batch.step()
    batch.gravity = [[3.0, 0, 0], [0, 0, -2.0]]
    batch.step()
    v = np.asarray(batch.v).mean(axis=1)
    assert v == pytest.approx(np.array([[0.03, 0, -0.01], [0, 0, -0.04]]), abs=1e-4)
    batch.gravity = (0, 0, 0)
    assert not batch.gravity.any()
    with pytest.raises(InputError, match=r"expected \(3,\) or \(2, 3\), finite"):
        batch.gravity = [1.0, 2.0]


def test_targets_are_in_the_picture():
    env = pl.gym.single(Tilt(), render_mode="rgb_array")
    env.reset(seed=0)
    shown = env.render()
    env.task.targets = lambda now: None
    assert (np.abs(shown.astype(int) - env.render()).max(axis=2) > 20).mean() > 0.005
    env.task.targets = lambda now: np.zeros((2, 3))
    with pytest.raises(InputError, match=r"Tilt.targets: got shape \(2, 3\)"):
        env.render()


def test_what_does_not_fit_is_said():
    with pytest.raises(InputError, match="expected a task"):
        pl.gym.single(Lift)
    for mode in ("human", np.zeros(3)):
        with pytest.raises(InputError, match="expected None or 'rgb_array'"):
            pl.gym.vector(Lift(), 2, render_mode=mode)
    env = pl.gym.vector(Lift(), 2)
    with pytest.raises(InputError, match=r"call reset\(\) first"):
        env.step(np.zeros((2, 1)))
    env.reset(seed=0)
    with pytest.raises(InputError, match=r"expected \(2, 1\), finite"):
        env.step(np.zeros((2, 2)))
    with pytest.raises(InputError, match=r"expected \(2, 1\), finite"):
        env.step("x")
    with pytest.raises(InputError, match="expected one, or 2"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(InputError, match="reset_mask"):
        env.reset(options={"reset_mask": [1, 0]})
    with pytest.raises(InputError, match="when it is made"):
        env.render()


def test_nothing_else_needs_gymnasium():
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import pliant as pl\n"
        "try: pl.gym.single(pl.gym.Reach())\n"
        "except pl.errors.InputError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "single(): gymnasium is not installed; pip install 'pliant[gym]'", done.stderr


@pytest.mark.slow
def test_a_finger_learns():
    """Sixteen generations of 64 episodes: the tip is closer to spots never seen by three times than with random actions."""
    from benchmarks.learning import compared

    found = compared(64, seconds=3600, generations=16, say=lambda row: None)
    assert found["factor over random"] > 3 and found["factor over no action"] > 2, found
