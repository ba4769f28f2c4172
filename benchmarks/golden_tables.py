"""Values for gan/src/test/resources/golden/tables.json: mixtures of scikit-learn, and outputs and gradients of CTGAN's parts.

The networks and the term are typed from the paper (Xu et al. 2019) and the public code (sdv-dev/CTGAN, ctgan/synthesizers/ctgan.py): the
generator with batch norm, tanh and Gumbel softmax with given uniform numbers, the discriminator of packs with rows and conditions, and the
cross entropy of the asked category. Names of weights are Hocket's paths. Mixtures are scikit-learn's own, from the first responsibilities
that Hocket begins with.

    python benchmarks/golden_tables.py > gan/src/test/resources/golden/tables.json
"""

import csv
import json
import warnings

import numpy as np
import torch
import torch.nn.functional as F
from golden_options import options
from sklearn.mixture import BayesianGaussianMixture

SIZES = {
    "numbers": 300,
    "components": 10,
    # a number with 3 modes, categories of 2, a number with 1 mode, categories of 4
    "blocks": ["NUMBER:1", "MODE:3", "CATEGORY:2", "NUMBER:1", "MODE:1", "CATEGORY:4"],
    "choice": [0, 5, 1, 3, 2, 4],  # the asked category of each row
    "latent": 3,
    "units": 4,
    "layers": 2,
    "pack": 2,
    "temperature": 0.2,
    "weight": 2.0,  # of the cross entropy of the asked category
}
NUMBERS, COMPONENTS, BLOCKS, CHOICE, LATENT, UNITS, LAYERS, PACK, TEMPERATURE, WEIGHT, SEED = options(__doc__, SIZES)
BLOCKS = [(kind, int(size)) for kind, size in (block.split(":") for block in BLOCKS)]
WIDTH = sum(size for _, size in BLOCKS)
CHOICES = sum(size for kind, size in BLOCKS if kind == "CATEGORY")
ROWS = len(CHOICE)
warnings.simplefilter("ignore")
torch.manual_seed(SEED)
torch.set_default_dtype(torch.float64)
PENGUINS = "gan/src/main/resources/hocket/gan/tables/penguins.csv"


class Quantiles(BayesianGaussianMixture):
    """Begins with the equal parts of the sorted values, where equal values are in one part."""

    def _initialize_parameters(self, x, random_state, **more):
        ranks = np.searchsorted(np.sort(x[:, 0]), x[:, 0])
        part = ranks * self.n_components // len(x)
        self._initialize(x, np.eye(self.n_components)[part])


def mixture(name, x, components=COMPONENTS):
    x = np.asarray(x, dtype=float)
    fitted = Quantiles(
        n_components=components, weight_concentration_prior_type="dirichlet_process", weight_concentration_prior=0.001
    ).fit(x[:, None])
    return {
        "name": name,
        "components": components,
        "x": x.tolist(),
        "weights": fitted.weights_.tolist(),
        "means": fitted.means_[:, 0].tolist(),
        "deviations": np.sqrt(fitted.covariances_[:, 0, 0]).tolist(),
        "responsibilities": fitted.predict_proba(x[:10, None]).flatten().tolist(),
    }


def mixtures():
    random = np.random.default_rng(SEED)
    normal = random.normal(size=NUMBERS)
    yield mixture("one Gaussian", np.round(normal, 6))
    third, half = NUMBERS // 3, NUMBERS // 2
    three = np.concatenate([normal[:third] * 0.3 - 2, normal[third:half] * 0.1, normal[half:] + 3])
    yield mixture("three Gaussians", np.round(three, 6))
    yield mixture("few values", [0.5, -1.25, 2.0, 0.5, 0.75], 5)
    yield mixture("repeated values", np.repeat([-1.0, 0.0, 0.5, 2.0], [20, 3, 40, 7]))
    with open(PENGUINS) as file:
        rows = [row for row in csv.DictReader(file) if "NA" not in row.values()]
    for column in ("bill_length_mm", "body_mass_g"):
        x = np.array([float(row[column]) for row in rows])
        yield mixture(column, (x - x.mean()) / x.std())


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.flatten().tolist()}


