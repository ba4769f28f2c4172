#!/usr/bin/env python3
"""Two network namespaces as two hosts: trains one run of two workers, one on each, over a link between them.

    sudo distributed/src/test/scripts/two_hosts.py                              # a plain link
    sudo distributed/src/test/scripts/two_hosts.py --delay 50 --loss 1 --set epochs=2    # 50 ms each way, 1 of 100 packets lost
    sudo distributed/src/test/scripts/two_hosts.py digits-gan --set epochs=20   # what is trained, as of hocket run

Needs root, iproute2 and Linux. Where the kernel has no netem, the link is a pair of TUN devices and this script carries the
packets between them: late, and not all. The losses of a seed are the same, as far as the packets are. The end is compared with
that of one process: the largest difference of a parameter is printed.
"""

import argparse
import ctypes
import fcntl
import heapq
import os
import random
import selectors
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
HOSTS = {"hocket-a": "10.77.0.1", "hocket-b": "10.77.0.2"}
TUNSETIFF, IFF_TUN, IFF_NO_PI, CLONE_NEWNET = 0x400454CA, 0x0001, 0x1000, 0x40000000


def sh(*words):
    subprocess.run(words, check=True)


def tun(host):
    """Opens a TUN device in a namespace, from which packets are read here."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/self/ns/net") as own, open(f"/var/run/netns/{host}") as other:
        if libc.setns(other.fileno(), CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        try:
            device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", b"wire", IFF_TUN | IFF_NO_PI))
        finally:
            libc.setns(own.fileno(), CLONE_NEWNET)
    return device


class Carrier(threading.Thread):
    """Carries packets between two devices: each after a delay, some never."""

    def __init__(self, devices, delay, loss, seed):
        super().__init__(daemon=True)
        self.devices, self.delay, self.loss = devices, delay, loss
        self.random = random.Random(seed)
        self.carried = self.lost = 0

    def run(self):
        selector = selectors.DefaultSelector()
        a, b = self.devices
        other = {a: b, b: a}
        for device in self.devices:
            selector.register(device, selectors.EVENT_READ)
        waiting, number = [], 0
        while True:
            now = time.monotonic()
            while waiting and waiting[0][0] <= now:
                _, _, to, packet = heapq.heappop(waiting)
                try:
                    os.write(to, packet)
                except OSError:
                    self.lost += 1  # the device's queue is full, as a router's
            timeout = max(0, waiting[0][0] - now) if waiting else 1
            for key, _ in selector.select(timeout):
                for _ in range(64):
                    try:
                        packet = os.read(key.fd, 65536)
                    except BlockingIOError:
                        break
                    if self.random.random() < self.loss:
                        self.lost += 1
                        continue
                    self.carried += 1
                    number += 1
                    heapq.heappush(waiting, (time.monotonic() + self.delay, number, other[key.fd], packet))


def link(delay, loss, seed):
    for host in HOSTS:
        sh("ip", "netns", "add", host)
        sh("ip", "netns", "exec", host, "ip", "link", "set", "lo", "up")
    a, b = HOSTS
    carrier = None
    if not delay and not loss:
        sh("ip", "link", "add", "hocket-link", "netns", a, "type", "veth", "peer", "name", "hocket-link", "netns", b)
        device = "hocket-link"
    else:
        carrier = Carrier([tun(host) for host in HOSTS], delay, loss, seed)
        device = "wire"
    for host, address in HOSTS.items():
        sh("ip", "netns", "exec", host, "ip", "address", "add", address + "/24", "dev", device)
        sh("ip", "netns", "exec", host, "ip", "link", "set", device, "up")
    if carrier:
        carrier.start()
    return carrier


def unlink():
    for host in HOSTS:
        subprocess.run(["ip", "netns", "del", host], stderr=subprocess.DEVNULL)


def tensors(file):
    import json

    data = file.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    for name, each in header.items():
        if name != "__metadata__":
            first, last = each["data_offsets"]
            if each["dtype"] == "F32":
                yield name, struct.unpack(f"<{(last - first) // 4}f", body[first:last])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0, help="milliseconds each way")
    parser.add_argument("--loss", type=float, default=0, help="packets of 100 that get lost")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--hocket", default=str(ROOT / "hocket"))
    parser.add_argument("--compare", action="store_true", help="train in one process, too, and compare the parameters")
    parser.add_argument("experiment", nargs="?", default="digits-gan")
    arguments, settings = parser.parse_known_args()
    if os.geteuid():
        sys.exit("needs root, to make network namespaces")
    work = Path(tempfile.mkdtemp(prefix="hocket-hosts"))
    hosts, shell = work / "hosts", work / "shell"
    hosts.write_text("".join(host + "\n" for host in HOSTS))
    shell.write_text('#!/bin/sh\nexec ip netns exec "$1" sh -c "$2"\n')
    shell.chmod(0o755)
    unlink()
    try:
        carrier = link(arguments.delay / 1000, arguments.loss / 100, arguments.seed)
        for host in HOSTS.values():
            ping = ["ip", "netns", "exec", "hocket-a", "ping", "-c", "3", "-i", "0.2", "-q", host]
            if shutil.which("ping"):
                print(subprocess.run(ping, capture_output=True, text=True).stdout.strip().splitlines()[-1])
        began = time.monotonic()
        status = subprocess.run(
            ["ip", "netns", "exec", "hocket-a", arguments.hocket, "launch", "--workers", "2", "--servers", "1"]
            + ["--hosts", str(hosts), "--address", HOSTS["hocket-a"], "--ssh", str(shell), "--hocket", arguments.hocket]
            + ["--threads", "1", "--out", str(work / "two"), arguments.experiment] + settings
        ).returncode
        print(f"status {status} after {time.monotonic() - began:.1f} s")
        if carrier:
            print(f"{carrier.carried} packets carried, {carrier.lost} lost")
        if status == 0 and arguments.compare:
            one = [arguments.hocket, "run", arguments.experiment, "--quiet", "--threads", "1", "--out", str(work / "one")]
            sh(*one, *settings)
            files = [next((work / run).glob("checkpoints/0*/tensors.safetensors")) for run in ("one", "two")]
            first, second = (dict(tensors(file)) for file in files)
            worst = max(abs(x - y) for name in first if name.startswith("parameters.") for x, y in zip(first[name], second[name]))
            print(f"largest difference of a parameter from one process: {worst:.2g}")
        sys.exit(status)
    finally:
        unlink()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
