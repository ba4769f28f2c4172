#!/usr/bin/env python3
"""What watching costs: training with 50 WebSocket clients, 10 of which never read, beside training that is served to nobody.

    benchmarks/live_clients.py [--rounds 5] [--clients 50] [--stalled 10] [--epochs 60]

Runs ./hocket run digits-gan --serve 0 in turn without and with clients, and prints the rate of each and the ratio of the best
two. Needs nothing but Python; one thread trains, so that on two cores the clients have the other.
"""
import argparse
import base64
import json
import os
import re
import select
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def connect(address, token, run):
    host, port = re.fullmatch(r"http://([^:]+):(\d+)", address).groups()
    client = socket.create_connection((host, int(port)))
    client.sendall(
        (
            f"GET /api/runs/{run}/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: hocket.v1, token.{token}\r\n\r\n"
        ).encode()
    )
    return client


def watch(clients, read, stop):
    """Reads what comes to those that read, without looking at it."""
    while not stop.is_set() and clients:
        ready, _, _ = select.select(clients, [], [], 0.2)
        for client in ready:
            try:
                data = client.recv(1 << 16)
            except OSError:
                data = b""
            if data:
                read[0] += len(data)
            else:
                clients.remove(client)


def trained(options, clients):
    """The rate of a run in rounds a second, by its own last line; and bytes that clients were sent."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        process = subprocess.Popen(
            [ROOT / "hocket", "run", "digits-gan", "--set", f"epochs={options.epochs}", "--threads", "1", "--serve", "0",
             "--out", run],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        stop, read, sockets = threading.Event(), [0], []
        watching = None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("page") and clients:
                live = json.loads((run / "live.json").read_text())
                sockets = [connect(live["address"], live["token"], live["run"]) for _ in range(clients)]
                watching = threading.Thread(target=watch, args=(sockets[options.stalled:], read, stop))
                watching.start()
        process.wait()
        stop.set()
        if watching:
            watching.join()
        for client in sockets:
            client.close()
        done = re.search(r"done in .*?, ([\d.,]+) it/s", "".join(lines))
        if process.returncode or not done:
            raise SystemExit("".join(lines))
        return float(done.group(1).replace(",", "")), read[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--stalled", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=60)
    options = parser.parse_args()
    subprocess.run([ROOT / "hocket", "list"], check=True, stdout=subprocess.DEVNULL)  # builds what is missing
    alone, watched = [], []
    for turn in range(options.rounds):
        alone.append(trained(options, 0)[0])
        rate, read = trained(options, options.clients)
        watched.append(rate)
        print(f"round {turn + 1}: {alone[-1]:.0f} it/s alone, {rate:.0f} it/s with {options.clients} clients,"
              f" {options.stalled} of them stalled, who were sent {read / 1e6:.1f} MB", flush=True)
    print(f"best: {max(alone):.0f} alone, {max(watched):.0f} watched: {100 * (1 - max(watched) / max(alone)):.1f} % slower")


if __name__ == "__main__":
    main()
