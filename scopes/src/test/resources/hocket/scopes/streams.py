"""Writes streams.txt, what StreamTest and NormalQuantileTest compare with: python3 streams.py > streams.txt"""
import hashlib

import numpy
import scipy
from scipy.stats import norm

print(f"# Written by streams.py with numpy {numpy.__version__} and scipy {scipy.__version__}.")

print("# philox SEED PATH COUNTER and the first 8 words of numpy.random.Philox")
for seed, path, counter in [(7, "a/b", 3), (0, "generator/noise", 0), (-1, "ü", 1), (2**63 - 1, "a", 2**40)]:
    key = int.from_bytes(hashlib.sha256(path.encode()).digest()[:8], "big")
    philox = numpy.random.Philox(
        key=numpy.array([seed % 2**64, key], dtype=numpy.uint64),
        counter=numpy.array([0, counter, 0, 0], dtype=numpy.uint64),
    )
    print("philox", seed, path, counter, *(f"{int(word):016x}" for word in philox.random_raw(8)))


def quantiles(name, bits, parts):
    """Parts below the middle, where their centres are doubles: near the middle, spread, and into the tail."""
    chosen = {2 ** (bits - 1) - 1, 2 ** (bits - 1) - 2, 0, 1, 2}
    chosen |= {2 ** (bits - 1) * i // parts for i in range(1, parts)}
    chosen |= {2**i for i in range(bits - 1)}
    chosen |= {int(p * 2**bits) + d for p in (0.075, 1.388794386496402e-11) for d in (-1, 0, 1)} - {-1}
    for part in sorted(chosen):
        print(name, part, repr(float(norm.ppf((part + 0.5) / 2**bits))))


print("# double PART and scipy.stats.norm.ppf of the middle of that part of 2^53")
quantiles("double", 53, 64)
print("# float PART and the same of 2^32")
quantiles("float", 32, 32)
