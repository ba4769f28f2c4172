"""Runs Hocket and PyTorch programs one after the other, for the scripts that compare the two."""
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
HOCKET = str(HERE.parent / "hocket")


def call(*command):
    """Returns what a command prints; ends this program with what it says if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def train(run, *command):
    """Runs an experiment and returns milliseconds a round, without the first 20."""
    call(HOCKET, "run", *command, "--out", run)
    times = {row["round"]: row["time"] for row in map(json.loads, (run / "metrics.jsonl").open())}
    later = [number for number in times if number >= 20]
    if not later or max(times) == min(later):
        sys.exit("rounds must be more than 20: the first 20 are not timed")
    first = min(later)
    return 1000 * (times[max(times)] - times[first]) / (max(times) - first)


def torch(script, *arguments):
    """Runs a PyTorch script, which prints milliseconds a round."""
    return float(call(sys.executable, HERE / script, *arguments))
