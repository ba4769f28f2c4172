"""The time that the matrix products of one update of DQN and SAC take in PyTorch: a bound for training that does nothing else.

usage: agent_products.py [threads]; prints microseconds an update, and the environment steps a second that they alone would allow
with the settings of `rl/dqn-zoo` (half an update a step) and `rl/sac-pendulum` (one a step).
"""
import sys
import time

import torch

UNITS = [256, 256]


def product(m, k, n):
    """Seconds of a product (m, k) by (k, n), the least of eight rounds."""
    a, b, c = torch.randn(m, k), torch.randn(k, n), torch.empty(m, n)
    times = 400
    rounds = []
    for _ in range(9):  # the first one warms up
        start = time.perf_counter()
        for _ in range(times):
            torch.mm(a, b, out=c)
        rounds.append((time.perf_counter() - start) / times)
    return min(rounds[1:])


def network(rows, inputs, outputs, gradients):
    """Seconds of a network's products: forward, by inputs (1) and by weights (2)."""
    sizes = [inputs, *UNITS, outputs]
    seconds = 0
    for left, right in zip(sizes, sizes[1:]):
        seconds += product(rows, left, right)
        seconds += product(rows, right, left) if gradients > 0 else 0
        seconds += product(left, rows, right) if gradients > 1 else 0
    return seconds


torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
dqn = network(64, 4, 2, 2) + network(64, 4, 2, 0)
critic = network(256, 4, 1, 2) + network(256, 4, 1, 0) + network(256, 4, 1, 1)  # its loss, its target, the actor's loss
sac = 2 * critic + network(256, 3, 2, 2) + network(256, 3, 2, 0)
for name, seconds, updates in ("dqn-zoo", dqn, 0.5), ("sac-pendulum", sac, 1):
    print(f"{name}\t{seconds * 1e6:.0f} us an update\t{1 / seconds / updates:,.0f} steps/s at most")