def weights(shapes):
    return {
        name: (torch.round(torch.randn(shape) * 256) / 512).requires_grad_(True) for name, shape in shapes.items()
    }


def generator(p, z, choice, u):
    h = torch.cat([z, F.one_hot(choice, CHOICES).double()], 1)
    for i in range(1, LAYERS + 1):
        y = F.linear(h, p[f"hidden{i}/weight"], p[f"hidden{i}/bias"])
        y = F.batch_norm(y, None, None, p[f"bn{i}/scale"], p[f"bn{i}/shift"], True)
        h = torch.cat([F.relu(y), h], 1)
    logits = F.linear(h, p["out/weight"], p["out/bias"])
    gumbel = -torch.log(-torch.log(u))
    out, at = [], 0
    for kind, size in BLOCKS:
        some = logits[:, at : at + size]
        out.append(torch.tanh(some) if kind == "NUMBER" else F.softmax((some + gumbel[:, at : at + size]) / TEMPERATURE, 1))
        at += size
    return torch.cat(out, 1), logits


def category(logits, choice):
    """_cond_loss of the public code."""
    loss, at, c = torch.zeros(len(logits)), 0, 0
    for kind, size in BLOCKS:
        if kind == "CATEGORY":
            mine = (choice >= c) & (choice < c + size)
            target = torch.where(mine, choice - c, 0)
            each = F.cross_entropy(logits[:, at : at + size], target, reduction="none")
            loss = loss + torch.where(mine, each, 0.0)
            c += size
        at += size
    return loss.mean()


def discriminator(p, rows, choice):
    """Packs: rows, then conditions, joined."""
    condition = F.one_hot(choice, CHOICES).double()
    h = torch.cat([rows.view(-1, PACK * WIDTH), condition.view(-1, PACK * CHOICES)], 1)
    for i in range(1, LAYERS + 1):
        h = F.leaky_relu(F.linear(h, p[f"hidden{i}/weight"], p[f"hidden{i}/bias"]), 0.2)
    return F.linear(h, p["logit/weight"], p["logit/bias"])


def networks():
    inner = LATENT + CHOICES
    in_g, in_d = {}, {}
    for i in range(1, LAYERS + 1):
        in_g |= {f"hidden{i}/weight": (UNITS, (i - 1) * UNITS + inner), f"hidden{i}/bias": (UNITS,)}
        in_g |= {f"bn{i}/scale": (UNITS,), f"bn{i}/shift": (UNITS,)}
        inputs = PACK * (WIDTH + CHOICES) if i == 1 else UNITS
        in_d |= {f"hidden{i}/weight": (UNITS, inputs), f"hidden{i}/bias": (UNITS,)}
    g = weights(in_g | {"out/weight": (WIDTH, LAYERS * UNITS + inner), "out/bias": (WIDTH,)})
    d = weights(in_d | {"logit/weight": (1, UNITS), "logit/bias": (1,)})
    z, u = torch.randn(ROWS, LATENT), torch.rand(ROWS, WIDTH) * 0.9 + 0.05
    choice = torch.tensor(CHOICE)
    upstream = torch.randn(ROWS, WIDTH)
    rows, logits = generator(g, z, choice, u)
    term = category(logits, choice)
    ((rows * upstream).sum() + WEIGHT * term).backward()
    real = torch.randn(ROWS, WIDTH)
    score = discriminator(d, real, choice)
    score.sum().backward()
    return {
        "blocks": [{"kind": kind, "size": size} for kind, size in BLOCKS],
        "latent": LATENT, "units": UNITS,
        "settings": {"layers": LAYERS, "pack": PACK, "temperature": TEMPERATURE, "weight": WEIGHT},
        "z": tensor(z), "u": tensor(u), "choice": tensor(choice), "upstream": tensor(upstream), "real": tensor(real),
        "rows": tensor(rows), "logits": tensor(logits), "term": term.item(), "score": tensor(score),
        "generator": {name: tensor(w) for name, w in g.items()},
        "generator_grads": {name: tensor(w.grad) for name, w in g.items()},
        "discriminator": {name: tensor(w) for name, w in d.items()},
        "discriminator_grads": {name: tensor(w.grad) for name, w in d.items()},
    }


print(json.dumps({"mixtures": list(mixtures()), "networks": networks()}))
