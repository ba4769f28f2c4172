"""Finds rates and moments for each named dynamic: dynamics.py [EXPERIMENT [SEEDS [NAME...]]], by default gaussian-ring, 3 seeds, all

Trains every dynamic with each rate and moment and two seeds, then the best setting with more seeds. Prints the mean scores of all
settings, and those of the best with the seconds of one run; its two first seeds are among those that chose it. The folders are in
runs/dynamics; finished runs there are not trained again. A run that fails, for example because a weight is not finite, has no
scores: its setting is never the best.
"""
import json
import os
import statistics
import subprocess
import sys

from beside_torch import HERE, HOCKET

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


def folder(experiment, name, setting):
    rate, moment = setting
    return HERE.parent / f"runs/dynamics/{experiment}/{name}/{rate:g}-{moment:g}"


def train(experiment, name, setting, count):
    """Trains the seeds that are missing."""
    of_setting = folder(experiment, name, setting)
    if len(list(of_setting.glob("seed-*"))) >= count:
        return
    shared, rate, moment = EXPERIMENTS[experiment][0], *setting
    changes = [f"plan={name}", "threads=1", "on=[]", *shared]
    for turn in "dg":
        # Rates of points fall in the second half, as in the files; of images they stay.
        key = f"{turn}.rate"
        changes += [f"{key}={rate}"] if shared else [f"{key}.from={rate}", f"{key}.to={rate / 10}"]
        changes.append(f"{turn}.beta1={moment}")
    run = [of_setting, "--resume"] if of_setting.exists() else [experiment, "--out", of_setting, *(f"--set={each}" for each in changes)]
    command = [HOCKET, "run", *run, "--seeds", count, "--at-once", len(os.sched_getaffinity(0)), "--quiet"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)


def scores(experiment, name, setting, count):
    """Returns both scores of each seed, without those that failed, and the seconds of the first."""
    train(experiment, name, setting, count)
    runs = sorted(file.parent for file in folder(experiment, name, setting).glob("seed-*/scores.json"))
    found = [json.loads((run / "scores.json").read_text()) for run in runs]
    times = [json.loads(line)["time"] for run in runs[:1] for line in (run / "metrics.jsonl").open()]
    return [[each[score] for each in found] for score in EXPERIMENTS[experiment][1:3]], max(times, default=0) - min(times, default=0)


def cell(values, count):
    """Mean and standard deviation of the seeds that did not fail, and their number if some did."""
    spread = f" ± {statistics.stdev(values):.2g}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3g}{spread}" + (f" ({len(values)} of {count})" if len(values) < count else "")


def main(experiment="gaussian-ring", count=3, names=NAMES):
    _, first, second, sign = EXPERIMENTS[experiment]
    best = {}
    print(f"{first} of {experiment}, two seeds, by rate and beta1\n")
    print("| plan | " + " | ".join(f"{rate:g}, {moment:g}" for rate, moment in SETTINGS) + " |")
    print("|---" * (1 + len(SETTINGS)) + "|")
    for name in names:
        found = {setting: scores(experiment, name, setting, 2)[0] for setting in SETTINGS}
        whole = {setting: [sign * statistics.mean(each) for each in both] for setting, both in found.items() if len(both[0]) == 2}
        cells = [f"{sign * whole[setting][0]:.3g}" if setting in whole else "failed" for setting in SETTINGS]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
        if whole:
            best[name] = max(whole, key=whole.get)
    print(f"\nThe best setting, {count} seeds\n")
    print(f"| plan | rate, beta1 | {first} | {second} | seconds |\n|---|---|---|---|---|")
    for name, (rate, moment) in best.items():
        both, seconds = scores(experiment, name, best[name], count)
        cells = " | ".join(cell(values, count) for values in both)
        print(f"| {name} | {rate:g}, {moment:g} | {cells} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *([sys.argv[3:]] if len(sys.argv) > 3 else []))
