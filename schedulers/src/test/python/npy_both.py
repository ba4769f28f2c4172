"""Shows that NumPy reads the .npy and .npz files that Hocket writes, and Hocket those of NumPy.

Needs numpy (seen with 2.4.6, Python 3.11.7). From the root:

    python3 schedulers/src/test/python/npy_both.py make    # the files in the test resources, which NpyTest reads
    mvn test -pl schedulers -am -Dtest='NpyTest#writes*' -Dsurefire.failIfNoSpecifiedTests=false -Dhocket.npy=DIR
    python3 schedulers/src/test/python/npy_both.py check DIR    # DIR by its whole path
"""

import os
import sys

import numpy
from numpy.lib import format

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../resources/hocket/schedulers/formats/npy")
TYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]


def save(name, array, version=(1, 0)):
    with open(os.path.join(OUT, name + ".npy"), "wb") as file:
        format.write_array(file, array, version)


def make():
    os.makedirs(OUT, exist_ok=True)
    counted = numpy.arange(24).reshape(2, 3, 4)  # every array below holds 0, 1, 2, …; b1 whether they are odd
    for of in TYPES:
        array = counted % 2 == 1 if of == "b1" else counted.astype("<" + of)
        save(f"little-{of}", array)
        save(f"big-fortran-{of}", numpy.asfortranarray(array.astype(">" + of)))
    save("float32-2x3", numpy.arange(6, dtype="<f4").reshape(2, 3) / 4 - 1)
    save("float32-5", numpy.arange(5, dtype="<f4"))
    save("float32-scalar", numpy.array(2.5, dtype="<f4"))
    save("float32-0x3", numpy.zeros((0, 3), dtype="<f4"))
    save("version-2", counted, (2, 0))
    save("version-3", counted, (3, 0))
    save("bad-complex", numpy.zeros(2, dtype="<c8"))
    save("bad-text", numpy.array(["ab"], dtype="<U2"))
    save("bad-record", numpy.zeros(2, dtype=[("a", "<f4")]))
    with open(os.path.join(OUT, "bad-object.npy"), "wb") as file:
        format.write_array(file, numpy.array([None]), (1, 0), allow_pickle=True)
    arrays = {"a": counted.astype("<f4"), "b/c": counted.astype(">i2"), "scalar": numpy.array(2.5)}
    numpy.savez(os.path.join(OUT, "stored.npz"), **arrays)
    numpy.savez_compressed(os.path.join(OUT, "deflated.npz"), **arrays)
    numpy.savez_compressed(os.path.join(OUT, "zeros.npz"), zeros=numpy.zeros(1 << 20))


def check(folder):
    wanted = {
        "floats": numpy.array([[1, -0.0, 2.0**-149], [numpy.inf, -numpy.inf, 3.4028234663852886e38]], dtype="<f4"),
        "doubles": numpy.array([[[0.1]], [[2.0**-1074]]]),
        "longs": numpy.array([-(2**63), 2**63 - 1]),
        "scalar ü": numpy.array(2.5),
    }
    with numpy.load(os.path.join(folder, "all.npz")) as archive:
        assert set(archive) == set(wanted), set(archive)
        for name, array in wanted.items():
            for found in archive[name], numpy.load(os.path.join(folder, name + ".npy")):
                assert found.dtype == array.dtype and found.shape == array.shape, name
                assert found.tobytes() == array.tobytes(), name
    print(f"numpy reads {len(wanted)} arrays of Hocket to the bit, alone and in an archive")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make()
    else:
        check(sys.argv[2])
