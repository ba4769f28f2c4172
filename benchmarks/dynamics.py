"""Finds rates and moments for each named dynamic: dynamics.py [EXPERIMENT [SEEDS [NAME...]]], by default gaussian-ring, 3 seeds, all

Trains every dynamic with each rate and moment and one seed, then the best setting with more seeds. Prints the scores of all
settings, and those of the best with the seconds of its fastest run; the seed that chose it is among them. The folders are in
runs/dynamics; finished runs there are not trained again. A run that fails, for example because a weight is not finite, has no
scores: its setting is never the best.
"""
import json
import os
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from beside_torch import HERE, HOCKET

NAMES = (
    "alternating simultaneous n-critic two-time-scales extragradient extra-adam past-extragradient optimistic implicit lookahead"
    " negative-momentum consensus unrolled symplectic competitive"
).split()
SETTINGS = [(rate, moment) for rate in (1e-3, 3e-3) for moment in (0, 0.5)]
FIRST_SEED = 7
POINTS = ("populated_modes", "high_quality", 1)
EXPERIMENTS = {  # further settings, a score and one to break ties, and the sign of a better one
    "gaussian-ring": ([], *POINTS),
    "grid": ([], *POINTS),
    "digits-gan": (["width=16", "epochs=150"], "frechet_distance", "kid", -1),
}


def train(experiment, name, setting, seed):
    """Returns both scores and the seconds of a run, or none if it failed."""
    shared, rate, moment = EXPERIMENTS[experiment][0], *setting
    folder = HERE.parent / f"runs/dynamics/{experiment}/{name}/{rate:g}-{moment:g}/seed-{seed}"
    changes = [f"plan={name}", f"seed={seed}", "threads=1", "on=[]", *shared]
    for turn in "dg":
        # Rates of points fall in the second half, as in the files; of images they stay.
        key = f"{turn}.rate"
        changes += [f"{key}={rate}"] if shared else [f"{key}.from={rate}", f"{key}.to={rate / 10}"]
        changes.append(f"{turn}.beta1={moment}")
    done = folder / "outcome.json"
    if not done.exists():
        run = [folder, "--resume"] if folder.exists() else [experiment, "--out", folder, *(f"--set={each}" for each in changes)]
        ended = subprocess.run([HOCKET, "run", *map(str, run), "--quiet"], capture_output=True, text=True)
        if ended.returncode not in (0, 1):
            sys.exit(ended.stderr)
        done.write_text(json.dumps(outcome(experiment, folder) if ended.returncode == 0 else None))
    return json.loads(done.read_text())


def outcome(experiment, folder):
    scores = json.loads((folder / "scores.json").read_text())
    times = [json.loads(line)["time"] for line in (folder / "metrics.jsonl").open()]
    return [scores[score] for score in EXPERIMENTS[experiment][1:3]] + [max(times) - min(times)]


def cell(values, count):
    """Mean and standard deviation of the seeds that did not fail, and their number if some did."""
    spread = f" ± {statistics.stdev(values):.2g}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.3g}{spread}" + (f" ({len(values)} of {count})" if len(values) < count else "")


def main(experiment="gaussian-ring", count=3, names=NAMES):
    _, first, second, sign = EXPERIMENTS[experiment]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = {(name, s): pool.submit(train, experiment, name, s, FIRST_SEED) for name in names for s in SETTINGS}
        best = {}
        print(f"{first} of {experiment}, one seed, by rate and beta1\n")
        print("| plan | " + " | ".join(f"{rate:g}, {moment:g}" for rate, moment in SETTINGS) + " |")
        print("|---" * (1 + len(SETTINGS)) + "|")
        for name in names:
            whole = {s: found[name, s].result() for s in SETTINGS if found[name, s].result()}
            print(f"| {name} | {' | '.join(f'{whole[s][0]:.3g}' if s in whole else 'failed' for s in SETTINGS)} |", flush=True)
            if whole:
                best[name] = max(whole, key=lambda s: [sign * score for score in whole[s][:2]])
        seeds = range(FIRST_SEED, FIRST_SEED + count)
        rows = {name: [pool.submit(train, experiment, name, s, seed) for seed in seeds] for name, s in best.items()}
        print(f"\nThe best setting, {count} seeds\n")
        print(f"| plan | rate, beta1 | {first} | {second} | seconds |\n|---|---|---|---|---|")
        for name, row in rows.items():
            *both, seconds = zip(*filter(None, (each.result() for each in row)))
            cells = " | ".join(cell(values, count) for values in both)
            print(f"| {name} | {best[name][0]:g}, {best[name][1]:g} | {cells} | {min(seconds):.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *([sys.argv[3:]] if len(sys.argv) > 3 else []))
