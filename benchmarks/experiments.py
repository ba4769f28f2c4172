#!/usr/bin/env python3
"""Trains the GANs that come with Hocket and prints a sheet of their scores: experiments.py [SEEDS [NAME...]], by default one seed, all

For each experiment and seed: its scores beside those of a memoriser (rows of the training set drawn again), one Gaussian, and held-out
rows, the seconds of training and of its cores, and the largest memory of the process. The seeds begin with that of the file. The runs
are in runs/experiments, which may not have them yet. Needs Debian's package dataset-fashion-mnist for the experiments fashion-*.
"""
import json
import os
import re
import subprocess
import sys
import time

from beside_torch import HERE, HOCKET, call

FILES = HERE.parent / "gan/src/main/resources/hocket/experiments"
CLASSES = ("frechet_distance", "precision", "recall", "coverage", "classifier_confidence")
MODES = ("modes", "populated_modes", "high_quality", "sliced_wasserstein")
EXPERIMENTS = {
    "gaussian-ring": MODES,
    "grid": MODES,
    "stacked-digits": ("modes", "mode_kl", "classifier_confidence"),
    "digits-gan": CLASSES,
    "digits-conditional": (*CLASSES, "label_agreement"),
    "digits-infogan": CLASSES,
    "digits-vaegan": CLASSES,
    "digits-cyclegan": ("label_kept",),
    "penguins": ("column_distance", "correlation_difference", "nearest_neighbour_ratio"),
    "fashion-sngan": (*CLASSES, "label_agreement"),
    "fashion-r3gan": CLASSES,
    "fashion-wgan-gp": CLASSES,
}


def train(name, seed, folder):
    """Returns the seconds, those of its cores, and the MiB of a run in a new folder."""
    command = [HOCKET, "run", name, "--quiet", "--set", f"seed={seed}", "--out", folder]
    begun = time.perf_counter()
    child = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{name} failed")
    return time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def cell(value):
    return "" if value is None else f"{value:.0f}" if value == int(value) and value > 1 else f"{value:.3f}"


def main(seeds=1, names=()):
    call(HOCKET, "list")  # builds what is missing, which is no run's time
    print("| experiment, seed | score | run | memoriser | one Gaussian | held-out rows | other floors | seconds | of cores | MiB |")
    print("|---" * 10 + "|")
    shown = {"bootstrap": "memoriser", "gaussian": "one Gaussian", "held_out": "held-out rows"}
    for name in names or EXPERIMENTS:
        first = int(re.search(r"^seed: (\d+)", (FILES / f"{name}.yaml").read_text(), re.M)[1])
        for seed in range(first, first + seeds):
            run = HERE.parent / f"runs/experiments/{name}-{seed}"
            cost = " | ".join(f"{each:.0f}" for each in train(name, seed, run))
            found = json.loads(call(HOCKET, "eval", run, "--json"))
            for score in EXPERIMENTS[name]:
                floors = {key: each.get(score) for key, each in found.get("references", {}).items()}
                others = ", ".join(f"{key} {cell(v)}" for key, v in floors.items() if key not in shown and v is not None)
                columns = " | ".join(cell(floors.get(key)) for key in shown)
                print(f"| {name}, {seed} | `{score}` | {cell(found[score])} | {columns} | {others} | {cost} |", flush=True)
                cost = " | | "


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1, sys.argv[2:])
