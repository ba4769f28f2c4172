#!/usr/bin/env python3
"""The sweep of cartpole-ppo.yaml by Stable-Baselines3 and Optuna: sweep_sb3.py TRIALS.csv [processes [steps]]

Trains PPO on CartPole by the settings of the trials that a sweep of Hocket has left (its trials.csv), so many processes at a
time, each by one thread, for the same steps and judged by the same number of episodes; an Optuna study hands the trials out.
Prints the five best, and the seconds from the start of the script to its end. Needs stable-baselines3 and optuna (pip install
stable-baselines3 optuna).
"""

import time

began = time.perf_counter()

import csv
import multiprocessing
import sys
import tempfile

import optuna
import torch
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from stable_baselines3 import PPO
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy

WORLDS, EPISODES, SEED = 8, 100, 7


def objective(trial, steps):
    rate = trial.suggest_float("rate", 1e-5, 1e-1, log=True)
    clip = trial.suggest_float("clip_range", 0.1, 0.4)
    model = PPO(
        "MlpPolicy", make_vec_env("CartPole-v1", WORLDS, seed=SEED),
        learning_rate=lambda left: left * rate,
        clip_range=lambda left: left * clip,
        gamma=trial.suggest_categorical("gamma", [0.9, 0.95, 0.98, 0.99, 0.999]),
        gae_lambda=trial.suggest_float("gae_lambda", 0.8, 1),
        n_steps=trial.suggest_categorical("rollout", [16, 32, 64, 128]),
        batch_size=trial.suggest_categorical("minibatch", [64, 128]),
        n_epochs=trial.suggest_int("epochs", 1, 20, log=True),
        ent_coef=trial.suggest_float("entropy_coefficient", 1e-8, 1e-1, log=True),
        device="cpu", verbose=0, seed=SEED)
    model.learn(steps)
    worlds = make_vec_env("CartPole-v1", 1, seed=1000 + SEED)
    return evaluate_policy(model, worlds, n_eval_episodes=EPISODES, deterministic=True)[0]


def study(file):
    return optuna.create_study(study_name="cartpole-ppo", direction="maximize", load_if_exists=True,
                               storage=JournalStorage(JournalFileBackend(file)))


def work(file, left, steps):
    torch.set_num_threads(1)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    mine = study(file)
    while True:
        with left.get_lock():
            if left.value == 0:
                return
            left.value -= 1
        mine.optimize(lambda trial: objective(trial, steps), n_trials=1, catch=(ValueError, RuntimeError))


def main():
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 30_000
    with open(sys.argv[1]) as rows:
        trials = sorted(csv.DictReader(rows), key=lambda row: int(row["trial"]))
    whole = ("rollout", "minibatch", "epochs")
    names = ("rate", "gamma", "gae_lambda", "clip_range", "entropy_coefficient") + whole
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/journal.log"
        all_of_them = study(file)
        for row in trials:
            all_of_them.enqueue_trial({name: int(row[name]) if name in whole else float(row[name]) for name in names})
        context = multiprocessing.get_context("spawn")
        left = context.Value("i", len(trials))
        workers = [context.Process(target=work, args=(file, left, steps)) for _ in range(processes)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        done = [trial for trial in study(file).trials if trial.value is not None]
        for trial in sorted(done, key=lambda trial: -trial.value)[:5]:
            print(f"trial {trial.number + 1}: {trial.value:.2f}")
        print(f"{len(done)} of {len(trials)} trials, {processes} processes, {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
