#!/usr/bin/env python3
"""The sequence benchmarks of `hocket bench` in PyTorch: sequences_torch.py lstm|attention|gru eager|compile ROWS [threads]
or sequences_torch.py embedding|embedding-dense eager ROWS threads ENTRIES

lstm: a training step of LSTM 64 -> 128 over 32 steps. attention: a training step of a causal transformer block with norms
first, width 128, 4 heads, feed-forward 512, over 64 steps. Both with mean squared error and fused Adam. gru: one step of a
policy with a GRU cell 64 -> 128 and 6 logits. embedding: a training step of an embedding of width 64 at 64 steps, which looks
up 1,000 rows of its table, with mean squared error and SparseAdam; embedding-dense with fused Adam. Prints microseconds, the best of six rounds.
"""
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

what, mode, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
torch.set_num_threads(int(sys.argv[4]) if len(sys.argv) > 4 else 2)
torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, width=128, heads=4, feed=512):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.linear1, self.linear2 = nn.Linear(width, feed), nn.Linear(feed, width)

    def forward(self, x):
        n, t, e = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(n, t, 3, self.heads, e // self.heads).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(n, t, e))
        return x + self.linear2(F.gelu(self.linear1(self.norm2(x))))


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 128, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(int(sys.argv[5]), 64, sparse=what == "embedding")

    def forward(self, x):
        return self.words(x)


class Gru(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.logits = nn.GRUCell(64, 128), nn.Linear(128, 6)

    def forward(self, x, h):
        h = self.cell(x, h)
        return self.logits(h), h


net = {"lstm": Lstm, "attention": Block, "gru": Gru, "embedding": Table, "embedding-dense": Table}[what]()
run = torch.compile(net) if mode == "compile" else net
if what == "gru":
    x, state = torch.rand(rows, 64), torch.zeros(rows, 128)

    def work():
        global state
        with torch.inference_mode():
            state = run(x, state)[1]
else:
    if isinstance(net, Table):
        entries = int(sys.argv[5])
        x, goal = torch.randint(0, 1000, (rows, 64)) * (entries // 1000), torch.rand(rows, 64, 64)
    else:
        steps, features, width = (32, 64, 128) if what == "lstm" else (64, 128, 128)
        x, goal = torch.rand(rows, steps, features), torch.rand(rows, steps, width)
    sparse = what == "embedding"
    adam = (torch.optim.SparseAdam if sparse else torch.optim.Adam)(
        list(net.parameters()), 1e-3, **({} if sparse else {"fused": True}))

    def work():
        adam.zero_grad(set_to_none=True)
        loss = (run(x) - goal).square().mean()
        loss.backward()
        adam.step()
        return loss.item()

times = 500 if what == "gru" else 20
for _ in range(times // 2):
    work()
best = float("inf")
for _ in range(6):
    start = time.perf_counter()
    for _ in range(times):
        work()
    best = min(best, (time.perf_counter() - start) / times)
print(f"{best * 1e6:.1f}")
