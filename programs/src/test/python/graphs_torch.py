"""Random programs beside PyTorch's autograd: graphs_torch.py DIR

DIR holds what RandomProgramsTest wrote: programs as JSON, what they were fed, and their losses and gradients by each
lowering. Each is computed again by PyTorch in float64 and float32. An outcome may be off by 100 times as much as PyTorch's
own float32 (float64 lowerings: as float64 moves when all weights move by 1e-12), and by 1e-5 (1e-9) of the largest numbers;
by 300 times where the engine normalises by the batch, whose gradient it sums up less carefully in float32.
Graphs that rounding decides (a kink met exactly) are counted and left out: those whose float64 result jumps when weights
move by 1e-12. Prints a line for each disagreement and a table; the exit status is 1 if there is any. Needs torch, numpy.
"""
import collections
import json
import math
import pathlib
import sys

import torch
import torch.nn.functional as F

torch.set_num_threads(1)


def pair(kernel, name):
    return tuple(kernel[name])


METHODS = {
    "hocket.programs.operators.BatchNormGradient$ByInput": "batch_norm_by_input",
    "hocket.programs.operators.BatchNormGradient$ByScale": "batch_norm_by_scale",
    "hocket.programs.operators.Gathering$Gather": "gather",
    "hocket.programs.operators.Gathering$ScatterAdd": "scatter_add",
    "hocket.programs.operators.Gathering$EmbeddingWeight": "embedding_weight",
    "hocket.programs.operators.Gelu": "gelu",
    "hocket.programs.operators.Gelu$Gradient": "gelu_gradient",
    "hocket.programs.operators.Normalised": "normalised",
    "hocket.programs.operators.Normalised$Gradient": "normalised_gradient",
    "hocket.programs.layers.Attention": "attention",
    "hocket.programs.layers.AttentionGradient": "attention_gradient",
}


