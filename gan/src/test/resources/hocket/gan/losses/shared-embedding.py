"""Makes shared-embedding.json: a conditional toy GAN whose two networks read one embedding of the label.

Two rounds (a discriminator's turn, then a generator's) by SGD in float64, the embedding moved in both turns where the
gradient reaches it. With `detach` the discriminator reads embedding(label).detach(): then only the generator's turn
moves it, along the path through the generator. Run: python3 shared-embedding.py > shared-embedding.json
"""

import json

import torch
from torch.nn.functional import softplus

torch.set_default_dtype(torch.float64)
ROWS, LABELS, EMBEDDED, NOISE, DATA, HIDDEN, RATE = 5, 3, 2, 4, 6, 7, 0.1


def tensor(t):
    return {"shape": list(t.shape), "dtype": "float64", "data": t.detach().reshape(-1).tolist()}


def initial():
    g = torch.Generator().manual_seed(11)
    shapes = {
        "embed.table": (LABELS, EMBEDDED),
        "generator.out.weight": (DATA, NOISE + EMBEDDED),
        "generator.out.bias": (DATA,),
        "discriminator.hidden.weight": (HIDDEN, DATA + EMBEDDED),
        "discriminator.hidden.bias": (HIDDEN,),
        "discriminator.logit.weight": (1, HIDDEN),
        "discriminator.logit.bias": (1,),
    }
    return {name: torch.randn(shape, generator=g).mul(0.5) for name, shape in shapes.items()}


def rounds():
    g = torch.Generator().manual_seed(12)
    return [
        {
            "real": torch.randn(ROWS, DATA, generator=g),
            "label": torch.randint(0, LABELS, (ROWS,), generator=g),
            "noise_d": torch.randn(ROWS, NOISE, generator=g),
            "noise_g": torch.randn(ROWS, NOISE, generator=g),
        }
        for _ in range(2)
    ]


def run(detach):
    w = {name: t.clone().requires_grad_() for name, t in initial().items()}

    def generate(noise, label):
        x = torch.cat([noise, w["embed.table"][label]], 1)
        return torch.tanh(x @ w["generator.out.weight"].T + w["generator.out.bias"])

    def discriminate(x, label):
        e = w["embed.table"][label]
        x = torch.cat([x, e.detach() if detach else e], 1)
        h = torch.tanh(x @ w["discriminator.hidden.weight"].T + w["discriminator.hidden.bias"])
        return h @ w["discriminator.logit.weight"].T + w["discriminator.logit.bias"]

    turns = []
    for r in rounds():
        for turn in "dg":
            fake = generate(r["noise_" + turn], r["label"])
            if turn == "d":
                real, made = discriminate(r["real"], r["label"]), discriminate(fake.detach(), r["label"])
                loss = softplus(-real).mean() + softplus(made).mean()
                moved = [n for n in w if n.startswith("discriminator") or n.startswith("embed") and not detach]
            else:
                loss = softplus(-discriminate(fake, r["label"])).mean()
                moved = [n for n in w if n.startswith("generator") or n.startswith("embed")]
            grads = dict(zip(moved, torch.autograd.grad(loss, [w[n] for n in moved])))
            with torch.no_grad():
                for n in moved:
                    w[n] -= RATE * grads[n]
            turns.append(
                {
                    "turn": turn,
                    "loss": loss.item(),
                    "grads": {n: tensor(g) for n, g in grads.items()},
                    "params_after": {n: tensor(w[n]) for n in moved},
                }
            )
    return turns


print(
    json.dumps(
        {
            "source": f"PyTorch {torch.__version__}, float64, shared-embedding.py",
            "rate": RATE,
            "weights": {n: tensor(t) for n, t in initial().items()},
            "rounds": [
                {k: t.tolist() if k == "label" else tensor(t) for k, t in r.items()} for r in rounds()
            ],
            "shared": run(detach=False),
            "detached": run(detach=True),
        }
    )
)
