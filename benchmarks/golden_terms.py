"""Terms of GAN losses and their gradients through small networks, for gan/src/test/resources/golden/terms.json.

Each is typed from its paper: AC-GAN (Odena et al. 2017), InfoGAN (Chen et al. 2016), feature matching and label smoothing
(Salimans et al. 2016), mode seeking (Mao et al. 2019), latent consistency (Zhao et al. 2021), orthogonal regularisation (Brock et al. 2019), projection (Miyato and
Koyama 2018).

    python benchmarks/golden_terms.py > gan/src/test/resources/golden/terms.json
"""

import json

import torch
import torch.nn.functional as F

torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
ROWS, DATA, LATENT, WIDTH, CLASSES, NUMBERS = 6, 4, 3, 5, 3, 2


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.flatten().tolist()}


def parameter(*shape):
    return (torch.round(torch.randn(shape) * 256) / 512).requires_grad_(True)


def given(*shape):
    return torch.round(torch.randn(shape) * 1024) / 1024


def case(name, coded):
    """A generator and a discriminator of one hidden layer, with every head; labels or a code are read by the generator."""
    beside = LATENT + (CLASSES + NUMBERS if coded else LATENT)
    p = {
        "generator.hidden1.weight": parameter(WIDTH, beside),
        "generator.hidden1.bias": parameter(WIDTH),
        "generator.out.weight": parameter(DATA, WIDTH),
        "generator.out.bias": parameter(DATA),
        "discriminator.hidden1.weight": parameter(WIDTH, DATA),
        "discriminator.hidden1.bias": parameter(WIDTH),
        "discriminator.logit.weight": parameter(1, WIDTH),
        "discriminator.logit.bias": parameter(1),
    }
    heads = {"category": CLASSES, "numbers": NUMBERS} if coded else {"class": CLASSES}
    for head, size in heads.items():
        p[f"discriminator.{head}.weight"] = parameter(size, WIDTH)
        p[f"discriminator.{head}.bias"] = parameter(size)
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
        h = F.relu(F.linear(h, p["generator.hidden1.weight"], p["generator.hidden1.bias"]))
        return F.linear(h, p["generator.out.weight"], p["generator.out.bias"])

    def features(x):
        return F.leaky_relu(F.linear(x, p["discriminator.hidden1.weight"], p["discriminator.hidden1.bias"]), 0.2)

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
        results[f"{key} {side}"] = {"value": value.item(), "grads": reached}

    if coded:
        def information(x):
            entropy = F.cross_entropy(head(x, "category"), label)
            return 1.5 * entropy + 0.25 * ((head(x, "numbers") - numbers) ** 2).sum(1).mean() / 2

        add("information", "discriminator", information(cut))
        add("information", "generator", information(fake))
    else:
        entropy = lambda x: F.cross_entropy(head(x, "class"), label)
        add("classes", "discriminator", 1.5 * (entropy(real) + entropy(cut)))
        add("classes", "generator", 1.5 * entropy(fake))
        bce = F.binary_cross_entropy_with_logits
        smooth = bce(head(real, "logit"), torch.full((ROWS, 1), 0.9)) + bce(head(cut, "logit"), torch.zeros(ROWS, 1))
        add("non_saturating with label_smoothing", "discriminator", smooth)
        add("feature_matching", "generator", 2 * ((features(real).mean(0) - features(fake).mean(0)) ** 2).sum())
        ratio = (fake - generate(other)).abs().mean() / (z - other).abs().mean()
        add("mode_seeking", "generator", 0.5 / (ratio + 1e-5))
        near = generate(z + 0.25 * change)
        moved = head(cut, "logit") - head(near.detach(), "logit")
        add("latent_consistency", "discriminator", 3 * (moved**2).mean())
        add("latent_consistency", "generator", -0.5 * ((fake - near) ** 2).mean())
        gram = lambda w: ((w @ w.T) * (1 - torch.eye(len(w)))).pow(2).sum()
        add("orthogonal", "generator", 0.01 * (gram(p["generator.hidden1.weight"]) + gram(p["generator.out.weight"])))
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
