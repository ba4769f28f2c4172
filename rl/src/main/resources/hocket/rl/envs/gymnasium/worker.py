"""Steps environments of Gymnasium and PettingZoo for Hocket, which starts this program: requests come by standard input, answers go
to standard output. Numbers have the machine's byte order; a text is its length, int32, and UTF-8.

Request: operation (one byte), number of an environment (int32), and then
  D  text: id; int32 and pairs of texts: options          answers its spaces, limit, size of a mask of actions, and versions;
                                                          int32: the number of agents, 0 for Gymnasium's; of each a text:
                                                          name, its spaces and the size of its mask
  M  as D; makes the environment of that number           answers nothing more
  C  closes the environment of that number                answers nothing more
  P  as M; the environment can draw pictures              answers nothing more
  R  int64: seed                                          resets; answers as S
  A  int32 and float32s: actions                          takes these actions; answers as S to the last one
  S  float32s: one action                                 answers float32s: observation; float64: reward; byte: ended;
                                                          bytes: mask of the next actions, 1 for each that is allowed, else 0
  V                                                       answers int32: height, width; bytes: an RGB picture
Answer: O (one byte) and the above, or E, a text of one line, and a text of several. Ended is 1, terminated, plus 2, truncated.
"""
import ast
import faulthandler
import importlib
import os
import signal
import struct
import sys
import threading
import time
import traceback

MASK = "action_mask"
SEVERAL = "zoo:"
LONGEST = 500  # characters of a line on an error
requests = os.fdopen(os.dup(0), "rb")
answers = os.fdopen(os.dup(1), "wb")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
os.dup2(2, 1)  # what an environment prints is no answer
sys.stdout = sys.stderr
signal.signal(signal.SIGINT, signal.SIG_IGN)
if hasattr(faulthandler, "register"):  # Hocket sends SIGTERM to learn where an environment hangs, and nobody asks its children
    faulthandler.register(signal.SIGTERM, all_threads=False, chain=True)
    os.register_at_fork(after_in_child=lambda: faulthandler.unregister(signal.SIGTERM))
sys.path.insert(0, os.getcwd())


