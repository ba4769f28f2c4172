"""Makes the folder npy/ beside it: arrays as numpy.save writes them.

usage: npy.py     (made with Python 3.11.7 and numpy 2.4.6)
"""
import os
import numpy as np

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npy")
os.makedirs(OUT, exist_ok=True)
for name, array in {
    "float32-2x3.npy": np.arange(6, dtype=np.float32).reshape(2, 3) / 4 - 1,
    "float32-5.npy": np.arange(5, dtype=np.float32),
    "float32-scalar.npy": np.array(2.5, dtype=np.float32),
    "float32-0x3.npy": np.zeros((0, 3), dtype=np.float32),
    "bad-float64.npy": np.arange(6.0).reshape(2, 3),
    "bad-big-endian.npy": np.arange(6, dtype=">f4"),
    "bad-fortran.npy": np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
}.items():
    np.save(os.path.join(OUT, name), array)
