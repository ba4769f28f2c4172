"""Outputs and gradients of GAN networks with given weights, for gan/src/test/resources/golden/networks.json.

Typed from the papers: DCGAN (Radford et al. 2015, with the norms of Miyato and Koyama 2018), SN-GAN (Miyato et al. 2018; projection: Miyato and Koyama 2018), a small R3GAN (Huang et al. 2024), U-Net
and patch discriminator (Isola et al. 2017). Names of weights are Hocket's paths.

    python benchmarks/golden_networks.py > gan/src/test/resources/golden/networks.json
"""

import json

import torch
import torch.nn.functional as F
from golden_options import deviation, options

SETTINGS = {
    "sngan generator": {"width": 4, "blocks": 2},
    "sngan discriminator": {"width": 4, "blocks": 3, "halved": 2},
    "r3gan generator": {"width": 2, "most": 4, "doublings": 2, "blocks": 2},
    "r3gan discriminator": {"width": 2, "most": 4, "halvings": 2, "blocks": 2},
    "unet": {"width": 2, "layers": 3},
    "patch": {"width": 2, "layers": 2},
    "dcgan generator": {"width": 2, "layers": 2},
}
SIZES = {"rows": 3, "latent": 3, "classes": 3, "image": [2, 8, 8]}
ROWS, LATENT, CLASSES, IMAGE, SEED = options(__doc__, SIZES, SETTINGS)
CHANNELS = IMAGE[0]
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.flatten().tolist()}


def given(*shape, by=0.5):
    return torch.round(torch.randn(shape) * 512 * by) / 512


