"""Environment steps a second of whole training in Stable-Baselines3: agent_sb3.py NAME [threads]

NAME is that of Hocket's benchmark without its rl/, such as ppo-8x32-20x256 or dqn-zoo. Prints one number. Needs
stable-baselines3 (pip install stable-baselines3), sb3-contrib for ppo-lstm, ppo-taxi and qrdqn; settings as in rl-baselines3-zoo where
the name says zoo.
"""

import re
import sys
import time

import torch
from stable_baselines3 import A2C, DDPG, DQN, PPO, SAC, TD3
from stable_baselines3.common.env_util import make_vec_env

name = sys.argv[1]
torch.set_num_threads(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
common = dict(device="cpu", verbose=0, seed=0)
ppo = re.fullmatch(r"ppo-(\d+)x(\d+)-(\d+)x(\d+)", name)
if name == "ppo-lstm-8x128-4x256":
    from sb3_contrib import RecurrentPPO

    layers = dict(lstm_hidden_size=64, net_arch=[64], enable_critic_lstm=True)
    model = RecurrentPPO("MlpLstmPolicy", make_vec_env("CartPole-v1", 8), n_steps=128, n_epochs=4, batch_size=256,
                         policy_kwargs=layers, **common)
    steps = 4096
elif name == "ppo-taxi":
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.wrappers import ActionMasker

    def allowed(env):
        return env.unwrapped.action_mask(env.unwrapped.s)

    worlds = make_vec_env("Taxi-v4", 16, wrapper_class=ActionMasker, wrapper_kwargs=dict(action_mask_fn=allowed))
    model = MaskablePPO("MlpPolicy", worlds, n_steps=128, n_epochs=4, batch_size=512, learning_rate=1e-3, ent_coef=0.01,
                        policy_kwargs=dict(net_arch=[128]), **common)
    steps = 8192
elif ppo:
    worlds, rollout, epochs, minibatch = map(int, ppo.groups())
    model = PPO("MlpPolicy", make_vec_env("CartPole-v1", worlds), n_steps=rollout, n_epochs=epochs,
                batch_size=minibatch, **common)
    steps = max(2 * worlds * rollout, 8192)
elif name == "a2c-zoo":
    model = A2C("MlpPolicy", make_vec_env("CartPole-v1", 8), ent_coef=0.0, **common)
    steps = 30_000
elif name == "dqn-zoo":
    model = DQN("MlpPolicy", make_vec_env("CartPole-v1", 1), learning_rate=2.3e-3, batch_size=64, buffer_size=100_000,
                learning_starts=1000, gamma=0.99, target_update_interval=10, train_freq=256, gradient_steps=128,
                exploration_fraction=0.16, exploration_final_eps=0.04, policy_kwargs=dict(net_arch=[256, 256]),
                **common)
    steps = 10_000
elif name == "qrdqn-zoo":
    from sb3_contrib import QRDQN

    model = QRDQN("MlpPolicy", make_vec_env("CartPole-v1", 1), learning_rate=2.3e-3, batch_size=64, buffer_size=100_000,
                  learning_starts=1000, gamma=0.99, target_update_interval=10, train_freq=256, gradient_steps=128,
                  exploration_fraction=0.16, exploration_final_eps=0.04,
                  policy_kwargs=dict(net_arch=[256, 256], n_quantiles=10), **common)
    steps = 10_000
elif name == "sac-pendulum":
    model = SAC("MlpPolicy", make_vec_env("Pendulum-v1", 1), learning_rate=1e-3, **common)
    steps = 2000
elif name == "td3-pendulum":
    model = TD3("MlpPolicy", make_vec_env("Pendulum-v1", 1), learning_rate=1e-3, gradient_steps=1, train_freq=1,
                policy_kwargs=dict(net_arch=[400, 300]), **common)
    steps = 2000
elif name == "ddpg-pendulum":
    model = DDPG("MlpPolicy", make_vec_env("Pendulum-v1", 1), learning_rate=1e-3, gradient_steps=1, train_freq=1,
                 policy_kwargs=dict(net_arch=[400, 300]), **common)
    steps = 2000
else:
    sys.exit(f"there is no {name}")
if getattr(model, "learning_starts", 0):  # random steps, which Hocket's benchmark does not count either
    model.learn(model.learning_starts)
before, start = model.num_timesteps, time.perf_counter()
model.learn(steps, reset_num_timesteps=before == 0)
print((model.num_timesteps - before) / (time.perf_counter() - start))
