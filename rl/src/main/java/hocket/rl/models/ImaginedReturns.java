package hocket.rl.models;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.slice;

import hocket.programs.Value;
import hocket.programs.layers.Scan;
import java.util.Arrays;
import java.util.List;

/**
 * The λ-returns of imagined steps (Hafner et al. 2020, "Dream to control", equation 6).
 *
 * @param rewards of H steps, (H, …)
 * @param discounts of the states that steps lead to, (H, …): gamma times the probability that the episode continues
 */
public record ImaginedReturns(Value rewards, Value discounts) {
    /**
     * {@code R_t = r_{t+1} + d_{t+1}·((1 - lambda)·v_{t+1} + lambda·R_{t+1})} with {@code R_H = v_H}.
     *
     * @param values of the states, (H + 1, …)
     * @return (H, …)
     */
    public Value lambda(Value values, double lambda) {
        int steps = rewards.shape().get(0);
        Value next = slice(values, 0, 1, steps + 1);
        Value last = element(slice(values, 0, steps, steps + 1));
        return Scan.backward(List.of(rewards, discounts, next), List.of(last), (now, state) -> {
                    Value later = add(scale(now.get(2), 1 - lambda), scale(state.get(0), lambda));
                    Value here = add(now.get(0), multiply(now.get(1), later));
                    return new Scan.Next(List.of(here), List.of(here));
                })
                .outputs()
                .get(0);
    }

    /** Returns the weights of the states that actions were taken in, the products of the discounts before them: (H, …). */
    public Value weights() {
        Value one = shift(scale(element(slice(discounts, 0, 0, 1)), 0), 1);
        return Scan.over(List.of(discounts), List.of(one), (now, state) -> {
                    Value weight = state.get(0);
                    return new Scan.Next(List.of(multiply(weight, now.get(0))), List.of(weight));
                })
                .outputs()
                .get(0);
    }

    private static Value element(Value one) {
        int[] extents = one.shape().extents();
        return reshape(one, Arrays.copyOfRange(extents, 1, extents.length));
    }
}
