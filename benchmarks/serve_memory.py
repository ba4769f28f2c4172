#!/usr/bin/env python3
"""What looking at runs needs: a server of twenty runs on a data set of 100 MB, with a heap of 256 MB.

    benchmarks/serve_memory.py [--runs 20] [--megabytes 100] [--heap 256m] [--hocket ./hocket]

Writes random images, whose rows as floats are four times as large, trains one round on them with a heap of 2 GB, and copies the
run. Then it serves all copies with the small heap, asks for the list and for all that the page shows and compares of each, and
draws samples of one. Opening the data once would end the server. Needs nothing but Python.
"""
import argparse
import json
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIDE = 28
QUESTIONS = ["", "/plan", "/explain", "/experiment", "/about", "/series", "/samples", "/films", "/checkpoints", "/parameters",
             "/log", "/journal"]


def write_images(folder, megabytes):
    """IDX files, as MNIST has them."""
    folder.mkdir()
    count = megabytes * 1_000_000 // (SIDE * SIDE)
    source = random.Random(1)
    with open(folder / "train-images-idx3-ubyte", "wb") as images:
        images.write(struct.pack(">IIII", 0x803, count, SIDE, SIDE))
        for _ in range(count):
            images.write(source.randbytes(SIDE * SIDE))
    with open(folder / "train-labels-idx1-ubyte", "wb") as labels:
        labels.write(struct.pack(">II", 0x801, count) + bytes(i % 10 for i in range(count)))


def run(options, heap, *words, **how):
    environment = dict(os.environ, HOCKET_JAVA_OPTIONS=f"-Xmx{heap}")
    return subprocess.Popen([options.hocket, *map(str, words)], env=environment, text=True, **how)


def trained(options, here, data):
    training = run(options, "2g", "run", "fashion-gan", "--set", f"data={data}", "--set", "rounds=1", "--quiet", "--out",
                   here / "runs" / "run-0", cwd=here)
    if training.wait():
        raise SystemExit("training failed")
    for i in range(1, options.runs):
        shutil.copytree(here / "runs" / "run-0", here / "runs" / f"run-{i}")


def asked(address, token, target):
    request = urllib.request.Request(address + target, headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--heap", default="256m")
    parser.add_argument("--hocket", default=str(ROOT / "hocket"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        write_images(here / "data", options.megabytes)
        trained(options, here, here / "data")
        server = run(options, options.heap, "serve", "runs", cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            said = ""
            for line in server.stdout:
                said += line
                opened = re.search(r"(http://[\d.]+:\d+)/?#token=(\S+)", line)
                if opened:
                    break
            else:
                raise SystemExit("the server does not say its address:\n" + said)
            address, token = opened.groups()
            begun = time.monotonic()
            status, body = asked(address, token, "/api/runs")
            runs = [each["id"] for each in json.loads(body)["runs"]]
            if status != 200 or len(runs) != options.runs:
                raise SystemExit(f"{len(runs)} of {options.runs} runs are listed")
            listed = time.monotonic() - begun
            for each in runs:
                for question in QUESTIONS:
                    status, body = asked(address, token, f"/api/runs/{each}{question}")
                    if status != 200:
                        raise SystemExit(f"{each}{question}: {status} {body.decode()}")
            print(f"{len(runs)} runs listed in {listed:.1f} s, viewed in {time.monotonic() - begun:.1f} s with -Xmx{options.heap}")
        finally:
            server.terminate()
            server.wait()
        drawing = run(options, options.heap, "sample", "runs/run-0", "--count", "4", "--out", "samples.png", cwd=here)
        if drawing.wait():
            raise SystemExit("samples were not drawn")
        reading = run(options, options.heap, "plan", "fashion-gan", "--set", f"data={here / 'data'}", cwd=here,
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print("samples drawn; opening the data with this heap " + ("fails, as it must" if reading.wait() else "passes"))


if __name__ == "__main__":
    main()
