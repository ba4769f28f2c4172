"""Augmentations of given images by given draws, and their gradients, for gan/src/test/resources/golden/augmentations.json.

DiffAugment (Zhao et al. 2020): the formulas of its public code, typed again, with the uniform draws as inputs.

    python benchmarks/golden_augmentations.py > gan/src/test/resources/golden/augmentations.json
"""

import json

import torch
from golden_options import options

SETTINGS = {"brightness": {"range": 1.0}, "translation": {"share": 0.125}, "cutout": {"share": 0.5}}
SHAPES = {"grey 8x8": "4x1x8x8", "colour 9x12": "3x3x9x12", "tall 16x6": "3x2x16x6"}
IMAGES, SEED = options(__doc__, {"images": list(SHAPES.values())}, SETTINGS)
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)


def tensor(x):
    return {"shape": list(x.shape), "dtype": "float64", "data": x.flatten().tolist()}


def integer(u, count):
    return torch.floor(u * count).long()


def brightness(x, d):
    return x + (d["brightness"].view(-1, 1, 1, 1) - 0.5) * SETTINGS["brightness"]["range"]


def saturation(x, d):
    m = x.mean(dim=1, keepdim=True)
    return (x - m) * (d["saturation"].view(-1, 1, 1, 1) * 2) + m


def contrast(x, d):
    m = x.mean(dim=[1, 2, 3], keepdim=True)
    return (x - m) * (d["contrast"].view(-1, 1, 1, 1) + 0.5) + m


def translation(x, d):
    n, c, h, w = x.shape
    ratio = SETTINGS["translation"]["share"]
    sh, sw = int(h * ratio + 0.5), int(w * ratio + 0.5)
    dy, dx = integer(d["down"], 2 * sh + 1) - sh, integer(d["right"], 2 * sw + 1) - sw
    b, i, j = torch.meshgrid(torch.arange(n), torch.arange(h), torch.arange(w), indexing="ij")
    i = torch.clamp(i + dy.view(-1, 1, 1) + 1, 0, h + 1)
    j = torch.clamp(j + dx.view(-1, 1, 1) + 1, 0, w + 1)
    padded = torch.nn.functional.pad(x, [1, 1, 1, 1])
    return padded.permute(0, 2, 3, 1)[b, i, j].permute(0, 3, 1, 2)


def cutout(x, d):
    n, c, h, w = x.shape
    ratio = SETTINGS["cutout"]["share"]
    ch, cw = int(h * ratio + 0.5), int(w * ratio + 0.5)
    oy = integer(d["row"], h + (1 - ch % 2)).view(-1, 1, 1)
    ox = integer(d["column"], w + (1 - cw % 2)).view(-1, 1, 1)
    b, i, j = torch.meshgrid(torch.arange(n), torch.arange(ch), torch.arange(cw), indexing="ij")
    i = torch.clamp(i + oy - ch // 2, 0, h - 1)
    j = torch.clamp(j + ox - cw // 2, 0, w - 1)
    mask = torch.ones(n, h, w)
    mask[b, i, j] = 0
    return x * mask.unsqueeze(1)


def mirror(x, d):
    return torch.where(d["half"].view(-1, 1, 1, 1) >= 0.5, x.flip(3), x)


AUGMENTATIONS = {
    "mirror": (mirror, ["half"]),
    "brightness": (brightness, ["brightness"]),
    "saturation": (saturation, ["saturation"]),
    "contrast": (contrast, ["contrast"]),
    "translation": (translation, ["down", "right"]),
    "cutout": (cutout, ["row", "column"]),
}
POLICY = ["brightness", "saturation", "contrast", "translation", "cutout"]

cases = []
NAMES = {shape: name for name, shape in SHAPES.items()}
for extents in IMAGES:
    name, shape = NAMES.get(extents, extents), [int(extent) for extent in extents.split("x")]
    images = torch.round(torch.rand(shape) * 2048 - 1024) / 1024
    upstream = torch.round(torch.randn(shape) * 256) / 256
    results = {}
    for kind in list(AUGMENTATIONS) + ["diff_augment"]:
        parts = POLICY if kind == "diff_augment" else [kind]
        x = images.clone().requires_grad_(True)
        y, draws = x, []
        for part in parts:
            function, needed = AUGMENTATIONS[part]
            if part == "saturation" and shape[1] == 1:
                continue
            d = {key: torch.rand(shape[0]) for key in needed}
            d[needed[0]][0] = 0.0  # the smallest draw
            d[needed[-1]][-1] = 1 - 2.0**-24  # the largest in single precision
            draws.append({key: tensor(value) for key, value in d.items()})
            y = function(y, d)
        (gradient,) = torch.autograd.grad((y * upstream).sum(), x)
        results[kind] = {"draws": draws, "output": tensor(y.detach()), "gradient": tensor(gradient)}
    cases.append({"name": name, "images": tensor(images), "upstream": tensor(upstream), "results": results})

print(json.dumps({"source": f"PyTorch {torch.__version__} CPU, float64", "settings": SETTINGS, "policy": POLICY, "cases": cases}))
