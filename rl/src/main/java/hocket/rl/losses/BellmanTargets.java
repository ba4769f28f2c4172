package hocket.rl.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.argMax;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.minimum;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.sum;

import hocket.programs.Value;
import hocket.schedulers.settings.Limits;

/**
 * Targets of critics: the reward plus the discounted value of the next observation. {@link #bootstrapped} computes the
 * target; algorithms differ in the value they use.
 */
public final class BellmanTargets {
    private BellmanTargets() {}

    /**
     * {@code gammaⁿ·(1 - terminated)}: the factor of the value n steps later. A truncated episode did not end, so its
     * last observation still has a value.
     *
     * @param terminated 1 where the episode ended within these steps, else 0
     * @param gamma the discount of one step, in [0, 1]
     * @param steps n, at least 1
     * @throws IllegalArgumentException if gamma or the steps are out of range
     */
    public static Value discount(Value terminated, double gamma, int steps) {
        Limits.fraction("target: gamma", gamma);
        Limits.atLeast(1, "target: steps", steps);
        double factor = Math.pow(gamma, steps);
        return shift(scale(terminated, -factor), factor);
    }

    /**
     * {@code reward + discount·next} (Sutton and Barto 2018, equations 6.2 and 7.1). No gradient flows out of it.
     *
     * @param reward of one step, or the sum of n discounted ones
     * @param discount of the value after them: {@link #discount}
     * @param next the value after them
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value bootstrapped(Value reward, Value discount, Value next) {
        LossArguments.alike("target", "the discount", discount, "the reward", reward);
        LossArguments.alike("target", "the next value", next, "the reward", reward);
        return stopGradient(add(reward, multiply(discount, next)));
    }

    /**
     * {@code r₀ + d₀·(r₁ + d₁·(… + dₙ₋₁·next))} (Sutton and Barto 2018, equation 7.1 with a discount for each step). No
     * gradient flows out of it.
     *
     * @param rewards (n), of n consecutive steps
     * @param discounts (n): gamma, or 0 from the step on with which the episode terminated
     * @param next the value after the last of them
     * @return one number a row, of the shape of next
     * @throws IllegalArgumentException if the shapes differ, or next is not one number a row
     */
    public static Value nStep(Value rewards, Value discounts, Value next) {
        LossArguments.vector("n-step target", "the rewards", rewards);
        LossArguments.alike("n-step target", "the discounts", discounts, "the rewards", rewards);
        LossArguments.oneNumber("n-step target", "the next value", next);
        if (rewards.shape().rank() != 1) {
            throw new IllegalArgumentException("n-step target: the rewards must be (n), got " + rewards);
        }
        Value target = next;
        for (int step = rewards.shape().get(0) - 1; step >= 0; step--) {
            Value reward = element(rewards, step, next);
            target = add(reward, multiply(element(discounts, step, next), target));
        }
        return stopGradient(target);
    }

    private static Value element(Value steps, int step, Value like) {
        return reshape(slice(steps, 0, step, step + 1), like.shape().extents());
    }

    /**
     * {@code max_a q(a)}: Q-learning (Watkins and Dayan 1992; Mnih et al. 2015).
     *
     * @param q (…, n) of the target network, for n actions
     * @return (…)
     */
    public static Value maxQ(Value q) {
        LossArguments.vector("Q-learning", "values of actions", q);
        return max(q, q.shape().rank() - 1);
    }

    /**
     * {@code q(argmax_a selector(a))}: double Q-learning (van Hasselt et al. 2016, section "Double DQN").
     *
     * @param q (…, n) of the target network
     * @param selector (…, n) of the network that is trained, for the same observation
     * @return (…)
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value doubleQ(Value q, Value selector) {
        LossArguments.vector("double Q-learning", "values of actions", q);
        LossArguments.alike("double Q-learning", "the selector", selector, "the values of actions", q);
        return pick(q, argMax(selector));
    }

    /**
     * {@code Σ_a π(a)·q(a)}: expected SARSA (van Seijen et al. 2009).
     *
     * @param q (…, n)
     * @param probabilities (…, n) of the actions
     * @return (…)
     * @throws IllegalArgumentException if the shapes differ
     */
    public static Value expected(Value q, Value probabilities) {
        LossArguments.vector("expected SARSA", "values of actions", q);
        LossArguments.alike("expected SARSA", "the probabilities", probabilities, "the values of actions", q);
        return sum(multiply(probabilities, q), q.shape().rank() - 1);
    }

    /**
     * {@code min_i q_i}: clipped double Q-learning (Fujimoto et al. 2018, equation 10). Where critics are equal, the
     * gradient goes to the first.
     *
     * @param q of each critic, of one shape
     * @throws IllegalArgumentException if there is none, or the shapes differ
     */
    public static Value minQ(Value... q) {
        LossArguments.atLeastOne("smallest value", "critics' values", q);
        Value smallest = q[0];
        for (int i = 1; i < q.length; i++) {
            LossArguments.alike("smallest value", "critic " + i + "'s", q[i], "critic 0's", q[0]);
            smallest = minimum(smallest, q[i]);
        }
        return smallest;
    }
}
