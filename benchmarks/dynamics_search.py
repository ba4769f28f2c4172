"""Finds rates and moments for each named dynamic: dynamics_search.py [EXPERIMENT [SEEDS [NAME...]]], by default gaussian-ring, 3 seeds, all

Trains every dynamic with each rate and moment and two seeds at a time, then the best setting with more seeds. Prints the mean scores of
all settings and of the best. The folders are in runs/dynamics; what is there already is not trained again.
"""
import json
import statistics
import sys

from beside_torch import HERE, HOCKET, call

NAMES = (
    "alternating simultaneous n-critic two-time-scales extragradient extra-adam past-extragradient optimistic implicit lookahead"
    " negative-momentum consensus unrolled symplectic competitive"
).split()
SETTINGS = [(rate, moment) for rate in (3e-4, 1e-3, 3e-3) for moment in (0, 0.5)]
POINTS = ("populated_modes", "high_quality", 1)
EXPERIMENTS = {  # further settings, a score and one to break ties, and the sign of a better one
    "gaussian-ring": ([], *POINTS),
    "grid": ([], *POINTS),
    "digits-gan": (["width=16", "epochs=150"], "frechet_distance", "kid", -1),
}


def scores(experiment, name, setting, count):
    """Returns both scores of each seed; trains those that are missing."""
    shared, first, second, _ = EXPERIMENTS[experiment]
    rate, moment = setting
    folder = HERE.parent / f"runs/dynamics/{experiment}/{name}/{rate:g}-{moment:g}"
    if len(list(folder.glob("seed-*/scores.json"))) < count:
        changes = [f"plan={name}", "threads=1", "on=[]", *shared]
        for turn in "dg":
            changes.append(f"{turn}.beta1={moment}")
            # Rates of points fall in the second half, as in the files; of images they stay.
            key = f"{turn}.rate"
            changes += [f"{key}={rate}"] if shared else [f"{key}.from={rate}", f"{key}.to={rate / 10}"]
        run = [folder, "--resume"] if folder.exists() else [experiment, "--out", folder, *(f"--set={each}" for each in changes)]
        call(HOCKET, "run", *run, "--seeds", count, "--at-once", 2, "--quiet")
    runs = [json.loads(file.read_text()) for file in sorted(folder.glob("seed-*/scores.json"))]
    return [[run[score] for run in runs] for score in (first, second)]


def cell(values):
    return f"{statistics.mean(values):.3g} ± {statistics.stdev(values):.2g}"


def main(experiment="gaussian-ring", count=3, names=NAMES):
    _, first, second, sign = EXPERIMENTS[experiment]
    best = {}
    print(f"{first} of {experiment}, two seeds, by rate and beta1\n")
    print("| plan | " + " | ".join(f"{rate:g}, {moment:g}" for rate, moment in SETTINGS) + " |")
    print("|---" * (1 + len(SETTINGS)) + "|")
    for name in names:
        found = {setting: [statistics.mean(each) for each in scores(experiment, name, setting, 2)] for setting in SETTINGS}
        best[name] = max(found, key=lambda setting: [sign * each for each in found[setting]])
        print(f"| {name} | " + " | ".join(f"{found[setting][0]:.3g}" for setting in SETTINGS) + " |", flush=True)
    print(f"\nThe best setting, {count} seeds\n")
    print(f"| plan | rate, beta1 | {first} | {second} |\n|---|---|---|---|")
    for name, (rate, moment) in best.items():
        print(f"| {name} | {rate:g}, {moment:g} | {' | '.join(map(cell, scores(experiment, name, best[name], count)))} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *([sys.argv[3:]] if len(sys.argv) > 3 else []))
