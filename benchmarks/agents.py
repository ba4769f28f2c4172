#!/usr/bin/env python3
"""Trains agents over several seeds and writes their scores: agents.py cartpole-ppo cartpole-a2c --out benchmarks/cartpole.tsv

A score is the mean return of 100 episodes by the most probable actions, of the best evaluation of a run that keeps one, else of its
last parameters. --out appends the rows of algorithm, task, seed and score that `hocket aggregate` reads: of each seed; of the last
parameters, too, where a run keeps its best ones; and once of actions at random, if the file has none of the task. A row is written
as soon as its run has ended.
"""
import argparse
import json
import re
import tempfile
from pathlib import Path

from beside_torch import HOCKET, call

HEAD = "algorithm\ttask\tseed\tscore\n"
FORM = "{:28} {:>16} {:>4} {:>9.2f}"


def rows(name, seed, asked):
    """Returns the rows of one run, and that of actions at random in its environment."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / Path(name).stem
        settings = [f"--set={each}" for each in [f"seed={seed}", *asked.set]]
        call(HOCKET, "run", name, "--quiet", "--threads", asked.threads, *settings, "--out", run)
        file = (run / "experiment.yaml").read_text()
        algorithm = asked.label or re.search(r"class: \"?[\w.]*\.(\w+)", file).group(1)
        task = asked.task or re.search(r"^ *environment: \"?([^\s\"]+)", file, re.MULTILINE).group(1)
        last = json.loads(call(HOCKET, "eval", run, "--json"))
        found = [(algorithm, task, seed, last["return_mean"])]
        if (run / "best").exists():
            best = json.loads(call(HOCKET, "eval", run, "--best", "--json"))
            found = [(algorithm, task, seed, best["return_mean"]), (f"{algorithm}, last", *found[0][1:])]
        return found, ("random", task, 0, last["references"]["random"]["return_mean"])


def append(out, found):
    """Writes rows that the file does not have, and prints them."""
    for algorithm, task, seed, score in found:
        print(FORM.format(algorithm, task, seed, score), flush=True)
        if out:
            written = out.read_text() if out.exists() else HEAD
            if not re.search(f"^{re.escape(algorithm)}\t{re.escape(task)}\t{seed}\t", written, re.MULTILINE):
                out.write_text(f"{written}{algorithm}\t{task}\t{seed}\t{round(score, 2):.15g}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiments", nargs="+", help="names or files of experiments of one agent")
    parser.add_argument("--seeds", type=int, nargs="+", default=range(7, 12), help="seeds of the runs (7 8 9 10 11)")
    parser.add_argument("--threads", type=int, default=1, help="threads of a run (%(default)s)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of all runs")
    parser.add_argument("--label", help="name of the algorithm in the rows, such as one that names a setting")
    parser.add_argument("--task", help="name of the task in the rows, such as one that names a wrapper")
    parser.add_argument("--out", type=Path, help="a file of scores to which the rows are appended")
    asked = parser.parse_args()
    for name in asked.experiments:
        for seed in asked.seeds:
            found, random = rows(name, seed, asked)
            append(asked.out, found)
        append(asked.out, [random])


if __name__ == "__main__":
    main()
