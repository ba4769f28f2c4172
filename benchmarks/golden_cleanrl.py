#!/usr/bin/env python3
"""Values for rl/src/test/resources/golden/losses/cleanrl.json: what lines of CleanRL's own files compute, in float64.

The files of the package cleanrl 1.2.0 have no functions for their losses, so this program runs the lines of their loops as they stand,
with rows at random: of ppo.py the advantages of a rollout and the losses of a minibatch, of c51.py the projected target and the loss.
Actions are chosen by their classes Agent and QNetwork, whose layers are replaced by the identity: their inputs are logits.

    pip install torch gymnasium stable-baselines3 numpy && pip install --no-deps --ignore-requires-python cleanrl==1.2.0
    python benchmarks/golden_cleanrl.py > rl/src/test/resources/golden/losses/cleanrl.json
"""
import importlib.metadata
import json
import sys
import textwrap
from types import SimpleNamespace

import numpy as np
import torch
from agent_cleanrl import FILES, file_of, loaded
from golden_options import options

ROWS, SEED = options(__doc__, {"rows": 12})
torch.set_default_dtype(torch.float64)
torch.manual_seed(SEED)
random = np.random.default_rng(SEED)
AGENT, Q_NETWORK = loaded("ppo")["Agent"], loaded("c51")["QNetwork"]


def lines(algorithm, first, last):
    """Returns the lines of a file from the first that begins with `first` to the next that begins with `last`, compiled."""
    text = open(file_of(algorithm)).read().splitlines()
    begin = next(i for i, line in enumerate(text) if line.strip().startswith(first))
    end = next(i for i, line in enumerate(text) if i > begin and line.strip().startswith(last))
    return compile(textwrap.dedent("\n".join(text[begin : end + 1])), FILES[algorithm], "exec")


def tensor(values):
    values = torch.as_tensor(values).detach()
    kind = "int64" if values.dtype == torch.int64 else "float64"
    return {"shape": list(values.shape), "dtype": kind, "data": values.flatten().tolist()}


def normal(*shape, scale=1.0):
    return torch.as_tensor(random.normal(0, scale, shape))


def advantages(steps, environments):
    """Returns a rollout with its advantages and returns; a flag says that an episode has ended before a step."""
    inside = {
        "args": SimpleNamespace(num_steps=steps, gamma=0.97, gae_lambda=0.9),
        "rewards": normal(steps, environments),
        "values": normal(steps, environments),
        "dones": torch.as_tensor(random.random((steps, environments)) < 0.3).double(),
        "next_done": torch.as_tensor(random.random(environments) < 0.5).double(),
        "next_obs": normal(environments, 1),
        "agent": SimpleNamespace(get_value=lambda seen: seen),
        "device": "cpu",
        "torch": torch,
    }
    exec(lines("ppo", "next_value = agent", "returns = advantages"), inside)
    return {
        "gamma": 0.97,
        "gae_lambda": 0.9,
        **{name: tensor(inside[name]) for name in ("rewards", "values", "dones", "next_done", "next_value", "advantages", "returns")},
    }


def minibatch(clips_values, normalises):
    """Returns the rows of a minibatch, its losses and their gradients by logits and values."""
    logits, values = normal(ROWS, 3).requires_grad_(), normal(ROWS, 1).requires_grad_()
    agent = AGENT.__new__(AGENT)
    torch.nn.Module.__init__(agent)
    agent.actor, agent.critic = torch.nn.Identity(), lambda seen: values
    actions = torch.as_tensor(random.integers(0, 3, ROWS))
    with torch.no_grad():
        before = agent.get_action_and_value(logits + normal(ROWS, 3, scale=0.3), actions)[1]
    inside = {
        "args": SimpleNamespace(clip_coef=0.2, ent_coef=0.01, vf_coef=0.5, norm_adv=normalises, clip_vloss=clips_values),
        "agent": agent,
        "b_obs": logits,
        "b_actions": actions,
        "b_logprobs": before,
        "b_advantages": normal(ROWS),
        "b_returns": normal(ROWS),
        "b_values": values.detach().flatten() + normal(ROWS, scale=0.3),
        "mb_inds": np.arange(ROWS),
        "clipfracs": [],
        "torch": torch,
    }
    exec(lines("ppo", "_, newlogprob, entropy, newvalue", "loss = pg_loss"), inside)
    inside["loss"].backward()
    return {
        **{name: getattr(inside["args"], name) for name in ("clip_coef", "ent_coef", "vf_coef", "norm_adv", "clip_vloss")},
        **{name[2:]: tensor(inside[name]) for name in ("b_actions", "b_logprobs", "b_advantages", "b_returns", "b_values")},
        "logits": tensor(logits),
        "newvalue": tensor(values.flatten()),
        **{name: inside[name].item() for name in ("pg_loss", "v_loss", "entropy_loss", "approx_kl", "loss")},
        "clipfrac": inside["clipfracs"][0],
        "grad_logits": tensor(logits.grad),
        "grad_newvalue": tensor(values.grad.flatten()),
    }


def categorical(atoms, low, high):
    """Returns the rows of a batch, their projected targets, the loss and its gradient by logits."""
    spaces = {"single_action_space": SimpleNamespace(n=3), "single_observation_space": SimpleNamespace(shape=(1,))}
    networks = {}
    for name in ("q_network", "target_network"):
        networks[name] = Q_NETWORK(SimpleNamespace(**spaces), n_atoms=atoms, v_min=low, v_max=high)
        networks[name].network = torch.nn.Identity()
    logits, following = normal(ROWS, 3 * atoms).requires_grad_(), normal(ROWS, 3 * atoms)
    data = SimpleNamespace(
        observations=logits,
        next_observations=following,
        actions=torch.as_tensor(random.integers(0, 3, (ROWS, 1))),
        rewards=normal(ROWS, 1, scale=high / 2),
        dones=torch.as_tensor(random.random((ROWS, 1)) < 0.3).double(),
    )
    inside = {
        "args": SimpleNamespace(gamma=0.97, n_atoms=atoms, v_min=low, v_max=high),
        "rb": SimpleNamespace(sample=lambda rows: data),
        "data": data,
        "torch": torch,
        **networks,
    }
    exec(lines("c51", "_, next_pmfs = target_network", "target_pmfs[i].index_add_(0, u[i]"), inside)
    exec(lines("c51", "_, old_pmfs = q_network", "loss = "), inside)
    inside["loss"].backward()
    shape = (ROWS, 3, atoms)
    return {
        "gamma": 0.97,
        "v_min": low,
        "v_max": high,
        "logits": tensor(logits.reshape(shape)),
        "next_logits": tensor(following.reshape(shape)),
        **{name: tensor(getattr(data, name).flatten()) for name in ("actions", "rewards", "dones")},
        "target_pmfs": tensor(inside["target_pmfs"]),
        "loss": inside["loss"].item(),
        "grad_logits": tensor(logits.grad.reshape(shape)),
    }


def main():
    source = f"lines of the files of cleanrl {importlib.metadata.version('cleanrl')}, PyTorch {torch.__version__}, float64"
    sections = {
        "source": source,
        "gae": [advantages(9, 2), advantages(1, 3)],
        "ppo": [minibatch(True, True), minibatch(False, False), minibatch(True, False)],
        "c51": [categorical(11, -4.0, 6.0), categorical(21, -10.0, 10.0)],
    }
    json.dump(sections, sys.stdout)
    print()


if __name__ == "__main__":
    main()
