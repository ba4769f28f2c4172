"""Makes frechet.json beside it: Frechet distances between parts of the optdigits.

usage: frechet.py     (needs numpy, scipy, scikit-learn, mpmath; 30 s)
`scipy` is the formula of shared/peers/digits_gan_torch.py; `exact` is the same value with 50 digits (mpmath), which
shows how many of scipy's digits are right: sqrtm of a nearly singular product keeps about half of them.
`rows` are slices (start, stop, step) of load_digits in its order, `columns` the pixels used (all when absent), x/8 - 1.
"""
import json, os, platform, warnings
import mpmath, numpy as np, scipy, sklearn
from mpmath import mp
from scipy.linalg import sqrtm
from sklearn.datasets import load_digits

warnings.simplefilter("ignore")
mp.dps = 50
X = load_digits().data / 8 - 1


def by_scipy(a, b):
    m1, m2 = a.mean(0), b.mean(0); c1, c2 = np.cov(a, rowvar=False), np.cov(b, rowvar=False)
    return ((m1 - m2) ** 2).sum() + np.trace(c1 + c2 - 2 * np.real(sqrtm(c1 @ c2)))


def moments(x):
    x = mp.matrix(x.tolist()); n, d = x.rows, x.cols
    m = [mp.fsum(x[i, j] for i in range(n)) / n for j in range(d)]
    centred = [[x[i, j] - m[j] for i in range(n)] for j in range(d)]
    c = mp.matrix(d, d)
    for i in range(d):
        for j in range(i + 1):
            c[i, j] = c[j, i] = mp.fdot(centred[i], centred[j]) / (n - 1)
    return m, c


def exact(a, b):
    (m1, c1), (m2, c2) = moments(a), moments(b)
    d = len(m1)
    w, v = mp.eigsy(c1)
    root = v * mp.diag([mp.sqrt(max(x, 0)) for x in w]) * v.T
    product = root * c2 * root
    for i in range(d):
        for j in range(i):
            product[i, j] = product[j, i]
    e = mp.eigsy(product, eigvals_only=True)
    return (mp.fsum((p - q) ** 2 for p, q in zip(m1, m2)) + mp.fsum(c1[i, i] + c2[i, i] for i in range(d))
            - 2 * mp.fsum(mp.sqrt(max(x, 0)) for x in e))


CASES = [
    ("first and second half", (0, 898, 1), (898, 1797, 1), None),
    ("even and odd rows", (0, 1797, 2), (1, 1797, 2), None),
    ("central pixels, full rank", (0, 898, 1), (898, 1797, 1), [r * 8 + c for r in range(2, 6) for c in range(2, 6)]),
    ("fewer rows than values on one side", (0, 40, 1), (40, 1797, 1), None),
    ("fewer rows than values on both sides", (0, 30, 1), (30, 70, 1), None),
    ("a set and itself", (0, 500, 1), (0, 500, 1), None),
]
cases = []
for name, first, second, columns in CASES:
    a, b = (X[slice(*s)][:, columns if columns else slice(None)] for s in (first, second))
    c = {"name": name, "first": first, "second": second}
    if columns:
        c["columns"] = columns
    c["exact"] = float(exact(a, b)); c["scipy"] = float(by_scipy(a, b))
    cases.append(c)
made_with = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
             "scikit-learn": sklearn.__version__, "mpmath": mpmath.__version__}
out = json.dumps({"made_with": made_with, "cases": cases}, indent=1)
open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "frechet.json"), "w").write(out + "\n")