def end_with(parent):
    """Ends this process after its parent, also where an environment does not answer."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()

import gymnasium
import numpy as np
from gymnasium import spaces


class Refused(Exception):
    """What this program refuses of an environment; no line of it explains more."""


def number():
    return struct.unpack("=i", exactly(4))[0]


def exactly(count):
    read = requests.read(count)
    if len(read) < count:
        os._exit(0)  # Hocket has ended
    return read


def text():
    return exactly(number()).decode()


def packed(said):
    encoded = said.encode(errors="replace")
    return struct.pack("=i", len(encoded)) + encoded


def value(said):
    if said in ("true", "false"):
        return said == "true"
    try:
        return ast.literal_eval(said)
    except (ValueError, SyntaxError):
        return said


def floats(array):
    return np.ascontiguousarray(array, np.float32).tobytes()


def whole(*numbers):
    return struct.pack(f"={len(numbers)}i", *(int(each) for each in numbers))


def space_of(space, what):
    """A letter, the number of axes and their sizes, and bounds or counts."""
    if isinstance(space, spaces.Box):
        low, high = (np.broadcast_to(each, space.shape) for each in (space.low, space.high))
        is_whole = what == "observations" and space.dtype.kind in "biu"
        return (b"W" if is_whole else b"B") + whole(len(space.shape), *space.shape) + floats(low) + floats(high)
    if isinstance(space, spaces.Discrete):
        return b"D" + whole(space.n, space.start)
    if isinstance(space, spaces.MultiBinary):
        return b"Y" + whole(np.prod(space.shape))
    if isinstance(space, spaces.MultiDiscrete) and not np.any(space.start):
        return b"M" + whole(space.nvec.size, *space.nvec.flat)
    raise Refused(f"{what} are of {space}, which Hocket does not know")


def alternatives(space):
    """The number of alternatives of each choice of a space, or None if it has others than choices."""
    if isinstance(space, spaces.Discrete):
        return [int(space.n)]
    if isinstance(space, spaces.MultiDiscrete):
        return [int(count) for count in space.nvec.flat]
    if isinstance(space, (spaces.Dict, spaces.Tuple)):
        parts = [alternatives(part) for part in parts_of(space)]
        return None if None in parts else sum(parts, [])
    return None


def require_parts(what, point, kind, wanted):
    """Refuses a dictionary or tuple with other parts."""
    if not isinstance(point, kind) and not (kind is tuple and isinstance(point, list)):
        raise Refused(f"{what} must be a {kind.__name__}, was a {type(point).__name__}")
    found = set(point) if kind is dict else set(range(len(point)))
    if found != wanted:
        raise Refused(f"{what} must have the parts {sorted(wanted)}, had {sorted(found)}")


def require(space, point, what):
    """Refuses a point of another shape or type, in a part of it, too."""
    if isinstance(space, (spaces.Dict, spaces.Tuple)):
        kind = dict if isinstance(space, spaces.Dict) else tuple
        parts = space.spaces if kind is dict else dict(enumerate(space.spaces))
        require_parts(what, point, kind, set(parts))
        for name, part in parts.items():
            require(part, point[name], f"{what}, part {name},")
        return
    array = np.asarray(point)
    if array.shape != space.shape or not np.can_cast(array.dtype, space.dtype, "same_kind"):
        wanted = f"must have shape {space.shape} and type {space.dtype}"
        raise Refused(f"{what} {wanted}, had shape {array.shape} and type {array.dtype}")


def parts_of(space):
    return space.values() if isinstance(space, spaces.Dict) else space.spaces


def flattened(space):
    """A space of choices as one of several, another of parts as one box."""
    if not isinstance(space, (spaces.Dict, spaces.Tuple)):
        return space
    counts = alternatives(space)
    if counts:
        return spaces.MultiDiscrete(counts)
    if all(isinstance(flattened(part), spaces.Box) for part in parts_of(space)):
        return spaces.flatten_space(space)
    raise Refused(f"actions are of {space}, of which Hocket knows those that have only choices, or only boxes")


def pointed(space, numbers):
    """The point of a space that the first numbers of a list are, which it loses."""
    if isinstance(space, spaces.Dict):
        return {name: pointed(part, numbers) for name, part in space.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(pointed(part, numbers) for part in space.spaces)
    count = int(np.prod(space.shape))
    taken, numbers[:count] = np.reshape(numbers[:count], space.shape), []
    point = (taken + getattr(space, "start", 0)).astype(space.dtype)
    return point[()] if isinstance(space, spaces.Discrete) else point


def allowed(mask, space, of=""):
    """Refuses a mask of actions of another size, or with other numbers than 0 and 1."""
    count = sum(alternatives(space) or [])
    if not count:
        raise Refused(f"only discrete actions can have a mask, those{of} are of {space}")
    if not np.all((mask == 0) | (mask == 1)):
        raise Refused(f"a mask of actions{of} must have numbers 0 and 1, was {mask.tolist()}")
    if mask.size != count:
        raise Refused(f"a mask of actions{of} must have {count} numbers for {space}, had {mask.size}")
    return mask


class Several(gymnasium.Env):
    """An environment of PettingZoo as one of Gymnasium: it observes of each agent whether it acts next, its last reward, whether it
    has terminated, the mask of its actions and its observation, and its action has those of all agents, whether they act or not."""

    def __init__(self, module, options):
        made = importlib.import_module(module)
        self.is_parallel = hasattr(made, "parallel_env")
        if not self.is_parallel and not hasattr(made, "env"):
            raise Refused(f"{module} has neither parallel_env nor env, as a module of PettingZoo has")
        self.env = (made.parallel_env if self.is_parallel else made.env)(**options)
        self.module, self.names = module, list(self.env.possible_agents)
        self.seen = {name: self.env.observation_space(name) for name in self.names}
        self.chosen = {name: self.env.action_space(name) for name in self.names}
        self.says_mask = {name: isinstance(seen, spaces.Dict) and MASK in seen.spaces for name, seen in self.seen.items()}
        for name, says in self.says_mask.items():
            if says:
                parts = {part: of for part, of in self.seen[name].items() if part != MASK}
                self.seen[name] = next(iter(parts.values())) if len(parts) == 1 else spaces.Dict(parts)
        widths = [3 + self.masked(name) + spaces.flatdim(self.seen[name]) for name in self.names]
        self.observation_space = spaces.Box(-np.inf, np.inf, (sum(widths),), np.float32)
        taken = sum(int(np.prod(space.shape)) for space in self.chosen.values())
        self.action_space = spaces.Box(-np.inf, np.inf, (taken,), np.float32)

    def masked(self, name):
        """The size of the mask of an agent's actions, 0 without one."""
        if not self.says_mask[name]:
            return 0
        counts = alternatives(self.chosen[name])
        if counts is None:
            raise Refused(f"{name} has a mask of actions, but its actions are of {self.chosen[name]}")
        return sum(counts)

    def described(self):
        said = whole(len(self.names))
        for name in self.names:
            seen = self.seen[name] if isinstance(self.seen[name], spaces.Box) else spaces.flatten_space(self.seen[name])
            said += packed(name) + space_of(seen, f"observations of {name}")
            said += space_of(self.chosen[name], f"actions of {name}") + whole(self.masked(name))
        return said

    def reset(self, seed=None, options=None):
        answered = self.env.reset(seed=seed)
        self.terminated, self.truncated, self.last = set(), set(), {}
        return self.observed(answered[0] if self.is_parallel else {}, {}), {}

    def step(self, numbers):
        actions, at = {}, 0
        for name, space in self.chosen.items():
            count = int(np.prod(space.shape))
            point = np.asarray(numbers[at:at + count]).astype(space.dtype).reshape(space.shape)
            actions[name], at = point[()] if isinstance(space, spaces.Discrete) else point, at + count
        if self.is_parallel:
            seen, rewards, terminated, truncated, _ = self.env.step({name: actions[name] for name in self.env.agents})
            is_over = not self.env.agents
        else:
            self.env.step(actions[self.env.agent_selection])
            seen, rewards = {}, dict(self.env.rewards)
            terminated, truncated = dict(self.env.terminations), dict(self.env.truncations)
            is_over = all(terminated[name] or truncated[name] for name in self.env.agents)
            while not is_over and self.has_left(self.env.agent_selection):
                name = self.env.agent_selection
                point = None if self.env.terminations[name] else self.env.observe(name)
                if point is not None:
                    self.look(name, point)
                self.env.step(None)
        self.terminated |= {name for name, flag in terminated.items() if flag}
        self.truncated |= {name for name, flag in truncated.items() if flag}
        if is_over and self.terminated:  # those with no flag lost, or won, with the others
            self.terminated |= set(self.names) - self.truncated
        observed = self.observed(seen, rewards)
        return observed, 0, is_over and bool(self.terminated), is_over and not self.terminated, {}

    def has_left(self, name):
        return self.env.terminations[name] or self.env.truncations[name]

    def look(self, name, point):
        """Keeps the numbers of an agent's observation."""
        if self.says_mask[name]:
            point = {part: of for part, of in point.items() if part != MASK}
            point = point if isinstance(self.seen[name], spaces.Dict) else next(iter(point.values()))
        require(self.seen[name], point, f"an observation of {name}")
        self.last[name] = spaces.flatten(self.seen[name], point)

    def observed(self, seen, rewards):
        """The numbers of all agents. One that has terminated observes zeros, one that a limit has truncated its last observation; to
        one that does not act next any action is allowed."""
        parts = []
        for name in self.names:
            is_there = name in self.env.agents and (self.is_parallel or not self.has_left(name))
            acts = is_there and (self.is_parallel or self.env.agent_selection == name)
            point = seen.get(name) if self.is_parallel else self.env.observe(name) if name in self.env.agents else None
            mask = np.ones(self.masked(name))
            if point is not None:
                if acts and self.says_mask[name]:
                    mask = allowed(np.ravel(point[MASK]), self.chosen[name], f" of {name}")
                self.look(name, point)
            elif name in self.terminated or name not in self.truncated:
                self.last[name] = np.zeros(spaces.flatdim(self.seen[name]))
            parts += [[acts, rewards.get(name, 0), name in self.terminated], mask, self.last[name]]
        return np.concatenate(parts).astype(np.float32)

    def render(self):
        return self.env.render()

    def close(self):
        self.env.close()


