#!/usr/bin/env python3
"""Hocket beside PyTorch on Fashion-MNIST, equal rounds: fashion.py [SEEDS [ROUNDS [WIDTH [FIRST]]]], by default 3 seeds from 1,
3,000 rounds, width 16

For each seed, fashion.yaml and fashion_torch.py are trained one after the other and draw 1,000 samples of each class; then all
samples are scored by the same `hocket score`. Prints time a round, the Fréchet distance of features of a classifier, the
classification accuracy score on held-out images, and the means. Needs torch, numpy, and Debian's package dataset-fashion-mnist.
"""
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from beside_torch import HERE, HOCKET, call, torch, train

DATA = "/usr/share/datasets/fashion-mnist"


def hocket(folder, samples, seed, rounds, width):
    run = folder / f"hocket-{seed}"
    widths = [f"--set={part}.dcgan.width={width}" for part in ("network.generator", "network.discriminator")]
    elapsed = train(run, HERE / "fashion.yaml", f"--set=seed={seed}", "--set=threads=2", f"--set=rounds={rounds}", *widths)
    classes = []
    for label in range(10):
        file = folder / f"{label}.npy"
        call(HOCKET, "sample", run, "--label", label, "--count", 1000, "--seed", 100 + label, "--out", file)
        classes.append(np.load(file))
    np.save(samples, np.concatenate(classes))
    return elapsed


def pytorch(folder, samples, seed, rounds, width):
    return torch("fashion_torch.py", seed, rounds, width, samples)


def scores(folder, samples):
    data = ["--data", f"{DATA}/train-images-idx3-ubyte.gz", "--held-out", f"{DATA}/t10k-images-idx3-ubyte.gz"]
    given = ["--generated", samples, "--labels", folder / "labels.npy"]
    found = json.loads(call(HOCKET, "score", *given, *data, "--features", "classifier", "--json"))
    return found["frechet_distance"], found["classification_accuracy_score"]


def main(seeds=3, rounds=3000, width=16, first=1):
    form = "{:8} {:>4}  {:10.2f}  {:16.3f}  {:14.3f}"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        np.save(folder / "labels.npy", np.repeat(np.arange(10), 1000))
        trained = {}
        for seed in range(first, first + seeds):
            for program in (hocket, pytorch):
                samples = folder / f"{program.__name__}-{seed}.npy"
                trained[program, seed] = samples, program(folder, samples, seed, rounds, width)
                print(f"seed {seed} of {program.__name__}: {trained[program, seed][1]:.2f} ms a round", file=sys.stderr, flush=True)
        print(f"{'':8} seed  ms a round  fréchet distance  accuracy score")
        rows = {hocket: [], pytorch: []}
        for (program, seed), (samples, elapsed) in trained.items():
            rows[program].append((elapsed, *scores(folder, samples)))
            print(form.format(program.__name__, seed, *rows[program][-1]), flush=True)
    for program, of_program in rows.items():
        print(form.format(program.__name__, "mean", *np.mean(of_program, 0)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
