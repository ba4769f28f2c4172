"""A game in turns by the conventions of PettingZoo's AEC: three agents count down, and who is at 0 leaves; if `limited`, a limit
truncates who is at 1."""
import numpy as np
from gymnasium import spaces


class env:
    possible_agents = ["a", "b", "c"]

    def __init__(self, render_mode=None, limited=False):
        self.limited = limited

    def observation_space(self, agent):
        return spaces.Dict({"observation": spaces.Box(0, 9, (1,), np.float32), "action_mask": spaces.Box(0, 1, (3,), np.int8)})

    def action_space(self, agent):
        return spaces.Discrete(3)

    def observe(self, agent):
        allowed = np.array([1, self.left[agent] >= 1, self.left[agent] >= 2], np.int8)
        return {"observation": np.array([self.left[agent]], np.float32), "action_mask": allowed}

    def reset(self, seed=None, options=None):
        self.agents = list(self.possible_agents)
        self.left = {name: 3 for name in self.agents}
        self.terminations = {name: False for name in self.agents}
        self.truncations = {name: False for name in self.agents}
        self.rewards = {name: 0 for name in self.agents}
        self.agent_selection = "a"

    def step(self, action):
        name = self.agent_selection
        following = self.agents[(self.agents.index(name) + 1) % len(self.agents)]
        if self.terminations[name] or self.truncations[name]:
            assert action is None
            self.agents.remove(name)
            for each in self.terminations, self.truncations, self.rewards, self.left:
                del each[name]
            self.agent_selection = following
            return
        assert self.observe(name)["action_mask"][int(action)]
        self.left[name] -= int(action)
        self.rewards = {other: (-1 if other == name else 0.5) * int(action) for other in self.agents}
        self.terminations[name] = self.left[name] == 0
        self.truncations[name] = self.limited and self.left[name] == 1
        dead = [other for other in self.agents if self.terminations[other] or self.truncations[other]]
        self.agent_selection = dead[0] if dead and len(dead) < len(self.agents) else following

    def close(self):
        pass
