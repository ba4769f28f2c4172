#!/usr/bin/env python3
"""The experiment pages-preferences in PyTorch: four_networks_torch.py [seed] [kl] [threads]

The text, the split, the four networks, the initial distributions of their weights, the optimizers, the numbers of updates and
the losses are the experiment's; weights, windows and continuations are drawn by PyTorch. Prints a line of JSON each ten rounds
of PPO, then the scores over continuations of held-out prompts.
"""
import gzip
import json
import pathlib
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 7
kl = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
torch.set_num_threads(int(sys.argv[3]) if len(sys.argv) > 3 else 2)
torch.manual_seed(seed)
PROMPT, LENGTH, BATCH, ROWS = 16, 32, 32, 64
WINDOW = PROMPT + LENGTH

file = pathlib.Path(__file__).parent / "../schedulers/src/main/resources/hocket/schedulers/text/hocket-pages.txt.gz"
characters = gzip.open(file, "rt").read()
vocabulary = sorted(set(characters))
n = len(vocabulary)
text = torch.tensor([vocabulary.index(c) for c in characters])
train, held_out = text[: len(text) * 9 // 10], text[len(text) * 9 // 10 :]
vowel = torch.tensor([c in "aeiou" for c in vocabulary])


def dense(inputs, outputs):
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class Block(nn.Module):
    def __init__(self, width=64, heads=4, feed=256):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query, self.key, self.value, self.output = (dense(width, width) for _ in range(4))
        self.linear1, self.linear2 = dense(width, feed), dense(feed, width)

    def forward(self, x):
        rows, steps, width = x.shape
        h = self.norm1(x)
        q, k, v = (
            part(h).view(rows, steps, self.heads, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.output(y.transpose(1, 2).reshape(rows, steps, width))
        return x + self.linear2(F.gelu(self.linear1(self.norm2(x))))


class Transformer(nn.Module):
    def __init__(self, outputs):
        super().__init__()
        self.characters, self.places = nn.Embedding(n, 64), nn.Embedding(WINDOW, 64)
        nn.init.normal_(self.characters.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)
        self.blocks, self.norm, self.head = nn.Sequential(Block(), Block()), nn.LayerNorm(64), dense(64, outputs)

    def forward(self, x):
        return self.head(self.norm(self.blocks(self.characters(x) + self.places.weight[: x.shape[1]])))


policy, reference, reward, value = Transformer(n), Transformer(n), Transformer(1), Transformer(1)


def windows(of, length, rows):
    return of[torch.randint(len(of) - length + 1, (rows, 1)) + torch.arange(length)]


@torch.no_grad()
def write(model, prompts):
    written = prompts
    for _ in range(LENGTH):
        written = torch.cat([written, torch.multinomial(model(written)[:, -1].softmax(-1), 1)], 1)
    return written


def vowels(written):
    return vowel[written[:, PROMPT:]].sum(1).float()


def logarithms(model, written):
    return model(written)[:, PROMPT - 1 : WINDOW - 1].log_softmax(-1)


def picked(logarithms, written):
    return logarithms.gather(2, written[:, PROMPT:].unsqueeze(2)).squeeze(2)


def score(written):
    return reward(written)[:, -1, 0]


def values(written):
    return value(written)[:, PROMPT - 1 : WINDOW - 1, 0]


def step(adam, loss, most=None):
    adam.zero_grad(set_to_none=True)
    loss.backward()
    if most is not None:
        nn.utils.clip_grad_norm_(adam.param_groups[0]["params"], most)
    adam.step()
    return loss.item()


def minibatches(rows, passes):
    for _ in range(passes):
        yield from torch.randperm(rows).split(BATCH)


start = time.perf_counter()
adam = torch.optim.Adam(policy.parameters(), 2e-3, fused=True)
losses = []
for _ in range(1000):
    window = windows(train, WINDOW + 1, BATCH)
    losses.append(step(adam, F.cross_entropy(policy(window[:, :-1]).reshape(-1, n), window[:, 1:].reshape(-1))))
reference.load_state_dict(policy.state_dict())
print(json.dumps({"pretrain": sum(losses[-50:]) / 50}), flush=True)

adam = torch.optim.Adam(reward.parameters(), 1e-3, fused=True)
accuracies = []
for _ in range(40):
    prompts = windows(train, PROMPT, ROWS)
    first, second = write(policy, prompts), write(policy, prompts)
    preference = 0.5 + 0.5 * (vowels(first) - vowels(second)).sign()
    for rows in minibatches(ROWS, 2):
        more, wanted = score(first[rows]) - score(second[rows]), preference[rows]
        decided = wanted != 0.5
        accuracies.append(((more > 0) == (wanted > 0.5))[decided].float().mean().item())
        step(adam, F.binary_cross_entropy_with_logits(more, wanted))
with torch.no_grad():
    scores = torch.cat([score(write(policy, windows(train, PROMPT, ROWS))) for _ in range(8)])
mean, deviation = scores.mean(), scores.std(correction=0)
print(json.dumps({"accuracy": sum(accuracies[-20:]) / 20, "deviation": deviation.item()}), flush=True)

of_policy = torch.optim.Adam(policy.parameters(), 3e-4, fused=True)
of_value = torch.optim.Adam(value.parameters(), 1e-3, fused=True)
series = []
for i in range(1, 101):
    written = write(policy, windows(train, PROMPT, ROWS))
    with torch.no_grad():
        old, known = picked(logarithms(policy, written), written), values(written)
        apart = old - picked(logarithms(reference, written), written)
        earned = (score(written) - mean) / deviation
    rewards = -kl * apart
    rewards[:, -1] += earned
    advantages, after, following = torch.zeros_like(rewards), torch.zeros(ROWS), torch.zeros(ROWS)
    for t in reversed(range(LENGTH)):
        after = rewards[:, t] + following - known[:, t] + 0.95 * after
        advantages[:, t], following = after, known[:, t]
    returns = advantages + known
    entropies, errors = [], []
    for rows, others in zip(minibatches(ROWS, 2), minibatches(ROWS, 2)):
        logs = logarithms(policy, written[rows])
        ratio = (picked(logs, written[rows]) - old[rows]).exp()
        given = advantages[rows]
        given = (given - given.mean()) / (given.std() + 1e-8)
        step(of_policy, -torch.min(ratio * given, ratio.clamp(0.8, 1.2) * given).mean(), 1)
        entropies.append(-(logs.exp() * logs).sum(2).mean().item())
        errors.append(step(of_value, (values(written[others]) - returns[others]).square().mean(), 1))
    found = {
        "reward": earned.mean().item(),
        "rule": vowels(written).mean().item(),
        "kl": apart.mean().item(),
        "entropy": sum(entropies) / len(entropies),
        "value_loss": sum(errors) / len(errors),
    }
    series.append(found)
    if i % 10 == 0:
        means = {name: round(sum(each[name] for each in series[-10:]) / 10, 4) for name in found}
        print(json.dumps({"round": i, **means}), flush=True)

seconds = time.perf_counter() - start
with torch.no_grad():
    ours = [write(policy, windows(held_out, PROMPT, ROWS)) for _ in range(8)]
    theirs = [write(reference, windows(held_out, PROMPT, ROWS)) for _ in range(8)]
    floor = torch.cat([score(each) for each in theirs])
    apart = [
        picked(logarithms(policy, each), each) - picked(logarithms(reference, each), each) for each in ours
    ]
    result = {
        "seed": seed,
        "reward": ((torch.cat([score(each) for each in ours]).mean() - floor.mean()) / floor.std()).item(),
        "rule": vowels(torch.cat(ours)).mean().item(),
        "rule_of_reference": vowels(torch.cat(theirs)).mean().item(),
        "kl": torch.cat(apart).mean().item(),
        "seconds": seconds,
    }
print(json.dumps({name: round(each, 4) for name, each in result.items()}))
