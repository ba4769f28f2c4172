#!/usr/bin/env python3
"""IMPALA with actors in the learner's process and in 1, 2 and 4 of their own: score, steps a second, lag.

    python3 benchmarks/impala_actors.py            # both worlds, a line each; needs nothing but Hocket
    python3 benchmarks/impala_actors.py --kill     # the same with 4 actors, one of which is killed (-9) half way

Steps a second are those of the second half of a run, by metrics.jsonl: what comes before is the start of the processes, too.
"""

import argparse
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

HOCKET = Path(__file__).resolve().parent.parent / "hocket"


def children(process):
    """The processes that one has started, by /proc; a shell in between has replaced itself."""
    return [int(entry.name) for entry in Path("/proc").iterdir()
            if entry.name.isdigit() and parent(entry) == process]


def parent(entry):
    try:
        return int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
    except (OSError, IndexError):
        return 0


def figures(folder, name):
    with open(folder / "metrics.jsonl") as lines:
        rows = (json.loads(line) for line in lines if f'"{name}"' in line)
        return [(row["value"], row["time"]) for row in rows if row["name"] == name]


def second_half(folder):
    steps = figures(folder, "steps")
    half = next(row for row in steps if row[0] >= steps[-1][0] / 2)
    return (steps[-1][0] - half[0]) / max(1e-9, steps[-1][1] - half[1])


def run(experiment, actors, seed, kill):
    with tempfile.TemporaryDirectory() as there:
        folder = Path(there) / "run"
        command = [HOCKET, "run", experiment, "--out", folder, "--set", f"seed={seed}"]
        command += ["--actors", str(actors)] if actors else []
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if kill:
            time.sleep(1)
            while process.poll() is None and not (folder / "checkpoints").is_dir():
                time.sleep(0.05)
            java = process.pid
            actor = sorted(child for child in children(java) if b"TRAINING_ROLE=ACTOR" in environment(child))[0]
            os.kill(actor, signal.SIGKILL)
        said = process.communicate()[0]
        if process.returncode != 0:
            raise SystemExit(f"{experiment} with {actors} actors: {said}")
        score = json.loads((folder / "scores.json").read_text())["return_mean"]
        lag = figures(folder, "lag")
        most = max(value for value, _ in figures(folder, "lag_max"))
        print(f"{experiment:16} actors {actors or 'in process':>10}  seed {seed}  return {score:7.1f}  "
              f"{second_half(folder):9,.0f} steps/s  lag {sum(value for value, _ in lag) / len(lag):5.2f}, most {most:.0f}",
              flush=True)
        for line in said.splitlines():
            if "is lost" in line:
                print("    " + line, flush=True)


def environment(process):
    try:
        return Path(f"/proc/{process}/environ").read_bytes()
    except OSError:
        return b""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--kill", action="store_true")
    arguments.add_argument("--seed", type=int, default=7)
    asked = arguments.parse_args()
    for experiment in ("cartpole-impala", "acrobot-impala"):
        for actors in (4,) if asked.kill else (0, 1, 2, 4):
            run(experiment, actors, asked.seed, asked.kill)


if __name__ == "__main__":
    main()
