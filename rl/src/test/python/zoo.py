"""Environments of several agents by the conventions of PettingZoo, which need not be installed for them."""
import numpy as np
from gymnasium import spaces


class parallel_env:
    """Two walkers on a row: `short` leaves after two steps, `long` after four; each is paid the other's place. `limited`
    is who leaves by a limit."""

    def __init__(self, render_mode=None, limited=(), masked=False, fault=None):
        self.possible_agents, self.limited, self.masked = ["short", "long"], limited, masked
        self.fault = fault

    def observation_space(self, agent):
        mask = {"action_mask": spaces.Box(0, 1, (2,), np.int8)} if self.masked else {}
        return spaces.Box(0, 9, (2,), np.float32) if agent == "short" else spaces.Dict({"at": spaces.Discrete(10), **mask})

    def action_space(self, agent):
        return spaces.Discrete(2, start=1) if agent == "short" else spaces.Box(-1, 1, (1,), np.float32)

    def seen(self, names):
        at = self.at
        both = {"short": np.array([at["short"], at["long"]], np.float32), "long": {"at": np.int64(at["long"])}}
        return {name: both[name] for name in names}

    def reset(self, seed=None, options=None):
        self.agents, self.steps = list(self.possible_agents), 0
        self.at = {"short": int(np.random.default_rng(seed).integers(3)), "long": 0}
        return self.seen(self.agents), {name: {} for name in self.agents}

    def step(self, actions):
        assert set(actions) == set(self.agents)
        for name, action in actions.items():
            self.at[name] = min(9, self.at[name] + (int(action) if name == "short" else 1 + int(action[0] > 0)))
        self.steps += 1
        names = self.agents
        ended = {name: self.steps == (2 if name == "short" else 4) for name in names}
        rewards = {name: self.at["long" if name == "short" else "short"] for name in names}
        self.agents = [name for name in names if not ended[name]]
        if self.fault == "reward":
            rewards["short"] = float("nan")
        if self.fault == "outside":
            self.at["long"] = 99
            return {**self.seen(["short"]), "long": {"at": 0}}, rewards, ended, {name: False for name in names}, {}
        truncated = {name: ended[name] and name in self.limited for name in names}
        terminated = {name: ended[name] and not truncated[name] for name in names}
        return self.seen(names), rewards, terminated, truncated, {name: {} for name in names}

    def close(self):
        pass
