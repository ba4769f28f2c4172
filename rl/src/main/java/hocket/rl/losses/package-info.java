/**
 * What actors and critics descend: pure functions of values, each with its equation and source. Values are of one row
 * each: rewards, values and probabilities are one number a row, (…) or (1), unless a function says otherwise.
 *
 * <p>Which algorithm is made of what:
 *
 * <ul>
 *   <li>REINFORCE, A2C: {@link hocket.rl.losses.PolicyGradient}, {@link hocket.rl.losses.ValueLoss}
 *   <li>PPO: {@link hocket.rl.losses.ClippedSurrogate}, {@link hocket.rl.losses.ValueLoss}, {@link
 *       hocket.rl.losses.PolicyGradient#entropyLoss}
 *   <li>DQN and its kin: {@link hocket.rl.losses.Targets}, {@link hocket.rl.losses.Regression#HUBER}, {@link
 *       hocket.rl.losses.Dueling}; C51: {@link hocket.rl.losses.Atoms}; QR-DQN, IQN: {@link
 *       hocket.rl.losses.QuantileHuber}
 *   <li>SAC: {@link hocket.rl.losses.SoftActorCritic}, {@link hocket.rl.losses.Targets}, {@link
 *       hocket.rl.losses.Regression#HALF_SQUARED}
 *   <li>TD3, DDPG: {@link hocket.rl.losses.DeterministicPolicyGradient}, {@link hocket.rl.losses.Targets}, {@link
 *       hocket.rl.losses.Regression#SQUARED}
 *   <li>Imitation: {@link hocket.rl.losses.Imitation}
 * </ul>
 *
 * <p>Policies' densities are {@link hocket.programs.Distributions}, the squashed ones with Stable-Baselines3's correction
 * too. What is computed of whole rollouts outside of a graph is in {@code hocket.rl.returns}.
 */
@NullMarked
package hocket.rl.losses;

import org.jspecify.annotations.NullMarked;
