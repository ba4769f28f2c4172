"""Inference requests a second over HTTP: serve_load.py hocket|fastapi [--connections 32] [--seconds 5] [--warm-up 2] [--workers 1]

hocket: trains CartPole's policy 4-64-64-2 for one round, serves the run with `hocket serve` and asks for its logits. fastapi: the
same network in PyTorch behind FastAPI and uvicorn (serve_torch.py), in --workers processes. Each connection sends one
observation as JSON, reads the answer, and sends the next one. The clients share the machine with the server. Prints one number, of
the best second, after --warm-up seconds, in which Java compiles (hocket). Needs Linux or macOS; fastapi, uvicorn and torch for fastapi.
"""
import argparse
import json
import re
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from beside_torch import HERE, HOCKET

OBSERVATION = json.dumps({"observation": [0.01, -0.02, 0.03, 0.04]}) + "\n"
ANSWER = re.compile(rb"HTTP/1\.1 (\d+) .*?\r\n\r\n", re.DOTALL)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)


def request(port, target, *headers):
    lines = [f"POST {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Content-Length: {len(OBSERVATION)}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + OBSERVATION).encode()


def answered(received):
    """Whether an answer is complete; ends the program if it is no success."""
    head = ANSWER.match(received)
    if not head:
        return False
    length = LENGTH.search(head[0])
    if head[1] != b"200" or not length:
        sys.exit(received.decode())
    return len(received) >= head.end() + int(length[1])


def connected(port):
    """A connection; uvicorn listens shortly after it says that the application has started."""
    for _ in range(100):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            time.sleep(0.1)
    sys.exit("the server does not listen")


def load(port, asked, connections, seconds):
    """Keeps all connections busy; returns the answers of each second."""
    selector = selectors.DefaultSelector()
    for _ in range(connections):
        client = connected(port)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(client, selectors.EVENT_READ, bytearray())
        client.sendall(asked)
    counts = [0] * (seconds + 1)
    start = time.perf_counter()
    while (second := int(time.perf_counter() - start)) < seconds:
        for key, _ in selector.select(1):
            part = key.fileobj.recv(1 << 16)
            if not part:
                sys.exit("the server has closed a connection")
            key.data.extend(part)
            if answered(key.data):
                counts[second] += 1
                key.data.clear()
                key.fileobj.sendall(asked)
    for key in list(selector.get_map().values()):
        key.fileobj.close()
    return counts[:seconds]


def started(command, line, times=1, **how):
    """A process, and what it says in the last of so many lines that match."""
    server = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **how)
    said = ""
    for text in server.stdout:
        said += text
        if found := re.search(line, text):
            times -= 1
            if times == 0:
                return server, found
    sys.exit(f"the server does not say its address:\n{said}")


def hocket(folder, options):
    run = Path(folder) / "runs" / "policy"
    train = ["run", "cartpole-ppo", "--set", "total_steps=256", "--set", "on=[]", "--set", "evaluation=null", "--quiet", "--out", run]
    subprocess.run([HOCKET, *train], check=True, stdout=subprocess.DEVNULL)
    server, page = started([HOCKET, "serve", run.parent, "--port", "0"], r"http://[\d.]+:(\d+)/?#token=(\S+)")
    port, token = int(page[1]), f"Authorization: Bearer {page[2]}"
    return server, port, request(port, "/api/runs/policy/infer/act", "Content-Type: application/x-ndjson", token)


def fastapi(folder, options):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    uvicorn = [sys.executable, "-m", "uvicorn", "serve_torch:app", "--port", port, "--no-access-log", "--workers", options.workers]
    server, _ = started(uvicorn, "Application startup complete", options.workers, cwd=HERE)
    return server, port, request(port, "/infer", "Content-Type: application/json")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("server", choices=("hocket", "fastapi"))
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--warm-up", type=int, default=2, help="seconds before those (%(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes of uvicorn (%(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server, port, asked = {"hocket": hocket, "fastapi": fastapi}[options.server](folder, options)
        try:
            print(max(load(port, asked, options.connections, options.warm_up + options.seconds)[options.warm_up :]))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()


if __name__ == "__main__":
    main()
