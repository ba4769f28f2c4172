"""One figure in microseconds: a dense tanh network in PyTorch.

python3 benchmarks/dense_torch.py step|infer eager|compile WIDTHS ROWS [THREADS]
for example: dense_torch.py step eager 4-64-64-2 64

step: feed (the tensors are there), forward, mean squared error, backward, fused Adam, loss read.
infer: forward without gradients.
The least of seven blocks, each as long as a fifth of a second at least.
"""

import sys
import time

import torch
from torch import nn

what, mode, widths, rows = sys.argv[1], sys.argv[2], [int(w) for w in sys.argv[3].split("-")], int(sys.argv[4])
torch.set_num_threads(int(sys.argv[5]) if len(sys.argv) > 5 else 2)
torch.manual_seed(0)

layers = []
for i in range(len(widths) - 1):
    layers.append(nn.Linear(widths[i], widths[i + 1]))
    if i < len(widths) - 2:
        layers.append(nn.Tanh())
net = nn.Sequential(*layers)
x, y = torch.rand(rows, widths[0]) * 2 - 1, torch.rand(rows, widths[-1]) * 2 - 1

if what == "step":
    adam = torch.optim.Adam(net.parameters(), lr=1e-3, fused=True)

    def loss(a, b):
        return ((net(a) - b) ** 2).mean()

    compiled = torch.compile(loss) if mode == "compile" else loss

    def once():
        adam.zero_grad(set_to_none=True)
        value = compiled(x, y)
        value.backward()
        adam.step()
        return value.item()

else:
    called = torch.compile(net) if mode == "compile" else net

    def once():
        with torch.inference_mode():
            return called(x)


for _ in range(20):
    once()
times = 1
while True:
    start = time.perf_counter()
    for _ in range(times):
        once()
    if time.perf_counter() - start > 0.2:
        break
    times *= 2
least = float("inf")
for _ in range(7):
    start = time.perf_counter()
    for _ in range(times):
        once()
    least = min(least, (time.perf_counter() - start) / times)
print(1e6 * least)
