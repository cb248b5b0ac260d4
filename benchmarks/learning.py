"""A soft finger learns to bring its tip over a spot: python -m benchmarks.learning [MEMBERS] [SECONDS] [DEVICE] [PATH]

Augmented random search (Mania, Guy and Recht 2018) on a linear policy a = clip(W (o, 1)), 18 numbers, written here in numpy: W is
changed a little in random directions and in their opposites, all are tried on the same few spots in one batch, and W follows the
better half of the directions by what they gained. It stops after SECONDS of wall-clock time, all of it counted but for building
the batch and compiling kernels. Then W is tried on spots it has never seen, beside actions drawn at random and beside none; the
factor is that of the mean distance from the spot over the second half of an episode. Prints the learning curve; with PATH it is
written as JSON.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

import pliant as pl

SPOTS = 2  # that each direction is tried on
NOISE, STEP = 0.1, 0.1  # how far W is changed to try a direction, and how far it follows
UNSEEN = 10_000_000  # seeds from here on are for the test alone


def episode(env, policies: np.ndarray | None, seeds: list[int], random: np.random.Generator) -> np.ndarray:
    """(members,) mean distance [m] over the second half of an episode, of policies (members, a, o + 1) or of random actions."""
    seen, _ = env.reset(seed=seeds)
    limit, total = env.task.limit, np.zeros(env.num_envs)
    for k in range(limit):
        if policies is None:
            actions = random.uniform(-1, 1, env.action_space.shape)
        else:
            actions = np.einsum("nao,no->na", policies, np.column_stack([seen, np.ones(len(seen))]))
        seen, _, _, over, told = env.step(np.clip(actions, -1, 1))
        distance = told["final_info"]["distance"] if over.all() else told["distance"]
        total += distance if k >= limit // 2 else 0.0
    return total / (limit - limit // 2)


def tested(env, policy: np.ndarray | None, random: np.random.Generator) -> float:
    """Mean distance [m] on spots that were not used for learning."""
    policies = None if policy is None else np.repeat(policy[None], env.num_envs, axis=0)
    return float(episode(env, policies, [UNSEEN + i for i in range(env.num_envs)], random).mean())


def learn(env, seconds: float, generations: int, random: np.random.Generator, say=print) -> tuple[np.ndarray, list[dict]]:
    """The policy after some time or so many generations, and how it got there."""
    policy = np.zeros((env.task.actions, env.task.observations + 1))
    count, curve, begin = env.num_envs // (2 * SPOTS), [], time.perf_counter()
    for generation in range(generations):
        directions = random.standard_normal((count, *policy.shape))
        tried = policy + NOISE * np.concatenate([directions, -directions])
        seeds = [SPOTS * generation + i % SPOTS for i in range(env.num_envs)]
        distances = episode(env, np.repeat(tried, SPOTS, axis=0), seeds, random).reshape(2, count, SPOTS).mean(axis=2)
        best = np.argsort(distances.min(axis=0))[: (count + 1) // 2]
        gained = distances[1, best] - distances[0, best]
        scale = max(distances[:, best].std(), 1e-9)
        policy = policy + STEP / (len(best) * scale) * np.einsum("d,dao->ao", gained, directions[best])
        spent = time.perf_counter() - begin
        curve.append(
            {
                "generation": generation + 1,
                "seconds": round(spent, 2),
                "mean distance [mm]": round(1e3 * float(distances.mean()), 2),
                "best distance [mm]": round(1e3 * float(distances.min()), 2),
            }
        )
        say(curve[-1])
        if spent + spent / (generation + 1) > seconds:
            break
    return policy, curve


def compared(members: int, seconds: float, device: str = "cpu", generations: int = 10_000, seed: int = 0, say=print) -> dict:
    """Learn, then test: everything that was found."""
    random = np.random.default_rng(seed)
    begin = time.perf_counter()
    env = pl.gym.vector(pl.gym.Reach(), members - members % (2 * SPOTS), device=device)
    env.reset(seed=0)
    env.step(np.zeros(env.action_space.shape))  # compiles kernels
    built = time.perf_counter() - begin
    chance, none = tested(env, None, random), tested(env, np.zeros((2, 9)), random)
    policy, curve = learn(env, seconds, generations, random, say)
    begin = time.perf_counter()
    learnt = tested(env, policy, random)
    steps = env.num_envs * env.task.limit * env.task.substeps / (time.perf_counter() - begin)
    return {
        "members": env.num_envs,
        "device": device,
        "seconds to build and compile": round(built, 1),
        "seconds of learning": curve[-1]["seconds"],
        "steps of one finger per second": round(steps),
        "mean distance [mm]": {
            "random actions": round(1e3 * chance, 2),
            "no action": round(1e3 * none, 2),
            "learnt": round(1e3 * learnt, 2),
        },
        "factor over random": round(chance / learnt, 2),
        "factor over no action": round(none / learnt, 2),
        "policy": policy.round(3).tolist(),
        "curve": curve,
    }


if __name__ == "__main__":
    members, seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 64, float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    found = compared(members, seconds, sys.argv[3] if len(sys.argv) > 3 else "cpu")
    print({name: value for name, value in found.items() if name not in ("curve", "policy")})
    if len(sys.argv) > 4:
        Path(sys.argv[4]).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
