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
from sklearn.mixture import BayesianGaussianMixture

warnings.simplefilter("ignore")
torch.manual_seed(7)
torch.set_default_dtype(torch.float64)
PENGUINS = "gan/src/main/resources/hocket/gan/tables/penguins.csv"


class Quantiles(BayesianGaussianMixture):
    """Begins with the equal parts of the sorted values, where equal values are in one part."""

    def _initialize_parameters(self, x, random_state, **more):
        ranks = np.searchsorted(np.sort(x[:, 0]), x[:, 0])
        part = ranks * self.n_components // len(x)
        self._initialize(x, np.eye(self.n_components)[part])


def mixture(name, x, components=10):
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
    random = np.random.default_rng(7)
    normal = random.normal(size=300)
    yield mixture("one Gaussian", np.round(normal, 6))
    three = np.concatenate([normal[:100] * 0.3 - 2, normal[100:150] * 0.1, normal[150:] + 3])
    yield mixture("three Gaussians", np.round(three, 6))
    yield mixture("few values", [0.5, -1.25, 2.0, 0.5, 0.75], 5)
    yield mixture("repeated values", np.repeat([-1.0, 0.0, 0.5, 2.0], [20, 3, 40, 7]))
    with open(PENGUINS) as file:
        rows = [row for row in csv.DictReader(file) if "NA" not in row.values()]
    for column in ("bill_length_mm", "body_mass_g"):
        x = np.array([float(row[column]) for row in rows])
        yield mixture(column, (x - x.mean()) / x.std())


# a table of: a number with 3 modes, categories of 2, a number with 1 mode, categories of 4
BLOCKS = [("NUMBER", 1), ("MODE", 3), ("CATEGORY", 2), ("NUMBER", 1), ("MODE", 1), ("CATEGORY", 4)]
WIDTH, CHOICES, LATENT, UNITS, ROWS = 12, 6, 3, 4, 6


def tensor(x):
    kind = "int64" if x.dtype == torch.int64 else "float64"
    return {"shape": list(x.shape), "dtype": kind, "data": x.flatten().tolist()}


def weights(shapes):
    return {
        name: (torch.round(torch.randn(shape) * 256) / 512).requires_grad_(True) for name, shape in shapes.items()
    }


def generator(p, z, choice, u):
    h = torch.cat([z, F.one_hot(choice, CHOICES).double()], 1)
    for i in (1, 2):
        y = F.linear(h, p[f"hidden{i}/weight"], p[f"hidden{i}/bias"])
        y = F.batch_norm(y, None, None, p[f"bn{i}/scale"], p[f"bn{i}/shift"], True)
        h = torch.cat([F.relu(y), h], 1)
    logits = F.linear(h, p["out/weight"], p["out/bias"])
    gumbel = -torch.log(-torch.log(u))
    out, at = [], 0
    for kind, size in BLOCKS:
        some = logits[:, at : at + size]
        out.append(torch.tanh(some) if kind == "NUMBER" else F.softmax((some + gumbel[:, at : at + size]) / 0.2, 1))
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
    """Packs of two: rows, then conditions, joined."""
    condition = F.one_hot(choice, CHOICES).double()
    h = torch.cat([rows.view(-1, 2 * WIDTH), condition.view(-1, 2 * CHOICES)], 1)
    for i in (1, 2):
        h = F.leaky_relu(F.linear(h, p[f"hidden{i}/weight"], p[f"hidden{i}/bias"]), 0.2)
    return F.linear(h, p["logit/weight"], p["logit/bias"])


def networks():
    inner = LATENT + CHOICES
    g = weights({
        "hidden1/weight": (UNITS, inner), "hidden1/bias": (UNITS,), "bn1/scale": (UNITS,), "bn1/shift": (UNITS,),
        "hidden2/weight": (UNITS, UNITS + inner), "hidden2/bias": (UNITS,), "bn2/scale": (UNITS,), "bn2/shift": (UNITS,),
        "out/weight": (WIDTH, 2 * UNITS + inner), "out/bias": (WIDTH,),
    })
    d = weights({
        "hidden1/weight": (UNITS, 2 * (WIDTH + CHOICES)), "hidden1/bias": (UNITS,),
        "hidden2/weight": (UNITS, UNITS), "hidden2/bias": (UNITS,),
        "logit/weight": (1, UNITS), "logit/bias": (1,),
    })
    z, u = torch.randn(ROWS, LATENT), torch.rand(ROWS, WIDTH) * 0.9 + 0.05
    choice = torch.tensor([0, 5, 1, 3, 2, 4])
    upstream = torch.randn(ROWS, WIDTH)
    rows, logits = generator(g, z, choice, u)
    term = category(logits, choice)
    ((rows * upstream).sum() + 2 * term).backward()
    real = torch.randn(ROWS, WIDTH)
    score = discriminator(d, real, choice)
    score.sum().backward()
    return {
        "blocks": [{"kind": kind, "size": size} for kind, size in BLOCKS],
        "latent": LATENT, "units": UNITS,
        "z": tensor(z), "u": tensor(u), "choice": tensor(choice), "upstream": tensor(upstream), "real": tensor(real),
        "rows": tensor(rows), "logits": tensor(logits), "term": term.item(), "score": tensor(score),
        "generator": {name: tensor(w) for name, w in g.items()},
        "generator_grads": {name: tensor(w.grad) for name, w in g.items()},
        "discriminator": {name: tensor(w) for name, w in d.items()},
        "discriminator_grads": {name: tensor(w.grad) for name, w in d.items()},
    }


print(json.dumps({"mixtures": list(mixtures()), "networks": networks()}))
