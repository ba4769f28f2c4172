"""Finds rates and moments for each named dynamic: dynamics.py [EXPERIMENT [SEEDS [NAME...]]], by default gaussian-ring, 3 seeds, all

A sweep trains every dynamic with each rate and moment, two runs at a time; the setting with the best score is then trained with
several seeds. Prints both tables. The folders are in runs/dynamics; what is there already is not trained again.
"""
import json
import statistics
import sys
from pathlib import Path

from beside_torch import HERE, HOCKET, call

NAMES = (
    "alternating simultaneous n-critic two-time-scales extragradient extra-adam past-extragradient optimistic implicit lookahead"
    " negative-momentum consensus unrolled symplectic competitive"
).split()
RATES, MOMENTS = ("3e-4", "1e-3", "3e-3"), ("0", "0.5")
FALLING = "{{linear: {{from: {0}, to: {1}, begin: 5000, length: 5000}}}}"
PLAYER = '{0}: {{program: {1}, updates: {{"{1}/**": {{adam: {{rate: {2}, beta1: {3}}}}}}}}}'
AVERAGE = 'ema: {follow: {from: "generator/**", to: "ema/generator/**", decay: 0.999}}'
POINTS = ("populated_modes", "high_quality", 1)
EXPERIMENTS = {  # settings of the search, further turns, a score and one to break ties, and the sign of a better one
    "gaussian-ring": ([], [], *POINTS),
    "grid": ([], [], *POINTS),
    "digits-gan": (["epochs=200"], [AVERAGE], "frechet_distance", "kid", -1),
}
OUT = HERE.parent / "runs/dynamics"


def turns(more, rate, moment):
    if not more:  # rates of points fall: otherwise modes keep moving
        rate = FALLING.format(rate, float(rate) / 10)
    players = [PLAYER.format(turn, network, rate, moment) for turn, network in (("d", "discriminator"), ("g", "generator"))]
    return "{" + ", ".join(players + more) + "}"


def search(experiment, names):
    """Returns the scores of each dynamic by rate and moment; a run that diverged has none."""
    shared, more, score, _, sign = EXPERIMENTS[experiment]
    settings = [(rate, moment) for rate in RATES for moment in MOMENTS]
    found = {}
    for name in names:
        folder = OUT / experiment / name
        if not folder.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            sweep = folder.with_suffix(".yaml")
            sweep.write_text(json.dumps({
                "experiment": experiment,
                "set": {"plan": name, "threads": 1, "on": "[]", **dict(change.split("=") for change in shared)},
                "parameters": {"turns": {"choice": [turns(more, *setting) for setting in settings]}},
                "strategy": "grid",
                "objective": {"maximise" if sign > 0 else "minimise": score},
                "at_once": 2,
            }))
            call(HOCKET, "sweep", sweep, "--out", folder, "--quiet")
        files = [folder / f"trial-{i + 1}/scores.json" for i in range(len(settings))]
        found[name] = {s: json.loads(file.read_text()) for s, file in zip(settings, files) if file.exists()}
    return found


def best(found, first, second, sign):
    return max(found, key=lambda setting: (sign * found[setting][first], sign * found[setting][second]))


def seeds(experiment, name, setting, count):
    _, more, first, second, _ = EXPERIMENTS[experiment]
    folder = OUT / experiment / f"{name}-seeds"
    if not folder.exists():
        changes = [f"--set={change}" for change in (f"plan={name}", f"turns={turns(more, *setting)}", "threads=1", "on=[]")]
        call(HOCKET, "run", experiment, "--seeds", count, "--at-once", 2, *changes, "--out", folder, "--quiet")
    runs = [json.loads(file.read_text()) for file in sorted(folder.glob("seed-*/scores.json"))]
    return [[run[score] for run in runs] for score in (first, second)]


def cell(values):
    return f"{statistics.mean(values):.3g} ± {statistics.stdev(values) if len(values) > 1 else 0:.2g}"


def main(experiment="gaussian-ring", count=3, names=NAMES):
    _, _, first, second, sign = EXPERIMENTS[experiment]
    found = search(experiment, names)
    settings = [(rate, moment) for rate in RATES for moment in MOMENTS]
    print(f"{first} of {experiment}, one seed, by rate and beta1\n")
    print("| plan | " + " | ".join(", ".join(setting) for setting in settings) + " |")
    print("|---" * (1 + len(settings)) + "|")
    for name, scores in found.items():
        print(f"| {name} | " + " | ".join(f"{scores[s][first]:.3g}" if s in scores else "diverged" for s in settings) + " |")
    print(f"\nThe best setting, {count} seeds\n")
    print(f"| plan | rate | beta1 | {first} | {second} |\n|---|---|---|---|---|")
    for name, scores in found.items():
        setting = best(scores, first, second, sign)
        print(f"| {name} | {' | '.join(setting)} | {' | '.join(map(cell, seeds(experiment, name, setting, count)))} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]), *([sys.argv[3:]] if len(sys.argv) > 3 else []))