class Graph:
    def __init__(self, document, dtype, moved=0.0):
        self.rows = document["rows"]
        self.program = document["program"]
        self.train = self.program["mode"] == "TRAIN"
        self.dtype = dtype
        self.info = {v["path"]: v for v in self.program["values"]}
        self.values = {}
        self.weights = {}
        for v in self.program["values"]:
            (kind, settings), = v["operator"].items()
            if kind in ("input", "noise", "variable"):
                self.values[v["path"]] = self.leaf(v, kind, settings, document["values"], moved)
            elif kind == "by_mode" or kind == "running":
                x = self.values[v["inputs"][0 if self.train else 1]]
                self.values[v["path"]] = x.detach() if kind == "running" else x
            else:
                inputs = [self.values[p] for p in v["inputs"]]
                self.values[v["path"]] = getattr(self, METHODS.get(kind, kind))(v, settings, *inputs)

    def leaf(self, v, kind, settings, values, moved):
        shape = [self.rows if e == "batch" else e for e in v["shape"]]
        if v["path"] not in values:  # read in the other mode only
            return torch.zeros(shape, dtype=self.dtype)
        numbers = [float(x) for x in values[v["path"]]]
        if v["type"] == "INT64":
            return torch.tensor([int(x) for x in numbers]).reshape(shape)
        x = torch.tensor(numbers, dtype=torch.float64)
        weight = kind == "variable" and settings["declaration"]["kind"] == "WEIGHT"
        if weight:
            x = x * (1 + moved * torch.tensor([1.0 if i % 2 == 0 else -1.0 for i in range(x.numel())], dtype=x.dtype))
        x = x.to(self.dtype).reshape(shape)
        if weight:
            x.requires_grad_()
            self.weights[v["path"]] = x
        return x

    def batched(self, path):
        shape = self.info[path]["shape"]
        return len(shape) > 0 and shape[0] == "batch"

    def elements(self, path):
        """Elements of a row."""
        return math.prod(e for e in self.info[path]["shape"] if e != "batch")

    def rank(self, path):
        return len(self.info[path]["shape"]) - self.batched(path)

    def axis(self, v, axis):
        return axis + self.batched(v["inputs"][0])

    def aligned(self, v, *inputs):
        """Inputs whose axes are aligned at the end, the batch axis apart."""
        rank = max(self.rank(p) for p in v["inputs"])
        out = []
        for p, x in zip(v["inputs"], inputs):
            if self.batched(p):
                x = x.reshape([x.shape[0]] + [1] * (rank - self.rank(p)) + list(x.shape[1:]))
            out.append(x)
        return out

    # leaves and elements

    def constant(self, v, s):
        t = s["value"]
        numbers = torch.tensor([float(x) for x in t["values"]], dtype=torch.float64).reshape(t["shape"])
        return numbers.to(torch.int64 if t["type"] == "INT64" else self.dtype)

    def unary(self, v, s, x):
        f = s["function"]
        own = {"NEGATE": torch.neg, "RELU": F.relu, "STEP": lambda a: (a > 0).to(a.dtype), "SIGN": lambda a: torch.sign(a.detach())}
        if f == "SOFTPLUS":
            return torch.logaddexp(x, torch.zeros((), dtype=x.dtype))
        return own[f](x) if f in own else getattr(torch, f.lower())(x)

    def leaky_relu(self, v, s, x):
        return F.leaky_relu(x, s["slope"])

    def elu(self, v, s, x):
        return F.elu(x, s["alpha"])

    def scalar(self, v, s, x):
        return x * s["scale"] + s["shift"]

    def clip(self, v, s, x):
        return torch.clamp(x, s["low"], s["high"])

    def binary(self, v, s, a, b):
        a, b = self.aligned(v, a, b)
        f = s["pair"]
        if f in ("EQUAL", "GREATER"):
            return (a == b if f == "EQUAL" else a > b).to(self.dtype)
        if f in ("MAXIMUM", "MINIMUM"):  # of equals the first gets the gradient
            right = (b > a) if f == "MAXIMUM" else (a > b)
            return torch.where(right, b, a)
        return {"ADD": torch.add, "SUBTRACT": torch.sub, "MULTIPLY": torch.mul, "DIVIDE": torch.div}[f](a, b)

    def where(self, v, s, c, a, b):
        c, a, b = self.aligned(v, c, a, b)
        return torch.where(c != 0, a, b)

    def dropout(self, v, s, x, mask):
        return x * mask if self.train else x

    def stop_gradient(self, v, s, x):
        return x.detach()

    # products

    def dense(self, v, s, x, w, b=None):
        return F.linear(x, w, b)

    def dense_input(self, v, s, g, w):
        return g @ w

    def dense_weight(self, v, s, x, g):
        return g.reshape(-1, g.shape[-1]).T @ x.reshape(-1, x.shape[-1])

    def images(self, v, i, x):
        return x if self.batched(v["inputs"][i]) else x[None]

    def back(self, v, y):
        return y if self.batched(v["path"]) else y[0]

    def convolution(self, v, s, x, w, b=None):
        k = s["kernel"]
        y = F.conv2d(self.images(v, 0, x), w, b, pair(k, "stride"), pair(k, "pad"), pair(k, "dilation"), k["groups"])
        return self.back(v, y)

    def transposed_convolution(self, v, s, x, w, b=None):
        k = s["kernel"]
        y = F.conv_transpose2d(self.images(v, 0, x), w, b, pair(k, "stride"), pair(k, "pad"), pair(k, "output_pad"),
                               k["groups"], pair(k, "dilation"))
        return self.back(v, y)

    def convolution_weight(self, v, s, x, g):
        k = s["kernel"]
        x, g = self.images(v, 0, x), self.images(v, 1, g)
        size = (g.shape[1], x.shape[1] // k["groups"], *s["window"])
        full = F.conv2d(x, torch.zeros(size, dtype=x.dtype), None, pair(k, "stride"), pair(k, "pad"), pair(k, "dilation"),
                        k["groups"])
        g = F.pad(g, (0, full.shape[3] - g.shape[3], 0, full.shape[2] - g.shape[2]))
        return torch.nn.grad.conv2d_weight(x, size, g, pair(k, "stride"), pair(k, "pad"), pair(k, "dilation"), k["groups"])

    def embedding(self, v, s, index, table):
        return F.embedding(index, table)

    def embedding_weight(self, v, s, index, g):
        flat = g.reshape(-1, g.shape[-1])
        return torch.zeros((s["entries"], g.shape[-1]), dtype=g.dtype).index_add(0, index.reshape(-1), flat)

    def matmul(self, v, s, a, b):
        return (a.mT if s["transposed_left"] else a) @ (b.mT if s["transposed_right"] else b)

    def attention(self, v, s, q, k, values, *more):
        if self.batched(v["path"]):  # all with rows in front
            rank = len(self.info[v["path"]]["shape"]) - 1
            q, k, values, *more = [x if self.batched(p) else x.expand(self.rows, *x.shape)
                                   for p, x in zip(v["inputs"], (q, k, values, *more))]
            more = [x.reshape(x.shape[0], *[1] * (rank + 1 - x.dim()), *x.shape[1:]) for x in more]
        more = list(more)
        seen = None
        if s["masked"]:
            mask = more.pop()
            seen = (mask != 0).expand(*q.shape[:-1], k.shape[-2])
        if s["causal"] != "NO":
            queries, keys = q.shape[-2], k.shape[-2]
            past = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries if s["causal"] == "TO_LAST" else 0)
            seen = past if seen is None else seen & past
        scores = q @ k.mT * (s["scale"] or q.shape[-1] ** -0.5)
        if s["biased"]:
            scores = scores + more[0]
        if seen is not None:
            scores = torch.where(seen, scores, -torch.inf)
            any_seen = seen.any(-1, keepdim=True)
            weights = torch.softmax(torch.where(any_seen, scores, 0), -1)
            return torch.where(any_seen, weights, 0) @ values
        return torch.softmax(scores, -1) @ values

    def attention_gradient(self, v, s, *inputs):
        of = {"path": v["inputs"][-1], "inputs": v["inputs"][:-1]}
        by = ["QUERIES", "KEYS", "VALUES"].index(s["by"])
        return self.gradient(lambda *xs: self.attention(of, s["attention"], *xs), inputs[:-1], by, inputs[-1])

    # functions of rows

    def normalised(self, v, s, x):
        rows = x.reshape([-1, self.elements(v["inputs"][0]) // s["parts"]])
        if s["centred"]:
            rows = rows - rows.mean(1, keepdim=True)
        return (rows / (rows.square().mean(1, keepdim=True) + s["epsilon"]).sqrt()).reshape(x.shape)

    def normalised_gradient(self, v, s, x, g):
        return self.gradient(lambda x: self.normalised(v, s["norm"], x), [x], 0, g)

    def gelu(self, v, s, x):
        return F.gelu(x)

    def gelu_gradient(self, v, s, x, g):
        return self.gradient(F.gelu, [x], 0, g)

    def gradient(self, function, inputs, by, g):
        """The gradient of a function by one of its inputs, which can be differentiated again."""
        inputs = list(inputs)
        if not inputs[by].requires_grad:
            inputs[by] = inputs[by].detach().requires_grad_()
        return torch.autograd.grad(function(*inputs), inputs[by], g, create_graph=True)[0]

    # arrangement

    def gather(self, v, s, x, index):
        return torch.gather(x, self.axis(v, s["axis"]), index)

    def scatter_add(self, v, s, x, index):
        axis = self.axis(v, s["axis"])
        size = list(x.shape)
        size[axis] = s["entries"]
        return torch.zeros(size, dtype=x.dtype).scatter_add(axis, index, x)

    def reshape(self, v, s, x):
        return x.reshape([self.rows] * self.batched(v["path"]) + s["shape"])

    def concat(self, v, s, *xs):
        xs = [x if self.batched(p) == self.batched(v["path"]) else x.expand(self.rows, *x.shape)
              for p, x in zip(v["inputs"], xs)]
        return torch.cat(xs, s["axis"] + self.batched(v["path"]))

    def slice(self, v, s, x):
        return x.narrow(self.axis(v, s["axis"]), s["begin"], s["end"] - s["begin"])

    def transpose(self, v, s, x):
        b = self.batched(v["path"])
        return x.permute([0] * b + [a + b for a in s["order"]])

    def pad(self, v, s, x):
        after = x.dim() - 1 - self.axis(v, s["axis"])
        return F.pad(x, [0, 0] * after + [s["before"], s["after"]])

    def spread(self, v, s, x):
        had = self.batched(v["inputs"][0])
        if s["batched"] and not had:
            x = x[None]
        y = x.expand([self.rows] * s["batched"] + s["shape"])
        return y / (y.numel() / self.values[v["inputs"][0]].numel()) if s["shared"] else y

    def pick(self, v, s, x, index):
        return torch.gather(x, -1, index[..., None])[..., 0]

    def one_hot(self, v, s, index):
        return F.one_hot(index, s["entries"]).to(self.dtype)

    # reductions

    def reduce(self, v, s, x):
        if s["axis"] == -1:
            return {"SUM": torch.sum, "MEAN": torch.mean, "MAX": torch.amax}[s["how"]](x)
        axis = 0 if s["axis"] == -2 else self.axis(v, s["axis"])
        return {"SUM": torch.sum, "MEAN": torch.mean, "MAX": torch.amax}[s["how"]](x, axis)

    def arg_max(self, v, s, x):
        return torch.argmax(x, -1)

    def arg_sort(self, v, s, x):
        return torch.argsort(x.detach(), dim=self.axis(v, s["axis"]), descending=s["descending"], stable=True)

    def softmax(self, v, s, x):
        return (F.log_softmax if s["logarithm"] else F.softmax)(x, self.axis(v, s["axis"]))

    def cumulative_sum(self, v, s, x):
        axis = self.axis(v, s["axis"])
        return torch.cumsum(x.flip(axis), axis).flip(axis) if s["reversed"] else torch.cumsum(x, axis)

    def places(self, v, s, x):
        k = s["kernel"]
        return F.max_pool2d(self.images(v, 0, x).detach(), pair(k, "size"), pair(k, "stride"), pair(k, "pad"),
                            return_indices=True)[1]

    def max_pool(self, v, s, x):
        return self.max_pool_pick(v, s, x, x)

    def max_pool_pick(self, v, s, x, other):
        at = self.places(v, s, x)
        y = torch.gather(self.images(v, 0, other).flatten(2), 2, at.flatten(2)).reshape(at.shape)
        return self.back(v, y)

    def max_pool_input(self, v, s, x, g):
        at = self.places(v, s, x)
        image = self.images(v, 0, x)
        y = torch.zeros_like(image.flatten(2)).scatter_add(2, at.flatten(2), self.images(v, 1, g).flatten(2))
        return self.back(v, y.reshape(image.shape))

    def batch_norm(self, v, s, x, scale, shift, mean, variance):
        batch = self.train and not s["frozen"]
        return F.batch_norm(x, None if batch else mean, None if batch else variance, scale, shift, batch, 0.0, s["epsilon"])

    def batch_norm_by(self, s, x, scale, g, by_scale):
        x = x if x.requires_grad else x.detach().requires_grad_()
        scale = scale if scale.requires_grad else scale.detach().requires_grad_()
        y = F.batch_norm(x, None, None, scale, None, True, 0.0, s["epsilon"])
        return torch.autograd.grad(y, scale if by_scale else x, g, create_graph=True)[0]

    def batch_norm_by_input(self, v, s, x, scale, g):
        return self.batch_norm_by(s, x, scale, g, False)

    def batch_norm_by_scale(self, v, s, x, g):
        return self.batch_norm_by(s, x, torch.ones(x.shape[1], dtype=x.dtype), g, True)

    def outcome(self):
        loss = self.values[self.program["targets"][0]]
        paths = list(self.weights)
        slopes = torch.autograd.grad(loss.sum(), [self.weights[p] for p in paths], allow_unused=True)
        tensors = {"loss": loss.detach().to(torch.float64).flatten()}
        for path, slope in zip(paths, slopes):
            if slope is not None:
                tensors[path] = slope.detach().to(torch.float64).flatten()
        return tensors


def distance(some, exact):
    """The largest difference, in units of its tensor's largest number and a tenth of the largest of all."""
    largest = max(float(t.abs().max()) for t in exact.values() if t.numel())
    most, where = 0.0, ""
    for name, t in exact.items():
        if name in some:
            off = (some[name] - t).abs()
            off = float(off.max()) if torch.isfinite(off).all() else float("inf")
            off /= float(t.abs().max()) + 0.1 * largest + 0.01
            if off > most:
                most, where = off, name
    return most, where


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*.json"))
    count, left, wrong = 0, 0, 0
    worst = collections.defaultdict(float)
    ratio = collections.defaultdict(float)
    operators = collections.Counter()
    for file in files:
        document = json.loads(file.read_text())
        if not document["outcomes"]:
            left += 1
            continue
        exact_graph = Graph(document, torch.float64)
        exact = exact_graph.outcome()
        moved = distance(Graph(document, torch.float64, 1e-12).outcome(), exact)[0]
        if not moved <= 1e-7:
            left += 1
            continue
        single = max(distance(Graph(document, torch.float32).outcome(), exact)[0],
                     distance(Graph(document, torch.float64, 1e-7).outcome(), exact)[0])
        count += 1
        named = {next(iter(v["operator"])) for v in document["program"]["values"]}
        normalises = "batch_norm" in named
        operators.update(named)
        for lowering, numbers in document["outcomes"].items():
            mine = {name: torch.tensor([float(x) for x in t], dtype=torch.float64) for name, t in numbers.items()}
            missing = set(mine) ^ set(exact)
            off, where = distance(mine, exact)
            by_batch = lowering.startswith("mxnet") and exact_graph.train and normalises
            allowed = 100 * moved + 1e-9 if lowering.endswith("float64") else (300 if by_batch else 100) * single + 1e-5
            worst[lowering] = max(worst[lowering], off)
            ratio[lowering] = max(ratio[lowering], off / allowed)
            # A weight that the loss reaches by paths without slope: PyTorch gives none, Hocket zeros.
            missing = [m for m in missing if m not in mine or float(mine[m].abs().max()) > 0]
            if off > allowed or missing:
                wrong += 1
                print(f"{file.name}: {lowering} is off by {off:.1e} at {where}, allowed {allowed:.1e} {missing}")
    print(f"{count} graphs, {left} left out (decided by rounding, or without a weight), {wrong} disagreements")
    for lowering in sorted(worst):
        print(f"  {lowering:18} worst {worst[lowering]:.1e} of the largest number, {ratio[lowering]:.2f} of what is allowed")
    print("  graphs that have each operator: " + ", ".join(f"{name} {n}" for name, n in operators.most_common()))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
