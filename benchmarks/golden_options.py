"""Options of the scripts that write golden data (sizes, settings of cases, a seed), and the deviation of their weights."""

import argparse
import math


def options(doc, sizes, settings=None):
    """Returns the sizes as given and the seed, and changes `settings`, {case: {setting: number}}, as `--set` says."""
    settings = settings or {}
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    for name, usual in sizes.items():
        if isinstance(usual, (list, tuple)):
            parser.add_argument(f"--{name}", type=type(usual[0]), nargs="+", default=usual, help=f"usually {usual}")
        else:
            parser.add_argument(f"--{name}", type=type(usual), default=usual, help=f"usually {usual}")
    parser.add_argument("--seed", type=int, default=7, help="usually 7")
    if settings:
        parser.add_argument(
            "--set",
            nargs="+",
            default=[],
            metavar="CASE.SETTING=NUMBER",
            help=f"changes settings of cases, usually {settings}",
        )
    given = parser.parse_args()
    for each in given.set if settings else []:
        path, _, number = each.partition("=")
        case, _, setting = path.rpartition(".")
        usual = settings.get(case, {}).get(setting)
        if not isinstance(usual, (int, float)):
            parser.error(f"{each}: there is no such setting")
        settings[case][setting] = type(usual)(number)
    return [getattr(given, name) for name in [*sizes, "seed"]]


def deviation(shape):
    """Returns the standard deviation of weights (outputs, inputs, ...): 1/2, less in wide layers to keep values small."""
    return 0.5 * min(1, math.sqrt(8 / shape[1])) if len(shape) in (2, 4) else 0.5
