#!/usr/bin/env python3
"""Hocket's PPO or SAC beside that of Stable-Baselines3 in an environment of Gymnasium, equal steps and settings.

For each seed, gym-ppo.yaml or gym-sac.yaml and Stable-Baselines3 (defaults; VecNormalize for PPO) train one after the other. Prints
steps a second of the training and the mean return of 100 episodes of the deterministic policy, and that of random actions; --out
appends the returns to a file for `hocket aggregate`. Needs stable-baselines3 and gymnasium[mujoco] in the Python that runs this,
which steps Hocket's environments too. --rate PROGRAM trains one program, and prints its steps a second and nothing else.
"""
import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO, SAC
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecNormalize

from beside_torch import HERE, HOCKET, call

os.environ["HOCKET_PYTHON"] = sys.executable
ROLLOUT = 2048


def hocket(folder, seed, asked):
    run = folder / f"hocket-{seed}"
    settings = {
        "seed": seed,
        "threads": asked.threads,
        "algorithm.total_steps": asked.steps,
        "algorithm.environment": f"gym:{asked.environment}",
        "algorithm.environments.count": asked.count,
        "algorithm.environments.python.processes": asked.threads,
    }
    if asked.algorithm == "ppo":
        settings["algorithm.rollout"] = ROLLOUT // asked.count
    file = HERE / f"gym-{asked.algorithm}.yaml"
    call(HOCKET, "run", file, *(f"--set={key}={value}" for key, value in settings.items()), "--out", run)
    rows = [row for row in map(json.loads, (run / "metrics.jsonl").open()) if "time" in row]
    steps_of_round = ROLLOUT if asked.algorithm == "ppo" else asked.count
    rounds, seconds = (rows[-1][what] - rows[0][what] for what in ("round", "time"))
    rate = steps_of_round * rounds / seconds
    return rate, None if asked.rate else json.loads(call(HOCKET, "eval", run, "--json"))["return_mean"]


def stable_baselines3(folder, seed, asked):
    worlds, shown = make_vec_env(asked.environment, asked.count, seed=seed), make_vec_env(asked.environment, seed=1000 + seed)
    if asked.algorithm == "ppo":
        worlds, shown = VecNormalize(worlds), VecNormalize(shown, training=False, norm_reward=False)
        agent = PPO("MlpPolicy", worlds, n_steps=ROLLOUT // asked.count, seed=seed, device="cpu")
        shown.obs_rms = worlds.obs_rms
    else:
        agent = SAC("MlpPolicy", worlds, seed=seed, device="cpu")
    start = time.perf_counter()
    agent.learn(asked.steps)
    elapsed = time.perf_counter() - start
    return agent.num_timesteps / elapsed, None if asked.rate else evaluate_policy(agent, shown, 100)[0]


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


def append(asked, algorithm, seed, score):
    if asked.out:
        with open(asked.out, "a") as file:
            print(algorithm, asked.environment, seed, f"{score:.2f}", sep="\t", file=file)


def main(asked):
    torch.set_num_threads(asked.threads)
    if asked.rate:
        with tempfile.TemporaryDirectory() as folder:
            print({"hocket": hocket, "sb3": stable_baselines3}[asked.rate](Path(folder), 1, asked)[0])
        return
    form = "{:20} {:>4}  {:14.0f}  {:12.1f}"
    rows = {hocket: [], stable_baselines3: []}
    floor = chance(asked.environment)
    print(f"{asked.algorithm}, {asked.environment}, {asked.count} environments, {asked.steps} steps; random actions: {floor:.1f}")
    append(asked, "random", 0, floor)
    print(f"{'':20} seed  steps a second  return, mean", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for seed in asked.seeds:
            for program in rows:
                rows[program].append(program(Path(folder), seed, asked))
                print(form.format(program.__name__, seed, *rows[program][-1]), flush=True)
                append(asked, f"{asked.algorithm} {program.__name__}", seed, rows[program][-1][1])
    for program, found in rows.items():
        print(form.format(program.__name__, "mean", *np.mean(found, 0)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithm", choices=("ppo", "sac"), nargs="?", default="ppo")
    parser.add_argument("--environment", default="Hopper-v5")
    parser.add_argument("--steps", type=int, default=100_000, help="environment steps of a run (%(default)s)")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3], help="seeds of the runs of each program (1 2 3)")
    parser.add_argument("--count", type=int, default=1, help="environments (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="threads of a training (%(default)s)")
    parser.add_argument("--rate", choices=("hocket", "sb3"), help="prints the steps a second of this program only")
    parser.add_argument("--out", help="a file to which each return is appended: algorithm, task, seed, score")
    main(parser.parse_args())
