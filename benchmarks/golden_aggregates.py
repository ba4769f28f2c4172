#!/usr/bin/env python3
"""Values for schedulers/src/test/resources/golden/aggregates.json: aggregates of scores of several tasks, by numpy and scipy.

Each case has two algorithms x and y, for each task the scores of its seeds. Expected are the interquartile mean, the median and the mean
of x, its performance profile, and the probability that x improves on y. An end of a 95 % bootstrap interval is itself an estimate, from
RESAMPLES resamples here and `resamples` there; expected is that it lies between two percentiles of the resamples here, five standard errors
of the share of resamples below it away from 2.5 % or 97.5 %. That holds for any distribution, also for one with few values.

If rliable is installed, everything is compared with it where all tasks have as many seeds, as it needs; the script fails if they differ.

    pip install numpy scipy rliable "pandas<3"
    python benchmarks/golden_aggregates.py > schedulers/src/test/resources/golden/aggregates.json
"""

import json
import sys

import numpy as np
import scipy.stats
from golden_options import options

try:
    import rliable.library
    import rliable.metrics
except ImportError:
    rliable = None

RESAMPLES = 200_000
THERE, SEED = options(__doc__, {"resamples": 50_000})  # resamples of the implementation that is tested
PYTHON = 5_000  # resamples of rliable, which is slow
BLOCK = 20_000
ERRORS = 5
random = np.random.default_rng(SEED)


def iqm(x):
    return scipy.stats.trim_mean(np.concatenate(x), 0.25)


def median(x):
    return np.median([np.mean(task) for task in x])


def mean(x):
    return np.mean([np.mean(task) for task in x])


def profile(x, thresholds):
    return np.mean(np.concatenate(x)[:, None] > thresholds, axis=0)


def improvement(x, y):
    return np.mean([scipy.stats.mannwhitneyu(a, b).statistic / (len(a) * len(b)) for a, b in zip(x, y)])


def resampled(x, count):
    """For each task (count, seeds)."""
    return [task[random.integers(len(task), size=(count, len(task)))] for task in x]


def statistics(x, y, thresholds, count):
    """The statistics of count resamples: (count, statistics)."""
    x, y = resampled(x, count), resampled(y, count)
    runs = np.sort(np.concatenate(x, axis=1), axis=1)
    cut = int(0.25 * runs.shape[1])
    means = np.stack([task.mean(1) for task in x], 1)
    shares = [(runs > threshold).mean(1) for threshold in thresholds]
    # one task after the other, as all pairs of all tasks are many
    pairs = [(np.sign(a[:, :, None] - b[:, None, :]) / 2 + 0.5).mean((1, 2)) for a, b in zip(x, y)]
    columns = [runs[:, cut : runs.shape[1] - cut].mean(1), np.median(means, 1), means.mean(1), np.mean(pairs, 0)]
    return np.stack(columns + shares, 1)


def bounds(values, share, resamples):
    error = ERRORS * np.sqrt(share * (1 - share) * (1 / RESAMPLES + 1 / resamples))
    return np.percentile(values, [100 * (share - error), 100 * (share + error)], axis=0)


def case(name, x, y, thresholds):
    x, y = [[np.asarray(task, dtype=float) for task in each] for each in (x, y)]
    thresholds = np.asarray(thresholds, dtype=float)
    values = np.concatenate([[iqm(x), median(x), mean(x), improvement(x, y)], profile(x, thresholds)])
    blocks = [statistics(x, y, thresholds, BLOCK) for _ in range(RESAMPLES // BLOCK)]
    drawn = np.concatenate(blocks)
    low, high = bounds(drawn, 0.025, THERE), bounds(drawn, 0.975, THERE)
    if rliable and len({len(task) for task in x}) == 1 and len({len(task) for task in y}) == 1:
        compare(name, np.stack(x, 1), np.stack(y, 1), thresholds, values, drawn)
    estimates = [
        {"value": values[i], "low": low[:, i].tolist(), "high": high[:, i].tolist()} for i in range(len(values))
    ]
    return {
        "name": name,
        "x": [task.tolist() for task in x],
        "y": [task.tolist() for task in y],
        "iqm": estimates[0],
        "median": estimates[1],
        "mean": estimates[2],
        "improvement": estimates[3],
        "thresholds": thresholds.tolist(),
        "profile": estimates[4:],
    }


def compare(name, x, y, thresholds, values, drawn):
    m = rliable.metrics
    aggregates = lambda s: np.array([m.aggregate_iqm(s), m.aggregate_median(s), m.aggregate_mean(s)])
    np.random.seed(1)
    points, ends = rliable.library.get_interval_estimates({"x": x}, aggregates, reps=PYTHON)
    pairs, pair_ends = rliable.library.get_interval_estimates(
        {"x": [x, y]}, m.probability_of_improvement, reps=PYTHON // 5
    )
    shares, share_ends = rliable.library.create_performance_profile({"x": x}, thresholds, reps=PYTHON)
    np.testing.assert_allclose(np.concatenate([points["x"], [pairs["x"]], shares["x"]]), values, rtol=1e-12, atol=0)
    all_ends = np.concatenate([ends["x"], np.reshape(pair_ends["x"], (2, 1)), share_ends["x"]], 1)
    for end, share in enumerate((0.025, 0.975)):
        resamples = np.array([PYTHON] * 3 + [PYTHON // 5] + [PYTHON] * len(thresholds))
        for i, there in enumerate(resamples):
            least, most = bounds(drawn[:, i], share, there)
            assert least - 1e-12 <= all_ends[end, i] <= most + 1e-12, (name, share, i, all_ends[end, i], least, most)
    print(f"{name}: rliable agrees", file=sys.stderr)


def cases():
    def normal(means, seeds, deviation):
        return [np.round(m + deviation * random.normal(size=n), 6) for m, n in zip(means, seeds)]

    yield case(
        "five tasks of ten seeds",
        normal([0.2, 0.5, 0.9, 1.1, 0.7], [10] * 5, 0.2),
        normal([0.3, 0.4, 0.7, 1.0, 0.6], [10] * 5, 0.3),
        np.linspace(0, 1.5, 16),
    )
    yield case(
        "26 tasks of three seeds with outliers",
        [np.round(np.exp(1.5 * random.normal(size=3)), 6) for _ in range(26)],
        [np.round(np.exp(1.2 * random.normal(size=3)), 6) for _ in range(26)],
        [0.1, 0.5, 1, 2, 8],
    )
    yield case(
        "different numbers of seeds",
        normal([0.2, -0.5, 0.9, 30], [3, 7, 5, 12], 0.4),
        normal([0.1, -0.5, 1.2, 29], [10, 4, 5, 6], 0.8),
        [-1, 0, 0.5, 1, 29.5],
    )
    yield case(
        "scores with ties, some of them the thresholds",
        [random.integers(0, 4, 6) for _ in range(3)],
        [random.integers(0, 4, 6) for _ in range(3)],
        [0, 1, 2, 3],
    )
    yield case("one task", normal([100], [5], 30), normal([120], [5], 30), [80, 100, 120])
    yield case("one seed each", [[1], [4], [-2.5]], [[0], [4], [3]], [-2.5, 0, 4])


print(json.dumps({"resamples": THERE, "cases": list(cases())}))
