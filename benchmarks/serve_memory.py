#!/usr/bin/env python3
"""What looking at runs needs: a server of twenty runs on a data set of 100 MB, with a heap of 256 MB.

    benchmarks/serve_memory.py [--runs 20] [--megabytes 100] [--heap 256m] [--hocket ./hocket]

Writes random images, whose rows as floats are four times as large, trains one round on them with a heap of 2 GB, and copies the
run. Then it renames the folder of the data, so that whatever opens it fails, serves all copies with the small heap, and asks for
the list and for all that the page shows and compares of each. It prints the largest memory that the server took and the heap that
is left. Without the data and with the same heap, hocket plan and explain show one of the runs and hocket sample draws of it. With
the data back, training with this heap must fail, or the heap would prove nothing. Needs nothing but Python, and Linux for memory.
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


def opened(server):
    """Address and token that a server says."""
    said = ""
    for line in server.stdout:
        said += line
        page = re.search(r"(http://[\d.]+:\d+)/?#token=(\S+)", line)
        if page:
            return page.groups()
    raise SystemExit("the server does not say its address:\n" + said)


def view(options, address, token):
    """Asks for the list, and for what is shown and compared of each run."""
    begun = time.monotonic()
    status, body = asked(address, token, "/api/runs")
    listed = time.monotonic() - begun
    runs = json.loads(body)["runs"]
    shown = [each["id"] for each in runs if each["status"] == "ended"]
    if status != 200 or len(shown) != options.runs:
        raise SystemExit(f"{len(shown)} of {options.runs} runs are listed as ended: {body.decode()[:2000]}")
    for each in shown:
        for question in QUESTIONS:
            status, body = asked(address, token, f"/api/runs/{each}{question}")
            if status != 200:
                raise SystemExit(f"{each}{question}: {status} {body.decode()}")
    print(f"{len(shown)} runs listed in {listed:.1f} s, viewed and compared in {time.monotonic() - begun:.1f} s"
          f" with -Xmx{options.heap}: {len(shown) * len(QUESTIONS) + 1} answers, all 200")


def resident(process):
    """The most memory that a process had, in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1)) // 1000


def heap(address, token):
    """Java's heap that is in use, in MB, as the server's own metrics say."""
    text = asked(address, token, "/metrics")[1].decode()
    used = re.findall(r'^jvm_memory_used_bytes\{[^}]*area="heap"[^}]*\} (\S+)', text, re.MULTILINE)
    return round(sum(map(float, used)) / 1e6)


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
        (here / "data").rename(here / "gone")
        server = run(options, options.heap, "serve", "runs", cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            address, token = opened(server)
            view(options, address, token)
            print(f"server: {resident(server.pid)} MB resident at most, {heap(address, token)} MB of heap in use,"
                  f" {options.megabytes} MB of data renamed before it began")
        finally:
            server.terminate()
            server.wait()
        for words in (["plan", "runs/run-0"], ["explain", "runs/run-0"],
                      ["sample", "runs/run-0", "--count", "4", "--out", "samples.png"]):
            looking = run(options, options.heap, *words, cwd=here, stdout=subprocess.DEVNULL)
            if looking.wait():
                raise SystemExit(f"hocket {words[0]} needs the data, or more memory")
        print("plan, explain and sample of one of them: without the data")
        (here / "gone").rename(here / "data")
        training = run(options, options.heap, "run", "fashion-gan", "--set", f"data={here / 'data'}", "--set", "rounds=1",
                       cwd=here, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        print("training with this heap " + ("fails, as it must" if training.wait() else "passes: use more data"))


if __name__ == "__main__":
    main()
