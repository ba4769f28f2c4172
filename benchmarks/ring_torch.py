"""The first round of Hocket's `gaussian-ring` in PyTorch: ring_torch.py. Prints the generator's loss.

Eight Gaussians on a circle, batch 256, latent 16, two hidden layers of 128, Adam; an update of the discriminator and of the generator.
For benchmarks/run, which measures the process from its start to its end.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn


def network(inputs, outputs):
    return nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))


torch.manual_seed(7)
generator, discriminator = network(16, 2), network(2, 1)
of_generator = torch.optim.Adam(generator.parameters(), 1e-3, betas=(0.5, 0.999))
of_discriminator = torch.optim.Adam(discriminator.parameters(), 1e-3, betas=(0.5, 0.999))
angle = torch.randint(8, (256,)) * (2 * math.pi / 8)
real = 2 * torch.stack([angle.cos(), angle.sin()], 1) + 0.02 * torch.randn(256, 2)
fake = generator(torch.randn(256, 16)).detach()
loss = F.softplus(-discriminator(real)).mean() + F.softplus(discriminator(fake)).mean()
of_discriminator.zero_grad()
loss.backward()
of_discriminator.step()
loss = F.softplus(-discriminator(generator(torch.randn(256, 16)))).mean()
of_generator.zero_grad()
loss.backward()
of_generator.step()
print(loss.item())
