"""The 28x28 DCGAN of `hocket bench dcgan/W` in PyTorch: dcgan_torch.py WIDTH [iterations] [threads]

Batch 64, latent 100, fused Adam, channels_last; one iteration is a discriminator and a generator update.
Prints iterations a second, the best of six rounds.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

width, iterations = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 30
torch.set_num_threads(int(sys.argv[3]) if len(sys.argv) > 3 else 2)
torch.manual_seed(0)
layout = torch.channels_last


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.project, self.bn0 = nn.Linear(100, 49 * 2 * width), nn.BatchNorm2d(2 * width)
        self.conv1, self.bn1 = nn.ConvTranspose2d(2 * width, width, 4, 2, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2 = nn.ConvTranspose2d(width, 1, 4, 2, 1)

    def forward(self, z):
        h = self.project(z).view(-1, 2 * width, 7, 7).contiguous(memory_format=layout)
        return torch.tanh(self.conv2(F.relu(self.bn1(self.conv1(F.relu(self.bn0(h)))))))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 4, 2, 1)
        self.conv2, self.bn2 = nn.Conv2d(width, 2 * width, 4, 2, 1, bias=False), nn.BatchNorm2d(2 * width)
        self.logit = nn.Linear(2 * width * 49, 1)

    def forward(self, x):
        h = F.leaky_relu(self.bn2(self.conv2(F.leaky_relu(self.conv1(x), 0.2))), 0.2)
        return self.logit(h.flatten(1))


generator, discriminator = Generator().to(memory_format=layout), Discriminator().to(memory_format=layout)
adam_g, adam_d = (
    torch.optim.Adam(n.parameters(), 2e-4, betas=(0.5, 0.999), fused=True) for n in (generator, discriminator)
)
real, one, zero = torch.rand(64, 1, 28, 28) * 2 - 1, torch.ones(64, 1), torch.zeros(64, 1)
bce = F.binary_cross_entropy_with_logits


def iterate():
    with torch.no_grad():
        fake = generator(torch.randn(64, 100))
    adam_d.zero_grad(set_to_none=True)
    loss_d = bce(discriminator(real), one) + bce(discriminator(fake), zero)
    loss_d.backward()
    adam_d.step()
    for p in discriminator.parameters():
        p.requires_grad_(False)
    adam_g.zero_grad(set_to_none=True)
    loss_g = bce(discriminator(generator(torch.randn(64, 100))), one)
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
