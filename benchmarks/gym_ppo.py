"""Hocket's PPO beside that of Stable-Baselines3 in an environment of Gymnasium, equal steps and settings:
gym_ppo.py [SEEDS [STEPS [ENVIRONMENT [COUNT]]]], by default 3 seeds, 100,000 steps, Hopper-v5, 1 environment

For each seed, gymnasium.yaml and Stable-Baselines3 (defaults, VecNormalize; two threads each) train one after the other. Prints steps
a second of the training and the mean return of 100 episodes of the deterministic policy, and that of random actions. Needs
stable-baselines3 and gymnasium[mujoco] in the Python that runs this, which steps Hocket's environments too.
"""
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecNormalize

from beside_torch import HERE, HOCKET, call

os.environ["HOCKET_PYTHON"] = sys.executable
torch.set_num_threads(2)


def hocket(folder, seed, steps, environment, count):
    run = folder / f"hocket-{seed}"
    settings = {
        "seed": seed,
        "threads": 2,
        "algorithm.total_steps": steps,
        "algorithm.environment": f"gym:{environment}",
        "algorithm.environments.count": count,
        "algorithm.rollout": 2048 // count,
    }
    call(HOCKET, "run", HERE / "gymnasium.yaml", *(f"--set={key}={value}" for key, value in settings.items()), "--out", run)
    rows = [row for row in map(json.loads, (run / "metrics.jsonl").open()) if "time" in row]
    scores = json.loads(call(HOCKET, "eval", run, "--json"))
    return 2048 * (rows[-1]["round"] - rows[0]["round"]) / (rows[-1]["time"] - rows[0]["time"]), scores["return_mean"]


def stable_baselines3(folder, seed, steps, environment, count):
    worlds = VecNormalize(make_vec_env(environment, count, seed=seed))
    agent = PPO("MlpPolicy", worlds, n_steps=2048 // count, seed=seed, device="cpu")
    start = time.perf_counter()
    agent.learn(steps)
    elapsed = time.perf_counter() - start
    shown = VecNormalize(make_vec_env(environment, 1, seed=1000 + seed), training=False, norm_reward=False)
    shown.obs_rms = worlds.obs_rms
    return agent.num_timesteps / elapsed, evaluate_policy(agent, shown, 100)[0]


def chance(environment):
    env = gymnasium.make(environment)
    env.action_space.seed(1)
    returns = []
    for episode in range(100):
        env.reset(seed=episode)
        returns.append(0)
        ended = False
        while not ended:
            _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            returns[-1] += reward
            ended = terminated or truncated
    return np.mean(returns)


def main(seeds=3, steps=100_000, environment="Hopper-v5", count=1):
    form = "{:20} {:>4}  {:14.0f}  {:12.1f}"
    rows = {hocket: [], stable_baselines3: []}
    print(f"{environment}, {count} environments, {steps} steps; random actions: {chance(environment):.1f}")
    print(f"{'':20} seed  steps a second  return, mean", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, seeds + 1):
            for program in rows:
                rows[program].append(program(Path(folder), seed, steps, environment, count))
                print(form.format(program.__name__, seed, *rows[program][-1]), flush=True)
    for program, found in rows.items():
        print(form.format(program.__name__, "mean", *np.mean(found, 0)))


if __name__ == "__main__":
    main(*(int(each) if each.isdigit() else each for each in sys.argv[1:]))
