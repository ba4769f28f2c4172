"""PyTorch's fused Adam on one array: adam_torch.py ELEMENTS [threads]. Prints microseconds, the best of 12 rounds."""
import sys
import time

import torch

elements = int(sys.argv[1])
torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 2)
weight = torch.nn.Parameter(torch.randn(elements))
weight.grad = torch.randn(elements)
adam = torch.optim.Adam([weight], 1e-6, fused=True)
steps = max(3, 20_000_000 // elements)
best = float("inf")
for _ in range(12):
    start = time.perf_counter()
    for _ in range(steps):
        adam.step()
    best = min(best, (time.perf_counter() - start) / steps)
print(f"{best * 1e6:.1f}")
