#!/usr/bin/env python3
"""How fast one run is in several processes, beside what a model on paper says, and what that says of many hosts.

    benchmarks/scaling.py                       # measures here: some minutes
    benchmarks/scaling.py --rounds 3            # the best of three rounds, taken in turn
    benchmarks/scaling.py --rate 2              # rounds a second of digits-gan in two processes of one thread, and nothing else
    benchmarks/scaling.py --model 534e3 663e3 --compute 9.8e-3 --latency 3e-4 --server 2e-9 --wire 1.25e9

The model. A round of turns that exchange b1, b2, ... bytes takes, with N workers on hosts of their own and S servers,

    T(N) = C/N + F + sum over its turns of (L + b/W + N b s/S)

C: computing in shares (s), F: what every worker does alike, as optimizers do (s), L: an exchange of next to nothing (s), W: the
bandwidth of a host (bytes/s, each way), s: what a server takes for a byte of a worker, in and out (s/byte). On one machine of K
cores, all of it shares the cores: T = sum(L) + (C + N F + sum(N b s)) / min(N, K).

C + F is measured by one process; L and s by two processes on networks whose bytes differ. Needs a quiet machine.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOCKET = str(ROOT / "hocket")


def rate(work, words, settings):
    """Turns or steps a second, as the last line of progress says."""
    out = tempfile.mkdtemp(dir=work)
    run = subprocess.run([HOCKET, *words, "--out", out + "/run", *settings], capture_output=True, text=True)
    found = re.search(r"done in .*?, ([0-9.]+)(k?) (it|steps)/s", run.stderr)
    if run.returncode or not found:
        sys.exit(run.stderr)
    return float(found[1]) * (1000 if found[2] else 1)


def processes(n, words):
    return ["launch", "--workers", str(n), "--threads", "1", *words]


def ways(words):
    """The commands that are compared, by what they are."""
    several = {f"{n} processes": processes(n, words) for n in (2, 4)}
    if not words[0].endswith("-ppo"):  # of which turns of Java look at the weights
        for how in ("average: 8", "stale: 4"):
            several[f"2 processes, {how}"] = [*several["2 processes"], "--set", 'exchange={"**": {' + how + "}}"]
    return {
        "1 processes": ["run", *words, "--threads", "1"],
        **several,
        "2 in-process workers": ["run", *words, "--threads", "2", "--set", "workers=2"],
        "1 process, 2 threads": ["run", *words, "--threads", "2"],
    }


def plan(words):
    facts = json.loads(subprocess.run([HOCKET, "plan", *words, "--processes", "2", "--json"], capture_output=True, text=True).stdout)
    return facts["workers"]["round"], len(facts["workers"]["turns"])


def predicted_here(n, cores, compute, alike, turns, bytes_, latency, server):
    exchange = 0 if n == 1 else turns * latency
    moved = 0 if n == 1 else n * bytes_ * server
    return exchange + (compute + n * alike + moved) / min(n, cores)


def model(bytes_, compute, alike, latency, server, wire, servers):
    print(f"{'workers':>8} {'ms a round':>11} {'speed-up':>9} {'efficiency':>11}   {'of it, servers':>14}")
    for n in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000):
        at = sum(latency + b / wire + n * b * server / servers for b in bytes_) if n > 1 else 0
        adding = sum(n * b * server / servers for b in bytes_) if n > 1 else 0
        t = compute / n + alike + at
        speedup = (compute + alike) / t
        print(f"{n:>8} {1e3 * t:>11.3f} {speedup:>9.2f} {speedup / n:>11.2f}   {adding / t:>14.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--rate", type=int, metavar="PROCESSES", help="prints the rate of digits-gan in them only")
    parser.add_argument("--times", type=float, default=1, help="multiplies the rate, for an ideal one (%(default)s)")
    parser.add_argument("--model", type=float, nargs="+", help="bytes of each exchange of a round; measures nothing")
    parser.add_argument("--compute", type=float, default=9.8e-3)
    parser.add_argument("--alike", type=float, default=0)
    parser.add_argument("--latency", type=float, default=3e-4)
    parser.add_argument("--server", type=float, default=2e-9)
    parser.add_argument("--wire", type=float, default=1.25e9)
    parser.add_argument("--servers", type=int, default=1)
    a = parser.parse_args()
    if a.model:
        return model(a.model, a.compute, a.alike, a.latency, a.server, a.wire, a.servers)
    cores = os.cpu_count()
    gan = ["digits-gan", "--set", "epochs=40", "--set", "d.rate=8e-4", "--set", "g.rate=4e-4"]
    if a.rate:
        with tempfile.TemporaryDirectory() as work:
            print(a.times * rate(work, ["run", *gan, "--threads", "1"] if a.rate == 1 else processes(a.rate, gan), []))
        return
    ring = lambda width: ["gaussian-ring", "--set", f"width={width}", "--set", f"rounds={200_000 // width}"]
    ppo = ["cartpole-ppo", "--set", "total_steps=100000"]
    cases = {"digits-gan": gan, "ring 64": ring(64), "ring 512": ring(512), "cartpole-ppo": ppo}
    best = {}
    with tempfile.TemporaryDirectory() as work:
        for _ in range(a.rounds):
            for name, words in cases.items():
                for what, how in ways(words).items():
                    seen = rate(work, how, [])
                    print(f"{name:>14}  {what:>22}  {seen:>8.1f}/s", file=sys.stderr, flush=True)
                    best[name, what] = max(best.get((name, what), 0), seen)
    # L and s from two networks by two processes: T2 - T1/2 = turns L + 2 b s / 2
    seen = []
    for name in ("ring 64", "ring 512"):
        bytes_, turns = plan(cases[name])
        seen.append((1 / best[name, "2 processes"] - 1 / best[name, "1 processes"] / 2, bytes_, turns))
    (x1, b1, t1), (x2, b2, t2) = seen
    server = (x2 - x1) / (b2 - b1)
    latency = (x1 - b1 * server) / t1
    print(f"an exchange {1e6 * latency:.0f} us, a server {1e9 * server:.2f} ns a byte and worker, {cores} cores")
    for (name, what), value in best.items():
        line = f"{name:>14}  {what:>22}  {value:>8.1f}/s"
        if what.endswith("processes") and name != "cartpole-ppo":
            n = int(what.split()[0])
            bytes_, turns = plan(cases[name])
            t = predicted_here(n, cores, 1 / best[name, "1 processes"], 0, turns, bytes_, latency, server)
            line += f"  model {1 / t:>8.1f}/s"
        print(line)


if __name__ == "__main__":
    main()
