"""The conditional DCGAN of fashion.yaml in PyTorch: fashion_torch.py SEED ROUNDS WIDTH SAMPLES.npy

Batch 64, latent 64, fused Adam, channels_last; a round is an update of the discriminator, one of the generator with the same
labels, and one of the average. Writes 1,000 samples of each of ten classes, in order, and prints milliseconds a round.
"""
import gzip
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from average_torch import Average, batch_statistics

DATA = "/usr/share/datasets/fashion-mnist"
seed, rounds, width, out = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
torch.set_num_threads(2)
torch.manual_seed(seed)
layout = torch.channels_last


def idx(name, header):
    with gzip.open(f"{DATA}/{name}.gz") as file:
        return np.frombuffer(file.read(), np.uint8, offset=header).copy()


images = torch.from_numpy(idx("train-images-idx3-ubyte", 16)).view(-1, 1, 28, 28)
labels = torch.from_numpy(idx("train-labels-idx1-ubyte", 8)).long()


class LabelNorm(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels, affine=False)
        self.gain, self.bias = nn.Embedding(10, channels), nn.Embedding(10, channels)
        nn.init.ones_(self.gain.weight)
        nn.init.zeros_(self.bias.weight)

    def forward(self, h, y):
        return self.norm(h) * self.gain(y)[:, :, None, None] + self.bias(y)[:, :, None, None]


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(64, 49 * 2 * width, bias=False)
        self.bn0, self.bn1 = LabelNorm(2 * width), LabelNorm(width)
        self.conv1 = nn.ConvTranspose2d(2 * width, width, 4, 2, 1, bias=False)
        self.conv2 = nn.ConvTranspose2d(width, 1, 4, 2, 1)

    def forward(self, z, y):
        h = self.project(z).view(-1, 2 * width, 7, 7).contiguous(memory_format=layout)
        return torch.tanh(self.conv2(F.relu(self.bn1(self.conv1(F.relu(self.bn0(h, y))), y))))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 4, 2, 1)
        self.conv2, self.bn2 = nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * width)
        self.logit, self.label = nn.Linear(2 * width * 49, 1), nn.Embedding(10, 2 * width * 49)

    def forward(self, x, y):
        h = F.leaky_relu(self.bn2(self.conv2(F.leaky_relu(self.conv1(x), 0.2))), 0.2).flatten(1)
        return self.logit(h) + (self.label(y) * h).sum(1, keepdim=True)


def initialise(module):
    if isinstance(module, (nn.Linear, nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(module.weight, 0, 0.02)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


generator, discriminator = (n().apply(initialise).to(memory_format=layout) for n in (Generator, Discriminator))
nn.init.xavier_uniform_(discriminator.label.weight)
average = Average(generator)
adam_g, adam_d = (
    torch.optim.Adam(n.parameters(), 4e-4, betas=(0.5, 0.999), fused=True) for n in (generator, discriminator)
)


def iterate(rows):
    real = images[rows].float().div_(127.5).sub_(1).contiguous(memory_format=layout)
    y = labels[rows]
    with torch.no_grad(), batch_statistics(generator):
        fake = generator(torch.randn(64, 64), y)
    adam_d.zero_grad(set_to_none=True)
    loss_d = F.softplus(-discriminator(real, y)).mean() + F.softplus(discriminator(fake, y)).mean()
    loss_d.backward()
    adam_d.step()
    discriminator.requires_grad_(False)
    adam_g.zero_grad(set_to_none=True)
    loss_g = F.softplus(-discriminator(generator(torch.randn(64, 64), y), y)).mean()
    loss_g.backward()
    adam_g.step()
    discriminator.requires_grad_(True)
    average.follow()
    return loss_d.item(), loss_g.item()


order, taken, start = torch.randperm(len(images)), 0, 0.0
for i in range(rounds):
    if i == 20:
        start = time.perf_counter()
    if taken + 64 > len(order):
        order, taken = torch.randperm(len(images)), 0
    iterate(order[taken : taken + 64])
    taken += 64
print(f"{1000 * (time.perf_counter() - start) / (rounds - 20):.3f}")
drawer = average.estimated(lambda: (torch.randn(64, 64), labels[torch.randint(len(labels), (64,))]))
with torch.no_grad():
    samples = [drawer(torch.randn(1000, 64), torch.full((1000,), c)).contiguous() for c in range(10)]
np.save(out, torch.cat(samples).numpy())
