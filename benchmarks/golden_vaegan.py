"""Losses and gradients of a VAE/GAN with given weights, for gan/src/test/resources/golden/vaegan.json.

Typed from algorithm 1 of Larsen et al. 2016, with torch.distributions and binary cross-entropies. Names of weights are Hocket's
paths.

    python benchmarks/golden_vaegan.py > gan/src/test/resources/golden/vaegan.json
"""

import json

import torch
import torch.nn.functional as F
from golden_options import deviation, options
from torch.distributions import Normal, kl_divergence

SIZES = {"rows": 4, "size": 5, "latent": 2, "width": 3, "layers": 1, "gamma": 0.25}
ROWS, SIZE, LATENT, WIDTH, LAYERS, GAMMA, SEED = options(__doc__, SIZES)
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)
# of each network: inputs, the name of the last layer, outputs
NETWORKS = {
    "encoder": (SIZE, "out", 2 * LATENT),
    "generator": (LATENT, "out", SIZE),
    "discriminator": (SIZE, "logit", 1),
}


def tensor(x):
    return {"shape": list(x.shape), "dtype": "float64", "data": x.detach().flatten().tolist()}


def given(*shape, by=0.5):
    return torch.round(torch.randn(shape) * 512 * by) / 512


weights = {}
for module, (inputs, last, outputs) in NETWORKS.items():
    shapes = {f"hidden{i}": (WIDTH, inputs if i == 1 else WIDTH) for i in range(1, LAYERS + 1)}
    for name, shape in {**shapes, last: (outputs, WIDTH)}.items():
        weights[f"{module}/{name}/weight"] = given(*shape, by=deviation(shape)).requires_grad_(True)
        weights[f"{module}/{name}/bias"] = given(shape[0]).requires_grad_(True)


def layer(name, x):
    return F.linear(x, weights[name + "/weight"], weights[name + "/bias"])


def hidden(module, x, activation):
    for i in range(1, LAYERS + 1):
        x = activation(layer(f"{module}/hidden{i}", x))
    return x


def enc(x):
    mean, log_deviation = layer("encoder/out", hidden("encoder", x, F.relu)).chunk(2, dim=1)
    return Normal(mean, log_deviation.exp())


def dec(z):
    return torch.tanh(layer("generator/out", hidden("generator", z, F.relu)))


def dis(x):
    features = hidden("discriminator", x, lambda h: F.leaky_relu(h, 0.2))
    return features, torch.sigmoid(layer("discriminator/logit", features))


x, posterior, noise = given(ROWS, SIZE), given(ROWS, LATENT), given(ROWS, LATENT)
q = enc(x)
x_tilde, x_p = dec(q.loc + q.scale * posterior), dec(noise)
(real_l, real), (tilde_l, tilde), (_, drawn) = dis(x), dis(x_tilde), dis(x_p)
prior = kl_divergence(q, Normal(torch.zeros(()), torch.ones(()))).sum(1).mean()
llike = -Normal(tilde_l, 1.0).log_prob(real_l).sum(1).mean() - WIDTH * 0.5 * torch.log(torch.tensor(2 * torch.pi))
one, zero = torch.ones_like(real), torch.zeros_like(real)
gan = sum(F.binary_cross_entropy(p, target) for p, target in [(real, one), (tilde, zero), (drawn, zero)])
losses = {"encoder": prior + llike, "generator": GAMMA * llike - gan, "discriminator": gan}

turns = {}
for module, loss in losses.items():
    own = {name: w for name, w in weights.items() if name.startswith(module + "/")}
    grads = torch.autograd.grad(loss, list(own.values()), retain_graph=True)
    turns[module] = {"loss": loss.item(), "grads": {name: tensor(g) for name, g in zip(own, grads)}}
print(json.dumps({
    "source": f"PyTorch {torch.__version__} CPU, float64",
    "latent": LATENT,
    "width": WIDTH,
    "gamma": GAMMA,
    "inputs": {"rows": tensor(x), "posterior": tensor(posterior), "noise": tensor(noise)},
    "prior": prior.item(),
    "likelihood": llike.item(),
    "reconstruct": tensor(dec(q.loc)),
    "weights": {name: tensor(w) for name, w in weights.items()},
    "turns": turns,
}))
