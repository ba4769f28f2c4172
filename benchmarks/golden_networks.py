"""Outputs and gradients of GAN networks with given weights, for gan/src/test/resources/golden/networks.json.

Typed from the papers: DCGAN (Radford et al. 2015, with the norms of Miyato and Koyama 2018), SN-GAN (Miyato et al. 2018; projection: Miyato and Koyama 2018), a small R3GAN (Huang et al. 2024), U-Net
and patch discriminator (Isola et al. 2017). Names of weights are Hocket's paths.

    python benchmarks/golden_networks.py > gan/src/test/resources/golden/networks.json
"""

import json

import torch
import torch.nn.functional as F

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
ROWS, LATENT, CLASSES = 3, 3, 3


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.flatten().tolist()}


def given(*shape, by=256.0):
    return torch.round(torch.randn(shape) * by) / 512


class Net:
    """Makes weights as they are asked for, and computes layers of them."""

    def __init__(self):
        self.p, self.u = {}, {}

    def weight(self, name, *shape):
        if name not in self.p:
            self.p[name] = given(*shape).requires_grad_(True)
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


def dcgan_generator(net, z, label, width=2):
    h = F.linear(z, net.weight("project/weight", 2 * width * 4, LATENT)).view(-1, 2 * width, 2, 2)
    h = net.transposed("conv1", F.relu(net.batch_norm("bn0", h, label)), width, bias=False)
    return torch.tanh(net.transposed("conv2", F.relu(net.batch_norm("bn1", h, label)), 2))


def sngan_generator(net, z, label, width=4, blocks=2):
    h = net.dense("project", z, width * 4).view(-1, width, 2, 2)
    for i in range(1, blocks + 1):
        b = f"block{i}/"
        up = lambda x: F.interpolate(x, scale_factor=2)
        y = net.conv(b + "conv1", up(F.relu(net.batch_norm(b + "bn1", h, label))), width, (3, 3), 1)
        y = net.conv(b + "conv2", F.relu(net.batch_norm(b + "bn2", y, label)), width, (3, 3), 1)
        h = y + net.conv(b + "shortcut", up(h), width, (1, 1))
    return torch.tanh(net.conv("out", F.relu(net.batch_norm("bn", h, label)), 2, (3, 3), 1))


def sngan_discriminator(net, x, label, width=4, blocks=3, halved=2):
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


def r3gan_generator(net, z, label, widths=(4, 4, 2), blocks=2):
    basis = net.weight("basis", widths[0], 2, 2)
    h = basis * net.dense("gains", z, widths[0])[:, :, None, None]
    h = r3gan_stage(net, "stage0", h, blocks)
    for i in range(1, len(widths)):
        h = F.interpolate(h, scale_factor=2, mode="bilinear", align_corners=False)
        if widths[i] != h.shape[1]:
            h = net.conv(f"narrow{i}", h, widths[i], (1, 1), bias=False)
        h = r3gan_stage(net, f"stage{i}", h, blocks)
    return net.conv("out", h, 2, (1, 1))


def r3gan_discriminator(net, x, label, widths=(2, 4, 4), blocks=2):
    h = net.conv("in", x, widths[0], (1, 1))
    for i in range(len(widths) - 1):
        h = F.avg_pool2d(r3gan_stage(net, f"stage{i}", h, blocks), 2)
        if widths[i + 1] != h.shape[1]:
            h = net.conv(f"widen{i}", h, widths[i + 1], (1, 1), bias=False)
    h = r3gan_stage(net, f"stage{len(widths) - 1}", h, blocks)
    features = net.conv("pixels", h, h.shape[1], h.shape[2:], bias=False, groups=h.shape[1]).flatten(1)
    return projection(net, features, label)


def unet(net, x, label, width=2):
    first = net.conv("down1", x, width, (4, 4), 1, 2)
    second = net.conv("down2", F.leaky_relu(first, 0.2), 2 * width, (4, 4), 1, 2, bias=False)
    second = net.instance_norm("down2/norm", second)
    third = net.conv("down3", F.leaky_relu(second, 0.2), 4 * width, (4, 4), 1, 2)
    up = net.instance_norm("up2/norm", net.transposed("up2", F.relu(third), 2 * width, bias=False))
    up = net.transposed("up1", F.relu(torch.cat([up, second], 1)), width, bias=False)
    up = net.instance_norm("up1/norm", up)
    return torch.tanh(net.transposed("out", F.relu(torch.cat([up, first], 1)), 2))


def patch(net, x, label, width=2):
    h = F.leaky_relu(net.conv("conv1", x, width, (4, 4), 1, 2), 0.2)
    h = F.leaky_relu(net.instance_norm("in2", net.conv("conv2", h, 2 * width, (4, 4), 1, 2, bias=False)), 0.2)
    h = F.leaky_relu(net.instance_norm("in3", net.conv("conv3", h, 4 * width, (3, 3), 1, bias=False)), 0.2)
    return net.conv("logit", h, 1, (3, 3), 1)


def case(name, function, rows, labelled):
    net = Net()
    x = torch.round(torch.randn(ROWS, *rows) * 1024) / 1024
    label = torch.arange(ROWS) % CLASSES if labelled else None
    y = function(net, x, label)
    upstream = given(*y.shape)
    grads = torch.autograd.grad((y * upstream).sum(), list(net.p.values()))
    return {
        "name": name,
        "labelled": labelled,
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
    case("sngan discriminator", sngan_discriminator, (2, 8, 8), False),
    case("sngan discriminator", sngan_discriminator, (2, 8, 8), True),
    case("r3gan generator", r3gan_generator, (LATENT,), False),
    case("r3gan discriminator", r3gan_discriminator, (2, 8, 8), False),
    case("r3gan discriminator", r3gan_discriminator, (2, 8, 8), True),
    case("unet", unet, (2, 8, 8), False),
    case("patch", patch, (2, 8, 8), False),
    case("dcgan generator", dcgan_generator, (LATENT,), False),
    case("dcgan generator", dcgan_generator, (LATENT,), True),
]
print(json.dumps({"source": f"PyTorch {torch.__version__} CPU, float64", "classes": CLASSES, "cases": cases}))