class Environment:
    def __init__(self, id, options, rendered):
        if id.startswith("ALE/"):
            import ale_py

            gymnasium.register_envs(ale_py)
        modes = {"render_mode": "rgb_array"} if rendered else {}
        self.is_several = id.startswith(SEVERAL)
        if self.is_several:
            self.env = Several(id[len(SEVERAL):], {**modes, **options})
        else:
            self.env = gymnasium.make(id, disable_env_checker=True, **modes, **options)
        self.seen, self.actions = self.env.observation_space, flattened(self.env.action_space)
        self.says_mask = isinstance(self.seen, spaces.Dict) and MASK in self.seen.spaces
        if self.says_mask:
            self.seen = spaces.Dict({name: part for name, part in self.seen.items() if name != MASK})
        self.flattens = isinstance(self.seen, (spaces.Dict, spaces.Tuple))
        self.observations = spaces.flatten_space(self.seen) if self.flattens else self.seen
        self.tells_mask = self.env.has_wrapper_attr("action_masks")
        self.masked = None

    def described(self):
        spec = self.env.spec
        limit = spec.max_episode_steps if spec and spec.max_episode_steps else 0
        seen, done = space_of(self.observations, "observations"), space_of(self.actions, "actions")
        self.reset(0)
        agents = self.env.described() if self.is_several else whole(0)
        return seen + done + whole(limit, self.masked) + packed(", ".join(versions(self.env))) + agents

    def mask(self, seen, info, ended=0):
        """Which actions are allowed: by the observation's or the information's action_mask, or by the method action_masks."""
        if self.says_mask:
            said = seen[MASK]
        elif self.tells_mask:
            said = self.env.get_wrapper_attr("action_masks")()
        else:
            said = info.get(MASK)
        parts = [] if said is None else [np.ravel(part) for part in (said if isinstance(said, (list, tuple)) else [said])]
        numbers = np.concatenate(parts) if parts else np.zeros(0)
        if self.masked is None:
            self.masked = numbers.size
        if ended and said is None:
            return bytes(self.masked)  # no action follows
        if numbers.size and not self.masked:
            raise Refused("a mask of actions must be given at reset, too, was given at a step only")
        if self.masked and said is None:
            raise Refused("a mask of actions must be given at each step, too, was given at reset only")
        return (numbers if self.masked == numbers.size == 0 else allowed(numbers, self.actions)).astype(bool).tobytes()

    def observed(self, seen):
        if self.says_mask:
            require_parts("an observation", seen, dict, {*self.seen, MASK})
            seen = {name: part for name, part in seen.items() if name != MASK}
        require(self.seen, seen, "an observation")
        return floats(spaces.flatten(self.seen, seen) if self.flattens else seen)

    def action(self, numbers):
        space = self.env.action_space
        if isinstance(space, (spaces.Dict, spaces.Tuple)):
            return pointed(space, list(numbers))
        if isinstance(space, spaces.Discrete):
            return space.dtype.type(numbers[0])
        return numbers.astype(space.dtype).reshape(space.shape)

    def reset(self, seed):
        seen, info = self.env.reset(seed=seed)
        return self.observed(seen) + struct.pack("=dB", 0, 0) + self.mask(seen, info)

    def step(self, numbers):
        seen, reward, terminated, truncated, info = self.env.step(self.action(numbers))
        if np.size(reward) != 1 or np.asarray(reward).dtype.kind not in "biuf":
            raise Refused(f"a reward must be a number, was {reward!r}")
        for name, flag in ("terminated", terminated), ("truncated", truncated):
            if np.size(flag) != 1 or np.asarray(flag).dtype.kind not in "biu":
                raise Refused(f"{name} must be true or false, was {flag!r}")
        ended = bool(terminated) + 2 * bool(truncated)
        return self.observed(seen) + struct.pack("=dB", np.asarray(reward).item(), ended) + self.mask(seen, info, ended)

    def picture(self):
        picture = np.asarray(self.env.render())
        if picture.ndim != 3 or picture.shape[2] != 3:
            raise Refused(f"a picture must have shape (height, width, 3), had {picture.shape}")
        return whole(*picture.shape[:2]) + np.ascontiguousarray(picture, np.uint8).tobytes()


