"""Environment steps a second of whole training by CleanRL's single files: agent_cleanrl.py ppo|dqn|c51|sac|td3|ddpg [threads]

Runs a file of the package cleanrl 1.2.0 unchanged on the CPU, with its settings, and prints one number; DDPG updates its actor in each
step. Steps before learning starts do not count. The package is from 2023, so this program gives it what newer libraries no longer have:
the interface of gym 0.23 (ppo, c51, sac, td3) and of gymnasium 0.28 (dqn, ddpg) over the installed gymnasium, distutils, and a
SummaryWriter that writes nothing. Needs torch, gymnasium, stable-baselines3, whose replay buffer all but ppo use, and
pip install --no-deps --ignore-requires-python cleanrl==1.2.0.
"""
import contextlib
import importlib.util
import os
import runpy
import sys
import time
import types
from pathlib import Path

import gymnasium
import stable_baselines3.common.buffers  # before the modules that it imports are replaced
import torch

STARTS = {"ppo": 0, "dqn": 1000, "c51": 1000, "sac": 100, "td3": 100, "ddpg": 100}  # steps before learning
# epsilon has its last value when learning starts, as in the second half of the 500,000 steps of the file
QUICKLY = "--total-timesteps 11000 --exploration-fraction 0.0909"
PENDULUM = "--total-timesteps 2100 --env-id Pendulum-v1"
SETTINGS = {
    "ppo": "--total-timesteps 10240",
    "dqn": QUICKLY,
    "c51": QUICKLY,
    "sac": PENDULUM,
    "td3": PENDULUM,
    "ddpg": f"{PENDULUM} --policy-frequency 1",
}
FILES = {name: f"{name}.py" if name in ("ppo", "dqn", "c51") else f"{name}_continuous_action.py" for name in STARTS}


class Environments(gymnasium.vector.SyncVectorEnv):
    """Environments that begin the next episode within the step that ends one, and a clock of their steps."""

    def __init__(self, functions, starts):
        super().__init__(functions, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
        self.steps, self.starts, self.since = 0, starts, None

    def reset(self, **options):
        self.since = time.perf_counter()
        return super().reset(**options)

    def step(self, actions):
        if self.steps == self.starts:
            self.since = time.perf_counter()
        self.steps += self.num_envs
        return super().step(actions)

    def rate(self):
        return (self.steps - self.starts) / (time.perf_counter() - self.since)


class OfGym(Environments):
    """The interface of gym 0.23: no options of reset, one flag of the end, a dictionary for each environment."""

    def reset(self):
        return super().reset()[0]

    def step(self, actions):
        observations, rewards, terminated, truncated, found = super().step(actions)
        infos = [{} for _ in range(self.num_envs)]
        for i in range(self.num_envs):
            if terminated[i] or truncated[i]:
                infos[i] = {
                    "terminal_observation": found["final_obs"][i],
                    "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
                    "episode": {key: found["final_info"]["episode"][key][i] for key in "rl"},
                }
        return observations, rewards, terminated | truncated, infos


class OfGymnasium(Environments):
    """The interface of gymnasium 0.28: a dictionary of each environment whose episode ended."""

    def step(self, actions):
        observations, rewards, terminated, truncated, found = super().step(actions)
        infos = {}
        if (terminated | truncated).any():
            ended = [{"episode": {key: values[i] for key, values in found["final_info"]["episode"].items()}} if end else {}
                     for i, end in enumerate(terminated | truncated)]
            infos = {"final_observation": found["final_obs"], "final_info": ended}
        return observations, rewards, terminated, truncated, infos


class Statistics(gymnasium.wrappers.RecordEpisodeStatistics):
    def seed(self, seed):
        self.env.reset(seed=seed)


class NoWriter:
    def __init__(self, folder):
        pass

    def __getattr__(self, name):
        return lambda *arguments: None


def module(name, **content):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(content)


def provide(starts):
    """Puts in place what CleanRL's files import; returns the environments that they make."""
    made = []

    def vector(kind):
        def make(functions):
            made.append(kind(functions, starts))
            return made[-1]

        return make

    module(
        "gym",
        make=gymnasium.make,
        spaces=gymnasium.spaces,
        vector=types.SimpleNamespace(SyncVectorEnv=vector(OfGym)),
        wrappers=types.SimpleNamespace(RecordEpisodeStatistics=Statistics),
    )
    gymnasium.vector.SyncVectorEnv = vector(OfGymnasium)
    module("torch.utils.tensorboard", SummaryWriter=NoWriter)
    module("distutils.util", strtobool=lambda text: text.lower() in ("y", "yes", "t", "true", "on", "1"))
    module("distutils", util=sys.modules["distutils.util"])
    return made


def file_of(algorithm):
    """The path of a file of CleanRL."""
    found = importlib.util.find_spec("cleanrl")
    if found is None:
        sys.exit("there is no cleanrl: pip install --no-deps --ignore-requires-python cleanrl==1.2.0")
    return str(Path(next(iter(found.submodule_search_locations))) / FILES[algorithm])


def loaded(algorithm):
    """Returns the definitions of a file of CleanRL by their names, without running its loop."""
    provide(0)
    return runpy.run_path(file_of(algorithm))


def main(algorithm, threads=1):
    torch.set_num_threads(int(threads))
    file = file_of(algorithm)
    made = provide(STARTS[algorithm])
    sys.argv = [file, *SETTINGS[algorithm].split(), "--cuda", "False"]
    if STARTS[algorithm]:
        sys.argv += ["--learning-starts", str(STARTS[algorithm])]
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        runpy.run_path(file, run_name="__main__")
    print(made[0].rate())


if __name__ == "__main__":
    main(*sys.argv[1:])
