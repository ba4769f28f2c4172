#!/usr/bin/env python3
"""What hostile or heavy use costs: memory, time and answers, of this checkout or of another one that is built.

    benchmarks/robustness.py NAME [ROOT] [--connections 1000]

| NAME      | measures |
|-----------|----------|
| viewing   | the first list of ten runs over 30,000 images of 28x28 by `hocket serve`, in a heap of 512 MB and of 3 GB |
| requests  | a hundred requests for the parameters (34 MB) of a run during a turn that takes longer than a request may |
| scheduler | connections to the scheduler of a launch that send 1 MiB without a newline; then its processes come |
| learner   | connections to a learner that send nothing, and fifty more a second; then two actors come |
| sizes     | a scheduler that has trained on batches of 16 sizes, then closed |

ROOT is the checkout to measure, this one without. Needs Linux, a JDK and Python, nothing else; works in a temporary folder.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import http.client
import json
import os
import random
import re
import resource
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
MIB = 1 << 20


def megabytes(pid, field):
    """VmRSS is what a process has in memory, VmHWM the most it had."""
    return int(re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) >> 10


def allocated(pid):
    """Megabytes that the threads of a Java process, which still run, have allocated in its heap."""
    threads = subprocess.run(["jcmd", str(pid), "Thread.print", "-e"], check=True, capture_output=True, text=True).stdout
    unit = {"B": 1, "K": 1 << 10, "M": MIB, "G": 1 << 30}
    return sum(int(size) * unit[of] for size, of in re.findall(r"allocated=(\d+)([BKMG])", threads)) // MIB


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Command:
    """A hocket command that runs until the end of the `with`, or by itself; its output is in a file."""

    def __init__(self, root, *arguments, java="", **environment):
        self.log = tempfile.NamedTemporaryFile("w+")
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            [root / "hocket", *map(str, arguments)],
            stdout=self.log, stderr=subprocess.STDOUT, env={**os.environ, "HOCKET_JAVA_OPTIONS": java, **environment})

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()

    def said(self):
        return Path(self.log.name).read_text()

    def await_line(self, pattern, seconds=120):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(pattern, self.said())
            if found:
                return found
            time.sleep(0.1)
        raise SystemExit(f"no line {pattern!r} in:\n{self.said()}")

    def megabytes(self, field="VmRSS"):
        return megabytes(self.process.pid, field)

    def ended(self, seconds):
        """In words: by which status, after how long, and its last line where that is not 0."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return f"did not end in {seconds} s"
        last = "" if status == 0 else ": " + (self.said().strip().splitlines() or [""])[-1]
        return f"ended with status {status} after {time.monotonic() - self.began:.0f} s{last}"


def get(address, token, path):
    """Status and body of an answer; 0 where the connection was closed."""
    connection = http.client.HTTPConnection(address.split("//")[1], timeout=180)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def viewing(root, folder, options):
    images, rows = folder / "images", 30_000
    images.mkdir()
    chance = random.Random(7)
    (images / "train-images-idx3-ubyte").write_bytes(struct.pack(">4i", 2051, rows, 28, 28) + chance.randbytes(rows * 784))
    (images / "train-labels-idx1-ubyte").write_bytes(struct.pack(">2i", 2049, rows) + bytes(rows))
    experiment = folder / "images.yaml"
    experiment.write_text(f"""
name: images
network: {{class: hocket.gan.networks.Dcgan, latent: 16, width: 4}}
feeds: {{images: {{class: hocket.gan.data.ImageFiles, data: {images}, batch: 16, resample: each-turn}}}}
turns:
  d: {{program: discriminator, updates: {{"discriminator/**": {{adam: {{rate: 2e-4}}}}}}}}
  g: {{program: generator, updates: {{"generator/**": {{adam: {{rate: 2e-4}}}}}}}}
plan: {{sequence: [d, g]}}
budget: {{rounds: 1}}
""")
    runs = folder / "runs"
    subprocess.run([root / "hocket", "run", experiment, "--out", runs / "0", "--quiet"], check=True)
    for i in range(1, 10):
        shutil.copytree(runs / "0", runs / str(i))
    for heap in "512m", "3g":
        with Command(root, "serve", runs, java=f"-Xmx{heap}") as command:
            address, token = command.await_line(r"(http://[^/\s]+)/#token=(\w+)").groups()
            began = time.monotonic()
            status, body = get(address, token, "/api/runs")
            seconds = time.monotonic() - began
            shown = len(json.loads(body)["runs"]) if status == 200 else 0
            subprocess.run(["jcmd", str(command.process.pid), "GC.run"], check=True, stdout=subprocess.DEVNULL)
            heap_info = subprocess.run(["jcmd", str(command.process.pid), "GC.heap_info"],
                                       check=True, capture_output=True, text=True).stdout
            kept = sum(map(int, re.findall(r"generation .* used (\d+)K", heap_info))) >> 10
            print(f"-Xmx{heap}: status {status} after {seconds:.1f} s, {shown} of 10 runs;"
                  f" then a heap of {kept} MB, resident {command.megabytes()} MB")


