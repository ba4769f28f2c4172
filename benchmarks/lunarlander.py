#!/usr/bin/env python3
"""Compares Hocket's LunarLander with Gymnasium's: lunarlander.py [EPISODES [MODEL...]], by default 500 episodes

Plays episodes from the same seeds in both, at random and by the same controller, and prints the mean returns and lengths with
their standard errors, the share of landings and the steps a second of one environment. A MODEL is a folder that `hocket export
RUN --module actor --format safetensors --out MODEL` has written; it plays in Gymnasium by its most probable actions. Needs
`pip install "gymnasium[box2d]" safetensors`.
"""
import subprocess
import sys
import time

import gymnasium
import numpy as np
from safetensors.numpy import load_file

from beside_torch import HERE, HOCKET

FIRST_SEED = 20_000


def controlled(seen):
    """Tilts against the way and the speed sideways, and brakes a fall that is faster than the height allows."""
    x, y, speed, rise, angle, spin, left, right = seen
    fall = -0.12 - 0.4 * max(y, 0)
    tilt = max(-0.35, min(0.35, 0.7 * x + 0.9 * speed))
    turn = 1.1 * (tilt - angle) - 1.3 * spin
    if left + right > 0:
        return 2 if rise < -0.08 else 0
    if rise < fall and abs(turn) < 0.35:
        return 2
    return 3 if turn < -0.06 else 1 if turn > 0.06 else 0


def trained(model):
    """Returns the policy of an exported actor: dense layers with tanh between them."""
    arrays = load_file(f"{model}/model.safetensors")
    layers = [(arrays[name], arrays[name.replace("/weight", "/bias")]) for name in sorted(arrays) if name.endswith("/weight")]

    def policy(seen):
        for weight, bias in layers[:-1]:
            seen = np.tanh(weight @ seen + bias)
        return int(np.argmax(layers[-1][0] @ seen + layers[-1][1]))

    return policy


def play(name, kind, policy, episodes):
    environment = gymnasium.make(name)
    returns, lengths, landed, start = [], [], 0, time.time()
    for seed in range(FIRST_SEED, FIRST_SEED + episodes):
        seen, _ = environment.reset(seed=seed)
        environment.action_space.seed(seed)
        total, steps, over = 0, 0, False
        while not over:
            action = policy(seen) if policy else environment.action_space.sample()
            seen, reward, terminated, truncated, _ = environment.step(action)
            total, steps, over = total + reward, steps + 1, terminated or truncated
        returns.append(total)
        lengths.append(steps)
        landed += reward == 100
    rate = sum(lengths) / (time.time() - start)
    error = lambda numbers: np.std(numbers, ddof=1) / len(numbers) ** 0.5
    print(f"gymnasium {name} {kind} return {np.mean(returns):.1f} ± {error(returns):.1f}, length {np.mean(lengths):.1f} ±"
          f" {error(lengths):.1f}, landed {landed / episodes:.3f}, {rate:.0f} steps/s", flush=True)


def main():
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    classpath = subprocess.run([HOCKET, "classpath"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["java", "-XX:+UseSerialGC", "-Xlog:disable", "-cp", classpath, HERE / "Landings.java", str(episodes)],
                   check=True)
    for name, kind, policy in (
        ("LunarLander-v3", "random", None),
        ("LunarLanderContinuous-v3", "random", None),
        ("LunarLander-v3", "controlled", controlled),
    ):
        play(name, kind, policy, episodes)
    for model in sys.argv[2:]:
        play("LunarLander-v3", model, trained(model), episodes)


if __name__ == "__main__":
    main()