class Net:
    """Makes weights as they are asked for, and computes layers of them."""

    def __init__(self):
        self.p, self.u = {}, {}

    def weight(self, name, *shape):
        if name not in self.p:
            self.p[name] = given(*shape, by=deviation(shape)).requires_grad_(True)
        return self.p[name]

    def spectral(self, name, w):
        matrix = w.flatten(1)
        if name not in self.u:
            self.u[name] = F.normalize(torch.randn(len(matrix)), dim=0)
        with torch.no_grad():
            v = F.normalize(matrix.T @ self.u[name], dim=0)
            u = F.normalize(matrix @ v, dim=0)
        return w / (u @ matrix @ v)

    def conv(self, name, x, filters, size, pad=0, stride=1, bias=True, spectral=False, groups=1):
        w = self.weight(name + "/weight", filters, x.shape[1] // groups, *size)
        b = self.weight(name + "/bias", filters) if bias else None
        return F.conv2d(x, self.spectral(name, w) if spectral else w, b, stride, pad, groups=groups)

    def transposed(self, name, x, filters, bias=True):
        w = self.weight(name + "/weight", x.shape[1], filters, 4, 4)
        return F.conv_transpose2d(x, w, self.weight(name + "/bias", filters) if bias else None, 2, 1)

    def dense(self, name, x, units, spectral=False):
        w = self.weight(name + "/weight", units, x.shape[1])
        return F.linear(x, self.spectral(name, w) if spectral else w, self.weight(name + "/bias", units))

    def batch_norm(self, name, x, label):
        c = x.shape[1]
        if label is None:
            return F.batch_norm(x, None, None, self.weight(name + "/scale", c), self.weight(name + "/shift", c), True)
        gain = 1 + self.weight(name + "/gain/table", CLASSES, c)[label]
        bias = self.weight(name + "/bias/table", CLASSES, c)[label]
        return F.batch_norm(x, None, None, None, None, True) * gain[:, :, None, None] + bias[:, :, None, None]

    def instance_norm(self, name, x):
        c = x.shape[1]
        return F.instance_norm(x, weight=self.weight(name + "/scale", c), bias=self.weight(name + "/shift", c))


def first(doublings):
    """Returns the sides of the image that a generator doubles `doublings` times."""
    return [side >> doublings for side in IMAGE[1:]]


def dcgan_generator(net, z, label, width, layers):
    filters, (height, across) = width << layers - 1, first(layers)
    h = F.linear(z, net.weight("project/weight", filters * height * across, LATENT)).view(-1, filters, height, across)
    h = F.relu(net.batch_norm("bn0", h, label))
    for i in range(1, layers):
        h = net.transposed(f"conv{i}", h, filters >> i, bias=False)
        h = F.relu(net.batch_norm(f"bn{i}", h, label))
    return torch.tanh(net.transposed(f"conv{layers}", h, CHANNELS))


def sngan_generator(net, z, label, width, blocks):
    height, across = first(blocks)
    h = net.dense("project", z, width * height * across).view(-1, width, height, across)
    for i in range(1, blocks + 1):
        b = f"block{i}/"
        up = lambda x: F.interpolate(x, scale_factor=2)
        y = net.conv(b + "conv1", up(F.relu(net.batch_norm(b + "bn1", h, label))), width, (3, 3), 1)
        y = net.conv(b + "conv2", F.relu(net.batch_norm(b + "bn2", y, label)), width, (3, 3), 1)
        h = y + net.conv(b + "shortcut", up(h), width, (1, 1))
    return torch.tanh(net.conv("out", F.relu(net.batch_norm("bn", h, label)), CHANNELS, (3, 3), 1))


def sngan_discriminator(net, x, label, width, blocks, halved):
    h = x
    for i in range(1, blocks + 1):
        b = f"block{i}/"
        y = net.conv(b + "conv1", h if i == 1 else F.relu(h), width, (3, 3), 1, spectral=True)
        y = net.conv(b + "conv2", F.relu(y), width, (3, 3), 1, spectral=True)
        y = y + (h if h.shape[1] == width and i > halved else net.conv(b + "shortcut", h, width, (1, 1), spectral=True))
        h = F.avg_pool2d(y, 2) if i <= halved else y
    return projection(net, F.relu(h).sum((2, 3)), label, spectral=True)


def projection(net, features, label, spectral=False):
    logit = net.dense("logit", features, 1, spectral)
    if label is None:
        return logit
    table = net.weight("projection/table", CLASSES, features.shape[1])
    table = net.spectral("projection", table) if spectral else table
    return logit + (table[label] * features).sum(1, keepdim=True)


def r3gan_stage(net, name, h, blocks):
    for i in range(1, blocks + 1):
        b, width = f"{name}/block{i}/", h.shape[1]
        y = F.leaky_relu(net.conv(b + "in", h, 2 * width, (1, 1)), 0.2)
        y = F.leaky_relu(net.conv(b + "across", y, 2 * width, (3, 3), 1), 0.2)
        h = h + net.conv(b + "out", y, width, (1, 1), bias=False)
    return h


def r3gan_generator(net, z, label, width, most, doublings, blocks):
    widths = [min(most, width << i) for i in range(doublings, -1, -1)]
    basis = net.weight("basis", widths[0], *first(doublings))
    h = basis * net.dense("gains", z, widths[0])[:, :, None, None]
    h = r3gan_stage(net, "stage0", h, blocks)
    for i in range(1, len(widths)):
        h = F.interpolate(h, scale_factor=2, mode="bilinear", align_corners=False)
        if widths[i] != h.shape[1]:
            h = net.conv(f"narrow{i}", h, widths[i], (1, 1), bias=False)
        h = r3gan_stage(net, f"stage{i}", h, blocks)
    return net.conv("out", h, CHANNELS, (1, 1))


def r3gan_discriminator(net, x, label, width, most, halvings, blocks):
    widths = [min(most, width << i) for i in range(halvings + 1)]
    h = net.conv("in", x, widths[0], (1, 1))
    for i in range(len(widths) - 1):
        h = F.avg_pool2d(r3gan_stage(net, f"stage{i}", h, blocks), 2)
        if widths[i + 1] != h.shape[1]:
            h = net.conv(f"widen{i}", h, widths[i + 1], (1, 1), bias=False)
    h = r3gan_stage(net, f"stage{len(widths) - 1}", h, blocks)
    features = net.conv("pixels", h, h.shape[1], h.shape[2:], bias=False, groups=h.shape[1]).flatten(1)
    return projection(net, features, label)


def unet(net, x, label, width, layers):
    down = [net.conv("down1", x, width, (4, 4), 1, 2)]
    for i in range(2, layers + 1):
        inner = i < layers
        h = net.conv(f"down{i}", F.leaky_relu(down[-1], 0.2), filters(width, i), (4, 4), 1, 2, bias=not inner)
        down.append(net.instance_norm(f"down{i}/norm", h) if inner else h)
    h = F.relu(down.pop())
    for i in range(layers - 1, 0, -1):
        h = net.instance_norm(f"up{i}/norm", net.transposed(f"up{i}", h, filters(width, i), bias=False))
        h = F.relu(torch.cat([h, down.pop()], 1))
    return torch.tanh(net.transposed("out", h, CHANNELS))


def patch(net, x, label, width, layers):
    h = F.leaky_relu(net.conv("conv1", x, width, (4, 4), 1, 2), 0.2)
    for i in range(2, layers + 2):
        size, stride = ((4, 4), 2) if i <= layers else ((3, 3), 1)
        h = net.conv(f"conv{i}", h, filters(width, i), size, 1, stride, bias=False)
        h = F.leaky_relu(net.instance_norm(f"in{i}", h), 0.2)
    return net.conv("logit", h, 1, (3, 3), 1)


def filters(width, layer):
    return width * min(8, 2 ** (layer - 1))


def case(name, function, rows, labelled):
    net, settings = Net(), SETTINGS[name]
    x = torch.round(torch.randn(ROWS, *rows) * 1024) / 1024
    label = torch.arange(ROWS) % CLASSES if labelled else None
    y = function(net, x, label, **settings)
    upstream = given(*y.shape)
    grads = torch.autograd.grad((y * upstream).sum(), list(net.p.values()))
    return {
        "name": name,
        "labelled": labelled,
        "settings": settings,
        "weights": {n: tensor(w.detach()) for n, w in net.p.items()},
        "u": {n: tensor(u) for n, u in net.u.items()},
        "x": tensor(x),
        "label": tensor(torch.arange(ROWS) % CLASSES),
        "output": tensor(y.detach()),
        "upstream": tensor(upstream),
        "grads": {n: tensor(g) for n, g in zip(net.p, grads)},
    }


cases = [
    case("sngan generator", sngan_generator, (LATENT,), False),
    case("sngan generator", sngan_generator, (LATENT,), True),
    case("sngan discriminator", sngan_discriminator, IMAGE, False),
    case("sngan discriminator", sngan_discriminator, IMAGE, True),
    case("r3gan generator", r3gan_generator, (LATENT,), False),
    case("r3gan discriminator", r3gan_discriminator, IMAGE, False),
    case("r3gan discriminator", r3gan_discriminator, IMAGE, True),
    case("unet", unet, IMAGE, False),
    case("patch", patch, IMAGE, False),
    case("dcgan generator", dcgan_generator, (LATENT,), False),
    case("dcgan generator", dcgan_generator, (LATENT,), True),
]
print(json.dumps({"source": f"PyTorch {torch.__version__} CPU, float64", "classes": CLASSES, "cases": cases}))
