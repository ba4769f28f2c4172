"""Environments that keep Gymnasium's rules, or break one, for GymnasiumEnvironmentTest: gym:src.test.python.worlds:Line-v0"""
import os
import random
import signal
import threading
import time

import gymnasium
import numpy as np
from gymnasium import spaces

BOX = spaces.Box(-1e6, 1e6, (2,), np.float32)


class Line(gymnasium.Env):
    """A point on a line, which an action moves; at is its place, and step the number of steps."""

    observation_space, action_space = BOX, spaces.Discrete(3, start=-1)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.at, self.taken = int(self.np_random.integers(100)), 0
        return self.seen(), {}

    def seen(self):
        return np.array([self.at, self.taken], np.float32)

    def step(self, action):
        self.at, self.taken = self.at + int(np.sum(action)), self.taken + 1
        return self.seen(), float(self.at), self.taken >= 20, False, {}


class Broken(Line):
    """Does what an option names in its fourth step."""

    def __init__(self, how):
        self.how = how

    def step(self, action):
        seen, reward, *ended = super().step(action)
        if self.taken == 4:
            if self.how == "word":
                return seen, reward, "no", *ended[1:]
            if self.how == "forgets":
                return None
            if self.how == "four":  # as Gym before 0.26
                return seen, reward, *ended[1:]
            seen, reward = getattr(self, self.how)(seen, reward)
        return seen, reward, *ended

    def prints(self, seen, reward):
        print("to the output of Python")
        os.write(1, b"to its pipe\n")
        return seen, reward

    def raises(self, seen, reward):
        raise ValueError("the wheel came off")

    def exits(self, seen, reward):
        print("out of fuel")
        os._exit(3)

    def exits_later(self, seen, reward):
        print("out of fuel")
        threading.Timer(0.2, os._exit, [3]).start()
        return seen, reward

    def dies(self, seen, reward):
        os.kill(os.getpid(), signal.SIGKILL)

    def hangs(self, seen, reward):
        time.sleep(1000)

    def nan(self, seen, reward):
        return seen, float("nan")

    def infinite(self, seen, reward):
        return seen * np.inf, reward

    def shape(self, seen, reward):
        return np.zeros(3, np.float32), reward

    def dtype(self, seen, reward):
        return np.array(["a", "b"]), reward

    def nothing(self, seen, reward):
        return seen, None

    def several(self, seen, reward):
        return seen, np.zeros(2)

    def damages(self, seen, reward):
        for descriptor in range(3, 30):
            try:
                os.write(descriptor, bytes(8))
            except OSError:
                pass
        return seen, reward

    def explains(self, seen, reward):
        raise ValueError("the wheel came off:\n  its nut was loose")

    def outside(self, seen, reward):
        return np.array([2e6, 0], np.float32), reward


class Closing(Line):
    """Writes a line to a file when it is closed; fails in its fourth step."""

    def __init__(self, file):
        self.file = file

    def step(self, action):
        if self.taken == 3:
            raise ValueError("the wheel came off")
        return super().step(action)

    def close(self):
        with open(self.file, "a") as said:
            said.write("closed\n")


class Dreaming(Line):
    """Depends on chance that no seed reaches."""

    def step(self, action):
        self.at += random.SystemRandom().randrange(1000)
        return super().step(action)


class Spaces(Line):
    """Observes and takes what an option names."""

    KNOWN = {
        "dictionary": spaces.Dict({"place": BOX, "gear": spaces.Discrete(3)}),
        "choices": spaces.Dict({"gear": spaces.Discrete(3), "lamps": spaces.Tuple([spaces.Discrete(2, start=5), spaces.Discrete(4)])}),
        "boxes": spaces.Tuple([spaces.Box(-1, 1, (2,)), spaces.Box(0, 1, ())]),
        "mixture": spaces.Tuple([BOX, spaces.Discrete(3)]),
        "multi_discrete": spaces.MultiDiscrete([3, 2]),
        "multi_binary": spaces.MultiBinary(4),
        "image": spaces.Box(0, 255, (2, 3, 1), np.uint8),
        "box": spaces.Box(np.array([-1, 0]), np.array([1, np.inf]), dtype=np.float64),
    }

    def __init__(self, observed="box", taken="box"):
        self.observation_space, self.action_space = self.KNOWN[observed], self.KNOWN[taken]

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.observation_space.seed(seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        return self.observation_space.sample(), 1, False, False, {}


class Signals(Line):
    """Forbids one of the first choice's three actions in each step, and has its mask where an option says."""

    OBSERVED = {"place": BOX, "gear": spaces.Discrete(3)}

    def __init__(self, where):
        self.where = where
        masks = {"action_mask": spaces.Box(0, 1, (5,), np.int8)} if where == "observation" else {}
        self.observation_space = spaces.Dict({**self.OBSERVED, **masks})
        self.action_space = spaces.Dict({"gear": spaces.Discrete(3), "lamp": spaces.Discrete(2)})
        if where == "method":
            self.action_masks = self.mask

    def mask(self):
        allowed = np.ones(5, np.int8)
        allowed[self.forbidden()] = 0
        return allowed

    def forbidden(self):
        return self.at % 3

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self.outcome()

    def outcome(self):
        seen = {"place": self.seen(), "gear": self.forbidden()}
        masks = {"information": self.mask(), "wrong": self.mask()[1:], "twos": 2 * self.mask()}
        if self.where == "swapped":
            seen["place"], seen["gear"] = seen["place"][:1], np.array([0, 1])
        if self.where == "missing":
            del seen["gear"]
        if self.where == "reset":
            return seen, {} if self.taken else {"action_mask": self.mask()}
        if self.where == "until the end":
            return seen, {"action_mask": self.mask()} if self.taken < 20 else {}
        if self.where == "late" and self.taken:
            return seen, {"action_mask": self.mask()}
        if self.where == "observation":
            return {**seen, "action_mask": self.mask()}, {}
        return seen, {"action_mask": masks[self.where]} if self.where in masks else {}

    def step(self, action):
        assert action["gear"] != self.forbidden(), action
        _, reward, *ended, _ = super().step(int(action["gear"]))
        seen, info = self.outcome()
        return seen, reward, *ended, info


for name in Line, Broken, Closing, Dreaming, Spaces, Signals:
    gymnasium.register(f"{name.__name__}-v0", name, max_episode_steps=50)