def explained(error):
    """One line on an error: what was raised and where, or what an environment returned in place of its values."""
    if isinstance(error, Refused):
        return str(error)
    raised = traceback.extract_tb(error.__traceback__)[-1]
    line = " ".join(part.strip() for part in f"{type(error).__name__}: {error}".splitlines())[:LONGEST]
    ours = raised.filename == "<string>" or os.path.dirname(gymnasium.__file__) in raised.filename
    if ours and "unpack" in line:  # also by a wrapper of Gymnasium, such as TimeLimit
        return f"step must return observation, reward, terminated, truncated and info, reset observation and info ({line})"
    return f"{line} ({os.path.basename(raised.filename)}, line {raised.lineno})"


def versions(env):
    made = env.module if isinstance(env, Several) else type(env.unwrapped).__module__
    yield f"Python {sys.version.split()[0]}"
    yield f"NumPy {np.__version__}"
    yield f"Gymnasium {gymnasium.__version__}"
    for package in "mujoco", "ale_py", "Box2D", "minatar", "pettingzoo", made.split(".")[0]:
        version = getattr(sys.modules.get(package), "__version__", None)
        if version and package != "gymnasium":
            yield f"{package} {version}"


def answer(operation, at):
    if operation in (b"D", b"M", b"P"):
        made = Environment(text(), {text(): value(text()) for _ in range(number())}, operation == b"P")
        if operation == b"D":
            try:
                return made.described()
            finally:
                made.env.close()
        if at in environments:
            environments[at].env.close()
        environments[at] = made
        return b""
    if operation == b"C":
        environments.pop(at).env.close()
        return b""
    if operation == b"V":
        return environments[at].picture()
    wide = int(np.prod(environments[at].actions.shape)) or 1
    if operation == b"R":
        return environments[at].reset(struct.unpack("=q", exactly(8))[0])
    count = number() if operation == b"A" else 1
    for action in np.frombuffer(exactly(4 * wide * count), np.float32).reshape(count, wide):
        answered = environments[at].step(action)
    return answered


environments = {}
while True:
    operation, at = exactly(1), number()
    try:
        said = b"O" + answer(operation, at)
    except Exception as error:
        said = b"E" + packed(explained(error)) + packed(traceback.format_exc())
    answers.write(said)
    answers.flush()
