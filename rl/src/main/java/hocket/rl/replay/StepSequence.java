package hocket.rl.replay;

import static hocket.programs.Operators.abs;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.max;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.losses.RegressionLoss;
import hocket.rl.networks.RecurrentBody.Output;
import hocket.rl.networks.RecurrentBody.Seen;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a graph that a {@link Replay} of {@link Sequences} feeds, with the names and types of its columns.
 *
 * @param layout of L = burn-in + T + n steps
 * @param observations (L, …)
 * @param starts (L)
 * @param state before the first step
 * @param actions (T) of INT64, an index from 0, where actions are discrete; else (T, a)
 * @param rewards (T)
 * @param discounts the factor of the value n steps later, (T): 0 where the episode terminated
 * @param valid 1 where a step is learnt, else 0, (T)
 * @param nextMasks the actions that are allowed n steps later, (T, n); null for all
 * @param weight the factor of a row's loss, (); null for 1
 */
public record StepSequence(
        Sequences.Layout layout,
        Value observations,
        Value starts,
        Value state,
        Value actions,
        Value rewards,
        Value discounts,
        Value valid,
        @Nullable Value nextMasks,
        @Nullable Value weight) {
    /** The share of the largest error in a priority. */
    private static final double LARGEST = 0.9;

    /** Opens the inputs. */
    public static StepSequence of(Graph graph, Replay replay, Sequences.Layout layout) {
        return new StepSequence(
                layout,
                SpaceColumns.input(graph, replay, "observations"),
                SpaceColumns.input(graph, replay, "starts"),
                SpaceColumns.input(graph, replay, Policy.STATE),
                SpaceColumns.input(graph, replay, "actions"),
                SpaceColumns.input(graph, replay, "rewards"),
                SpaceColumns.input(graph, replay, "discounts"),
                SpaceColumns.input(graph, replay, "valid"),
                SpaceColumns.optionalInput(graph, replay, "next_masks"),
                SpaceColumns.optionalInput(graph, replay, "weight"));
    }

    /**
     * Applies a network to the steps after the burn-in. It starts from the saved state, goes through the burn-in without a
     * gradient, and through the rest with one.
     *
     * @param network of (T, …)
     * @return (T + n, …)
     */
    public Value outputs(Network<Seen, Output<Value>> network) {
        int burnIn = layout.burnIn();
        Value warm = burnIn == 0
                ? state
                : stopGradient(network.apply(seen(0, burnIn, state)).state());
        return network.apply(seen(burnIn, layout.steps(), warm)).output();
    }

    private Seen seen(int from, int to, Value before) {
        return new Seen(slice(observations, 0, from, to), slice(starts, 0, from, to), before);
    }

    /** Returns what belongs to the steps that are learnt: (T, …) of (T + n, …). */
    public Value learnt(Value outputs) {
        return slice(outputs, 0, 0, layout.learnt());
    }

    /** Returns what belongs to n steps later: (T, …) of (T + n, …). */
    public Value later(Value outputs) {
        return slice(outputs, 0, layout.nSteps(), layout.nSteps() + layout.learnt());
    }

    /** Returns the loss of predictions (T), each row with its weight; one number. */
    public Value loss(RegressionLoss loss, Value target, Value prediction) {
        Value weights = weight == null ? valid : multiply(valid, reshape(weight, 1));
        return loss.weighted(weights, target, prediction);
    }

    /** Returns the error of each row for its {@link #priority}, (); steps that are not learnt have none. */
    public Value error(Value target, Value prediction) {
        return priority(multiply(valid, subtract(target, prediction)));
    }

    /** {@code 0.9·max |e| + 0.1·mean |e|} over the errors of a row, (T) (Kapturowski et al. 2019, section 2.3). */
    public static Value priority(Value errors) {
        Value size = abs(errors);
        return add(scale(max(size, 0), LARGEST), scale(mean(size, 0), 1 - LARGEST));
    }
}
