"""Shows that the safetensors package reads what Hocket writes, and Hocket what the package writes.

Needs safetensors and numpy (seen with 0.8.0 and 2.4.6). From the root, with DIR a folder by its whole path:

    python3 schedulers/src/test/python/safetensors_both.py write DIR
    mvn test -pl schedulers -am -Dtest='SafetensorsTest#writesAndReads*' -Dsurefire.failIfNoSpecifiedTests=false \
        -Dhocket.safetensors=DIR
    python3 schedulers/src/test/python/safetensors_both.py check DIR
"""

import os
import sys

import numpy
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

RANDOM = numpy.random.default_rng(15)
BITS = {numpy.dtype(numpy.float32): numpy.uint32, numpy.dtype(numpy.float64): numpy.uint64}


def tensors():
    """Every type that both know, with its extremes; all float16 there are."""
    made = {"f16": numpy.arange(1 << 16, dtype=numpy.uint16).view(numpy.float16).reshape(256, 256)}
    for name in ["f4", "f8"]:
        values = RANDOM.standard_normal(60).astype(name)
        limits = numpy.finfo(name)
        values[:7] = [numpy.nan, numpy.inf, -numpy.inf, -0.0, limits.max, limits.tiny, limits.smallest_subnormal]
        made["float/" + name] = values.reshape(3, 4, 5)
    for name in ["i1", "i2", "i4", "i8", "u1", "u2", "u4"]:
        limits = numpy.iinfo(name)
        made["whole/" + name] = numpy.array([limits.min, limits.max, 0, 1, limits.max // 3], dtype=name)
    made["bool"] = numpy.array([[True, False], [False, True]])
    made["scalar ü 𝄞"] = numpy.array(2.5)
    return made


def same(name, found, wanted):
    assert found.shape == wanted.shape and found.dtype == wanted.dtype, (name, found.dtype, found.shape)
    if wanted.dtype in BITS:
        nan = numpy.isnan(wanted)
        assert (numpy.isnan(found) == nan).all(), name
        found, wanted = (numpy.where(nan, 0, it).view(BITS[wanted.dtype]) for it in (found, wanted))
    assert (found == wanted).all(), name


def check(folder):
    written = load_file(os.path.join(folder, "of-hocket.safetensors"))
    wanted = {
        "a": numpy.array([1, -0.0, 2.0**-149], dtype="f4"),
        'b/ünïcode "quoted"': numpy.array([[0.1], [-numpy.inf]]),
        "c": numpy.array(-(2**63)),
        "d": numpy.array([[[numpy.nan, 2]]], dtype="f4"),
        "e 𝄞": numpy.array([2**53 + 1, -1]),
    }
    assert set(written) == set(wanted), set(written)
    for name, tensor in wanted.items():
        same(name, written[name], tensor)
    with safe_open(os.path.join(folder, "of-hocket.safetensors"), "np") as file:
        assert file.metadata() == {"format": "np"}, file.metadata()
    print(f"the package reads {len(wanted)} tensors of Hocket to the bit")

    read = load_file(os.path.join(folder, "python-read-by-hocket.safetensors"))
    wanted = tensors()
    assert set(read) == set(wanted), set(read)
    for name, tensor in wanted.items():
        kind = {"f": "f4" if tensor.dtype.itemsize < 8 else "f8"}.get(tensor.dtype.kind, "i8")
        same(name, read[name], tensor.astype(kind))
    with safe_open(os.path.join(folder, "python-read-by-hocket.safetensors"), "np") as file:
        assert file.metadata() == {"made by": "é"}, file.metadata()
    print(f"Hocket reads {len(wanted)} tensors of the package to the bit")


if __name__ == "__main__":
    task, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    if task == "write":
        save_file(tensors(), os.path.join(folder, "of-python.safetensors"), {"made by": "é"})
    else:
        check(folder)
