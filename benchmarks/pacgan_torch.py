#!/usr/bin/env python3
"""PacGAN's Table 1 in PyTorch: pacgan_torch.py PACK [ROUNDS [SEEDS]], by default 400,000 rounds and 5 seeds

The networks and settings of pacgan-ring.yaml and pacgan-grid.yaml. All seeds of ring and grid are trained at once, as products of
batches of matrices; on a GPU a round is one CUDA graph. Batches are drawn with replacement. Prints modes and share of high-quality
points, by their mean and standard error over seeds, twenty times in a run. Needs torch.
"""
import math
import sys
import time

import torch
import torch.nn.functional as F

pack, rounds, seeds = (*map(int, sys.argv[1:]), *(400000, 5)[len(sys.argv) - 2 :])
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(1)
models, batch, width, pieces, units = 2 * seeds, 100, 400, 5, 200
angles = torch.arange(8) * math.pi / 4
ring = torch.stack([angles.cos(), angles.sin()], 1)
grid = torch.cartesian_prod(*(torch.arange(-4.0, 5, 2),) * 2)


def sample(centres, deviation):
    """The same points for each seed, as many of each mode."""
    points = centres.repeat(100000 // len(centres), 1) + deviation * torch.randn(100000, 2)
    return points.expand(seeds, -1, -1)


points = torch.cat([sample(ring, 0.01), sample(grid, 0.05)]).to(device)


def normal(*shape):
    return (0.02 * torch.randn(models, *shape)).to(device).requires_grad_()


def zeros(*shape):
    return torch.zeros(models, *shape, device=device, requires_grad=True)


hidden = [(normal(inputs, width), (zeros(1, width) + 1).detach().requires_grad_(), zeros(1, width)) for inputs in (2, *[width] * 3)]
out = normal(width, 2), zeros(1, 2)
maxout = [(normal(inputs, pieces * units), zeros(1, pieces * units)) for inputs in (2 * pack, units, units)]
logit = normal(units, 1), zeros(1, 1)
of_generator = [p for layer in hidden for p in layer] + [*out]
of_discriminator = [p for layer in maxout for p in layer] + [*logit]
running = [(torch.zeros(models, 1, width, device=device), torch.ones(models, 1, width, device=device)) for _ in hidden]
adam = torch.optim.Adam(of_generator + of_discriminator, 1e-4, betas=(0.8, 0.999), foreach=True, capturable=device == "cuda")


def generate(h, training):
    """Makes rows (models, calls * rows, 2) of noise; each of the calls, one for each row of a pack, has a batch norm of its own."""
    for (weight, scale, shift), (mean, variance) in zip(hidden, running):
        h = h @ weight
        if training:
            calls = h.view(models, pack, batch, width)
            m, v = calls.mean(2, True), calls.var(2, unbiased=False, keepdim=True)
            with torch.no_grad():
                for call in range(pack):
                    mean.lerp_(m[:, call], 0.1)
                    variance.lerp_(v[:, call] * batch / (batch - 1), 0.1)
            h = ((calls - m) * (v + 1e-5).rsqrt()).view(h.shape)
        else:
            h = (h - mean) * (variance + 1e-5).rsqrt()
        h = F.relu(h * scale + shift)
    return h @ out[0] + out[1]


def packed(rows):
    return rows.view(models, pack, batch, 2).transpose(1, 2).reshape(models, batch, 2 * pack)


def discriminate(h):
    for weight, bias in maxout:
        h = (h @ weight + bias).view(models, batch, pieces, units).amax(2)
    return h @ logit[0] + logit[1]


def iterate():
    rows = torch.randint(100000, (models, batch * pack, 1), device=device)
    real = points.gather(1, rows.expand(-1, -1, 2))
    fake = generate(torch.randn(models, batch * pack, 2, device=device), True)
    on_fake = discriminate(packed(fake))
    of_d = F.softplus(-discriminate(packed(real))) + F.softplus(discriminate(packed(fake).detach()))
    gradients = torch.autograd.grad(F.softplus(-on_fake).mean((1, 2)).sum(), of_generator)
    gradients += torch.autograd.grad(of_d.mean((1, 2)).sum(), of_discriminator)
    for parameter, gradient in zip(of_generator + of_discriminator, gradients):
        parameter.grad.copy_(gradient)
    adam.step()


def coverage(points, centres, deviation):
    distances, nearest = torch.cdist(points, centres.to(device)).min(1)
    near = nearest[distances < 3 * deviation]
    return near.unique().numel(), len(near) / len(points)


@torch.no_grad()
def scores(done, begun):
    drawn = generate(torch.randn(models, 2500, 2, device=device), False)
    for name, some, centres, deviation in (("ring", drawn[:seeds], ring, 0.01), ("grid", drawn[seeds:], grid, 0.05)):
        counted = torch.tensor([coverage(each, centres, deviation) for each in some], dtype=torch.float64)
        mean, error = counted.mean(0), counted.std(0) / math.sqrt(seeds)
        print(
            f"{name} pack {pack} rounds {done:6} seconds {time.perf_counter() - begun:5.0f}  modes {mean[0]:5.2f} ± {error[0]:.2f}"
            f"  high quality {100 * mean[1]:5.1f} ± {100 * error[1]:.1f} %",
            flush=True,
        )


def repeated():
    """Returns a function that takes a round, on a GPU a graph that is recorded after a few, and the number of these."""
    if device == "cpu":
        return iterate, 0
    aside = torch.cuda.Stream()
    aside.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(aside):
        for _ in range(3):
            iterate()
    torch.cuda.current_stream().wait_stream(aside)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        iterate()
    return graph.replay, 3


for parameter in of_generator + of_discriminator:
    parameter.grad = torch.zeros_like(parameter)
begun = time.perf_counter()
step, taken = repeated()
for done in range(taken + 1, rounds + 1):
    step()
    if done % max(1, rounds // 20) == 0:
        scores(done, begun)
