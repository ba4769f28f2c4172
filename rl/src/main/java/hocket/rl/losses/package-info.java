/**
 * Losses of actors and critics: pure functions of values, each with its equation and source. Shapes are of one row:
 * rewards, values and probabilities are one number a row, (…) or (1), unless a function says otherwise.
 *
 * <p>The parts of each algorithm:
 *
 * <ul>
 *   <li>REINFORCE, A2C: {@link hocket.rl.losses.PolicyGradient}, {@link hocket.rl.losses.ValueLoss}
 *   <li>PPO: {@link hocket.rl.losses.ClippedSurrogate}, {@link hocket.rl.losses.ValueLoss},
 *       {@link hocket.rl.losses.PolicyGradient#entropyLoss}
 *   <li>DQN and its variants: {@link hocket.rl.losses.BellmanTargets}, {@link hocket.rl.losses.RegressionLoss#HUBER},
 *       {@link hocket.rl.losses.Dueling}; C51: {@link hocket.rl.losses.CategoricalAtoms}; QR-DQN, IQN:
 *       {@link hocket.rl.losses.QuantileHuber}
 *   <li>SAC: {@link hocket.rl.losses.SoftActorCritic}, {@link hocket.rl.losses.BellmanTargets},
 *       {@link hocket.rl.losses.RegressionLoss#HALF_SQUARED}
 *   <li>TD3, DDPG: {@link hocket.rl.losses.DeterministicPolicyGradient}, {@link hocket.rl.losses.BellmanTargets},
 *       {@link hocket.rl.losses.RegressionLoss#SQUARED}
 *   <li>Imitation: {@link hocket.rl.losses.BehaviourCloningLoss}
 * </ul>
 *
 * <p>Policies' densities are {@link hocket.programs.layers.Distributions}, the squashed ones with Stable-Baselines3's
 * correction too. Computations over whole rollouts, outside of a graph, are in {@code hocket.rl.returns}.
 */
@NullMarked
package hocket.rl.losses;

import org.jspecify.annotations.NullMarked;
