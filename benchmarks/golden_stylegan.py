"""Outputs and gradients of small StyleGAN2 networks with given weights, for gan/src/test/resources/golden/stylegan.json.

Typed from Karras et al. 2020: each row has weights of its own, in one convolution of as many groups as rows; images are resampled by
zeros between the pixels and a convolution. Names of weights are Hocket's paths.

    python benchmarks/golden_stylegan.py > gan/src/test/resources/golden/stylegan.json
"""

import json
import math

import torch
import torch.nn.functional as F
from golden_options import options

SETTINGS = {
    "stylegan2 generator": {"width": 2, "most": 4, "doublings": 2, "mapping": 2, "style": 3},
    "stylegan2 discriminator": {"width": 2, "most": 4, "halvings": 2, "groups": 2},
}
ROWS, LATENT, IMAGE, SEED = options(__doc__, {"rows": 4, "latent": 3, "image": [2, 8, 8]}, SETTINGS)
CHANNELS = IMAGE[0]
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.detach().flatten().tolist()}


def given(*shape, by=512.0):
    return torch.round(torch.randn(shape) * by) / 512


class Net:
    def __init__(self):
        self.p, self.noises = {}, {}

    def weight(self, name, *shape):
        if name not in self.p:
            self.p[name] = given(*shape).requires_grad_(True)
        return self.p[name]

    def dense(self, name, x, units, rate=1.0):
        w = self.weight(name + "/weight", units, x.shape[1]) * (rate / math.sqrt(x.shape[1]))
        return x @ w.T + rate * self.weight(name + "/bias", units)

    def conv(self, name, x, filters, size, stride=1, pad=0):
        w = self.weight(name + "/weight", filters, x.shape[1], size, size)
        return F.conv2d(x, w / math.sqrt(x.shape[1] * size * size), None, stride, pad)

    def biased(self, name, x):
        return x + self.weight(name + "/bias", x.shape[1])[None, :, None, None]

    def modulated(self, name, x, w, filters, size, demodulate):
        n, channels, height, width = x.shape
        style = self.dense(name + "/style", w, channels)
        weights = self.weight(name + "/weight", filters, channels, size, size) / math.sqrt(channels * size * size)
        weights = weights[None] * style[:, None, :, None, None]
        if demodulate:
            weights = weights * (weights.square().sum((2, 3, 4), keepdim=True) + 1e-8).rsqrt()
        y = F.conv2d(x.reshape(1, -1, height, width), weights.flatten(0, 1), None, 1, size // 2, groups=n)
        return y.reshape(n, filters, height, width)

    def layer(self, name, x, w, filters):
        y = self.modulated(name, x, w, filters, 3, True)
        noise = self.noises[name + "/noise"] = given(ROWS, 1, *y.shape[2:])
        return act(self.biased(name, y + noise * self.weight(name + "/strength", 1, 1, 1)))


def act(x):
    return math.sqrt(2) * F.leaky_relu(x, 0.2)


def blur(x, gain, pad):
    k = torch.tensor([1.0, 3.0, 3.0, 1.0])
    k = gain * torch.outer(k, k) / k.sum() ** 2
    return F.conv2d(F.pad(x, pad), k.repeat(x.shape[1], 1, 1, 1), groups=x.shape[1])


def up(x):
    zeros = torch.zeros(*x.shape[:2], 2 * x.shape[2], 2 * x.shape[3])
    zeros[:, :, ::2, ::2] = x
    return blur(zeros, 4, (2, 1, 2, 1))


def generator(net, z, width, most, doublings, mapping, style):
    filters = [min(most, width << i) for i in range(doublings, -1, -1)]
    first = [side >> doublings for side in IMAGE[1:]]
    w = z / (z.square().mean(1, keepdim=True) + 1e-8).sqrt()
    for i in range(1, mapping + 1):
        w = act(net.dense(f"map{i}", w, style, 0.01))
    h = net.layer("conv0", net.weight("basis", filters[0], *first).repeat(ROWS, 1, 1, 1), w, filters[0])
    rgb = net.biased("rgb0", net.modulated("rgb0", h, w, CHANNELS, 1, False))
    for i in range(1, len(filters)):
        h = net.layer(f"up{i}", up(h), w, filters[i])
        h = net.layer(f"conv{i}", h, w, filters[i])
        rgb = up(rgb) + net.biased(f"rgb{i}", net.modulated(f"rgb{i}", h, w, CHANNELS, 1, False))
    return rgb


def discriminator(net, x, width, most, halvings, groups):
    filters = [min(most, width << i) for i in range(halvings + 1)]
    h = act(net.biased("rgb", net.conv("rgb", x, filters[0], 1)))
    for i in range(1, len(filters)):
        b = f"block{i}/"
        y = act(net.biased(b + "conv1", net.conv(b + "conv1", h, h.shape[1], 3, 1, 1)))
        y = act(net.biased(b + "conv2", net.conv(b + "conv2", blur(y, 1, (2, 2, 2, 2)), filters[i], 3, 2)))
        h = (y + net.conv(b + "skip", blur(h, 1, (1, 1, 1, 1))[:, :, ::2, ::2], filters[i], 1)) / math.sqrt(2)
    grouped = h.reshape(-1, groups, *h.shape[1:])  # row r is in group r mod groups
    deviation = (grouped.var(0, unbiased=False) + 1e-8).sqrt().mean((1, 2, 3))
    channel = deviation.repeat(len(h) // groups)[:, None, None, None].expand(-1, 1, *h.shape[2:])
    h = torch.cat([h, channel], 1)
    h = act(net.biased("last", net.conv("last", h, filters[-1], 3, 1, 1)))
    return net.dense("logit", act(net.dense("features", h.flatten(1), filters[-1])), 1)


def case(name, function, rows):
    net, settings = Net(), SETTINGS[name]
    x = given(ROWS, *rows)
    y = function(net, x, **settings)
    upstream = given(*y.shape)
    grads = torch.autograd.grad((y * upstream).sum(), list(net.p.values()))
    return {
        "name": name,
        "labelled": False,
        "settings": settings,
        "weights": {n: tensor(w) for n, w in net.p.items()},
        "u": {},
        "noises": {n: tensor(noise) for n, noise in net.noises.items()},
        "x": tensor(x),
        "output": tensor(y),
        "upstream": tensor(upstream),
        "grads": {n: tensor(g) for n, g in zip(net.p, grads)},
    }


cases = [
    case("stylegan2 generator", generator, (LATENT,)),
    case("stylegan2 discriminator", discriminator, IMAGE),
]
print(json.dumps({"source": f"PyTorch {torch.__version__} CPU, float64", "classes": 3, "cases": cases}))
