#!/usr/bin/env python3
"""Compares what TensorBoard reads of a run with what the run's folder has: every figure, every picture, and the histograms of
the checkpoints that are kept. Needs the package tensorboard (pip install tensorboard).

    workbench/command/src/test/scripts/event_files.py RUN...   # runs that are over, or were killed and went on
    workbench/command/src/test/scripts/event_files.py          # trains one: looks while it goes on, kills it with -9, resumes it
"""
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from tensorboard.backend.event_processing import event_accumulator, plugin_event_accumulator
from tensorboard.util import tensor_util

ALL = {kind: 0 for kind in ("scalars", "tensors", "images", "histograms", "compressedHistograms")}
HOCKET = os.environ.get("HOCKET", str(Path(__file__).resolve().parents[4] / "hocket"))


def special(value):
    return float(value.replace("Infinity", "inf")) if isinstance(value, str) else value


def figures(run):
    found = {}
    lines = (run / "metrics.jsonl").read_text().split("\n")
    for line in lines[:-1]:  # behind the last end of a line is nothing, or what is written just now
        one = json.loads(line)
        value = numpy.float32(special(one["value"]))
        found.setdefault(one["turn"] + "/" + one["name"], []).append((one["step"], value, one["time"]))
    return found


def require(equal, what):
    if not equal:
        sys.exit(f"DIFFERENT: {what}")


def same(a, b):
    return a == b or (numpy.isnan(a) and numpy.isnan(b))


def scalars(run, read, written, going_on):
    """Figure by figure; of a run that goes on, as far as both have come."""
    count = 0
    tags = set(read.Tags()["scalars"])
    require(tags == set(written) or going_on, f"series {tags ^ set(written)}")
    for tag in tags & set(written):
        events = read.Scalars(tag)
        require(going_on or len(events) == len(written[tag]), f"{tag}: {len(events)} figures, {len(written[tag])} lines")
        for event, (step, value, when) in zip(events, written[tag]):
            require(event.step == step and same(event.value, value), f"{tag}: {event}, must be {value} at {step}")
            require(abs(event.wall_time - when) < 60, f"{tag}: time {event.wall_time}, must be {when}")
            count += 1
    return count


def shown(run, written):
    """What the page itself is given: its reader turns all into tensors of its plugins."""
    board = plugin_event_accumulator.EventAccumulator(str(run / "tensorboard"), ALL)
    board.Reload()
    for tag, lines in written.items():
        values = [tensor_util.make_ndarray(event.tensor_proto).item() for event in board.Tensors(tag)]
        require(len(values) == len(lines) and all(same(a, line[1]) for a, line in zip(values, lines)), f"page: {tag}")
    return {plugin: len(board.PluginTagToContent(plugin)) for plugin in ("scalars", "images", "histograms")}


def pictures(run, read):
    """Pictures in the order of their steps are the files in the order of their names."""
    files = [file for file in (run / "samples").glob("*.png") if file.stem != "latest"]
    files.sort(key=lambda file: file.stem)
    events = [event for tag in read.Tags()["images"] for event in read.Images(tag)]
    require(len(events) == len(files), f"{len(events)} pictures, {len(files)} files")
    require(all(a.step < b.step for a, b in zip(events, events[1:])), "pictures out of order")
    for event, file in zip(events, files):
        png = file.read_bytes()
        require(event.encoded_image_string == png, f"{file} and the picture at {event.step}")
        require((event.width, event.height) == struct.unpack(">II", png[16:24]), f"size of {file}")
    return len(files)


def checkpoints(run):
    return sorted(one for one in (run / "checkpoints").glob("*") if one.name.isdigit())


def parameters(checkpoint):
    data = (checkpoint / "tensors.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    for name, one in json.loads(data[8 : 8 + length]).items():
        if name.startswith("parameters.") and one["dtype"] in ("F32", "F64"):
            begin, end = one["data_offsets"]
            kind = {"F32": "<f4", "F64": "<f8"}[one["dtype"]]
            yield name[len("parameters.") :], numpy.frombuffer(data[8 + length + begin : 8 + length + end], kind)


def histograms(run, read):
    count = 0
    for checkpoint in checkpoints(run):
        for name, values in parameters(checkpoint):
            events = [event for event in read.Histograms(name) if event.step == int(checkpoint.name)]
            require(len(events) == 1, f"{name} of {checkpoint.name}: {len(events)} histograms")
            found, values = events[0].histogram_value, values.astype("f8")
            require((found.min, found.max) == (values.min(), values.max()), f"range of {name} at {checkpoint.name}")
            edges = [found.min] + list(found.bucket_limit)
            spread, _ = numpy.histogram(values, numpy.maximum.accumulate(edges))
            near = numpy.abs(spread - found.bucket).sum()  # what lies on an edge may be in either bin
            require(found.num == values.size == sum(found.bucket) and near <= 0.02 * values.size + 2, f"{name}: {near}")
            require(numpy.isclose(found.sum, values.sum()), f"sum of {name}")
            count += 1
    return count


def compare(run, going_on=False):
    read = event_accumulator.EventAccumulator(str(run / "tensorboard"), ALL)
    read.Reload()
    written = figures(run)
    count = scalars(run, read, written, going_on)
    if going_on:
        print(f"{run} goes on: {count} figures of {len(written)} series equal so far")
        return
    print(
        f"{run}: equal are {count} figures of {len(written)} series, {pictures(run, read)} pictures and"
        f" {histograms(run, read)} histograms; the page shows {shown(run, written)}"
    )


def train(folder):
    run = folder / "runs" / "digits"
    asked = ["--tensorboard", "--set", "on=[{every: {rounds: 20}, do: [samples]}, {every: {rounds: 70}, do: [save]}]"]
    small = ["--set", "network.width=8", "--set", "turns=100000000", "--out", str(run)]
    process = subprocess.Popen([HOCKET, "run", "digits-gan", "--quiet", *asked, *small], start_new_session=True)
    while len(checkpoints(run)) < 2:
        require(process.poll() is None, "it ended")
        time.sleep(0.2)
    time.sleep(3)
    compare(run, going_on=True)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    saved = int(checkpoints(run)[-1].name)
    left = event_accumulator.EventAccumulator(str(run / "tensorboard"), ALL).Reload()
    last = max(event.step for tag in left.Tags()["scalars"] for event in left.Scalars(tag))
    print(f"killed after turn {last}, the newest checkpoint is of turn {saved}")
    subprocess.run([HOCKET, "run", str(run), "--resume", "--quiet", "--set", f"turns={saved + 700}"], check=True)
    compare(run)


if __name__ == "__main__":
    for given in sys.argv[1:]:
        compare(Path(given))
    if not sys.argv[1:]:
        with tempfile.TemporaryDirectory() as work:
            train(Path(work))
