#!/usr/bin/env python3
"""Hocket beside PyTorch on stacked digits: stacked.py [SEEDS [ROUNDS [dcgan|r3gan|both [FIRST]]]], by default 3 seeds from 1,
4,000 rounds, both

A DCGAN (`stacked-digits`) and a small R3GAN (stacked-r3gan.yaml) beside stacked_torch.py. Prints time a round, modes of 1,000 among
26,000 samples, and the KL divergence of their shares from uniform ones, by an SVM that judges the samples of both. Needs torch, numpy,
scikit-learn.
"""
import sys
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.svm import SVC

from beside_torch import HERE, HOCKET, call, torch, train

EXPERIMENTS = {"dcgan": "stacked-digits", "r3gan": HERE / "stacked-r3gan.yaml"}


def judge():
    images, labels = load_digits(return_X_y=True)
    svm = SVC(gamma=0.02, C=10).fit(images / 8 - 1, labels)

    def scores(samples):
        digits = svm.predict(samples.reshape(-1, 64)).reshape(-1, 3)
        counts = np.bincount(digits @ (100, 10, 1), minlength=1000)
        shares = counts[counts > 0] / len(samples)
        return np.count_nonzero(counts), np.sum(shares * np.log(1000 * shares))

    return scores


def hocket(folder, name, seed, rounds):
    run = folder / f"{name}-{seed}"
    elapsed = train(run, EXPERIMENTS[name], "--set", f"seed={seed}", "--set", "threads=2", "--set", f"budget={{rounds: {rounds}}}", "--set=on=[]")
    call(HOCKET, "sample", run, "--count", 26000, "--out", folder / "samples.npy")
    return elapsed


def pytorch(folder, name, seed, rounds):
    return torch("stacked_torch.py", name, seed, rounds, folder / "samples.npy")


def main(seeds=3, rounds=4000, names="both", first=1):
    scores = judge()
    form = "{:6} {:8} {:>4}  {:10.2f}  {:5.0f}  {:6.3f}"
    print("                seed  ms a round  modes      kl")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for name in EXPERIMENTS if names == "both" else [names]:
            rows = {hocket: [], pytorch: []}
            for seed in range(first, first + seeds):
                for program, of_program in rows.items():
                    elapsed = program(folder, name, seed, rounds)
                    of_program.append((elapsed, *scores(np.load(folder / "samples.npy"))))
                    print(form.format(name, program.__name__, seed, *of_program[-1]), flush=True)
            for program, of_program in rows.items():
                print(form.format(name, program.__name__, "mean", *np.mean(of_program, 0)), flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), *sys.argv[3:4], *map(int, sys.argv[4:]))
