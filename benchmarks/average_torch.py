"""The average of a generator's weights, as Hocket's turn `follow` makes it, for fashion_torch.py and stacked_torch.py."""
import contextlib
import copy

import torch
from torch.nn.modules.batchnorm import _BatchNorm


def norms(network):
    return [module for module in network.modules() if isinstance(module, _BatchNorm)]


@contextlib.contextmanager
def batch_statistics(network):
    """The network normalises by the batch, and its running statistics stay."""
    for norm in norms(network):
        norm.track_running_stats = False
    yield
    for norm in norms(network):
        norm.track_running_stats = True


class Average:
    """decay · average + (1 − decay) · weight, with a decay of min(decay, (1 + t) / (10 + t)) after t rounds."""

    def __init__(self, network, decay=0.999):
        self.network = copy.deepcopy(network).requires_grad_(False)
        self.weights, self.averaged = list(network.parameters()), list(self.network.parameters())
        self.decay, self.taken = decay, 0

    @torch.no_grad()
    def follow(self):
        decay = min(self.decay, (1 + self.taken) / (10 + self.taken))
        torch._foreach_lerp_(self.averaged, self.weights, 1 - decay)
        self.taken += 1

    @torch.no_grad()
    def estimated(self, inputs, batches=50):
        """Returns the network with statistics that are the means over batches of inputs, which a function draws."""
        for norm in norms(self.network):
            norm.reset_running_stats()
            norm.momentum = None
        for _ in range(batches):
            self.network(*inputs())
        return self.network.eval()
