#!/usr/bin/env python3
"""Finds rates and moments for each dynamic: dynamics.py [EXPERIMENT [SEEDS [NAME...]]], by default gaussian-ring, 3 seeds, all

Tries rates and moments with one seed, in the order of the table, until an experiment trains (experiments other than the ring
begin with the setting that trains the ring); then trains that setting, or the best if none trains, with more seeds. Prints the
scores of all settings that it tried, and those of the chosen one with the seconds of its fastest run; the seed that chose it is
among them. The folders are in runs/dynamics; finished runs there are not trained again. A run that fails, for example because a
weight is not finite, has no scores: its setting is never chosen.
"""
import hashlib
import json
import os
import statistics
import subprocess
import sys
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from beside_torch import HERE, HOCKET

NAMES = (
    "alternating simultaneous n-critic two-time-scales extragradient extra-adam past-extragradient optimistic implicit lookahead"
    " negative-momentum consensus unrolled symplectic competitive"
).split()
SETTINGS = [(1e-3, 0.5), (1e-3, 0), (3e-3, 0), (3e-3, 0.5)]
ON_THE_RING = {  # the settings with which the ring trains, where it isn't the first; other experiments try them first
    **dict.fromkeys("n-critic two-time-scales unrolled symplectic".split(), (3e-3, 0)),
    **dict.fromkeys("optimistic implicit competitive".split(), (1e-3, 0)),
}
FIRST_SEED = 7
POINTS = ("populated_modes", "high_quality", 1)
EXPERIMENTS = {  # further settings, a score and one to break ties, the sign of a better one, and scores of one that trains
    "gaussian-ring": ([], *POINTS, (8, 0.9)),
    "grid": ([], *POINTS, (24, 0.8)),
    "digits-gan-plain": (["width=16", "rounds=4200"], "frechet_distance", "kid", -1, (0.75, 0.025)),
}


def train(experiment, name, setting, seed):
    """Returns both scores and the seconds of a run, or none if it failed."""
    shared, rate, moment = EXPERIMENTS[experiment][0], *setting
    changes = [f"plan={name}", f"seed={seed}", "threads=1", "on=[]", *shared]
    for turn in "dg":
        key = f"{turn}.rate"
        if experiment == "digits-gan-plain":  # rates of images stay; those of points fall in the second half of the rounds
            changes.append(f"{key}={rate}")
        else:
            changes += [f"{key}.from={rate}", f"{key}.to={rate / 10}", f"{key}.per=round"]
        changes.append(f"{turn}.beta1={moment}")
    hashed = hashlib.sha256(" ".join(changes).encode()).hexdigest()[:8]
    folder = HERE.parent / f"runs/dynamics/{experiment}/{name}/{rate:g}-{moment:g}/seed-{seed}-{hashed}"
    done = folder / "outcome.json"
    if not done.exists():
        run = [folder, "--resume"] if folder.exists() else [experiment, "--out", folder, *(f"--set={each}" for each in changes)]
        ended = subprocess.run([HOCKET, "run", *map(str, run), "--quiet"], capture_output=True, text=True)
        if ended.returncode not in (0, 1):
            raise RuntimeError(ended.stderr)
        done.write_text(json.dumps(outcome(experiment, folder) if ended.returncode == 0 else None))
    return json.loads(done.read_text())


def outcome(experiment, folder):
    scores = json.loads((folder / "scores.json").read_text())
    times = [json.loads(line)["time"] for line in (folder / "metrics.jsonl").open()]
    return [scores[score] for score in EXPERIMENTS[experiment][1:3]] + [max(times) - min(times)]


def trains(experiment, scores):
    sign, least = EXPERIMENTS[experiment][3:]
    return scores is not None and all(sign * score >= sign * limit for score, limit in zip(scores, least))


def search(experiment, name, count):
    """Returns the outcome by each setting that was tried, the chosen setting, or none, and its outcomes by seed."""
    sign, tried = EXPERIMENTS[experiment][3], {}
    settings = SETTINGS
    if experiment != "gaussian-ring" and name in ON_THE_RING:
        settings = [ON_THE_RING[name], *(each for each in SETTINGS if each != ON_THE_RING[name])]
    for setting in settings:
        tried[setting] = train(experiment, name, setting, FIRST_SEED)
        if trains(experiment, tried[setting]):
            chosen = setting
            break
    else:
        whole = [setting for setting in tried if tried[setting]]
        chosen = max(whole, key=lambda setting: [sign * score for score in tried[setting][:2]], default=None)
    row = [train(experiment, name, chosen, seed) for seed in range(FIRST_SEED, FIRST_SEED + count)] if chosen else []
    return tried, chosen, row


def cell(values, count):
    """Mean and standard deviation of the seeds that did not fail, and their number if some did."""
    spread = f" ± {statistics.stdev(values):.2g}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3g}{spread}" + (f" ({len(values)} of {count})" if len(values) < count else "")


def main(experiment="gaussian-ring", count=3, names=NAMES):
    first, second = EXPERIMENTS[experiment][1:3]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = {name: pool.submit(search, experiment, name, count) for name in names}
        ended, _ = wait(found.values(), return_when=FIRST_EXCEPTION)
        if any(each.exception() for each in ended):
            pool.shutdown(cancel_futures=True)
        found = {name: each.result() for name, each in found.items()}
    print(f"{first} of {experiment} after one seed, by rate and beta1\n")
    print("| plan | " + " | ".join(f"{rate:g}, {moment:g}" for rate, moment in SETTINGS) + " |")
    print("|---" * (1 + len(SETTINGS)) + "|")
    for name, (tried, _, _) in found.items():
        cells = ("" if s not in tried else f"{tried[s][0]:.3g}" if tried[s] else "failed" for s in SETTINGS)
        print(f"| {name} | {' | '.join(cells)} |")
    print(f"\nThe chosen setting, {count} seeds\n")
    print(f"| plan | rate, beta1 | {first} | {second} | seconds |\n|---|---|---|---|---|")
    for name, (_, chosen, row) in found.items():
        if chosen:
            *both, seconds = zip(*filter(None, row))
            cells = " | ".join(cell(values, count) for values in both)
            print(f"| {name} | {chosen[0]:g}, {chosen[1]:g} | {cells} | {min(seconds):.0f} |")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *([sys.argv[3:]] if len(sys.argv) > 3 else []))
