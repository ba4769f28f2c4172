"""The residual SN-GAN of `hocket bench sngan/W` in PyTorch: sngan_torch.py WIDTH eager|compile [iterations] [threads]

32x32 images, batch 64, latent 128, hinge loss, fused Adam, channels_last; one iteration is a discriminator and a generator
update. Prints iterations a second, the best of six rounds.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import spectral_norm as sn

width, mode, iterations = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 8
torch.set_num_threads(int(sys.argv[4]) if len(sys.argv) > 4 else 2)
torch.manual_seed(0)
layout = torch.channels_last


def same(channels, filters):
    return nn.Conv2d(channels, filters, 3, 1, 1)


class Larger(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn1, self.bn2 = nn.BatchNorm2d(width), nn.BatchNorm2d(width)
        self.conv1, self.conv2, self.shortcut = same(width, width), same(width, width), nn.Conv2d(width, width, 1)

    def forward(self, x):
        h = self.conv1(F.interpolate(F.relu(self.bn1(x)), scale_factor=2))
        return self.conv2(F.relu(self.bn2(h))) + self.shortcut(F.interpolate(x, scale_factor=2))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.blocks = nn.Linear(128, width * 16), nn.Sequential(Larger(), Larger(), Larger())
        self.bn, self.out = nn.BatchNorm2d(width), same(width, 3)

    def forward(self, z):
        h = self.project(z).view(-1, width, 4, 4).contiguous(memory_format=layout)
        return torch.tanh(self.out(F.relu(self.bn(self.blocks(h)))))


class Smaller(nn.Module):
    def __init__(self, channels, activated, halved):
        super().__init__()
        self.activated, self.halved = activated, halved
        self.conv1, self.conv2 = sn(same(channels, width)), sn(same(width, width))
        self.shortcut = nn.Identity() if channels == width and not halved else sn(nn.Conv2d(channels, width, 1))

    def forward(self, x):
        h = self.conv2(F.relu(self.conv1(F.relu(x) if self.activated else x))) + self.shortcut(x)
        return F.avg_pool2d(h, 2) if self.halved else h


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(
            Smaller(3, False, True), Smaller(width, True, True), Smaller(width, True, False), Smaller(width, True, False)
        )
        self.logit = sn(nn.Linear(width, 1))

    def forward(self, x):
        return self.logit(F.relu(self.blocks(x)).sum((2, 3)))


generator, discriminator = Generator().to(memory_format=layout), Discriminator().to(memory_format=layout)
adam_g, adam_d = (
    torch.optim.Adam(n.parameters(), 2e-4, betas=(0.0, 0.999), fused=True) for n in (generator, discriminator)
)
real = (torch.rand(64, 3, 32, 32) * 2 - 1).contiguous(memory_format=layout)
generate, judge = (torch.compile(n) if mode == "compile" else n for n in (generator, discriminator))


def iterate():
    with torch.no_grad():
        fake = generate(torch.randn(64, 128))
    adam_d.zero_grad(set_to_none=True)
    loss_d = F.relu(1 - judge(real)).mean() + F.relu(1 + judge(fake)).mean()
    loss_d.backward()
    adam_d.step()
    for p in discriminator.parameters():
        p.requires_grad_(False)
    adam_g.zero_grad(set_to_none=True)
    loss_g = -judge(generate(torch.randn(64, 128))).mean()
    loss_g.backward()
    adam_g.step()
    for p in discriminator.parameters():
        p.requires_grad_(True)
    return loss_d.item(), loss_g.item()


for _ in range(4):
    iterate()
best = float("inf")
for _ in range(6):
    start = time.perf_counter()
    for _ in range(iterations):
        iterate()
    best = min(best, (time.perf_counter() - start) / iterations)
print(f"{1 / best:.2f}")
