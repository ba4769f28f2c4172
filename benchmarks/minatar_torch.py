"""The MinAtar policy of `hocket bench minatar/ROWS` in PyTorch: minatar_torch.py infer|step eager|compile ROWS [threads]

Images (4, 10, 10), a convolution of 16 filters 3x3, a dense layer of 128, 6 actions; a step has a value too, and fused Adam.
Prints microseconds, the best of six rounds.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

what, mode, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(int(sys.argv[4]) if len(sys.argv) > 4 else 2)
torch.manual_seed(0)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.hidden = nn.Conv2d(4, 16, 3), nn.Linear(1024, 128)
        self.logits, self.value = nn.Linear(128, 6), nn.Linear(128, 1)

    def forward(self, x):
        h = F.relu(self.hidden(F.relu(self.conv(x)).flatten(1)))
        return (self.logits(h), self.value(h).squeeze(1)) if what == "step" else self.logits(h)


policy = Policy()
run = torch.compile(policy) if mode == "compile" else policy
x, action = torch.rand(rows, 4, 10, 10), torch.arange(rows) % 6
advantage, goal = torch.rand(rows), torch.rand(rows)
adam = torch.optim.Adam(policy.parameters(), 1e-3, fused=True)


def infer():
    with torch.inference_mode():
        run(x)


def step():
    adam.zero_grad(set_to_none=True)
    logits, value = run(x)
    loss = (advantage * F.cross_entropy(logits, action, reduction="none")).mean() + 0.5 * (value - goal).square().mean()
    loss.backward()
    adam.step()
    return loss.item()


work = step if what == "step" else infer
for _ in range(200):
    work()
best = float("inf")
for _ in range(6):
    start = time.perf_counter()
    for _ in range(500):
        work()
    best = min(best, (time.perf_counter() - start) / 500)
print(f"{best * 1e6:.1f}")
