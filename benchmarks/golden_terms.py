"""Terms of GAN losses and their gradients through small networks, for gan/src/test/resources/golden/terms.json.

Each is typed from its paper: AC-GAN (Odena et al. 2017), InfoGAN (Chen et al. 2016), feature matching and label smoothing
(Salimans et al. 2016), mode seeking (Mao et al. 2019), latent consistency (Zhao et al. 2021), orthogonal regularisation (Brock et al. 2019), projection (Miyato and
Koyama 2018).

    python benchmarks/golden_terms.py > gan/src/test/resources/golden/terms.json
"""

import json

import torch
import torch.nn.functional as F
from golden_options import deviation, options

TERMS = {
    "classes": {"weight": 1.5},
    "non_saturating with label_smoothing": {"share": 0.1},
    "feature_matching": {"weight": 2.0},
    "mode_seeking": {"weight": 0.5},
    "latent_consistency": {"lambda_dis": 3.0, "lambda_gen": 0.5, "sigma": 0.25},
    "orthogonal": {"weight": 0.01, "weights": ["generator.hidden1.weight", "generator.out.weight"]},
    "projection hinge": {},
    "information": {"weight": 1.5, "numbers_weight": 0.25},
}
SIZES = {"rows": 6, "data": 4, "latent": 3, "width": 5, "layers": 1, "classes": 3, "numbers": 2}
ROWS, DATA, LATENT, WIDTH, LAYERS, CLASSES, NUMBERS, SEED = options(__doc__, SIZES, TERMS)
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.flatten().tolist()}


def parameter(*shape):
    return (torch.round(torch.randn(shape) * 512 * deviation(shape)) / 512).requires_grad_(True)


def given(*shape):
    return torch.round(torch.randn(shape) * 1024) / 1024


def case(name, coded):
    """A generator and a discriminator with every head; labels or a code are read by the generator."""
    p = {}

    def layer(name, units, inputs):
        p[f"{name}.weight"] = parameter(units, inputs)
        p[f"{name}.bias"] = parameter(units)

    beside = LATENT + (CLASSES + NUMBERS if coded else LATENT)
    for network, inputs, last, outputs in [("generator", beside, "out", DATA), ("discriminator", DATA, "logit", 1)]:
        for i in range(1, LAYERS + 1):
            layer(f"{network}.hidden{i}", WIDTH, inputs if i == 1 else WIDTH)
        layer(f"{network}.{last}", outputs, WIDTH)
    heads = {"category": CLASSES, "numbers": NUMBERS} if coded else {"class": CLASSES}
    for head, size in heads.items():
        layer(f"discriminator.{head}", size, WIDTH)
    if not coded:
        p["generator.label.weight"] = parameter(CLASSES, LATENT)
        p["discriminator.projection.weight"] = parameter(CLASSES, WIDTH)
    real, z, other = given(ROWS, DATA), given(ROWS, LATENT), given(ROWS, LATENT)
    label = torch.randint(CLASSES, (ROWS,))
    numbers = torch.round(torch.rand(ROWS, NUMBERS) * 2048 - 1024) / 1024
    draw = (label.double() + 0.5) / CLASSES
    change = given(ROWS, LATENT)

    def generate(noise):
        if coded:
            h = torch.cat([noise, F.one_hot(label, CLASSES).double(), numbers], 1)
        else:
            h = torch.cat([noise, p["generator.label.weight"][label]], 1)
        for i in range(1, LAYERS + 1):
            h = F.relu(F.linear(h, p[f"generator.hidden{i}.weight"], p[f"generator.hidden{i}.bias"]))
        return F.linear(h, p["generator.out.weight"], p["generator.out.bias"])

    def features(x):
        for i in range(1, LAYERS + 1):
            x = F.linear(x, p[f"discriminator.hidden{i}.weight"], p[f"discriminator.hidden{i}.bias"])
            x = F.leaky_relu(x, 0.2)
        return x

    def head(x, of):
        return F.linear(features(x), p[f"discriminator.{of}.weight"], p[f"discriminator.{of}.bias"])

    def projected(x):
        return head(x, "logit")[:, 0] + (p["discriminator.projection.weight"][label] * features(x)).sum(1)

    fake = generate(z)
    cut = fake.detach()
    results = {}

    def add(key, side, value):
        names = [n for n in p if n.startswith(side)]
        grads = torch.autograd.grad(value, [p[n] for n in names], retain_graph=True, allow_unused=True)
        reached = {n: tensor(g) for n, g in zip(names, grads) if g is not None}
        results[f"{key} {side}"] = {"settings": TERMS[key], "value": value.item(), "grads": reached}

    if coded:
        term = TERMS["information"]

        def information(x):
            entropy = F.cross_entropy(head(x, "category"), label)
            error = ((head(x, "numbers") - numbers) ** 2).sum(1).mean()
            return term["weight"] * entropy + term["numbers_weight"] * error / 2

        add("information", "discriminator", information(cut))
        add("information", "generator", information(fake))
    else:
        entropy = lambda x: F.cross_entropy(head(x, "class"), label)
        weight = TERMS["classes"]["weight"]
        add("classes", "discriminator", weight * (entropy(real) + entropy(cut)))
        add("classes", "generator", weight * entropy(fake))
        bce = F.binary_cross_entropy_with_logits
        target = torch.full((ROWS, 1), 1 - TERMS["non_saturating with label_smoothing"]["share"])
        smooth = bce(head(real, "logit"), target) + bce(head(cut, "logit"), torch.zeros(ROWS, 1))
        add("non_saturating with label_smoothing", "discriminator", smooth)
        apart = ((features(real).mean(0) - features(fake).mean(0)) ** 2).sum()
        add("feature_matching", "generator", TERMS["feature_matching"]["weight"] * apart)
        ratio = (fake - generate(other)).abs().mean() / (z - other).abs().mean()
        add("mode_seeking", "generator", TERMS["mode_seeking"]["weight"] / (ratio + 1e-5))
        term = TERMS["latent_consistency"]
        near = generate(z + term["sigma"] * change)
        moved = head(cut, "logit") - head(near.detach(), "logit")
        add("latent_consistency", "discriminator", term["lambda_dis"] * (moved**2).mean())
        add("latent_consistency", "generator", -term["lambda_gen"] * ((fake - near) ** 2).mean())
        gram = lambda w: ((w @ w.T) * (1 - torch.eye(len(w)))).pow(2).sum()
        term = TERMS["orthogonal"]
        add("orthogonal", "generator", term["weight"] * sum(gram(p[name]) for name in term["weights"]))
        add("projection hinge", "discriminator", F.relu(1 - projected(real)).mean() + F.relu(1 + projected(cut)).mean())
        add("projection hinge", "generator", -projected(fake).mean())
    fed = {"x": real, "noise": z, "mode_seeking/latent": other, "latent_consistency/noise": change, "label": label, "numbers": numbers, "category": draw[:, None]}
    return {
        "name": name,
        "width": WIDTH,
        "classes": CLASSES,
        "numbers": NUMBERS,
        "weights": {n: tensor(w.detach()) for n, w in p.items()},
        "fed": {n: tensor(t) for n, t in fed.items()},
        "results": results,
    }


print(json.dumps({"source": f"PyTorch {torch.__version__} CPU, float64", "cases": [case("labels", False), case("code", True)]}))
