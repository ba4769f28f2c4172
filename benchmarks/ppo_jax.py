"""Environment steps a second of PPO on CartPole compiled whole by JAX, its environment too: ppo_jax.py NAME

NAME is such as ppo-8x32-20x256: 8 environments, rollouts of 32 steps, 20 epochs of minibatches of 256. Actor and critic are
two networks of 64 and 64 tanh units, trained by Adam with one clipped norm. Compiled before it is measured; best of three.
Prints one number. Needs jax and optax (pip install jax optax).
"""

import re
import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import optax

N, T, EPOCHS, MINIBATCH = map(int, re.fullmatch(r"ppo-(\d+)x(\d+)-(\d+)x(\d+)", sys.argv[1]).groups())
GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2
OPTIMIZER = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(3e-4, eps=1e-5))


def layers(key, widths):
    keys = jax.random.split(key, len(widths) - 1)
    return [(jax.random.normal(k, (a, b)) / jnp.sqrt(a), jnp.zeros(b)) for k, a, b in zip(keys, widths, widths[1:])]


def network(weights, x):
    *hidden, (w, b) = weights
    for v, c in hidden:
        x = jnp.tanh(x @ v + c)
    return x @ w + b


def world(state, action, clock, key):
    """One step of CartPole-v1 in each world, which begins anew where its episode ends."""
    x, v, angle, spin = state.T
    force = jnp.where(action == 1, 10.0, -10.0)
    sin, cos = jnp.sin(angle), jnp.cos(angle)
    push = (force + 0.05 * spin**2 * sin) / 1.1
    turn = (9.8 * sin - cos * push) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
    pull = push - 0.05 * turn * cos / 1.1
    after = jnp.stack([x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * spin, spin + 0.02 * turn], -1)
    clock = clock + 1
    ended = (jnp.abs(after[:, 0]) > 2.4) | (jnp.abs(after[:, 2]) > 0.2095) | (clock >= 500)
    begin = jax.random.uniform(key, after.shape, minval=-0.05, maxval=0.05)
    return jnp.where(ended[:, None], begin, after), jnp.where(ended, 0, clock), ended


def loss(weights, batch):
    seen, action, before, advantage, target = batch
    logs = jax.nn.log_softmax(network(weights["actor"], seen))
    log = jnp.take_along_axis(logs, action[:, None], 1)[:, 0]
    ratio = jnp.exp(log - before)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    surrogate = jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage)
    value = network(weights["critic"], seen)[:, 0]
    return 0.5 * ((value - target) ** 2).mean() - surrogate.mean()


def act(carry, _):
    weights, state, clock, key = carry
    key, choose, begin = jax.random.split(key, 3)
    logs = jax.nn.log_softmax(network(weights["actor"], state))
    action = jax.random.categorical(choose, logs)
    log = jnp.take_along_axis(logs, action[:, None], 1)[:, 0]
    value = network(weights["critic"], state)[:, 0]
    after, clock, ended = world(state, action, clock, begin)
    return (weights, after, clock, key), (state, action, log, value, ended)


def estimate(carry, step):
    advantage, following = carry
    value, ended = step
    goes_on = 1.0 - ended
    advantage = 1.0 + GAMMA * following * goes_on - value + GAMMA * LAMBDA * goes_on * advantage
    return (advantage, value), advantage


def minibatch(carry, batch):
    weights, slots = carry
    updates, slots = OPTIMIZER.update(jax.grad(loss)(weights, batch), slots, weights)
    return (optax.apply_updates(weights, updates), slots), None


def epoch(rows, carry, _):
    weights, slots, key = carry
    key, order = jax.random.split(key)
    order = jax.random.permutation(order, N * T)
    batches = jax.tree.map(lambda column: column[order].reshape(-1, MINIBATCH, *column.shape[1:]), rows)
    (weights, slots), _ = jax.lax.scan(minibatch, (weights, slots), batches)
    return (weights, slots, key), None


def round_(carry, _):
    weights, slots, state, clock, key = carry
    (weights, state, clock, key), (seen, action, log, value, ended) = jax.lax.scan(
        act, (weights, state, clock, key), None, T
    )
    last = network(weights["critic"], state)[:, 0]
    _, advantage = jax.lax.scan(estimate, (jnp.zeros(N), last), (value, ended), reverse=True)
    columns = (seen, action, log, advantage, advantage + value)
    rows = jax.tree.map(lambda column: column.reshape(N * T, *column.shape[2:]), columns)
    (weights, slots, key), _ = jax.lax.scan(partial(epoch, rows), (weights, slots, key), None, EPOCHS)
    return (weights, slots, state, clock, key), None


@partial(jax.jit, static_argnums=1)
def train(key, rounds):
    actor, critic, begin, key = jax.random.split(key, 4)
    weights = {"actor": layers(actor, [4, 64, 64, 2]), "critic": layers(critic, [4, 64, 64, 1])}
    state = jax.random.uniform(begin, (N, 4), minval=-0.05, maxval=0.05)
    clock = jnp.zeros(N, jnp.int32)
    return jax.lax.scan(round_, (weights, OPTIMIZER.init(weights), state, clock, key), None, rounds)[0]


rounds = max(3, 60_000 // (N * T) if EPOCHS > 4 else 200_000 // (N * T))
jax.block_until_ready(train(jax.random.PRNGKey(0), rounds))
best = float("inf")
for seed in range(3):
    start = time.perf_counter()
    jax.block_until_ready(train(jax.random.PRNGKey(seed), rounds))
    best = min(best, time.perf_counter() - start)
print(N * T * rounds / best)
