"""Iterates of game dynamics that golden/games.json does not hold, by PyTorch in float64 with whole Jacobians.

    pip install torch
    python schedulers/src/test/reference/games.py > schedulers/src/test/resources/reference/games-extra.json

Nothing here is differentiated by hand and no linear system is solved step by step: the field's Jacobian is a matrix
(torch.autograd.functional.jacobian), its antisymmetric part is taken as such, competitive gradient descent solves its
system by LU, unrolling differentiates through the steps.
"""

import json
import math
import platform

import torch
from torch.autograd.functional import jacobian

torch.set_default_dtype(torch.float64)
STEPS = 40


class Game:
    """Two losses of two flat vectors. `shapes` says how a player's vector is cut into weights, by path."""

    def __init__(self, name, rate, shapes, start, losses, constants=None):
        self.name, self.rate, self.shapes, self.start = name, rate, shapes, start
        self.losses, self.constants = losses, constants or {}

    def sizes(self):
        return [sum(math.prod(s) for s in player.values()) for player in self.shapes]

    def loss(self, i, z):
        nx = self.sizes()[0]
        return self.losses[i](z[:nx], z[nx:])

    def field(self, z):
        """(d L0 / d x, d L1 / d y), differentiable."""
        nx = self.sizes()[0]
        g0 = torch.autograd.grad(self.loss(0, z), z, create_graph=True, allow_unused=True)[0]
        g1 = torch.autograd.grad(self.loss(1, z), z, create_graph=True, allow_unused=True)[0]
        return torch.cat([g0[:nx], g1[nx:]])


def field_at(game, z):
    z = z.clone().requires_grad_(True)
    return game.field(z).detach()


def field_jacobian(game, z):
    """J[i, j] = d field_i / d z_j."""

    def of(point):
        if not point.requires_grad:
            point = point.clone().requires_grad_(True)
        return game.field(point)

    return jacobian(of, z)


def hessian(game, i, z):
    return torch.autograd.functional.hessian(lambda point: game.loss(i, point), z)


def gradient(game, i, z):
    z = z.clone().requires_grad_(True)
    return torch.autograd.grad(game.loss(i, z), z)[0]


def simultaneous(game, z, _):
    return field_at(game, z)


def consensus(game, z, params):
    xi, jac = field_at(game, z), field_jacobian(game, z)
    return xi + params["gamma"] * jac.T @ xi


def symplectic(game, z, params):
    xi, jac = field_at(game, z), field_jacobian(game, z)
    anti = (jac - jac.T) / 2
    adjustment = anti.T @ xi
    lam = params["lambda"]
    if params["aligned"]:
        grad_h = jac.T @ xi
        lam = lam * torch.sign(torch.dot(xi, grad_h) * torch.dot(adjustment, grad_h) / len(z) + 0.1)
    return xi + lam * adjustment


def competitive(game, z, params):
    """Both systems of the paper's algorithm 1, exactly."""
    eta = game.rate
    nx, ny = game.sizes()
    df, dg = gradient(game, 0, z), gradient(game, 1, z)
    f_xy, g_yx = hessian(game, 0, z)[:nx, nx:], hessian(game, 1, z)[nx:, :nx]
    dx = torch.linalg.solve(torch.eye(nx) - eta**2 * f_xy @ g_yx, df[:nx] - eta * f_xy @ dg[nx:])
    dy = torch.linalg.solve(torch.eye(ny) - eta**2 * g_yx @ f_xy, dg[nx:] - eta * g_yx @ df[:nx])
    return torch.cat([dx, dy])


def unrolled(game, z, params):
    """x looks ahead, y does not."""
    nx = game.sizes()[0]
    x = z[:nx].clone().requires_grad_(True)
    y = z[nx:].clone().requires_grad_(True)
    ahead = y
    for _ in range(params["k"]):
        step = torch.autograd.grad(game.losses[1](x, ahead), ahead, create_graph=True)[0]
        ahead = ahead - params["rate"] * step
    dx = torch.autograd.grad(game.losses[0](x, ahead), x)[0]
    return torch.cat([dx, field_at(game, z)[nx:]])


def bilinear(x, y):
    return (x * y).sum()


def quadratic(x, y):
    return (x * x / 2 + x * y - y * y / 2).sum()


A = torch.tensor([[0.9, -0.4], [0.3, 0.8], [-0.6, 0.5]])
B = torch.tensor([[1.1, 0.2], [-0.5, 0.7], [0.4, -0.9]])
C = torch.tensor([0.5, -0.3, 0.2])
D = torch.tensor([-0.4, 0.6])


def tanh_x(x, y):
    return torch.tanh(x @ A @ y) + 0.1 * (x @ x) + C @ torch.tanh(x) + 0.2 * torch.tanh(y).sum() * x.sum()


def tanh_y(x, y):
    return -0.7 * torch.tanh(x @ B @ y) + 0.05 * (y @ y) + D @ torch.tanh(2 * y) + 0.3 * (y * y).sum() * torch.tanh(x[0])


