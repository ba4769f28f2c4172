#!/usr/bin/env python3
"""Judges samples of digits independently of Hocket: score_digits.py FILE.npy...

FILE.npy: float32 (N, 1, 8, 8) in -1..1, as `./hocket sample RUN --count 1797 --out FILE.npy` writes it.
Prints, for each file and their mean: the Frechet distance in pixel space to all 1,797 real digits, the share of samples
to which an SVM gives a probability above 0.9, and the share of the rarest class. Needs numpy, scipy, scikit-learn.
"""
import sys

import numpy as np
from scipy.linalg import sqrtm
from sklearn.datasets import load_digits
from sklearn.svm import SVC


def main(files):
    images, labels = load_digits(return_X_y=True)
    real = images / 8 - 1
    judge = SVC(gamma=0.02, C=10, probability=True, random_state=0).fit(real, labels)
    rows = []
    for file in files:
        samples = np.load(file)
        assert samples.dtype == np.float32 and samples.shape[1:] == (1, 8, 8), (samples.dtype, samples.shape)
        assert np.abs(samples).max() <= 1, "values must be in -1..1"
        samples = samples.reshape(len(samples), 64).astype(np.float64)
        means = real.mean(0) - samples.mean(0)
        first, second = np.cov(real, rowvar=False), np.cov(samples, rowvar=False)
        distance = (means**2).sum() + np.trace(first + second - 2 * np.real(sqrtm(first @ second)))
        p = judge.predict_proba(samples)
        classes = np.bincount(p.argmax(1), minlength=10) / len(samples)
        rows.append((distance, (p.max(1) > 0.9).mean(), classes.min()))
        print(f"{file}: frechet {rows[-1][0]:.4f}  confident {rows[-1][1]:.4f}  smallest class {rows[-1][2]:.4f}")
    print("mean: frechet %.4f  confident %.4f  smallest class %.4f" % tuple(np.mean(rows, axis=0)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