def requests(root, folder, options):
    experiment = folder / "long.yaml"
    experiment.write_text("""
name: long
algorithm:
  class: hocket.rl.algorithms.Ppo
  environment: CartPole-v1
  environments: {count: 1}
  total_steps: 1000000
  rollout: 12288
  minibatch: 4096
  epochs: 1
  hidden: [2048, 2048]
""")
    with Command(root, "run", experiment, "--out", folder / "run", "--serve", 0) as command:
        address, token = command.await_line(r"(http://[^/\s]+)/#token=(\w+)").groups()

        def await_step(step):
            while json.loads(get(address, token, "/api/runs/run")[1])["at"]["step"] < step:
                time.sleep(0.05)
            return time.monotonic()

        def round_from(step):  # collect, then three updates
            made, begun = allocated(command.process.pid), time.monotonic()
            collected, updated = await_step(step + 1), await_step(step + 4)
            return (f"collect {collected - begun:.0f} s, updates {updated - collected:.0f} s,"
                    f" {allocated(command.process.pid) - made} MB allocated, at most {command.megabytes('VmHWM')} MB resident")

        await_step(0)
        print(f"a round alone: {round_from(0)}", flush=True)
        with concurrent.futures.ThreadPoolExecutor(100) as pool:
            asked = [pool.submit(get, address, token, "/api/runs/run/parameters") for _ in range(100)]
            print(f"a round while 100 ask: {round_from(4)}")
            print(f"their answers by status: {dict(collections.Counter(answer.result()[0] for answer in asked))}")


def strangers(port, count, bytes_each):
    """Connections that stay open, of which each has sent as many bytes as were taken of it in 15 seconds."""
    unsent = {}
    for _ in range(count):
        try:
            connection = socket.create_connection(("127.0.0.1", port), 5)
        except OSError:
            continue
        connection.setblocking(False)
        unsent[connection] = bytes_each
    chunk, end = b"x" * 65536, time.monotonic() + 15
    while any(unsent.values()) and time.monotonic() < end:
        for connection, left in unsent.items():
            try:
                unsent[connection] -= connection.send(chunk[:left]) if left else 0
            except BlockingIOError:
                pass
            except OSError:
                unsent[connection] = 0  # it was closed
    return list(unsent)


@contextlib.contextmanager
def newcomers(port):
    """Fifty further connections a second, which say nothing."""
    ended = threading.Event()

    def come():
        connections = collections.deque(maxlen=500)
        while not ended.wait(0.02):
            try:
                connections.append(socket.create_connection(("127.0.0.1", port), 5))
            except OSError:
                pass

    thread = threading.Thread(target=come)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def still_open(connections):
    def is_open(connection):
        try:
            return connection.recv(1) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False
    return sum(map(is_open, connections))


def scheduler(root, folder, options):
    port = free_port()
    run = ["run", "gaussian-ring", "--set", "rounds=100", "--out", folder / "run"]
    place = {"HOCKET_SCHEDULER": f"127.0.0.1:{port}", "HOCKET_WORKERS": "2", "HOCKET_SERVERS": "1", "HOCKET_TOKEN": "secret",
             "HOCKET_PATIENCE": "20"}
    with Command(root, *run, TRAINING_ROLE="SCHEDULER", **place) as command:
        await_port(port)
        before = command.megabytes()
        connections = strangers(port, options.connections, MIB - 1)
        print(f"scheduler: {before} MB resident, after {options.connections} connections {command.megabytes()} MB,"
              f" {still_open(connections)} are still open")
        with Command(root, *run, TRAINING_ROLE="PSERVER", HOCKET_RANK="0", **place), \
                Command(root, *run, TRAINING_ROLE="TRAINER", HOCKET_RANK="1", **place), \
                Command(root, *run, TRAINING_ROLE="TRAINER", HOCKET_RANK="0", **place) as worker:
            print(f"worker 0 {worker.ended(180)}")


def await_port(port):
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            time.sleep(1)
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nobody listens at port {port}")


def learner(root, folder, options):
    port = free_port()
    settings = ["run", "cartpole-impala", "--set", "total_steps=20000"]
    token = {"HOCKET_TOKEN": "secret"}
    with Command(root, *settings, "--out", folder / "run", "--actors-at", port, **token) as command:
        command.await_line("others come by")
        before = command.megabytes()
        connections = strangers(port, options.connections, 0)
        time.sleep(1)
        print(f"learner: {before} MB resident, after {options.connections} connections {command.megabytes()} MB,"
              f" {still_open(connections)} are still open")
        place = {"TRAINING_ROLE": "ACTOR", "HOCKET_LEARNER": f"127.0.0.1:{port}", **token}
        with newcomers(port), \
                Command(root, *settings, HOCKET_RANK="0", **place) as first, \
                Command(root, *settings, HOCKET_RANK="1", **place) as second:
            print(f"actor 0 {first.ended(60)}")
            print(f"actor 1 {second.ended(10)}")
            print(f"learner {command.ended(10)}")


def sizes(root, folder, options):
    classpath = subprocess.run([root / "hocket", "classpath"], check=True, capture_output=True, text=True).stdout.strip()
    for kind in "dense", "conv":
        print(kind, flush=True)
        subprocess.run(["java", "-XX:+UseSerialGC", "-Xlog:disable", "--enable-native-access=ALL-UNNAMED",
                        "--add-modules", "jdk.incubator.vector", "-cp", classpath, HERE / "BatchSizes.java", kind],
                       check=True, stderr=subprocess.DEVNULL)


def main():
    names = {measure.__name__: measure for measure in (viewing, requests, scheduler, learner, sizes)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=names)
    parser.add_argument("root", nargs="?", type=Path, default=HERE.parent)
    parser.add_argument("--connections", type=int, default=1000)
    options = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    root = options.root.resolve()
    subprocess.run([root / "hocket", "list"], check=True, stdout=subprocess.DEVNULL)  # builds what is missing
    with tempfile.TemporaryDirectory() as folder:
        names[options.name](root, Path(folder), options)


if __name__ == "__main__":
    main()
