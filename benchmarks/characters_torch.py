#!/usr/bin/env python3
"""The models of the example CharacterModels in PyTorch: characters_torch.py lstm|transformer [updates] [seed] [threads]

The text, the split, the models, the initial distributions of their weights, Adam at 2e-3, 32 windows of 64 characters an
update and the evaluation are the example's; the weights and windows are drawn by PyTorch. Prints training loss and held-out
bits a character.
"""
import gzip
import math
import pathlib
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

what = sys.argv[1]
updates, seed, threads = (int(sys.argv[i]) if len(sys.argv) > i else usual for i, usual in ((2, 1000), (3, 7), (4, 2)))
torch.set_num_threads(threads)
torch.manual_seed(seed)
STEPS, BATCH = 64, 32

file = pathlib.Path(__file__).parent / "../schedulers/src/main/resources/hocket/schedulers/text/hocket-pages.txt.gz"
characters = gzip.open(file, "rt").read()
vocabulary = sorted(set(characters))
n = len(vocabulary)
text = torch.tensor([vocabulary.index(c) for c in characters])
train, held_out = text[: len(text) * 9 // 10], text[len(text) * 9 // 10 :]


def dense(inputs, outputs):
    layer = nn.Linear(inputs, outputs)
    nn.init.xavier_uniform_(layer.weight)
    nn.init.zeros_(layer.bias)
    return layer


class Lstm(nn.Module):
    """Its embedding is normal of deviation 1, its LSTM uniform within 1/sqrt(128): PyTorch's own."""

    def __init__(self):
        super().__init__()
        self.characters, self.lstm, self.logits = nn.Embedding(n, 64), nn.LSTM(64, 128, batch_first=True), dense(128, n)

    def forward(self, x):
        return self.logits(self.lstm(self.characters(x))[0])


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
    def __init__(self):
        super().__init__()
        self.characters, self.places = nn.Embedding(n, 64), nn.Embedding(STEPS, 64)
        nn.init.normal_(self.characters.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.02)
        self.blocks, self.norm, self.logits = nn.Sequential(Block(), Block()), nn.LayerNorm(64), dense(64, n)

    def forward(self, x):
        return self.logits(self.norm(self.blocks(self.characters(x) + self.places.weight)))


def bits(windows):
    logits = model(windows[:, :-1])
    return F.cross_entropy(logits.reshape(-1, n), windows[:, 1:].reshape(-1)) / math.log(2)


model = {"lstm": Lstm, "transformer": Transformer}[what]()
adam = torch.optim.Adam(model.parameters(), 2e-3, fused=True)
offsets = torch.arange(STEPS + 1)
losses, start = [], time.perf_counter()
for update in range(1, updates + 1):
    adam.zero_grad(set_to_none=True)
    loss = bits(train[torch.randint(len(train) - STEPS, (BATCH, 1)) + offsets])
    (loss * math.log(2)).backward()
    adam.step()
    losses.append(loss.item())
    if update % 100 == 0:
        print(f"update {update:5}  bits a character {sum(losses[-100:]) / len(losses[-100:]):.3f}", file=sys.stderr)
seconds = time.perf_counter() - start
with torch.no_grad():
    count = (len(held_out) - 1) // STEPS
    windows = held_out[torch.arange(count).unsqueeze(1) * STEPS + offsets]
    print(f"{what} seed {seed}: held-out bits a character {bits(windows):.4f}, {updates / seconds:.1f} updates/s")
