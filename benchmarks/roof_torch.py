"""What this machine can do: roof_torch.py [threads]. Prints GFLOP/s of a product of float32 matrices, 2048 × 2048 each, and GB/s of a
copy of 256 MiB, read and written, both by PyTorch and the best of ten."""
import sys
import time

import torch

torch.set_num_threads(int(sys.argv[1]) if len(sys.argv) > 1 else 2)


def best(work):
    work()
    seconds = []
    for _ in range(10):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


a, b = torch.randn(2048, 2048), torch.randn(2048, 2048)
c = torch.empty(2048, 2048)
source, target = torch.zeros(64 << 20), torch.empty(64 << 20)
print(2 * 2048**3 / best(lambda: torch.mm(a, b, out=c)) / 1e9, 2 * 4 * (64 << 20) / best(lambda: target.copy_(source)) / 1e9)
