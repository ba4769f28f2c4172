"""Hocket beside PyTorch on Fashion-MNIST, equal rounds: fashion.py [SEEDS [ROUNDS [WIDTH]]], by default 3 seeds, 3,000 rounds, width 16

For each seed, fashion.yaml and fashion_torch.py are trained one after the other, draw 1,000 samples of each class, and are scored by
the same `hocket score`. Prints time a round, the Fréchet distance of features of a classifier, the classification accuracy score on
held-out images, and the means. Needs torch, numpy, and Debian's package dataset-fashion-mnist.
"""
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from beside_torch import HERE, HOCKET, call, torch, train

DATA = "/usr/share/datasets/fashion-mnist"


def hocket(folder, seed, rounds, width):
    run = folder / f"hocket-{seed}"
    widths = [f"--set={part}.dcgan.width={width}" for part in ("network.generator", "network.discriminator")]
    elapsed = train(run, HERE / "fashion.yaml", f"--set=seed={seed}", "--set=threads=2", f"--set=rounds={rounds}", *widths)
    classes = []
    for label in range(10):
        file = folder / f"{label}.npy"
        call(HOCKET, "sample", run, "--label", label, "--count", 1000, "--seed", 100 + label, "--out", file)
        classes.append(np.load(file))
    np.save(folder / "samples.npy", np.concatenate(classes))
    return elapsed


def pytorch(folder, seed, rounds, width):
    return torch("fashion_torch.py", seed, rounds, width, folder / "samples.npy")


def scores(folder):
    data = ["--data", f"{DATA}/train-images-idx3-ubyte.gz", "--held-out", f"{DATA}/t10k-images-idx3-ubyte.gz"]
    given = ["--generated", folder / "samples.npy", "--labels", folder / "labels.npy"]
    found = json.loads(call(HOCKET, "score", *given, *data, "--features", "classifier", "--json"))
    return found["frechet_distance"], found["classification_accuracy_score"]


def main(seeds=3, rounds=3000, width=16):
    print(f"{'':8} seed  ms a round  fréchet distance  accuracy score")
    form = "{:8} {:>4}  {:10.2f}  {:16.3f}  {:14.3f}"
    rows = {hocket: [], pytorch: []}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        np.save(folder / "labels.npy", np.repeat(np.arange(10), 1000))
        for seed in range(1, seeds + 1):
            for program, of_program in rows.items():
                elapsed = program(folder, seed, rounds, width)
                of_program.append((elapsed, *scores(folder)))
                print(form.format(program.__name__, seed, *of_program[-1]), flush=True)
    for program, of_program in rows.items():
        print(form.format(program.__name__, "mean", *np.mean(of_program, 0)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
