"""Hocket's `cartpole-ppo` in Stable-Baselines3, to the end of its 100,000 steps: cartpole_sb3.py [seed]

Prints the mean return of 100 episodes. For benchmarks/run, which measures the process from its start to its end.
"""
import sys

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

torch.set_num_threads(1)  # faster than two, for networks as small as these
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 7
model = PPO("MlpPolicy", make_vec_env("CartPole-v1", 8, seed=seed), n_steps=32, batch_size=256, n_epochs=20,
            learning_rate=lambda left: 1e-3 * left, gamma=0.98, gae_lambda=0.8, clip_range=lambda left: 0.2 * left, seed=seed,
            device="cpu")
model.learn(100_000)
print(evaluate_policy(model, make_vec_env("CartPole-v1", 8, seed=100), 100)[0])