REAL = torch.tensor([[1.0, 0.5], [0.8, -0.2], [1.3, 0.1], [0.6, 0.9], [1.1, -0.4]])
NOISE = torch.tensor([[0.3, -1.2], [-0.7, 0.4], [1.5, 0.2], [-0.1, 0.9], [0.6, -0.5]])
GENERATOR = {
    "generator/hidden/weight": [3, 2],
    "generator/hidden/bias": [3],
    "generator/out/weight": [2, 3],
    "generator/out/bias": [2],
}
DISCRIMINATOR = {
    "discriminator/hidden/weight": [3, 2],
    "discriminator/hidden/bias": [3],
    "discriminator/logit/weight": [1, 3],
    "discriminator/logit/bias": [1],
}


def cut(flat, shapes):
    parts, at = [], 0
    for shape in shapes.values():
        size = math.prod(shape)
        parts.append(flat[at : at + size].reshape(shape))
        at += size
    return parts


def two_layers(flat, shapes, rows):
    w1, b1, w2, b2 = cut(flat, shapes)
    return torch.tanh(rows @ w1.T + b1) @ w2.T + b2


def gan_generator(g, d):
    fake = two_layers(g, GENERATOR, NOISE)
    return torch.nn.functional.softplus(-two_layers(d, DISCRIMINATOR, fake)).mean()


def gan_discriminator(g, d):
    fake = two_layers(g, GENERATOR, NOISE)
    real = two_layers(d, DISCRIMINATOR, REAL)
    softplus = torch.nn.functional.softplus
    return softplus(-real).mean() + softplus(two_layers(d, DISCRIMINATOR, fake)).mean()


def spread(n, scale, shift):
    return torch.tensor([scale * math.sin(1.7 * i + shift) for i in range(n)])


SCALARS = [{"game/x": [1]}, {"game/y": [1]}]
GAMES = [
    Game("bilinear", 0.1, SCALARS, torch.tensor([1.0, 1.0]), [bilinear, lambda x, y: -bilinear(x, y)]),
    Game("quadratic", 0.1, SCALARS, torch.tensor([1.0, -0.5]), [quadratic, lambda x, y: -quadratic(x, y)]),
    Game(
        "tanh",
        0.15,
        [{"game/x": [3]}, {"game/y": [2]}],
        torch.tensor([0.7, -0.4, 0.2, 0.5, -0.8]),
        [tanh_x, tanh_y],
        {"a": A, "b": B, "c": C, "d": D},
    ),
    Game(
        "gan",
        0.3,
        [GENERATOR, DISCRIMINATOR],
        torch.cat([spread(17, 0.8, 0.3), spread(13, 0.9, 1.1)]),
        [gan_generator, gan_discriminator],
        {"real": REAL, "noise": NOISE},
    ),
]
METHODS = [
    ("simultaneous", simultaneous, {}),
    ("consensus", consensus, {"gamma": 0.4}),
    ("symplectic", symplectic, {"lambda": 0.7, "aligned": False}),
    ("symplectic", symplectic, {"lambda": 1.0, "aligned": True}),
    ("competitive", competitive, {}),
    ("unrolled", unrolled, {"k": 3, "rate": 0.2}),
]


def played(game, method, direction, params):
    z = game.start.clone()
    iterates = [z.tolist()]
    for _ in range(STEPS):
        z = z - game.rate * direction(game, z, params)
        iterates.append(z.tolist())
    return {
        "game": game.name,
        "method": method,
        "params": params,
        "rate": game.rate,
        "shapes": game.shapes,
        "constants": {k: v.tolist() for k, v in game.constants.items()},
        "iterates": iterates,
    }


def rested(game, params):
    """Who plays is decided by the averages of the losses that each side saw in its own last turns."""
    nx = game.sizes()[0]
    z = game.start.clone()
    seen, turns, iterates = ([], []), [], [z.tolist()]
    for _ in range(4 * STEPS):
        mean = [sum(s[-params["window"] :]) / len(s[-params["window"] :]) if s else None for s in seen]
        mover = 0 if not turns or turns[-1] == 1 else 1
        if None not in mean:
            difference = mean[0] - mean[1] - params["level"]
            winner = 0 if difference < -params["band"] else 1 if difference > params["band"] else None
            if winner is not None:
                loser = 1 - winner
                last = turns[-params["patience"] :]
                exhausted = len(last) == params["patience"] and set(last) == {loser}
                mover = winner if exhausted else loser
        seen[mover].append(float(game.loss(mover, z)))
        step = game.rate * gradient(game, mover, z)
        z = z.clone()
        if mover == 0:
            z[:nx] -= step[:nx]
        else:
            z[nx:] -= step[nx:]
        turns.append(mover)
        iterates.append(z.tolist())
    return {
        "game": game.name,
        "method": "rest_winner",
        "params": params,
        "rate": game.rate,
        "shapes": game.shapes,
        "constants": {k: v.tolist() for k, v in game.constants.items()},
        "turns": turns,
        "iterates": iterates,
    }


def main():
    games = [played(game, *method) for game in GAMES for method in METHODS]
    rule = {"window": 3, "band": 0.25, "patience": 4, "level": 0.0}
    games += [rested(game, dict(rule, level=0.5 if game.name == "gan" else 0.0)) for game in GAMES]
    print(
        json.dumps(
            {
                "source": "schedulers/src/test/reference/games.py",
                "made_with": {"python": platform.python_version(), "torch": torch.__version__},
                "note": "iterates[i] is all weights of player 0, then of player 1, in the order of shapes, after i steps",
                "games": games,
            }
        )
    )


main()
