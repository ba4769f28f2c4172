"""Stacked digits in PyTorch: stacked_torch.py dcgan|r3gan SEED ROUNDS SAMPLES.npy

The networks, data and settings of `stacked-digits` (DCGAN of width 64, EMA 0.999) and of stacked-r3gan.yaml (a small R3GAN with R1 and
R2). Writes 26,000 samples and prints milliseconds a round. Needs torch, scikit-learn.
"""
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

from average_torch import Average, batch_statistics

name, seed, rounds, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
torch.set_num_threads(2)
torch.manual_seed(seed)
layout = torch.channels_last
digits = torch.from_numpy(load_digits().images / 8 - 1).float()
images = digits[torch.randint(len(digits), (12800, 3))].contiguous(memory_format=layout)


class DcganGenerator(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.bn0, self.bn1 = nn.Linear(64, 512, bias=False), nn.BatchNorm2d(128), nn.BatchNorm2d(64)
        self.conv1, self.conv2 = nn.ConvTranspose2d(128, 64, 4, 2, 1, bias=False), nn.ConvTranspose2d(64, 3, 4, 2, 1)

    def forward(self, z):
        h = self.project(z).view(-1, 128, 2, 2).contiguous(memory_format=layout)
        return torch.tanh(self.conv2(F.relu(self.bn1(self.conv1(F.relu(self.bn0(h)))))))


class DcganDiscriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 64, 4, 2, 1), nn.Conv2d(64, 128, 4, 2, 1, bias=False)
        self.bn2, self.logit = nn.BatchNorm2d(128), nn.Linear(512, 1)

    def forward(self, x):
        return self.logit(F.leaky_relu(self.bn2(self.conv2(F.leaky_relu(self.conv1(x), 0.2))), 0.2).flatten(1))


class Block(nn.Module):
    def __init__(self, width, all):
        super().__init__()
        self.enter, self.across = nn.Conv2d(width, 2 * width, 1), nn.Conv2d(2 * width, 2 * width, 3, 1, 1)
        self.leave = nn.Conv2d(2 * width, width, 1, bias=False)
        self.scale = all**-0.25

    def forward(self, x):
        return x + self.leave(F.leaky_relu(self.across(F.leaky_relu(self.enter(x), 0.2)), 0.2))


class R3ganGenerator(nn.Module):
    def __init__(self, widths=(64, 32)):
        super().__init__()
        self.basis, self.gains = nn.Parameter(torch.randn(widths[0], 4, 4)), nn.Linear(64, widths[0])
        self.first, self.last = Block(widths[0], 2), Block(widths[1], 2)
        self.narrow, self.out = nn.Conv2d(*widths, 1, bias=False), nn.Conv2d(widths[1], 3, 1)

    def forward(self, z):
        h = self.first((self.basis * self.gains(z)[:, :, None, None]).contiguous(memory_format=layout))
        up = F.interpolate(self.narrow(h), scale_factor=2, mode="bilinear", align_corners=False)
        return self.out(self.last(up))


class R3ganDiscriminator(nn.Module):
    def __init__(self, widths=(32, 64)):
        super().__init__()
        self.enter, self.widen = nn.Conv2d(3, widths[0], 1), nn.Conv2d(*widths, 1, bias=False)
        self.first, self.last = Block(widths[0], 2), Block(widths[1], 2)
        self.pixels, self.logit = nn.Conv2d(widths[1], widths[1], 4, groups=widths[1], bias=False), nn.Linear(widths[1], 1)

    def forward(self, x):
        h = self.last(self.widen(F.avg_pool2d(self.first(self.enter(x)), 2)))
        return self.logit(self.pixels(h).flatten(1))


def normal(module):
    if isinstance(module, (nn.Linear, nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(module.weight, 0, 0.02)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


def by_fan(module):
    """Weights as R3GAN's public code has them: normal with deviation 1/√in, in blocks times the gain of a leaky rectifier."""
    if isinstance(module, (nn.Linear, nn.Conv2d)):
        nn.init.kaiming_normal_(module.weight, nonlinearity="linear")
        if module.bias is not None:
            nn.init.zeros_(module.bias)
    if isinstance(module, Block):  # after its convolutions
        for conv in (module.enter, module.across):
            nn.init.kaiming_normal_(conv.weight, 0.2).mul_(module.scale)
        nn.init.zeros_(module.leave.weight)


bce = F.binary_cross_entropy_with_logits
one, zero = torch.ones(64, 1), torch.zeros(64, 1)


def dcgan_losses(real):
    def of_discriminator(fake):
        return bce(discriminator(real), one) + bce(discriminator(fake), zero)

    return of_discriminator, lambda fake: bce(discriminator(fake), one)


def r3gan_losses(real):
    def penalised(x):
        x = x.detach().requires_grad_(True)
        logit = discriminator(x)
        (gradient,) = torch.autograd.grad(logit.sum(), x, create_graph=True)
        return logit, 5 / 2 * gradient.square().sum((1, 2, 3)).mean()

    def of_discriminator(fake):
        (on_real, r1), (on_fake, r2) = penalised(real), penalised(fake)
        return F.softplus(on_fake - on_real).mean() + r1 + r2

    return of_discriminator, lambda fake: F.softplus(discriminator(real) - discriminator(fake)).mean()


if name == "dcgan":
    networks, start, losses, rates, betas = (DcganGenerator, DcganDiscriminator), normal, dcgan_losses, (4e-4, 8e-4), (0.5, 0.999)
else:
    networks, start, losses, rates, betas = (R3ganGenerator, R3ganDiscriminator), by_fan, r3gan_losses, (5e-4, 5e-4), (0.0, 0.99)
with torch.no_grad():
    generator, discriminator = (n().apply(start).to(memory_format=layout) for n in networks)
average = Average(generator)
adam_g, adam_d = (
    torch.optim.Adam(n.parameters(), rate, betas=betas, fused=True) for n, rate in zip((generator, discriminator), rates)
)


def iterate(rows):
    of_discriminator, _ = losses(images[rows[0]])
    with torch.no_grad(), batch_statistics(generator):
        fake = generator(torch.randn(64, 64))
    adam_d.zero_grad(set_to_none=True)
    of_discriminator(fake).backward()
    adam_d.step()
    discriminator.requires_grad_(False)
    _, of_generator = losses(images[rows[1]])
    adam_g.zero_grad(set_to_none=True)
    of_generator(generator(torch.randn(64, 64))).backward()
    adam_g.step()
    discriminator.requires_grad_(True)
    average.follow()


begun = 0.0
for i in range(rounds):
    if i == 20:
        begun = time.perf_counter()
    iterate(torch.randint(len(images), (2, 64)))
print(f"{1000 * (time.perf_counter() - begun) / (rounds - 20):.3f}")
drawer = average.estimated(lambda: (torch.randn(64, 64),))
with torch.no_grad():
    np.save(out, torch.cat([drawer(torch.randn(1000, 64)).contiguous() for _ in range(26)]).numpy())
